// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds an exact number to the bits of a floating type, and converts such bits to double.

#include "oracle/float_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace oracle {
namespace {

/// The exponent of the smallest subnormal number: f16 has 2^-24.
constexpr int SubnormalExponent(const FloatFormat& format) { return format.min_exponent - format.precision + 1; }

/// Implements RoundToBits. It is inline, so that the compiler removes branches if `type` or `rounding` is a constant.
/// Example: 4099 to f16 with 11 bits of precision. 4099 has 13 bits, so the last place of the result is 2^2 and 2 bits
/// are cut. kept = 1024, dropped = 3, half = 2: the significand rounds up to 1025, and the result is 4100.
inline std::uint64_t RoundInline(bool negative, U128 magnitude, int exponent, ElementType type, Rounding rounding) {
  const FloatFormat format = FormatOf(type);
  const std::uint64_t sign = negative ? std::uint64_t{1} << (FloatWidth(type) - 1) : 0;
  if (magnitude == 0) return sign;
  const int length = BitLength(magnitude);
  if (exponent + length > format.max_exponent) return InfinityBits(negative, type);

  // The exponent of the result's last place: it keeps `precision` bits, but none below the smallest subnormal number.
  const int unit = std::max(exponent + length - format.precision, SubnormalExponent(format));
  const int cut = unit - exponent;  // the number of low bits to drop
  std::uint64_t significand = 0;
  if (cut <= 0) {
    significand = static_cast<std::uint64_t>(magnitude << -cut);
  } else if (cut > length) {
    // The number is less than half of the result's last place.
    significand = rounding == Rounding::kUp ? 1 : 0;
  } else {
    const U128 kept = cut == 128 ? 0 : magnitude >> cut;
    const U128 dropped = cut == 128 ? magnitude : magnitude - (kept << cut);
    const U128 half = U128{1} << (cut - 1);
    significand = static_cast<std::uint64_t>(kept);
    const bool up =
        rounding == Rounding::kUp ? dropped != 0 : dropped > half || (dropped == half && (significand & 1) != 0);
    if (up) ++significand;
  }
  // Puts exponent field and significand together by an addition. The significand of a normal number includes its hidden
  // bit, which is at the lowest place of the exponent field and raises the field by 1. So `field` is 1 less than the
  // field of a normal number. A subnormal number has no hidden bit, and its field stays 0. If rounding up gave
  // 2^precision, the field grows by 1 more, and the result may be infinity.
  const auto field = static_cast<std::uint64_t>(unit - SubnormalExponent(format));
  return sign | ((field << (format.precision - 1)) + significand);
}

}  // namespace

std::uint64_t InfinityBits(bool negative, ElementType type) {
  const int fraction_bits = FormatOf(type).precision - 1;
  const int exponent_bits = FloatWidth(type) - fraction_bits - 1;
  const std::uint64_t exponent_field = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  return exponent_field | (negative ? std::uint64_t{1} << (FloatWidth(type) - 1) : 0);
}

std::uint64_t NanBits(ElementType type) {
  return InfinityBits(false, type) | (std::uint64_t{1} << (FormatOf(type).precision - 2));
}

std::uint64_t RoundToBits(bool negative, U128 magnitude, int exponent, ElementType type, Rounding rounding) {
  return RoundInline(negative, magnitude, exponent, type, rounding);
}

double RoundToDouble(bool negative, U128 magnitude, int exponent, Rounding rounding) {
  const std::uint64_t bits = rounding == Rounding::kUp
                                 ? RoundInline(negative, magnitude, exponent, ElementType::kF64, Rounding::kUp)
                                 : RoundInline(negative, magnitude, exponent, ElementType::kF64, Rounding::kNearest);
  return std::bit_cast<double>(bits);
}

// Builds the bits. An f64 has 52 bits of fraction, and an exponent field of exponent + 1023. Below 2^-1022 it is a
// multiple of 2^-1074.
double PowerOfTwo(int exponent) {
  if (exponent < -1074) return 0;
  if (exponent < -1022) return std::bit_cast<double>(std::uint64_t{1} << (exponent + 1074));
  return std::bit_cast<double>(static_cast<std::uint64_t>(std::min(exponent, 1023) + 1023) << 52);
}

double FloatValue(std::uint64_t bits, ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return std::bit_cast<double>(bits);
    case ElementType::kF32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ElementType::kBf16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
    case ElementType::kF16: {  // 10 bits of fraction, an exponent with the bias 15
      const int exponent = static_cast<int>(bits >> 10 & 0x1F);
      const auto fraction = static_cast<double>(bits & 0x3FF);
      double value = 0;
      if (exponent == 0x1F) {
        value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
      } else {
        value = exponent == 0 ? fraction * 0x1p-24 : (fraction + 1024) * PowerOfTwo(exponent - 25);
      }
      return (bits & 0x8000) != 0 ? -value : value;
    }
    default:
      return 0;  // integers are compared as bits
  }
}

}  // namespace oracle
