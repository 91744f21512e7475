// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the layout of the algorithm "phased": cuts the data into blocks and tasks, and places the padded copy and the
// sums in scratch. A cell is neighbouring outputs, one of each phase; a block of cells is the work of one task. Layers
// such as fcn8s_up are operators of kernel/bench/layers.txt.
#include "kernel/phased/phased_layout.h"

#include <algorithm>

#include "kernel/base/checked.h"
#include "kernel/phased/phased_cost.h"

namespace deconv {
namespace {

// The sizes of small blocks, in bytes of the copy and in cells. Small blocks leave more of the caches to the weights
// and to the data of the next block, but each block reads all weights again. Measured on Zen 5 with 1 MiB of
// second-level cache: layers whose kernel equals the stride took 0.90 to 0.96 of their time (64 and 128 channels). With
// 256 and 512 channels, blocks of fewer cells are slower.
constexpr double kLeastBlockBytes = 96 * 1024;
constexpr double kMostCells = 384;
// The least output channels, and products of an element of data, that hide the prefetch of the element (HidesFetches).
constexpr int64_t kLeastFetchChannels = 8;
constexpr int64_t kLeastFetchProducts = 128;
// kWantedTasks tasks are enough to share among the cores of a socket. A task copies its block; with fewer channels than
// kMinChannelRange the copy would take too large a part of its time.
constexpr int64_t kWantedTasks = 16;
constexpr int64_t kMinChannelRange = 32;

// The sums of so many vectors of cells are stored at once, or of as many as stay in half of the first-level cache.
// Measured on Zen 3: if the sums of each register tile were stored by themselves, depthwise layers took 1.4 to 1.5
// times as long. On Zen 5, layers took 0.95 to 1.08 of their time with 24 KiB instead of 16 KiB.
constexpr int64_t kVectorsTogether = 24;

// The most groups of a task. With channels last, cells of output and data hold the channels of all groups. A task that
// sums several groups of a block finds data and outputs in the caches again. For 64x64x64 cells by 4 groups of 5 and 2
// channels, that takes 0.62 of the time of a task for each group (f32, Zen 5). The filter must take a small part of the
// caches, and enough tasks must be left. If the outputs of a sample are small, they stay in the caches without this.
constexpr int64_t kMostTaskGroups = 16;
constexpr double kMostFilterBytes = 64 * 1024;

// Returns the bytes of a block's padded copy: all input channels, and a mask of the real data.
double BlockBytes(const PhasedLayout& layout) {
  double bytes = static_cast<double>(layout.geometry.in_channels + 1) * static_cast<double>(layout.compute_bytes);
  for (const BlockAxis& axis : layout.axes) bytes *= static_cast<double>(PaddedSize(axis));
  return bytes;
}

// The least columns that a cut along x leaves in a block: those of four of the widest tiles.
int64_t LeastColumns(const PhasedLayout& layout) { return 4 * layout.tile.columns; }
// Returns the columns of a block that is cut in two along x.
int64_t HalfOfColumns(const PhasedLayout& layout) {
  const int64_t half = (layout.axes[2].block_cells + 1) / 2;
  return std::max(LeastColumns(layout), RoundUp(half, layout.tile.columns));
}

// Returns how many positions of an axis a block and its neighbour both copy.
int64_t CopiedAgain(const BlockAxis& block) { return PaddedSize(block) - block.block_cells; }

// Returns whether the products of an element of data take much longer than its prefetch. Measured on Zen 5: with 6 to
// 18 products, layers took 1.1 to 1.2 times as long with prefetches and small blocks.
bool HidesFetches(const Geometry& geometry) {
  return geometry.out_channels >= kLeastFetchChannels && geometry.out_channels * geometry.taps >= kLeastFetchProducts;
}

// Returns the most bytes of a block. The blocks of all groups of a task have at most kBlockBytes together. Blocks stay
// larger if neighbours would copy too much twice.
double MostBlockBytes(const PhasedLayout& layout) { return kBlockBytes / static_cast<double>(layout.task_groups); }

// Returns the size of a block above which it is cut if neighbours then copy little twice.
double WantedBlockBytes(const PhasedLayout& layout) {
  if (!HidesFetches(layout.geometry)) return MostBlockBytes(layout);
  const auto channels = static_cast<double>(layout.geometry.in_channels + 1);
  return std::clamp(kMostCells * channels * static_cast<double>(layout.compute_bytes), kLeastBlockBytes, kBlockBytes);
}

// Halves planes and rows until blocks are small, and until threads have enough blocks (tile.wanted_blocks). Then halves
// the columns of blocks of one row. Neighbouring blocks both copy some cells: at most a 32nd of a block. If threads
// need more blocks, tile.least_reuse limits this part, for example to an eighth. On Zen 5, with at most an eighth,
// fcn8s_up takes no longer with four blocks than with two.
void CutFurther(PhasedLayout& layout) {
  const double wanted_bytes = WantedBlockBytes(layout);
  const auto blocks = [&] {
    int64_t count = layout.geometry.groups / layout.task_groups;
    for (const BlockAxis& axis : layout.axes) count *= DivideUp(axis.phases.cells, axis.block_cells);
    return count;
  };
  auto& [z, y, x] = layout.axes;
  const auto too_large = [&](const BlockAxis& block, int64_t half) {
    return BlockBytes(layout) > wanted_bytes && 32 * CopiedAgain(block) <= half;
  };
  for (BlockAxis* block : {&z, &y}) {
    while (block->block_cells > 1) {
      const int64_t half = (block->block_cells + 1) / 2;
      const bool too_few =
          blocks() < layout.tile.wanted_blocks && layout.tile.least_reuse * CopiedAgain(*block) <= half;
      if (!too_large(*block, half) && !too_few) break;
      block->block_cells = half;
    }
  }
  while (z.block_cells == 1 && y.block_cells == 1 && x.block_cells > LeastColumns(layout) &&
         x.phases.cells >= 4 * LeastColumns(layout)) {
    const int64_t half = HalfOfColumns(layout);
    if (!too_large(x, half)) break;
    x.block_cells = half;
  }
}

// Cuts the axes into blocks. Returns false if a block stays too large. The outermost axis is cut first, because then
// the fewest rows are copied twice, and rows stay long.
bool CutIntoBlocks(PhasedLayout& layout) {
  for (BlockAxis& block : layout.axes) block.block_cells = block.phases.cells;
  while (BlockBytes(layout) > MostBlockBytes(layout)) {
    auto& [z, y, x] = layout.axes;
    if (IsWorthCutting(z, 1)) {
      z.block_cells = (z.block_cells + 1) / 2;
    } else if (IsWorthCutting(y, 1)) {
      y.block_cells = (y.block_cells + 1) / 2;
    } else if (IsWorthCutting(x, LeastColumns(layout))) {
      x.block_cells = HalfOfColumns(layout);
    } else {
      break;
    }
  }
  CutFurther(layout);
  for (BlockAxis& block : layout.axes) {
    block.blocks = (block.phases.cells + block.block_cells - 1) / block.block_cells;
    block.padded = PaddedSize(block);
  }
  return BlockBytes(layout) <= kMaxBlockBytes;
}

// Returns how many groups a task may sum: 1, or the greatest allowed divisor of the number of groups.
int64_t MostTaskGroups(const Geometry& geometry, size_t compute_bytes) {
  const double filter_bytes = static_cast<double>(geometry.groups * geometry.in_channels * geometry.out_channels) *
                              static_cast<double>(geometry.taps) * static_cast<double>(compute_bytes);
  if (!geometry.channels_last || filter_bytes > kMostFilterBytes || OutputsStay(geometry)) return 1;
  int64_t groups = std::clamp<int64_t>(geometry.groups, 1, kMostTaskGroups);
  while (geometry.groups % groups != 0) --groups;
  return groups;
}

// Cuts the data into blocks for tasks of several groups. If these are too few tasks, cuts them for tasks of one group.
bool ChooseGroupsAndCut(PhasedLayout& layout) {
  const Geometry& geometry = layout.geometry;
  layout.task_groups = MostTaskGroups(geometry, layout.compute_bytes);
  if (!CutIntoBlocks(layout)) return false;
  if (layout.task_groups == 1 || geometry.groups / layout.task_groups * BlockCount(layout.axes) >= kWantedTasks) {
    return true;
  }
  layout.task_groups = 1;
  return CutIntoBlocks(layout);
}

// Sets the pitches of the padded copy, and decides whether rows are joined. Neighbouring rows share their zeros.
// Example: rows of 4 elements have 2 zeros before and 1 behind. Then the rows a and b are 0 0 a a a a 0 0 b b b b 0, so
// the pitch is 6, not 7.
void PlaceRows(PhasedLayout& layout) {
  const BlockAxis& x = layout.axes[2];
  int64_t shared = 0;
  if (x.blocks == 1) {
    const int64_t front = std::clamp<int64_t>(x.phases.greatest_shift, 0, x.padded);
    const int64_t back = std::clamp<int64_t>(x.padded - x.phases.greatest_shift - x.axis.data, 0, x.padded - front);
    shared = std::min(front, back);
  }
  layout.row_pitch = x.padded - shared;
  layout.zero_tail = shared;
  layout.room = layout.tile.columns;
  layout.plane_pitch = layout.axes[1].padded * layout.row_pitch;
  layout.channel_pitch = layout.axes[0].padded * layout.plane_pitch;
  layout.padded_elements = (layout.geometry.in_channels + 1) * layout.channel_pitch + layout.zero_tail + layout.room;
  // A row by itself wastes the rest of its last vector. Joined rows waste the padding between them. If rows share many
  // zeros (taps with far shifts), a row of cells may be longer than the pitch. Such rows are not joined, because the
  // end of one row would be the begin of the next. "rows" has tile.vectors = 0 and joins rows only to save vectors.
  const bool fewer_vectors = layout.row_pitch < RoundUp(x.block_cells, layout.tile.lanes);
  // Rows of so few whole vectors that they do not fill a tile are joined, too.
  const bool wider_tiles = layout.row_pitch == x.block_cells && x.block_cells > 0 &&
                           x.block_cells % layout.tile.lanes == 0 &&
                           x.block_cells < layout.tile.vectors * layout.tile.lanes;
  layout.joined_rows =
      layout.axes[1].block_cells > 1 && layout.row_pitch >= x.block_cells && (fewer_vectors || wider_tiles);
}

// Computes the offset of each tap's data in the padded copy, phase by phase. Along x, a tap with the greatest shift has
// the offset 0, and a tap whose shift is smaller by 1 has the offset 1.
void PlaceOffsets(PhasedLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  layout.offsets.assign(static_cast<size_t>(z.axis.kernel * y.axis.kernel * x.axis.kernel), 0);
  for (const Phase& pz : z.phases.phases) {
    for (const Phase& py : y.phases.phases) {
      for (const Phase& px : x.phases.phases) {
        auto at = static_cast<size_t>(TapsBefore(layout.axes, pz, py, px));
        for (int64_t i = 0; i < pz.taps * py.taps * px.taps; ++i) {
          const int64_t tz = i / (py.taps * px.taps);
          const int64_t ty = i / px.taps % py.taps;
          const int64_t tx = i % px.taps;
          const int64_t dz = z.phases.greatest_shift - (pz.first_shift + tz * pz.shift_step);
          const int64_t dy = y.phases.greatest_shift - (py.first_shift + ty * py.shift_step);
          const int64_t dx = x.phases.greatest_shift - (px.first_shift + tx * px.shift_step);
          layout.offsets[at++] = dz * layout.plane_pitch + dy * layout.row_pitch + dx;
        }
      }
    }
  }
}

// Cuts the output channels into ranges if there are too few blocks for the threads.
void ChooseTasks(PhasedLayout& layout) {
  const Geometry& geometry = layout.geometry;
  int64_t tasks = geometry.batch * (geometry.groups / layout.task_groups);
  for (const BlockAxis& block : layout.axes) tasks *= block.blocks;
  layout.channel_range = geometry.out_channels;
  if (tasks > 0 && tasks < kWantedTasks && geometry.out_channels > kMinChannelRange) {
    const int64_t ranges = (kWantedTasks + tasks - 1) / tasks;
    layout.channel_range =
        RoundUp(std::max(kMinChannelRange, (geometry.out_channels + ranges - 1) / ranges), layout.tile.rows);
  }
  layout.channel_range = std::max<int64_t>(1, std::min(layout.channel_range, geometry.out_channels));
  layout.channel_ranges = (geometry.out_channels + layout.channel_range - 1) / layout.channel_range;
}

// Decides whether pairs of phases are stored from registers.
void PlacePairs(PhasedLayout& layout) {
  const BlockAxis& x = layout.axes[2];
  const std::vector<Phase>& phases = x.phases.phases;
  const Geometry& geometry = layout.geometry;
  const int64_t lanes = layout.tile.lanes;
  const bool is_planar = geometry.output_strides.position == 1;
  if (!layout.tile.stores_pairs || !is_planar || x.axis.stride != 2 || phases.size() != 2) return;
  if (phases[0].taps != phases[1].taps) return;
  layout.same_offsets = phases[0].first_shift == phases[1].first_shift;
  // If the phases have different offsets, rows of a single vector are left out. A tile of pairs has half as many
  // channels, so it loads twice as many vectors of data for each product.
  const int64_t least_cells = layout.same_offsets ? lanes : lanes + 1;
  // If joined rows are not whole vectors, a vector of cells may lie in two rows.
  const bool whole_vectors = layout.joined_rows ? layout.row_pitch % lanes == 0 : x.block_cells >= least_cells;
  layout.stores_pairs = whole_vectors && geometry.out_channels >= layout.tile.rows;
  if (!layout.stores_pairs) return;
  const auto share = [](int64_t all, int64_t unit) {
    return static_cast<double>(all / unit * unit) / static_cast<double>(all);
  };
  layout.paired_share = share(geometry.out_channels, layout.tile.rows) * share(x.block_cells, lanes);
}

}  // namespace

bool MakePhasedLayout(const Geometry& geometry, const PhasedTile& tile, PhasedLayout& layout) {
  layout.geometry = geometry;
  layout.tile = tile;
  layout.compute_bytes = ElementBytes(geometry.type) == 8 ? 8 : 4;
  if (geometry.taps > kMaxFilterTaps || !CollectAxes(geometry, layout.axes)) return false;
  // The bytes of the packed filter, with elements of the largest compute type.
  const Checked packed = Checked(geometry.taps) * geometry.in_channels * geometry.out_channels * geometry.groups * 8;
  if (!packed.Valid()) return false;
  if (!ChooseGroupsAndCut(layout)) return false;
  PlaceRows(layout);
  PlaceOffsets(layout);
  ChooseTasks(layout);
  return true;
}

void ReserveSums(PhasedLayout& layout, int64_t rows) {
  const auto align = [](int64_t bytes) {
    return static_cast<size_t>(RoundUp(bytes, static_cast<int64_t>(kScratchAlignment)));
  };
  const auto element = static_cast<int64_t>(layout.compute_bytes);
  const int64_t lanes = layout.tile.lanes;
  const auto phases = static_cast<int64_t>(layout.axes[2].phases.phases.size());
  const int64_t cell_bytes = phases * rows * element;
  const int64_t most_bytes = layout.tile.caches.first_level / 2;
  const int64_t vectors_in_cache = most_bytes / (cell_bytes * lanes);
  layout.sum_pitch = lanes * std::max(layout.tile.columns / lanes, std::min(vectors_in_cache, kVectorsTogether));
  const bool is_planar = layout.geometry.output_strides.position == 1;
  const auto output_element = static_cast<int64_t>(ElementBytes(layout.geometry.type));
  const int64_t row_bytes = layout.axes[2].axis.output * output_element;
  const int64_t sample_bytes = layout.geometry.output_strides.batch * output_element;
  layout.streams_outputs = layout.tile.streams && is_planar && layout.compute_bytes == sizeof(float) &&
                           layout.axes[2].axis.stride <= kMostPartStride && row_bytes % kLineBytes == 0 &&
                           sample_bytes >= kStreamBytes;
  layout.fetches_outputs = is_planar && cell_bytes * layout.sum_pitch <= most_bytes;
  PlacePairs(layout);
  layout.scratch_bytes = align(layout.padded_elements * element) + align(cell_bytes * layout.sum_pitch);
}

int64_t TaskCountOf(const PhasedLayout& layout, int64_t batch) {
  return batch * (layout.geometry.groups / layout.task_groups) * layout.channel_ranges * BlockCount(layout.axes);
}

PhasedTaskWork WorkOfTask(const PhasedLayout& layout, int64_t task) {
  PhasedTaskWork work;
  task = SplitTask(layout.axes, task, work.block, work.cells);
  if (layout.channel_ranges > 1) {  // without this test, the division makes the smallest layers slower
    work.range = task % layout.channel_ranges;
    task /= layout.channel_ranges;
  }
  const int64_t group_ranges = layout.geometry.groups / layout.task_groups;
  work.block.group = task % group_ranges * layout.task_groups;
  work.block.batch = task / group_ranges;
  return work;
}

BlockFetch FetchOfNextBlock(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task) {
  const int64_t next = HidesFetches(layout.geometry) ? buffers.NextTask(task) : -1;
  if (next < 0) return {};
  const TaskPosition position = WorkOfTask(layout, next).block;
  if (position == WorkOfTask(layout, task).block) return {};
  return {layout.geometry, layout.axes, position, buffers.data};
}

TileShares ShareCells(const PhasedLayout& layout, int64_t cells, int64_t most_vectors) {
  const int64_t vectors = DivideUp(cells, layout.tile.lanes);
  TileShares shares;
  shares.tiles = std::max<int64_t>(1, DivideUp(vectors, most_vectors));
  shares.vectors = vectors / shares.tiles;
  shares.wider = vectors - shares.tiles * shares.vectors;
  shares.together = layout.sum_pitch / (most_vectors * layout.tile.lanes);
  shares.lanes = layout.tile.lanes;
  return shares;
}

}  // namespace deconv
