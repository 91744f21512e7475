// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes a geometry as three axes (z, y, x; missing axes have size 1), each cut into phases and into blocks of
// cells. A cell is `stride` neighbouring outputs of an axis, one of each phase. A block is the cells that a task sums.
// Most algorithms copy the data that a block reads to scratch memory, with zeros as padding: the padded copy of the
// block. All algorithms with vectors use this description.
//
// Example: the axis at the top of phases.h has 3 data elements, 4 cells, and shifts from -1 to 1. Blocks of 2 cells
// need 2 + 1 - (-1) = 4 positions each. Block 0 (cells 0 and 1) reads the positions -1 to 2, so its copy is 0 d0 d1 d2.
// Block 1 (cells 2 and 3) reads the positions 1 to 4, so its copy is d1 d2 0 0.
#ifndef DECONV_KERNEL_BASE_BLOCKS_H_
#define DECONV_KERNEL_BASE_BLOCKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/base/checked.h"
#include "kernel/base/geometry.h"
#include "kernel/base/phases.h"

namespace deconv {

struct BlockAxis {
  Axis axis;
  AxisPhases phases;
  int64_t block_cells = 1;  // cells of a block; the last block of an axis may have fewer
  int64_t blocks = 1;
  int64_t padded = 1;  // data positions that a block reads, PaddedSize()
};
using BlockAxes = std::array<BlockAxis, 3>;

// The most bytes of a block's padded copy. It is read again for each tile of output channels. So it should stay in the
// second-level cache, beside the weights that stream through it. That cache has 512 KiB or 1 MiB on the measured cores.
// On the smallest common ones it has 256 KiB, less than a large copy.
inline constexpr double kBlockBytes = 384 * 1024;
// An algorithm does not fit an operator whose smallest copy needs more bytes. Such a copy has many channels, or the
// padding of large dilations, and fits no cache. The limit itself is a guess.
inline constexpr double kMaxBlockBytes = 64 * 1024 * 1024;
// Algorithms with tables of taps refuse filters with more taps. A guess: no real filter has so many.
inline constexpr int64_t kMaxFilterTaps = 65536;

// Where the work of a task lies: its sample, its first group, and the first cell of its block along each axis.
struct TaskPosition {
  int64_t batch = 0;
  int64_t group = 0;
  std::array<int64_t, 3> begin = {};

  bool operator==(const TaskPosition&) const = default;
};

constexpr int64_t BlockCount(const BlockAxes& axes) { return axes[0].blocks * axes[1].blocks * axes[2].blocks; }

// Splits a task's number into a block and the rest, which is returned: task = rest * BlockCount + block. Sets the first
// cell of the block in `position`, and its cells along each axis. Blocks are counted along the innermost axis first.
int64_t SplitTask(const BlockAxes& axes, int64_t task, TaskPosition& position, std::array<int64_t, 3>& cells);

// The positions of a padded copy that hold data: from `first` to `end` - 1. The others are padding. `origin` is the
// data index of position 0; it may be negative.
struct RealRange {
  int64_t first = 0;
  int64_t end = 0;
  int64_t origin = 0;
};
// Returns the range for the block whose first cell is `begin`; its copy has `extent` positions. In the example at the
// top, block 0 has first = 1, end = 4 and origin = -1.
RealRange RealPositions(const BlockAxis& axis, int64_t begin, int64_t extent);

// Neighbouring cells of an axis with the same valid taps (taps whose data exist). The cells [begin, end) have the valid
// taps [first_tap, end_tap) of a phase.
struct TapRun {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t first_tap = 0;
  int64_t end_tap = 0;
};
// Returns the runs of a phase from the first cell to the last. Example of phases.h, phase 1 with 4 cells and the shifts
// -1, 0, 1: cell 0 has the taps [0, 2), cell 1 has [0, 3), cell 2 has [1, 3), and cell 3 has [2, 3).
std::vector<TapRun> TapRuns(const BlockAxis& axis, const Phase& phase);

// Returns whether an axis changes nothing: it has one data element, one tap and one output.
bool IsTrivial(const Axis& axis);

// Collects the three axes, innermost last. If there are more than three, trivial ones are left out. Returns false if
// more than three remain, or if an axis is too large for a table.
bool CollectAxes(const Geometry& geometry, BlockAxes& axes);

// Returns how many data positions a block of an axis reads, padding included: block_cells + greatest_shift -
// least_shift.
int64_t PaddedSize(const BlockAxis& axis);

// Returns whether an axis of more than `least_cells` cells should be cut into smaller blocks. It should not if the copy
// has more than five times as many positions as cells, as with large dilations. Both halves would copy most of them
// again.
bool IsWorthCutting(const BlockAxis& block, int64_t least_cells);

// Returns how many of the `cells` cells from cell `begin` on have phase t. The last cell may lack later phases.
int64_t CellsOfPhase(const BlockAxis& axis, size_t t, int64_t begin, int64_t cells);

// Returns the number of taps of all phases before (z, y, x). The weights of the phase begin behind them.
int64_t TapsBefore(const BlockAxes& axes, const Phase& z, const Phase& y, const Phase& x);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_BLOCKS_H_
