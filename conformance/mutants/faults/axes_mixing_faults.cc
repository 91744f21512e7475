// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose) that mix up axes: a decision about one axis uses a
// number of another axis. Outputs are right if all axes are alike.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

bool IsOdd(std::int64_t value) { return value % 2 != 0; }

// Whether the total, the elements that both pads crop, cannot be split into equal halves.
bool HasOddElement(const FaultyAxis& axis) { return axis.split && axis.total > 0 && IsOdd(axis.total); }

// Moves the odd element of the total to the other end of the axis.
void MoveOddElement(FaultyAxis& axis) { axis.pads_begin = axis.total - axis.pads_begin; }

void UseParityOfFirst(FaultyGeometry& geometry) {
  for (std::size_t j = 1; j < geometry.axes.size(); ++j) {
    if (HasOddElement(geometry.axes[j]) && !IsOdd(geometry.axes[0].total)) MoveOddElement(geometry.axes[j]);
  }
}

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

void ReadPadsInPairs(Attributes& attributes) {
  if (!attributes.pads_begin || !attributes.pads_end) return;
  List& begins = *attributes.pads_begin;
  List& ends = *attributes.pads_end;
  if (begins.size() != ends.size()) return;
  List all = begins;
  all.insert(all.end(), ends.begin(), ends.end());
  for (std::size_t j = 0; j < begins.size(); ++j) {
    begins[j] = all[2 * j];
    ends[j] = all[2 * j + 1];
  }
}

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

void FillWithFirst(std::optional<List>& list) {
  if (list && !list->empty()) std::ranges::fill(*list, List(*list).front());
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

// Columns: name, class of defect, what the backend does wrong, and the hook that changes the loop.
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
            {.attributes = [](Attributes& a) { FillWithFirst(a.output_padding); }}),
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

std::span<const Fault> AxesMixingFaults() { return kAxesMixingFaults; }

}  // namespace conformance::faults
