// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of axes. The
// faults of the first table use an attribute of one axis for another axis, or not at all. Those of the second table mix
// up axes.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

void Reverse(std::optional<List>& list) {
  if (list) std::ranges::reverse(*list);
}

void FillWithFirst(std::optional<List>& list) {
  if (list && !list->empty()) std::ranges::fill(*list, List(*list).front());
}

void ReverseSpatialDims(const FaultyGeometry& geometry, List& dims) {
  const auto first = dims.begin() + (geometry.channels_last ? 1 : 2);
  std::reverse(first, first + static_cast<std::ptrdiff_t>(geometry.axes.size()));
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kAxisFaults = {
    Planted("stride_of_first_axis", "S1", "uses the stride of the first spatial axis for all of them",
            {.attributes = [](Attributes& attributes) { FillWithFirst(attributes.strides); }},
            "https://github.com/uxlfoundation/oneDNN/commit/0c1cf54b63"),
    Planted("pads_of_other_axis", "X1",
            "reads the lists of pads from the last spatial axis to the first: height and width exchanged",
            {.attributes =
                 [](Attributes& attributes) {
                   Reverse(attributes.pads_begin);
                   Reverse(attributes.pads_end);
                 }},
            "https://github.com/tensorflow/tensorflow/issues/24151"),
    Planted("depth_pad_of_height", "X1", "crops the depth of a 3-D operator by the pad of its height",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.axes.size() == 3) geometry.axes[0].pads_begin = geometry.axes[1].pads_begin;
                 }},
            "https://github.com/tensorflow/tensorflow/issues/68319"),
    Planted("stride_of_last_axis", "S1", "uses the stride of the last spatial axis for all of them",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.strides && !attributes.strides->empty())
                     std::ranges::fill(*attributes.strides, List(*attributes.strides).back());
                 }},
            "https://github.com/PaddlePaddle/Paddle/pull/21225"),
    Planted("strides_reversed", "S1", "reads strides from the last spatial axis to the first",
            {.attributes = [](Attributes& attributes) { Reverse(attributes.strides); }}),
    Planted("dilations_reversed", "X1", "reads dilations from the last spatial axis to the first",
            {.attributes = [](Attributes& attributes) { Reverse(attributes.dilations); }}),
    Planted("dilation_of_first_axis", "X1", "uses the dilation of the first spatial axis for all of them",
            {.attributes = [](Attributes& attributes) { FillWithFirst(attributes.dilations); }}),
    Planted("dilation_of_depth_ignored", "X2", "leaves the dilation of the depth out of the sums of a 3-D operator",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.axes.size() == 3) geometry.axes[0].dilation = 1;
                 }}),
    Planted("output_padding_reversed", "X1", "reads output_padding from the last spatial axis to the first",
            {.attributes = [](Attributes& attributes) { Reverse(attributes.output_padding); }}),
    Planted("output_padding_of_last_axis_only", "O1", "adds output_padding only to the last spatial axis",
            {.attributes =
                 [](Attributes& attributes) {
                   if (!attributes.output_padding) return;
                   for (std::size_t j = 0; j + 1 < attributes.output_padding->size(); ++j)
                     (*attributes.output_padding)[j] = std::min<std::int64_t>((*attributes.output_padding)[j], 0);
                 }},
            "https://github.com/Tencent/ncnn/pull/3337"),
    Planted("pads_of_one_axis_ignored", "X2", "does not crop the beginning of a 1-D operator",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.axes.size() == 1) geometry.axes[0].pads_begin = 0;
                 }},
            "https://github.com/pytorch/executorch/issues/12223"),
    Planted("stride_of_fourth_axis_ignored", "X2", "uses the stride of the third spatial axis for all axes after it",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (std::size_t j = 3; j < geometry.axes.size(); ++j)
                     geometry.axes[j].stride = geometry.axes[2].stride;
                 }}),
    Planted("dims_reversed", "X1", "computes the right values and reports the spatial sizes in reverse order",
            {.dims = ReverseSpatialDims}),
};

// The second table: a decision about one axis uses a number of another axis. Outputs are right if all axes are alike.

bool IsOdd(std::int64_t value) { return value % 2 != 0; }

// Whether the total, the elements that both pads crop, cannot be split into equal halves.
bool HasOddElement(const FaultyAxis& axis) { return axis.split && axis.total > 0 && IsOdd(axis.total); }

// Moves the odd element of the total to the other end of the axis.
void MoveOddElement(FaultyAxis& axis) { axis.pads_begin = axis.total - axis.pads_begin; }

// Splits an odd total as if it were even, like that of the first axis: the odd element goes to the other end.
void UseParityOfFirst(FaultyGeometry& geometry) {
  for (std::size_t j = 1; j < geometry.axes.size(); ++j) {
    if (HasOddElement(geometry.axes[j]) && !IsOdd(geometry.axes[0].total)) MoveOddElement(geometry.axes[j]);
  }
}

// On all axes but the first, same_upper acts as same_lower, or the other way round.
template <AutoPad kMode>
void ExchangeBeyondFirst(FaultyGeometry& geometry) {
  if (geometry.auto_pad != kMode) return;
  for (std::size_t j = 1; j < geometry.axes.size(); ++j) {
    if (HasOddElement(geometry.axes[j])) MoveOddElement(geometry.axes[j]);
  }
}

