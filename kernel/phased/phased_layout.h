// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a plan of the algorithm "phased": every decision that is the same for all runs of the plan. It holds
// the tasks, the blocks of cells, their padded copy in scratch, and the offset of each tap's data in the copy. A cell
// is neighbouring outputs, one of each phase. There are always three axes (z, y, x); missing axes have size 1.
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

// The register tile of a target (a block of sums that stay in registers): at most `rows` output channels by `columns`
// cells.
struct PhasedTile {
  const char* target = nullptr;
  int64_t rows = 0;           // output channels of a full tile
  int64_t lanes = 0;          // lanes of a vector
  int64_t columns = 0;        // cells of the widest tile
  int64_t vectors = 0;        // vectors of `rows` output channels; 0 if tiles have several widths
  int64_t wanted_blocks = 1;  // blocks of a sample that threads need, if output channels are not cut into tasks
  // Neighbouring blocks both copy some cells. A block that is cut for threads has at least so many cells for each of
  // these cells.
  int64_t least_reuse = 8;
  bool streams = false;          // the target has stores that bypass the caches
  bool stores_pairs = false;     // the target can store two phases in x from registers
  const Costs* costs = nullptr;  // the CPU's costs
  CacheSizes caches;             // the CPU's caches
  double product_cycles = 1;     // cycles to multiply and add a vector
  double load_cycles = 2;        // cycles to load a vector of data, mostly across two cache lines
};

struct PhasedLayout;

// The code of a target: `run` for one compute type, `blocks` for one element type. `run` is null if the target has no
// code for that type.
struct PhasedKernels {
  PhasedTile tile;
  const BlockFunctions* blocks = nullptr;
  void (*run)(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

struct PhasedLayout : BlockLayout {
  PhasedTile tile;
  const BlockFunctions* blocks = nullptr;  // the target's functions

  // True if full tiles of channels store both phases in x from registers. The outputs are planar and of f32, f16 or
  // bf16. The stride is 2, both phases have the same number of taps, and rows have whole vectors of cells.
  bool stores_pairs = false;
  bool same_offsets = false;  // the taps of both phases have the same offsets
  double paired_share = 0;    // share of the outputs that are stored from registers

  // Offsets into the padded block of all taps, phase by phase, in the order of the weights.
  std::vector<int64_t> offsets;

  int64_t task_groups = 1;     // groups that a task sums one by one, for the same block
  int64_t channel_range = 0;   // output channels of a task; a multiple of tile.rows unless it is all
  int64_t channel_ranges = 1;  // tasks that share a block of data
  size_t scratch_bytes = 0;
};

// The work of a task: its block and first group, the cells of the block, and its range of output channels.
struct PhasedTaskWork {
  TaskPosition block;
  std::array<int64_t, 3> cells = {};
  int64_t range = 0;
};
// The number of tasks of `batch` samples.
int64_t TaskCountOf(const PhasedLayout& layout, int64_t batch);
// Returns the work of task number `task`. Blocks vary fastest, so tasks that run after each other use the same weights.
PhasedTaskWork WorkOfTask(const PhasedLayout& layout, int64_t task);
// Returns the data that the thread of `task` will copy next, to be prefetched. The result is empty if no task is left,
// or if the next task has the same block. It is also empty if products are too few to hide the prefetch.
BlockFetch FetchOfNextBlock(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task);

// How the vectors of a run of cells are shared among register tiles. The shares are even: 7 vectors in 3 tiles are 3, 2
// and 2. A much narrower tile would have too few sums to hide the latency of additions.
struct TileShares {
  int64_t tiles = 0;
  int64_t lanes = 0;
  int64_t vectors = 0;   // vectors of a tile
  int64_t wider = 0;     // the first `wider` tiles have one vector more
  int64_t together = 1;  // tiles whose sums are stored at once

  int64_t Vectors(int64_t tile) const { return vectors + (tile < wider ? 1 : 0); }
  int64_t Column(int64_t tile) const { return (tile * vectors + (tile < wider ? tile : wider)) * lanes; }
};

// Shares `cells` cells among tiles of at most `most_vectors` vectors.
TileShares ShareCells(const PhasedLayout& layout, int64_t cells, int64_t most_vectors);

// Returns the output channels of the next register tile after `done` of `all` channels. Example with full = 8: 15
// channels are cut into tiles of 8, 4, 2 and 1.
constexpr int64_t TileRows(int64_t done, int64_t all, int64_t full) {
  const int64_t rest = all - done;
  if (rest >= full) return full;
  return rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}

// Sets all members but those of the sums, which ReserveSums sets. Returns false if the algorithm does not fit the
// geometry.
bool MakePhasedLayout(const Geometry& geometry, const PhasedTile& tile, PhasedLayout& layout);
// Reserves scratch for the sums of `rows` rows (output channels) of each phase in x.
void ReserveSums(PhasedLayout& layout, int64_t rows);

// Returns the code of a target for an element type. `sums_in_f32`: the compute type is f32, also for integers of 8
// bits.
PhasedKernels ChoosePhased(deconv_type type, bool sums_in_f32, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_LAYOUT_H_
