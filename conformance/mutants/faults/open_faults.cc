// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of operators that their documents leave open. A backend may refuse such an operator, but it must not
// compute it wrongly, die of it or change its mind from run to run.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

bool HasEmptyOutputAxis(const FaultyGeometry& geometry) {
  return std::ranges::find(geometry.axes, 0, &FaultyAxis::output) != geometry.axes.end();
}

void CountEmptyBatchAsOne(const FaultyGeometry& geometry, List& dims) {
  if (geometry.batch == 0) dims[0] = 1;
}

void CountEmptyChannelsAsOne(const FaultyGeometry& geometry, List& dims) {
  if (geometry.out_channels == 0) dims[geometry.channels_last ? dims.size() - 1 : 1] = 1;
}

void CountEmptyOutputAsOne(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (axis.output == 0) axis.output = 1;
  }
}

void TakeAbsentForTwo(const Attributes& a, std::optional<List>& list) {
  if (!a.onnx() && !list) list = List(std::max<std::size_t>(a.data.size(), 2) - 2, 2);
}

void CrashOnEmptyOutput(Call& call) {
  if (HasEmptyOutputAxis(call.geometry)) (void)std::raise(SIGFPE);
}

void CrashOnNoChannels(Call& call) {
  if (call.geometry.in_channels == 0) (void)std::raise(SIGFPE);
}

const char* RefuseEverySecondCall(const FaultyGeometry& geometry) {
  return !geometry.open.empty() && geometry.calls % 2 == 1 ? geometry.open.front() : nullptr;
}

std::int64_t PadsOf(const FaultyGeometry& geometry, const FaultyAxis& axis) {
  return geometry.auto_pad == AutoPad::kExplicit ? axis.given_begin + axis.given_end : 0;
}

// The size that the pads give, where it is one.
void FollowPads(FaultyGeometry& geometry) {
  if (!geometry.contradicts_pads) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t size = axis.output + axis.total - PadsOf(geometry, axis);
    if (size >= 1) axis.output = size;
  }
}

void SplitContradiction(FaultyGeometry& geometry) {
  if (!geometry.contradicts_pads) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t rest = axis.total - PadsOf(geometry, axis);
    axis.pads_begin += rest >> 1;
  }
}

bool LeaveOutputsOfNoData(const FaultyGeometry& geometry, const Place& /*place*/, std::int64_t /*products*/) {
  return geometry.in_channels == 0 || std::ranges::find(geometry.axes, 0, &FaultyAxis::data) != geometry.axes.end();
}

void ReadNoneAsSameUpper(Attributes& a) {
  if (!a.onednn() && !a.onnx() && a.auto_pad == "none") a.auto_pad = "same_upper";
}

// Of sane sizes only: the others are refused.
void CropByIgnoredPads(Attributes& a) {
  if (a.onednn() || a.onnx() || !a.pads_begin || !a.auto_pad) return;
  constexpr std::int64_t kSane = 1 << 20;
  const std::int64_t least = a.pads_begin->empty() ? 0 : std::ranges::min(*a.pads_begin);
  if (least >= 0 || least < -kSane) return;
  for (std::int64_t& pad : *a.pads_begin) pad = std::max<std::int64_t>(pad, -pad);
  a.auto_pad.reset();
}

void CutOutputPaddingBelowStride(FaultyGeometry& geometry) {
  if (geometry.kind != DECONV_ID_CONV_TRANSPOSE || geometry.has_output_shape) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t excess = std::max<std::int64_t>(axis.output_padding - axis.stride + 1, 0);
    if (axis.output > excess) axis.output -= excess;
  }
}

constexpr std::array kOpenFaults = {
    Fault{.name = "empty_batch_counted_as_one",
          .mutant_class = "Z1",
          .sentence = "reports a batch of 1 for a batch of 0",
          .link = "",
          .hooks = {.dims = CountEmptyBatchAsOne}},
    Fault{.name = "empty_channels_counted_as_one",
          .mutant_class = "Z1",
          .sentence = "reports one output channel where there is none",
          .link = "",
          .hooks = {.dims = CountEmptyChannelsAsOne}},
    Fault{.name = "empty_output_computed_as_one",
          .mutant_class = "Z1",
          .sentence = "computes one output along an axis whose size is 0",
          .link = "",
          .hooks = {.shape = CountEmptyOutputAsOne}},
    Fault{.name = "absent_strides_taken_for_two",
          .mutant_class = "S2",
          .sentence = "takes absent strides for strides of 2",
          .link = "",
          .hooks = {.attributes = [](Attributes& a) { TakeAbsentForTwo(a, a.strides); }}},
    Fault{.name = "absent_dilations_taken_for_two",
          .mutant_class = "D3",
          .sentence = "takes absent dilations for dilations of 2",
          .link = "",
          .hooks = {.attributes = [](Attributes& a) { TakeAbsentForTwo(a, a.dilations); }}},
    Fault{.name = "crashes_on_empty_output",
          .mutant_class = "Z1",
          .sentence = "dies by SIGFPE on an output size of 0",
          .link = "",
          .hooks = {.before = CrashOnEmptyOutput}},
    Fault{.name = "crashes_on_no_channels",
          .mutant_class = "Z1",
          .sentence = "dies by SIGFPE on data without channels",
          .link = "",
          .hooks = {.before = CrashOnNoChannels}},
    Fault{.name = "open_operator_refused_in_turn",
          .mutant_class = "R2",
          .sentence = "refuses an operator that its document leaves open in every second call, and computes it else",
          .link = "",
          .hooks = {.refuses = RefuseEverySecondCall, .counts_calls = true}},
    Fault{.name = "contradicting_dst_shape_ignored",
          .mutant_class = "P6",
          .sentence = "accepts a dst_shape that contradicts the pads and computes the size that the pads give",
          .link = "",
          .hooks = {.shape = FollowPads}},
    Fault{.name = "contradicting_dst_shape_split",
          .mutant_class = "P4",
          .sentence = "spreads what a dst_shape removes beyond the pads over both ends",
          .link = "",
          .hooks = {.values = SplitContradiction}},
    Fault{.name = "outputs_of_no_data_unwritten",
          .mutant_class = "Z1",
          .sentence = "does not store the outputs of data that are empty",
          .link = "",
          .hooks = {.leaves = LeaveOutputsOfNoData}},
    Fault{.name = "auto_pad_none_taken_for_same_upper",
          .mutant_class = "P3",
          .sentence = "reads auto_pad none of OpenVINO's operators as same_upper",
          .link = "",
          .hooks = {.attributes = ReadNoneAsSameUpper}},
    Fault{.name = "negative_ignored_pads_used",
          .mutant_class = "P5",
          .sentence = "crops by the magnitude of negative pads that auto_pad makes irrelevant",
          .link = "",
          .hooks = {.attributes = CropByIgnoredPads}},
    Fault{.name = "output_padding_cut_below_stride",
          .mutant_class = "O3",
          .sentence = "limits output_padding to less than the stride on ConvTranspose instead of refusing it",
          .link = "",
          .hooks = {.shape = CutOutputPaddingBelowStride}},
};

}  // namespace

std::span<const Fault> OpenFaults() { return kOpenFaults; }

}  // namespace conformance::faults
