// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a padded block of data and of the sums of its outputs, for the algorithms that sum planar rows in
// scratch. Also the runs and fragments in which sums are stored, and where a fragment lies in the output.
#ifndef DECONV_KERNEL_BLOCKS_BLOCK_LAYOUT_H_
#define DECONV_KERNEL_BLOCKS_BLOCK_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/base/convert.h"
#include "kernel/base/geometry.h"

namespace deconv {

// Longer strides are stored element by element where sums are narrowed, and are not streamed.
inline constexpr int64_t kMostPartStride = 16;

struct BlockLayout {
  Geometry geometry;
  BlockAxes axes;
  size_t compute_bytes = 4;  // bytes of one element in scratch

  // The padded block in scratch, in elements: channel, z, y, x. The zeros behind a row may be those before the next
  // (row_pitch < axes[2].padded); behind the last row stands a tail of zeros for the same reason, and then room for the
  // vectors that reach over the end.
  int64_t row_pitch = 0;
  int64_t plane_pitch = 0;
  int64_t channel_pitch = 0;
  int64_t zero_tail = 0;
  int64_t room = 0;
  int64_t padded_elements = 0;  // elements of all channels and the mask, with the tail and the room
  bool joined_rows = false;     // a tile may run over the end of a row into the next

  // The sums in scratch that are stored at once, of a tile or of several side by side: phase in x, row of the tile,
  // cell.
  int64_t sum_pitch = 0;         // elements from row to row
  bool fetches_outputs = false;  // while their sums are computed
  bool streams_outputs = false;  // rows that begin at cache lines go around the caches

  int64_t ElementSize() const { return static_cast<int64_t>(ElementBytes(geometry.type)); }
};

// A run of cells of one row of outputs, for the channels of the tile.
struct Fragment {
  const char* sums = nullptr;  // [phase][channel of the tile][cell], at the first cell, of the compute type
  int64_t channels = 0;
  int64_t first_channel = 0;  // the first channel, counted in its group
  int64_t output_row = 0;     // oz * height + oy
  int64_t first_cell = 0;
  int64_t cells = 0;
};

// Outputs of a fragment: the first one of its first channel, and how many of a row. At the end of a row the last cell
// may lack its later phases.
struct FragmentOutputs {
  char* first = nullptr;
  int64_t count = 0;
};

inline FragmentOutputs OutputsOf(const BlockLayout& layout, const BlockPlace& place, const Fragment& fragment,
                                 char* output) {
  const Axis& x = layout.axes[2].axis;
  const TensorStrides& strides = layout.geometry.output_strides;
  const int64_t first = fragment.first_cell * x.stride;
  const int64_t element = place.batch * strides.batch +
                          (place.group * layout.geometry.out_channels + fragment.first_channel) * strides.channel +
                          (fragment.output_row * x.output + first) * strides.position;
  return {output + element * layout.ElementSize(), std::min(fragment.cells * x.stride, x.output - first)};
}

// Whether a fragment goes around the caches. All of its channels begin at cache lines, or none.
inline bool IsStreamed(const BlockLayout& layout, const char* to) {
  return layout.streams_outputs && reinterpret_cast<uintptr_t>(to) % kLineBytes == 0;
}

// Neighbouring cells of a row, and, where rows are joined, of those behind it and the padding between them.
struct CellRun {
  int64_t column = 0;  // the column of the first row where the run begins
  int64_t cells = 0;
  int64_t row_cells = 0;  // cells of a row, without padding
  int64_t rows = 0;       // rows from the first one on; cells beyond them are not stored
};

// Calls `visit` with the fragment of each row of the run. `fragment` holds what they share, the first row of outputs
// and the sums at the run's begin.
template <class Visit>
void VisitRows(const BlockLayout& layout, const BlockPlace& place, const CellRun& run, Fragment fragment,
               const Visit& visit) {
  const int64_t down = layout.joined_rows ? run.column / layout.row_pitch : 0;
  const int64_t row_step = layout.axes[1].axis.stride;
  fragment.output_row += down * row_step;
  int64_t first = run.column - down * layout.row_pitch;
  int64_t left = run.cells;
  for (int64_t row = down; left > 0 && row < run.rows; ++row) {
    const int64_t width = layout.joined_rows ? std::min(left, layout.row_pitch - first) : left;
    fragment.first_cell = place.begin[2] + first;
    fragment.cells = std::min(width, run.row_cells - first);
    if (fragment.cells > 0) visit(fragment);
    fragment.sums += width * static_cast<int64_t>(layout.compute_bytes);
    fragment.output_row += row_step;
    left -= width;
    first = 0;
  }
}

// Sums of neighbouring cells of a row: [phase][channel][cell], of the compute type. Pitches count elements.
struct SumsOfCells {
  const char* first = nullptr;
  int64_t channels = 0;
  int64_t channel_pitch = 0;
  int64_t phase_pitch = 0;
};

// One channel of a row of planar outputs: whole cells, then the phases that the last cell of the row still has.
struct ChannelOfCells {
  const char* sums = nullptr;  // [phase][cell], of the compute type
  int64_t phase_pitch = 0;     // elements
  int64_t stride = 1;
  int64_t whole = 0;
  int64_t rest = 0;
  bool streams = false;  // around the caches; the outputs begin at a cache line
};

}  // namespace deconv

#endif  // DECONV_KERNEL_BLOCKS_BLOCK_LAYOUT_H_
