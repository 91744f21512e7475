// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a plan of the algorithm "rows". Blocks, padded copy and tasks are those of "phased". This file adds
// which phases (remainders modulo the stride) share a register tile, and which data a tile reads step by step. It also
// cuts output channels into tiles.
#ifndef DECONV_KERNEL_ROWS_ROWS_LAYOUT_H_
#define DECONV_KERNEL_ROWS_ROWS_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/base/pack.h"
#include "kernel/phased/phased_layout.h"

namespace deconv {

struct RowsLayout;

// The code that a target compiles for one element type.
struct RowsKernels {
  const char* target = nullptr;
  int64_t lanes = 0;          // lanes of a vector
  int64_t columns = 0;        // columns of the widest tile
  bool streams = false;       // PhasedTile::streams
  bool stores_pairs = false;  // the target can store two phases in x from registers
  // The tiles that store pairs of phases are fast with several output channels, too. With 16 registers they are not: a
  // tile of four phases holds one channel, so each channel loads the data again.
  bool prefers_pairs = false;
  bool many_workers = false;  // Machine::many_workers
  int64_t most_phases = 0;    // most phases of a tile; all sizes of kRowsPhases up to it are compiled
  int64_t (*channels)(int64_t phases) = nullptr;                   // most channels of a tile with so many phases
  int64_t (*vectors)(int64_t phases, int64_t channels) = nullptr;  // most vectors of such a tile
  const Costs* costs = nullptr;                                    // the CPU's costs
  CacheSizes caches;                                               // the CPU's caches
  const BlockFunctions* blocks = nullptr;                          // the target's functions
  void (*run)(const RowsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

// Register tiles are compiled for these numbers of phases. Other numbers are cut into these: 5 phases into 4 and 1.
inline constexpr int64_t kRowsPhases[] = {9, 8, 6, 4, 3, 2, 1};

// A step of a tile. It loads the data at `offset` elements from each cell, and multiplies them by one tap of each phase
// in `mask`. Bit p of `mask` is phase p of the tile.
struct RowsStep {
  int64_t offset = 0;
  uint32_t mask = 0;
};

// The phases of one register tile: those from first_x to first_x + x_count - 1 in x, for all phases in y of a set
// (RowsSet). Steps and taps are counted through all tiles of the layout.
struct RowsTile {
  int64_t first_x = 0;
  int64_t x_count = 0;
  int64_t phases = 0;
  size_t first_step = 0;
  size_t steps = 0;
  size_t first_tap = 0;
  size_t taps = 0;
};

// Rows of outputs that are summed together: one phase in z, some phases in y, and all phases in x.
struct RowsSet {
  size_t tz = 0;
  size_t first_ty = 0;
  size_t ty_count = 0;
  size_t first_tile = 0;
  size_t tiles = 0;
};

// How many phases share a tile: `rows` phases in y by at most `width` phases in x.
struct RowsSharing {
  int64_t rows = 1;
  int64_t width = 1;
};

struct RowsLayout {
  RowsKernels kernels;
  RowsSharing sharing;  // decides the order of the packed filter
  PhasedLayout base;
  std::vector<RowsSet> sets;
  std::vector<RowsTile> tiles;
  std::vector<RowsStep> steps;
  std::vector<TapPosition> tap_positions;  // of each tap in the packed filter: weights follow in the order of the steps
  int64_t out_channels = 0;                // output channels of a group
  int64_t tile_channels = 1;               // most output channels of a tile
  int64_t channel_tiles = 1;
  // True if tiles store both phases in x from registers. Then the outputs are planar, and the stride in x is 2.
  bool stores_pairs = false;

  // Returns the first channel of a tile. Channels are shared evenly: 7 channels in 3 tiles are 3, 2 and 2.
  int64_t TileChannel(int64_t tile) const {
    const int64_t least_channels = out_channels / channel_tiles;
    const int64_t wider_tiles = out_channels % channel_tiles;
    return tile * least_channels + (tile < wider_tiles ? tile : wider_tiles);
  }
};

// Makes the layout. Chooses the RowsSharing with the lowest estimate. Returns false if the algorithm does not fit.
bool MakeRowsLayout(const Geometry& geometry, const RowsKernels& kernels, RowsLayout& layout);

// Returns the estimated cycles of one sample on one core.
double RowsCycles(const RowsLayout& layout);

// Returns the code of a target for an element type.
RowsKernels ChooseRowsF32(deconv_type type, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_ROWS_ROWS_LAYOUT_H_
