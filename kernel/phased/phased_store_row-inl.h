// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores a row of outputs from the sums of its phases: interleaves the phases, narrows sums to the element type, and
// writes around the caches where the caller wants it. One function for planar rows, one for channels last.

#if defined(DECONV_KERNEL_PHASED_PHASED_STORE_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_STORE_ROW_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_STORE_ROW_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_STORE_ROW_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/base/algorithm.h"
#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/phased/phased_layout.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector of sums of one phase as the elements that are stored.
template <class T, class D>
HWY_INLINE auto LoadNarrowed(D d, const Compute<T>* from) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) < sizeof(Compute<T>)) {
    return NarrowLanes<T>(d, LoadBytes(d, reinterpret_cast<const char*>(from)));
  } else
#endif
    return hn::LoadU(d, reinterpret_cast<const T*>(from));
}

// Whole vectors of cells, kStride elements each. `d` is a tag of the sums, `dn` of the elements.
template <class T, int64_t kStride, class D, class N>
HWY_INLINE int64_t InterleaveVectors(D d, N dn, const Compute<T>* HWY_RESTRICT from, int64_t phase_pitch, int64_t cells,
                                     hn::TFromD<N>* HWY_RESTRICT to) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t cell = 0;
  for (; cell + lanes <= cells; cell += lanes) {
    const auto phase = [&](int64_t t) HWY_ATTR { return LoadNarrowed<T>(d, from + t * phase_pitch + cell); };
    if constexpr (kStride == 1) hn::StoreU(phase(0), dn, to + cell);
    if constexpr (kStride == 2) hn::StoreInterleaved2(phase(0), phase(1), dn, to + cell * 2);
    if constexpr (kStride == 3) hn::StoreInterleaved3(phase(0), phase(1), phase(2), dn, to + cell * 3);
    if constexpr (kStride == 4) hn::StoreInterleaved4(phase(0), phase(1), phase(2), phase(3), dn, to + cell * 4);
  }
  return cell;
}

// to[cell * kStride + t] = phases[t][cell].
template <class T, int64_t kStride>
HWY_INLINE void Interleave(const Compute<T>* HWY_RESTRICT from, int64_t phase_pitch, int64_t cells,
                           char* HWY_RESTRICT to) {
  int64_t cell = 0;
  const bool aligned = reinterpret_cast<uintptr_t>(to) % sizeof(T) == 0;
  if constexpr (sizeof(T) == sizeof(Compute<T>)) {
    const hn::ScalableTag<T> d;
    if (aligned) cell = InterleaveVectors<T, kStride>(d, d, from, phase_pitch, cells, reinterpret_cast<T*>(to));
  }
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T> && sizeof(T) < sizeof(Compute<T>)) {
    const hn::ScalableTag<float> d;
    const NarrowTag<T, decltype(d)> dn;
    using N = hn::TFromD<decltype(dn)>;
    if (aligned) cell = InterleaveVectors<T, kStride>(d, dn, from, phase_pitch, cells, reinterpret_cast<N*>(to));
  }
#endif
  for (; cell < cells; ++cell) {
    for (int64_t t = 0; t < kStride; ++t) {
      StoreElement<T>(to, cell * kStride + t, Narrow<T>(from[t * phase_pitch + cell]));
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
// to[cell * cell_bytes + k * kFloatBytes] = source_of(k)[cell] for k < count, which is at least 4: quads of sources and
// vectors of cells. Returns how many cells are done: none of less than a quad.
template <class SourceOf>
HWY_INLINE int64_t StoreByQuads(const SourceOf& source_of, int64_t count, int64_t cells, char* HWY_RESTRICT to,
                                int64_t cell_bytes) {
  if (cells < kQuad) return 0;
  WithFilledVectors(hn::ScalableTag<float>(), cells, [&](auto d) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t quad = 0; quad < count; quad += kQuad) {
      const int64_t k = VectorBegin(quad, kQuad, count);
      const char* sources[kQuad];
      for (int64_t j = 0; j < kQuad; ++j) sources[j] = source_of(k + j);
      for (int64_t begin = 0; begin < cells; begin += lanes) {
        const int64_t cell = VectorBegin(begin, lanes, cells);
        const int64_t offset = cell * kFloatBytes;
        auto v0 = LoadBytes(d, sources[0] + offset);
        auto v1 = LoadBytes(d, sources[1] + offset);
        auto v2 = LoadBytes(d, sources[2] + offset);
        auto v3 = LoadBytes(d, sources[3] + offset);
        TransposeQuads(d, v0, v1, v2, v3);
        char* const at = to + cell * cell_bytes + k * kFloatBytes;
        StoreQuadBytes(v0, d, at, kQuad * cell_bytes);
        StoreQuadBytes(v1, d, at + cell_bytes, kQuad * cell_bytes);
        StoreQuadBytes(v2, d, at + 2 * cell_bytes, kQuad * cell_bytes);
        StoreQuadBytes(v3, d, at + 3 * cell_bytes, kQuad * cell_bytes);
      }
    }
  });
  return cells;
}
#endif

