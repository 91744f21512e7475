// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Which groups "channels" sums side by side, by the lanes of a target, and how it cuts such layers into tasks.
#include "kernel/channels_layout.h"

#include "gtest/gtest.h"
#include "kernel/resolve.h"
#include "kernel/testing/problem.h"

namespace deconv {
namespace {

// A register tile as targets with that many 32-bit lanes have it.
ChannelsTile TileOf(int64_t lanes) {
  ChannelsTile tile;
  tile.target = "test";
  tile.depthwise = true;
  tile.lanes = lanes;
  tile.product_cycles = 1;
  tile.vectors = 2;
  tile.cells = {0, 12, 6};
  return tile;
}

testing::Problem Groups(int64_t groups, int64_t in_channels, int64_t out_channels) {
  testing::Problem problem;
  problem.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  problem.channels_last = true;
  problem.groups = groups;
  problem.in_channels = in_channels;
  problem.out_channels = out_channels;
  problem.data = {56, 56};
  problem.kernel = {3, 3};
  problem.strides = {2, 2};
  problem.dilations = problem.pads_begin = problem.pads_end = {1, 1};
  problem.output_padding = {0, 0};
  return problem;
}

ChannelsLayout LayoutOf(const testing::Problem& problem, int64_t lanes) {
  const testing::ProblemOperator op(problem);
  Geometry geometry;
  const Status status = Resolve(op.Op(), problem.channels_last ? DECONV_NXC : DECONV_NCX, geometry);
  EXPECT_TRUE(status.Ok()) << status.Message();
  ChannelsLayout layout;
  EXPECT_TRUE(MakeChannelsLayout(geometry, TileOf(lanes), layout));
  return layout;
}

TEST(ChannelsLayout, RegroupsWhereHalfOfTheLanesWouldBeEmpty) {
  for (const int64_t lanes : {4, 8, 16}) {
    EXPECT_TRUE(LayoutOf(Groups(4, 5, 2), lanes).IsRegrouped()) << lanes;
    EXPECT_TRUE(LayoutOf(Groups(32, 2, 1), lanes).IsRegrouped()) << lanes;
    EXPECT_EQ(LayoutOf(Groups(8, 1, 5), lanes).IsRegrouped(), lanes == 16) << lanes;
    EXPECT_FALSE(LayoutOf(Groups(8, 4, 13), lanes).IsRegrouped()) << lanes;
  }
}

TEST(ChannelsLayout, DoesNotRegroupOneChannelOneGroupOrPlanarData) {
  const ChannelsLayout depthwise = LayoutOf(Groups(64, 1, 1), 8);
  EXPECT_TRUE(depthwise.depthwise);
  EXPECT_FALSE(depthwise.IsRegrouped());
  EXPECT_TRUE(depthwise.in_place);
  EXPECT_FALSE(LayoutOf(Groups(1, 5, 2), 8).depthwise);
  testing::Problem planar = Groups(4, 5, 2);
  planar.channels_last = false;
  EXPECT_FALSE(LayoutOf(planar, 8).depthwise);
}

// Copies of all channels that would take longer than the lanes without one.
TEST(ChannelsLayout, DoesNotRegroupWhereCopyingCostsMore) {
  EXPECT_FALSE(LayoutOf(Groups(32, 64, 4), 8).IsRegrouped());
}

TEST(ChannelsLayout, CutsSmallLayersIntoTasksForSomeThreads) {
  for (const testing::Problem& problem : {Groups(4, 5, 2), Groups(8, 2, 2), Groups(16, 2, 1), Groups(64, 1, 1)}) {
    EXPECT_GE(BlockCount(LayoutOf(problem, 8).axes), 4) << problem.ToString();
  }
  testing::Problem half = Groups(64, 1, 1);
  half.type = DECONV_F16;
  EXPECT_GE(BlockCount(LayoutOf(half, 8).axes), 4);
}

// Where a large filter meets few cells: not one alone, which waits for nothing else, and not many.
TEST(ChannelsLayout, StreamsWeightsThatFewCellsShare) {
  testing::Problem problem = Groups(1, 512, 256);
  problem.kernel = {4, 4};
  problem.data = {4, 4};
  EXPECT_TRUE(LayoutOf(problem, 8).streams_weights);
  problem.data = {1, 1};
  problem.pads_begin = problem.pads_end = {0, 0};
  EXPECT_FALSE(LayoutOf(problem, 8).streams_weights);
  problem.data = {40, 40};
  EXPECT_FALSE(LayoutOf(problem, 8).streams_weights);
  testing::Problem small = Groups(1, 64, 32);
  small.data = {4, 4};
  EXPECT_FALSE(LayoutOf(small, 8).streams_weights);
}

}  // namespace
}  // namespace deconv
