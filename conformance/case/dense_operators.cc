// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the combinations of a dense sweep, and draws the remaining attributes of each operator: dilation, pads, output
// size, smaller axes and data set. A dense sweep is one case that stands for many small operators with one kernel and
// one stride. Each operator is made as a draft, which does not depend on its kind, and Build writes the draft as an
// operator.

#include "conformance/case/dense_operators.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

#include "conformance/case/data_set_rules.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

constexpr std::array<std::int64_t, 2> kBatches = {1, 2};

/// The axis with the larger kernel or stride. kUniform: kernel and stride are equal along all axes. kLongerFirst: the
/// kernel of the first axis is one longer. kWiderLast: the stride of the last axis is one larger. Operators with one
/// axis are uniform.
enum AxisPattern : std::uint8_t { kUniform, kLongerFirst, kWiderLast, kAxisPatterns };

struct Channels {
  std::int64_t groups;
  std::int64_t in;  ///< input channels of a group
  std::int64_t out;
};

// Rows {groups, input channels, output channels}, both of a group. One group: one channel; a few; one vector block (8);
// more inputs than outputs; more outputs than inputs; a block and one channel (17). Then several groups,
// depthwise, and depthwise with several outputs for each input.
constexpr std::array kChannels = {Channels{1, 1, 1},  Channels{1, 2, 3},  Channels{1, 8, 8}, Channels{1, 16, 4},
                                  Channels{1, 5, 16}, Channels{1, 17, 1}, Channels{2, 1, 3}, Channels{2, 3, 1},
                                  Channels{2, 4, 8},  Channels{3, 1, 1},  Channels{8, 1, 1}, Channels{17, 1, 1},
                                  Channels{4, 1, 2}};
constexpr std::size_t kOfOneGroup = 6;  // the first of kChannels

struct Layout {
  DataFormat data;
  WeightsFormat weights;
};
/// The layouts of ConvolutionBackwardData: the defaults NXC and XIO, and NCX with OIX. Other operators have one layout.
constexpr std::array kLayouts = {Layout{DataFormat::kAbsent, WeightsFormat::kAbsent},
                                 Layout{DataFormat::kNcx, WeightsFormat::kOix}};

/// ConvolutionBackpropData has no groups.
std::span<const Channels> ChannelsOf(OperatorKind kind) {
  return std::span(kChannels).first(kind == OperatorKind::kConvolutionBackpropData ? kOfOneGroup : kChannels.size());
}

std::int64_t KernelOf(const Sweep& sweep, std::uint8_t axis_pattern, std::int64_t axis) {
  return *sweep.kernel + (axis_pattern == kLongerFirst && axis == 0 ? 1 : 0);
}

std::int64_t StrideOf(const Sweep& sweep, std::uint8_t axis_pattern, std::int64_t axis) {
  return *sweep.stride + (axis_pattern == kWiderLast && axis + 1 == sweep.axes ? 1 : 0);
}

/// The multiply-adds of one spatial position of the data, in the whole batch and all channels.
std::int64_t ProductsOfPosition(const Sweep& sweep, std::uint8_t axis_pattern, std::int64_t batch,
                                const Channels& channels) {
  std::int64_t products = batch * channels.groups * channels.in * channels.out;
  for (std::int64_t j = 0; j < sweep.axes; ++j) products *= KernelOf(sweep, axis_pattern, j);
  return products;
}

/// A pseudo-random sequence for one operator.
class Draws {
 public:
  explicit Draws(std::uint64_t key) : key_(key) {}
  /// Draws a number from 0 to count - 1.
  std::int64_t Below(std::int64_t count) {
    return static_cast<std::int64_t>(Pick(Mix(key_ + ++draws_ * kGolden), static_cast<std::uint64_t>(count)));
  }

 private:
  std::uint64_t key_;
  std::uint64_t draws_ = 0;
};

/// Draws the attributes that decide the output size. kBare: no pads; kHalf: half the kernel, as in most networks;
/// kWhole: the whole kernel; kAny: any pads. kSame and kSameShape: same_upper or same_lower, without and with an output
/// shape; kShape: an output shape without same_*.
void DrawExtent(Draws& draws, OperatorDraft& draft) {
  enum Extent : std::uint8_t { kBare, kHalf, kWhole, kAny, kSame, kSameShape, kShape, kExtents };
  const std::int64_t extent = draws.Below(kExtents);
  const bool with_shape = extent == kSameShape || extent == kShape;
  // A dst_shape and explicit pads that contradict each other have no defined result (clause P10). So a dst_shape of
  // ConvolutionBackwardData comes with same_*.
  const bool same = extent == kSame || extent == kSameShape ||
                    (extent == kShape && draft.kind == OperatorKind::kConvolutionBackwardData);
  if (same) {
    draft.auto_pad = draws.Below(2) == 0 ? AutoPad::kSameUpper : AutoPad::kSameLower;
  }
  const std::int64_t size_change = draws.Below(3) - 1;  // of an output shape: -1, 0 or 1
  for (AxisDraft& axis : draft.axes) {
    const std::int64_t reach = (axis.kernel - 1) * axis.dilation;
    if (extent == kHalf) axis.pads_begin = axis.pads_end = reach / 2;
    if (extent == kWhole) axis.pads_begin = axis.pads_end = reach;
    if (extent == kAny) {
      axis.pads_begin = draws.Below(reach + 2);
      axis.pads_end = draws.Below(reach + 2);
    }
    if (!with_shape && !draft.auto_pad) axis.output_padding = draws.Below(axis.stride);
    if (with_shape) axis.output = std::max<std::int64_t>(1, axis.data * axis.stride + size_change);
  }
}

