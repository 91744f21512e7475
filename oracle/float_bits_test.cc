// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that floating-point numbers are decoded from their bits and rounded to bits correctly. It tries all bit
// patterns of the 16-bit types f16 and bf16. Between every two neighbours of these types it tries the tie, which lies
// halfway, and the doubles next to the tie. For f32 and f64 it compares with the machine's own conversions.

#include "oracle/float_bits.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/testing/any_number.h"

namespace oracle {
namespace {

/// The number that `parts` describe. The result is exact, because every f16, bf16 and f32 is also a double.
double Value(const FloatParts& parts) {
  const double magnitude = std::ldexp(static_cast<double>(parts.significand), parts.exponent);
  return parts.negative ? -magnitude : magnitude;
}

/// The bits of `value` rounded to `type`.
std::uint64_t RoundDouble(double value, ElementType type, Rounding rounding = Rounding::kNearest) {
  const FloatParts parts = DecodeFloat(std::bit_cast<std::uint64_t>(value), ElementType::kF64);
  return RoundToBits(parts.negative, parts.significand, parts.exponent, type, rounding);
}

// f16 has 10 bits of fraction and an exponent with the bias 15; bf16 has 7 bits and the bias 127.
TEST(DecodeFloat, SplitsKnownNumbers) {
  EXPECT_EQ(Value(DecodeFloat(0x3C00, ElementType::kF16)), 1.0);
  EXPECT_EQ(Value(DecodeFloat(0x7BFF, ElementType::kF16)), 65504.0);
  EXPECT_EQ(Value(DecodeFloat(0x0001, ElementType::kF16)), std::ldexp(1.0, -24));
  EXPECT_EQ(Value(DecodeFloat(0xC000, ElementType::kF16)), -2.0);
  EXPECT_EQ(Value(DecodeFloat(0x3F80, ElementType::kBf16)), 1.0);
  EXPECT_EQ(Value(DecodeFloat(0x0001, ElementType::kBf16)), std::ldexp(1.0, -133));
  EXPECT_TRUE(DecodeFloat(0x0001, ElementType::kF16).subnormal);
  EXPECT_FALSE(DecodeFloat(0x0400, ElementType::kF16).subnormal);
  EXPECT_FALSE(DecodeFloat(0x0000, ElementType::kF16).subnormal);
  EXPECT_EQ(DecodeFloat(0x7C00, ElementType::kF16).kind, FloatClass::kInfinity);
  EXPECT_EQ(DecodeFloat(0x7C01, ElementType::kF16).kind, FloatClass::kNan);
  EXPECT_EQ(DecodeFloat(0x7FF0000000000000, ElementType::kF64).kind, FloatClass::kInfinity);
}

TEST(SpecialBits, AreThoseOfNanAndInfinity) {
  EXPECT_EQ(NanBits(ElementType::kF32), 0x7FC00000U);
  EXPECT_EQ(NanBits(ElementType::kBf16), 0x7FC0U);
  EXPECT_EQ(InfinityBits(true, ElementType::kF16), 0xFC00U);
}

TEST(RoundToBits, DecodingAndRoundingGiveBackAllFinite16BitPatterns) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16}) {
    for (std::uint64_t bits = 0; bits < 65536; ++bits) {
      const FloatParts parts = DecodeFloat(bits, type);
      if (parts.kind != FloatClass::kFinite) continue;
      for (const Rounding rounding : {Rounding::kNearest, Rounding::kUp}) {
        ASSERT_EQ(RoundToBits(parts.negative, parts.significand, parts.exponent, type, rounding), bits);
      }
    }
  }
}

TEST(RoundToBits, RoundsTiesOf16BitTypesToEvenAndTheirNeighboursToTheNearestNumber) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16}) {
    const std::uint64_t infinity = InfinityBits(false, type);
    for (std::uint64_t bits = 0; bits < infinity; ++bits) {
      const double low = Value(DecodeFloat(bits, type));
      // The neighbour above the largest finite number is the first power of two that rounds to infinity.
      const double high =
          bits + 1 == infinity ? std::ldexp(1.0, FormatOf(type).max_exponent) : Value(DecodeFloat(bits + 1, type));
      const double middle = (low + high) / 2;  // exact
      const std::uint64_t even = bits % 2 == 0 ? bits : bits + 1;
      ASSERT_EQ(RoundDouble(middle, type), even);
      ASSERT_EQ(RoundDouble(std::nextafter(middle, 0), type), bits);
      ASSERT_EQ(RoundDouble(std::nextafter(middle, HUGE_VAL), type), bits + 1);
      ASSERT_EQ(RoundDouble(std::nextafter(low, HUGE_VAL), type, Rounding::kUp), bits + 1);
    }
  }
}

