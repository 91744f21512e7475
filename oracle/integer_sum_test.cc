// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the exact sums of integer products: NarrowIntegerSum with 128 bits and WideIntegerSum with 192 bits. Both must
// agree. A sum is converted to the output's type by wrapping (modulo 2^bits) and by saturating (clamping to the range).
// The expected values were worked out by hand.

#include "oracle/integer_sum.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/testing/any_number.h"

namespace oracle {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMostUnsigned = std::numeric_limits<std::uint64_t>::max();

/// The expected bits of an output.
struct Expected {
  std::uint64_t wrapped, saturated;
};

/// Expects the sum of the squares of the numbers `squares_of`, converted to `type`.
void ExpectSumOfSquares(const std::vector<std::int64_t>& squares_of, ElementType type, Expected expected) {
  NarrowIntegerSum sum;
  for (const std::int64_t x : squares_of) sum.Add(x, x);
  IntegerSum result;
  sum.FinishSum(type, result);
  EXPECT_EQ(result.taps, static_cast<std::int64_t>(squares_of.size()));
  EXPECT_EQ(result.wrapped, expected.wrapped);
  EXPECT_EQ(result.saturated, expected.saturated);
}

TEST(IntegerSum, SumsBeyondANarrowTypeWrapOrSaturate) {
  ExpectSumOfSquares({-128}, ElementType::kI8, {.wrapped = 0x00, .saturated = 0x7F});      // 16384
  ExpectSumOfSquares({255}, ElementType::kU8, {.wrapped = 0x01, .saturated = 0xFF});       // 65025
  ExpectSumOfSquares({11, 2}, ElementType::kI8, {.wrapped = 125, .saturated = 125});       // the sum is in range
  ExpectSumOfSquares({11, 2, 2}, ElementType::kI8, {.wrapped = 0x81, .saturated = 0x7F});  // 129
  ExpectSumOfSquares({65535}, ElementType::kU16, {.wrapped = 1, .saturated = 65535});
  ExpectSumOfSquares({}, ElementType::kI32, {.wrapped = 0, .saturated = 0});
}

TEST(IntegerSum, NegativeSumsWrapOrSaturate) {
  NarrowIntegerSum sum;
  sum.Add(-100, 1);  // in range of i8: -100 + 256 = 0x9C
  IntegerSum result;
  sum.FinishSum(ElementType::kI8, result);
  EXPECT_EQ(result.wrapped, 0x9CU);
  EXPECT_EQ(result.saturated, 0x9CU);
  sum.Add(-100, 1);
  sum.FinishSum(ElementType::kI8, result);
  EXPECT_EQ(result.wrapped, 0x38U);  // -200 + 256
  EXPECT_EQ(result.saturated, 0x80U);
  sum.FinishSum(ElementType::kI16, result);
  EXPECT_EQ(result.wrapped, 0xFF38U);
  EXPECT_EQ(result.saturated, 0xFF38U);
}

TEST(IntegerSum, SignedSumsBeyond128BitsWrapOrSaturate) {
  WideIntegerSum sum;
  for (int n = 0; n < 5; ++n) sum.AddSigned(kLeast, kLeast);  // 5 * 2^126: beyond 128 bits with a sign
  IntegerSum result;
  sum.FinishSum(ElementType::kI64, result);
  EXPECT_EQ(result.wrapped, 0U);
  EXPECT_EQ(result.saturated, static_cast<std::uint64_t>(kMost));
  for (int n = 0; n < 11; ++n) sum.AddSigned(kLeast, kMost);  // -6 * 2^126 + 11 * 2^63
  sum.FinishSum(ElementType::kI64, result);
  EXPECT_EQ(result.wrapped, std::uint64_t{1} << 63);
  EXPECT_EQ(result.saturated, std::uint64_t{1} << 63);
  for (int n = 0; n < 6; ++n) sum.AddSigned(kLeast, kLeast);
  sum.AddSigned(kLeast, 10);  // 2^63 is left
  sum.AddSigned(-1, 1);
  sum.FinishSum(ElementType::kI64, result);
  EXPECT_EQ(result.wrapped, static_cast<std::uint64_t>(kMost));
  EXPECT_EQ(result.saturated, static_cast<std::uint64_t>(kMost));
}

TEST(IntegerSum, UnsignedSumsBeyond128BitsWrapOrSaturate) {
  WideIntegerSum sum;
  for (int n = 0; n < 3; ++n) sum.AddUnsigned(kMostUnsigned, kMostUnsigned);  // each is 1 modulo 2^64
  IntegerSum result;
  sum.FinishSum(ElementType::kU64, result);
  EXPECT_EQ(result.wrapped, 3U);
  EXPECT_EQ(result.saturated, kMostUnsigned);
  WideIntegerSum small;
  small.AddUnsigned(kMostUnsigned, 1);
  small.FinishSum(ElementType::kU64, result);
  EXPECT_EQ(result.wrapped, kMostUnsigned);
  EXPECT_EQ(result.saturated, kMostUnsigned);
}

TEST(IntegerSum, NarrowAndWideSumsAgree) {
  EXPECT_TRUE(rc::check("operands of 62 bits", [] {
    const auto type = *rc::gen::element(ElementType::kI8, ElementType::kI16, ElementType::kI32, ElementType::kI64);
    NarrowIntegerSum narrow;
    WideIntegerSum wide;
    for (int n = AnyIn(0, 7); n > 0; --n) {
      const auto x = AnyInteger() >> AnyIn(2, 63);
      const auto w = AnyInteger() >> AnyIn(2, 63);
      narrow.Add(x, w);
      wide.AddSigned(x, w);
    }
    IntegerSum of_narrow;
    IntegerSum of_wide;
    narrow.FinishSum(type, of_narrow);
    wide.FinishSum(type, of_wide);
    RC_ASSERT(of_narrow == of_wide);
  }));
}

}  // namespace
}  // namespace oracle
