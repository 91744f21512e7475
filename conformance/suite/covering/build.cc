// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes an operator from a row of classes. It first chooses strides and dilations, because their classes (such as
// "different") concern all axes together. Then it chooses the other values of each axis by itself (AxisValues).

#include "conformance/suite/covering/build.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace conformance {
namespace {

constexpr std::size_t kMostAxes = 4;                // four axes make rank 6, which stands for class kMore
using Steps = std::array<std::int64_t, kMostAxes>;  // element j is the stride or dilation of axis j

// Small values come first, because the work grows with them. The largest are needed for rare classes: a dilated kernel
// that is smaller than the stride, with a negative total padding, on each axis.
constexpr std::array<std::int64_t, 11> kStrides = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
constexpr std::array<std::int64_t, 4> kDilations = {2, 3, 4, 5};

// The strides to try, for all axes together.
std::vector<Steps> StridesOf(const ClassRow& row) {
  if (row.Is(Property::kStride, StepClass::kOne)) return {{1, 1, 1, 1}};
  std::vector<Steps> strides;
  if (row.Is(Property::kStride, StepClass::kEqual)) {
    for (const std::int64_t s : kStrides) strides.push_back({s, s, s, s});
    return strides;
  }
  return {{2, 1, 3, 2},   {3, 2, 2, 3}, {1, 3, 2, 1},   {2, 4, 2, 2},    {3, 4, 3, 4},
          {4, 3, 5, 3},   {4, 6, 4, 4}, {6, 4, 6, 8},   {5, 7, 5, 7},    {7, 5, 8, 6},
          {8, 10, 8, 10}, {7, 9, 7, 9}, {9, 11, 9, 11}, {12, 9, 10, 12}, {8, 12, 8, 12}};
}

std::vector<Steps> DilationsOf(const ClassRow& row) {
  if (row.Is(Property::kDilation, StepClass::kOne)) return {{1, 1, 1, 1}};
  if (row.Is(Property::kDilation, StepClass::kEqual)) {
    std::vector<Steps> dilations;
    for (const std::int64_t d : kDilations) dilations.push_back({d, d, d, d});
    return dilations;
  }
  return {{1, 2, 1, 2}, {2, 1, 2, 3}, {3, 2, 1, 2}, {1, 3, 1, 1}, {2, 3, 2, 3}, {2, 4, 2, 2}, {4, 2, 2, 4},
          {3, 5, 3, 3}, {5, 1, 3, 1}, {1, 2, 1, 3}, {3, 2, 3, 2}, {2, 3, 2, 2}, {3, 1, 2, 3}};
}

// The number of axes. The classes of kRank are rank 3 (one axis), 4, 5, and more (here rank 6).
std::size_t AxesOf(const ClassRow& row) { return row[Property::kRank] + std::size_t{1}; }

// Whether stride and dilation have a common divisor on each axis, or on none, as the row says.
bool FitsRelation(const ClassRow& row, const Steps& strides, const Steps& dilations) {
  for (std::size_t j = 0; j < AxesOf(row); ++j) {
    const bool common = std::gcd(strides[j], dilations[j]) > 1;
    if (common != row.Is(Property::kRelation, RelationClass::kCommonDivisor)) return false;
  }
  return true;
}

// Chooses the numbers of all axes: the first strides and dilations for which each axis has values in its classes.
std::optional<std::vector<AxisDraft>> AxesInClasses(const ClassRow& row, oracle::Dialect dialect,
                                                    std::uint64_t variant) {
  const std::vector<Steps> strides = StridesOf(row);
  const std::vector<Steps> dilations = DilationsOf(row);
  const bool many_axes = AxesOf(row) > 2;
  const std::size_t rotations = many_axes ? 1 : 3;
  for (std::size_t s = 0; s < strides.size(); ++s) {
    const Steps& stride = strides[(s + (variant % rotations)) % strides.size()];
    for (std::size_t d = 0; d < dilations.size(); ++d) {
      const Steps& dilation = dilations[(d + (many_axes ? 0 : variant / 3)) % dilations.size()];
      if (!FitsRelation(row, stride, dilation)) continue;
      std::vector<AxisDraft> axes;
      for (std::size_t j = 0; j < AxesOf(row); ++j) {
        // Neighbouring axes get different values. With many axes, all but one get the smallest values; otherwise the
        // output would have millions of elements.
        const std::uint64_t rotation = many_axes ? (j == variant % AxesOf(row) ? 1 : 0) : variant + j;
        const auto axis = AxisValues(row, dialect, stride[j], dilation[j], rotation);
        if (!axis) break;
        axes.push_back(*axis);
      }
      if (axes.size() == AxesOf(row)) return axes;
    }
  }
  return std::nullopt;
}

// Chooses all numbers of one axis of an AxesRow. Stride and dilation too, because each axis has its own classes.
std::optional<AxisDraft> AxisOf(const ClassRow& row, oracle::Dialect dialect, std::uint64_t rotation) {
  const bool dense = row.Is(Property::kStride, StepClass::kOne);
  const bool undilated = row.Is(Property::kDilation, StepClass::kOne);
  for (std::size_t s = 0; s < (dense ? 1 : kStrides.size()); ++s) {
    const std::int64_t stride = dense ? 1 : kStrides[(s + rotation % 3) % kStrides.size()];
    for (std::size_t d = 0; d < (undilated ? 1 : kDilations.size()); ++d) {
      const std::int64_t dilation = undilated ? 1 : kDilations[(d + rotation / 3 % 2) % kDilations.size()];
      const bool common = std::gcd(stride, dilation) > 1;
      if (common != row.Is(Property::kRelation, RelationClass::kCommonDivisor)) continue;
      if (const auto axis = AxisValues(row, dialect, stride, dilation, rotation)) return axis;
    }
  }
  return std::nullopt;
}

// Chooses groups and channels. Input and output channels differ where the class allows it, so that a backend must not
// exchange them.
void ChooseChannels(const ClassRow& row, std::uint64_t variant, OperatorDraft& draft) {
  const std::int64_t step = AxesOf(row) > 2 ? 1 : static_cast<std::int64_t>(variant % 2);
  switch (static_cast<GroupsClass>(row[Property::kGroups])) {
    case GroupsClass::kOne:
      draft.in = 3 - step;
      draft.out = 1 + step;
      break;
    case GroupsClass::kSeveral:
      draft.groups = 2 + step;
      draft.in = 2;
      draft.out = 3 - 2 * step;
      break;
    case GroupsClass::kDepthwise:
      draft.groups = 5 - 2 * step;
      draft.in = draft.out = 1;
      break;
    case GroupsClass::kMultiplier:
      draft.groups = 3 - step;
      draft.in = 1;
      draft.out = 3 - step;
      break;
  }
}

// A number that selects values. It differs between neighbouring rows, and between the variants of a row.
std::uint64_t RotationOf(const ClassRow& row, std::uint64_t variant) {
  std::uint64_t rotation = variant;
  for (std::size_t i = 0; i < kParameters; ++i) rotation += row[static_cast<Property>(i)] * (i + 1);
  return rotation;
}

// Makes the draft with these axes. The row gives all other fields.
OperatorDraft DraftWith(const ClassRow& row, std::uint64_t rotation, std::vector<AxisDraft> axes) {
  OperatorDraft draft;
  draft.kind = static_cast<oracle::OperatorKind>(row[Property::kOperator]);
  draft.axes = std::move(axes);
  draft.batch = row.Is(Property::kBatch, BatchClass::kOne)
                    ? 1
                    : 2 + static_cast<std::int64_t>(draft.axes.size() > 2 ? 0 : rotation % 2);
  ChooseChannels(row, rotation, draft);
  if (!row.Is(Property::kAutoPad, AutoPadClass::kAbsent)) {
    constexpr std::array modes = {AutoPad::kExplicit, AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid};
    draft.auto_pad = modes[row[Property::kAutoPad] - std::size_t{1}];
  }
  draft.type = static_cast<oracle::ElementType>(row[Property::kType]);
  // Channels last are the defaults: two of three rows leave them out.
  const bool omits = rotation % 3 != 0;
  draft.data_format = row.Is(Property::kDataFormat, FormatClass::kChannelsLast)
                          ? (omits ? DataFormat::kAbsent : DataFormat::kNxc)
                          : DataFormat::kNcx;
  draft.weights_format = row.Is(Property::kFilterFormat, FormatClass::kChannelsLast)
                             ? (omits ? WeightsFormat::kAbsent : WeightsFormat::kXio)
                             : WeightsFormat::kOix;
  draft.dst_shape_is_input = row.Is(Property::kShapeSource, ShapeSourceClass::kInput);
  return draft;
}

}  // namespace

