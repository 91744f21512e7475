// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The systematic product: every combination of operator, dialect, auto_pad, output-shape class, output_padding class
// and rank; the other attributes run through their classes by a hash of the combination, several times each.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "conformance/suite_attributes.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;

enum class OutputClass { kAbsent, kZero, kEven, kOdd, kNegativeEven, kNegativeOdd };
constexpr std::array<std::string_view, 6> kOutputNames = {"natural",   "total-zero",     "total-even",
                                                          "total-odd", "total-neg-even", "total-neg-odd"};
constexpr std::array<OutputClass, 6> kOutputs = {OutputClass::kAbsent,       OutputClass::kZero,
                                                 OutputClass::kEven,         OutputClass::kOdd,
                                                 OutputClass::kNegativeEven, OutputClass::kNegativeOdd};

enum class PaddingClass { kNone, kBelowStride, kAboveStride };
constexpr std::array<std::string_view, 3> kPaddingNames = {"op-zero", "op-below", "op-above"};
constexpr std::array<PaddingClass, 3> kPaddings = {PaddingClass::kNone, PaddingClass::kBelowStride,
                                                   PaddingClass::kAboveStride};

// Hands out choices: a hash of the combination, split into independent digits.
class Chooser {
 public:
  explicit Chooser(std::uint64_t key) : state_(key) {}

  std::size_t Of(std::size_t count) {
    // SplitMix64.
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<std::size_t>((z ^ (z >> 31)) % count);
  }

 private:
  std::uint64_t state_;
};

struct StrideDilation {
  std::array<std::int64_t, 3> strides, dilations;
};
// All 1; equal; different on each axis; common divisors; dilation alone. Axis j of a rank takes the j-th number.
constexpr std::array<StrideDilation, 6> kStrides = {{{{1, 1, 1}, {1, 1, 1}},
                                                     {{2, 2, 2}, {1, 1, 1}},
                                                     {{3, 2, 4}, {1, 1, 1}},
                                                     {{2, 3, 1}, {3, 1, 2}},
                                                     {{4, 2, 6}, {2, 4, 3}},
                                                     {{1, 1, 1}, {2, 3, 2}}}};
constexpr std::array<std::array<std::int64_t, 3>, 4> kKernels = {{{1, 1, 1}, {3, 2, 4}, {2, 4, 3}, {5, 1, 2}}};
constexpr std::array<std::array<std::int64_t, 3>, 3> kData = {{{4, 3, 5}, {3, 5, 4}, {5, 4, 3}}};
constexpr std::array<std::array<std::int64_t, 3>, 4> kPadsBegin = {{{0, 0, 0}, {1, 2, 0}, {0, 1, 2}, {2, 0, 1}}};
constexpr std::array<std::array<std::int64_t, 3>, 4> kPadsEnd = {{{0, 0, 0}, {0, 1, 2}, {2, 0, 1}, {1, 1, 0}}};

struct Channels {
  std::int64_t groups, in, out;
};
constexpr std::array<Channels, 5> kChannels = {{{1, 3, 2}, {2, 3, 2}, {5, 1, 1}, {3, 1, 2}, {3, 2, 1}}};

// f32 oftener than the others: what the most backends have.
constexpr std::array<ElementType, 16> kTypes = {
    ElementType::kF32,  ElementType::kF32, ElementType::kF32, ElementType::kF32, ElementType::kF32, ElementType::kF16,
    ElementType::kBf16, ElementType::kF64, ElementType::kI8,  ElementType::kU8,  ElementType::kI16, ElementType::kU16,
    ElementType::kI32,  ElementType::kU32, ElementType::kI64, ElementType::kU64};

// The total that an output shape leaves along axis j: different on each axis, of one class on all.
std::int64_t Total(OutputClass output, std::size_t j, std::int64_t most) {
  const auto step = static_cast<std::int64_t>(j % 2);
  switch (output) {
    case OutputClass::kEven:
      return std::min(2 + 2 * step, most / 2 * 2);
    case OutputClass::kOdd:
      return std::min(1 + 2 * step, (most - 1) / 2 * 2 + 1);
    case OutputClass::kNegativeEven:
      return -2 - 2 * step;
    case OutputClass::kNegativeOdd:
      return -1 - 2 * step;
    default:
      return 0;
  }
}

