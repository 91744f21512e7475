// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) on open
// operators. An operator is open if its document is silent about it or contradicts itself. A backend may refuse it, but
// must not compute a wrong output, crash, or compute in one run and refuse in another.

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

// Sets an absent list to 2 for each spatial axis.
void SetAbsentToTwo(const Attributes& attributes, std::optional<List>& list) {
  if (!attributes.onnx() && !list) list = List(std::max<std::size_t>(attributes.data.size(), 2) - 2, 2);
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

// The elements that the given pads crop along an axis; 0 if auto_pad makes them irrelevant.
std::int64_t PadsOf(const FaultyGeometry& geometry, const FaultyAxis& axis) {
  return geometry.auto_pad == AutoPad::kExplicit ? axis.given_begin + axis.given_end : 0;
}

// Replaces the output size by the size without pads, less the pads, if that is a valid size.
void FollowPads(FaultyGeometry& geometry) {
  if (!geometry.contradicts_pads) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t size = axis.output + axis.total - PadsOf(geometry, axis);  // output + total: without pads
    if (size >= 1) axis.output = size;
  }
}

// The total that dst_shape crops differs from the pads. Crops half of the difference too at the beginning.
void SplitContradiction(FaultyGeometry& geometry) {
  if (!geometry.contradicts_pads) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t rest = axis.total - PadsOf(geometry, axis);
    axis.pads_begin += rest >> 1;
  }
}

bool LeaveOutputsOfNoData(const FaultyGeometry& geometry, const TensorIndex& /*output*/, std::int64_t /*products*/) {
  return geometry.in_channels == 0 || std::ranges::find(geometry.axes, 0, &FaultyAxis::data) != geometry.axes.end();
}

void ReadNoneAsSameUpper(Attributes& attributes) {
  if (!attributes.onednn() && !attributes.onnx() && attributes.auto_pad == "none") attributes.auto_pad = "same_upper";
}

// Crops by the magnitudes of pads_begin although auto_pad makes them irrelevant, if one is negative. Pads below
// -kSaneSize stay as they are.
void CropByIgnoredPads(Attributes& attributes) {
  if (attributes.onednn() || attributes.onnx() || !attributes.pads_begin || !attributes.auto_pad) return;
  const std::int64_t smallest_pad = attributes.pads_begin->empty() ? 0 : std::ranges::min(*attributes.pads_begin);
  if (smallest_pad >= 0 || smallest_pad < -kSaneSize) return;
  for (std::int64_t& pad : *attributes.pads_begin) pad = std::max<std::int64_t>(pad, -pad);
  attributes.auto_pad.reset();
}

void CutOutputPaddingBelowStride(FaultyGeometry& geometry) {
  if (geometry.kind != DECONV_ID_CONV_TRANSPOSE || geometry.has_output_shape) return;
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t excess = std::max<std::int64_t>(axis.output_padding - axis.stride + 1, 0);
    if (axis.output > excess) axis.output -= excess;
  }
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the hook
// that changes a step of a correct loop (fault_hooks.h).
constexpr std::array kOpenFaults = {
    Planted("empty_batch_counted_as_one", "Z1", "reports a batch of 1 for a batch of 0",
            {.dims = CountEmptyBatchAsOne}),
    Planted("empty_channels_counted_as_one", "Z1", "reports one output channel where there is none",
            {.dims = CountEmptyChannelsAsOne}),
    Planted("empty_output_computed_as_one", "Z1", "computes one output along an axis whose size is 0",
            {.shape = CountEmptyOutputAsOne}),
    Planted("absent_strides_taken_for_two", "S2", "takes absent strides for strides of 2",
            {.attributes = [](Attributes& attributes) { SetAbsentToTwo(attributes, attributes.strides); }}),
    Planted("absent_dilations_taken_for_two", "D3", "takes absent dilations for dilations of 2",
            {.attributes = [](Attributes& attributes) { SetAbsentToTwo(attributes, attributes.dilations); }}),
    Planted("crashes_on_empty_output", "Z1", "dies by SIGFPE on an output size of 0", {.before = CrashOnEmptyOutput}),
    Planted("crashes_on_no_channels", "Z1", "dies by SIGFPE on data without channels", {.before = CrashOnNoChannels}),
    Planted("open_operator_refused_in_turn", "R2",
            "refuses an operator that its document leaves open in every second call, and computes it else",
            {.refuses = RefuseEverySecondCall, .counts_calls = true}),
    Planted("contradicting_dst_shape_ignored", "P6",
            "accepts a dst_shape that contradicts the pads and computes the size that the pads give",
            {.shape = FollowPads}),
    Planted("contradicting_dst_shape_split", "P4", "spreads what a dst_shape removes beyond the pads over both ends",
            {.values = SplitContradiction}),
    Planted("outputs_of_no_data_unwritten", "Z1", "does not store the outputs of data that are empty",
            {.leaves = LeaveOutputsOfNoData}),
    Planted("auto_pad_none_taken_for_same_upper", "P3", "reads auto_pad none of OpenVINO's operators as same_upper",
            {.attributes = ReadNoneAsSameUpper}),
    Planted("negative_ignored_pads_used", "P5",
            "crops by the magnitude of negative pads that auto_pad makes irrelevant",
            {.attributes = CropByIgnoredPads}),
    Planted("output_padding_cut_below_stride", "O3",
            "limits output_padding to less than the stride on ConvTranspose instead of refusing it",
            {.shape = CutOutputPaddingBelowStride}),
};

}  // namespace

std::span<const Fault> OpenFaults() { return kOpenFaults; }

}  // namespace conformance::faults
