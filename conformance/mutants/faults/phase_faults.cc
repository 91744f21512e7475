// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) that compute
// phase by phase. A phase is the set of output positions of an axis that are equal modulo the stride. The outputs of a
// phase share their taps, which are stride / gcd(stride, dilation) apart. Example: kernel 4, stride 2, dilation 1, no
// pads. Even positions use the taps 0 and 2, odd positions the taps 1 and 3.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// The position in the output before it was cropped.
std::int64_t Uncropped(const FaultyAxis& axis, std::int64_t position) { return position + axis.pads_begin; }

// Replaces the taps by all pairs of a tap k and a data element i for which `condition`, the faulty one, holds. The
// correct condition is stride * i + dilation * k = uncropped position.
template <typename Condition>
void PairTapsAndData(const FaultyAxis& axis, std::vector<Tap>& taps, const Condition& condition) {
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    for (std::int64_t i = 0; i < axis.data; ++i) {
      if (condition(k, i)) taps.push_back({.tap = k, .data = i});
    }
  }
}

void PhaseOfOutput(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  // The phase of the tap comes from the position without the pad, and the data element from the position with it.
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t from = Uncropped(axis, position) - axis.dilation * k;
    if ((position - axis.dilation * k) % axis.stride != 0 || from < 0 || from / axis.stride >= axis.data) continue;
    taps.push_back({.tap = k, .data = from / axis.stride});
  }
}

// Tests whether a tap belongs to the phase by k instead of dilation * k.
void PhaseWithoutDilation(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t from = Uncropped(axis, position) - axis.dilation * k;
    if ((Uncropped(axis, position) - k) % axis.stride != 0 || from < 0 || from / axis.stride >= axis.data) continue;
    taps.push_back({.tap = k, .data = from / axis.stride});
  }
}

// Each phase has kernel / stride taps, rounded up or down. Here all have the smaller number.
void KernelByStrideRoundedDown(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  const std::int64_t taps_of_phase = axis.kernel / axis.stride;
  if (taps_of_phase == 0 || axis.dilation > 1) return;
  std::erase_if(taps, [&](const Tap& tap) { return tap.tap / axis.stride >= taps_of_phase; });
}

void DropLastPhase(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (axis.stride > 1 && Uncropped(axis, position) >= 0 && Uncropped(axis, position) % axis.stride == axis.stride - 1)
    taps.clear();
}

// Adds the last tap of the filter to a phase without taps.
void FillEmptyPhase(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  const std::int64_t at = Uncropped(axis, position);
  if (!taps.empty() || axis.kernel >= axis.stride || at < 0 || at / axis.stride >= axis.data) return;
  taps.push_back({.tap = axis.kernel - 1, .data = at / axis.stride});
}

// Assumes that the taps of a phase are `stride` apart. This holds only if stride and dilation have no common divisor.
void StepByStride(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (taps.empty()) return;
  const std::int64_t first = taps.front().tap;
  std::erase_if(taps, [&](const Tap& tap) { return (tap.tap - first) % axis.stride != 0; });
}

// If stride and dilation have a common divisor, some phases have no taps. They wrongly use the taps of the phase below.
void FillUnreachedPhase(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  const std::int64_t divisor = std::gcd(axis.stride, axis.dilation);
  const std::int64_t at = Uncropped(axis, position);
  if (divisor == 1 || at < 0 || at % divisor == 0) return;
  PairTapsAndData(axis, taps, [&](std::int64_t k, std::int64_t i) {
    return axis.stride * i + axis.dilation * k == at - at % divisor;
  });
}

// Except in the phase of the multiples of the stride, the sums start one data element too late.
void LateStart(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (Uncropped(axis, position) % axis.stride == 0) return;
  std::erase_if(taps, [](const Tap& tap) { return tap.data == 0; });
}

// Except in that phase, the sums end one data element too early.
void EarlyEnd(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (Uncropped(axis, position) % axis.stride == 0) return;
  std::erase_if(taps, [&](const Tap& tap) { return tap.data == axis.data - 1; });
}

void DropLastTapAtStrideThree(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride == 3 && taps.size() > 1) taps.pop_back();
}

// If there are fewer data elements than the stride, only the first of them counts.
void OneElementBelowStride(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride > axis.data) std::erase_if(taps, [](const Tap& tap) { return tap.data > 0; });
}

