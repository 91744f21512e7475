// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the data of the algorithm "channels" into blocks, decides whether a block is copied, and places the copy. A
// block is cells (groups of neighbouring outputs, one of each phase) that one task sums. A unit is the one, two or four
// input channels that a lane multiplies at once.
#include <algorithm>
#include <cstdlib>

#include "kernel/base/checked.h"
#include "kernel/channels/channels_steps.h"
#include "kernel/channels/channels_units.h"

namespace deconv {
namespace {

// Blocks of a depthwise layout are small. The cache must hold only neighbouring rows, which are read again. Blocks
// serve to make tasks.
constexpr double kDepthwiseBlockBytes = 64 * 1024;
constexpr int64_t kDepthwiseBlockCells = 32;
// Data are read in place if at most one cell in kCellsPerPadded reads padding, along each axis. The distance of cells
// must not be a multiple of 4 KiB (kAliasedUnits). All cells would then share one set of the first-level cache.
constexpr int64_t kCellsPerPadded = 8;
constexpr int64_t kAliasedUnits = 1024;

// Returns the size of the padded copy of a block.
double BlockBytes(const ChannelsLayout& layout) {
  double bytes = static_cast<double>(RoundUp(layout.data.cell_units, 4)) * kUnitBytes;
  for (const BlockAxis& axis : layout.axes) bytes *= static_cast<double>(PaddedSize(axis));
  return bytes;
}

// Returns how many cells of an axis have a tap that leaves the data.
int64_t CellsAtPadding(const BlockAxis& axis) {
  const int64_t first = std::max<int64_t>(0, axis.phases.greatest_shift);
  const int64_t last = std::min(axis.phases.cells, axis.axis.data + axis.phases.least_shift);
  return axis.phases.cells - std::max<int64_t>(0, last - first);
}

// Returns whether so few cells have a tap that leaves the data that separate tiles for them take less time than a copy.
// Example: with 3 taps, stride 1 and pads of 1, the first and the last cell have such a tap. 2 of 16 cells are few, 2
// of 15 are not. Measured on Zen 5. Without a copy, f32 layers of kernel/bench/layers.txt with 24 to 8192 cells along
// an axis take 0.93 to 0.98 of the time with a copy. With 16 cells, of which two read padding, both take as long. With
// 8 cells, reading in place takes 1.03 times as long. With 4 to 32 channels, layers without a copy take 0.89 to 1.00 of
// the time in f32, and 0.74 to 1.01 in i8. With 1024 channels of f32, a layer took 1.03 times as long.
bool FewCellsReadPadding(const ChannelsLayout& layout) {
  int64_t at_padding = 0;
  for (const BlockAxis& axis : layout.axes) {
    const int64_t cells = CellsAtPadding(axis);
    if (kCellsPerPadded * cells > axis.phases.cells) return false;
    at_padding += cells;
  }
  const int64_t pitch = layout.geometry.data_strides.position / layout.channels.depth;
  return at_padding == 0 || pitch % kAliasedUnits != 0;
}

// Returns true if data with channels last consist of units already, so that nothing must be converted.
bool UnitsInMemory(const ChannelsLayout& layout) {
  return static_cast<int64_t>(ElementBytes(layout.geometry.type)) * layout.channels.depth == kUnitBytes &&
         layout.geometry.in_channels % layout.channels.depth == 0;
}

}  // namespace

int64_t BlockCells(const ChannelsLayout& layout) {
  return layout.axes[0].block_cells * layout.axes[1].block_cells * layout.axes[2].block_cells;
}

int64_t LeastBlockCells(const ChannelsLayout& layout) {
  return layout.depthwise ? kDepthwiseBlockCells : kMostPanelCells;
}

void CutAxis(BlockAxis& axis, int64_t most_cells) {
  axis.blocks = DivideUp(axis.phases.cells, std::max<int64_t>(1, most_cells));
  axis.block_cells = axis.blocks == 0 ? 1 : DivideUp(axis.phases.cells, axis.blocks);
}

void ChooseCopies(ChannelsLayout& layout) {
  const bool channels_last = layout.geometry.channels_last;
  const bool can_store = layout.depthwise || layout.geometry.type == DECONV_F32 || layout.tile.stores_bytes;
  layout.store.is_direct = channels_last && can_store;
  // If several groups share a vector (lane_groups > 1), the tile loads a whole vector of data for each cell. In place
  // it would read behind the last cell, unless the units of these groups fill exactly one vector.
  const bool fills_vectors = layout.lane_groups == 1 || layout.GroupUnits() == layout.tile.lanes;
  // Without a padded copy, no tap may leave the data. A depthwise layout sums cells in ranges with the same valid taps,
  // so no tap leaves the data. If groups have several channels (IsRegrouped), it still needs the copy, which puts the
  // units into the order of the lanes. Other cells share a tile only with cells of the same valid taps.
  const bool stays_inside = layout.depthwise ? !layout.IsRegrouped() : FewCellsReadPadding(layout);
  const bool can_read = UnitsInMemory(layout) || (layout.depthwise && layout.tile.widens_in_place);
  layout.data.in_place = channels_last && fills_vectors && can_read && stays_inside;
}

bool ChooseChannelsBlocks(ChannelsLayout& layout) {
  auto& [z, y, x] = layout.axes;
  for (BlockAxis& block : layout.axes) CutAxis(block, block.phases.cells);
  double most_bytes = layout.depthwise ? kDepthwiseBlockBytes : kBlockBytes;
  // Two neighbouring blocks both copy the data at their border. So a regrouped layout takes larger blocks, as long as
  // about kWantedChannelsTasks blocks remain.
  if (layout.IsRegrouped()) {
    most_bytes =
        std::clamp(BlockBytes(layout) / static_cast<double>(kWantedChannelsTasks), kDepthwiseBlockBytes, kBlockBytes);
  }
  while (BlockBytes(layout) > most_bytes && BlockCells(layout) >= 2 * LeastBlockCells(layout)) {
    if (IsWorthCutting(z, 1)) {
      CutAxis(z, z.block_cells - 1);
    } else if (IsWorthCutting(y, 1)) {
      CutAxis(y, y.block_cells - 1);
    } else if (IsWorthCutting(x, kMostPanelCells)) {
      CutAxis(x, x.block_cells / 2);
    } else {
      break;
    }
  }
  for (BlockAxis& block : layout.axes) block.padded = PaddedSize(block);
  return layout.data.in_place || BlockBytes(layout) <= kMaxBlockBytes;
}

void PlaceData(ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  ChannelsData& data = layout.data;
  if (data.in_place) {
    data.unit_bytes = static_cast<int64_t>(ElementBytes(layout.geometry.type)) * layout.channels.depth;
    data.cell_pitch = layout.geometry.data_strides.position / layout.channels.depth;
    data.row_pitch = x.axis.data * data.cell_pitch;
    data.plane_pitch = y.axis.data * data.row_pitch;
    return;
  }
  data.unit_bytes = kUnitBytes;
  // The transposition writes four units at a time. At a distance of 1 KiB (256 units), cells would share a few sets of
  // the first-level cache. So each cell gets another cache line (16 units).
  data.cell_pitch = RoundUp(data.cell_units, 4);
  if (data.cell_pitch % 256 == 0) data.cell_pitch += 16;
  data.row_pitch = x.padded * data.cell_pitch;
  data.plane_pitch = y.padded * data.row_pitch;
  data.copied_units = z.padded * data.plane_pitch;
  // The tile reads a whole vector at the last units of the last cell.
  if (layout.depthwise || layout.lane_groups > 1) data.copied_units += layout.tile.lanes;
  data.widened_at = data.copied_units;
  if (layout.IsRegrouped()) data.copied_units += data.cell_channels;
}

bool OffsetsFit(const ChannelsLayout& layout) {
  const std::array<int64_t, 3> pitches = layout.Pitches();
  Checked reach = 0;
  for (size_t a = 0; a < 3; ++a) {
    const AxisPhases& phases = layout.axes[a].phases;
    Checked positions = Checked(phases.cells) + std::abs(phases.least_shift) + std::abs(phases.greatest_shift);
    int64_t longest_step = 0;
    for (const Phase& phase : phases.phases) longest_step = std::max(longest_step, phase.shift_step);
    // Adds one step, because the code also computes an address for a cell without taps: one step before the first tap.
    positions = positions + longest_step;
    reach = reach + positions * pitches[a];
  }
  return (reach * (2 * kUnitBytes)).Valid();
}

}  // namespace deconv
