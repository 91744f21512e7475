// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists resolved axes, that is all numbers which decide the values along one spatial axis. Nested loops go over all
// sizes and strides within the bounds, then over every output size and pads_begin that some dialect can resolve from
// them. (A dialect is one document's or library's reading of the attributes.)

#include "conformance/case/resolved_axes.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace conformance {
namespace {

using oracle::Dims;
using oracle::OperatorKind;

std::int64_t FloorHalf(std::int64_t value) { return value >= 0 ? value / 2 : -((1 - value) / 2); }  // -3 gives -2

struct PadRange {
  std::int64_t least;
  std::int64_t most;
};

// The range of pads_begin for the axis' output size. Explicit pads give 0 to bounds.pad. An output shape gives a total
// padding of natural + output_padding - output, and pads_begin is half of the total. Some libraries derive the total
// from their forward convolution; it is then at most stride - 1 larger than natural - output. Example: natural 9,
// output 6, stride 2, output_padding 0: the total is 3 or 4, so that pads_begin is 1 or 2.
PadRange PadsOf(const ResolvedAxis& axis, const SweepBounds& bounds) {
  const std::int64_t lowest_total = axis.Natural() - axis.output;
  const std::int64_t highest_total = lowest_total + std::max(bounds.output_padding, axis.stride - 1);
  return {std::min<std::int64_t>(0, FloorHalf(lowest_total)),
          std::max(bounds.pad, highest_total - FloorHalf(highest_total))};
}

// The largest output size. The SAME modes of ConvTranspose give data * stride, at most stride - 1 above natural.
std::int64_t LargestOutput(const ResolvedAxis& axis, const SweepBounds& bounds) {
  return axis.Natural() + std::max(bounds.output_padding + bounds.shape_excess, axis.stride - 1);
}

// The form of an axis: the attributes that can express it. 0: only pads; 1: pads or an output shape; 2: only an output
// shape. ResolvedAxesWithin sorts axes by this number.
int FormOf(const ResolvedAxis& axis) { return axis.pads_begin < 0 ? 2 : HasOutputShapeForm(axis) ? 1 : 0; }

// The output_padding that splits the total padding, natural + output_padding - output, into two halves of pads_begin; 0
// if it would be negative. Example: natural 9, output 6, pads_begin 2: output_padding 1, total 4.
std::int64_t PaddingOfSplit(const ResolvedAxis& axis) {
  return std::max<std::int64_t>(0, 2 * axis.pads_begin - axis.Natural() + axis.output);
}

// Writes the output shape where the kind of operator has it. ConvolutionBackwardData also states batch and channels.
void SetOutputShape(oracle::Operator& op, const Dims& outputs) {
  switch (op.kind) {
    case OperatorKind::kConvolutionBackwardData: {
      Dims& shape = op.dst_shape.emplace(Dims{1});
      shape.insert(shape.end(), outputs.begin(), outputs.end());
      shape.push_back(1);
      return;
    }
    case OperatorKind::kConvTranspose:
      op.output_shape_attribute = outputs;
      return;
    default:
      op.output_shape = {.dims = {static_cast<std::int64_t>(outputs.size())}, .values = outputs};
  }
}

}  // namespace

bool HasOutputShapeForm(const ResolvedAxis& axis) { return axis.pads_begin >= FloorHalf(axis.Natural() - axis.output); }

bool IsWithin(const ResolvedAxis& axis, const SweepBounds& bounds) {
  const auto between = [](std::int64_t value, std::int64_t most) { return value >= 1 && value <= most; };
  if (!between(axis.data, bounds.data) || !between(axis.kernel, bounds.kernel) ||
      !between(axis.stride, bounds.stride) || !between(axis.dilation, bounds.dilation) ||
      !between(axis.output, LargestOutput(axis, bounds))) {
    return false;
  }
  const PadRange pads = PadsOf(axis, bounds);
  return axis.pads_begin >= pads.least && axis.pads_begin <= pads.most;
}

std::vector<ResolvedAxis> ResolvedAxesWithin(const SweepBounds& bounds) {
  std::vector<ResolvedAxis> axes;
  ResolvedAxis axis;
  for (axis.stride = 1; axis.stride <= bounds.stride; ++axis.stride) {
    for (axis.kernel = 1; axis.kernel <= bounds.kernel; ++axis.kernel) {
      for (axis.data = 1; axis.data <= bounds.data; ++axis.data) {
        for (axis.dilation = 1; axis.dilation <= bounds.dilation; ++axis.dilation) {
          for (axis.output = 1; axis.output <= LargestOutput(axis, bounds); ++axis.output) {
            const PadRange pads = PadsOf(axis, bounds);
            for (axis.pads_begin = pads.least; axis.pads_begin <= pads.most; ++axis.pads_begin) axes.push_back(axis);
          }
        }
      }
    }
  }
  std::ranges::sort(axes, {}, [](const ResolvedAxis& listed) { return std::pair(FormOf(listed), listed); });
  return axes;
}

oracle::Operator OperatorWith(std::span<const ResolvedAxis> axes, OperatorKind kind, oracle::ElementType type) {
  // Pads of an attribute are not negative. So axes with a negative pads_begin need an output shape (clause P17).
  const bool shifted = std::ranges::any_of(axes, [](const ResolvedAxis& axis) { return axis.pads_begin < 0; });
  assert(!shifted || std::ranges::all_of(axes, HasOutputShapeForm));
  const bool onednn = kind == OperatorKind::kConvolutionBackwardData;
  oracle::Operator op;
  op.kind = kind;
  op.data.type = op.filter.type = type;
  if (!onednn) op.data.dims = op.filter.dims = {1, 1};
  if (kind == OperatorKind::kGroupConvolutionBackpropData) op.filter.dims.push_back(1);
  if (onednn) op.data.dims = {1};
  Dims strides;
  Dims dilations;
  Dims begin;
  Dims end;
  Dims padding;
  Dims outputs;
  for (const ResolvedAxis& axis : axes) {
    op.data.dims.push_back(axis.data);
    op.filter.dims.push_back(axis.kernel);
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    outputs.push_back(axis.output);
    // The size before pads_end is cut off and output_padding is added. These two must turn it into `output`.
    const std::int64_t left = axis.Natural() - axis.pads_begin;
    begin.push_back(shifted ? 0 : axis.pads_begin);
    end.push_back(shifted ? 0 : std::max<std::int64_t>(0, left - axis.output));
    padding.push_back(shifted ? PaddingOfSplit(axis) : std::max<std::int64_t>(0, axis.output - left));
  }
  if (onednn) {  // [N, spatial, C] and [spatial, O, I] by default
    op.data.dims.push_back(1);
    op.filter.dims.insert(op.filter.dims.end(), {1, 1});
  }
  op.strides = strides;
  op.dilations = dilations;
  op.output_padding = padding;
  // ConvTranspose forbids pads together with auto_pad, which the last line sets.
  if (!shifted || kind != OperatorKind::kConvTranspose) {
    op.pads_begin = begin;
    op.pads_end = end;
  }
  if (shifted || onednn) SetOutputShape(op, outputs);
  // These modes round pads_begin, half of an odd total, down. OpenVINO's operators need no auto_pad and round down too.
  if (shifted && onednn) op.auto_pad = "same_lower";
  if (shifted && kind == OperatorKind::kConvTranspose) op.auto_pad = "SAME_UPPER";
  return op;
}

}  // namespace conformance
