// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ends of "channels" where tensors are not f32 with channels last: a padded copy of a block of data with its
// channels last, and sums with channels last to the output's order and type.

#if defined(DECONV_KERNEL_CHANNELS_COPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_COPY_INL_H_
#undef DECONV_KERNEL_CHANNELS_COPY_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_COPY_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/channels_layout.h"
#include "kernel/channels_tile-inl.h"
#include "kernel/convert.h"
#include "kernel/quads-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `count` positions of a row of planar data to cells with channels last.
template <class T>
void TransposeIn(const char* from, int64_t channel_pitch, int64_t channels, int64_t count, float* HWY_RESTRICT to,
                 int64_t cell_pitch) {
  [[maybe_unused]] const auto element = static_cast<int64_t>(sizeof(T));
  int64_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    done = channels / kQuad * kQuad;
    for (int64_t c = 0; c < done; c += kQuad) {
      const char* row = from + c * channel_pitch * element;
      for (int64_t i = 0; i < count; i += lanes) {
        const int64_t width = std::min(lanes, count - i);
        hn::Vec<decltype(d)> v[kQuad];
        for (int64_t j = 0; j < kQuad; ++j) {
          const char* at = row + (j * channel_pitch + i) * element;
          v[j] = width == lanes ? LoadBytes(d, at) : LoadLanes(d, at, width);
        }
        TransposeQuads(d, v);
        // Block b of v[j] is position 4b + j.
        if (width == lanes) {
          for (int64_t j = 0; j < kQuad; ++j) {
            StoreQuadBytes(v[j], d, reinterpret_cast<char*>(to + (i + j) * cell_pitch + c),
                           kQuad * cell_pitch * kFloatBytes);
          }
        } else {
          HWY_ALIGN float quads[kQuad][hn::MaxLanes(d)];
          for (int64_t j = 0; j < kQuad; ++j) hn::Store(v[j], d, quads[j]);
          for (int64_t j = 0; j < width; ++j) {
            std::memcpy(to + (i + j) * cell_pitch + c, &quads[j % kQuad][j / kQuad * kQuad], kQuad * sizeof(float));
          }
        }
      }
    }
  }
#endif
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t c = done; c < channels; ++c) {
      to[i * cell_pitch + c] = Widen(LoadElement<T>(from, c * channel_pitch + i));
    }
  }
}

template <class T>
void CopyBlock(const ChannelsLayout& layout, const RunBuffers& buffers, const BlockPlace& place, float* to) {
  const Geometry& geometry = layout.geometry;
  const TensorStrides& strides = geometry.data_strides;
  const auto& [z, y, x] = layout.axes;
  const RealRange rz = RealPositions(z, place.begin[0], z.padded);
  const RealRange ry = RealPositions(y, place.begin[1], y.padded);
  const RealRange rx = RealPositions(x, place.begin[2], x.padded);
  const int64_t base = place.batch * strides.batch + place.group * geometry.in_channels * strides.channel;
  const int64_t channels = layout.cell_channels;
  for (int64_t pz = 0; pz < z.padded; ++pz) {
    for (int64_t py = 0; py < y.padded; ++py) {
      float* row = to + pz * layout.plane_pitch + py * layout.row_pitch;
      const bool real = pz >= rz.first && pz < rz.last && py >= ry.first && py < ry.last && rx.first < rx.last;
      if (!real || channels == 0) {
        std::fill(row, row + layout.row_pitch, 0.0f);
        continue;
      }
      std::fill(row, row + rx.first * layout.cell_pitch, 0.0f);
      std::fill(row + rx.last * layout.cell_pitch, row + layout.row_pitch, 0.0f);
      const int64_t position = ((pz + rz.origin) * y.axis.data + py + ry.origin) * x.axis.data + rx.first + rx.origin;
      const char* from = buffers.data + (base + position * strides.position) * static_cast<int64_t>(sizeof(T));
      float* cell = row + rx.first * layout.cell_pitch;
      if (strides.position == 1) {
        TransposeIn<T>(from, strides.channel, channels, rx.last - rx.first, cell, layout.cell_pitch);
        continue;
      }
      for (int64_t i = rx.first; i < rx.last; ++i) {
        if constexpr (std::is_same_v<T, float>) {
          std::memcpy(cell, from, static_cast<size_t>(channels) * sizeof(float));
        } else {
          for (int64_t c = 0; c < channels; ++c) cell[c] = Widen(LoadElement<T>(from, c));
        }
        cell += layout.cell_pitch;
        from += strides.position * static_cast<int64_t>(sizeof(T));
      }
    }
  }
}

// `count` positions of `channels` sums each to rows of a planar output.
template <class T>
void TransposeOut(const float* HWY_RESTRICT sums, int64_t pitch, int64_t channels, int64_t count, char* to,
                  int64_t channel_pitch) {
  [[maybe_unused]] const auto element = static_cast<int64_t>(sizeof(T));
  int64_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    done = channels / kQuad * kQuad;
    for (int64_t c = 0; c < done; c += kQuad) {
      char* row = to + c * channel_pitch * element;
      for (int64_t i = 0; i < count; i += lanes) {
        const int64_t width = std::min(lanes, count - i);
        hn::Vec<decltype(d)> v[kQuad];
        // Behind the last position is room to read.
        for (int64_t j = 0; j < kQuad; ++j) v[j] = LoadQuads(d, sums + (i + j) * pitch + c, kQuad * pitch);
        TransposeQuads(d, v);
        for (int64_t j = 0; j < kQuad; ++j) {
          char* at = row + (j * channel_pitch + i) * element;
          if (width == lanes) {
            StoreBytes(v[j], d, at);
          } else {
            StoreLanes(v[j], d, at, width);
          }
        }
      }
    }
  }
#endif
  for (int64_t c = done; c < channels; ++c) {
    for (int64_t i = 0; i < count; ++i) {
      StoreElement<T>(to, c * channel_pitch + i, Narrow<T>(sums[i * pitch + c]));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_COPY_INL_H_
