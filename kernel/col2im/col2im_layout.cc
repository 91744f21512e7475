// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the layout of the algorithm "col2im". It cuts the cells (groups of neighbouring outputs) into blocks, places
// rows of data, products and sums in scratch, and estimates cycles. The products of some rows of data are kept in a
// ring. Example: with 3 taps and stride 2 along y, the shifts are 0 and 1. So an output row needs the products of at
// most two rows of data, and the ring has two rows.
#include "kernel/col2im/col2im_layout.h"

#include <algorithm>

#include "kernel/base/checked.h"
#include "kernel/base/cpu_class.h"
#include "kernel/phased/phased_cost.h"

namespace deconv {
namespace {

// The bytes that the products of the ring should have at most. Products are written once and read once soon after. They
// should stay in the second-level cache (512 KiB on the smaller cores measured), beside weights and data.
constexpr int64_t kProductsBytes = 192 * 1024;
// The most bytes of products if taps with distant data need more rows. These products go through the third-level cache.
constexpr int64_t kMostProductsBytes = 4 * 1024 * 1024;
// The most bytes of a row of data, which is multiplied by all weights of a range of output channels.
constexpr int64_t kPanelBytes = 128 * 1024;
constexpr int64_t kMostScratchBytes = 64 * 1024 * 1024;  // a guess, far above the other limits
constexpr auto kFloatBytes = static_cast<int64_t>(sizeof(float));
// Tasks that a sample should have, so that threads can share them.
constexpr int64_t kWantedTasks = 16;
// Neighbouring blocks both compute the products of the rows and columns at their border. A block has at least
// kLeastBlocks times as many rows (or columns) as it shares with its neighbour, so this is at most about an eighth of
// the work. That blocks keep kLeastColumns columns is a guess.
constexpr int64_t kLeastBlocks = 8;
constexpr int64_t kLeastColumns = 128;
// Limits that keep products of sizes far below 64 bits. Real layers have a small part of them; the numbers are guesses.
constexpr int64_t kMaxInChannels = 65536;
constexpr int64_t kMaxPadded = int64_t{1} << 20;
// At a distance of a multiple of 4 KiB (1024 elements), rows of scratch would share a few sets of the first-level
// cache. So the distance becomes a cache line (16 elements) longer.
constexpr int64_t kAliasElements = 1024;
constexpr int64_t kAliasShift = 16;

int64_t NotAliased(int64_t pitch) { return pitch % kAliasElements == 0 ? pitch + kAliasShift : pitch; }

// Returns how many more positions of data a block reads than it has cells.
int64_t MostShift(const BlockAxis& axis) { return axis.phases.greatest_shift - axis.phases.least_shift; }

// Cuts an axis into blocks of about equal size: at most `most_cells` cells, but never fewer than `least_cells`.
void CutEvenly(BlockAxis& axis, int64_t most_cells, int64_t least_cells) {
  const int64_t blocks =
      std::clamp<int64_t>(DivideUp(axis.phases.cells, std::max<int64_t>(1, most_cells)), 1,
                          std::max<int64_t>(1, axis.phases.cells / std::max<int64_t>(1, least_cells)));
  axis.block_cells = std::max<int64_t>(1, DivideUp(axis.phases.cells, blocks));
  axis.blocks = DivideUp(axis.phases.cells, axis.block_cells);
  axis.padded = PaddedSize(axis);
}

// Returns the number of taps of the phase that has the most.
int64_t MostTaps(const BlockAxis& axis) {
  int64_t most_taps = 0;
  for (const Phase& phase : axis.phases.phases) most_taps = std::max(most_taps, phase.taps);
  return most_taps;
}

// Returns the bytes of the products of one output channel.
int64_t ChannelBytes(const Col2imLayout& layout) { return layout.geometry.taps * layout.tap_pitch * kFloatBytes; }

// Sets the pitches of the products in scratch.
void PlaceProducts(Col2imLayout& layout) {
  const BlockAxis& x = layout.axes[2];
  // SumSources reads and the register tile writes whole vectors, so a row has space for one more vector.
  layout.row_pitch = RoundUp(x.padded + layout.tile.lanes, layout.tile.lanes);
  layout.tap_pitch = NotAliased(layout.ring * layout.row_pitch);
}

// Cuts the axes into blocks and the output channels into ranges.
void CutIntoBlocks(Col2imLayout& layout) {
  auto& [z, y, x] = layout.axes;
  const Geometry& geometry = layout.geometry;
  CutEvenly(z, 1, 1);
  CutEvenly(x, x.phases.cells, 1);
  PlaceProducts(layout);
  if (ChannelBytes(layout) > kProductsBytes || geometry.in_channels * x.padded * kFloatBytes > kPanelBytes) {
    const int64_t column_bytes = std::max<int64_t>(1, geometry.taps * layout.ring * kFloatBytes);
    const int64_t columns = std::min(kProductsBytes / column_bytes, kPanelBytes / (geometry.in_channels * kFloatBytes));
    CutEvenly(x, columns - MostShift(x), std::max(kLeastColumns, kLeastBlocks * MostShift(x)));
    PlaceProducts(layout);
  }
  layout.channel_range =
      std::clamp<int64_t>(kProductsBytes / std::max<int64_t>(1, ChannelBytes(layout)), 1, geometry.out_channels);
  layout.channel_ranges = DivideUp(geometry.out_channels, layout.channel_range);
  layout.channel_range = DivideUp(geometry.out_channels, layout.channel_ranges);
  layout.channel_ranges = DivideUp(geometry.out_channels, layout.channel_range);
  const int64_t other_tasks = std::max<int64_t>(1, geometry.groups * layout.channel_ranges * x.blocks);
  CutEvenly(y, DivideUp(y.phases.cells, std::max<int64_t>(1, kWantedTasks / other_tasks)), kLeastBlocks * MostShift(y));
}

// Returns whether the operator has at most two spatial axes and is within the limits of this file.
bool Fits(const Geometry& geometry, const BlockAxes& axes) {
  const auto& [z, y, x] = axes;
  return IsTrivial(z.axis) && geometry.taps <= kMaxFilterTaps && geometry.in_channels >= 1 &&
         geometry.in_channels <= kMaxInChannels && geometry.out_channels >= 1 &&
         MostTaps(y) * MostTaps(x) <= kMostSources && x.phases.cells + MostShift(x) <= kMaxPadded &&
         MostShift(y) < kMaxPadded;
}

}  // namespace

bool MakeCol2imLayout(const Geometry& geometry, const PhasedTile& tile, Col2imLayout& layout) {
  layout.geometry = geometry;
  layout.tile = tile;
  if (!CollectAxes(geometry, layout.axes) || !Fits(geometry, layout.axes)) return false;
  const auto& [z, y, x] = layout.axes;
  const Checked packed =
      Checked(geometry.taps) * geometry.in_channels * geometry.out_channels * geometry.groups * kFloatBytes;
  if (!packed.Valid() || packed.Value() > PTRDIFF_MAX / 2) return false;
  layout.ring = MostShift(y) + 1;
  // The products of the smallest block are checked with overflow before the other sizes are computed.
  const Checked least_products =
      Checked(geometry.taps) * layout.ring * (std::min(kLeastColumns, x.phases.cells) + MostShift(x));
  if (!least_products.Valid() || least_products.Value() > kMostProductsBytes / kFloatBytes) return false;
  CutIntoBlocks(layout);
  if (ChannelBytes(layout) > kMostProductsBytes) return false;
  // A row of data in scratch has as many positions as a block can read.
  layout.panel_pitch = NotAliased(RoundUp(std::min(x.padded, x.axis.data), tile.lanes));
  layout.sums_pitch = NotAliased(RoundUp(x.block_cells, tile.lanes));
  const int64_t panel = geometry.in_channels * layout.panel_pitch;
  const int64_t products = layout.channel_range * geometry.taps * layout.tap_pitch;
  // A single channel is planar in both memory layouts.
  const int64_t sums_rows = geometry.output_strides.position == 1 ? 1 : layout.channel_range;
  const int64_t sums = static_cast<int64_t>(x.phases.phases.size()) * sums_rows * layout.sums_pitch;
  if ((panel + products + sums) * kFloatBytes > kMostScratchBytes) return false;
  for (int64_t c = 0; c < geometry.in_channels; ++c) layout.channel_offsets.push_back(c * layout.panel_pitch);
  const auto align = [](int64_t elements) {
    return static_cast<size_t>(RoundUp(elements * kFloatBytes, static_cast<int64_t>(kScratchAlignment)));
  };
  layout.products_offset = align(panel);
  layout.sums_offset = layout.products_offset + align(products);
  layout.scratch_bytes = layout.sums_offset + align(sums);
  return true;
}

double Col2imCycles(const Col2imLayout& layout) {
  const Geometry& geometry = layout.geometry;
  const auto& [z, y, x] = layout.axes;
  const auto groups = static_cast<double>(geometry.groups);
  const auto channels = static_cast<double>(geometry.out_channels);
  const auto taps = static_cast<double>(geometry.taps);
  const auto in_channels = static_cast<double>(geometry.in_channels);
  // The rows of data that tasks multiply (rows at borders count twice), and the vectors of a row.
  const double rows = groups * static_cast<double>(x.blocks) *
                      static_cast<double>(y.blocks * std::min(y.block_cells + MostShift(y), y.axis.data));
  const auto vectors = static_cast<double>(DivideUp(std::min(x.padded, x.axis.data), layout.tile.lanes));
  const double multiplied = rows * vectors * channels * taps;
  const double tiles = multiplied / static_cast<double>(layout.tile.rows * layout.tile.vectors);
  // Rows of products that are added to a row of cells.
  const double sources = groups * channels * taps * static_cast<double>(y.phases.cells * x.blocks);
  const auto cells = static_cast<double>(DivideUp(x.block_cells, layout.tile.lanes));
  const double copied = static_cast<double>(layout.channel_ranges) * rows * in_channels;
  const double written = groups * channels * static_cast<double>(geometry.output_positions);
  // Each task clears the padding of its products. Most of a row may be padding.
  const double cleared = groups * channels * taps * static_cast<double>(layout.ring * layout.row_pitch) *
                         static_cast<double>(x.blocks * y.blocks) / static_cast<double>(layout.tile.lanes);
  // To copy a row of data takes 10 cycles, and more for each element. These 10 cycles were fitted to whole layers.
  const Costs& costs = *layout.tile.costs;
  return cleared + layout.tile.product_cycles * multiplied * in_channels + costs.tile_call * tiles +
         sources * (costs.source_row + costs.source_vector * cells) +
         copied * (10 + CopyCycles(geometry, costs) * static_cast<double>(layout.tile.lanes) * vectors) +
         written * StoreCycles(geometry, 1, x.axis.stride, costs);
}

}  // namespace deconv
