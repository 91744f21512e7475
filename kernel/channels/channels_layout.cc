// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How a geometry is cut for the algorithm "channels".
#include "kernel/channels/channels_layout.h"

#include <algorithm>
#include <cstdlib>

#include "kernel/base/checked.h"
#include "kernel/channels/channels_units.h"

namespace deconv {
namespace {

// The copy of a block of data is read by every block of channels and should stay in the second-level cache (1 MiB on
// the cores measured) beside the weights of a strip.
constexpr double kBlockBytes = 384 * 1024;
constexpr double kMaxBlockBytes = 64 * 1024 * 1024;
// Depthwise nothing but neighbouring rows is read again, and blocks are what tasks are made of.
constexpr double kDepthwiseBlockBytes = 64 * 1024;
constexpr int64_t kDepthwiseBlockCells = 32;
// Weights that every tile of a strip reads again: a quarter of that cache, half where the next are fetched meanwhile.
constexpr int64_t kChunkBytes = 256 * 1024;
constexpr int64_t kLeastChunk = 16;
// A strip of 96 cells reads less than a byte of weights a cycle, which any cache delivers; its sums should not push the
// weights out.
constexpr int64_t kStripCells = 128;
constexpr int64_t kLeastStripCells = 32;
// Measured on Zen 3 at 64 and 256 channels: 64 cells are faster than 12, 4 or 2.
constexpr int64_t kDepthwiseStripCells = 64;
// A sample of the output that takes a good part of a shared cache, whose lines are better written without being read
// first: a quarter faster at 16 MiB on Zen 3.
constexpr int64_t kStreamBytes = 8 * 1024 * 1024;
// A cell's channels that are summed before the next cell's: the weights of a phase of up to 16 taps stay in half of the
// first-level cache.
constexpr int64_t kDepthwiseWidthBytes = 1024;
constexpr int64_t kStripBytes = 128 * 1024;
constexpr int64_t kWantedTasks = 16;
// Regrouped, fitted to whole layers of f32 on Zen 3 and assumed elsewhere: cycles of a vector multiplied and added,
// most of it loads; of copying a unit; of a vector of sums.
constexpr double kRegroupedProductCycles = 1.2;
constexpr double kRegroupedUnitCycles = 1.5;
constexpr double kRegroupedSumsCycles = 5;
// Of a filter that is larger than the second-level cache, with few products for each weight that is read, the next
// weights are fetched while these are multiplied. Measured on Zen 3 with 4x4 taps and a stride of 2: 8x6 cells (41
// products for a weight) a tenth faster, 4x4 (12) up to an eighth; 3x3 (6) and 2x2 slower, 8x8 (56) as fast. Assumed
// elsewhere.
constexpr int64_t kFetchedBytes = 1024 * 1024;
constexpr double kLeastReads = 10;
constexpr double kMostReads = 48;
constexpr int64_t kMaxFilterTaps = 65536;
// Two tasks of a block, for two threads, even where copying its data twice is not worth it.
constexpr double kLeastRanges = 2;

double BlockBytes(const ChannelsLayout& layout) {
  double bytes = static_cast<double>(RoundUp(layout.cell_units, 4)) * kUnitBytes;
  for (const BlockAxis& axis : layout.axes) bytes *= static_cast<double>(PaddedSize(axis));
  return bytes;
}

// As in phased: outermost first, and not where a block's copy would be mostly what its far taps reach.
bool WorthCutting(const BlockAxis& block, int64_t least) {
  return block.block_cells > least && PaddedSize(block) <= 5 * block.block_cells;
}

int64_t BlockCells(const ChannelsLayout& layout) {
  return layout.axes[0].block_cells * layout.axes[1].block_cells * layout.axes[2].block_cells;
}

// Into even blocks of at most that many cells.
void CutAxis(BlockAxis& axis, int64_t most_cells) {
  axis.blocks = DivideUp(axis.phases.cells, std::max<int64_t>(1, most_cells));
  axis.block_cells = axis.blocks == 0 ? 1 : DivideUp(axis.phases.cells, axis.blocks);
}

bool ChooseBlocks(ChannelsLayout& layout) {
  auto& [z, y, x] = layout.axes;
  for (BlockAxis& block : layout.axes) CutAxis(block, block.phases.cells);
  double most = layout.depthwise ? kDepthwiseBlockBytes : kBlockBytes;
  // A copy of what neighbours read, too, takes its time: larger blocks, where that leaves enough of them.
  if (layout.IsRegrouped())
    most = std::clamp(BlockBytes(layout) / static_cast<double>(kWantedTasks), kDepthwiseBlockBytes, kBlockBytes);
  // A block of fewer cells than a strip would stream the weights for too little; depthwise there are few.
  const int64_t least_cells = layout.depthwise ? kDepthwiseBlockCells : kStripCells;
  while (BlockBytes(layout) > most && BlockCells(layout) >= 2 * least_cells) {
    if (WorthCutting(z, 1)) {
      CutAxis(z, z.block_cells - 1);
    } else if (WorthCutting(y, 1)) {
      CutAxis(y, y.block_cells - 1);
    } else if (WorthCutting(x, kStripCells)) {
      CutAxis(x, x.block_cells / 2);
    } else {
      break;
    }
  }
  for (BlockAxis& block : layout.axes) block.padded = PaddedSize(block);
  return layout.in_place || BlockBytes(layout) <= kMaxBlockBytes;
}

// No tap of any cell leaves the data.
bool NoPadding(const BlockAxes& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const BlockAxis& axis) {
    return axis.phases.greatest_shift <= 0 && axis.phases.cells - axis.phases.least_shift <= axis.axis.data;
  });
}

