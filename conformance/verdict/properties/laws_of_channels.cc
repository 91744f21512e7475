// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of batch, channels and groups. Samples, output channels and groups can be computed separately, and the order of
// samples, channels and groups does not matter.

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "conformance/verdict/properties/check.h"

namespace conformance::properties {
namespace {

/// Indices that rotate each of `blocks` blocks of `count` elements by one. 2 blocks of 3: 1 2 0, 4 5 3.
std::vector<std::int64_t> RotatedWithin(std::int64_t blocks, std::int64_t count) {
  std::vector<std::int64_t> indices;
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (std::int64_t i = 0; i < count; ++i) indices.push_back(b * count + (i + 1) % count);
  }
  return indices;
}

/// Indices that rotate the order of the blocks by one. 2 blocks of 3: 3 4 5, 0 1 2.
std::vector<std::int64_t> RotatedBlocks(std::int64_t blocks, std::int64_t count) {
  std::vector<std::int64_t> indices;
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (std::int64_t i = 0; i < count; ++i) indices.push_back((b + 1) % blocks * count + i);
  }
  return indices;
}

/// Splits the channels of [N, G * count, X...] by group: [N, G, count, X...].
NdArray GroupsApart(NdArray array, std::int64_t groups) {
  oracle::Dims dims = array.dims;
  dims[1] /= groups;
  dims.insert(dims.begin() + 1, groups);
  return Reshaped(std::move(array), std::move(dims));
}

}  // namespace

/// The output of a batch is the outputs of its two halves, one after the other.
void CheckBatchSplit(LawTrial& trial) {
  const std::int64_t batch = trial.base().geometry.batch;
  if (batch < 2) return trial.DoesNotApply("one sample has no parts");
  const auto whole = trial.OutputOfCase();
  if (!whole) return;
  std::vector<NdArray> parts;
  for (const auto& [begin, count] : {std::pair{std::int64_t{0}, batch / 2}, {batch / 2, batch - batch / 2}}) {
    Problem part = trial.base();
    part.geometry.batch = count;
    part.data = Window(part.data, 0, begin, count);
    auto output = trial.OutputOf(part);
    if (!output) return;
    parts.push_back(*std::move(output));
  }
  trial.Agree(*whole, Concatenated(parts, 0));
}

/// Samples in the reverse order give the outputs in the reverse order.
void CheckBatchOrder(LawTrial& trial) {
  const std::int64_t batch = trial.base().geometry.batch;
  if (batch < 2) return trial.DoesNotApply("one sample has one order");
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  Problem reversed = trial.base();
  reversed.data = Reversed(reversed.data, 0);
  const auto output = trial.OutputOf(reversed);
  if (output) trial.Agree(*plain, Reversed(*output, 0));
}

/// Another order of the input channels of each group changes nothing. Another order of output channels or of groups
/// puts the outputs in this order.
void CheckChannelOrder(LawTrial& trial) {
  const oracle::Geometry& geometry = trial.base().geometry;
  const std::int64_t groups = geometry.groups;
  if (geometry.in_channels < 2 && geometry.out_channels < 2 && groups < 2) {
    return trial.DoesNotApply("one channel has one order");
  }
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  if (geometry.in_channels > 1) {
    const auto indices = RotatedWithin(groups, geometry.in_channels);
    Problem moved = trial.base();
    moved.data = Taken(moved.data, 1, indices);
    moved.filter = Taken(moved.filter, 0, indices);
    const auto output = trial.OutputOf(moved);
    if (!output || !trial.Agree(*plain, *output)) return;
  }
  if (geometry.out_channels > 1) {
    Problem moved = trial.base();
    moved.filter = Taken(moved.filter, 1, RotatedWithin(1, geometry.out_channels));
    const auto output = trial.OutputOf(moved);
    if (!output || !trial.Agree(Taken(*plain, 1, RotatedWithin(groups, geometry.out_channels)), *output)) return;
  }
  if (groups > 1) {
    const auto indices = RotatedBlocks(groups, geometry.in_channels);
    Problem moved = trial.base();
    moved.data = Taken(moved.data, 1, indices);
    moved.filter = Taken(moved.filter, 0, indices);
    const auto output = trial.OutputOf(moved);
    if (output) trial.Agree(Taken(*plain, 1, RotatedBlocks(groups, geometry.out_channels)), *output);
  }
}