// Strides beyond those that interleave whole vectors.
template <class T>
HWY_NOINLINE void InterleaveAny(const Compute<T>* HWY_RESTRICT from, int64_t phase_pitch, int64_t phases, int64_t cells,
                                char* HWY_RESTRICT to) {
  int64_t cell = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T> && sizeof(T) == sizeof(Compute<T>)) {
    if (phases >= kQuad) {
      const auto source_of = [&](int64_t t) { return reinterpret_cast<const char*>(from + t * phase_pitch); };
      cell = StoreByQuads(source_of, phases, cells, to, phases * kFloatBytes);
    }
  }
#endif
  // Cells outside: where there are none, a stride may be beyond counting.
  for (; cell < cells; ++cell) {
    for (int64_t t = 0; t < phases; ++t) {
      StoreElement<T>(to, cell * phases + t, Narrow<T>(from[t * phase_pitch + cell]));
    }
  }
}

template <class T>
void StoreWholeCells(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole, bool streams,
                     char* to);

// Room for a part of a row of outputs, and for a vector behind it.
inline constexpr int64_t kPartOutputs = kLineBytes * kMostPartStride;
template <class E>
struct PartOfRow {
  alignas(64) E elements[kPartOutputs + std::max<size_t>(64, hn::MaxLanes(hn::ScalableTag<float>()))];
  char* Begin() { return reinterpret_cast<char*>(elements); }
};

// Narrows `count` sums of a part. Whole vectors are read, so zeros follow the sums: a number that lies there by chance
// could raise a floating-point exception.
template <class T>
void NarrowPart(PartOfRow<Compute<T>>& sums, int64_t count, char* to) {
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  StoreBytes(hn::Zero(d), d, sums.Begin() + count * kFloatBytes);
#endif
  NarrowRow<T>(sums.Begin(), count, to);
}

// Writes whole cache lines around the caches. `to` is at the begin of a line.
inline void StreamLines(const char* from, int64_t bytes, char* to) {
  int64_t at = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<uint8_t> d;
  const auto* source = reinterpret_cast<const uint8_t*>(from);
  auto* target = reinterpret_cast<uint8_t*>(to);
  const auto vector = static_cast<int64_t>(hn::Lanes(d));
  for (const int64_t whole = bytes / kLineBytes * kLineBytes; at + vector <= whole; at += vector) {
    hn::Stream(hn::LoadU(d, source + at), d, target + at);
  }
#endif
  std::memcpy(to + at, from + at, static_cast<size_t>(bytes - at));
}

// Interleaves the cells part by part before they are narrowed, streamed, or both.
template <class T>
HWY_NOINLINE void StoreParts(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole, bool streams,
                             char* to) {
  using C = Compute<T>;
  constexpr auto element = static_cast<int64_t>(sizeof(T));
  PartOfRow<C> sums;
  // Parts end where cache lines do.
  const int64_t most = kPartOutputs / stride / kLineBytes * kLineBytes;
  for (int64_t cell = 0; cell < whole; cell += most) {
    const int64_t cells = std::min(most, whole - cell);
    const int64_t outputs = cells * stride;
    char* const at = to + cell * stride * element;
    StoreWholeCells<C>(from + cell, phase_pitch, stride, cells, false, sums.Begin());
    if constexpr (sizeof(T) == sizeof(C)) {
      StreamLines(sums.Begin(), outputs * element, at);
    } else if (streams) {
      PartOfRow<T> narrowed;
      NarrowPart<T>(sums, outputs, narrowed.Begin());
      StreamLines(narrowed.Begin(), outputs * element, at);
    } else {
      NarrowPart<T>(sums, outputs, at);
    }
  }
}

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
// Interleaves and streams cells of the strides 1 and 2, whole vectors at a time. `to` is at the begin of a cache line.
// Returns how many cells are done.
inline int64_t StreamCells(const float* from, int64_t phase_pitch, int64_t stride, int64_t cells, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t cell = 0;
  for (; cell + lanes <= cells; cell += lanes) {
    const auto first = hn::LoadU(d, from + cell);
    if (stride == 1) {
      hn::Stream(first, d, to + cell);
    } else {
      const auto second = hn::LoadU(d, from + phase_pitch + cell);
      hn::Stream(hn::InterleaveWholeLower(d, first, second), d, to + 2 * cell);
      hn::Stream(hn::InterleaveWholeUpper(d, first, second), d, to + 2 * cell + lanes);
    }
  }
  return cell;
}
#endif

// Whole cells of one channel, contiguous outputs. If they are streamed, `to` is at the begin of a cache line.
template <class T>
void StoreWholeCells(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole, bool streams,
                     char* to) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, float>) {
    if (streams && stride <= 2) {
      const int64_t done = StreamCells(from, phase_pitch, stride, whole, reinterpret_cast<float*>(to));
      from += done;
      whole -= done;
      to += done * stride * kFloatBytes;
      streams = false;
    }
  }
