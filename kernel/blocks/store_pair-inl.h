// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores two phases of neighbouring cells, for planar outputs and stride 2: interleaves sums in registers, and converts
// them to elements of 8 or 16 bits. For the register tiles of "phased" and "rows".

#if defined(DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
#undef DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/blocks/interleave-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether pairs of elements of T are stored: f32, and narrower elements that instructions convert.
template <class T>
inline constexpr bool kJoinsPairs = HWY_TARGET != HWY_SCALAR && std::is_same_v<Compute<T>, float> &&
                                    (sizeof(T) == sizeof(float) || kWidensByInstructions<T>);

#if HWY_TARGET != HWY_SCALAR

// Two narrow sums of each lane of D as one element: 32 bits for sums of 16, and 16 bits for sums of 8.
template <class T, class D>
using PairTag = hn::Rebind<std::conditional_t<sizeof(T) == 2, uint32_t, uint16_t>, D>;

// Each lane of the result holds two sums in the order in which memory has them.
template <class T, class D, class V>
HWY_INLINE hn::Vec<PairTag<T, D>> JoinPair(D d, V first, V second) {
  constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
  const hn::RebindToUnsigned<D> du;
  const V low = HWY_IS_BIG_ENDIAN ? second : first;
  const V high = HWY_IS_BIG_ENDIAN ? first : second;
  const auto joined = hn::BitwiseIfThenElse(hn::Set(du, (uint32_t{1} << kBits) - 1), NarrowBits<T>(d, low),
                                            NarrowBits<T, kBits>(d, high));
  if constexpr (sizeof(T) == 1) {
    return hn::TruncateTo(PairTag<T, D>(), joined);
  } else {
    return joined;
  }
}

// Stores the outputs of a vector of cells from the sums of both phases.
template <class T, bool kStreams, class V>
HWY_INLINE void StorePair(V first, V second, char* to) {
  const hn::DFromV<V> d;
  if constexpr (sizeof(T) == sizeof(float)) {
    StoreOrStream<kStreams>(hn::InterleaveWholeLower(d, first, second), d, to);
    StoreOrStream<kStreams>(hn::InterleaveWholeUpper(d, first, second), d, to + hn::Lanes(d) * kFloatBytes);
  } else {
    StoreOrStream<kStreams>(JoinPair<T>(d, first, second), PairTag<T, decltype(d)>(), to);
  }
}

// Stores a pair as StorePair does at the end of a row, which has only `count` outputs left: less than two vectors of
// cells give.
template <class T, class V>
HWY_INLINE void StorePartOfPair(V first, V second, int64_t count, char* to) {
  const hn::DFromV<V> d;
  const int64_t bytes = count * static_cast<int64_t>(sizeof(T));
  if constexpr (sizeof(T) == sizeof(float)) {
    const auto vector = static_cast<int64_t>(hn::Lanes(d)) * kFloatBytes;
    StoreFirstBytes(hn::InterleaveWholeLower(d, first, second), d, to, std::min(bytes, vector));
    if (bytes > vector) StoreFirstBytes(hn::InterleaveWholeUpper(d, first, second), d, to + vector, bytes - vector);
  } else {
    StoreFirstBytes(JoinPair<T>(d, first, second), PairTag<T, decltype(d)>(), to, bytes);
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
