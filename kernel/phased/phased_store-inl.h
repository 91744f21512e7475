// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores the sums of neighbouring cells in the output: cuts them where rows end, and stores each row
// (phased_store_row-inl.h). Also prefetches the outputs before that.

#if defined(DECONV_KERNEL_PHASED_PHASED_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_STORE_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_STORE_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_STORE_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/base/convert.h"
#include "kernel/phased/phased_layout.h"
#include "kernel/phased/phased_pad-inl.h"
#include "kernel/phased/phased_store_row-inl.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A run of cells of one row of outputs, for the channels of the tile.
template <class C>
struct Fragment {
  const C* sums = nullptr;  // [phase][channel of the tile][cell], at the first cell
  int64_t channels = 0;
  int64_t first_channel = 0;  // of the group
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

template <class T>
FragmentOutputs OutputsOf(const PhasedLayout& layout, const BlockPlace& place, const Fragment<Compute<T>>& fragment,
                          char* output) {
  const Axis& x = layout.axes[2].axis;
  const TensorStrides& strides = layout.geometry.output_strides;
  const int64_t first = fragment.first_cell * x.stride;
  const int64_t element = place.batch * strides.batch +
                          (place.group * layout.geometry.out_channels + fragment.first_channel) * strides.channel +
                          (fragment.output_row * x.output + first) * strides.position;
  return {output + element * static_cast<int64_t>(sizeof(T)), std::min(fragment.cells * x.stride, x.output - first)};
}

// Whether a fragment goes around the caches. All of its channels begin at cache lines, or none.
inline bool IsStreamed(const PhasedLayout& layout, const char* to) {
  return layout.streams_outputs && reinterpret_cast<uintptr_t>(to) % kLineBytes == 0;
}

// What stores a fragment stands by itself: where it was all one function, each short fragment spent more on setting up
// the loops of all its cases than on its own.
template <class T>
HWY_NOINLINE void StoreFragment(const PhasedLayout& layout, const BlockPlace& place,
                                const Fragment<Compute<T>>& fragment, char* output) {
  const int64_t stride = layout.axes[2].axis.stride;
  const TensorStrides& strides = layout.geometry.output_strides;
  const int64_t sum_pitch = layout.sum_pitch;
  const int64_t phase_pitch = fragment.channels * sum_pitch;
  const auto [to, count] = OutputsOf<T>(layout, place, fragment, output);
  if (strides.position != 1) {
    StoreChannelsLast<T>({fragment.sums, fragment.channels, sum_pitch, phase_pitch}, stride, count, strides.position,
                         to);
    return;
  }
  const int64_t whole = count == fragment.cells * stride ? fragment.cells : count / stride;
  const bool streams = IsStreamed(layout, to);
  for (int64_t channel = 0; channel < fragment.channels; ++channel) {
    StoreChannel<T>(fragment.sums + channel * sum_pitch, phase_pitch, stride, whole, count - whole * stride, streams,
                    to + channel * strides.channel * static_cast<int64_t>(sizeof(T)));
  }
}

// Prefetches the cache lines of the bytes [first, end).
inline void FetchLines(const char* first, const char* end) {
  for (const char* line = first; line < end; line += kLineBytes) hwy::Prefetch(line);
  hwy::Prefetch(end - 1);  // the last line, if `first` lies inside of a line
}

// Has the cache lines of planar outputs on their way while their sums are computed: rows of several channels are too
// short and lie too far apart for hardware to look ahead. Measured on Zen 3: layers of few products an output 1.1
// to 1.4 times as fast, dw_bilinear_x2 0.93 times.
template <class T>
void FetchFragment(const PhasedLayout& layout, const BlockPlace& place, const Fragment<Compute<T>>& fragment,
                   char* output) {
  const auto element = static_cast<int64_t>(sizeof(T));
  const auto [to, count] = OutputsOf<T>(layout, place, fragment, output);
  if (IsStreamed(layout, to)) return;
  for (int64_t channel = 0; channel < fragment.channels; ++channel) {
    char* const first = to + channel * layout.geometry.output_strides.channel * element;
    FetchLines(first, first + count * element);
  }
}

// Neighbouring cells of a row, and, where rows are joined, of those behind it and the padding between them.
struct CellRun {
  int64_t column = 0;  // of the first row, where the run begins
  int64_t cells = 0;
  int64_t row_cells = 0;  // of a row, without padding
  int64_t rows = 0;       // from the first one on; what goes beyond them is not stored
};

// Calls `visit` with the fragment of each row of the run. `fragment` holds what they share, the first row of outputs
// and the sums at the run's begin.
template <class C, class Visit>
HWY_INLINE void VisitRows(const PhasedLayout& layout, const BlockPlace& place, const CellRun& run, Fragment<C> fragment,
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
    fragment.sums += width;
    fragment.output_row += row_step;
    left -= width;
    first = 0;
  }
}

template <class T>
void StoreRun(const PhasedLayout& layout, const BlockPlace& place, const CellRun& run,
              const Fragment<Compute<T>>& fragment, char* output) {
  VisitRows(layout, place, run, fragment,
            [&](const Fragment<Compute<T>>& row) { StoreFragment<T>(layout, place, row, output); });
}

template <class T>
void FetchRun(const PhasedLayout& layout, const BlockPlace& place, const CellRun& run,
              const Fragment<Compute<T>>& fragment, char* output) {
  if (!layout.fetches_outputs) return;
  VisitRows(layout, place, run, fragment,
            [&](const Fragment<Compute<T>>& row) { FetchFragment<T>(layout, place, row, output); });
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_STORE_INL_H_