/// Removes pads, output shape and output_padding, and so makes the operator valid. Only a type that the dialect lacks
/// still makes it invalid, and the suite does not send such an operator.
void ClearExtent(OperatorDraft& draft) {
  draft.auto_pad.reset();
  for (AxisDraft& axis : draft.axes) {
    axis.pads_begin = axis.pads_end = axis.output_padding = 0;
    axis.output.reset();
  }
}

/// Draws the data set: most often small integers and full significands. A quarter of the floating-point operators get
/// special values. They show a code path that skips zeros, flushes subnormals, clamps, or truncates instead of
/// rounding.
DataSet DrawValues(Draws& draws, oracle::ElementType type) {
  const std::int64_t draw = draws.Below(16);
  if (!oracle::IsFloat(type)) return draw < 8 ? DataSet::kIntegers : DataSet::kWide;
  constexpr std::array kSpecial = {DataSet::kSpecials, DataSet::kZeros, DataSet::kSubnormals, DataSet::kBoundaries};
  if (draw < 4) return kSpecial.at(static_cast<std::size_t>(draw));
  return draw < 10 ? DataSet::kIntegers : DataSet::kReals;
}

}  // namespace

DenseOperators::DenseOperators(const Sweep& sweep) : sweep_(sweep) {
  assert(sweep.of == SweepOf::kDense && sweep.kernel && sweep.stride);
  const auto channels = ChannelsOf(sweep.kind);
  const std::size_t layouts = sweep.kind == OperatorKind::kConvolutionBackwardData ? kLayouts.size() : 1;
  const std::uint8_t axis_patterns = sweep.axes == 1 ? 1 : kAxisPatterns;
  for (std::uint8_t axis_pattern = 0; axis_pattern < axis_patterns; ++axis_pattern) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      for (const std::int64_t batch : kBatches) {
        // The largest size along the last axis with which the multiply-adds stay within the limit.
        const std::int64_t most = kMostDenseProducts / ProductsOfPosition(sweep, axis_pattern, batch, channels[c]);
        for (std::size_t layout = 0; layout < layouts; ++layout) {
          for (std::int64_t size = 1; size <= std::min(most, kMostDenseSize); ++size) {
            rows_.push_back({.axis_pattern = axis_pattern,
                             .batch = static_cast<std::uint8_t>(batch),
                             .layout = static_cast<std::uint8_t>(layout),
                             .channels = static_cast<std::uint8_t>(c),
                             .size = static_cast<std::uint8_t>(size)});
          }
        }
      }
    }
  }
}

OperatorDraft DenseOperators::DraftOf(const Row& row, std::uint64_t key) const {
  const Channels& channels = ChannelsOf(sweep_.kind)[row.channels];
  Draws draws(key);
  OperatorDraft draft{.kind = sweep_.kind,
                      .batch = row.batch,
                      .groups = channels.groups,
                      .in = channels.in,
                      .out = channels.out,
                      .type = sweep_.type};
  if (sweep_.kind == OperatorKind::kConvolutionBackwardData) {
    draft.data_format = kLayouts[row.layout].data;
    draft.weights_format = kLayouts[row.layout].weights;
  }
  const std::int64_t dilation = draws.Below(4) == 0 ? 2 : 1;  // a quarter of the operators have dilation 2
  std::int64_t products = ProductsOfPosition(sweep_, row.axis_pattern, row.batch, channels) * row.size;
  for (std::int64_t j = 0; j < sweep_.axes; ++j) {
    AxisDraft axis{.data = row.size,
                   .kernel = KernelOf(sweep_, row.axis_pattern, j),
                   .stride = StrideOf(sweep_, row.axis_pattern, j)};
    if (axis.kernel > 1) axis.dilation = dilation;
    if (j + 1 < sweep_.axes) {
      axis.data = std::min(1 + draws.Below(sweep_.axes == 2 ? 3 : 2), kMostDenseProducts / products);
      products *= axis.data;
    }
    draft.axes.push_back(axis);
  }
  DrawExtent(draws, draft);
  return draft;
}

void DenseOperators::Get(std::uint64_t number, Case& into) const {
  // The key mixes the number with the fields of the sweep, so that each sweep draws its own attributes.
  std::uint64_t key = number;
  for (const std::int64_t field : {static_cast<std::int64_t>(sweep_.kind), static_cast<std::int64_t>(sweep_.type),
                                   sweep_.axes, *sweep_.kernel, *sweep_.stride}) {
    key = Mix(key + kGolden) + static_cast<std::uint64_t>(field);
  }
  key = Mix(key + kGolden);
  OperatorDraft draft = DraftOf(rows_.at(number), key);
  into.op = Build(draft);
  const oracle::Resolution drawn = oracle::Resolve(into.op, sweep_.dialect, oracle::StepTexts::kLeftOut);
  // Invalid, or open: the specification does not define the result.
  if (!drawn.ok() || !drawn.open.empty()) {
    ClearExtent(draft);
    into.op = Build(draft);
  }
  Draws values(~key);
  into.values = DrawValues(values, sweep_.type);
  into.seed = number;
}

}  // namespace conformance
