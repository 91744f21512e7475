// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies a block of data to scratch for the algorithms "phased", "rows" and "col2im". The copy is widened to the
// compute type, in which products are summed. In the copy each channel is an image of its own (planar). It has zeros
// outside of the data, so that the inner loops need no bounds. Example: a row a b c of a block that reads one position
// on each side becomes 0 a b c 0. Data with channels last are transposed by vectors. The functions call each other like
// this:
//   PadBlock -> PadRow -> WidenRows -> WidenRow (planar data; convert-inl.h)
//                                   -> TransposeRows (channels last) -> TransposeBlocks or TransposeWidened

#if defined(DECONV_KERNEL_BLOCKS_PAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_PAD_INL_H_
#undef DECONV_KERNEL_BLOCKS_PAD_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_PAD_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/blocks/block_layout.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR && !DECONV_SIZELESS_VECTORS

// After TransposeQuads, each block of 16 bytes holds four positions of some channels. Each channel has a part of
// kWords lanes of 32 bits. Returns the order of lanes that puts the parts of a channel side by side. Example: two
// blocks of 16-bit elements hold the parts a a b b and A A B B of channels a and b. The order 0 1 4 5 2 3 6 7 makes a a
// A A b b B B.
template <size_t kLanes, size_t kWords>
constexpr std::array<int32_t, kLanes> LanesOfChannels() {
  constexpr size_t kBlocks = kLanes / kQuad;
  std::array<int32_t, kLanes> lanes{};
  for (size_t i = 0; i < kLanes; ++i) {
    const size_t part = i / kWords;
    lanes[i] = static_cast<int32_t>(part % kBlocks * kQuad + part / kBlocks * kWords + i % kWords);
  }
  return lanes;
}

// Copies up to 16 bytes of channels (8 channels of 16 bits), for as many positions as D has lanes. Elements are
// transposed before they are widened. TransposeRows explains `step` and `pitch`.
template <class T, class D>
HWY_INLINE void TransposeElements(D d, const char* from, int64_t step, int64_t channels, int64_t pitch,
                                  Compute<T>* HWY_RESTRICT to) {
  constexpr size_t kLanes = hn::MaxLanes(d);
  const hn::Repartition<std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>, D> elements;
  const hn::RebindToSigned<D> words;
  const auto load = [&](int64_t position) HWY_ATTR {
    const char* at = from + position * step;
    const int64_t bytes = channels * static_cast<int64_t>(sizeof(T));
    if (bytes < kQuad * kFloatBytes) return hn::BitCast(elements, LoadPartQuadBytes(d, at, kQuad * step, bytes));
    return hn::BitCast(elements, LoadQuadBytes(d, at, kQuad * step));
  };
  auto v0 = load(0);
  auto v1 = load(1);
  auto v2 = load(2);
  auto v3 = load(3);
  TransposeQuads(elements, v0, v1, v2, v3);
  alignas(64) std::array<int32_t, 4 * kLanes> parts;
  alignas(64) static constexpr std::array kOrder = LanesOfChannels<kLanes, sizeof(T)>();
  const auto store = [&](size_t vector, auto v) HWY_ATTR {
    const auto ordered = hn::TableLookupLanes(hn::BitCast(words, v), hn::SetTableIndices(words, kOrder.data()));
    hn::Store(ordered, words, parts.data() + vector * kLanes);
  };
  store(0, v0);
  store(1, v1);
  store(2, v2);
  store(3, v3);
  const char* channel = reinterpret_cast<const char*>(parts.data());
  for (int64_t c = 0; c < channels; ++c) {
    StoreBytes(LoadWidened<T>(d, channel, static_cast<int64_t>(kLanes)), d, reinterpret_cast<char*>(to + c * pitch));
    channel += kLanes * sizeof(T);
  }
}

// TransposeRows for elements of 8 or 16 bits: 16 bytes of channels by a vector of positions at a time.
template <class T>
HWY_NOINLINE void TransposeBlocks(const char* from, int64_t step, int64_t count, int64_t channels, int64_t pitch,
                                  Compute<T>* HWY_RESTRICT to) {
  constexpr int64_t kChannels = kQuad * kFloatBytes / static_cast<int64_t>(sizeof(T));
  WithFilledVectors(hn::ScalableTag<float>(), count, [&](auto d) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t begin = 0; begin < count; begin += lanes) {
      const int64_t i = VectorBegin(begin, lanes, count);
      for (int64_t block = 0; block < channels; block += kChannels) {
        const int64_t c = VectorBegin(block, kChannels, channels);
        TransposeElements<T>(d, from + i * step + c * static_cast<int64_t>(sizeof(T)), step,
                             std::min(kChannels, channels), pitch, to + c * pitch + i);
      }
    }
  });
}

