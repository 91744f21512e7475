// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the layout of the algorithm "channels" step by step, one function for each step. It counts units (the input
// channels that a lane multiplies at once) and vectors of output channels. It cuts the data into blocks and the blocks
// into panels (cells that are summed together), shares them among tasks, and places everything in scratch. Layers such
// as maskrcnn are operators of kernel/bench/layers.txt.
#include "kernel/channels/channels_layout.h"

#include <algorithm>

#include "kernel/base/checked.h"
#include "kernel/channels/channels_cost.h"
#include "kernel/channels/channels_steps.h"
#include "kernel/channels/channels_units.h"

namespace deconv {
namespace {

// A kc block is some units. Every register tile of a panel reads the weights of a kc block again. These weights take a
// quarter of a second-level cache of 1 MiB, and half of it while the next weights are prefetched.
constexpr int64_t kKcBlockBytes = 256 * 1024;
constexpr int64_t kLeastKc = 16;
constexpr int64_t kLeastPanelCells = 32;
// Measured on Zen 3 at 64 and 256 channels: 64 cells are faster than 12, 4 or 2.
constexpr int64_t kDepthwisePanelCells = 64;
// Bytes of the output channels of a cell that a depthwise layout sums before the next cell. With this width, the
// weights of a phase of up to 16 taps stay in half of the first-level cache.
constexpr int64_t kDepthwiseWidthBytes = 1024;
// The sums of a panel should take a small part of the second-level cache, beside the weights of a kc block.
constexpr int64_t kPanelBytes = 128 * 1024;
// Lanes of the narrowest vectors by which rows are stored.
constexpr int64_t kQuadLanes = 4;
// A tile prefetches the weights of the next pass if the filter is larger than the second-level cache and each weight
// has few products. That means kLeastReads to kMostReadsOfLargeFilter products each time that it is read. Measured on
// Zen 3 with 4x4 taps and a stride of 2: 8x6 cells (41 products for a weight) are a tenth faster, 4x4 (12) up to an
// eighth. 3x3 (6) and 2x2 are slower, and 8x8 (56) are as fast. Assumed elsewhere.
constexpr double kLeastReads = 10;

// Returns the number of taps of the phase that has the most; at least 1.
int64_t MostTaps(const ChannelsLayout& layout) {
  int64_t taps = 1;
  for (const BlockAxis& axis : layout.axes) {
    int64_t most_taps = 1;
    for (const Phase& phase : axis.phases.phases) most_taps = std::max(most_taps, phase.taps);
    taps *= most_taps;
  }
  return taps;
}

// Returns how many cells a panel should have, so that its sums take a small part of the cache. A panel of a depthwise
// layout is smaller: it has few weights to share. But its phases of x should read the same data from the cache.
int64_t WantedPanelCells(const ChannelsLayout& layout, int64_t widest) {
  const int64_t cell_bytes = std::max<int64_t>(1, layout.PhasesOfX() * widest * kUnitBytes);
  if (layout.depthwise) return std::clamp<int64_t>(kPanelBytes / cell_bytes, 1, kDepthwisePanelCells);
  return std::clamp(kPanelBytes / cell_bytes, kLeastPanelCells, kMostPanelCells);
}

// Cuts a block into panels of about equal size. Cuts its columns first, and its rows if one row of the panel has fewer
// cells than wanted.
void ChoosePanels(ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  const int64_t vectors = layout.Block(0).vectors;
  const int64_t wanted = WantedPanelCells(layout, vectors * layout.tile.lanes);
  const int64_t panels = std::max<int64_t>(1, DivideUp(x.block_cells, wanted));
  layout.panels.cells = std::max<int64_t>(1, DivideUp(x.block_cells, panels));
  if (!layout.depthwise) {
    // Whole tiles, except in the last panel of a row.
    layout.panels.cells =
        std::min(RoundUp(layout.panels.cells, layout.TileCells(vectors)), std::max<int64_t>(1, x.block_cells));
  }
  const int64_t rows = std::clamp<int64_t>(wanted / layout.panels.cells, 1, std::max<int64_t>(1, y.block_cells));
  layout.panels.rows = DivideUp(y.block_cells, std::max<int64_t>(1, DivideUp(y.block_cells, rows)));
}

// Returns whether a tenth of the lanes would be idle if each row of `row` outputs were stored by itself.
bool RowsLeaveLanesIdle(const ChannelsLayout& layout, int64_t row) {
  int64_t lanes = layout.tile.store_lanes;
  while (lanes > kQuadLanes && row < lanes) lanes /= 2;  // shorter rows are stored by narrower vectors
  return 10 * row <= 9 * RoundUp(row, lanes);
}

// Chooses whether the rows of a panel are stored together. This is possible if the rows follow one another in the
// output. With a stride in y, rows that follow one another belong to several phases. A panel sums all of these phases
// only if lanes would be idle otherwise, because more sums take more of the caches. Measured on Zen 4 in f32: maskrcnn,
// with rows of 28 outputs, takes 0.96 of its time. Where rows fill vectors (dcgan_l2, dcgan_l3, dcgan_l4,
// cyclegan_up1), the medians of eight runs differ by at most 4 %.
void StoreRowsTogether(ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  const int64_t row = x.phases.cells * layout.PhasesOfX();
  const auto row_phases = static_cast<int64_t>(y.phases.phases.size());
  if (layout.store.is_direct || layout.geometry.output_strides.position != 1 || layout.panels.cells < x.phases.cells ||
      x.axis.output != row || y.axis.stride != row_phases) {
    return;
  }
  const int64_t panel_bytes =
      layout.panels.rows * row_phases * row * layout.Block(0).vectors * layout.tile.lanes * kUnitBytes;
  if (row_phases > 1 && (!RowsLeaveLanesIdle(layout, row) || panel_bytes > kPanelBytes)) return;
  layout.panels.row_phases = row_phases;
  layout.store.whole_rows = true;
}

// Cuts the units into kc blocks of about equal size. In a depthwise layout, all units are one kc block.
void ChooseKc(ChannelsLayout& layout) {
  const int64_t widest = layout.Block(0).vectors * layout.tile.lanes;
  const int64_t most_units = std::max(kLeastKc, kKcBlockBytes / (MostTaps(layout) * widest * layout.tile.weight_bytes));
  const int64_t kc_blocks = std::max<int64_t>(1, DivideUp(layout.channels.units, most_units));
  layout.panels.kc =
      layout.depthwise ? layout.channels.units : std::max<int64_t>(1, DivideUp(layout.channels.units, kc_blocks));
}

// Lets as many groups share a vector as fit. Their output channels must fit the lanes of a vector, and so must their
// units of data. The number must divide the number of groups. A unit never holds channels of two groups.
void ShareVectors(ChannelsLayout& layout) {
  Geometry& geometry = layout.geometry;
  const int64_t units = geometry.in_channels / layout.tile.depth;
  const bool whole_units = geometry.in_channels % layout.tile.depth == 0;
  const int64_t most =
      whole_units ? layout.tile.lanes / std::max<int64_t>(1, std::max(units, geometry.out_channels)) : 1;
  int64_t groups = std::clamp<int64_t>(most, 1, geometry.groups);
  while (geometry.groups % groups != 0) --groups;
  layout.lane_groups = groups;
  for (int64_t lane = 0; lane < layout.tile.lanes; ++lane) {
    const int64_t group = std::min(groups - 1, lane / std::max<int64_t>(1, geometry.out_channels));
    layout.lane_units.push_back(static_cast<int32_t>(group * units));
  }
  geometry.groups /= groups;
  geometry.out_channels *= groups;
}

// Sets the operator as the tile sees it: several groups may count as one group (depthwise, lane_groups).
void SetOperator(const Geometry& geometry, const ChannelsTile& tile, bool depthwise, ChannelsLayout& layout) {
  layout.geometry = geometry;
  layout.tile = tile;
  layout.group_channels = geometry.out_channels;
  layout.depthwise = depthwise;
  if (depthwise) {
    layout.geometry.groups = 1;
    layout.geometry.out_channels = geometry.groups * geometry.out_channels;
  } else if (tile.shares_vectors) {
    ShareVectors(layout);
  }
}

// Counts the units of input channels, and the vectors and blocks of output channels, of one group.
void CountChannels(ChannelsLayout& layout) {
  ChannelCounts& channels = layout.channels;
  const int64_t lanes = layout.tile.lanes;
  channels.depth = layout.depthwise ? 1 : layout.tile.depth;
  channels.units = DivideUp(layout.geometry.in_channels, channels.depth);
  channels.vectors = DivideUp(layout.geometry.out_channels, lanes);
  channels.blocks =
      DivideUp(channels.vectors, layout.depthwise ? std::max<int64_t>(1, kDepthwiseWidthBytes / (lanes * kUnitBytes))
                                                  : layout.tile.vectors);
}

// Decides which groups share a task, and how many channels and units a cell has. `geometry` is the operator's own.
void ShareGroups(const Geometry& geometry, ChannelsLayout& layout) {
  const bool whole_units = geometry.in_channels % layout.channels.depth == 0;
  const double panel_bytes = static_cast<double>(layout.geometry.groups) * static_cast<double>(layout.GroupUnits()) *
                             static_cast<double>(kMostPanelCells * kUnitBytes);
  if (geometry.channels_last && whole_units && panel_bytes <= kBlockBytes) {
    layout.tasks.groups = layout.geometry.groups;
  }
  ChannelsData& data = layout.data;
  data.cell_channels =
      geometry.in_channels * (layout.depthwise ? geometry.groups : layout.tasks.groups * layout.lane_groups);
  data.cell_units = layout.depthwise ? layout.channels.units * layout.geometry.out_channels
                                     : DivideUp(data.cell_channels, layout.channels.depth);
}

// Bytes of the packed filter.
Checked PackedBytes(const ChannelsLayout& layout) {
  return Checked(layout.geometry.taps) * layout.channels.units * layout.channels.vectors * layout.tile.lanes *
         layout.geometry.groups * layout.tile.weight_bytes;
}

// Collects the axes. Returns whether the tables of taps and the size of the packed filter are within bounds.
bool FitsTables(ChannelsLayout& layout) {
  const Geometry& geometry = layout.geometry;
  // An operator without input channels does not fit: it has nothing to copy, so no copy would bound a block.
  if (geometry.taps > kMaxFilterTaps || geometry.out_channels < 1 || geometry.in_channels < 1 ||
      !CollectAxes(geometry, layout.axes)) {
    return false;
  }
  const Checked packed = PackedBytes(layout);
  return packed.Valid() && packed.Value() <= PTRDIFF_MAX / 2;
}

// Finds the runs of cells with the same valid taps (taps whose data exist).
void CollectRuns(ChannelsLayout& layout) {
  for (size_t a = 0; a < 3; ++a) {
    for (const Phase& phase : layout.axes[a].phases.phases) {
      layout.runs[a].push_back(TapRuns(layout.axes[a], phase));
    }
  }
}

// Decides whether stores bypass the caches, tiles are summed for all groups in turn, and weights are prefetched.
void ChooseOrder(ChannelsLayout& layout) {
  const Geometry& geometry = layout.geometry;
  const int64_t sample_bytes = geometry.output_strides.batch * static_cast<int64_t>(sizeof(float));
  const bool whole_lines = geometry.out_channels * kUnitBytes % kLineBytes == 0;
  // With one kc block, each output is stored once. In a depthwise layout a cell is stored before the next one begins.
  const bool is_stored_once = layout.panels.kc >= layout.channels.units;
  const bool blocks_are_lines =
      layout.depthwise || layout.Block(0).vectors * layout.tile.lanes * kUnitBytes % kLineBytes == 0;
  layout.store.streams = layout.tile.streams && layout.store.is_direct && geometry.type == DECONV_F32 &&
                         is_stored_once && whole_lines && blocks_are_lines && sample_bytes >= kStreamBytes;
  const int64_t group_bytes =
      MostTaps(layout) * layout.channels.units * layout.channels.vectors * layout.tile.lanes * layout.tile.weight_bytes;
  layout.tasks.sums_groups_by_tile = layout.tasks.groups > 1 && layout.store.is_direct && layout.channels.blocks == 1 &&
                                     group_bytes <= kKcBlockBytes / layout.tasks.block_range;
  const bool is_large = PackedBytes(layout).Value() >= kLargeFilterBytes;
  if (layout.depthwise || layout.tasks.sums_groups_by_tile || !is_large) return;
  const double reads = ReadsOfWeight(layout);
  layout.panels.fetches_weights = reads >= kLeastReads && reads <= kMostReadsOfLargeFilter;
}

// Sets where the sums begin in scratch, and the size of scratch.
void PlaceScratch(ChannelsLayout& layout) {
  const auto align = [](int64_t bytes) {
    return static_cast<size_t>(RoundUp(bytes, static_cast<int64_t>(kScratchAlignment)));
  };
  layout.scratch.sums_offset = align(layout.data.copied_units * kUnitBytes);
  layout.scratch.bytes = layout.scratch.sums_offset;
  if (layout.store.is_direct) return;
  // The transposition reads whole vectors of positions, so it may read behind the last one.
  const int64_t positions =
      layout.panels.rows * layout.panels.row_phases * layout.panels.cells * layout.PhasesOfX() + layout.tile.lanes;
  layout.scratch.bytes += align(positions * layout.Block(0).vectors * layout.tile.lanes * kUnitBytes);
}

// Makes a depthwise layout or another one, step by step. Returns false if the algorithm does not fit the geometry.
bool MakeLayout(const Geometry& geometry, const ChannelsTile& tile, bool depthwise, ChannelsLayout& layout) {
  SetOperator(geometry, tile, depthwise, layout);
  if (tile.shares_vectors && !depthwise && layout.lane_groups == 1) return false;
  CountChannels(layout);
  ShareGroups(geometry, layout);
  if (!FitsTables(layout)) return false;
  ChooseCopies(layout);
  if (!ChooseChannelsBlocks(layout)) return false;
  CollectRuns(layout);
  BalanceBlocks(layout);
  PlaceData(layout);
  if (!OffsetsFit(layout)) return false;
  ChoosePanels(layout);
  StoreRowsTogether(layout);
  ChooseKc(layout);
  ChooseTasks(layout);
  ChooseOrder(layout);
  PlaceScratch(layout);
  return true;
}

}  // namespace

bool MakeChannelsLayout(const Geometry& geometry, const ChannelsTile& tile, ChannelsLayout& layout) {
  const bool may_be_depthwise = tile.supports_depthwise && geometry.channels_last && geometry.groups > 1;
  const bool one_channel = geometry.in_channels == 1 && geometry.out_channels == 1;
  if (may_be_depthwise && one_channel) return MakeLayout(geometry, tile, true, layout);
  if (!MakeLayout(geometry, tile, false, layout)) return false;
  // The depthwise layout is better if at least half of the lanes have no channel, and copying all data costs less.
  if (may_be_depthwise && layout.channels.vectors * tile.lanes >= 2 * geometry.out_channels) {
    ChannelsLayout other;
    if (MakeLayout(geometry, tile, true, other) && ChannelsCycles(other) < ChannelsCycles(layout)) layout = other;
  }
  return true;
}

}  // namespace deconv
