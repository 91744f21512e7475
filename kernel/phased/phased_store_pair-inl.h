// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores two phases of neighbouring cells, for planar outputs and stride 2: interleaves sums in registers, and converts
// them to f16 or bf16. For the register tiles of "phased" and "rows".

#if defined(DECONV_KERNEL_PHASED_PHASED_STORE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_STORE_PAIR_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_STORE_PAIR_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_STORE_PAIR_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/phased/phased_interleave-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether pairs of elements of T are stored: f32, and elements of 16 bits that instructions convert.
template <class T>
inline constexpr bool kJoinsPairs = HWY_TARGET != HWY_SCALAR && std::is_same_v<Compute<T>, float> &&
                                    (sizeof(T) == sizeof(float) || (sizeof(T) == 2 && kWidensByInstructions<T>));

#if HWY_TARGET != HWY_SCALAR

// In each lane, two sums as elements of 16 bits, in the order in which memory has them.
template <class T, class D, class V>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> JoinPair(D d, V first, V second) {
  constexpr int kBits = 16;
  static_assert(sizeof(T) * 8 == kBits);
  const hn::RebindToUnsigned<D> du;
  const V low = HWY_IS_BIG_ENDIAN ? second : first;
  const V high = HWY_IS_BIG_ENDIAN ? first : second;
  return hn::BitwiseIfThenElse(hn::Set(du, (uint32_t{1} << kBits) - 1), NarrowBits<T>(d, low),
                               NarrowBits<T, kBits>(d, high));
}

// Stores the outputs of a vector of cells from the sums of both phases.
template <class T, bool kStreams, class V>
HWY_INLINE void StorePair(V first, V second, char* to) {
  const hn::DFromV<V> d;
  if constexpr (sizeof(T) == sizeof(float)) {
    StoreOrStream<kStreams>(hn::InterleaveWholeLower(d, first, second), d, to);
    StoreOrStream<kStreams>(hn::InterleaveWholeUpper(d, first, second), d, to + hn::Lanes(d) * kFloatBytes);
  } else {
    StoreOrStream<kStreams>(JoinPair<T>(d, first, second), hn::RebindToUnsigned<decltype(d)>(), to);
  }
}

// Stores the first `bytes` bytes of a vector; all of them if it has no more, none if the number is not positive.
template <class D>
HWY_INLINE void StoreFirstBytes(hn::Vec<D> v, D /*tag*/, int64_t bytes, char* to) {
  const hn::Repartition<uint8_t, D> d8;
  const int64_t count = std::clamp<int64_t>(bytes, 0, static_cast<int64_t>(hn::Lanes(d8)));
  hn::StoreN(hn::BitCast(d8, v), d8, reinterpret_cast<uint8_t*>(to), static_cast<size_t>(count));
}

// The same at the end of a row, which has only `count` outputs left.
template <class T, class V>
HWY_INLINE void StorePartOfPair(V first, V second, int64_t count, char* to) {
  const hn::DFromV<V> d;
  const int64_t bytes = count * static_cast<int64_t>(sizeof(T));
  if constexpr (sizeof(T) == sizeof(float)) {
    const auto vector = static_cast<int64_t>(hn::Lanes(d)) * kFloatBytes;
    StoreFirstBytes(hn::InterleaveWholeLower(d, first, second), d, bytes, to);
    StoreFirstBytes(hn::InterleaveWholeUpper(d, first, second), d, bytes - vector, to + vector);
  } else {
    StoreFirstBytes(JoinPair<T>(d, first, second), hn::RebindToUnsigned<decltype(d)>(), bytes, to);
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_STORE_PAIR_INL_H_