#endif  // HWY_TARGET != HWY_SCALAR && !DECONV_SIZELESS_VECTORS

template <class T>
void TransposeRows(const char* from, int64_t step, int64_t count, int64_t channels, int64_t pitch,
                   Compute<T>* HWY_RESTRICT to);

// TransposeRows for elements of 8 or 16 bits that are widened first, up to 64 channels of 16 positions at a time.
// Targets with TransposeBlocks call this only for fewer than four positions.
template <class T>
HWY_NOINLINE void TransposeWidened(const char* from, int64_t step, int64_t count, int64_t channels, int64_t pitch,
                                   Compute<T>* HWY_RESTRICT to) {
  using C = Compute<T>;
  // The buffer of f32 has 4 KiB, a small part of the first-level cache.
  constexpr int64_t kPositions = 16;
  constexpr int64_t kChannels = 64;
  alignas(64) C widened[kPositions * kChannels];
  char* const first = reinterpret_cast<char*>(widened);
  const bool side_by_side = step == channels * static_cast<int64_t>(sizeof(T)) && channels <= kChannels;
  for (int64_t i = 0; i < count; i += kPositions) {
    const int64_t positions = std::min(kPositions, count - i);
    if (side_by_side) {
      WidenRow<T>(from + i * step, positions * channels, first);
      TransposeRows<C>(first, channels * static_cast<int64_t>(sizeof(C)), positions, channels, pitch, to + i);
      continue;
    }
    for (int64_t c = 0; c < channels; c += kChannels) {
      const int64_t width = std::min(kChannels, channels - c);
      for (int64_t k = 0; k < positions; ++k) {
        WidenRow<T>(from + (i + k) * step + c * static_cast<int64_t>(sizeof(T)), width,
                    first + k * kChannels * static_cast<int64_t>(sizeof(C)));
      }
      TransposeRows<C>(first, kChannels * static_cast<int64_t>(sizeof(C)), positions, width, pitch, to + c * pitch + i);
    }
  }
}

// Copies data with channels last: `count` positions of `channels` channels become a row for each channel. Positions are
// `step` bytes apart, rows `pitch` elements.
template <class T>
void TransposeRows(const char* from, int64_t step, int64_t count, int64_t channels, int64_t pitch,
                   Compute<T>* HWY_RESTRICT to) {
  if constexpr (kHasWideLanes<T> && sizeof(T) < sizeof(Compute<T>)) {
#if HWY_TARGET != HWY_SCALAR && !DECONV_SIZELESS_VECTORS
    if (channels >= kQuad && count >= kQuad) return TransposeBlocks<T>(from, step, count, channels, pitch, to);
#endif
    if (channels >= kQuad) return TransposeWidened<T>(from, step, count, channels, pitch, to);
  }
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T> && sizeof(T) == sizeof(Compute<T>)) {
    if (count >= kQuad && channels >= kQuad) {
      return WithFilledVectors(hn::ScalableTag<float>(), count, [&](auto d) {
        const auto lanes = static_cast<int64_t>(hn::Lanes(d));
        for (int64_t begin = 0; begin < count; begin += lanes) {
          const int64_t i = VectorBegin(begin, lanes, count);
          for (int64_t quad = 0; quad < channels; quad += kQuad) {
            const int64_t c = VectorBegin(quad, kQuad, channels);
            const char* at = from + i * step + c * kFloatBytes;
            auto v0 = LoadQuadBytes(d, at, kQuad * step);
            auto v1 = LoadQuadBytes(d, at + step, kQuad * step);
            auto v2 = LoadQuadBytes(d, at + 2 * step, kQuad * step);
            auto v3 = LoadQuadBytes(d, at + 3 * step, kQuad * step);
            TransposeQuads(d, v0, v1, v2, v3);
            char* const row = reinterpret_cast<char*>(to + c * pitch + i);
            StoreBytes(v0, d, row);
            StoreBytes(v1, d, row + pitch * kFloatBytes);
            StoreBytes(v2, d, row + 2 * pitch * kFloatBytes);
            StoreBytes(v3, d, row + 3 * pitch * kFloatBytes);
          }
        }
      });
    }
  }
