// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores the sums of a panel, the cells that the algorithm "channels" sums together. It reads them from scratch, where
// channels lie last, and writes them in the order and type of the output. For planar outputs (each channel is an image
// of its own) it transposes squares of four positions and four channels. Example with channels a and b: the sums
// a0 b0 a1 b1 a2 b2 become the rows a0 a1 a2 and b0 b1 b2.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_STORE_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_STORE_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_STORE_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/channels/channels_copy-inl.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_panel.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// TransposeOut (below) by vectors: loads four channels of a vector of positions and stores a vector of each channel.
template <class T, class D>
void TransposeVectorsOut(D d, const char* HWY_RESTRICT sums, int64_t pitch_bytes, int64_t channels, int64_t count,
                         char* to, int64_t row_bytes) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < channels; c += kQuad) {
    const int64_t rows = std::min(kQuad, channels - c);
    const bool fetches = HasQuadAhead(c, channels);
    for (int64_t begin = 0; begin < count; begin += lanes) {
      const int64_t i = VectorBegin(begin, lanes, count);
      const int64_t width = std::min(lanes, count - i);
      // The loads may read behind the last position: scratch is larger there.
      const char* const from = sums + i * pitch_bytes + c * kUnitBytes;
      auto v0 = LoadQuadBytes(d, from, kQuad * pitch_bytes);
      auto v1 = LoadQuadBytes(d, from + pitch_bytes, kQuad * pitch_bytes);
      auto v2 = LoadQuadBytes(d, from + 2 * pitch_bytes, kQuad * pitch_bytes);
      auto v3 = LoadQuadBytes(d, from + 3 * pitch_bytes, kQuad * pitch_bytes);
      TransposeQuads(d, v0, v1, v2, v3);
      char* at = to + c * row_bytes + i * static_cast<int64_t>(sizeof(T));
      if (fetches) FetchQuadAhead(at, row_bytes);
      StoreElements<T>(v0, d, at, width);
      if (rows > 1) StoreElements<T>(v1, d, at + row_bytes, width);
      if (rows > 2) StoreElements<T>(v2, d, at + 2 * row_bytes, width);
      if (rows > 3) StoreElements<T>(v3, d, at + 3 * row_bytes, width);
    }
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

// Stores `count` positions of `channels` sums as rows of a planar output. `pitch`: sums from a position to the next.
template <class T>
void TransposeOut(const char* HWY_RESTRICT sums, int64_t pitch, int64_t channels, int64_t count, char* to,
                  int64_t channel_pitch) {
  const int64_t row_bytes = channel_pitch * static_cast<int64_t>(sizeof(T));
#if HWY_TARGET == HWY_SCALAR
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t i = 0; i < count; ++i) {
      StoreElement<T>(to + c * row_bytes, i, Narrow<T>(LoadElement<Compute<T>>(sums, i * pitch + c)));
    }
  }
#else
  WithFilledVectors(hn::ScalableTag<float>(), count, [&](auto d) {
    TransposeVectorsOut<T>(d, sums, pitch * kUnitBytes, channels, count, to, row_bytes);
  });
#endif
}

// Stores all sums of a panel, row by row, or all rows at once if they follow one another in the output.
template <class T>
void StorePanel(const ChannelsLayout& layout, const ChannelsTaskWork& work, const ChannelsPanel& panel,
                const PanelChannels& channels, const PanelSums& sums, char* output) {
  constexpr auto element = static_cast<int64_t>(sizeof(T));
  const TensorStrides& strides = layout.geometry.output_strides;
  const Axis& y = layout.axes[1].axis;
  const Axis& x = layout.axes[2].axis;
  const int64_t pitch = channels.vectors * layout.tile.lanes;
  char* to = output + OutputElement(layout, work, panel, channels) * element;
  if (layout.store.whole_rows) {
    const int64_t first_row = (work.block.begin[1] + panel.begin[1]) * y.stride;
    const int64_t rows = std::min(panel.Rows() * y.stride, y.output - first_row);
    TransposeOut<T>(sums.first, pitch, channels.count, rows * x.output, to, strides.channel);
    return;
  }
  const int64_t first = (work.block.begin[2] + panel.begin[2]) * x.stride;
  const int64_t count = std::min(panel.Columns() * layout.PhasesOfX(), x.output - first);
  const int64_t row_bytes = y.stride * x.output * strides.position * element;
  for (int64_t row = 0; row < panel.Rows(); ++row, to += row_bytes) {
    const char* from = sums.first + row * sums.row_step;
    if (strides.position == 1) {
      TransposeOut<T>(from, pitch, channels.count, count, to, strides.channel);
      continue;
    }
    for (int64_t i = 0; i < count; ++i) {
      NarrowRow<T>(from + i * pitch * kUnitBytes, channels.count, to + i * strides.position * element);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_STORE_INL_H_
