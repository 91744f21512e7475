// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the layout of the algorithm "channels": which groups share the lanes of a vector, when data are read in place,
// and how layers are cut into tasks. Also tests which rows are stored together, and in which order weights are read. A
// unit is the one, two or four input channels that a lane multiplies at once.
#include "kernel/channels/channels_layout.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/base/cpu_class.h"
#include "kernel/channels/channels_cost.h"
#include "kernel/channels/channels_steps.h"
#include "kernel/channels/channels_units.h"
#include "kernel/channels/channels_weights.h"
#include "kernel/resolve/resolve.h"
#include "kernel/testing/test_operator.h"

namespace deconv {
namespace {

constexpr Costs kCosts;

// Returns a register tile like that of a target with `lanes` lanes of 32 bits.
ChannelsTile TileOf(int64_t lanes) {
  ChannelsTile tile;
  tile.target = "test";
  tile.supports_depthwise = true;
  tile.lanes = lanes;
  tile.store_lanes = lanes;
  tile.costs = &kCosts;
  tile.product_cycles = 1;
  tile.vectors = 2;
  tile.cells = {0, 12, 6};
  return tile;
}

// An operator of f32 with channels last: data of 56 x 56 positions, 3 x 3 taps, stride 2 and pads of 1. Each group has
// `in_channels` input channels and `out_channels` output channels.
testing::TestOperator GroupedLayer(int64_t groups, int64_t in_channels, int64_t out_channels) {
  testing::TestOperator op;
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = true;
  op.groups = groups;
  op.in_channels = in_channels;
  op.out_channels = out_channels;
  op.data = {56, 56};
  op.kernel = {3, 3};
  op.strides = {2, 2};
  op.dilations = op.pads_begin = op.pads_end = {1, 1};
  op.output_padding = {0, 0};
  return op;
}

Geometry GeometryOf(const testing::TestOperator& op) {
  const testing::PlanRequest request(op);
  Geometry geometry;
  const Status status = Resolve(request.Op(), op.channels_last ? DECONV_NXC : DECONV_NCX, geometry);
  EXPECT_TRUE(status.Ok()) << status.Message();
  return geometry;
}

ChannelsLayout LayoutOf(const testing::TestOperator& op, int64_t lanes) {
  const Geometry geometry = GeometryOf(op);
  ChannelsLayout layout;
  EXPECT_TRUE(MakeChannelsLayout(geometry, TileOf(lanes), layout));
  return layout;
}

// Five output channels take two vectors of 4 lanes or one of 8. Only vectors of 16 lanes would be less than half full.
TEST(ChannelsLayout, RegroupsWhereHalfOfTheLanesWouldBeEmpty) {
  for (const int64_t lanes : {4, 8, 16}) {
    EXPECT_TRUE(LayoutOf(GroupedLayer(4, 5, 2), lanes).IsRegrouped()) << lanes;
    EXPECT_TRUE(LayoutOf(GroupedLayer(32, 2, 1), lanes).IsRegrouped()) << lanes;
    EXPECT_EQ(LayoutOf(GroupedLayer(8, 1, 5), lanes).IsRegrouped(), lanes == 16) << lanes;
    EXPECT_FALSE(LayoutOf(GroupedLayer(8, 4, 13), lanes).IsRegrouped()) << lanes;
  }
}

TEST(ChannelsLayout, DoesNotRegroupOneChannelOneGroupOrPlanarData) {
  const ChannelsLayout depthwise = LayoutOf(GroupedLayer(64, 1, 1), 8);
  EXPECT_TRUE(depthwise.depthwise);
  EXPECT_FALSE(depthwise.IsRegrouped());
  EXPECT_TRUE(depthwise.data.in_place);
  EXPECT_FALSE(LayoutOf(GroupedLayer(1, 5, 2), 8).depthwise);
  testing::TestOperator planar = GroupedLayer(4, 5, 2);
  planar.channels_last = false;
  EXPECT_FALSE(LayoutOf(planar, 8).depthwise);
}

// To copy all 64 input channels of each group would take longer than to leave half of the lanes idle.
TEST(ChannelsLayout, DoesNotRegroupWhereCopyingCostsMore) {
  EXPECT_FALSE(LayoutOf(GroupedLayer(32, 64, 4), 8).IsRegrouped());
}

TEST(ChannelsLayout, CutsSmallLayersIntoTasksForSomeThreads) {
  for (const testing::TestOperator& op :
       {GroupedLayer(4, 5, 2), GroupedLayer(8, 2, 2), GroupedLayer(16, 2, 1), GroupedLayer(64, 1, 1)}) {
    EXPECT_GE(BlockCount(LayoutOf(op, 8).axes), 4) << op.ToString();
  }
  testing::TestOperator half = GroupedLayer(64, 1, 1);
  half.type = DECONV_F16;
  EXPECT_GE(BlockCount(LayoutOf(half, 8).axes), 4);
}

TEST(ChannelsLayout, ReadsNarrowDepthwiseDataInPlaceIfTheTargetWidens) {
  testing::TestOperator op = GroupedLayer(64, 1, 1);
  op.type = DECONV_F16;
  ChannelsTile tile = TileOf(8);
  for (const bool widens : {false, true}) {
    tile.widens_in_place = widens;
    ChannelsLayout layout;
    ASSERT_TRUE(MakeChannelsLayout(GeometryOf(op), tile, layout));
    EXPECT_EQ(layout.data.in_place, widens);
    EXPECT_EQ(layout.data.unit_bytes, widens ? 2 : 4);
    EXPECT_TRUE(layout.store.is_direct);
    EXPECT_EQ(layout.scratch.bytes == 0, widens);
  }
}

// The first and the last cell of each axis meet padding, with 3x3 taps and pads of 1.
TEST(ChannelsLayout, ReadsDataInPlaceWhereFewCellsMeetPadding) {
  testing::TestOperator op = GroupedLayer(1, 16, 16);
  op.strides = {1, 1};
  const auto in_place = [&](const std::vector<int64_t>& data) {
    op.data = data;
    const ChannelsLayout layout = LayoutOf(op, 8);
    EXPECT_EQ(layout.data.copied_units == 0, layout.data.in_place);
    return layout.data.in_place;
  };
  EXPECT_TRUE(in_place({56, 56}));
  EXPECT_TRUE(in_place({16, 16}));
  EXPECT_FALSE(in_place({15, 16}));
  EXPECT_FALSE(in_place({16, 15}));
  op.dilations = op.pads_begin = op.pads_end = {10, 10};
  EXPECT_FALSE(in_place({56, 56})) << "20 of 56 cells meet padding";
  EXPECT_TRUE(in_place({160, 160}));
  op.channels_last = false;
  EXPECT_FALSE(in_place({160, 160}));
  op.channels_last = true;
  op.type = DECONV_F16;
  EXPECT_FALSE(in_place({160, 160})) << "elements are no units";
  op.type = DECONV_F32;
  op.in_channels = 1024;
  EXPECT_FALSE(in_place({160, 160})) << "cells would share a set of the cache";
  op.pads_begin = op.pads_end = {20, 20};
  EXPECT_TRUE(in_place({160, 160})) << "no cell meets padding";
}

// Returns how many groups share a vector of 16 lanes; 0 if the groups cannot share one.
int64_t LaneGroups(const testing::TestOperator& op) {
  ChannelsTile tile = TileOf(16);
  tile.supports_depthwise = false;
  tile.shares_vectors = true;
  ChannelsLayout layout;
  if (!MakeChannelsLayout(GeometryOf(op), tile, layout)) return 0;
  EXPECT_EQ(layout.geometry.groups * layout.lane_groups, op.groups);
  return layout.lane_groups;
}

TEST(ChannelsLayout, AsManyGroupsShareAVectorAsItsLanesHold) {
  EXPECT_EQ(LaneGroups(GroupedLayer(32, 8, 8)), 2);
  EXPECT_EQ(LaneGroups(GroupedLayer(32, 4, 3)), 4);
  EXPECT_EQ(LaneGroups(GroupedLayer(32, 2, 5)), 2) << "3 would fit, but do not divide 32";
  EXPECT_EQ(LaneGroups(GroupedLayer(32, 9, 1)), 0) << "units of two groups do not fit";
  EXPECT_EQ(LaneGroups(GroupedLayer(32, 1, 9)), 0) << "output channels of two groups do not fit";
  EXPECT_EQ(LaneGroups(GroupedLayer(1, 2, 2)), 0);
}

// Units of four channels.
TEST(ChannelsLayout, GroupsOfWholeQuadsShareAVector) {
  ChannelsTile tile = TileOf(16);
  tile.supports_depthwise = false;
  tile.shares_vectors = true;
  tile.depth = 4;
  tile.stores_bytes = true;
  testing::TestOperator op = GroupedLayer(32, 8, 8);
  op.type = DECONV_I8;
  ChannelsLayout layout;
  ASSERT_TRUE(MakeChannelsLayout(GeometryOf(op), tile, layout));
  EXPECT_EQ(layout.lane_groups, 2);
  EXPECT_EQ(layout.lane_units, (std::vector<int32_t>{0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_TRUE(layout.store.is_direct);
  EXPECT_TRUE(layout.tasks.sums_groups_by_tile);
  op.in_channels = 6;
  ChannelsLayout none;
  EXPECT_FALSE(MakeChannelsLayout(GeometryOf(op), tile, none)) << "a unit would hold channels of two groups";
}

// An operator whose filter of 512 x 256 channels does not fit the second-level cache: 4 taps along each axis, stride 2.
testing::TestOperator LargeFilter(std::vector<int64_t> data) {
  testing::TestOperator op = GroupedLayer(1, 512, 256);
  op.data = std::move(data);
  op.kernel.assign(op.data.size(), 4);
  op.strides.assign(op.data.size(), 2);
  op.dilations = op.pads_begin = op.pads_end = std::vector<int64_t>(op.data.size(), 1);
  op.output_padding.assign(op.data.size(), 0);
  return op;
}

TEST(ChannelsLayout, FetchesTheWeightsOfALargeFilterThatFewCellsRead) {
  EXPECT_TRUE(LayoutOf(LargeFilter({4, 4}), 8).panels.fetches_weights);
  EXPECT_TRUE(LayoutOf(LargeFilter({12, 4, 4}), 8).panels.fetches_weights) << "each plane reads them";
  EXPECT_FALSE(LayoutOf(LargeFilter({40, 40}), 8).panels.fetches_weights);
  testing::TestOperator pixel = LargeFilter({1, 1});
  pixel.pads_begin = pixel.pads_end = {0, 0};
  EXPECT_FALSE(LayoutOf(pixel, 8).panels.fetches_weights);
  testing::TestOperator small = LargeFilter({4, 4});
  small.in_channels = 16;
  EXPECT_FALSE(LayoutOf(small, 8).panels.fetches_weights);
}

// Rows that do not fill vectors: panels sum all phases in y.
TEST(ChannelsLayout, PanelsStoreRowsTogetherThatDoNotFillVectors) {
  testing::TestOperator op = GroupedLayer(1, 256, 256);
  op.channels_last = false;
  op.data = {14, 14};
  op.kernel = op.strides = {2, 2};
  op.pads_begin = op.pads_end = {0, 0};
  const ChannelsLayout joined = LayoutOf(op, 16);
  EXPECT_EQ(joined.panels.row_phases, 2);
  EXPECT_TRUE(joined.store.whole_rows);
  const int64_t panel_cells = joined.panels.rows * joined.panels.cells;
  EXPECT_GE(joined.scratch.bytes - joined.scratch.sums_offset,
            static_cast<size_t>(4 * panel_cells * 2 * 16 * kUnitBytes));

  struct {
    const char* reason;
    void (*change)(testing::TestOperator& op);
    bool whole_rows;
  } const others[] = {
      {"rows of half a vector", [](auto& o) { o.data = {14, 4}; }, false},
      {"rows of whole vectors", [](auto& o) { o.data = {14, 16}; }, false},
      {"channels last", [](auto& o) { o.channels_last = true; }, false},
      {"the last cell lacks a phase", [](auto& o) { o.pads_end = {0, 1}; }, false},
      {"the sums are too large", [](auto& o) { o.kernel = o.strides = {8, 2}; }, false},
      {"a row is more than a panel",
       [](auto& o) {
         o.data = {14, 140};
         o.kernel = o.strides = {1, 2};
       },
       false},
      {"a stride of 1 in y", [](auto& o) { o.kernel = o.strides = {1, 2}; }, true},
  };
  for (const auto& other : others) {
    testing::TestOperator changed = op;
    other.change(changed);
    const ChannelsLayout layout = LayoutOf(changed, 16);
    EXPECT_EQ(layout.panels.row_phases, 1) << other.reason;
    EXPECT_EQ(layout.store.whole_rows, other.whole_rows) << other.reason;
  }
}

// Returns all passes of a task in their order, also passes without taps. A pass adds the products of one phase, one
// block of output channels and some units (a kc block) to the sums of a panel. It follows from the phases alone.
std::vector<PassPosition> PassesOfATask(const ChannelsLayout& layout, const TaskBlocks& task, int64_t panels) {
  std::vector<PassPosition> passes;
  const auto& [z, y, x] = layout.axes;
  const auto row_phases = static_cast<size_t>(layout.panels.row_phases);
  for (size_t tz = 0; tz < z.phases.phases.size(); ++tz) {
    for (size_t first_ty = 0; first_ty < y.phases.phases.size(); first_ty += row_phases) {
      for (int64_t panel = 0; panel < panels; ++panel) {
        for (int64_t block = task.first_block; block < task.last_block; ++block) {
          for (size_t ty = first_ty; ty < first_ty + row_phases; ++ty) {
            for (size_t tx = 0; tx < x.phases.phases.size(); ++tx) {
              for (int64_t unit = 0; unit < layout.channels.units; unit += layout.panels.kc) {
                passes.push_back({{tz, ty, tx}, block, unit});
              }
            }
          }
        }
      }
    }
  }
  return passes;
}

// The weights of the pass that NextPass names must be those that the task reads next. Some operators have phases
// without taps, and all have several kc blocks. The weights of all passes must cover the packed blocks without gaps.
TEST(ChannelsWeights, PassesFollowOneAnother) {
  testing::TestOperator empty_phases = LargeFilter({3, 5});
  empty_phases.kernel = {2, 3};
  empty_phases.strides = {3, 4};
  for (const testing::TestOperator& op : {LargeFilter({4, 4}), LargeFilter({2, 3, 2}), empty_phases}) {
    ChannelsLayout layout = LayoutOf(op, 8);
    layout.panels.kc = 200;  // the 512 units form kc blocks of 200, 200 and 112
    const TaskBlocks task = {.group = 0, .first_block = 1, .last_block = 4};
    const size_t phases_of_y = layout.axes[1].phases.phases.size();
    for (const auto& [panels, row_phases] :
         {std::pair(1, size_t{1}), std::pair(3, size_t{1}), std::pair(1, phases_of_y), std::pair(3, phases_of_y)}) {
      layout.panels.row_phases = static_cast<int64_t>(row_phases);
      const std::vector<PassPosition> passes = PassesOfATask(layout, task, panels);
      // The passes of all panels, for one phase in z and one phase in y (or all phases in y).
      const size_t passes_of_rows = passes.size() / (layout.axes[0].phases.phases.size() * (phases_of_y / row_phases));
      std::optional<PassPosition> expected;
      int64_t bytes = 0;
      for (size_t i = 0; i < passes.size(); ++i) {
        if (TapsOfPass(layout, passes[i]) == 0) continue;
        if (expected) {
          EXPECT_EQ(expected->phase, passes[i].phase);
          EXPECT_EQ(expected->block, passes[i].block);
          EXPECT_EQ(expected->unit, passes[i].unit);
        }
        bytes += WeightsOfPass(layout, task, passes[i]).bytes;
        const size_t passes_of_panel = passes_of_rows / static_cast<size_t>(panels);
        const bool is_last_panel = i % passes_of_rows >= passes_of_rows - passes_of_panel;
        expected = NextPass(layout, task, passes[i], is_last_panel);
        EXPECT_TRUE(expected || i + 1 == passes.size() || TapsOfPass(layout, passes.back()) == 0);
      }
      EXPECT_FALSE(expected) << "behind the last pass";
      EXPECT_EQ(bytes, panels *
                           (layout.WeightsBefore(0, layout.Block(4).first_vector) -
                            layout.WeightsBefore(0, layout.Block(1).first_vector)) *
                           layout.tile.weight_bytes);
    }
  }
}

// Two, four and eight threads have the weights 0.5, 0.3 and 0.2, times the share of busy threads.
TEST(ChannelsTasks, EvennessIsTheShareOfBusyThreads) {
  EXPECT_DOUBLE_EQ(ShareOfBusyThreads(4, 1, 1), 0.5 + 0.3 + 0.2 * 0.5);
  EXPECT_DOUBLE_EQ(ShareOfBusyThreads(3, 1, 1), 0.5 * 0.75 + 0.3 * 0.75 + 0.2 * 0.375);
  EXPECT_DOUBLE_EQ(ShareOfBusyThreads(17, 5, 1), 17.0 / 20 * (0.5 + 0.3 + 0.2 / 2)) << "tasks of 5, 5, 5 and 2";
  EXPECT_DOUBLE_EQ(ShareOfBusyThreads(1, 1, 8), 1);
  EXPECT_DOUBLE_EQ(ShareOfBusyThreads(3, 2, 64), 1) << "there are enough tasks";
  EXPECT_DOUBLE_EQ(ShareOfBusyThreads(8, 1, 1, true), 0.7 + 0.3 * 0.5) << "8 and 16 threads";
}

TEST(ChannelsTasks, KeepThreadsBusy) {
  for (const bool channels_last : {false, true}) {
    for (const int64_t size : {14, 24, 33, 56, 70}) {
      testing::TestOperator op = GroupedLayer(1, 64, 64);
      op.channels_last = channels_last;
      op.data = {size, size};
      const ChannelsLayout layout = LayoutOf(op, 8);
      const int64_t rows = layout.axes[1].phases.cells;
      const int64_t repeats = layout.axes[2].blocks * layout.tasks.block_ranges;
      EXPECT_GE(ShareOfBusyThreads(rows, layout.axes[1].block_cells, repeats), 0.7) << size << " " << channels_last;
      // Ranges of channels alone make two tasks.
      if (size == 24 || size == 33) {
        EXPECT_GT(layout.axes[1].blocks, 1) << size << " " << channels_last;
        EXPECT_GE(ShareOfBusyThreads(rows, layout.axes[1].block_cells, repeats), 0.9) << size << " " << channels_last;
      }
    }
  }
}

// Other blocks, panels or kc blocks would change the order of sums or of the packed filter.
TEST(ChannelsTasks, ManyWorkersChangeOnlyRangesOfChannels) {
  int other_ranges = 0;
  for (const int64_t size : {1, 4, 14, 24, 33, 40, 56, 70, 100}) {
    for (const int64_t channels : {64, 300}) {
      testing::TestOperator op = GroupedLayer(1, channels, channels);
      op.channels_last = false;
      op.data = {size, size};
      const ChannelsLayout few = LayoutOf(op, 8);
      ChannelsTile tile = TileOf(8);
      tile.many_workers = true;
      ChannelsLayout many;
      ASSERT_TRUE(MakeChannelsLayout(GeometryOf(op), tile, many));
      other_ranges += many.tasks.block_ranges > few.tasks.block_ranges ? 1 : 0;
      for (size_t a = 0; a < 3; ++a) EXPECT_EQ(many.axes[a].block_cells, few.axes[a].block_cells) << op.ToString();
      EXPECT_EQ(many.panels.rows, few.panels.rows);
      EXPECT_EQ(many.panels.cells, few.panels.cells);
      EXPECT_EQ(many.panels.row_phases, few.panels.row_phases);
      EXPECT_EQ(many.panels.kc, few.panels.kc);
      EXPECT_EQ(ChannelsCycles(many), ChannelsCycles(few));
    }
  }
  EXPECT_GE(other_ranges, 2);  // otherwise the comparisons above would show nothing
}

// Sixteen samples are enough tasks. The estimate and all that the packed filter depends on stay the same.
TEST(ChannelsTasks, ManySamplesAreNotCutIntoRangesOfChannels) {
  testing::TestOperator op = GroupedLayer(1, 256, 256);
  op.channels_last = false;
  op.data = {14, 14};
  op.batch = 1;
  const ChannelsLayout one = LayoutOf(op, 8);
  EXPECT_GT(one.tasks.block_ranges, 1);
  op.batch = 16;
  const ChannelsLayout many = LayoutOf(op, 8);
  EXPECT_EQ(many.tasks.block_ranges, 1);
  EXPECT_EQ(ChannelsCycles(many), ChannelsCycles(one));
  EXPECT_EQ(many.panels.kc, one.panels.kc);
  op.batch = 0;
  EXPECT_EQ(ChannelsCycles(LayoutOf(op, 8)), ChannelsCycles(one));
}

}  // namespace
}  // namespace deconv
