// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the numbers of one axis so that they are in given classes (such as "kernel below the stride"), with nested
// loops. Each loop tries the few numbers that its class and the numbers chosen before it allow. The innermost number is
// the output size, which must fulfil the consistency rules of the dialect.

#include <algorithm>
#include <vector>

#include "conformance/suite/covering/build.h"

namespace conformance {
namespace {

using oracle::Dialect;
using Values = std::vector<std::int64_t>;

// Rotates the values, so that another value is tried first. `rotation` may be any number.
Values Rotated(Values values, std::uint64_t rotation) {
  if (!values.empty())
    std::ranges::rotate(values, values.begin() + static_cast<std::ptrdiff_t>(rotation % values.size()));
  return values;
}

// The kernel sizes to try. A kernel of class kBelowStride is longer than 1 and shorter than the stride; kEven and kOdd
// are at least as long as the stride.
Values Kernels(const ClassRow& row, std::int64_t stride) {
  constexpr std::int64_t span = 4;  // beyond the stride: two odd and two even kernels
  Values kernels;
  for (std::int64_t kernel = 2; kernel <= stride + span; ++kernel) {
    const bool even = kernel % 2 == 0;
    if (row.Is(Property::kKernel, KernelClass::kBelowStride)
            ? kernel < stride
            : kernel >= stride && kernel > 1 && even == row.Is(Property::kKernel, KernelClass::kEven)) {
      kernels.push_back(kernel);
    }
  }
  return row.Is(Property::kKernel, KernelClass::kUnit) ? Values{1} : kernels;
}

// Data shorter than the kernel for class kBeyond, else not shorter.
Values DataSizes(const ClassRow& row, std::int64_t kernel) {
  Values sizes;
  if (row.Is(Property::kSpan, SpanClass::kBeyond)) {
    for (std::int64_t size = 2; size < kernel && size <= 4; ++size) sizes.push_back(size);
  } else {
    const std::int64_t least = std::max<std::int64_t>(kernel, 2);
    sizes = {least, least + 1};
  }
  return sizes;
}

// The values of output_padding to try: 0, below the stride, or from the stride on.
Values OutputPaddings(const ClassRow& row, std::int64_t stride) {
  if (row.Is(Property::kOutputPadding, OutputPaddingClass::kZero)) return {0};
  if (row.Is(Property::kOutputPadding, OutputPaddingClass::kFromStride)) return {stride, stride + 1};
  Values below;
  for (std::int64_t padding = 1; padding < stride && padding <= 3; ++padding) below.push_back(padding);
  return below;
}

struct Pads {
  std::int64_t begin, end;
};

// The pads to try. `extent`: the length of the kernel with its dilation, which deep pads reach.
std::vector<Pads> PadsOf(const ClassRow& row, std::int64_t extent) {
  const std::int64_t most = std::min<std::int64_t>(extent - 1, 3);
  std::vector<Pads> pads;
  const auto up_to_most = [&](const auto& add) {
    for (std::int64_t pad = 1; pad <= most; ++pad) add(pad);
  };
  switch (static_cast<PadsClass>(row[Property::kPads])) {
    case PadsClass::kZero:
      pads = {{0, 0}};
      break;
    case PadsClass::kSymmetric:
      up_to_most([&](std::int64_t pad) { pads.push_back({pad, pad}); });
      break;
    case PadsClass::kBegin:
      up_to_most([&](std::int64_t pad) { pads.push_back({pad, 0}); });
      break;
    case PadsClass::kEnd:
      up_to_most([&](std::int64_t pad) { pads.push_back({0, pad}); });
      break;
    case PadsClass::kAsymmetric:
      up_to_most([&](std::int64_t begin) {
        up_to_most([&](std::int64_t end) {
          if (begin != end) pads.push_back({begin, end});
        });
      });
      break;
    case PadsClass::kDeep:
      pads = {{extent, 0}, {0, extent}, {extent, 1}, {1, extent}, {extent + 1, 0}, {extent, extent}};
      break;
  }
  return pads;
}

// The total paddings of the row's output shape class, small totals first. The total padding is the size without pads
// minus the output size. The limit 48 exceeds the pads of all kernels in the arrays.
Values Totals(const ClassRow& row) {
  constexpr std::int64_t most = 48;
  const auto shape = static_cast<OutputShapeClass>(row[Property::kOutputShape]);
  if (shape == OutputShapeClass::kZero) return {0};
  const bool even = shape == OutputShapeClass::kPositiveEven || shape == OutputShapeClass::kNegativeEven;
  const bool positive = shape == OutputShapeClass::kPositiveEven || shape == OutputShapeClass::kPositiveOdd;
  Values totals;
  for (std::int64_t total = even ? 2 : 1; total <= most; total += 2) totals.push_back(positive ? total : -total);
  return totals;
}

// The pads of the forward convolution (clause P20).
std::int64_t ForwardPads(std::int64_t extent, std::int64_t stride, std::int64_t output) {
  const std::int64_t rest = output % stride;
  return std::max<std::int64_t>(extent - (rest == 0 ? stride : rest), 0);
}

// Whether the dialect accepts this output size (clauses P21, P26, P28, P29).
bool Accepts(const ClassRow& row, Dialect dialect, const AxisDraft& axis) {
  const std::int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
  if (dialect == Dialect::kOnednnRuntime || dialect == Dialect::kTensorflow) {
    std::int64_t pads = axis.pads_begin + axis.pads_end;
    if (row.Is(Property::kAutoPad, AutoPadClass::kValid)) pads = 0;
    if (row.Is(Property::kAutoPad, AutoPadClass::kSameUpper, AutoPadClass::kSameLower)) {
      pads = ForwardPads(extent, axis.stride, *axis.output);
    }
    const std::int64_t room = *axis.output - extent + pads;
    return room >= 0 && room / axis.stride + 1 == axis.data;
  }
  if (dialect == Dialect::kOnnxruntime) {
    const std::int64_t total = axis.Natural() + axis.output_padding - *axis.output;
    const std::int64_t room = *axis.output - extent + std::max<std::int64_t>(total, 0);
    return room >= 0 && room / axis.stride + 1 == axis.data;
  }
  return true;
}

// Chooses the output size if the row has an output shape. False if no size is in the row's classes.
bool ChooseOutput(const ClassRow& row, Dialect dialect, std::uint64_t rotation, AxisDraft& axis) {
  const bool pads_count = row.Is(Property::kAutoPad, AutoPadClass::kAbsent, AutoPadClass::kExplicit);
  if (row.Is(Property::kOutputShape, OutputShapeClass::kAbsent)) {
    const std::int64_t pads = pads_count ? axis.pads_begin + axis.pads_end : 0;
    return axis.Natural() + axis.output_padding - pads >= 1;
  }
  // Clause A18: oneDNN's library ignores output_padding.
  const std::int64_t padding = dialect == Dialect::kOnednnRuntime ? 0 : axis.output_padding;
  Values totals = Totals(row);
  if (totals.size() > 1 && rotation % 2 == 1) std::swap(totals[0], totals[1]);
  for (const std::int64_t total : totals) {
    axis.output = axis.Natural() + padding - total;
    if (*axis.output >= 1 && Accepts(row, dialect, axis)) return true;
  }
  axis.output = std::nullopt;
  return false;
}

}  // namespace

std::optional<AxisDraft> AxisValues(const ClassRow& row, Dialect dialect, std::int64_t stride, std::int64_t dilation,
                                    std::uint64_t rotation) {
  for (const std::int64_t kernel : Rotated(Kernels(row, stride), rotation)) {
    const std::int64_t extent = (kernel - 1) * dilation + 1;
    for (const std::int64_t data : Rotated(DataSizes(row, kernel), rotation)) {
      for (const std::int64_t padding : Rotated(OutputPaddings(row, stride), rotation / 3)) {
        std::vector<Pads> pads = PadsOf(row, extent);
        for (std::size_t i = 0; i < pads.size(); ++i) {
          const Pads& chosen = pads[(i + rotation) % pads.size()];
          AxisDraft axis{.data = data,
                         .kernel = kernel,
                         .stride = stride,
                         .dilation = dilation,
                         .pads_begin = chosen.begin,
                         .pads_end = chosen.end,
                         .output_padding = padding};
          if (ChooseOutput(row, dialect, rotation, axis)) return axis;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace conformance
