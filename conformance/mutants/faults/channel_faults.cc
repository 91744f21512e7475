// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of groups and
// channels. Operators with one channel are computed correctly.

#include <array>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// Stores group g, channel c as channel c * groups + g, not g * channels + c.
void InterleaveChannels(const FaultyGeometry& geometry, TensorIndex& output) {
  const std::int64_t channel = output.channel * geometry.groups + output.group;
  output.group = channel / geometry.out_channels;
  output.channel = channel % geometry.out_channels;
}

// A multiplier is the number of output channels of a group with one input channel.
void InterleaveMultiplier(const FaultyGeometry& geometry, TensorIndex& output) {
  if (geometry.in_channels == 1) InterleaveChannels(geometry, output);
}

// Reads a filter [in, out] as if it were stored as [out, in].
void ExchangeChannels(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t flat = product.filter.out_channel * geometry.in_channels + product.filter.in_channel;
  product.filter.in_channel = flat / geometry.out_channels;
  product.filter.out_channel = flat % geometry.out_channels;
}

// Steps from group to group by the offset of one input channel.
void ShortenGroupOffset(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t flat = product.filter.group + product.filter.in_channel;
  product.filter.group = flat / geometry.in_channels;
  product.filter.in_channel = flat % geometry.in_channels;
}

// Reads channel c of group g at the position c * groups + g.
void InterleaveData(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t channel = product.data.channel * geometry.groups + product.data.group;
  product.data.group = channel / geometry.in_channels;
  product.data.channel = channel % geometry.in_channels;
}

// Reads a filter with groups and one axis, which is [G, I, O, X], as [I, G, O, X].
void ReadGroupsAsChannels(const FaultyGeometry& geometry, Product& product) {
  if (geometry.axes.size() != 1) return;
  const std::int64_t flat = product.filter.in_channel * geometry.groups + product.filter.group;
  product.filter.group = flat / geometry.in_channels;
  product.filter.in_channel = flat % geometry.in_channels;
}

void KeepFirstInChannel(const FaultyGeometry& /*geometry*/, Product& product) {
  if (product.filter.in_channel > 0) product.times = 0;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kChannelFaults = {
    Planted("filter_groups_reversed", "G1", "gives the filter of the last group to the first one, and so on",
            {.product = [](const FaultyGeometry& geometry,
                           Product& product) { product.filter.group = geometry.groups - 1 - product.filter.group; }},
            "https://github.com/google/XNNPACK/issues/1951"),
    Planted("filter_of_first_group", "G1",
            "uses the filter of the first group for all groups: the offset of the group is missing",
            {.product = [](const FaultyGeometry& /*geometry*/, Product& product) { product.filter.group = 0; }},
            "https://github.com/openvinotoolkit/openvino/pull/37752"),
    Planted("filter_group_offset_short", "G1", "steps from group to group by one input channel of the filter",
            {.product = ShortenGroupOffset}, "https://github.com/pytorch/TensorRT/pull/238"),
    Planted("one_axis_groups_misplaced", "G1", "reads the groups of a 1-D filter from its second dimension",
            {.product = ReadGroupsAsChannels}, "https://github.com/openvinotoolkit/openvino/pull/37752"),
    Planted("data_of_first_group", "G1", "reads the data of the first group for all groups",
            {.product = [](const FaultyGeometry& /*geometry*/, Product& product) { product.data.group = 0; }},
            "https://github.com/opencv/opencv/issues/13882"),
    Planted("data_channels_interleaved", "G2", "reads the data's channels as interleaved by group",
            {.product = InterleaveData}),
    Planted("output_channels_interleaved", "G2",
            "interleaves the output channels of the groups instead of concatenating them",
            {.output_index = InterleaveChannels}, "https://github.com/uxlfoundation/oneDNN/issues/352"),
    Planted("multiplier_channels_interleaved", "G2", "interleaves the output channels of groups with one input channel",
            {.output_index = InterleaveMultiplier}),
    Planted("one_out_channel_of_group", "G3",
            "computes all output channels of a group with the filter of its first channel",
            {.product =
                 [](const FaultyGeometry& geometry, Product& product) {
                   if (geometry.groups > 1) product.filter.out_channel = 0;
                 }},
            "https://github.com/onnx/onnx/pull/8446"),
    Planted("one_in_channel_of_group", "G3", "adds up only the first input channel of each group",
            {.product =
                 [](const FaultyGeometry& geometry, Product& product) {
                   if (geometry.groups > 1) KeepFirstInChannel(geometry, product);
                 }},
            "https://github.com/apache/tvm/issues/9938"),
    Planted("channels_last_groups_ignored", "G1",
            "reads the data of the first group for all groups of a channels-last operator",
            {.product =
                 [](const FaultyGeometry& geometry, Product& product) {
                   if (geometry.channels_last) product.data.group = 0;
                 }},
            "https://github.com/uxlfoundation/oneDNN/commit/55805b18a3"),
    Planted("filter_channels_exchanged", "C1", "reads the filter's input channels as its output channels",
            {.product = ExchangeChannels}, "https://github.com/ROCm/MIOpen/issues/2487"),
    Planted("one_in_channel", "C1", "adds up only the first input channel", {.product = KeepFirstInChannel},
            "https://github.com/root-project/root/pull/11459"),
    Planted("one_in_channel_for_one_out", "C2", "adds up only the first input channel if there is one output channel",
            {.product =
                 [](const FaultyGeometry& geometry, Product& product) {
                   if (geometry.out_channels == 1) KeepFirstInChannel(geometry, product);
                 }},
            "https://github.com/pytorch/executorch/issues/20804"),
    Planted("channel_in_8_bits", "I1",
            "computes the index of the input channel in 8 bits, so that channel 257 is the first one again",
            {.product = [](const FaultyGeometry& /*geometry*/, Product& product) { product.data.channel %= 256; }}),
};

}  // namespace

std::span<const Fault> ChannelFaults() { return kChannelFaults; }

}  // namespace conformance::faults
