// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies a block of data for the algorithm "channels" to scratch, with zeros as padding. The copy has channels last, in
// the units (32 bits) that the register tile reads. A position is a place in the data (z, y, x). T is the type of an
// element of the data. kDepth is the number of input channels that one unit holds: 1, 2 or 4 (channels_units.h). Planar
// data (each channel is an image of its own) are transposed by squares of four positions and four units. A quad is four
// neighbours, such as four channels.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_COPY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_COPY_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_COPY_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_COPY_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/channels/channels_convert-inl.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_units.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// The rows of neighbouring channels are too short and lie too far apart for the hardware to prefetch them. So the rows
// of four channels are prefetched two quads of channels ahead. Measured in f32 on Zen 3: copies of rows of 14 and 64
// positions take a quarter less time. Rows of 224 take an eighth less. Four and eight quads ahead are no better.
inline constexpr int64_t kQuadsAhead = 2;

// Prefetches the rows of the four channels kQuadsAhead quads after the row at `at`. HasQuadAhead: whether they exist.
HWY_INLINE void FetchQuadAhead(const char* at, int64_t row_bytes) {
  for (int64_t j = 0; j < kQuad; ++j) hwy::Prefetch(at + (kQuadsAhead * kQuad + j) * row_bytes);
}
HWY_INLINE bool HasQuadAhead(int64_t channel, int64_t channels) {
  return channel + (kQuadsAhead + 1) * kQuad <= channels;
}

// The vector code of TransposeIn (below). Each step loads four units for one vector of positions, transposes them, and
// stores four neighbouring units of each position.
template <class T, int64_t kDepth, class D>
void TransposeVectorsIn(D d, const char* from, int64_t row_bytes, int64_t channels, int64_t count,
                        char* HWY_RESTRICT to, int64_t pitch_bytes) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < channels; c += kQuad * kDepth) {
    const bool fetches = kDepth == 1 && HasQuadAhead(c, channels);
    for (int64_t begin = 0; begin < count; begin += lanes) {
      const int64_t i = VectorBegin(begin, lanes, count);
      const int64_t width = std::min(lanes, count - i);
      const char* at = from + c * row_bytes + i * static_cast<int64_t>(sizeof(T));
      if (fetches) FetchQuadAhead(at, row_bytes);
      const auto load = [&](int64_t j) HWY_ATTR {
        const int64_t rest = channels - c - j * kDepth;
        return rest > 0 ? LoadUnits<T, kDepth>(d, at + j * kDepth * row_bytes, row_bytes, rest, width) : hn::Zero(d);
      };
      auto v0 = load(0);
      auto v1 = load(1);
      auto v2 = load(2);
      auto v3 = load(3);
      TransposeQuads(d, v0, v1, v2, v3);
      // Block b of vector j is position 4b + j.
      char* cells = to + i * pitch_bytes + c / kDepth * kUnitBytes;
      if (width == lanes) {
        StoreQuadBytes(v0, d, cells, kQuad * pitch_bytes);
        StoreQuadBytes(v1, d, cells + pitch_bytes, kQuad * pitch_bytes);
        StoreQuadBytes(v2, d, cells + 2 * pitch_bytes, kQuad * pitch_bytes);
        StoreQuadBytes(v3, d, cells + 3 * pitch_bytes, kQuad * pitch_bytes);
      } else if constexpr (hn::MaxLanes(d) == kQuad) {
        // Fewer positions than lanes: only a vector of four lanes may be filled partly (WithFilledVectors).
        StoreBytes(v0, d, cells);
        if (width > 1) StoreBytes(v1, d, cells + pitch_bytes);
        if (width > 2) StoreBytes(v2, d, cells + 2 * pitch_bytes);
      }
    }
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

// Copies `count` positions of a row of planar data to cells of the copy, which have channels last, as units.
// `channel_pitch` is in elements, `cell_pitch` in units.
template <class T, int64_t kDepth>
void TransposeIn(const char* from, int64_t channel_pitch, int64_t channels, int64_t count, char* HWY_RESTRICT to,
                 int64_t cell_pitch) {
  const int64_t row_bytes = channel_pitch * static_cast<int64_t>(sizeof(T));
#if HWY_TARGET == HWY_SCALAR
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t c = 0; c < channels; ++c) {
      StoreElement(to, i * cell_pitch + c, ToUnitPart<T, kDepth>(LoadElement<T>(from + c * row_bytes, i)));
    }
  }
#else
  WithFilledVectors(hn::ScalableTag<float>(), count, [&](auto d) {
    TransposeVectorsIn<T, kDepth>(d, from, row_bytes, channels, count, to, cell_pitch * kUnitBytes);
  });
#endif
}