// Channels last are units as they are.
bool UnitsInMemory(const ChannelsLayout& layout) {
  return static_cast<int64_t>(ElementBytes(layout.geometry.type)) * layout.depth == kUnitBytes &&
         layout.geometry.in_channels % layout.depth == 0;
}

// No offset of a tap, in bytes, leaves 64 bits, wherever it begins: in place, distances have no other bound.
bool OffsetsFit(const ChannelsLayout& layout) {
  const std::array<int64_t, 3> pitches = {layout.plane_pitch, layout.row_pitch, layout.cell_pitch};
  Checked reach = 0;
  for (size_t a = 0; a < 3; ++a) {
    const AxisPhases& phases = layout.axes[a].phases;
    Checked positions = Checked(phases.cells) + std::abs(phases.least_shift) + std::abs(phases.greatest_shift);
    int64_t longest_step = 0;
    for (const Phase& phase : phases.phases) longest_step = std::max(longest_step, phase.shift_step);
    // A step more than there are taps: cells that meet none are aimed one before the first.
    positions = positions + longest_step;
    reach = reach + positions * pitches[a];
  }
  return (reach * (2 * kUnitBytes)).Valid();
}

void PlaceData(ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  if (layout.in_place) {
    layout.cell_pitch = layout.geometry.data_strides.position / layout.depth;
    layout.row_pitch = x.axis.data * layout.cell_pitch;
    layout.plane_pitch = y.axis.data * layout.row_pitch;
    return;
  }
  // Transposition writes units by four. Cells a multiple of 1 KiB apart would share a few sets of the first-level
  // cache.
  layout.cell_pitch = RoundUp(layout.cell_units, 4);
  if (layout.cell_pitch % 256 == 0) layout.cell_pitch += 16;
  layout.row_pitch = x.padded * layout.cell_pitch;
  layout.plane_pitch = y.padded * layout.row_pitch;
  layout.copied_units = z.padded * layout.plane_pitch;
  // The last vector of the last cell is read whole.
  if (layout.depthwise) layout.copied_units += layout.tile.lanes;
  layout.widened_at = layout.copied_units;
  if (layout.IsRegrouped()) layout.copied_units += layout.cell_channels;
}

