// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores a row of outputs from the sums of its phases (the outputs with the same remainder modulo the stride). It
// interleaves the phases and narrows sums to the element type. If the caller asks for it ("streams"), stores bypass the
// caches. StoreChannel stores a row of one channel (planar outputs). StoreChannelsLast stores a row in which the
// channels of each position lie side by side.
//   StoreChannel -> StoreWholeCells -> StoreStride (strides up to 4) -> Interleave (interleave-inl.h)
//                                   -> StoreAnyStride -> StoreJoinedParts, StoreParts or InterleaveAny
//   StoreChannelsLast -> StoreByQuads (interleave-inl.h) or StoreGatheredLast

#if defined(DECONV_KERNEL_BLOCKS_STORE_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_STORE_ROW_INL_H_
#undef DECONV_KERNEL_BLOCKS_STORE_ROW_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_STORE_ROW_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernel/base/algorithm.h"
#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/blocks/block_layout.h"
#include "kernel/blocks/interleave-inl.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void StoreWholeCells(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole_cells, bool streams,
                     char* to);

// A buffer for a part of a row of outputs, and for a vector behind the part.
inline constexpr int64_t kPartOutputs = kLineBytes * kMostPartStride;
template <class E>
struct RowPart {
  alignas(64) E elements[kPartOutputs + std::max<size_t>(64, hn::MaxLanes(hn::ScalableTag<float>()))];
  char* Begin() { return reinterpret_cast<char*>(elements); }
};

// Returns the cells of a part of a row. Parts end at the ends of cache lines.
inline int64_t CellsOfPart(int64_t stride) { return kPartOutputs / stride / kLineBytes * kLineBytes; }

// Narrows `count` sums of a part. Whole vectors are read, so zeros are written behind the sums. Old values there could
// raise a floating-point exception.
template <class T>
void NarrowPart(RowPart<Compute<T>>& sums, int64_t count, char* to) {
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  StoreBytes(hn::Zero(d), d, sums.Begin() + count * kFloatBytes);
#endif
  NarrowRow<T>(sums.Begin(), count, to);
}

// Copies `bytes` bytes with stores that bypass the caches. Bytes behind the last whole line are copied by normal
// stores. `to` is at the begin of a cache line.
inline void StreamLines(const char* from, int64_t bytes, char* to) {
  int64_t at = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<uint8_t> d;
  const auto* source = reinterpret_cast<const uint8_t*>(from);
  auto* target = reinterpret_cast<uint8_t*>(to);
  const auto vector = static_cast<int64_t>(hn::Lanes(d));
  for (const int64_t line_bytes = bytes / kLineBytes * kLineBytes; at + vector <= line_bytes; at += vector) {
    hn::Stream(hn::LoadU(d, source + at), d, target + at);
  }
#endif
  std::memcpy(to + at, from + at, static_cast<size_t>(bytes - at));
}

