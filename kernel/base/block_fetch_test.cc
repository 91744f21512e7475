// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that BlockFetch prefetches the cache lines of the data that a block of outputs reads, and no others. Also tests
// which task follows another one on a thread.
#include "kernel/base/block_fetch.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/base/algorithm.h"

namespace deconv {
namespace {

// Rows of 37 floats neither begin nor end at cache lines of 16 floats.
constexpr int64_t kChannels = 3;
constexpr int64_t kRows = 11;
constexpr int64_t kColumns = 37;
constexpr int64_t kBatch = 2;

// Returns an operator with two axes, kernel 4 and stride 2. Its batch, channels and axes are the constants above.
Geometry MakeGeometry(bool channels_last, int64_t groups) {
  Geometry geometry;
  geometry.type = DECONV_F32;
  geometry.channels_last = channels_last;
  geometry.batch = kBatch;
  geometry.groups = groups;
  geometry.in_channels = kChannels;
  const int64_t channels = groups * kChannels;
  const int64_t positions = kRows * kColumns;
  geometry.data_strides = {channels * positions, channels_last ? 1 : positions, channels_last ? channels : 1};
  geometry.axis_count = 2;
  // Each block reads one position before its cells.
  geometry.axes[0] = {.data = kRows, .kernel = 4, .stride = 2, .output = 2 * kRows + 2};
  geometry.axes[1] = {.data = kColumns, .kernel = 4, .stride = 2, .output = 2 * kColumns + 2};
  return geometry;
}

// Cuts the axis of rows into blocks of `block_rows` cells. The other axes have one block.
BlockAxes MakeAxes(const Geometry& geometry, int64_t block_rows) {
  BlockAxes axes;
  EXPECT_TRUE(CollectAxes(geometry, axes));
  for (BlockAxis& axis : axes) axis.block_cells = axis.phases.cells;
  axes[1].block_cells = block_rows;
  for (BlockAxis& axis : axes) axis.padded = PaddedSize(axis);
  return axes;
}

// Returns the number of the cache line of an address.
uintptr_t LineOf(const char* at) { return reinterpret_cast<uintptr_t>(at) / kLineBytes; }

// Returns the cache lines that `fetch` takes. Checks that they are at most Lines().
std::set<uintptr_t> LinesTaken(BlockFetch fetch) {
  std::set<uintptr_t> lines;
  const int64_t most_lines = fetch.Lines();
  int64_t taken = 0;
  for (const char* line = fetch.NextLine(); line != nullptr; line = fetch.NextLine()) {
    lines.insert(LineOf(line));
    ++taken;
  }
  EXPECT_LE(taken, most_lines);
  EXPECT_EQ(fetch.Lines(), 0);
  return lines;
}

// Returns the cache lines of the rows from `first` to `last` - 1 of a group and a sample.
std::set<uintptr_t> LinesOf(const Geometry& geometry, const TaskPosition& position, int64_t first, int64_t last,
                            const std::vector<float>& data) {
  std::set<uintptr_t> lines;
  for (int64_t channel = 0; channel < kChannels; ++channel) {
    for (int64_t element = first * kColumns; element < last * kColumns; ++element) {
      const TensorStrides& strides = geometry.data_strides;
      const int64_t at = position.batch * strides.batch + (position.group * kChannels + channel) * strides.channel +
                         element * strides.position;
      lines.insert(LineOf(reinterpret_cast<const char*>(data.data() + at)));
    }
  }
  return lines;
}

TEST(BlockFetch, TakesTheLinesOfABlock) {
  for (const bool channels_last : {false, true}) {
    const int64_t groups = channels_last ? 1 : 2;
    const Geometry geometry = MakeGeometry(channels_last, groups);
    const BlockAxes axes = MakeAxes(geometry, 4);
    std::vector<float> data(static_cast<size_t>(kBatch * geometry.data_strides.batch));
    for (int64_t row = 0; row < kRows + 1; row += 4) {  // an axis of 24 outputs has kRows + 1 cells
      const TaskPosition position = {.batch = 1, .group = groups - 1, .begin = {0, row, 0}};
      const BlockFetch fetch(geometry, axes, position, reinterpret_cast<const char*>(data.data()));
      EXPECT_EQ(LinesTaken(fetch),
                LinesOf(geometry, position, std::max<int64_t>(0, row - 1), std::min(row + 4, kRows), data))
          << "row " << row << (channels_last ? ", channels last" : ", planar");
    }
  }
}

TEST(BlockFetch, FetchTakesTheGivenNumberOfLines) {
  const Geometry geometry = MakeGeometry(false, 1);
  const BlockAxes axes = MakeAxes(geometry, 4);
  std::vector<float> data(static_cast<size_t>(kBatch * geometry.data_strides.batch));
  const auto* bytes = reinterpret_cast<const char*>(data.data());
  BlockFetch all(geometry, axes, {}, bytes);
  BlockFetch fetch = all;
  fetch.Fetch(5);
  for (int i = 0; i < 5; ++i) all.NextLine();
  EXPECT_EQ(fetch.NextLine(), all.NextLine());
  fetch.Fetch(fetch.Lines());
  EXPECT_EQ(fetch.NextLine(), nullptr);
}

TEST(BlockFetch, TakesNoLinesByDefaultOrForGroupsWithChannelsLast) {
  BlockFetch none;
  EXPECT_EQ(none.Lines(), 0);
  EXPECT_EQ(none.NextLine(), nullptr);
  const Geometry grouped = MakeGeometry(true, 2);
  const float data = 0;
  BlockFetch of_groups(grouped, MakeAxes(grouped, 4), {}, reinterpret_cast<const char*>(&data));
  EXPECT_EQ(of_groups.Lines(), 0);
  EXPECT_EQ(of_groups.NextLine(), nullptr);
}

TEST(RunBuffers, NextTaskIsTaskStepAheadOrMinusOne) {
  RunBuffers buffers;
  buffers.tasks = 7;
  EXPECT_EQ(buffers.NextTask(5), 6);
  EXPECT_EQ(buffers.NextTask(6), -1);
  buffers.tasks_until_next = 4;
  EXPECT_EQ(buffers.NextTask(2), 6);
  EXPECT_EQ(buffers.NextTask(3), -1);
}

}  // namespace
}  // namespace deconv
