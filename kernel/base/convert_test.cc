// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the conversions of elements to the types in which the kernel computes, and back. For f16 and bf16: every
// encoding there and back (a NaN of bf16 only needs to stay a NaN), and rounding to nearest even around every midpoint.
// For integers: results that do not fit wrap.
#include "kernel/base/convert.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace deconv {
namespace {

// Computes the value by the definition of binary16.
double HalfByDefinition(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  const double magnitude = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                           : exponent == 0 ? std::ldexp(mantissa, -24)
                                           : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Convert, EveryHalfWidensExactlyAndComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Float16 half = {static_cast<uint16_t>(bits)};
    const double expected = HalfByDefinition(half.bits);
    const float value = ToFloat(half);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_EQ(ToFloat16(value).bits, bits | 0x200) << "a quiet NaN with the same bits";
    } else {
      EXPECT_EQ(value, expected) << bits;
      EXPECT_EQ(ToFloat16(value).bits, bits);
    }
  }
}

TEST(Convert, EveryBrainFloatWidensExactlyAndComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = ToFloat(BFloat16{static_cast<uint16_t>(bits)});
    EXPECT_EQ(std::bit_cast<uint32_t>(value), bits << 16);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(ToFloat(ToBFloat16(value)))) << bits;
    } else {
      EXPECT_EQ(ToBFloat16(value).bits, bits);
    }
  }
}

// Rounds three numbers between each two neighbours: just below the middle, the middle (which rounds to the even
// neighbour), and just above the middle. Goes from 0 up to the number with the bits `largest`.
template <class T, class Narrow>
void CheckMidpoints(Narrow narrow, uint16_t largest) {
  for (uint16_t bits = 0; bits < largest; ++bits) {
    const auto next = static_cast<uint16_t>(bits + 1);
    const double low = ToFloat(T{bits});
    const double high = ToFloat(T{next});
    const auto middle = static_cast<float>((low + high) / 2);
    ASSERT_EQ(static_cast<double>(middle), (low + high) / 2);
    EXPECT_EQ(narrow(middle).bits, bits % 2 == 0 ? bits : next);
    EXPECT_EQ(narrow(std::nextafter(middle, -INFINITY)).bits, bits);
    EXPECT_EQ(narrow(std::nextafter(middle, INFINITY)).bits, next);
    EXPECT_EQ(narrow(-middle).bits, 0x8000 | (bits % 2 == 0 ? bits : next));
  }
}

TEST(Convert, HalfRoundsToNearestEven) {
  CheckMidpoints<Float16>([](float v) { return ToFloat16(v); }, 0x7bff);
  // 65520 lies in the middle between 65504, the largest finite f16 (0x7bff), and 2^16, which would be the next one.
  EXPECT_EQ(ToFloat16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(ToFloat16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(ToFloat16(std::numeric_limits<float>::max()).bits, 0x7c00);
  EXPECT_EQ(ToFloat16(-std::numeric_limits<float>::infinity()).bits, 0xfc00);
  EXPECT_EQ(ToFloat16(1e-30f).bits, 0);
}

TEST(Convert, BrainFloatRoundsToNearestEven) {
  CheckMidpoints<BFloat16>([](float v) { return ToBFloat16(v); }, 0x7f7f);  // the largest finite bf16
  EXPECT_EQ(ToBFloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_EQ(ToBFloat16(std::bit_cast<float>(0x7f7f7fffu)).bits, 0x7f7f);  // the largest f32 below the middle to Inf
}

// The exact results do not fit: -128 * -1 is 128, one more than the largest int8_t. 65535 * 65535 is 65534 * 2^16 + 1.
// INT64_MIN - 1 is one less than the least int64_t.
TEST(Convert, IntegersWrap) {
  EXPECT_EQ(Narrow<int8_t>(Widen<int8_t>(-128) * Widen<int8_t>(-1)), -128);
  EXPECT_EQ(Narrow<uint16_t>(Widen<uint16_t>(65535) * Widen<uint16_t>(65535)), 1);
  EXPECT_EQ(Narrow<int64_t>(Widen<int64_t>(INT64_MIN) + Widen<int64_t>(-1)), INT64_MAX);
}

}  // namespace
}  // namespace deconv
