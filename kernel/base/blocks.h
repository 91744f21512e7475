// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A geometry as three axes (z, y, x; missing axes have size 1), each cut into phases and into blocks of cells. A
// cell is one position of an axis in every phase: `stride` outputs. All algorithms with vectors share this.
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
  int64_t padded = 1;  // data positions that a block reads: block_cells + greatest_shift - least_shift
};
using BlockAxes = std::array<BlockAxis, 3>;

// A block's padded copy is read once per tile of output channels and should stay in the second-level cache (512 KiB and
// 1 MiB on the cores measured, 256 KiB on the smallest common ones) beside the weights that stream through it.
inline constexpr double kBlockBytes = 384 * 1024;
// Beyond this limit, the padding of large dilations or the channels alone no longer fit any cache, and padding gains
// nothing.
inline constexpr double kMaxBlockBytes = 64 * 1024 * 1024;
// Algorithms with tables of taps refuse larger filters.
inline constexpr int64_t kMaxFilterTaps = 65536;

// The position of a task's work: its sample, its group (of several the first) and the first cell of its block per axis.
struct BlockPlace {
  int64_t batch = 0;
  int64_t group = 0;
  std::array<int64_t, 3> begin = {};

  bool operator==(const BlockPlace&) const = default;
};

constexpr int64_t BlockCount(const BlockAxes& axes) { return axes[0].blocks * axes[1].blocks * axes[2].blocks; }

// Splits a task's number into the block (the innermost axis fastest) and its cells per axis. Returns the quotient,
// which numbers sample and group.
int64_t TakeBlock(const BlockAxes& axes, int64_t task, BlockPlace& place, std::array<int64_t, 3>& cells);

// The padded positions of a block that hold data: [first, last) of `extent`. `origin` is the data index of position 0.
struct RealRange {
  int64_t first = 0;
  int64_t last = 0;
  int64_t origin = 0;
};
RealRange RealPositions(const BlockAxis& axis, int64_t begin, int64_t extent);

// Cells [begin, end) of an axis whose valid taps, those that meet data, are the same: [first_tap, last_tap) of a phase.
struct TapRun {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t first_tap = 0;
  int64_t last_tap = 0;
};
std::vector<TapRun> TapRuns(const BlockAxis& axis, const Phase& phase);

// One element, one tap, one output: as if the axis were not there.
bool IsTrivial(const Axis& axis);

// The last three axes that do anything, innermost last. False if there are more, or one is too large for a table.
bool CollectAxes(const Geometry& geometry, BlockAxes& axes);

int64_t PaddedSize(const BlockAxis& axis);

// Whether an axis of more than `least` cells should be cut. A block whose copy is mostly what its far taps reach would
// copy that again for each half: large dilations would cost the square of what they cost.
bool WorthCutting(const BlockAxis& block, int64_t least);

// Cells of a block of `cells` from `begin` that phase t really has: the last cell of an axis may lack the later phases.
int64_t CellsOfPhase(const BlockAxis& axis, size_t t, int64_t begin, int64_t cells);

// Taps of all phases before (z, y, x): where the weights of that phase begin.
int64_t TapsBefore(const BlockAxes& axes, const Phase& z, const Phase& y, const Phase& x);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_BLOCKS_H_