#endif
  // Sixteen channels are copied at a time, so that each cache line is read only once.
  constexpr int64_t channel_block = 16;
  for (int64_t block = 0; block < channels; block += channel_block) {
    const int64_t end = std::min(block + channel_block, channels);
    for (int64_t i = 0; i < count; ++i) {
      const char* position = from + i * step;
      for (int64_t c = block; c < end; ++c) to[c * pitch + i] = Widen(LoadElement<T>(position, c));
    }
  }
}

// Copies `count` neighbouring positions of `channels` channels, one row for each channel. `from` is the first position
// of channel 0. Rows are `pitch` elements apart.
template <class T>
void WidenRows(const TensorStrides& strides, const char* from, int64_t count, int64_t channels, int64_t pitch,
               Compute<T>* to) {
  const auto element = static_cast<int64_t>(sizeof(T));
  if (strides.position != 1) return TransposeRows<T>(from, strides.position * element, count, channels, pitch, to);
  for (int64_t c = 0; c < channels; ++c) {
    const char* row = from + c * strides.channel * element;
    if constexpr (std::is_same_v<T, Compute<T>>) {
      std::memcpy(to + c * pitch, row, static_cast<size_t>(count) * sizeof(T));
    } else {
      WidenRow<T>(row, count, reinterpret_cast<char*>(to + c * pitch));
    }
  }
}

// Writes `count` zeros. Padding is mostly a few elements. For a short row, memset would take longer than the rest.
template <class C>
HWY_INLINE void FillZeros(C* to, int64_t count) {
  const hn::ScalableTag<C> d;
  if (count <= static_cast<int64_t>(hn::Lanes(d))) {
    hn::StoreN(hn::Zero(d), d, to, static_cast<size_t>(count));
  } else {
    std::fill(to, to + count, C{0});
  }
}

// Copies one row of `channels` channels with its padding. `from` is the first position of channel 0 inside the data.
template <class T>
void PadRow(const BlockLayout& layout, const char* from, const RealRange& x, int64_t channels, Compute<T>* to) {
  const int64_t pitch = layout.channel_pitch;
  for (int64_t c = 0; c < channels; ++c) {
    FillZeros(to + c * pitch, x.first);
    FillZeros(to + c * pitch + x.end, layout.row_pitch - x.end);
  }
  if (x.first == x.end) return;
  WidenRows<T>(layout.geometry.data_strides, from, x.end - x.first, channels, pitch, to + x.first);
}

// Copies a whole block with its padding; see BlockFunctions::pad.
template <class T>
void PadBlock(const BlockLayout& layout, const RunBuffers& buffers, const TaskPosition& position, bool with_mask,
              Compute<T>* padded) {
  using C = Compute<T>;
  const Geometry& geometry = layout.geometry;
  const RealRange real_z = RealPositions(layout.axes[0], position.begin[0], layout.axes[0].padded);
  const RealRange real_y = RealPositions(layout.axes[1], position.begin[1], layout.axes[1].padded);
  const RealRange real_x = RealPositions(layout.axes[2], position.begin[2], layout.row_pitch);
  const int64_t base = position.batch * geometry.data_strides.batch +
                       position.group * geometry.in_channels * geometry.data_strides.channel;
  const int64_t channels = geometry.in_channels;
  for (int64_t pz = 0; pz < layout.axes[0].padded; ++pz) {
    for (int64_t py = 0; py < layout.axes[1].padded; ++py) {
      C* row = padded + pz * layout.plane_pitch + py * layout.row_pitch;
      const bool has_data =
          pz >= real_z.first && pz < real_z.end && py >= real_y.first && py < real_y.end && real_x.first < real_x.end;
      RealRange range = real_x;
      const char* from = nullptr;
      if (has_data && channels > 0) {
        const int64_t first =
            ((pz + real_z.origin) * layout.axes[1].axis.data + py + real_y.origin) * layout.axes[2].axis.data +
            real_x.first + real_x.origin;
        from = buffers.data + (base + first * geometry.data_strides.position) * static_cast<int64_t>(sizeof(T));
      } else {
        range.first = range.end = has_data ? real_x.first : 0;
      }
      PadRow<T>(layout, from, range, channels, row);
      if (with_mask) {
        C* mask = row + channels * layout.channel_pitch;
        std::fill(mask, mask + layout.row_pitch, C{0});
        if (has_data) std::fill(mask + real_x.first, mask + real_x.end, C{1});
      }
    }
  }
  // Zeros for the padding behind the last row, and for the elements behind it that the last vectors read.
  C* end = padded + (channels + (with_mask ? 1 : 0)) * layout.channel_pitch;
  std::fill(end, end + layout.zero_tail + layout.room, C{0});
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_PAD_INL_H_
