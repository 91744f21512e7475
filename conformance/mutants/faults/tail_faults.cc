// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of tails and
// thresholds. A tail is the rest of a size behind full vectors or blocks of 2 to 64 elements. Example: with blocks of
// 8, a row of 19 has the tail 16 to 18.

#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// Whether an index lies behind the last full block. A size below one block has no tail.
constexpr bool IsTail(std::int64_t index, std::int64_t count, std::int64_t block) {
  return count > block && index >= count / block * block;
}

template <std::int64_t kBlock>
bool InTailOfWidth(const FaultyGeometry& geometry, const TensorIndex& output) {
  return IsTail(output.position[geometry.axes.size() - 1], geometry.axes.back().output, kBlock);
}

template <std::int64_t kBlock>
bool InTailOfOutChannels(const FaultyGeometry& geometry, const TensorIndex& output) {
  return IsTail(output.channel, geometry.out_channels, kBlock);
}

template <std::int64_t kBlock>
bool InTailOfBatch(const FaultyGeometry& geometry, const TensorIndex& output) {
  return IsTail(output.batch, geometry.batch, kBlock);
}

// A condition on the position of an output, such as "in a tail of the width".
using OutputCondition = bool (*)(const FaultyGeometry& geometry, const TensorIndex& output);

// The hook `leaves`: outputs that fulfil the condition are not stored.
template <OutputCondition kHolds>
bool Leave(const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
  return kHolds(geometry, output);
}

// The hook `times`: the sums of outputs that fulfil the condition are added kTimes, so 0 stores zero.
template <OutputCondition kHolds, int kTimes>
int Repeat(const FaultyGeometry& geometry, const TensorIndex& output) {
  return kHolds(geometry, output) ? kTimes : 1;
}

// Computes the sum of the previous output of the row for outputs that fulfil the condition.
template <OutputCondition kHolds>
void ComputeNeighbour(const FaultyGeometry& geometry, TensorIndex& output) {
  if (kHolds(geometry, output)) --output.position[geometry.axes.size() - 1];
}

// Computes a tail with a full vector that begins too early, so that the stored outputs are shifted.
template <std::int64_t kBlock>
void ShiftTail(const FaultyGeometry& geometry, TensorIndex& output) {
  const std::int64_t width = geometry.axes.back().output;
  if (InTailOfWidth<kBlock>(geometry, output)) output.position[geometry.axes.size() - 1] -= kBlock - width % kBlock;
}

// Whether the output is the first one of a row behind a row that ends in a tail.
template <std::int64_t kBlock>
bool FollowsTail(const FaultyGeometry& geometry, const TensorIndex& output) {
  const std::size_t n = geometry.axes.size();
  const bool ends_in_tail = geometry.axes.back().output > kBlock && geometry.axes.back().output % kBlock != 0;
  return ends_in_tail && n > 1 && output.position[n - 1] == 0 && output.position[n - 2] > 0;
}

template <std::int64_t kBlock>
bool IsFirstOfTail(const FaultyGeometry& geometry, const TensorIndex& output) {
  const std::int64_t width = geometry.axes.back().output;
  return width > kBlock && width % kBlock != 0 && output.position[geometry.axes.size() - 1] == width / kBlock * kBlock;
}

// Drops the products of data elements behind the last full vector of the last axis.
template <std::int64_t kBlock>
void DropDataTail(const FaultyGeometry& geometry, Product& product) {
  if (IsTail(product.data.position[geometry.axes.size() - 1], geometry.axes.back().data, kBlock)) product.times = 0;
}

// Adds the products of input channels in a tail kTimes instead of once.
template <std::int64_t kBlock, int kTimes>
void RepeatInChannels(const FaultyGeometry& geometry, Product& product) {
  if (IsTail(product.filter.in_channel, geometry.in_channels, kBlock)) product.times = kTimes;
}

