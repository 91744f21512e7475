// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Interleaves the sums of all phases into rows of outputs, and narrows them to elements of 8 or 16 bits. A phase is the
// outputs with the same remainder modulo the stride; a cell is `stride` neighbouring outputs, one of each phase.
// Example with stride 2: the sums a0 a1 a2 of phase 0 and b0 b1 b2 of phase 1 become the outputs a0 b0 a1 b1 a2 b2.
// Neighbouring phases of 8 or 16 bits are joined in lanes of 32 bits first: a lane holds a0 b0. So 16-bit elements with
// stride 2 need no permutation.

#if defined(DECONV_KERNEL_BLOCKS_INTERLEAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_INTERLEAVE_INL_H_
#undef DECONV_KERNEL_BLOCKS_INTERLEAVE_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_INTERLEAVE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Functions are compiled for each stride up to kMostFixedStride. (store_row-inl.h stores longer strides.)
inline constexpr int64_t kMostFixedStride = 4;

// Returns how many neighbouring phases of a cell are joined in a lane of 32 bits, as elements of T. It is the greatest
// power of two that is at most the stride and fits a lane. With stride 2: 2 for 8 and 16 bits, 1 for 32 bits.
template <class T>
constexpr int64_t JoinedPhases(int64_t stride) {
  return std::min(static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(stride))),
                  kFloatBytes / static_cast<int64_t>(sizeof(T)));
}

// Returns whether StoreCells can store a stride: the phases of a cell fill a part of a lane, one lane or two lanes.
template <class T>
constexpr bool StoresCells(int64_t stride) {
  if (!kHasWideLanes<T> || stride > kMostFixedStride) return false;
  const int64_t joined = JoinedPhases<T>(stride);
  return stride % joined == 0 && stride / joined <= 2;
}

// Returns whether StoreCells can also bypass the caches: no vector of elements has less than 128 bits.
template <class T>
constexpr bool StreamsCells(int64_t stride) {
  const int64_t lane_bytes = std::min(kFloatBytes, JoinedPhases<T>(stride) * static_cast<int64_t>(sizeof(T)));
  const auto lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<float>()));
  return StoresCells<T>(stride) && lanes * lane_bytes >= kQuad * kFloatBytes;
}

#if HWY_TARGET != HWY_SCALAR
// Stores a vector at any address. If kStreams, the store bypasses the caches and the address is a multiple of the
// vector's size. Vectors of less than 128 bits never bypass the caches, because Highway would write 128 bits.
template <bool kStreams, class D>
HWY_INLINE void StoreOrStream(hn::Vec<D> v, D d, char* to) {
  if constexpr (kStreams && d.MaxBytes() >= kQuad * kFloatBytes) {
    const hn::Repartition<uint8_t, D> d8;
    hn::Stream(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to));
  } else {
    StoreBytes(v, d, to);
  }
}

// Loads kCount phases (a power of two) of a vector of cells. Each lane of the result holds these phases of one cell as
// elements of T, in the order of memory. If they do not fill the lane, they begin at its lowest bit; the bits above may
// have any value. The function calls itself for each half of the phases: kFirst is the first phase of the half, and
// kAll is the number of phases of the first call. Example: four phases of bytes, little endian. The half 0 1 has the
// bits 0 to 15, the half 2 3 the bits 16 to 31, and a mask puts both halves together.
template <class T, int64_t kCount, int64_t kFirst = 0, int64_t kAll = kCount, class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> JoinPhases(D d, const char* from, int64_t phase_bytes) {
  const hn::RebindToUnsigned<D> du;
  if constexpr (sizeof(T) == sizeof(float)) {
    return hn::BitCast(du, LoadBytes(d, from));
  } else if constexpr (kCount == 1) {
    constexpr int64_t kFromLow = HWY_IS_BIG_ENDIAN ? kAll - 1 - kFirst : kFirst;
    constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
    return NarrowBits<T, static_cast<int>(kFromLow) * kBits>(d, LoadBytes(d, from + kFirst * phase_bytes));
  } else {
    // A mask chooses the bits of the half that lies lower in the lane. (IfVecThenElse would choose whole lanes on RVV.)
    constexpr int64_t kHalf = kCount / 2;
    constexpr int64_t kLowerFirst = HWY_IS_BIG_ENDIAN ? kFirst + kHalf : kFirst;
    constexpr int64_t kUpperFirst = HWY_IS_BIG_ENDIAN ? kFirst : kFirst + kHalf;
    constexpr int64_t kElementsBelow = HWY_IS_BIG_ENDIAN ? kAll - kUpperFirst - kHalf : kUpperFirst;
    constexpr uint32_t kLowerBits = (uint32_t{1} << (kElementsBelow * static_cast<int64_t>(sizeof(T)) * 8)) - 1;
    return hn::BitwiseIfThenElse(hn::Set(du, kLowerBits), JoinPhases<T, kHalf, kLowerFirst, kAll>(d, from, phase_bytes),
                                 JoinPhases<T, kHalf, kUpperFirst, kAll>(d, from, phase_bytes));
  }
}

