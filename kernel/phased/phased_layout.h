// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a plan of the algorithm "phased": everything that is the same for every run. Blocks, their padded copy
// in scratch, tasks, and where the weights and offsets of each phase lie. There are always three axes (z, y, x);
// missing axes have size 1.
#ifndef DECONV_KERNEL_PHASED_PHASED_LAYOUT_H_
#define DECONV_KERNEL_PHASED_PHASED_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/base/algorithm.h"
#include "kernel/base/block_fetch.h"
#include "kernel/base/blocks.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"
#include "kernel/blocks/block_functions.h"
#include "kernel/blocks/block_layout.h"

namespace deconv {

// The register tile of a target: at most `rows` output channels by `columns` cells.
struct PhasedTile {
  const char* target = nullptr;
  int64_t rows = 0;
  int64_t lanes = 0;
  int64_t columns = 0;
  int64_t vectors = 0;           // vectors of `rows` output channels; 0 if tiles have several widths
  int64_t wanted_blocks = 1;     // blocks of a sample and all groups, where tasks do not share output channels
  int64_t least_reuse = 8;       // such a block has so many cells for each cell that its neighbour copies again
  bool streams = false;          // the target can store around the caches
  bool stores_pairs = false;     // the target can store two phases in x from registers
  const Costs* costs = nullptr;  // the CPU's costs
  CacheSizes caches;             // the CPU's caches
  double product_cycles = 1;     // cycles to multiply and add a vector
  double load_cycles = 2;        // cycles to load a vector of data, mostly across two cache lines
};

struct PhasedLayout;

// The code that a target compiles for one compute type, and that of `blocks` for one element type. `run` is null if the
// target has no code for that type.
struct PhasedKernels {
  PhasedTile tile;
  const BlockFunctions* blocks = nullptr;
  void (*run)(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

struct PhasedLayout : BlockLayout {
  PhasedTile tile;
  const BlockFunctions* blocks = nullptr;  // the target's functions

  // Full tiles of channels may store both phases in x from registers. The outputs are planar and of f32, f16 or
  // bf16. The stride is 2, both phases have as many taps, and rows have whole vectors of cells.
  bool stores_pairs = false;
  bool same_offsets = false;  // the taps of both phases have the same offsets
  double paired_share = 0;    // share of the outputs that are stored so

  // Offsets into the padded block of all taps, phase by phase, in the order of the weights.
  std::vector<int64_t> offsets;

  int64_t task_groups = 1;    // groups that a task sums one by one, for the same block
  int64_t channel_range = 0;  // output channels of a task; a multiple of tile.rows unless it is all
  int64_t channel_ranges = 1;
  size_t scratch_bytes = 0;
};

// The work of a task: its block and first group, the cells of the block, and its range of output channels.
struct PhasedPlace {
  BlockPlace block;
  std::array<int64_t, 3> cells = {};
  int64_t range = 0;
};
// The number of tasks of `batch` samples.
int64_t TaskCountOf(const PhasedLayout& layout, int64_t batch);
// Blocks vary fastest: tasks that are neighbours in time use the same weights.
PhasedPlace PlaceOfTask(const PhasedLayout& layout, int64_t task);
// The data that the thread of `task` copies next. Empty if no task is left, if the block stays the same, or if an
// element of data has too few products to hide its prefetch.
BlockFetch FetchOfNextBlock(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task);

// The shares of register tiles in the vectors of a run of cells. They are even, so that no tile is much narrower than
// others and waits for its own sums.
struct TileShares {
  int64_t tiles = 0;
  int64_t lanes = 0;
  int64_t vectors = 0;   // vectors of a tile
  int64_t wider = 0;     // tiles, the first ones, have one more
  int64_t together = 1;  // tiles whose sums are stored at once

  int64_t Vectors(int64_t tile) const { return vectors + (tile < wider ? 1 : 0); }
  int64_t Column(int64_t tile) const { return (tile * vectors + (tile < wider ? tile : wider)) * lanes; }
};

// Shares the cells among tiles of at most `most` vectors.
TileShares ShareCells(const PhasedLayout& layout, int64_t cells, int64_t most);

// Output channels of the register tile at `done` channels of `all`: full tiles, then 4, 2, 1.
constexpr int64_t TileRows(int64_t done, int64_t all, int64_t full) {
  const int64_t rest = all - done;
  if (rest >= full) return full;
  return rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}

// Sets all members but those of the sums. Returns false if the algorithm does not fit the geometry.
bool MakePhasedLayout(const Geometry& geometry, const PhasedTile& tile, PhasedLayout& layout);
// Reserves scratch for the sums of `rows` rows of each phase in x.
void PlaceSums(PhasedLayout& layout, int64_t rows);

// The code of the target that the algorithm was created for. `floats`: the compute type is f32, also for integers of 8
// bits.
PhasedKernels ChoosePhased(deconv_type type, bool floats, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_LAYOUT_H_
