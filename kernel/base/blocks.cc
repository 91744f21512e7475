// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the axes of an operator into blocks of cells (blocks.h). Finds the runs of cells with the same valid taps, and
// the positions of a padded block that hold data.
#include "kernel/base/blocks.h"

#include <algorithm>

#include "kernel/base/checked.h"

namespace deconv {

bool IsTrivial(const Axis& axis) {
  return axis.data == 1 && axis.kernel == 1 && axis.output == 1 && axis.pads_begin == 0;
}

int64_t SplitTask(const BlockAxes& axes, int64_t task, TaskPosition& position, std::array<int64_t, 3>& cells) {
  for (size_t a = 3; a-- > 0;) {
    const BlockAxis& axis = axes[a];
    position.begin[a] = task % axis.blocks * axis.block_cells;
    cells[a] = std::min(axis.block_cells, axis.phases.cells - position.begin[a]);
    task /= axis.blocks;
  }
  return task;
}

RealRange RealPositions(const BlockAxis& axis, int64_t begin, int64_t extent) {
  RealRange range;
  range.origin = begin - axis.phases.greatest_shift;
  range.first = std::clamp<int64_t>(-range.origin, 0, extent);
  range.end = std::clamp<int64_t>(axis.axis.data - range.origin, range.first, extent);
  return range;
}

std::vector<TapRun> TapRuns(const BlockAxis& axis, const Phase& phase) {
  // A tap reads data from the cell `shift` on, up to the cell shift + data - 1. A run ends at both bounds.
  const int64_t cells = axis.phases.cells;
  std::vector<int64_t> bounds = {0, cells};
  for (int64_t tap = 0; tap < phase.taps; ++tap) {
    const int64_t shift = phase.first_shift + tap * phase.shift_step;
    for (const int64_t bound : {shift, shift + axis.axis.data}) {
      if (bound > 0 && bound < cells) bounds.push_back(bound);
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<TapRun> runs;
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    TapRun run = {bounds[i], bounds[i + 1], 0, 0};
    // In the first cell, tap j reads data element tap_0_data - j * shift_step, which must be in [0, data).
    const int64_t tap_0_data = run.begin - phase.first_shift;
    const int64_t first_tap = std::max<int64_t>(0, FloorDiv(tap_0_data - axis.axis.data, phase.shift_step) + 1);
    const int64_t end_tap = std::min(phase.taps, FloorDiv(tap_0_data, phase.shift_step) + 1);
    if (first_tap < end_tap) {
      run.first_tap = first_tap;
      run.end_tap = end_tap;
    }
    runs.push_back(run);
  }
  return runs;
}

bool CollectAxes(const Geometry& geometry, BlockAxes& axes) {
  int next = 2;
  for (int a = geometry.axis_count - 1; a >= 0; --a) {
    if (geometry.axis_count > 3 && IsTrivial(geometry.axes[a])) continue;
    if (next < 0) return false;
    axes[static_cast<size_t>(next--)].axis = geometry.axes[a];
  }
  return std::all_of(axes.begin(), axes.end(), [](BlockAxis& b) { return MakePhases(b.axis, b.phases); });
}

bool IsWorthCutting(const BlockAxis& block, int64_t least_cells) {
  return block.block_cells > least_cells && PaddedSize(block) <= 5 * block.block_cells;
}

int64_t PaddedSize(const BlockAxis& axis) {
  return axis.block_cells + axis.phases.greatest_shift - axis.phases.least_shift;
}

int64_t CellsOfPhase(const BlockAxis& axis, size_t t, int64_t begin, int64_t cells) {
  const Axis& a = axis.axis;
  return std::min(cells, DivideUp(a.output - static_cast<int64_t>(t), a.stride) - begin);
}

int64_t TapsBefore(const BlockAxes& axes, const Phase& z, const Phase& y, const Phase& x) {
  const int64_t row = axes[2].axis.kernel;
  const int64_t rows = axes[1].axis.kernel;
  // The phases of an axis have at most as many taps together as its kernel. So the weights of two phases never overlap.
  // Taps that no output uses leave holes.
  return z.taps_before * rows * row + z.taps * (y.taps_before * row + y.taps * x.taps_before);
}

}  // namespace deconv