// If there are fewer data elements than the dilation, only the first tap counts.
void NoWorkBelowDilation(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.data < axis.dilation) std::erase_if(taps, [](const Tap& tap) { return tap.tap > 0; });
}

// Leaves out the product of the last tap and the last data element.
void DropLastCoordinate(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride == 1) return;
  std::erase_if(taps, [&](const Tap& tap) { return tap.tap == axis.kernel - 1 && tap.data == axis.data - 1; });
}

// Leaves out the first product of the first output after a crop.
void DropAtCrop(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (axis.pads_begin > 0 && position == 0 && taps.size() > 1) taps.erase(taps.begin());
}

void TapTwiceAtPhaseEdge(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride > 1 && taps.size() > 1) taps.push_back(taps.back());
}

// Reverses each run of `stride` outputs along the last axis, as a wrong interleaving of the phases does.
void PhasesReversed(const FaultyGeometry& geometry, TensorIndex& output) {
  const FaultyAxis& axis = geometry.axes.back();
  std::int64_t& position = output.position[geometry.axes.size() - 1];
  const std::int64_t first = position / axis.stride * axis.stride;
  if (first + axis.stride <= axis.output) position = first + axis.stride - 1 - (position - first);
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kPhaseFaults = {
    Planted("phase_of_output", "S2", "chooses the taps by the phase of the output's position without the crop",
            {.taps = PhaseOfOutput}),
    Planted("phase_without_dilation", "D2",
            "chooses the taps of a phase by their number instead of their number times the dilation",
            {.taps = PhaseWithoutDilation}, "https://github.com/apache/mxnet/issues/11203"),
    Planted("phase_taps_rounded_down", "S2", "counts kernel / stride taps in each phase, rounded down",
            {.taps = KernelByStrideRoundedDown}, "https://github.com/ROCm/MIOpen/issues/575"),
    Planted("last_phase_dropped", "S2", "leaves out the last phase of the stride", {.taps = DropLastPhase},
            "https://github.com/pytorch/pytorch/issues/63314"),
    Planted("empty_phase_filled", "S2",
            "computes a value where a phase has no tap because the kernel is smaller than the stride",
            {.taps = FillEmptyPhase}, "https://github.com/ROCm/MIOpen/issues/1495"),
    Planted("phase_step_of_stride", "D2",
            "steps through the taps of a phase by the stride although stride and dilation have a common divisor",
            {.taps = StepByStride}),
    Planted("unreached_phase_filled", "D2",
            "gives phases that no tap reaches, as stride and dilation have a common divisor, the sums of others",
            {.taps = FillUnreachedPhase}, "https://github.com/pytorch/pytorch/issues/1565"),
    Planted("phase_starts_late", "S2", "leaves out the first data element in all phases but the first",
            {.taps = LateStart}),
    Planted("phase_ends_early", "W1", "leaves out the last data element in all phases but the first",
            {.taps = EarlyEnd}, "https://github.com/OpenPPL/ppl.nn/issues/739"),
    Planted("stride_three_tap_dropped", "S2", "leaves out the last tap of a sum at stride 3 only",
            {.taps = DropLastTapAtStrideThree}),
    Planted("stride_above_data", "S2", "uses only the first data element where the stride is larger than the data",
            {.taps = OneElementBelowStride}, "https://github.com/keras-team/keras-core/pull/520"),
    Planted("no_work_below_dilation", "D2", "uses only the first tap where the data are smaller than the dilation",
            {.taps = NoWorkBelowDilation}, "https://github.com/uxlfoundation/oneDNN/commit/70e3929720"),
    Planted("last_coordinate_dropped", "K2",
            "leaves out the product of last tap and last data element at strides above 1", {.taps = DropLastCoordinate},
            "https://github.com/uxlfoundation/oneDNN/issues/542"),
    Planted("cropped_border_tap_dropped", "K2", "leaves out a tap of the first output where the beginning is cropped",
            {.taps = DropAtCrop}, "https://github.com/uxlfoundation/oneDNN/issues/5080"),
    Planted("phase_edge_tap_twice", "S2", "adds the last tap of a phase twice at strides above 1",
            {.taps = TapTwiceAtPhaseEdge}),
    Planted("phases_stored_reversed", "S2", "stores the phases of the last axis in reverse order",
            {.output_index = PhasesReversed}),
};

}  // namespace

std::span<const Fault> PhaseFaults() { return kPhaseFaults; }

}  // namespace conformance::faults