// Stores a vector of cells, kStride elements each. Joins phases in lanes; interleaves lanes if a cell has two.
template <class T, int64_t kStride, bool kStreams, class D>
HWY_INLINE void StoreVectorOfCells(D d, const char* from, int64_t phase_bytes, char* to) {
  constexpr int64_t kJoined = JoinedPhases<T>(kStride);
  const hn::RebindToUnsigned<D> du;
  if constexpr (sizeof(T) < sizeof(float) && kStride == 1) {
    StoreOrStream<kStreams>(NarrowLanes<T>(d, LoadBytes(d, from)), NarrowTag<T, D>(), to);
  } else if constexpr (sizeof(T) * kJoined == 2) {
    const hn::Rebind<uint16_t, D> d16;
    StoreOrStream<kStreams>(hn::TruncateTo(d16, JoinPhases<T, kJoined>(d, from, phase_bytes)), d16, to);
  } else if constexpr (kStride == kJoined) {
    StoreOrStream<kStreams>(JoinPhases<T, kJoined>(d, from, phase_bytes), du, to);
  } else {
    static_assert(kStride == 2 * kJoined);
    const auto first = JoinPhases<T, kJoined>(d, from, phase_bytes);
    const auto second = JoinPhases<T, kJoined>(d, from + kJoined * phase_bytes, phase_bytes);
    const auto bytes = static_cast<int64_t>(hn::Lanes(d)) * kFloatBytes;
    StoreOrStream<kStreams>(hn::InterleaveWholeLower(du, first, second), du, to);
    StoreOrStream<kStreams>(hn::InterleaveWholeUpper(du, first, second), du, to + bytes);
  }
}

// Stores cells that do not fill a vector. Returns how many cells were stored: 0 if there are fewer than four.
template <class T, int64_t kStride>
HWY_NOINLINE int64_t StoreFewCells(const char* from, int64_t phase_bytes, int64_t cells, char* to) {
  if (cells < kQuad) return 0;
  WithFilledVectors(hn::ScalableTag<float>(), cells, [&](auto d) HWY_ATTR {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t begin = 0; begin < cells; begin += lanes) {
      const int64_t cell = VectorBegin(begin, lanes, cells);
      StoreVectorOfCells<T, kStride, false>(d, from + cell * kFloatBytes, phase_bytes,
                                            to + cell * kStride * static_cast<int64_t>(sizeof(T)));
    }
  });
  return cells;
}

