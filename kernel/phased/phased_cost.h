// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates the time of the algorithm "phased" in cycles of one core. "rows" and "col2im" use the estimates of copies
// and stores, too.
#ifndef DECONV_KERNEL_PHASED_PHASED_COST_H_
#define DECONV_KERNEL_PHASED_PHASED_COST_H_

#include <cstdint>

#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"
#include "kernel/phased/phased_layout.h"

namespace deconv {

// Returns whether the outputs of a sample are so small that they stay in the caches until all groups are stored.
bool OutputsStay(const Geometry& geometry);

// Counts register tiles (blocks of sums in registers) of one to three output channels, if there are more channels than
// that. With channels last, the outputs of such tiles cannot be stored by four channels at a time.
struct NarrowTiles {
  double tiles = 0;
  double channels = 0;  // channels of all these tiles

  // Counts `count` tiles of `height` channels, if there are `all` channels.
  void Add(int64_t count, int64_t height, int64_t all) {
    if (height == 0 || height >= 4 || height == all) return;
    tiles += static_cast<double>(count);
    channels += static_cast<double>(count) * static_cast<double>(height);
  }
};

// Returns the cycles to copy the data and to store the outputs of a sample.
double PaddedCycles(const PhasedLayout& layout, const NarrowTiles& narrow);
// Returns the cycles to copy an element of data.
double CopyCycles(const Geometry& geometry, const Costs& costs);
// Returns the cycles to store an output. `task_groups`: groups of a task. `stride`: the stride in x.
double StoreCycles(const Geometry& geometry, int64_t task_groups, int64_t stride, const Costs& costs);
// Returns the cycles of a sample.
double PhasedCycles(const PhasedLayout& layout);
// Returns the number of vectors that hold the cells of one phase and all groups. A cell is neighbouring outputs, one of
// each phase. Lanes that padding and short rows waste are counted, too.
double VectorsOfPhases(const PhasedLayout& layout);

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_COST_H_