Plan Choose(OperatorKind kind, std::optional<AutoPad> auto_pad, OutputClass output, PaddingClass padding,
            std::size_t rank, Chooser choose) {
  const StrideDilation& strides = kStrides[choose.Of(kStrides.size())];
  const auto& kernel = kKernels[choose.Of(kKernels.size())];
  const auto& data = kData[choose.Of(kData.size())];
  const std::size_t pads = choose.Of(kPadsBegin.size());
  Plan plan;
  for (std::size_t j = 0; j < rank; ++j) {
    AxisPlan axis{.data = data[j], .kernel = kernel[j], .stride = strides.strides[j], .dilation = strides.dilations[j]};
    if (padding == PaddingClass::kBelowStride)
      axis.output_padding = std::min(axis.stride - 1, std::int64_t{1} + axis.stride / 3);
    if (padding == PaddingClass::kAboveStride) axis.output_padding = axis.stride + static_cast<std::int64_t>(j % 2);
    // At least 3 data elements: the natural size is 3 or more, and the deepest crop below leaves one.
    const std::int64_t most = axis.Natural() - 1;
    axis.pad_begin = std::min(kPadsBegin[pads][j], most);
    axis.pad_end = std::min(kPadsEnd[pads][j], most - axis.pad_begin);
    if (output != OutputClass::kAbsent) axis.output = axis.Natural() + axis.output_padding - Total(output, j, most);
    plan.axes.push_back(axis);
  }
  const Channels& channels = kChannels[choose.Of(kChannels.size())];
  plan.groups = channels.groups;
  plan.in = channels.in;
  plan.out = channels.out;
  plan.batch = std::array<std::int64_t, 3>{1, 1, 3}[choose.Of(3)];
  plan.auto_pad = auto_pad;
  plan.type = kTypes[choose.Of(kTypes.size())];
  plan.nxc = choose.Of(2) != 0;
  plan.xio = choose.Of(2) != 0;
  if (kind != OperatorKind::kConvolutionBackwardData) plan.nxc = plan.xio = false;
  plan.dst_shape_is_input = choose.Of(4) == 0;
  return As(kind, plan);
}

}  // namespace

void AddProduct(AttributePart& part) {
  constexpr std::array<std::optional<AutoPad>, 5> auto_pads = {std::nullopt, AutoPad::kExplicit, AutoPad::kSameUpper,
                                                               AutoPad::kSameLower, AutoPad::kValid};
  constexpr std::uint64_t gate_rounds = 2;
  constexpr std::uint64_t full_rounds = 8;
  constexpr std::size_t smoke_share = 8;
  std::uint64_t combination = 0;
  for (const Dialect dialect : oracle::kDialects) {
    for (const OperatorKind kind : {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData,
                                    OperatorKind::kConvolutionBackwardData, OperatorKind::kConvTranspose}) {
      if (!oracle::Speaks(dialect, kind)) continue;
      for (const auto& auto_pad : auto_pads) {
        for (const OutputClass output : kOutputs) {
          for (const PaddingClass padding : kPaddings) {
            for (std::size_t rank = 1; rank <= 3; ++rank) {
              for (std::uint64_t round = 0; round < (part.Includes(Level::kFull) ? full_rounds : gate_rounds);
                   ++round) {
                const Chooser choose(combination * full_rounds + round);
                Chooser share = choose;
                const bool smoke = round == 0 && share.Of(smoke_share) == 0;
                const Level least = smoke ? Level::kSmoke : round < gate_rounds ? Level::kGate : Level::kFull;
                if (!part.Includes(least)) continue;
                const std::string_view mode = auto_pad ? AutoPadName(*auto_pad) : "absent";
                const std::string_view output_name = kOutputNames[static_cast<std::size_t>(output)];
                const std::string_view padding_name = kPaddingNames[static_cast<std::size_t>(padding)];
                part.Add(least, fmt::format("product.{}.{}.{}.{}d.{}", mode, output_name, padding_name, rank, round),
                         fmt::format("product: auto_pad {}, {}, {}, {}-D", mode, output_name, padding_name, rank),
                         Build(Choose(kind, auto_pad, output, padding, rank, choose)), dialect);
              }
              ++combination;
            }
          }
        }
      }
    }
  }
}

}  // namespace conformance