// In a depthwise layout, a cell of the copy has one unit of each output channel, for each input channel of a group
// (channels_layout.h). This function copies the channels of a position, which are units already, to such a cell. First
// come the units of input channel 0 of all groups, then those of input channel 1. Each unit is repeated for every
// output channel of its group.
// Example: groups a and b with 2 input and 2 output channels: a0 a1 b0 b1 becomes a0 a0 b0 b0 a1 a1 b1 b1. For up to
// four output channels, the number of copies is known when the file is compiled.
inline void Regroup(const ChannelsLayout& layout, const char* units, char* to) {
  const int64_t in_channels = layout.geometry.in_channels;
  const auto copy = [&]<int64_t kCopies>() {
    const int64_t copies = kCopies > 0 ? kCopies : layout.group_channels;
    for (int64_t in = 0; in < in_channels; ++in) {
      for (int64_t c = in; c < layout.data.cell_channels; c += in_channels) {
        const auto unit = LoadElement<uint32_t>(units, c);
        for (int64_t i = 0; i < copies; ++i) StoreElement(to, i, unit);
        to += copies * kUnitBytes;
      }
    }
  };
  switch (layout.group_channels) {
    case 1:
      return copy.template operator()<1>();
    case 2:
      return copy.template operator()<2>();
    case 3:
      return copy.template operator()<3>();
    case 4:
      return copy.template operator()<4>();
    default:
      return copy.template operator()<0>();
  }
}

// Copies the channels of a position to a cell of a depthwise layout. `widened`: scratch where these channels stand as
// units until Regroup copies them.
template <class T>
void CopyDepthwise(const ChannelsLayout& layout, const char* from, char* widened, char* to) {
  if (!layout.IsRegrouped()) {
    CopyUnits<T, 1>(from, layout.data.cell_channels, to);
  } else if constexpr (std::is_same_v<T, float>) {
    Regroup(layout, from, to);
  } else {
    CopyUnits<T, 1>(from, layout.data.cell_channels, widened);
    Regroup(layout, widened, to);
  }
  // The lanes behind the last unit multiply weights of zero. They become zero, because old values could be slow
  // subnormals.
  for (int64_t u = layout.data.cell_units; u < layout.data.cell_pitch; ++u) StoreElement(to, u, uint32_t{0});
}

// The most positions that are copied together. A cache line of each position must stay in the first-level cache,
// because the next channels are written to the same lines. 256 lines of 64 bytes take half of a cache of 32 KiB.
inline constexpr int64_t kPositionsTogether = 256;

// Copies the data that the block of cells at `position` reads to the scratch memory `to`. Positions outside of the data
// become zeros.
template <class T, int64_t kDepth>
void CopyBlock(const ChannelsLayout& layout, const RunBuffers& buffers, const TaskPosition& position, char* to) {
  const Geometry& geometry = layout.geometry;
  const TensorStrides& strides = geometry.data_strides;
  const auto& [z, y, x] = layout.axes;
  const RealRange real_z = RealPositions(z, position.begin[0], z.padded);
  const RealRange real_y = RealPositions(y, position.begin[1], y.padded);
  const RealRange real_x = RealPositions(x, position.begin[2], x.padded);
  const int64_t base =
      position.batch * strides.batch + position.group * layout.lane_groups * geometry.in_channels * strides.channel;
  const int64_t channels = layout.data.cell_channels;
  if (layout.depthwise) {
    // The tile reads whole vectors, so it may read behind the last cell. Zeros stand there.
    std::memset(to + z.padded * layout.data.plane_pitch * kUnitBytes, 0,
                static_cast<size_t>(layout.tile.lanes * kUnitBytes));
  }
  const int64_t cell_bytes = layout.data.cell_pitch * kUnitBytes;
  // Rows without padding follow one another in the data and in the copy. They are copied together.
  const bool whole_rows = real_x.first == 0 && real_x.end == x.padded && x.padded == x.axis.data;
  const int64_t rows_together = whole_rows ? kPositionsTogether / std::max<int64_t>(1, x.padded) : 1;
  for (int64_t pz = 0; pz < z.padded; ++pz) {
    int64_t rows = 1;
    for (int64_t py = 0; py < y.padded; py += rows) {
      rows = 1;
      char* row = to + (pz * layout.data.plane_pitch + py * layout.data.row_pitch) * kUnitBytes;
      const bool has_data =
          pz >= real_z.first && pz < real_z.end && py >= real_y.first && py < real_y.end && real_x.first < real_x.end;
      if (!has_data || channels == 0) {
        std::memset(row, 0, static_cast<size_t>(layout.data.row_pitch * kUnitBytes));
        continue;
      }
      std::memset(row, 0, static_cast<size_t>(real_x.first * cell_bytes));
      std::memset(row + real_x.end * cell_bytes, 0,
                  static_cast<size_t>(layout.data.row_pitch * kUnitBytes - real_x.end * cell_bytes));
      const int64_t first =
          ((pz + real_z.origin) * y.axis.data + py + real_y.origin) * x.axis.data + real_x.first + real_x.origin;
      const char* from = buffers.data + (base + first * strides.position) * static_cast<int64_t>(sizeof(T));
      char* cell = row + real_x.first * cell_bytes;
      rows = std::clamp<int64_t>(rows_together, 1, real_y.end - py);
      const int64_t positions = rows * (real_x.end - real_x.first);
      if (strides.position == 1) {
        TransposeIn<T, kDepth>(from, strides.channel, channels, positions, cell, layout.data.cell_pitch);
        continue;
      }
      for (int64_t i = 0; i < positions; ++i) {
        if (layout.depthwise) {
          CopyDepthwise<T>(layout, from, to + layout.data.widened_at * kUnitBytes, cell);
        } else {
          CopyUnits<T, kDepth>(from, channels, cell);
        }
        cell += cell_bytes;
        from += strides.position * static_cast<int64_t>(sizeof(T));
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_COPY_INL_H_