template <std::int64_t kBlock>
void UseNeighbourChannel(const FaultyGeometry& geometry, Product& product) {
  if (IsTail(product.filter.in_channel, geometry.in_channels, kBlock)) --product.filter.in_channel;
}

// Acts like a bug of oneDNN on Arm: strides above 1, more than 16 channels, and rows of less than 17.
void DropInShortRows(const FaultyGeometry& geometry, Product& product) {
  const FaultyAxis& axis = geometry.axes.back();
  const bool takes_path = axis.stride > 1 && geometry.in_channels > 16 && axis.output < 17;
  if (takes_path && product.data.position[geometry.axes.size() - 1] == axis.data - 1) product.times = 0;
}

bool Is33rdOfWideRow(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.axes.back().output > 32 && output.position[geometry.axes.size() - 1] == 32;
}

bool IsLastSampleOfLargeBatch(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.batch >= 16 && output.batch == geometry.batch - 1;
}

bool IsLastSample(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.batch > 1 && output.batch == geometry.batch - 1;
}

bool IsLastChannel(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.groups * geometry.out_channels > 1 && output.group == geometry.groups - 1 &&
         output.channel == geometry.out_channels - 1;
}

bool IsInTailOfGroups(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.in_channels == 1 && geometry.out_channels == 1 && IsTail(output.group, geometry.groups, 8);
}

// Strikes only channels-last operators, whose vectors run along the channels.
void DropChannelTailOfNxc(const FaultyGeometry& geometry, Product& product) {
  if (geometry.channels_last && IsTail(product.filter.in_channel, geometry.in_channels, 8)) product.times = 0;
}

int ZeroChannelTailOfNxc(const FaultyGeometry& geometry, const TensorIndex& output) {
  return geometry.channels_last && InTailOfOutChannels<8>(geometry, output) ? 0 : 1;
}

