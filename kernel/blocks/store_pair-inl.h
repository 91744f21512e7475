// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores both phases (the even and the odd outputs) of a row with stride 2, from the registers of the tiles of "phased"
// and "rows". The sums are interleaved in registers: a0 a1 and b0 b1 become a0 b0 a1 b1. Elements of 8 or 16 bits are
// converted and joined instead: a lane then holds the outputs of both phases, a0 b0.

#if defined(DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
#undef DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
#else
#define DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
#endif

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

// Whether this file stores outputs of type T: f32, and narrower elements that the target converts by instructions.
template <class T>
inline constexpr bool kJoinsPairs = HWY_TARGET != HWY_SCALAR && std::is_same_v<Compute<T>, float> &&
                                    (sizeof(T) == sizeof(float) || kWidensByInstructions<T>);

#if HWY_TARGET != HWY_SCALAR

// The vector that holds two narrow sums for each lane of D: lanes of 32 bits for elements of 16 bits, else of 16 bits.
template <class T, class D>
using PairTag = hn::Rebind<std::conditional_t<sizeof(T) == 2, uint32_t, uint16_t>, D>;

// Joins two vectors of sums: each lane of the result holds a sum of `first` and one of `second`, in memory order.
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

// Stores the outputs of a vector of cells. `first` and `second` are the sums of the two phases.
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

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BLOCKS_STORE_PAIR_INL_H_
