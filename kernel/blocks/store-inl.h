// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores the sums of a span of cells from scratch in the output. A cell is `stride` neighbouring outputs. A span may
// cover several rows; it is cut into one fragment for each row, and store_row-inl.h stores each fragment.

#if defined(DECONV_KERNEL_BLOCKS_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_STORE_INL_H_
#undef DECONV_KERNEL_BLOCKS_STORE_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_STORE_INL_H_
#endif

#include <cstdint>

#include "kernel/base/convert.h"
#include "kernel/blocks/block_layout.h"
#include "kernel/blocks/store_row-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Stores a fragment. This function is not inlined: in one large function, short fragments spent most of their time to
// set up loops that they do not use.
template <class T>
HWY_NOINLINE void StoreFragment(const BlockLayout& layout, const TaskPosition& position, const Fragment& fragment,
                                char* output) {
  const int64_t stride = layout.axes[2].axis.stride;
  const TensorStrides& strides = layout.geometry.output_strides;
  const int64_t sum_pitch = layout.sum_pitch;
  const int64_t phase_pitch = fragment.channels * sum_pitch;
  const auto [to, count] = OutputsOf(layout, position, fragment, output);
  if (strides.position != 1) {
    StoreChannelsLast<T>(fragment.sums, {fragment.channels, sum_pitch, phase_pitch}, stride, count, strides.position,
                         to);
    return;
  }
  ChannelOfCells cells;
  cells.sums = fragment.sums;
  cells.phase_pitch = phase_pitch;
  cells.stride = stride;
  cells.whole_cells = count == fragment.cells * stride ? fragment.cells : count / stride;  // mostly needs no division
  cells.rest_phases = count - cells.whole_cells * stride;
  cells.streams = IsStreamed(layout, to);
  for (int64_t channel = 0; channel < fragment.channels; ++channel) {
    StoreChannel<T>(cells, to + channel * strides.channel * static_cast<int64_t>(sizeof(T)));
    cells.sums += sum_pitch * static_cast<int64_t>(sizeof(Compute<T>));
  }
}

// Stores all fragments of a span.
template <class T>
void StoreSpan(const BlockLayout& layout, const TaskPosition& position, const CellSpan& span, const Fragment& fragment,
               char* output) {
  VisitRows(layout, position, span, fragment,
            [&](const Fragment& row) { StoreFragment<T>(layout, position, row, output); });
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_STORE_INL_H_