// Splits negative totals that the dialect clamps to 0, unless the totals of all axes are negative. Such a total is
// recognized by its pads_begin of 0. A total of -1 is left out, because one of its halves is 0.
void ClampTogether(FaultyGeometry& geometry) {
  const bool together = std::ranges::all_of(geometry.axes, [](const FaultyAxis& axis) { return axis.total < 0; });
  for (FaultyAxis& axis : geometry.axes) {
    if (!together && axis.split && axis.total <= -2 && axis.pads_begin == 0) axis.pads_begin = axis.total >> 1;
  }
}

void ClampBesidePositive(FaultyGeometry& geometry) {
  const bool beside = std::ranges::any_of(geometry.axes, [](const FaultyAxis& axis) { return axis.total > 0; });
  for (FaultyAxis& axis : geometry.axes) {
    if (beside && axis.split) axis.pads_begin = std::max<std::int64_t>(axis.pads_begin, 0);
  }
}

// Reads b0 b1 e0 e1, two begins and two ends, as the pairs (b0, b1) and (e0, e1).
void ReadPadsInPairs(Attributes& attributes) {
  if (!attributes.pads_begin || !attributes.pads_end) return;
  List& begins = *attributes.pads_begin;
  List& ends = *attributes.pads_end;
  if (begins.size() != ends.size()) return;
  List pads = begins;
  pads.insert(pads.end(), ends.begin(), ends.end());
  for (std::size_t j = 0; j < begins.size(); ++j) {
    begins[j] = pads[2 * j];
    ends[j] = pads[2 * j + 1];
  }
}

// A dense axis has stride 1.
void DropBesideDense(FaultyGeometry& geometry) {
  const bool dense = std::ranges::any_of(geometry.axes, [](const FaultyAxis& axis) { return axis.stride == 1; });
  for (FaultyAxis& axis : geometry.axes) {
    if (dense && axis.stride > 1) axis.pads_begin = 0;
  }
}

void IgnoreShapeIfFirstFits(FaultyGeometry& geometry) {
  if (geometry.axes[0].total != 0) return;
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.split) axis.pads_begin = 0;
  }
}

// The taps of a phase (positions that are equal modulo the stride) are stride / gcd(stride, dilation) apart. If the
// divisor is too small, the steps are too long, and the taps between them are left out.
void StepByFirstDivisor(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t divisor = std::gcd(geometry.axes[0].stride, geometry.axes[0].dilation);
  for (std::size_t j = 1; j < geometry.axes.size(); ++j) {
    const FaultyAxis& axis = geometry.axes[j];
    const std::int64_t step = axis.stride / std::gcd(axis.stride, axis.dilation);
    const std::int64_t wrong_step = std::max<std::int64_t>(axis.stride / divisor, 1);
    const std::int64_t behind_first = product.filter.tap[j] - product.filter.tap[j] % step;
    if (behind_first % wrong_step != 0) product.times = 0;
  }
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the hook
// that changes a step of a correct loop (fault_hooks.h).
constexpr std::array kAxesMixingFaults = {
    Planted("total_parity_of_first_axis", "X1",
            "splits the total of every axis as if it were odd or even like that of the first",
            {.values = UseParityOfFirst}),
    Planted("same_lower_beyond_first_axis", "X1", "takes same_upper for same_lower on all axes but the first",
            {.values = ExchangeBeyondFirst<AutoPad::kSameUpper>}),
    Planted("same_upper_beyond_first_axis", "X1", "takes same_lower for same_upper on all axes but the first",
            {.values = ExchangeBeyondFirst<AutoPad::kSameLower>}),
    Planted("negative_total_clamped_together", "X1", "clamps negative totals only where those of all axes are negative",
            {.values = ClampTogether}),
    Planted("negative_total_clamped_beside_positive", "X1",
            "clamps a negative total where that of another axis is positive", {.values = ClampBesidePositive}),
    Planted("output_padding_of_first_axis", "X1", "uses the output_padding of the first spatial axis for all of them",
            {.attributes = [](Attributes& attributes) { FillWithFirst(attributes.output_padding); }}),
    Planted("pads_in_pairs", "X1",
            "reads the list of pads as pairs for each axis, as WebNN has them, where ONNX has all begins first",
            {.attributes = ReadPadsInPairs}),
    Planted("pad_dropped_beside_dense_axis", "X1",
            "does not crop the beginning of a strided axis if another axis has stride 1", {.values = DropBesideDense}),
    Planted("shape_ignored_if_first_axis_fits", "X1",
            "splits no total if the output shape of the first axis is its natural size",
            {.values = IgnoreShapeIfFirstFits}),
    Planted("common_divisor_of_first_axis", "X1",
            "steps through the taps of every axis by the common divisor of the first axis",
            {.product = StepByFirstDivisor}),
};

}  // namespace

std::span<const Fault> AxisFaults() { return kAxisFaults; }

std::span<const Fault> AxesMixingFaults() { return kAxesMixingFaults; }

}  // namespace conformance::faults
