// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of implementations that walk the phases of the stride. An output meets only the taps of its phase: one
// tap in stride / gcd(stride, dilation), or none.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

std::int64_t At(const FaultyAxis& axis, std::int64_t position) { return position + axis.pads_begin; }

// All pairs of tap and data that a condition wrongly joins.
template <typename Condition>
void Join(const FaultyAxis& axis, std::vector<Tap>& taps, const Condition& condition) {
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    for (std::int64_t i = 0; i < axis.data; ++i) {
      if (condition(k, i)) taps.push_back({.tap = k, .data = i});
    }
  }
}

void PhaseOfOutput(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  // The tap's phase is that of the position, and the data's element that of the coordinate.
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t from = At(axis, position) - axis.dilation * k;
    if ((position - axis.dilation * k) % axis.stride != 0 || from < 0 || from / axis.stride >= axis.data) continue;
    taps.push_back({.tap = k, .data = from / axis.stride});
  }
}

void PhaseWithoutDilation(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t from = At(axis, position) - axis.dilation * k;
    if ((At(axis, position) - k) % axis.stride != 0 || from < 0 || from / axis.stride >= axis.data) continue;
    taps.push_back({.tap = k, .data = from / axis.stride});
  }
}

void KernelByStrideRoundedDown(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  const std::int64_t each = axis.kernel / axis.stride;
  if (each == 0 || axis.dilation > 1) return;
  std::erase_if(taps, [&](const Tap& tap) { return tap.tap / axis.stride >= each; });
}

void DropLastPhase(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (axis.stride > 1 && At(axis, position) >= 0 && At(axis, position) % axis.stride == axis.stride - 1) taps.clear();
}

// In a phase without taps, the first tap of the filter.
void FillEmptyPhase(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  const std::int64_t at = At(axis, position);
  if (!taps.empty() || axis.kernel >= axis.stride || at < 0 || at / axis.stride >= axis.data) return;
  taps.push_back({.tap = axis.kernel - 1, .data = at / axis.stride});
}

// The taps of a phase are stride apart, which holds only if stride and dilation have no common divisor.
void StepByStride(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (taps.empty()) return;
  const std::int64_t first = taps.front().tap;
  std::erase_if(taps, [&](const Tap& tap) { return (tap.tap - first) % axis.stride != 0; });
}

// Phases that no tap reaches, as stride and dilation have a common divisor, take the taps of the phase below.
void FillUnreachedPhase(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  const std::int64_t divisor = std::gcd(axis.stride, axis.dilation);
  const std::int64_t at = At(axis, position);
  if (divisor == 1 || at < 0 || at % divisor == 0) return;
  Join(axis, taps,
       [&](std::int64_t k, std::int64_t i) { return axis.stride * i + axis.dilation * k == at - at % divisor; });
}

void LateStart(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (At(axis, position) % axis.stride == 0) return;
  std::erase_if(taps, [](const Tap& tap) { return tap.data == 0; });
}

void EarlyEnd(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (At(axis, position) % axis.stride == 0) return;
  std::erase_if(taps, [&](const Tap& tap) { return tap.data == axis.data - 1; });
}

void DropLastTapAtStrideThree(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride == 3 && taps.size() > 1) taps.pop_back();
}

void OneElementBelowStride(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride > axis.data) std::erase_if(taps, [](const Tap& tap) { return tap.data > 0; });
}

void NoWorkBelowDilation(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.data < axis.dilation) std::erase_if(taps, [](const Tap& tap) { return tap.tap > 0; });
}

void DropLastCoordinate(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride == 1) return;
  std::erase_if(taps, [&](const Tap& tap) { return tap.tap == axis.kernel - 1 && tap.data == axis.data - 1; });
}

void DropAtCrop(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (axis.pads_begin > 0 && position == 0 && taps.size() > 1) taps.erase(taps.begin());
}

void TapTwiceAtPhaseEdge(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.stride > 1 && taps.size() > 1) taps.push_back(taps.back());
}

void PhasesReversed(const FaultyGeometry& geometry, Place& place) {
  const FaultyAxis& axis = geometry.axes.back();
  std::int64_t& position = place.position[geometry.axes.size() - 1];
  const std::int64_t first = position / axis.stride * axis.stride;
  if (first + axis.stride <= axis.output) position = first + axis.stride - 1 - (position - first);
}

