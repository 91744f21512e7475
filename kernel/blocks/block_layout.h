// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a padded block of data and the sums of its outputs lie in scratch (memory of a running task), for the
// algorithms "phased", "rows" and "col2im". A padded block is a copy of the data that a task reads, with zeros around
// them. A cell is `stride` neighbouring outputs, one of each phase (remainder modulo the stride). Sums are stored in
// pieces. A span of cells may cover several rows of a block, and a fragment is the part of a span in one row.
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

// Outputs of longer strides are narrowed element by element, and their stores never bypass the caches. This limit also
// sets the size of the buffer in store_row-inl.h.
inline constexpr int64_t kMostPartStride = 16;

struct BlockLayout {
  Geometry geometry;
  BlockAxes axes;
  size_t compute_bytes = 4;  // bytes of one element in scratch

  // The padded block in scratch, as (channel, z, y, x). Pitches count elements. The zeros behind a row may also be
  // those before the next row (then row_pitch < axes[2].padded). So `zero_tail` zeros follow the last row
  // (PlaceRows in phased_layout.cc has an example). Then come `room` elements that the last vectors may read.
  int64_t row_pitch = 0;
  int64_t plane_pitch = 0;
  int64_t channel_pitch = 0;
  int64_t zero_tail = 0;
  int64_t room = 0;
  int64_t padded_elements = 0;  // elements of all channels, of the mask, the tail and the room
  bool joined_rows = false;     // a register tile may have cells of several rows (PlaceRows says when)

  // The sums in scratch that are stored at once, of one register tile or of several side by side. Their order is (phase
  // in x, row of the tile, cell); a row is an output channel.
  int64_t sum_pitch = 0;         // elements from row to row
  bool fetches_outputs = false;  // the outputs are prefetched while their sums are computed
  bool streams_outputs = false;  // stores of rows that begin at cache lines bypass the caches

  int64_t ElementSize() const { return static_cast<int64_t>(ElementBytes(geometry.type)); }
};

// A fragment: neighbouring cells of one row of outputs, for the channels of a register tile. VisitRows changes all
// members but the channels. The order of the members keeps `channels` and `first_channel` apart: side by side,
// compilers copy them as one vector, and some CPUs wait tens of cycles when a vector was just written by members.
struct Fragment {
  const char* sums = nullptr;  // [phase][channel of the tile][cell], at the first cell, of the compute type
  int64_t channels = 0;
  int64_t output_row = 0;     // z * height + y, for the output position (z, y)
  int64_t first_channel = 0;  // the first channel, counted in its group
  int64_t first_cell = 0;
  int64_t cells = 0;
};

// The outputs of a fragment: the address of the first output of its first channel, and the number of outputs of a
// channel. At the end of a row, the last cell may lack its later phases.
struct FragmentOutputs {
  char* first = nullptr;
  int64_t count = 0;
};

inline FragmentOutputs OutputsOf(const BlockLayout& layout, const TaskPosition& position, const Fragment& fragment,
                                 char* output) {
  const Axis& x = layout.axes[2].axis;
  const TensorStrides& strides = layout.geometry.output_strides;
  const int64_t first = fragment.first_cell * x.stride;
  const int64_t element = position.batch * strides.batch +
                          (position.group * layout.geometry.out_channels + fragment.first_channel) * strides.channel +
                          (fragment.output_row * x.output + first) * strides.position;
  return {output + element * layout.ElementSize(), std::min(fragment.cells * x.stride, x.output - first)};
}

// Returns whether the stores of a fragment with first output `to` bypass the caches. If one channel of a fragment
// begins at a cache line, all do.
inline bool IsStreamed(const BlockLayout& layout, const char* to) {
  return layout.streams_outputs && reinterpret_cast<uintptr_t>(to) % kLineBytes == 0;
}

// Neighbouring cells of a row. If rows are joined, also the padding behind the row and cells of the next rows.
struct CellSpan {
  int64_t column = 0;  // where the span begins, counted from the first row's begin; joined rows are one long row
  int64_t cells = 0;
  int64_t row_cells = 0;  // cells of a row, without padding
  int64_t rows = 0;       // rows from the first one on; cells beyond them are not stored
};

// Calls `visit` with the fragment of each row of the span. `fragment` holds the channels, the first row of outputs, and
// the address of the span's first sums. Example: joined rows have 5 cells and 1 element of padding, and a span has 8
// columns from column 3 on. Its fragments are cells 3 and 4 of the first row, and cells 0 to 4 of the second row.
template <class Visit>
void VisitRows(const BlockLayout& layout, const TaskPosition& position, const CellSpan& span, const Fragment& fragment,
               const Visit& visit) {
  const int64_t first_row = layout.joined_rows ? span.column / layout.row_pitch : 0;
  const int64_t row_step = layout.axes[1].axis.stride;
  const char* sums = fragment.sums;
  int64_t output_row = fragment.output_row + first_row * row_step;
  int64_t first = span.column - first_row * layout.row_pitch;
  int64_t left = span.cells;
  for (int64_t row = first_row; left > 0 && row < span.rows; ++row) {
    const int64_t width = layout.joined_rows ? std::min(left, layout.row_pitch - first) : left;
    const int64_t cells = std::min(width, span.row_cells - first);
    if (cells > 0) {
      visit(Fragment{sums, fragment.channels, output_row, fragment.first_channel, position.begin[2] + first, cells});
    }
    sums += width * static_cast<int64_t>(layout.compute_bytes);
    output_row += row_step;
    left -= width;
    first = 0;
  }
}

// How the sums of neighbouring cells of a row lie in scratch: [phase][channel][cell]. Pitches count elements.
struct SumsLayout {
  int64_t channels = 0;
  int64_t channel_pitch = 0;
  int64_t phase_pitch = 0;
};

// One channel of a row of planar outputs: `whole_cells` cells, then the first `rest_phases` phases of the row's last
// cell, which lacks the others.
struct ChannelOfCells {
  const char* sums = nullptr;  // [phase][cell], of the compute type
  int64_t phase_pitch = 0;     // elements
  int64_t stride = 1;
  int64_t whole_cells = 0;
  int64_t rest_phases = 0;
  bool streams = false;  // stores bypass the caches; the outputs begin at a cache line
};

}  // namespace deconv

#endif  // DECONV_KERNEL_BLOCKS_BLOCK_LAYOUT_H_