int ZeroTailOfGroups(const FaultyGeometry& geometry, const TensorIndex& output) {
  return IsTail(output.group, geometry.groups, 16) ? 0 : 1;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kTailFaults = {
    Planted("channel_tail_dropped", "C2", "leaves out the input channels after the last full block of four",
            {.product = RepeatInChannels<4, 0>}, "https://github.com/microsoft/onnxruntime/pull/27749"),
    Planted("in_channel_tail_of_8_twice", "C2", "adds the input channels after the last full block of eight twice",
            {.product = RepeatInChannels<8, 2>}, "https://github.com/uxlfoundation/oneDNN/commit/4b92777cb0"),
    Planted("in_channel_tail_of_16_neighbour", "C2",
            "uses the filter of the previous channel for input channels after the last full block of 16",
            {.product = UseNeighbourChannel<16>}),
    Planted("in_channel_tail_of_32_dropped", "C2", "leaves out the input channels after the last full block of 32",
            {.product = RepeatInChannels<32, 0>}),
    Planted("in_channel_tail_of_64_twice", "C2", "adds the input channels after the last full block of 64 twice",
            {.product = RepeatInChannels<64, 2>}),
    Planted("nxc_in_channel_tail_of_8_dropped", "C2",
            "leaves out the input channels of channels-last data after the last full block of eight",
            {.product = DropChannelTailOfNxc}),
    Planted("nxc_out_channel_tail_of_8_zero", "C2",
            "stores zeros in the channels of channels-last outputs after the last full block of eight",
            {.times = ZeroChannelTailOfNxc}),
    Planted("group_tail_of_16_zero", "C2", "stores zeros in the groups after the last full block of 16",
            {.times = ZeroTailOfGroups}),
    Planted("out_channel_tail_of_4_zero", "C2", "stores zeros in the output channels after the last full block of four",
            {.times = Repeat<InTailOfOutChannels<4>, 0>}, "https://github.com/Tencent/ncnn/issues/202"),
    Planted("out_channel_tail_of_8_unwritten", "C2",
            "does not store the output channels after the last full block of eight",
            {.leaves = Leave<InTailOfOutChannels<8>>}, "https://github.com/uxlfoundation/oneDNN/commit/1f22ff1ae5"),
    Planted("out_channel_tail_of_16_twice", "C2", "adds the output channels after the last full block of 16 twice",
            {.times = Repeat<InTailOfOutChannels<16>, 2>}),
    Planted("out_channel_tail_of_32_zero", "C2", "stores zeros in the output channels after the last full block of 32",
            {.times = Repeat<InTailOfOutChannels<32>, 0>}),
    Planted("depthwise_tail_of_8_zero", "C2",
            "stores zeros in the groups after the last full block of eight where each has one channel",
            {.times = Repeat<IsInTailOfGroups, 0>}),
    Planted("last_channel_unwritten", "C2", "does not store the last output channel of several",
            {.leaves = Leave<IsLastChannel>}),
    Planted("width_tail_of_4_zero", "W1", "stores zeros in a row's outputs after the last full vector of four",
            {.times = Repeat<InTailOfWidth<4>, 0>}),
    Planted("width_tail_of_8_unwritten", "W1", "does not store a row's outputs after the last full vector of eight",
            {.leaves = Leave<InTailOfWidth<8>>}, "https://github.com/uxlfoundation/oneDNN/commit/410ff728ec"),
    Planted("width_tail_of_16_twice", "W1", "adds a row's outputs after the last full vector of 16 twice",
            {.times = Repeat<InTailOfWidth<16>, 2>}),
    Planted("width_tail_of_32_zero", "W1", "stores zeros in a row's outputs after the last full vector of 32",
            {.times = Repeat<InTailOfWidth<32>, 0>}),
    Planted("width_tail_of_8_neighbour", "W1",
            "stores the sum of the previous output in a row's outputs after the last full vector of eight",
            {.sum_of = ComputeNeighbour<InTailOfWidth<8>>}),
    Planted("width_tail_of_4_shifted", "W1",
            "stores the sums of a full vector that begins too early in a tail of less than four",
            {.sum_of = ShiftTail<4>}),
    Planted("width_tail_of_16_first_wrong", "W1",
            "stores the sum of the previous output in the first output after the last full vector of 16",
            {.sum_of = ComputeNeighbour<IsFirstOfTail<16>>}),
    Planted("row_after_tail_of_4_overwritten", "W1",
            "stores zero in the first output of a row if the previous row ends in a tail of less than four",
            {.times = Repeat<FollowsTail<4>, 0>}),
    Planted("data_tail_of_8_dropped", "W1", "leaves out a row's data after the last full vector of eight",
            {.product = DropDataTail<8>}),
    Planted("output_above_32_zero", "W1", "stores zero in the 33rd output of rows that are wider than 32",
            {.times = Repeat<Is33rdOfWideRow, 0>}),
    Planted("short_rows_of_many_channels", "W1",
            "leaves out the last data element where strides are above 1, input channels above 16 and rows below 17",
            {.product = DropInShortRows}, "https://github.com/fujitsu/oneDNN/issues/43"),
    Planted("batch_of_16_tail_zero", "B1", "stores zeros for the last sample of batches of 16 and more",
            {.times = Repeat<IsLastSampleOfLargeBatch, 0>}, "https://github.com/openvinotoolkit/openvino/pull/10228"),
    Planted("batch_tail_of_2_zero", "B1", "stores zeros for the last sample of odd batches above two",
            {.times = Repeat<InTailOfBatch<2>, 0>}),
    Planted("data_of_first_sample", "B1", "reads the data of the first sample for all samples",
            {.product = [](const FaultyGeometry& /*geometry*/, Product& product) { product.data.batch = 0; }}),
    Planted("last_sample_unwritten", "B1", "does not store the last sample of several",
            {.leaves = Leave<IsLastSample>}),
};

}  // namespace

std::span<const Fault> TailFaults() { return kTailFaults; }

}  // namespace conformance::faults