// Of a phase; at least 1.
int64_t MostTaps(const ChannelsLayout& layout) {
  int64_t taps = 1;
  for (const BlockAxis& axis : layout.axes) {
    int64_t most = 1;
    for (const Phase& phase : axis.phases.phases) most = std::max(most, phase.taps);
    taps *= most;
  }
  return taps;
}

void ChooseStrips(ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  const auto phases = static_cast<int64_t>(x.phases.phases.size());
  const int64_t widest = layout.Block(0).vectors * layout.tile.lanes;
  const int64_t cell_bytes = std::max<int64_t>(1, phases * widest * kUnitBytes);
  const int64_t cells = std::clamp(kStripBytes / cell_bytes, kLeastStripCells, kStripCells);
  // Depthwise there are few weights to share; what counts is that the phases of x read the same data.
  const int64_t wanted =
      layout.depthwise ? std::clamp<int64_t>(kStripBytes / cell_bytes, 1, kDepthwiseStripCells) : cells;
  const int64_t strips = std::max<int64_t>(1, DivideUp(x.block_cells, wanted));
  layout.strip_cells = std::max<int64_t>(1, DivideUp(x.block_cells, strips));
  if (!layout.depthwise) {
    // Whole tiles, but for the last strip of a row.
    const int64_t tile_cells = layout.tile.cells[static_cast<size_t>(layout.Block(0).vectors)];
    layout.strip_cells = std::min(RoundUp(layout.strip_cells, tile_cells), std::max<int64_t>(1, x.block_cells));
  }
  layout.strip_rows = std::clamp<int64_t>(wanted / layout.strip_cells, 1, std::max<int64_t>(1, y.block_cells));
  layout.strip_rows = DivideUp(y.block_cells, std::max<int64_t>(1, DivideUp(y.block_cells, layout.strip_rows)));
  layout.chunk = std::max(kLeastChunk, kChunkBytes / (MostTaps(layout) * widest * kUnitBytes));
  const int64_t chunks = std::max<int64_t>(1, DivideUp(layout.units, layout.chunk));
  layout.chunk = layout.depthwise ? layout.units : std::max<int64_t>(1, DivideUp(layout.units, chunks));
}

// Of one unit with one output channel: pairs of a valid tap and a cell.
double ProductsOfUnit(const ChannelsLayout& layout) {
  double products = 1;
  for (const auto& runs_of_phases : layout.runs) {
    double valid = 0;
    for (const std::vector<TapRun>& runs : runs_of_phases) {
      for (const TapRun& run : runs) {
        valid += static_cast<double>(run.end - run.begin) * static_cast<double>(run.last_tap - run.first_tap);
      }
    }
    products *= valid;
  }
  return products;
}

// Products with a weight each time that it is read, which is once a strip.
double ReadsOfWeight(const ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  const int64_t strips =
      z.phases.cells * DivideUp(y.phases.cells, layout.strip_rows) * DivideUp(x.phases.cells, layout.strip_cells);
  return ProductsOfUnit(layout) / static_cast<double>(layout.geometry.taps * std::max<int64_t>(1, strips));
}

// Of copying every block once, by vectors of a cell's units, by quads of cells and units, or, regrouped, one by
// one; nothing in place.
double CopyCycles(const ChannelsLayout& layout) {
  if (layout.in_place) return 0;
  double positions = 1;
  for (const BlockAxis& axis : layout.axes) positions *= static_cast<double>(axis.blocks * axis.padded);
  const auto units = static_cast<double>(layout.cell_units);
  if (layout.IsRegrouped()) return positions * units * kRegroupedUnitCycles;
  return positions * (layout.geometry.channels_last ? 0.2 * units : static_cast<double>(RoundUp(layout.cell_units, 4)));
}

