// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The element types of tensors, the compute types in which they are summed, and conversions between them. f16 and bf16
// widen to f32. Integers widen to unsigned 32 or 64 bits, whose overflow is defined in C++. Buffers may have any
// alignment. f16 is converted by the code here, or by instructions (convert-inl.h): Highway 1.2 turns Inf and NaN into
// finite numbers on targets below AVX2.
#ifndef DECONV_KERNEL_BASE_CONVERT_H_
#define DECONV_KERNEL_BASE_CONVERT_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/include/deconv/deconv.h"

namespace deconv {

struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};
// An integer of 8 bits that is summed in f32. FloatSumsAreExact (phases.h) says when such sums are exact. u8 is read as
// i8, too, because the 8 bits of an output are the same.
struct FloatI8 {
  int8_t value;
};

// Exponents of f32 and f16 are stored with biases of 127 and 15. Their difference is 112. Mantissas have 23 and 10
// bits, so bits move by 13. As bits of an f16, 0x7c00 is Inf, and 0x400 is the smallest normal number. Example: 1 has
// the bits 0x3c00 in f16. (0x3c00 << 13) + (112 << 23) = 0x07800000 + 0x38000000 = 0x3f800000, which is 1 in f32.
inline float ToFloat(Float16 half) {
  const uint32_t sign = (half.bits & 0x8000u) << 16;
  const uint32_t magnitude = half.bits & 0x7fffu;
  // A subnormal is converted as an integer, so that a denormals-are-zero mode does not make it zero.
  const uint32_t subnormal = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  const uint32_t normal = (magnitude << 13) + (112u << 23);
  const uint32_t special = (magnitude << 13) | 0x7f800000u;
  const uint32_t bits = magnitude >= 0x7c00u ? special : magnitude < 0x400u ? subnormal : normal;
  return std::bit_cast<float>(sign | bits);
}

inline float ToFloat(BFloat16 value) { return std::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16); }

// Rounds to nearest, ties to even. Overflow is Inf. NaN keeps the upper bits of its mantissa, as it does in vector
// conversions. As bits of an f32, 0x38800000 is 2^-14, the smallest normal f16; 0x3f000000 is 0.5; 0x47800000 is 2^16.
inline Float16 ToFloat16(float value) {
  const uint32_t value_bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (value_bits >> 16) & 0x8000u;
  const uint32_t magnitude = value_bits & 0x7fffffffu;
  // The distance of neighbouring f32 at 0.5 is 2^-24, the smallest f16. So the addition of 0.5 rounds subnormals.
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f) - 0x3f000000u;
  const uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  uint32_t bits = magnitude < 0x38800000u ? subnormal : normal;
  bits = magnitude >= 0x47800000u ? 0x7c00u : bits;
  bits = magnitude > 0x7f800000u ? 0x7e00u | (magnitude >> 13 & 0x3ffu) : bits;
  return {static_cast<uint16_t>(sign | bits)};
}

