// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The estimates of "phased" in cycles. "rows" and "col2im" use the parts that they share: copies and stores.
#ifndef DECONV_KERNEL_PHASED_PHASED_COST_H_
#define DECONV_KERNEL_PHASED_PHASED_COST_H_

#include <cstdint>

#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"
#include "kernel/phased/phased_layout.h"

namespace deconv {

// Whether outputs of a sample stay in the caches until all groups have stored theirs.
bool OutputsStay(const Geometry& geometry);

// The tiles of up to three of several output channels. If channels lie last, their outputs are not stored by quads.
struct FewChannels {
  double tiles = 0;
  double channels = 0;  // channels of all these tiles

  // Counts `count` tiles of `height` of `all` channels.
  void Add(int64_t count, int64_t height, int64_t all) {
    if (height == 0 || height >= 4 || height == all) return;
    tiles += static_cast<double>(count);
    channels += static_cast<double>(count) * static_cast<double>(height);
  }
};

// Estimated cycles of a sample: those of copying and storing, which "rows" shares, and all.
double PaddedCycles(const PhasedLayout& layout, const FewChannels& few);
// CopyCycles estimates the cycles to copy an element of data. StoreCycles estimates the cycles to store an output of
// rows with that stride, by tasks that sum so many groups.
double CopyCycles(const Geometry& geometry, const Costs& costs);
double StoreCycles(const Geometry& geometry, int64_t task_groups, int64_t stride, const Costs& costs);
double PhasedCycles(const PhasedLayout& layout);
// Vectors of cells, those that padding wastes counted.
double VectorsOfPhases(const PhasedLayout& layout);

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_COST_H_