constexpr std::array kPhaseFaults = {
    Fault{.name = "phase_of_output",
          .mutant_class = "S2",
          .sentence = "chooses the taps by the phase of the output's position without the crop",
          .link = "",
          .hooks = {.taps = PhaseOfOutput}},
    Fault{.name = "phase_without_dilation",
          .mutant_class = "D2",
          .sentence = "chooses the taps of a phase by their number instead of their number times the dilation",
          .link = "https://github.com/apache/mxnet/issues/11203",
          .hooks = {.taps = PhaseWithoutDilation}},
    Fault{.name = "phase_taps_rounded_down",
          .mutant_class = "S2",
          .sentence = "counts kernel / stride taps in each phase, rounded down",
          .link = "https://github.com/ROCm/MIOpen/issues/575",
          .hooks = {.taps = KernelByStrideRoundedDown}},
    Fault{.name = "last_phase_dropped",
          .mutant_class = "S2",
          .sentence = "leaves out the last phase of the stride",
          .link = "https://github.com/pytorch/pytorch/issues/63314",
          .hooks = {.taps = DropLastPhase}},
    Fault{.name = "empty_phase_filled",
          .mutant_class = "S2",
          .sentence = "computes a value where a phase has no tap because the kernel is smaller than the stride",
          .link = "https://github.com/ROCm/MIOpen/issues/1495",
          .hooks = {.taps = FillEmptyPhase}},
    Fault{.name = "phase_step_of_stride",
          .mutant_class = "D2",
          .sentence =
              "steps through the taps of a phase by the stride although stride and dilation have a common divisor",
          .link = "",
          .hooks = {.taps = StepByStride}},
    Fault{.name = "unreached_phase_filled",
          .mutant_class = "D2",
          .sentence =
              "gives phases that no tap reaches, as stride and dilation have a common divisor, the sums of others",
          .link = "https://github.com/pytorch/pytorch/issues/1565",
          .hooks = {.taps = FillUnreachedPhase}},
    Fault{.name = "phase_starts_late",
          .mutant_class = "S2",
          .sentence = "leaves out the first data element in all phases but the first",
          .link = "",
          .hooks = {.taps = LateStart}},
    Fault{.name = "phase_ends_early",
          .mutant_class = "W1",
          .sentence = "leaves out the last data element in all phases but the first",
          .link = "https://github.com/OpenPPL/ppl.nn/issues/739",
          .hooks = {.taps = EarlyEnd}},
    Fault{.name = "stride_three_tap_dropped",
          .mutant_class = "S2",
          .sentence = "leaves out the last tap of a sum at stride 3 only",
          .link = "",
          .hooks = {.taps = DropLastTapAtStrideThree}},
    Fault{.name = "stride_above_data",
          .mutant_class = "S2",
          .sentence = "uses only the first data element where the stride is larger than the data",
          .link = "https://github.com/keras-team/keras-core/pull/520",
          .hooks = {.taps = OneElementBelowStride}},
    Fault{.name = "no_work_below_dilation",
          .mutant_class = "D2",
          .sentence = "uses only the first tap where the data are smaller than the dilation",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/70e3929720",
          .hooks = {.taps = NoWorkBelowDilation}},
    Fault{.name = "last_coordinate_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the product of last tap and last data element at strides above 1",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/542",
          .hooks = {.taps = DropLastCoordinate}},
    Fault{.name = "cropped_border_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out a tap of the first output where the beginning is cropped",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/5080",
          .hooks = {.taps = DropAtCrop}},
    Fault{.name = "phase_edge_tap_twice",
          .mutant_class = "S2",
          .sentence = "adds the last tap of a phase twice at strides above 1",
          .link = "",
          .hooks = {.taps = TapTwiceAtPhaseEdge}},
    Fault{.name = "phases_stored_reversed",
          .mutant_class = "S2",
          .sentence = "stores the phases of the last axis in reverse order",
          .link = "",
          .hooks = {.output_place = PhasesReversed}},
};

}  // namespace

std::span<const Fault> PhaseFaults() { return kPhaseFaults; }

}  // namespace conformance::faults