// Rounds to nearest, ties to even: a carry of the lower 16 bits rounds the upper 16 up. NaN becomes a quiet NaN.
inline BFloat16 ToBFloat16(float value) {
  const uint32_t value_bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (value_bits + 0x7fffu + ((value_bits >> 16) & 1u)) >> 16;
  const uint32_t quiet = (value_bits >> 16) | 0x40u;
  return {static_cast<uint16_t>((value_bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded)};
}

// Compute<T> is the type in which elements of T are summed.
template <class T>
struct ComputeOf {
  using Type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};
template <>
struct ComputeOf<double> {
  using Type = double;
};
template <>
struct ComputeOf<float> {
  using Type = float;
};
template <>
struct ComputeOf<Float16> {
  using Type = float;
};
template <>
struct ComputeOf<BFloat16> {
  using Type = float;
};
template <>
struct ComputeOf<FloatI8> {
  using Type = float;
};
template <class T>
using Compute = typename ComputeOf<T>::Type;

// Load and store element `index` of a buffer of T, at any alignment.
template <class T>
inline T LoadElement(const void* base, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
inline void StoreElement(void* base, int64_t index, T value) {
  std::memcpy(static_cast<char*>(base) + index * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

// Widen converts an element to its compute type. Narrow converts a sum to an element, rounded once; integers wrap.
template <class T>
inline Compute<T> Widen(T value) {
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
    return ToFloat(value);
  } else if constexpr (std::is_same_v<T, FloatI8>) {
    return value.value;
  } else {
    return static_cast<Compute<T>>(value);
  }
}

template <class T>
inline T Narrow(Compute<T> value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat16(value);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return ToBFloat16(value);
  } else if constexpr (std::is_same_v<T, FloatI8>) {
    return {static_cast<int8_t>(static_cast<int32_t>(value))};
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
inline bool IsFinite(Compute<T> value) {
  if constexpr (std::is_floating_point_v<Compute<T>>) {
    return std::isfinite(value);
  } else {
    return true;
  }
}

// The unsigned integer type with the bits of an element.
template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 8, uint64_t,
    std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
template <class T>
BitsOf<T> ToBits(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

// Bits of the mantissa; 0 for integers.
template <class T>
inline constexpr int kMantissaBits = 0;
template <>
inline constexpr int kMantissaBits<double> = 52;
template <>
inline constexpr int kMantissaBits<float> = 23;
template <>
inline constexpr int kMantissaBits<Float16> = 10;
template <>
inline constexpr int kMantissaBits<BFloat16> = 7;

// Converts each element by kConvert. Returns whether all are finite. Inf and NaN have the greatest exponent; adding one
// to the exponent carries into the sign bit. Compilers make vectors of this addition, but not of every comparison.
template <class T, auto kConvert>
bool ConvertElements(const char* __restrict from, int64_t count, char* __restrict to) {
  using Bits = BitsOf<T>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  Bits carried = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto bits = LoadElement<Bits>(from, i);
    if constexpr (kMantissaBits<T> > 0) {
      carried = static_cast<Bits>(carried | ((bits & ~kSign) + (Bits{1} << kMantissaBits<T>)));
    }
    StoreElement(to, i, kConvert(std::bit_cast<T>(bits)));
  }
  return (carried & kSign) == 0;
}

// Calls visitor.template operator()<T>() for the C++ type of a numeric element type.
template <class Visitor>
auto VisitType(deconv_type type, const Visitor& visitor) {
  switch (type) {
    case DECONV_F64:
      return visitor.template operator()<double>();
    case DECONV_F16:
      return visitor.template operator()<Float16>();
    case DECONV_BF16:
      return visitor.template operator()<BFloat16>();
    case DECONV_I8:
      return visitor.template operator()<int8_t>();
    case DECONV_I16:
      return visitor.template operator()<int16_t>();
    case DECONV_I32:
      return visitor.template operator()<int32_t>();
    case DECONV_I64:
      return visitor.template operator()<int64_t>();
    case DECONV_U8:
      return visitor.template operator()<uint8_t>();
    case DECONV_U16:
      return visitor.template operator()<uint16_t>();
    case DECONV_U32:
      return visitor.template operator()<uint32_t>();
    case DECONV_U64:
      return visitor.template operator()<uint64_t>();
    default:
      return visitor.template operator()<float>();
  }
}

// Calls the visitor as VisitType does, for algorithms that sum in f32.
template <class Visitor>
auto VisitFloatType(deconv_type type, const Visitor& visitor) {
  switch (type) {
    case DECONV_F16:
      return visitor.template operator()<Float16>();
    case DECONV_BF16:
      return visitor.template operator()<BFloat16>();
    case DECONV_I8:
    case DECONV_U8:
      return visitor.template operator()<FloatI8>();
    default:
      return visitor.template operator()<float>();
  }
}

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_CONVERT_H_
