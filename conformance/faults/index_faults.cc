// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of indices: the right geometry, but wrong elements of data, filter or output, or some left out.

#include <array>
#include <cstddef>

#include "conformance/faults/fault.h"

namespace conformance::faults {
namespace {

void FlipFilter(const Plan& plan, FilterPlace& place) {
  for (std::size_t j = 0; j < plan.axes.size(); ++j) place.tap[j] = plan.axes[j].kernel - 1 - place.tap[j];
}

void InterleaveChannels(const Plan& plan, Place& place) {
  const std::int64_t channel = place.channel * plan.groups + place.group;
  place.group = channel / plan.out_channels;
  place.channel = channel % plan.out_channels;
}

void ExchangeChannels(const Plan& plan, FilterPlace& place) {
  const std::int64_t flat = place.out_channel * plan.in_channels + place.in_channel;
  place.in_channel = flat / plan.out_channels;
  place.out_channel = flat % plan.out_channels;
}

bool IsLastOfPointwisePlane(const Plan& plan, const Place& place, std::int64_t /*taps*/) {
  for (std::size_t j = 0; j < plan.axes.size(); ++j) {
    if (plan.axes[j].kernel != 1 || place.position[j] != plan.axes[j].output - 1) return false;
  }
  return true;
}

constexpr std::array kFaults = {
    Fault{.name = "filter_flipped",
          .mutant_class = "K1",
          .sentence = "runs through the filter backwards along every spatial axis",
          .link = "https://github.com/jax-ml/jax/issues/14337",
          .hooks = {.filter_place = FlipFilter}},
    Fault{.name = "last_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap along an axis where the kernel is larger than the data",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/56825411fc",
          .hooks = {.drops =
                        [](const Plan& plan, const FilterPlace& place) {
                          for (std::size_t j = 0; j < plan.axes.size(); ++j) {
                            const PlannedAxis& axis = plan.axes[j];
                            if (axis.kernel > axis.data && place.tap[j] == axis.kernel - 1) return true;
                          }
                          return false;
                        }}},
    Fault{.name = "filter_groups_reversed",
          .mutant_class = "G1",
          .sentence = "gives the filter of the last group to the first one, and so on",
          .link = "https://github.com/google/XNNPACK/issues/1951",
          .hooks = {.filter_place = [](const Plan& plan,
                                       FilterPlace& place) { place.group = plan.groups - 1 - place.group; }}},
    Fault{.name = "filter_of_first_group",
          .mutant_class = "G1",
          .sentence = "uses the filter of the first group for all groups: the offset of the group is missing",
          .link = "https://github.com/openvinotoolkit/openvino/pull/37752",
          .hooks = {.filter_place = [](const Plan& /*plan*/, FilterPlace& place) { place.group = 0; }}},
    Fault{.name = "output_channels_interleaved",
          .mutant_class = "G2",
          .sentence = "interleaves the output channels of the groups instead of concatenating them",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/352",
          .hooks = {.output_place = InterleaveChannels}},
    Fault{.name = "filter_channels_exchanged",
          .mutant_class = "C1",
          .sentence = "takes the filter's input channels for its output channels",
          .link = "https://github.com/ROCm/MIOpen/issues/2487",
          .hooks = {.filter_place = ExchangeChannels}},
    Fault{.name = "channel_tail_dropped",
          .mutant_class = "C2",
          .sentence = "leaves out the input channels after the last full block of four",
          .link = "https://github.com/microsoft/onnxruntime/pull/27749",
          .hooks = {.drops =
                        [](const Plan& plan, const FilterPlace& place) {
                          return plan.in_channels > 4 && place.in_channel >= plan.in_channels / 4 * 4;
                        }}},
    Fault{.name = "first_batch_only",
          .mutant_class = "B1",
          .sentence = "computes the first sample of a batch and stores zeros for the others",
          .link = "https://github.com/ggml-org/ggml/issues/1448",
          .hooks = {.zeroes = [](const Plan& /*plan*/, const Place& place) { return place.batch > 0; }}},
    Fault{
        .name = "gaps_unwritten",
        .mutant_class = "S2",
        .sentence = "does not store the outputs that no tap reaches",
        .link = "https://github.com/ROCm/composable_kernel/issues/105",
        .hooks = {.leaves = [](const Plan& /*plan*/, const Place& /*place*/, std::int64_t taps) { return taps == 0; }}},
    Fault{.name = "pointwise_tail_unwritten",
          .mutant_class = "W1",
          .sentence = "does not store the last output of each plane where the kernel is 1",
          .link = "https://github.com/ROCm/MIOpen/issues/1672",
          .hooks = {.leaves = IsLastOfPointwisePlane}},
    Fault{.name = "nxc_taken_for_ncx",
          .mutant_class = "L1",
          .sentence = "reads and writes channels-last tensors as if the channels came first",
          .link = "https://github.com/XiaoMi/mace/issues/185",
          .hooks = {.values = [](Plan& plan) { plan.channels_last = false; }}},
    Fault{.name = "xio_taken_for_oix",
          .mutant_class = "L1",
          .sentence = "reads a filter in the format XIO as if it were OIX",
          .link = "https://github.com/pytorch/pytorch/issues/99519",
          .hooks = {.values = [](Plan& plan) { plan.filter_order = FilterOrder::kChannelsFirst; }}},
};

}  // namespace

std::span<const Fault> IndexFaults() { return kFaults; }

}  // namespace conformance::faults