std::optional<OperatorDraft> DraftOf(const ClassRow& row, oracle::Dialect dialect, std::uint64_t variant) {
  const std::uint64_t rotation = RotationOf(row, variant);
  auto axes = AxesInClasses(row, dialect, rotation);
  if (!axes) return std::nullopt;
  return DraftWith(row, rotation, *std::move(axes));
}

std::optional<OperatorDraft> DraftOf(const AxesRow& row, oracle::Dialect dialect, std::uint64_t variant) {
  std::vector<AxisDraft> axes;
  for (ClassRow own : row.axes) {
    own[Property::kAutoPad] = row.shared[Property::kAutoPad];
    // One of three axes takes the second of its values, the others the smallest, so that the output stays small.
    const std::uint64_t j = axes.size();
    const std::uint64_t rotation = row.axes.size() == 2 ? variant + j : (variant % row.axes.size() == j ? 1 : 0);
    const auto axis = AxisOf(own, dialect, rotation);
    if (!axis) return std::nullopt;
    axes.push_back(*axis);
  }
  return DraftWith(row.shared, variant, std::move(axes));
}

DataSet DataSetOf(const ClassRow& row, std::uint64_t variant) {
  const auto type = static_cast<oracle::ElementType>(row[Property::kType]);
  std::vector<DataSet> others;
  for (const DataSet set : kDataSets) {
    // These sets need special shapes: with `overflow` all outputs of a small operator may overflow, `taps` needs few
    // taps, `swamping` and `boundaries` need many output channels.
    if (set == DataSet::kIntegers || set == DataSet::kOverflow || set == DataSet::kTaps || set == DataSet::kSwamping ||
        set == DataSet::kBoundaries) {
      continue;
    }
    if (IsDefinedFor(set, type)) others.push_back(set);
  }
  const std::uint64_t rotation = RotationOf(row, variant) / 2;
  const bool integers = RotationOf(row, variant) % 2 == 0;
  if (integers || others.empty()) return DataSet::kIntegers;
  const DataSet other = others[rotation % others.size()];
  // With a kernel of 1, which an axis of an AxesRow may have, all sums may be zero. A backend that writes only zeros
  // would then pass.
  const bool zeros =
      other == DataSet::kZeros && (!row.Has(Property::kKernel) || row.Is(Property::kKernel, KernelClass::kUnit));
  // Backends may declare that they flush subnormals of bf16. Then zeros in all outputs may be right.
  const bool may_vanish = zeros || (other == DataSet::kSubnormals && type == oracle::ElementType::kBf16);
  return may_vanish ? DataSet::kIntegers : other;
}

}  // namespace conformance