TEST(RoundToBits, AgreesWithTheMachineOnF32) {
  EXPECT_TRUE(rc::check("f64 to f32", [] {
    // An integer of at most 53 bits, so that the number is exact before it is rounded. The least exponent gives numbers
    // below half of the smallest subnormal f32, 2^-149. The greatest one gives numbers beyond the largest f32, 2^128.
    const double value = std::ldexp(static_cast<double>(AnyInteger() >> 11), AnyIn(-210, 110));
    RC_ASSERT(RoundDouble(value, ElementType::kF32) == std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }));
}

TEST(RoundToBits, AgreesWithTheMachineOnSubnormalNumbersOfF64) {
  EXPECT_TRUE(rc::check("integers times 2^-1080", [] {
    // An integer of at most 53 bits, so that the number is below 2^-1022 and exact before it is rounded.
    const std::int64_t integer = AnyInteger() >> AnyIn(11, 62);
    const double expected = std::ldexp(static_cast<double>(integer), -1080);
    const auto magnitude = static_cast<std::uint64_t>(std::llabs(integer));
    RC_ASSERT(RoundToDouble(integer < 0, magnitude, -1080, Rounding::kNearest) == expected);
  }));
}

TEST(RoundToBits, RoundsMagnitudesOf128Bits) {
  const U128 one = 1;
  // 2^127 + 2^74 is half a unit of f64 above 2^127. The tie rounds to even; one more bit rounds up.
  EXPECT_EQ(RoundToDouble(false, (one << 127) | (one << 74), 0, Rounding::kNearest), std::ldexp(1.0, 127));
  EXPECT_EQ(RoundToDouble(false, (one << 127) | (one << 74) | 1, 0, Rounding::kNearest),
            std::nextafter(std::ldexp(1.0, 127), HUGE_VAL));
  EXPECT_EQ(RoundToDouble(false, (one << 127) | 1, 0, Rounding::kUp), std::nextafter(std::ldexp(1.0, 127), HUGE_VAL));
  // 2^127 * 2^-1201 is 2^-1074, the smallest subnormal number.
  EXPECT_EQ(RoundToDouble(false, one << 127, -1201, Rounding::kNearest), std::ldexp(1.0, -1074));
  // Half of that number is a tie and rounds to 0; one more bit rounds up.
  EXPECT_EQ(RoundToDouble(false, one << 127, -1202, Rounding::kNearest), 0.0);
  EXPECT_EQ(RoundToDouble(false, (one << 127) | 1, -1202, Rounding::kNearest), std::ldexp(1.0, -1074));
}

TEST(RoundToBits, KeepsTheSignAndRoundsNumbersFarBeyondTheRange) {
  EXPECT_EQ(RoundToDouble(false, 1, -2148, Rounding::kUp), std::ldexp(1.0, -1074));
  EXPECT_EQ(RoundToDouble(false, 1, 1024, Rounding::kNearest), HUGE_VAL);
  EXPECT_TRUE(std::signbit(RoundToDouble(true, 1, -2148, Rounding::kNearest)));
}

TEST(PowerOfTwo, RoundsDown) {
  EXPECT_EQ(PowerOfTwo(-1075), 0);
  EXPECT_EQ(PowerOfTwo(-1074), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(PowerOfTwo(-1023), std::ldexp(1.0, -1023));
  EXPECT_EQ(PowerOfTwo(-1022), std::numeric_limits<double>::min());
  EXPECT_EQ(PowerOfTwo(0), 1.0);
  EXPECT_EQ(PowerOfTwo(1024), std::ldexp(1.0, 1023));
}

TEST(FloatValue, ReadsEveryFormat) {
  EXPECT_EQ(FloatValue(0x3C00, ElementType::kF16), 1.0);
  EXPECT_EQ(FloatValue(0x0001, ElementType::kF16), 0x1p-24);
  EXPECT_EQ(FloatValue(0xFBFF, ElementType::kF16), -65504.0);
  EXPECT_TRUE(std::isinf(FloatValue(0x7C00, ElementType::kF16)));
  EXPECT_TRUE(std::isnan(FloatValue(0x7E00, ElementType::kF16)));
  EXPECT_EQ(FloatValue(0x3F80, ElementType::kBf16), 1.0);
  EXPECT_EQ(FloatValue(std::bit_cast<std::uint32_t>(-2.5f), ElementType::kF32), -2.5);
  EXPECT_EQ(FloatValue(std::bit_cast<std::uint64_t>(0.1), ElementType::kF64), 0.1);
}

}  // namespace
}  // namespace oracle
