// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a plan of the algorithm "col2im": every decision that is the same for all runs of the plan. It holds
// the blocks of cells and the tasks. A cell is neighbouring outputs, one of each phase. It also holds the offsets in
// scratch of a row of data, of its products and of the sums.
#ifndef DECONV_KERNEL_COL2IM_COL2IM_LAYOUT_H_
#define DECONV_KERNEL_COL2IM_COL2IM_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/base/geometry.h"
#include "kernel/blocks/block_functions.h"
#include "kernel/phased/phased_layout.h"

namespace deconv {

struct Col2imLayout;

// The code that a target compiles for one element type. The register tile is that of "phased"; each of its rows is one
// tap of one output channel.
struct Col2imKernels {
  PhasedTile tile;
  const BlockFunctions* blocks = nullptr;
  void (*run)(const Col2imLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

// The most sources of an output: rows of products that are added to a row of outputs, one for each tap of its phase.
inline constexpr int64_t kMostSources = 256;

struct Col2imLayout {
  Geometry geometry;
  PhasedTile tile;
  const BlockFunctions* blocks = nullptr;  // the target's functions
  BlockAxes axes;                          // z is trivial; blocks of y and x are tasks

  int64_t channel_range = 1;  // output channels of a task
  int64_t channel_ranges = 1;
  int64_t ring = 1;  // rows of data whose products are kept, because one output row may need all of them

  // Scratch holds a row of data [input channel][position] (the panel), products [output channel and tap][row of the
  // ring][padded position], and a row of sums [phase][channel][cell]. With channels last the sums are those of all
  // channels, otherwise of one channel at a time. Pitches count elements.
  int64_t panel_pitch = 0;
  int64_t row_pitch = 0;
  int64_t tap_pitch = 0;
  int64_t sums_pitch = 0;
  size_t products_offset = 0;  // bytes
  size_t sums_offset = 0;
  size_t scratch_bytes = 0;

  std::vector<int64_t> channel_offsets;  // offsets of the input channels in the panel
};

// Makes the layout. Returns false if the algorithm does not fit the geometry.
bool MakeCol2imLayout(const Geometry& geometry, const PhasedTile& tile, Col2imLayout& layout);

// Returns the estimated cycles of one sample on one core.
double Col2imCycles(const Col2imLayout& layout);

// Returns the code of a target for an element type.
Col2imKernels ChooseCol2imF32(deconv_type type, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_COL2IM_COL2IM_LAYOUT_H_
