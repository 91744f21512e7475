// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes floating-point numbers of the formats f64, f32, f16 and bf16 from their bits, and rounds an exact number once
// to such bits. Decoding and rounding use integer arithmetic alone, so they do not depend on the machine or its flags.

#ifndef DECONV_ORACLE_FLOAT_BITS_H_
#define DECONV_ORACLE_FLOAT_BITS_H_

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "oracle/element_type.h"
#include "oracle/wide_integer.h"

namespace oracle {

enum class FloatClass : std::uint8_t { kFinite, kInfinity, kNan };

/// A floating-point number. A finite one is (-1)^negative * significand * 2^exponent.
struct FloatParts {
  FloatClass kind = FloatClass::kFinite;
  bool negative = false;
  bool subnormal = false;  ///< subnormal and not zero
  int exponent = 0;
  std::uint64_t significand = 0;
};

/// Reads the element at `source`, in the machine's byte order, with its upper bits 0. `bytes` is 1, 2, 4 or 8; any
/// alignment.
inline std::uint64_t LoadBits(const std::byte* source, std::size_t bytes) {
  const auto load = [source](auto count) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t from_lowest = std::endian::native == std::endian::little ? i : count - 1 - i;
      bits |= std::to_integer<std::uint64_t>(source[i]) << (8 * from_lowest);
    }
    return bits;
  };
  // Each count is a constant, so that the compiler turns each loop into one load.
  switch (bytes) {
    case 1:
      return load(std::integral_constant<std::size_t, 1>());
    case 2:
      return load(std::integral_constant<std::size_t, 2>());
    case 4:
      return load(std::integral_constant<std::size_t, 4>());
    default:
      return load(std::integral_constant<std::size_t, 8>());
  }
}

/// The number of bits of an element of a floating type.
constexpr int FloatWidth(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return 64;
    case ElementType::kF16:
    case ElementType::kBf16:
      return 16;
    default:
      assert(type == ElementType::kF32);
      return 32;
  }
}

/// Splits the bits of a number of a floating type into sign, significand and exponent.
/// Example: f16 0x3E00 is 1.5. Its fraction is 0x200, so the significand is 0x400 + 0x200 = 1536. Its exponent field is
/// 15, so the exponent is -14 - 10 + 14 = -10, and 1536 * 2^-10 = 1.5.
inline FloatParts DecodeFloat(std::uint64_t bits, ElementType type) {
  const FloatFormat format = FormatOf(type);
  const int fraction_bits = format.precision - 1;
  const int exponent_bits = FloatWidth(type) - format.precision;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const int field = static_cast<int>((bits >> fraction_bits) & ((std::uint64_t{1} << exponent_bits) - 1));
  FloatParts parts;
  parts.negative = (bits >> (FloatWidth(type) - 1)) != 0;
  if (field == (1 << exponent_bits) - 1) {
    parts.kind = fraction == 0 ? FloatClass::kInfinity : FloatClass::kNan;
    return parts;
  }
  parts.subnormal = field == 0 && fraction != 0;
  parts.significand = field == 0 ? fraction : fraction | (std::uint64_t{1} << fraction_bits);
  // Subnormal numbers (field 0) have the exponent of the smallest normal numbers (field 1).
  parts.exponent = format.min_exponent - fraction_bits + (field == 0 ? 0 : field - 1);
  return parts;
}

enum class Rounding {
  kNearest,  ///< ties to even; from the largest finite number plus half a unit on: infinity
  kUp,       ///< away from zero; beyond the largest finite number: infinity
};

/// Rounds magnitude * 2^exponent, with its sign, once to `type` and returns the bits. A caller whose number has more
/// than 128 significant bits passes the highest 128, and sets bit 0 if a dropped bit was set. The result is then the
/// same.
std::uint64_t RoundToBits(bool negative, U128 magnitude, int exponent, ElementType type, Rounding rounding);

/// The number that RoundToBits gives for f64, as a double.
double RoundToDouble(bool negative, U128 magnitude, int exponent, Rounding rounding);

std::uint64_t InfinityBits(bool negative, ElementType type);
std::uint64_t NanBits(ElementType type);  ///< the positive quiet NaN without payload

/// The value of an f64, f32, f16 or bf16, exactly.
double FloatValue(std::uint64_t bits, ElementType type);

/// 2^exponent as a double, rounded down: 0 below the smallest subnormal number. Exponents above 1023 count as 1023.
double PowerOfTwo(int exponent);

}  // namespace oracle

#endif  // DECONV_ORACLE_FLOAT_BITS_H_
