// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of groups and channels: the outputs of one channel are right, those of several are not.

#include <array>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

void InterleaveChannels(const FaultyGeometry& geometry, Place& place) {
  const std::int64_t channel = place.channel * geometry.groups + place.group;
  place.group = channel / geometry.out_channels;
  place.channel = channel % geometry.out_channels;
}

void InterleaveMultiplier(const FaultyGeometry& geometry, Place& place) {
  if (geometry.in_channels == 1) InterleaveChannels(geometry, place);
}

void ExchangeChannels(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t flat = product.filter.out_channel * geometry.in_channels + product.filter.in_channel;
  product.filter.in_channel = flat / geometry.out_channels;
  product.filter.out_channel = flat % geometry.out_channels;
}

// The offset of a group is that of one input channel.
void ShortenGroupOffset(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t flat = product.filter.group + product.filter.in_channel;
  product.filter.group = flat / geometry.in_channels;
  product.filter.in_channel = flat % geometry.in_channels;
}

void InterleaveData(const FaultyGeometry& geometry, Product& product) {
  const std::int64_t channel = product.data.channel * geometry.groups + product.data.group;
  product.data.group = channel / geometry.in_channels;
  product.data.channel = channel % geometry.in_channels;
}

// A 1-D filter with groups read as [I, G, O, X].
void ReadGroupsAsChannels(const FaultyGeometry& geometry, Product& product) {
  if (geometry.axes.size() != 1) return;
  const std::int64_t flat = product.filter.in_channel * geometry.groups + product.filter.group;
  product.filter.group = flat / geometry.in_channels;
  product.filter.in_channel = flat % geometry.in_channels;
}

void KeepFirstInChannel(const FaultyGeometry& /*geometry*/, Product& product) {
  if (product.filter.in_channel > 0) product.times = 0;
}

constexpr std::array kChannelFaults = {
    Fault{.name = "filter_groups_reversed",
          .mutant_class = "G1",
          .sentence = "gives the filter of the last group to the first one, and so on",
          .link = "https://github.com/google/XNNPACK/issues/1951",
          .hooks = {.product =
                        [](const FaultyGeometry& geometry, Product& product) {
                          product.filter.group = geometry.groups - 1 - product.filter.group;
                        }}},
    Fault{.name = "filter_of_first_group",
          .mutant_class = "G1",
          .sentence = "uses the filter of the first group for all groups: the offset of the group is missing",
          .link = "https://github.com/openvinotoolkit/openvino/pull/37752",
          .hooks = {.product = [](const FaultyGeometry& /*geometry*/, Product& product) { product.filter.group = 0; }}},
    Fault{.name = "filter_group_offset_short",
          .mutant_class = "G1",
          .sentence = "steps from group to group by one input channel of the filter",
          .link = "https://github.com/pytorch/TensorRT/pull/238",
          .hooks = {.product = ShortenGroupOffset}},
    Fault{.name = "one_axis_groups_misplaced",
          .mutant_class = "G1",
          .sentence = "reads the groups of a 1-D filter from its second dimension",
          .link = "https://github.com/openvinotoolkit/openvino/pull/37752",
          .hooks = {.product = ReadGroupsAsChannels}},
    Fault{.name = "data_of_first_group",
          .mutant_class = "G1",
          .sentence = "reads the data of the first group for all groups",
          .link = "https://github.com/opencv/opencv/issues/13882",
          .hooks = {.product = [](const FaultyGeometry& /*geometry*/, Product& product) { product.data.group = 0; }}},
    Fault{.name = "data_channels_interleaved",
          .mutant_class = "G2",
          .sentence = "reads the data's channels as interleaved by group",
          .link = "",
          .hooks = {.product = InterleaveData}},
    Fault{.name = "output_channels_interleaved",
          .mutant_class = "G2",
          .sentence = "interleaves the output channels of the groups instead of concatenating them",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/352",
          .hooks = {.output_place = InterleaveChannels}},
    Fault{.name = "multiplier_channels_interleaved",
          .mutant_class = "G2",
          .sentence = "interleaves the output channels of groups with one input channel",
          .link = "",
          .hooks = {.output_place = InterleaveMultiplier}},
    Fault{.name = "one_out_channel_of_group",
          .mutant_class = "G3",
          .sentence = "computes all output channels of a group with the filter of its first channel",
          .link = "https://github.com/onnx/onnx/pull/8446",
          .hooks = {.product =
                        [](const FaultyGeometry& geometry, Product& product) {
                          if (geometry.groups > 1) product.filter.out_channel = 0;
                        }}},
    Fault{.name = "one_in_channel_of_group",
          .mutant_class = "G3",
          .sentence = "adds up only the first input channel of each group",
          .link = "https://github.com/apache/tvm/issues/9938",
          .hooks = {.product =
                        [](const FaultyGeometry& geometry, Product& product) {
                          if (geometry.groups > 1) KeepFirstInChannel(geometry, product);
                        }}},
    Fault{.name = "channels_last_groups_ignored",
          .mutant_class = "G1",
          .sentence = "reads the data of the first group for all groups of a channels-last operator",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/55805b18a3",
          .hooks = {.product =
                        [](const FaultyGeometry& geometry, Product& product) {
                          if (geometry.channels_last) product.data.group = 0;
                        }}},
    Fault{.name = "filter_channels_exchanged",
          .mutant_class = "C1",
          .sentence = "reads the filter's input channels as its output channels",
          .link = "https://github.com/ROCm/MIOpen/issues/2487",
          .hooks = {.product = ExchangeChannels}},
    Fault{.name = "one_in_channel",
          .mutant_class = "C1",
          .sentence = "adds up only the first input channel",
          .link = "https://github.com/root-project/root/pull/11459",
          .hooks = {.product = KeepFirstInChannel}},
    Fault{.name = "one_in_channel_for_one_out",
          .mutant_class = "C2",
          .sentence = "adds up only the first input channel if there is one output channel",
          .link = "https://github.com/pytorch/executorch/issues/20804",
          .hooks = {.product =
                        [](const FaultyGeometry& geometry, Product& product) {
                          if (geometry.out_channels == 1) KeepFirstInChannel(geometry, product);
                        }}},
    Fault{.name = "channel_in_8_bits",
          .mutant_class = "I1",
          .sentence = "computes the index of the input channel in 8 bits, so that channel 257 is the first one again",
          .link = "",
          .hooks = {.product = [](const FaultyGeometry& /*geometry*/,
                                  Product& product) { product.data.channel %= 256; }}},
};

}  // namespace

std::span<const Fault> ChannelFaults() { return kChannelFaults; }

}  // namespace conformance::faults
