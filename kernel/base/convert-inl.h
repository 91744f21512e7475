// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts vectors of elements of 8 and 16 bits to 32-bit lanes and back: f16 and bf16 to f32, integers to integers. A
// lane holds a value of the compute type (convert.h); the vector has the type of a vector of floats. A parameter `d` is
// a tag of Highway: its type names the type and the number of the lanes.

#if defined(DECONV_KERNEL_BASE_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BASE_CONVERT_INL_H_
#undef DECONV_KERNEL_BASE_CONVERT_INL_H_
#else
#define DECONV_KERNEL_BASE_CONVERT_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"

#include <hwy/highway.h>

// 1 on targets that convert f16 by instructions, which keep Inf and NaN.
#undef DECONV_F16_INSTRUCTIONS
#define DECONV_F16_INSTRUCTIONS \
  (HWY_TARGET <= HWY_AVX2 || (HWY_TARGET_IS_NEON && HWY_ARCH_ARM_A64) || HWY_TARGET_IS_SVE)

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Loads `count` elements of 8 or 16 bits, at most the lanes of D, from any address. The lanes behind them are zeros.
template <class U, class D>
HWY_INLINE hn::Vec<hn::Rebind<U, D>> LoadElements(D /*d*/, const char* from, int64_t count) {
  const hn::Rebind<U, D> d;
  if (count == static_cast<int64_t>(hn::Lanes(d))) return LoadBytes(d, from);
#if DECONV_MASKS_BYTES
  const hn::Repartition<uint8_t, decltype(d)> d8;
  return hn::BitCast(d, hn::LoadN(d8, reinterpret_cast<const uint8_t*>(from), static_cast<size_t>(count) * sizeof(U)));
#else
  HWY_ALIGN U buffer[hn::MaxLanes(d)] = {};
  std::memcpy(buffer, from, static_cast<size_t>(count) * sizeof(U));
  return hn::Load(d, buffer);
#endif
}

// The unsigned integer with the bits of an element of 8 or 16 bits.
template <class T>
using ElementBits = std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>;

// Widens each of `bits`, the elements of 8 or 16 bits that LoadElements loads, to a lane of D. Integers that are summed
// as integers are extended with zeros: their sums are exact modulo the output's type, signed or unsigned.
template <class T, class D>
HWY_INLINE hn::Vec<D> WidenElements(D d, hn::Vec<hn::Rebind<ElementBits<T>, D>> bits) {
  if constexpr (std::is_same_v<T, Float16>) {
#if DECONV_F16_INSTRUCTIONS
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
#else
    static_assert(!std::is_same_v<T, Float16>, "this target has no instruction for f16; call LoadWidened");
#endif
  } else if constexpr (std::is_same_v<T, FloatI8>) {
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), hn::BitCast(hn::Rebind<int8_t, D>(), bits)));
  } else {
    const auto wide = hn::PromoteTo(hn::RebindToUnsigned<D>(), bits);
    if constexpr (std::is_same_v<T, BFloat16>) return hn::BitCast(d, hn::ShiftLeft<16>(wide));
    return hn::BitCast(d, wide);
  }
}

// Loads `count` elements and widens each to a lane of D. The lanes behind them are zeros.
template <class T, class D>
HWY_INLINE hn::Vec<D> LoadWidened(D d, const char* from, int64_t count) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return count == static_cast<int64_t>(hn::Lanes(d)) ? LoadBytes(d, from) : LoadLanes(d, from, count);
  } else if constexpr (std::is_same_v<T, Float16> && !DECONV_F16_INSTRUCTIONS) {
    HWY_ALIGN float buffer[hn::MaxLanes(d)];
    for (int64_t i = 0; i < count; ++i) buffer[i] = ToFloat(LoadElement<Float16>(from, i));
    std::fill(buffer + count, buffer + hn::Lanes(d), 0.0f);
    return hn::Load(d, buffer);
  } else {
    return WidenElements<T>(d, LoadElements<ElementBits<T>>(d, from, count));
  }
}

// The tag of a vector that has an element of 8 or 16 bits for each lane of D. (The type of a vector does not tell: on
// SVE, half vectors have the type of whole ones.)
template <class T, class D>
using NarrowTag = hn::Rebind<ElementBits<T>, D>;

// Converts each lane of `sums` to an element of 8 or 16 bits. The element begins at bit kShift of its lane, so
// that a caller can join elements of several vectors in one lane. The other bits of the lane may have any value.
template <class T, int kShift = 0, class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> NarrowBits([[maybe_unused]] D d, hn::Vec<D> sums) {
  static_assert(kShift + 8 * static_cast<int>(sizeof(T)) <= 32);
  const hn::RebindToUnsigned<D> du;
  if constexpr (std::is_same_v<T, Float16>) {
#if DECONV_F16_INSTRUCTIONS
    const auto halves = hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), sums);
    return hn::ShiftLeft<kShift>(hn::PromoteTo(du, hn::BitCast(NarrowTag<T, D>(), halves)));