// Of a sample, so that those of a batch are the same ones.
void ChooseTasks(ChannelsLayout& layout) {
  int64_t tasks = layout.geometry.groups / layout.task_groups;
  for (const BlockAxis& block : layout.axes) tasks *= block.blocks;
  const int64_t blocks = layout.task_groups * layout.channel_blocks;
  layout.block_range = blocks;
  // Regrouped, each range would copy all groups for its own.
  if (tasks > 0 && tasks < kWantedTasks && !layout.IsRegrouped()) {
    int64_t ranges = std::min(blocks, DivideUp(kWantedTasks, tasks));
    if (const double copy = CopyCycles(layout); copy > 0) {
      // Each task of a block copies all of its data, for a sixteenth of what summing takes.
      const double sums = layout.tile.product_cycles * ProductsOfUnit(layout) *
                          static_cast<double>(layout.units * layout.channel_vectors * layout.task_groups);
      ranges =
          std::min(ranges, static_cast<int64_t>(std::clamp<double>(sums / (16 * copy), kLeastRanges, kWantedTasks)));
    }
    layout.block_range = DivideUp(blocks, ranges);
  }
  layout.block_ranges = DivideUp(blocks, layout.block_range);
}

// False where the algorithm does not fit.
bool MakeLayout(const Geometry& geometry, const ChannelsTile& tile, bool depthwise, ChannelsLayout& layout) {
  layout.geometry = geometry;
  layout.tile = tile;
  layout.group_channels = geometry.out_channels;
  layout.depthwise = depthwise;
  if (layout.depthwise) {
    layout.geometry.groups = 1;
    layout.geometry.out_channels = geometry.groups * geometry.out_channels;
  }
  layout.depth = layout.depthwise ? 1 : tile.depth;
  layout.units = DivideUp(geometry.in_channels, layout.depth);
  const bool whole_units = geometry.in_channels % layout.depth == 0;
  const double strip_bytes = static_cast<double>(layout.geometry.groups) * static_cast<double>(layout.units) *
                             static_cast<double>(kStripCells * kUnitBytes);
  if (geometry.channels_last && whole_units && strip_bytes <= kBlockBytes) layout.task_groups = layout.geometry.groups;
  layout.cell_channels = geometry.in_channels * (layout.depthwise ? geometry.groups : layout.task_groups);
  layout.cell_units =
      layout.depthwise ? layout.units * layout.geometry.out_channels : DivideUp(layout.cell_channels, layout.depth);
  // Without input channels there is nothing to copy or to multiply: the copy's size would say nothing of the block's.
  if (geometry.taps > kMaxFilterTaps || geometry.out_channels < 1 || geometry.in_channels < 1 ||
      !CollectAxes(geometry, layout.axes))
    return false;
  layout.channel_vectors = DivideUp(layout.geometry.out_channels, tile.lanes);
  layout.channel_blocks = DivideUp(
      layout.channel_vectors,
      layout.depthwise ? std::max<int64_t>(1, kDepthwiseWidthBytes / (tile.lanes * kUnitBytes)) : tile.vectors);
  const Checked packed =
      Checked(geometry.taps) * layout.units * layout.channel_vectors * tile.lanes * layout.geometry.groups * kUnitBytes;
  if (!packed.Valid() || packed.Value() > PTRDIFF_MAX / 2) return false;
  layout.direct_store = geometry.channels_last && geometry.type == DECONV_F32;
  // Depthwise cells sum no tap that leaves the data.
  layout.in_place = geometry.channels_last && UnitsInMemory(layout) &&
                    (layout.depthwise ? !layout.IsRegrouped() : NoPadding(layout.axes));
  if (!ChooseBlocks(layout)) return false;
  for (size_t a = 0; a < 3; ++a) {
    for (const Phase& phase : layout.axes[a].phases.phases) {
      layout.runs[a].push_back(TapRuns(layout.axes[a], phase));
    }
  }
  PlaceData(layout);
  if (!OffsetsFit(layout)) return false;
  ChooseStrips(layout);
  ChooseTasks(layout);
  const int64_t sample_bytes = geometry.output_strides.batch * static_cast<int64_t>(sizeof(float));
  const bool whole_lines = layout.geometry.out_channels * kUnitBytes % kLineBytes == 0;
  layout.stream = layout.depthwise && layout.direct_store && whole_lines && sample_bytes >= kStreamBytes;
  const int64_t group_bytes = MostTaps(layout) * layout.units * layout.channel_vectors * tile.lanes * kUnitBytes;
  layout.groups_in_tile = layout.task_groups > 1 && layout.direct_store && layout.channel_blocks == 1 &&
                          group_bytes <= kChunkBytes / layout.block_range;
  layout.fetches_weights = !layout.depthwise && !layout.groups_in_tile && packed.Value() >= kFetchedBytes &&
                           ReadsOfWeight(layout) >= kLeastReads && ReadsOfWeight(layout) <= kMostReads;
  const auto align = [](int64_t bytes) {
    return static_cast<size_t>(RoundUp(bytes, static_cast<int64_t>(kScratchAlignment)));
  };
  layout.sums_offset = align(layout.copied_units * kUnitBytes);
  layout.scratch_bytes = layout.sums_offset;
  if (!layout.direct_store) {
    const auto phases = static_cast<int64_t>(layout.axes[2].phases.phases.size());
    // Transposition reads whole vectors of positions.
    const int64_t positions = layout.strip_rows * layout.strip_cells * phases + tile.lanes;
    layout.scratch_bytes += align(positions * layout.Block(0).vectors * tile.lanes * kUnitBytes);
  }
  return true;
}

}  // namespace