/// The output is the outputs of two parts of each group's output channels, put together group by group.
void CheckOutputChannelSplit(LawTrial& trial) {
  const oracle::Geometry& geometry = trial.base().geometry;
  if (geometry.out_channels < 2) return trial.DoesNotApply("one output channel has no parts");
  const auto whole = trial.OutputOfCase();
  if (!whole) return;
  // A third of the channels, because half may coincide with a block boundary of the backend.
  const std::int64_t cut = (geometry.out_channels + 2) / 3;
  std::vector<NdArray> parts;
  for (const auto& [begin, count] : {std::pair{std::int64_t{0}, cut}, {cut, geometry.out_channels - cut}}) {
    Problem part = trial.base();
    part.geometry.out_channels = count;
    part.filter = Window(part.filter, 1, begin, count);
    auto output = trial.OutputOf(part);
    if (!output) return;
    parts.push_back(GroupsApart(*std::move(output), geometry.groups));
  }
  trial.Agree(*whole, Reshaped(Concatenated(parts, 2), whole->dims));
}

/// The output is the outputs of the single groups, one after the other.
void CheckGroupSplit(LawTrial& trial) {
  const oracle::Geometry& geometry = trial.base().geometry;
  if (geometry.groups < 2) return trial.DoesNotApply("one group has no parts");
  const auto whole = trial.OutputOfCase();
  if (!whole) return;
  std::vector<NdArray> parts;
  for (std::int64_t g = 0; g < geometry.groups; ++g) {
    Problem part = trial.base();
    part.geometry.groups = 1;
    part.data = Window(part.data, 1, g * geometry.in_channels, geometry.in_channels);
    part.filter = Window(part.filter, 0, g * geometry.in_channels, geometry.in_channels);
    auto output = trial.OutputOf(part);
    if (!output) return;
    parts.push_back(*std::move(output));
  }
  trial.Agree(*whole, Concatenated(parts, 1));
}

/// One group gives the same output if its filter is 0 between the channels of different groups.
void CheckGroupZeros(LawTrial& trial) {
  const oracle::Geometry& geometry = trial.base().geometry;
  if (geometry.groups < 2) return trial.DoesNotApply("there is one group");
  Problem one = trial.base();
  one.geometry.groups = 1;
  one.geometry.in_channels = geometry.groups * geometry.in_channels;
  one.geometry.out_channels = geometry.groups * geometry.out_channels;
  std::vector<NdArray> rows;
  for (std::int64_t g = 0; g < geometry.groups; ++g) {
    const NdArray block = Window(one.filter, 0, g * geometry.in_channels, geometry.in_channels);
    // The window begins before the block, so that zeros come before and after it.
    rows.push_back(Window(block, 1, -g * geometry.out_channels, one.geometry.out_channels));
  }
  one.filter = Concatenated(rows, 0);
  // OpenVINO has a separate operator without groups. If the backend does not support it, the grouped operator with one
  // group is used.
  if (one.kind == oracle::OperatorKind::kGroupConvolutionBackpropData) {
    one.kind = oracle::OperatorKind::kConvolutionBackpropData;
    one.geometry.filter_layout = oracle::FilterLayout::kIox;
    if (!trial.Obstacle(one).empty()) one.kind = oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
  const auto grouped = trial.OutputOfCase();
  const auto by_law = trial.OutputOf(one);
  if (grouped && by_law) trial.Agree(*grouped, *by_law);
}

}  // namespace conformance::properties