#else
    HWY_ALIGN float wide[hn::MaxLanes(d)];
    HWY_ALIGN uint32_t narrow[hn::MaxLanes(d)];
    hn::Store(sums, d, wide);
    for (size_t i = 0; i < hn::Lanes(d); ++i) narrow[i] = ToFloat16(wide[i]).bits;
    return hn::ShiftLeft<kShift>(hn::Load(du, narrow));
#endif
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    // Instructions that convert to bf16 flush subnormals. So integers round: they add 0x7fff, and 1 more if the lowest
    // kept bit is set, which carries into the upper 16 bits (ties to even). Bit 22 makes a NaN quiet.
    const auto bits = hn::BitCast(du, sums);
    const auto even = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::Add(hn::Add(bits, hn::Set(du, 0x7fffu)), even);
    const auto quiet = hn::Or(bits, hn::Set(du, 0x400000u));
    const auto is_nan = hn::RebindMask(du, hn::IsNaN(sums));
    return hn::ShiftRight<16 - kShift>(hn::IfThenElse(is_nan, quiet, rounded));
  } else if constexpr (std::is_same_v<T, FloatI8>) {
    return hn::ShiftLeft<kShift>(hn::BitCast(du, hn::ConvertTo(hn::RebindToSigned<D>(), sums)));
  } else {
    return hn::ShiftLeft<kShift>(hn::BitCast(du, sums));
  }
}

// Converts each lane of `sums` to an element of 8 or 16 bits, and returns a vector of such elements.
template <class T, class D>
HWY_INLINE hn::Vec<NarrowTag<T, D>> NarrowLanes([[maybe_unused]] D d, hn::Vec<D> sums) {
  const NarrowTag<T, D> dn;
#if DECONV_F16_INSTRUCTIONS
  if constexpr (std::is_same_v<T, Float16>) {
    return hn::BitCast(dn, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), sums));
  } else
#endif
    return hn::TruncateTo(dn, NarrowBits<T>(d, sums));
}

// Stores the first `count` lanes of `sums` as elements of T.
template <class T, class D>
HWY_INLINE void StoreElements(hn::Vec<D> sums, D d, char* to, int64_t count) {
  const bool is_whole = count == static_cast<int64_t>(hn::Lanes(d));
  if constexpr (sizeof(T) == sizeof(float)) {
    if (is_whole) {
      StoreBytes(sums, d, to);
    } else {
      StoreLanes(sums, d, to, count);
    }
  } else {
    const NarrowTag<T, D> dn;
    const auto narrow = NarrowLanes<T>(d, sums);
    if (is_whole) {
      StoreBytes(narrow, dn, to);
    } else {
      StoreFirstBytes(narrow, dn, to, count * static_cast<int64_t>(sizeof(T)));
    }
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

// Whether the target has instructions with which LoadWidened converts elements of T.
template <class T>
inline constexpr bool kWidensByInstructions =
    HWY_TARGET != HWY_SCALAR && sizeof(T) < sizeof(float) && (!std::is_same_v<T, Float16> || DECONV_F16_INSTRUCTIONS);

// Whether a vector of floats can hold the compute type of T.
template <class T>
inline constexpr bool kHasWideLanes = HWY_TARGET != HWY_SCALAR && sizeof(Compute<T>) == sizeof(float);

// Widens `count` neighbouring elements to their compute type.
template <class T>
HWY_INLINE void WidenRow(const char* from, int64_t count, char* HWY_RESTRICT to) {
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T>) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (; i + lanes <= count; i += lanes) {
      const char* elements = from + i * static_cast<int64_t>(sizeof(T));
      StoreBytes(LoadWidened<T>(d, elements, lanes), d, to + i * kFloatBytes);
    }
    // To convert a single f16 takes longer than a vector of f16, so the rest is converted as one vector.
    if constexpr (std::is_same_v<T, Float16>) {
      const char* elements = from + i * static_cast<int64_t>(sizeof(T));
      if (i < count) StoreLanes(LoadWidened<T>(d, elements, count - i), d, to + i * kFloatBytes, count - i);
      return;
    }
  }
#endif
  for (; i < count; ++i) StoreElement(to, i, Widen(LoadElement<T>(from, i)));
}

// Narrows `count` neighbouring values of the compute type to elements. Reads whole vectors, also behind the last value.
template <class T>
HWY_INLINE void NarrowRow(const char* from, int64_t count, char* to) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kHasWideLanes<T>) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < count; i += lanes) {
      StoreElements<T>(LoadBytes(d, from + i * kFloatBytes), d, to + i * static_cast<int64_t>(sizeof(T)),
                       std::min(lanes, count - i));
    }
    return;
  }
#endif
  for (int64_t i = 0; i < count; ++i) StoreElement<T>(to, i, Narrow<T>(LoadElement<Compute<T>>(from, i)));
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_BASE_CONVERT_INL_H_
