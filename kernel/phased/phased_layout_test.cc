// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the layout of the algorithm "phased": how large blocks are, which rows are joined (summed as one row), and
// which phases are stored from registers. Also tests which block is prefetched while a task runs, and how many groups a
// task sums.
#include "kernel/phased/phased_layout.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/base/cpu_class.h"
#include "kernel/resolve/resolve.h"
#include "kernel/testing/test_operator.h"

namespace deconv {
namespace {

constexpr int64_t kLanes = 16;
constexpr Costs kCosts;

// The register tile of targets with 32 registers of 512 bits.
PhasedTile WideTile() {
  PhasedTile tile;
  tile.target = "test";
  tile.rows = 8;
  tile.lanes = kLanes;
  tile.columns = 6 * kLanes;
  tile.vectors = 3;
  tile.stores_pairs = true;
  tile.costs = &kCosts;
  tile.caches = {.first_level = 32 * 1024, .second_level = 1024 * 1024};
  return tile;
}

// An operator that doubles the number of positions along each axis: stride 2.
testing::TestOperator Upsampling(int64_t in_channels, int64_t out_channels, const std::vector<int64_t>& data,
                                 int64_t kernel) {
  testing::TestOperator op;
  op.in_channels = in_channels;
  op.out_channels = out_channels;
  op.data = data;
  op.kernel.assign(data.size(), kernel);
  op.strides.assign(data.size(), 2);
  op.dilations.assign(data.size(), 1);
  op.pads_begin.assign(data.size(), kernel / 2 - 1);
  op.pads_end = op.pads_begin;
  op.output_padding.assign(data.size(), 0);
  return op;
}

PhasedLayout LayoutOf(const testing::TestOperator& op, const PhasedTile& tile) {
  const testing::PlanRequest request(op);
  Geometry geometry;
  const Status status = Resolve(request.Op(), op.channels_last ? DECONV_NXC : DECONV_NCX, geometry);
  EXPECT_TRUE(status.Ok()) << status.Message();
  PhasedLayout layout;
  EXPECT_TRUE(MakePhasedLayout(geometry, tile, layout));
  ReserveSums(layout, TileRows(0, geometry.out_channels, tile.rows));
  return layout;
}

PhasedLayout LayoutOf(const testing::TestOperator& op) { return LayoutOf(op, WideTile()); }

TEST(PhasedLayout, JoinsRowsThatWasteVectorsOrFillOneOrTwo) {
  EXPECT_TRUE(LayoutOf(Upsampling(8, 8, {6, 14}, 2)).joined_rows);
  EXPECT_TRUE(LayoutOf(Upsampling(8, 8, {6, kLanes}, 2)).joined_rows);
  EXPECT_TRUE(LayoutOf(Upsampling(8, 8, {6, 2 * kLanes}, 2)).joined_rows);
  EXPECT_FALSE(LayoutOf(Upsampling(8, 8, {6, 3 * kLanes}, 2)).joined_rows);
  // Padding lies between the rows, so a vector of joined rows would have cells of two rows.
  EXPECT_FALSE(LayoutOf(Upsampling(8, 8, {6, kLanes}, 4)).joined_rows);
  // "rows" has tiles of several widths, and joins only rows that waste vectors.
  PhasedTile tile = WideTile();
  tile.vectors = 0;
  EXPECT_FALSE(LayoutOf(Upsampling(8, 8, {6, kLanes}, 2), tile).joined_rows);
  EXPECT_TRUE(LayoutOf(Upsampling(8, 8, {6, 14}, 2), tile).joined_rows);
}

TEST(PhasedLayout, StoresPairsOfWholeVectors) {
  const auto stores = [](const testing::TestOperator& op) { return LayoutOf(op).stores_pairs; };
  EXPECT_TRUE(stores(Upsampling(8, 8, {6, 48}, 2)));
  EXPECT_TRUE(stores(Upsampling(8, 8, {6, 48}, 4)));
  EXPECT_TRUE(stores(Upsampling(8, 8, {6, kLanes}, 2)));
  EXPECT_TRUE(stores(Upsampling(8, 8, {kLanes}, 2)));
  EXPECT_FALSE(stores(Upsampling(8, 8, {6, 48}, 3))) << "another number of taps in each phase";
  EXPECT_FALSE(stores(Upsampling(8, 7, {6, 48}, 2))) << "no full tile of channels";
  EXPECT_FALSE(stores(Upsampling(8, 8, {6, 14}, 2))) << "vectors that lie in two rows";
  EXPECT_FALSE(stores(Upsampling(8, 8, {kLanes - 1}, 2))) << "no whole vector";
  testing::TestOperator op = Upsampling(8, 8, {6, 48}, 2);
  op.channels_last = true;
  EXPECT_FALSE(stores(op));
  op = Upsampling(8, 8, {6, 48}, 2);
  op.strides = {2, 3};
  EXPECT_FALSE(stores(op));
  PhasedTile tile = WideTile();
  tile.stores_pairs = false;
  EXPECT_FALSE(LayoutOf(Upsampling(8, 8, {6, 48}, 2), tile).stores_pairs);
}

TEST(PhasedLayout, KnowsWhichOutputsArePairs) {
  const PhasedLayout all = LayoutOf(Upsampling(8, 16, {6, 48}, 2));
  EXPECT_TRUE(all.same_offsets);
  EXPECT_DOUBLE_EQ(all.paired_share, 1);
  const PhasedLayout some = LayoutOf(Upsampling(8, 20, {50}, 4));
  EXPECT_FALSE(some.same_offsets);
  // Whole tiles hold 16 of 20 channels, and whole vectors hold 48 of 50 cells.
  EXPECT_DOUBLE_EQ(some.paired_share, 16.0 / 20 * 48 / 50);
  EXPECT_DOUBLE_EQ(LayoutOf(Upsampling(8, 7, {6, 48}, 2)).paired_share, 0);
}

TEST(PhasedLayout, CutsBlocksWhoseNeighboursCopyLittleAgain) {
  const auto block_cells = [](const PhasedLayout& layout) {
    return layout.axes[0].block_cells * layout.axes[1].block_cells * layout.axes[2].block_cells;
  };
  // Neighbouring blocks copy nothing twice. So blocks have up to 384 cells, but at least 96 KiB and at most 384 KiB.
  EXPECT_EQ(block_cells(LayoutOf(Upsampling(64, 64, {64, 64}, 2))), 256);
  EXPECT_EQ(block_cells(LayoutOf(Upsampling(8, 64, {64, 64}, 2))), 2048);
  EXPECT_EQ(block_cells(LayoutOf(Upsampling(512, 64, {64, 64}, 2))), 128);
  // Neighbouring blocks both copy a row, so only blocks of more than 384 KiB are cut.
  EXPECT_EQ(block_cells(LayoutOf(Upsampling(64, 64, {64, 64}, 4))), 16 * 64);
  // An element of data has few products, so blocks are not cut further.
  EXPECT_EQ(block_cells(LayoutOf(Upsampling(64, 4, {64, 64}, 2))), 16 * 64);
  // A block of one row is cut between columns, into blocks of four widest tiles.
  EXPECT_EQ(LayoutOf(Upsampling(128, 64, {8192}, 4)).axes[2].block_cells, 4 * 6 * kLanes);
}

TEST(PhasedLayout, FetchesTheBlockOfTheNextTask) {
  testing::TestOperator op = Upsampling(128, 64, {4, 256}, 2);
  op.batch = 2;
  const PhasedLayout layout = LayoutOf(op);
  const int64_t blocks = BlockCount(layout.axes);
  ASSERT_GT(blocks, 1);
  const std::vector<float> data(static_cast<size_t>(2 * layout.geometry.data_strides.batch));
  RunBuffers buffers;
  buffers.data = reinterpret_cast<const char*>(data.data());
  buffers.tasks = 2 * blocks * layout.channel_ranges;
  EXPECT_GT(FetchOfNextBlock(layout, buffers, 0).Lines(), 0);
  EXPECT_EQ(FetchOfNextBlock(layout, buffers, buffers.tasks - 1).Lines(), 0) << "no task is left";
  buffers.tasks_until_next = blocks;
  ASSERT_GT(layout.channel_ranges, 1);
  EXPECT_EQ(WorkOfTask(layout, blocks).range, 1);
  EXPECT_EQ(FetchOfNextBlock(layout, buffers, 0).Lines(), 0) << "the same block for other channels";
  op.out_channels = 1;
  buffers.tasks_until_next = 1;
  EXPECT_EQ(FetchOfNextBlock(LayoutOf(op), buffers, 0).Lines(), 0) << "few products";
}

// Channels lie last. A task sums several groups if filters are small, outputs are many, and enough tasks are left.
TEST(PhasedLayout, TasksSumSeveralGroupsOfLargeOutputs) {
  testing::TestOperator op = Upsampling(5, 2, {160, 160}, 4);
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.groups = 12;
  op.channels_last = true;
  const PhasedLayout all = LayoutOf(op);
  EXPECT_EQ(all.task_groups, 12);
  EXPECT_GE(BlockCount(all.axes), 16);
  EXPECT_EQ(TaskCountOf(all, 3), 3 * BlockCount(all.axes));
  EXPECT_EQ(WorkOfTask(all, BlockCount(all.axes)).block.batch, 1);
  EXPECT_EQ(WorkOfTask(all, BlockCount(all.axes)).block.group, 0);
  op.groups = 40;
  const PhasedLayout ranges = LayoutOf(op);
  EXPECT_EQ(ranges.task_groups, 10);
  EXPECT_EQ(TaskCountOf(ranges, 3), 3 * 4 * BlockCount(ranges.axes));
  EXPECT_EQ(WorkOfTask(ranges, 2 * BlockCount(ranges.axes)).block.group, 20);
  op.groups = 12;
  op.channels_last = false;
  const PhasedLayout planar = LayoutOf(op);
  EXPECT_EQ(planar.task_groups, 1);
  EXPECT_EQ(TaskCountOf(planar, 3), 3 * 12 * BlockCount(planar.axes));
  EXPECT_LT(BlockCount(planar.axes), BlockCount(all.axes)) << "a block holds the data of one group";
  op.channels_last = true;
  op.data = {16, 16};
  EXPECT_EQ(LayoutOf(op).task_groups, 1) << "the outputs stay in the caches";
  op.data = {64, 64};
  EXPECT_EQ(LayoutOf(op).task_groups, 1) << "too few tasks would be left";
  op.data = {160, 160};
  op.in_channels = 500;
  EXPECT_EQ(LayoutOf(op).task_groups, 1) << "the filters take the caches";
}

// Checks the operator that Stores.TasksOfSeveralGroupsMatchOnEveryTarget runs, with vectors of any length.
TEST(PhasedLayout, TasksSumSeveralGroupsOfTheTestOfStores) {
  testing::TestOperator op = Upsampling(5, 2, {299, 299}, 3);
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.groups = 3;
  op.channels_last = true;
  op.kernel = {1, 3};
  op.strides = {1, 2};
  op.pads_begin = op.pads_end = {0, 0};
  for (const int64_t lanes : {4, 8, 16}) {
    PhasedTile tile = WideTile();
    tile.lanes = lanes;
    tile.columns = 6 * lanes;
    EXPECT_EQ(LayoutOf(op, tile).task_groups, 3) << lanes;
  }
}

}  // namespace
}  // namespace deconv