// Stores cells part by part: interleaves a part in a buffer, and narrows it, streams it, or both.
template <class T>
HWY_NOINLINE void StoreParts(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole_cells,
                             bool streams, char* to) {
  using C = Compute<T>;
  constexpr auto element = static_cast<int64_t>(sizeof(T));
  RowPart<C> sums;
  const int64_t most_cells = CellsOfPart(stride);
  for (int64_t cell = 0; cell < whole_cells; cell += most_cells) {
    const int64_t cells = std::min(most_cells, whole_cells - cell);
    const int64_t outputs = cells * stride;
    char* const at = to + cell * stride * element;
    StoreWholeCells<C>(from + cell, phase_pitch, stride, cells, false, sums.Begin());
    if constexpr (sizeof(T) == sizeof(C)) {
      StreamLines(sums.Begin(), outputs * element, at);
    } else if (streams) {
      RowPart<T> narrowed;
      NarrowPart<T>(sums, outputs, narrowed.Begin());
      StreamLines(narrowed.Begin(), outputs * element, at);
    } else {
      NarrowPart<T>(sums, outputs, at);
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
// Returns whether StoreJoinedParts can store a stride at `to`. If cells have three lanes, `to` must be a multiple of 4.
template <class T>
bool StoresJoined(int64_t stride, const char* to) {
  constexpr int64_t kJoined = kFloatBytes / static_cast<int64_t>(sizeof(T));
  if (stride % kJoined != 0) return false;
  return stride / kJoined != 3 || reinterpret_cast<uintptr_t>(to) % sizeof(uint32_t) == 0;
}

// Joins phases of 8 or 16 bits in lanes of 32 bits, part by part, and stores the lanes as phases of a shorter stride.
// Example: with stride 8 in bf16 each lane holds two phases, so the lanes are stored with stride 4. Returns how many
// cells were stored; fewer than four may be left.
template <class T>
HWY_NOINLINE int64_t StoreJoinedParts(const Compute<T>* sums, int64_t phase_pitch, int64_t stride, int64_t whole_cells,
                                      bool streams, char* to) {
  constexpr int64_t kJoined = kFloatBytes / static_cast<int64_t>(sizeof(T));
  RowPart<uint32_t> joined;
  const int64_t words = stride / kJoined;
  const int64_t most_cells = CellsOfPart(stride);
  const int64_t phase_bytes = phase_pitch * kFloatBytes;
  int64_t cell = 0;
  for (int64_t cells = 0; whole_cells - cell >= kQuad; cell += cells) {
    cells = std::min(most_cells, whole_cells - cell);
    WithFilledVectors(hn::ScalableTag<float>(), cells, [&](auto d) HWY_ATTR {
      const hn::RebindToUnsigned<decltype(d)> du;
      const auto lanes = static_cast<int64_t>(hn::Lanes(d));
      for (int64_t word = 0; word < words; ++word) {
        const auto* from = reinterpret_cast<const char*>(sums + word * kJoined * phase_pitch + cell);
        char* const lanes_of_word = joined.Begin() + word * most_cells * kFloatBytes;
        for (int64_t begin = 0; begin < cells; begin += lanes) {
          const int64_t offset = VectorBegin(begin, lanes, cells) * kFloatBytes;
          StoreBytes(JoinPhases<T, kJoined>(d, from + offset, phase_bytes), du, lanes_of_word + offset);
        }
      }
    });
    StoreWholeCells<uint32_t>(joined.elements, most_cells, words, cells, streams, to + cell * words * kFloatBytes);
  }
  return cell;
}
#endif

// Stores cells of strides beyond kMostFixedStride, and of shorter strides that StoreCells cannot stream.
template <class T>
HWY_NOINLINE void StoreAnyStride(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole_cells,
                                 bool streams, char* to) {
  constexpr bool kNarrows = sizeof(T) < sizeof(Compute<T>);
  if constexpr (kHasWideLanes<T>) {
    if (stride <= kMostPartStride && (kNarrows || streams)) {
#if HWY_TARGET != HWY_SCALAR
      if constexpr (kNarrows) {
        if (StoresJoined<T>(stride, to)) {
          const int64_t done = StoreJoinedParts<T>(from, phase_pitch, stride, whole_cells, streams, to);
          from += done;
          whole_cells -= done;
          to += done * stride * static_cast<int64_t>(sizeof(T));
        }
      }
#endif
      return StoreParts<T>(from, phase_pitch, stride, whole_cells, streams, to);
    }
  }
  InterleaveAny<T>(from, phase_pitch, stride, whole_cells, to);
}

// StoreWholeCells for a stride that is known when the file is compiled.
template <class T, int64_t kStride>
HWY_INLINE void StoreStride(const Compute<T>* from, int64_t phase_pitch, int64_t whole_cells, bool streams, char* to) {
  if constexpr (!StreamsCells<T>(kStride)) {
    if (streams) return StoreAnyStride<T>(from, phase_pitch, kStride, whole_cells, true, to);
  }
  Interleave<T, kStride>(from, phase_pitch, whole_cells, streams, to);
}

// Stores whole cells of one channel as contiguous outputs. If `streams`, `to` is at the begin of a cache line.
template <class T>
void StoreWholeCells(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole_cells, bool streams,
                     char* to) {
  static_assert(kMostFixedStride == 4, "has a case for each fixed stride");
  switch (stride) {
    case 1:
      return StoreStride<T, 1>(from, phase_pitch, whole_cells, streams, to);
    case 2:
      return StoreStride<T, 2>(from, phase_pitch, whole_cells, streams, to);
    case 3:
      return StoreStride<T, 3>(from, phase_pitch, whole_cells, streams, to);
    case 4:
      return StoreStride<T, 4>(from, phase_pitch, whole_cells, streams, to);
    default:
      return StoreAnyStride<T>(from, phase_pitch, stride, whole_cells, streams, to);
  }
}

// Stores one channel of a row of planar outputs.
template <class T>
void StoreChannel(const ChannelOfCells& cells, char* to) {
  const auto* from = reinterpret_cast<const Compute<T>*>(cells.sums);
  StoreWholeCells<T>(from, cells.phase_pitch, cells.stride, cells.whole_cells, cells.streams, to);
  for (int64_t t = 0; t < cells.rest_phases; ++t) {
    StoreElement<T>(to, cells.whole_cells * cells.stride + t,
                    Narrow<T>(from[t * cells.phase_pitch + cells.whole_cells]));
  }
}

template <class T>
void StoreChannelsLast(const char* from, const SumsLayout& sums, int64_t stride, int64_t count, int64_t position_pitch,
                       char* to);

// Copies `count` pieces of `bytes` bytes, which lie side by side, to addresses that are `step` bytes apart. Common
// sizes are known when the file is compiled (kBytes); 0 stands for any other size.
inline void CopyStrided(const char* HWY_RESTRICT from, int64_t count, int64_t bytes, char* HWY_RESTRICT to,
                        int64_t step) {
  const auto copy = [&]<int64_t kBytes>() {
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(to + i * step, from + i * bytes, static_cast<size_t>(kBytes > 0 ? kBytes : bytes));
    }
  };
  switch (bytes) {
    case 1:
      return copy.template operator()<1>();
    case 2:
      return copy.template operator()<2>();
    case 4:
      return copy.template operator()<4>();
    case 6:
      return copy.template operator()<6>();
    case 8:
      return copy.template operator()<8>();
    case 12:
      return copy.template operator()<12>();
    case 16:
      return copy.template operator()<16>();
    default:
      return copy.template operator()<0>();
  }
}

// Stores the whole cells of a row through a buffer, in which the channels of neighbouring positions lie side by side.
// For elements of 8 or 16 bits, and for a group of few f32 channels between channels of other groups. Returns how many
// cells it stored; 0 if a cell is too large for the buffer.
template <class T>
int64_t StoreGatheredLast(const char* from, const SumsLayout& sums, int64_t stride, int64_t count,
                          int64_t position_pitch, char* to) {
  using C = Compute<T>;
  const int64_t whole_cells = count / stride;
  if (whole_cells == 0 || stride * sums.channels > kPartOutputs / kQuad) return 0;
  RowPart<C> row;
  const int64_t most_cells = kPartOutputs / (stride * sums.channels);
  for (int64_t cell = 0; cell < whole_cells; cell += most_cells) {
    const int64_t positions = std::min(most_cells, whole_cells - cell) * stride;
    StoreChannelsLast<C>(from + cell * static_cast<int64_t>(sizeof(C)), sums, stride, positions, sums.channels,
                         row.Begin());
    char* at = to + cell * stride * position_pitch * static_cast<int64_t>(sizeof(T));
    if constexpr (sizeof(T) == sizeof(C)) {
      CopyStrided(row.Begin(), positions, sums.channels * kFloatBytes, at, position_pitch * kFloatBytes);
    } else if (sums.channels == position_pitch) {
      NarrowPart<T>(row, positions * position_pitch, at);
    } else {
      RowPart<T> elements;
      NarrowPart<T>(row, positions * sums.channels, elements.Begin());
      CopyStrided(elements.Begin(), positions, sums.channels * static_cast<int64_t>(sizeof(T)), at,
                  position_pitch * static_cast<int64_t>(sizeof(T)));
    }
  }
  return whole_cells;
}

// Stores some channels of `count` neighbouring positions of a row, channels last, `position_pitch` elements apart.
template <class T>
HWY_NOINLINE void StoreChannelsLast(const char* from, const SumsLayout& sums, int64_t stride, int64_t count,
                                    int64_t position_pitch, char* to) {
  int64_t cell = 0;
  if constexpr (kHasWideLanes<T> && sizeof(T) < sizeof(Compute<T>)) {
    cell = StoreGatheredLast<T>(from, sums, stride, count, position_pitch, to);
  }
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T> && sizeof(T) == sizeof(Compute<T>)) {
    const int64_t whole_cells = count / stride;
    // Without whole cells, the stride may be so large that the product overflows.
    const int64_t cell_elements = whole_cells > 0 ? stride * position_pitch : 0;
    const int64_t cell_bytes = cell_elements * kFloatBytes;
    // If the outputs of a cell lie side by side, all are transposed together. Four or more channels of a group are
    // transposed phase by phase. Of fewer channels, the outputs of some cells are gathered in a buffer.
    if (sums.channels == position_pitch && cell_elements >= kQuad) {
      const auto source_of = [&](int64_t k) {
        return from + (k / position_pitch * sums.phase_pitch + k % position_pitch * sums.channel_pitch) * kFloatBytes;
      };
      cell = StoreByQuads(source_of, cell_elements, whole_cells, to, cell_bytes);
    } else if (whole_cells > 0 && sums.channels >= kQuad) {
      for (int64_t t = 0; t < stride; ++t) {
        const auto source_of = [&](int64_t k) {
          return from + (t * sums.phase_pitch + k * sums.channel_pitch) * kFloatBytes;
        };
        cell = StoreByQuads(source_of, sums.channels, whole_cells, to + t * position_pitch * kFloatBytes, cell_bytes);
      }
    } else if (sums.channels > 1 && stride * sums.channels >= kQuad) {
      cell = StoreGatheredLast<T>(from, sums, stride, count, position_pitch, to);
    }
  }
#endif
  for (int64_t i = cell * stride; i < count; ++cell) {
    const Compute<T>* phase = reinterpret_cast<const Compute<T>*>(from) + cell;
    for (const int64_t end = std::min(i + stride, count); i < end; ++i, phase += sums.phase_pitch) {
      for (int64_t channel = 0; channel < sums.channels; ++channel) {
        StoreElement<T>(to, i * position_pitch + channel, Narrow<T>(phase[channel * sums.channel_pitch]));
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_STORE_ROW_INL_H_