// Stores cells by vectors. The last vector overlaps the one before it. Streamed vectors do not overlap, because the
// cache line would have to be read again. Returns how many cells were stored; fewer than four may be left.
template <class T, int64_t kStride>
HWY_INLINE int64_t StoreCells(const Compute<T>* sums, int64_t phase_pitch, int64_t cells, bool streams, char* to) {
  constexpr int64_t kCellBytes = kStride * static_cast<int64_t>(sizeof(T));
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto* const from = reinterpret_cast<const char*>(sums);
  const int64_t phase_bytes = phase_pitch * kFloatBytes;
  int64_t cell = 0;
  if (streams) {
    for (; cell + lanes <= cells; cell += lanes) {
      StoreVectorOfCells<T, kStride, true>(d, from + cell * kFloatBytes, phase_bytes, to + cell * kCellBytes);
    }
  } else if (cells >= lanes) {
    for (; cell < cells; cell += lanes) {
      const int64_t at = std::min(cell, cells - lanes);
      StoreVectorOfCells<T, kStride, false>(d, from + at * kFloatBytes, phase_bytes, to + at * kCellBytes);
    }
    return cells;
  }
  if (cell == cells) return cell;
  return cell + StoreFewCells<T, kStride>(from + cell * kFloatBytes, phase_bytes, cells - cell, to + cell * kCellBytes);
}

// Stores to[cell * cell_bytes + k * kFloatBytes] = source_of(k)[cell] for k < count (at least 4). It transposes four
// sources by a vector of cells at a time. Returns how many cells were stored: 0 if there are fewer than four.
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

// Loads a vector of sums of one phase, narrowed to the elements that are stored.
template <class T, class D>
HWY_INLINE auto LoadNarrowed(D d, const Compute<T>* from) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) < sizeof(Compute<T>)) {
    return NarrowLanes<T>(d, LoadBytes(d, reinterpret_cast<const char*>(from)));
  } else
#endif
    return hn::LoadU(d, reinterpret_cast<const T*>(from));
}

// Stores whole vectors of cells, kStride elements each. `d` is the tag of the sums, `dn` that of the elements. Returns
// how many cells were stored.
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

// Stores from[t * phase_pitch + cell] as output cell * kStride + t, an element of T. If `streams` and
// StreamsCells<T>(kStride), stores bypass the caches. Each block below stores as many remaining cells as it can.
template <class T, int64_t kStride>
HWY_INLINE void Interleave(const Compute<T>* HWY_RESTRICT from, int64_t phase_pitch, int64_t cells,
                           [[maybe_unused]] bool streams, char* HWY_RESTRICT to) {
  int64_t cell = 0;
  const bool aligned = reinterpret_cast<uintptr_t>(to) % sizeof(T) == 0;
  // Elements that are not narrowed, except lanes of 32 bits with strides 1 and 2, which StoreCells stores below.
  // Highway's interleaving stores need an aligned address.
  if constexpr (sizeof(T) == sizeof(Compute<T>) && (!kHasWideLanes<T> || kStride > 2)) {
    const hn::ScalableTag<T> d;
    if (aligned) cell = InterleaveVectors<T, kStride>(d, d, from, phase_pitch, cells, reinterpret_cast<T*>(to));
  }
#if HWY_TARGET != HWY_SCALAR
  // Elements of 32 bits with stride 4 that are left: the last cells, or all if the address is not aligned.
  if constexpr (kHasWideLanes<T> && sizeof(T) == sizeof(Compute<T>) && kStride == kQuad) {
    const auto source_of = [&](int64_t t) { return reinterpret_cast<const char*>(from + t * phase_pitch + cell); };
    constexpr int64_t kCellBytes = kStride * kFloatBytes;
    cell += StoreByQuads(source_of, kStride, cells - cell, to + cell * kCellBytes, kCellBytes);
  }
  // Phases that fill lanes when they are joined; otherwise (stride 3) elements that are narrowed first.
  if constexpr (StoresCells<T>(kStride)) {
    cell = StoreCells<T, kStride>(from, phase_pitch, cells, streams, to);
  } else if constexpr (kHasWideLanes<T> && sizeof(T) < sizeof(Compute<T>)) {
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

// Interleaves the phases of any stride, without narrowing by vectors.
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
  // The outer loop is over cells, so a huge stride costs nothing if there are no cells.
  for (; cell < cells; ++cell) {
    for (int64_t t = 0; t < phases; ++t) {
      StoreElement<T>(to, cell * phases + t, Narrow<T>(from[t * phase_pitch + cell]));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_INTERLEAVE_INL_H_
