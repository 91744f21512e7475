// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What "rows" adds to the layout of "phased", whose padded copy, blocks and tasks it shares: which phases a register
// tile holds, and by which steps it reads the data.
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
  int64_t lanes = 0;
  int64_t columns = 0;        // columns of the widest tile
  bool streams = false;       // PhasedTile::streams
  bool stores_pairs = false;  // the target can store two phases in x from registers
  // Pairs also pay with several output channels. With 16 registers a tile of four phases holds one channel, so that
  // each channel loads the data again.
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

// Phases of a register tile that are compiled; others are cut into these.
inline constexpr int64_t kRowsPhases[] = {9, 8, 6, 4, 3, 2, 1};

// One read of data: a vector at `offset` from the cell, for the phases of `mask`.
struct RowsStep {
  int64_t offset = 0;
  uint32_t mask = 0;
};

// The phases [first_x, first_x + x_count) of each of the phases in y of its set, side by side.
struct RowsUnit {
  int64_t first_x = 0;
  int64_t x_count = 0;
  int64_t phases = 0;
  size_t first_step = 0;
  size_t steps = 0;
  size_t first_tap = 0;
  size_t taps = 0;
};

// A phase in z and some in y: rows of outputs that are summed together, all phases in x.
struct RowsSet {
  size_t tz = 0;
  size_t first_ty = 0;
  size_t ty_count = 0;
  size_t first_unit = 0;
  size_t units = 0;
};

// Phases that share a tile: those of `rows` rows of outputs, and of each at most `width` side by side.
struct RowsSharing {
  int64_t rows = 1;
  int64_t width = 1;
};

struct RowsLayout {
  RowsKernels kernels;
  RowsSharing sharing;  // the packed filter lies as the tiles read it
  PhasedLayout base;
  std::vector<RowsSet> sets;
  std::vector<RowsUnit> units;
  std::vector<RowsStep> steps;
  std::vector<TapPlace> places;  // of the filter's taps. Weights lie in the order in which steps and masks meet them
  int64_t out_channels = 0;      // output channels of a group
  int64_t tile_channels = 1;     // output channels of a tile, at most
  int64_t channel_tiles = 1;
  // Tiles store both phases in x from registers. The outputs are planar, and the stride in x is 2.
  bool stores_pairs = false;

  // The first channel of a tile; tiles have even shares.
  int64_t TileChannel(int64_t tile) const {
    const int64_t least = out_channels / channel_tiles;
    const int64_t more = out_channels % channel_tiles;
    return tile * least + (tile < more ? tile : more);
  }
};

// Takes the way to share tiles among phases that has the lowest estimate. Returns false if the algorithm does not fit.
bool MakeRowsLayout(const Geometry& geometry, const RowsKernels& kernels, RowsLayout& layout);

// Estimated cycles of a sample.
double RowsCycles(const RowsLayout& layout);

RowsKernels ChooseRowsF32(deconv_type type, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_ROWS_ROWS_LAYOUT_H_