#endif
  if constexpr (kHasWideLanes<T>) {
    const bool narrows = sizeof(T) < sizeof(Compute<T>) && stride > 4;
    if ((narrows || streams) && stride <= kMostPartStride) {
      return StoreParts<T>(from, phase_pitch, stride, whole, streams, to);
    }
  }
  switch (stride) {
    case 1:
      Interleave<T, 1>(from, phase_pitch, whole, to);
      break;
    case 2:
      Interleave<T, 2>(from, phase_pitch, whole, to);
      break;
    case 3:
      Interleave<T, 3>(from, phase_pitch, whole, to);
      break;
    case 4:
      Interleave<T, 4>(from, phase_pitch, whole, to);
      break;
    default:
      InterleaveAny<T>(from, phase_pitch, stride, whole, to);
      break;
  }
}

// One channel, contiguous outputs: whole cells, then the phases that the last cell of a row still has.
template <class T>
void StoreChannel(const Compute<T>* from, int64_t phase_pitch, int64_t stride, int64_t whole, int64_t rest,
                  bool streams, char* to) {
  StoreWholeCells<T>(from, phase_pitch, stride, whole, streams, to);
  for (int64_t t = 0; t < rest; ++t) {
    StoreElement<T>(to, whole * stride + t, Narrow<T>(from[t * phase_pitch + whole]));
  }
}

// Sums of neighbouring cells of a row: [phase][channel][cell].
template <class C>
struct SumsOfCells {
  const C* first = nullptr;
  int64_t channels = 0;
  int64_t channel_pitch = 0;
  int64_t phase_pitch = 0;
};

template <class T>
void StoreChannelsLast(const SumsOfCells<Compute<T>>& sums, int64_t stride, int64_t count, int64_t position, char* to);

// Copies `count` pieces of `bytes` bytes, side by side, to places `step` bytes apart.
inline void CopyApart(const char* HWY_RESTRICT from, int64_t count, int64_t bytes, char* HWY_RESTRICT to,
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

// Stores the whole cells of a row as elements of 8 or 16 bits. Returns how many cells that are.
template <class T>
int64_t StoreNarrowedLast(const SumsOfCells<Compute<T>>& sums, int64_t stride, int64_t count, int64_t position,
                          char* to) {
  using C = Compute<T>;
  const int64_t whole = count / stride;
  if (whole == 0 || stride * sums.channels > kPartOutputs / kQuad) return 0;
  PartOfRow<C> row;
  const int64_t most = kPartOutputs / (stride * sums.channels);
  for (int64_t cell = 0; cell < whole; cell += most) {
    const int64_t positions = std::min(most, whole - cell) * stride;
    SumsOfCells<C> part = sums;
    part.first += cell;
    StoreChannelsLast<C>(part, stride, positions, sums.channels, row.Begin());
    char* at = to + cell * stride * position * static_cast<int64_t>(sizeof(T));
    if (sums.channels == position) {
      NarrowPart<T>(row, positions * position, at);
      continue;
    }
    PartOfRow<T> elements;
    NarrowPart<T>(row, positions * sums.channels, elements.Begin());
    CopyApart(elements.Begin(), positions, sums.channels * static_cast<int64_t>(sizeof(T)), at,
              position * static_cast<int64_t>(sizeof(T)));
  }
  return whole;
}

// Some channels of a row of `count` positions, channels last, `position` elements apart.
template <class T>
HWY_NOINLINE void StoreChannelsLast(const SumsOfCells<Compute<T>>& sums, int64_t stride, int64_t count,
                                    int64_t position, char* to) {
  int64_t cell = 0;
  if constexpr (kHasWideLanes<T> && sizeof(T) < sizeof(Compute<T>)) {
    cell = StoreNarrowedLast<T>(sums, stride, count, position, to);
  }
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T> && sizeof(T) == sizeof(Compute<T>)) {
    const auto* first = reinterpret_cast<const char*>(sums.first);
    const int64_t whole = count / stride;
    const int64_t cell_elements = whole > 0 ? stride * position : 0;  // a stride may be beyond counting
    const int64_t cell_bytes = cell_elements * kFloatBytes;
    if (sums.channels == position && cell_elements >= kQuad) {
      const auto source_of = [&](int64_t k) {
        return first + (k / position * sums.phase_pitch + k % position * sums.channel_pitch) * kFloatBytes;
      };
      cell = StoreByQuads(source_of, cell_elements, whole, to, cell_bytes);
    } else if (whole > 0 && sums.channels >= kQuad) {
      for (int64_t t = 0; t < stride; ++t) {
        const auto source_of = [&](int64_t k) {
          return first + (t * sums.phase_pitch + k * sums.channel_pitch) * kFloatBytes;
        };
        cell = StoreByQuads(source_of, sums.channels, whole, to + t * position * kFloatBytes, cell_bytes);
      }
    }
  }
#endif
  for (int64_t i = cell * stride; i < count; ++cell) {
    const Compute<T>* from = sums.first + cell;
    for (const int64_t end = std::min(i + stride, count); i < end; ++i, from += sums.phase_pitch) {
      for (int64_t channel = 0; channel < sums.channels; ++channel) {
        StoreElement<T>(to, i * position + channel, Narrow<T>(from[channel * sums.channel_pitch]));
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_STORE_ROW_INL_H_