bool MakeChannelsLayout(const Geometry& geometry, const ChannelsTile& tile, ChannelsLayout& layout) {
  const bool may_be_depthwise = tile.depthwise && geometry.channels_last && geometry.groups > 1;
  const bool one_channel = geometry.in_channels == 1 && geometry.out_channels == 1;
  if (may_be_depthwise && one_channel) return MakeLayout(geometry, tile, true, layout);
  if (!MakeLayout(geometry, tile, false, layout)) return false;
  // At least half of the lanes have no channel, and copying all data costs less.
  if (may_be_depthwise && layout.channel_vectors * tile.lanes >= 2 * geometry.out_channels) {
    ChannelsLayout other;
    if (MakeLayout(geometry, tile, true, other) && ChannelsCycles(other) < ChannelsCycles(layout)) layout = other;
  }
  return true;
}

double ChannelsCycles(const ChannelsLayout& layout) {
  const Geometry& geometry = layout.geometry;
  const auto groups = static_cast<double>(geometry.groups);
  const auto task_groups = static_cast<double>(layout.task_groups);
  const double products = ProductsOfUnit(layout);
  const double copies = static_cast<double>(layout.block_ranges) * CopyCycles(layout) / task_groups;
  double outputs = 1;
  for (const BlockAxis& axis : layout.axes) outputs *= static_cast<double>(axis.axis.output);
  const auto blocks = static_cast<double>(layout.channel_blocks);
  const auto vectors = static_cast<double>(layout.channel_vectors);
  // Fitted to whole layers, none measured apart: 12 for each cell of a tile, 50 for each tile (on Zen 3, where there is
  // one tap and channels are few), 12 for each tap of one; 20 for a cell depthwise.
  double tiles = 0;
  double product_cycles = layout.tile.product_cycles;
  if (layout.IsRegrouped()) {
    tiles = outputs * vectors * kRegroupedSumsCycles;
    product_cycles = kRegroupedProductCycles;
  } else if (layout.depthwise) {
    tiles = blocks * outputs * 20;
  } else {
    const auto tile_cells = static_cast<double>(layout.tile.cells[static_cast<size_t>(layout.Block(0).vectors)]);
    tiles = blocks * (outputs * 12 + (outputs * 50 + products * 12) / tile_cells);
  }
  // By vectors, or by quads of channels.
  const double stores = outputs * (geometry.channels_last ? vectors * (layout.direct_store ? 2.0 : 5.0)
                                                          : static_cast<double>(RoundUp(geometry.out_channels, 4)));
  return groups * (product_cycles * products * static_cast<double>(layout.units) * vectors + tiles + copies + stores);
}

}  // namespace deconv
