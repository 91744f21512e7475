// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the exact sums of floating-point products. FloatTerms sums any products, WindowSum those that fit 128
// bits, and NarrowWindowSum those that fit 64.
// The tests compare random sums over the whole range of f64 with LongHand, which adds single bits, and the fast
// WindowSum with the general FloatTerms. Sums made by hand test cancellation, ties, underflow, overflow and special
// values.

#include "oracle/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/testing/any_number.h"
#include "oracle/testing/long_hand.h"
#include "oracle/window_sum.h"

namespace oracle {
namespace {

/// Products x * w, as pairs of their operands.
using Products = std::vector<std::pair<double, double>>;

FloatParts Parts(double value) { return DecodeFloat(std::bit_cast<std::uint64_t>(value), ElementType::kF64); }

FloatSum SumByFloatTerms(const Products& products, ElementType type = ElementType::kF64) {
  FloatTerms terms;
  for (const auto& [x, w] : products) terms.Add(Parts(x), Parts(w));
  FloatSum sum;
  terms.FinishSum(type, sum);
  return sum;
}

LongHand SumByLongHand(const Products& products) {
  LongHand sum;
  for (const auto& [x, w] : products) sum.AddProduct(x, w);
  return sum;
}

/// Returns -1 if `value` is nearer to `sum` than `neighbour` is, 0 if both are equally near, otherwise 1.
int CompareDistances(const LongHand& sum, double value, double neighbour) {
  LongHand first = sum;
  first.Add(value, -1);
  LongHand second = sum;
  second.Add(neighbour, -1);
  LongHand difference;
  difference.Add(first, first.Sign());
  difference.Add(second, -second.Sign());
  return difference.Sign();
}

/// Whether `value` is the double nearest to `sum`, with ties to even.
bool IsNearest(const LongHand& sum, double value) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double neighbour : {std::nextafter(value, -infinity), std::nextafter(value, infinity)}) {
    if (std::isinf(neighbour)) continue;
    const int order = CompareDistances(sum, value, neighbour);
    if (order > 0 || (order == 0 && (std::bit_cast<std::uint64_t>(value) & 1) != 0)) return false;
  }
  return true;
}

/// A random integer of at most 53 bits (64 - 11), times a power of two from 2^lowest to 2^(highest - 1).
double AnyDouble(int lowest, int highest) {
  const auto integer = AnyInteger() >> AnyIn(11, 62);
  return std::ldexp(static_cast<double>(integer), AnyIn(lowest, highest));
}

/// Random products that often cancel: half of them are followed by their negation. Half of these negations differ in
/// the last bit, so that the sum is tiny but not 0.
Products AnyProducts(int lowest, int highest) {
  Products products;
  const int count = AnyIn(0, 6);
  for (int n = 0; n < count; ++n) {
    const double x = AnyDouble(lowest, highest);
    const double w = AnyDouble(lowest, highest);
    products.emplace_back(x, w);
    if (*rc::gen::arbitrary<bool>()) products.emplace_back(-x, *rc::gen::arbitrary<bool>() ? w : std::nextafter(w, 0));
  }
  return products;
}

/// Checks the exact sum of `products`. The sums must be the nearest doubles, and the magnitudes must be rounded up. Not
/// checked are `quantum` and the fields about special values.
void CheckAgainstLongHand(const Products& products) {
  const FloatSum sum = SumByFloatTerms(products);
  const LongHand exact = SumByLongHand(products);
  RC_ASSERT(sum.taps == static_cast<std::int64_t>(products.size()));
  RC_ASSERT(std::bit_cast<double>(sum.bits) == sum.sum);
  RC_ASSERT(std::isfinite(sum.sum));
  RC_ASSERT(IsNearest(exact, sum.sum));
  if (exact.Sign() == 0) RC_ASSERT(sum.bits == 0U);

  LongHand rest = exact;
  rest.Add(sum.sum, -1);
  RC_ASSERT(IsNearest(rest, sum.sum_rest));

  LongHand magnitude;
  LongHand subnormal;
  for (const auto& [x, w] : products) {
    magnitude.AddProduct(std::fabs(x), std::fabs(w));
    if (Parts(x).subnormal || Parts(w).subnormal) subnormal.AddProduct(std::fabs(x), std::fabs(w));
  }
  for (const auto& [unrounded, rounded] :
       {std::pair(&magnitude, sum.magnitude), std::pair(&subnormal, sum.subnormal)}) {
    LongHand minus_rounded = *unrounded;
    minus_rounded.Add(rounded, -1);
    RC_ASSERT(minus_rounded.Sign() <= 0);  // rounded up ...
    if (rounded == 0) continue;
    LongHand minus_next_below = *unrounded;
    minus_next_below.Add(std::nextafter(rounded, 0), -1);
    RC_ASSERT(minus_next_below.Sign() > 0);  // ... and not further
  }
}

TEST(ExactSum, AgreesWithLongHandOverTheWholeRange) {
  // From the smallest number of f64 up to operands below 2^492, whose products are below 2^984: no sum overflows.
  EXPECT_TRUE(rc::check("wide exponents", [] { CheckAgainstLongHand(AnyProducts(-1074, 440)); }));
}

TEST(ExactSum, AgreesWithLongHandNearUnderflow) {
  EXPECT_TRUE(rc::check("products around 2^-1074", [] { CheckAgainstLongHand(AnyProducts(-560, -540)); }));
  EXPECT_TRUE(rc::check("subnormal operands", [] { CheckAgainstLongHand(AnyProducts(-1090, -1060)); }));
}

TEST(ExactSum, AgreesWithLongHandWhereSumsCancel) {
  EXPECT_TRUE(rc::check("cancellation", [] { CheckAgainstLongHand(AnyProducts(-3, 3)); }));
}

// An ulp is a unit in the last place. The check must fail for both neighbours of the right sum.
TEST(ExactSum, TheCheckSeesOneUlp) {
  const Products products = {{0.1, 0.3}, {0.7, -0.2}};
  const double right = SumByFloatTerms(products).sum;
  EXPECT_TRUE(IsNearest(SumByLongHand(products), right));
  EXPECT_FALSE(IsNearest(SumByLongHand(products), std::nextafter(right, 1)));
  EXPECT_FALSE(IsNearest(SumByLongHand(products), std::nextafter(right, -1)));
}

TEST(ExactSum, SmallTermsSurviveTheCancellationOfLargeOnes) {
  // 2^1000 + 2^-2148 - 2^1000
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::ldexp(1.0, 500);
  const FloatSum sum = SumByFloatTerms({{huge, huge}, {tiny, tiny}, {-huge, huge}});
  EXPECT_EQ(sum.bits, 0U);  // below half the smallest number
  EXPECT_EQ(sum.sum_rest, 0);
  EXPECT_EQ(sum.quantum, 0);       // 2^-2148, rounded down
  EXPECT_EQ(sum.subnormal, tiny);  // 2^-2148, rounded up
  EXPECT_GT(sum.magnitude, std::ldexp(1.999, 1000));
  const FloatSum one = SumByFloatTerms({{huge, huge}, {1, 1}, {-huge, huge}});
  EXPECT_EQ(one.sum, 1.0);
  EXPECT_EQ(one.quantum, 1.0);
}

// Products beyond the largest number are no overflow if the sum is in range. The largest number has a last place of
// 2^971, so a sum overflows from half of it on, 2^970 = 2 * 2^969.
TEST(ExactSum, OverflowComesFromTheSumAlone) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(SumByFloatTerms({{most, 2}, {most, -1}}).sum, most);
  const FloatSum over = SumByFloatTerms({{most, 1}, {std::ldexp(1.0, 969), 2}});
  EXPECT_EQ(over.bits, InfinityBits(false, ElementType::kF64));  // half a unit in the last place above
  EXPECT_EQ(over.sum, HUGE_VAL);
  EXPECT_EQ(over.sum_rest, 0);
  EXPECT_EQ(over.special, Special::kNone);
  const FloatSum under = SumByFloatTerms({{most, 1}, {std::ldexp(1.0, 969), 2}, {-1e-300, 1e-300}});
  EXPECT_EQ(under.sum, most);
  EXPECT_EQ(SumByFloatTerms({{-most, most}}).sum, -HUGE_VAL);
  EXPECT_EQ(SumByFloatTerms({{-most, most}}).magnitude, HUGE_VAL);
}

TEST(ExactSum, RoundsOnceToTheOutputsType) {
  // 1 + 2^-11 is a tie of f16, halfway between two numbers. Adding 2^-60 breaks the tie; a rounding to f32 on the way
  // would lose the 2^-60. In f16, 0x3C00 is 1, and 0x3C01 is the next number. 0x7BFF is 65504, the largest number, and
  // 0x7C00 is infinity.
  const double half = std::ldexp(1.0, -11);
  EXPECT_EQ(SumByFloatTerms({{1, 1}, {half, 1}}, ElementType::kF16).bits, 0x3C00U);
  EXPECT_EQ(SumByFloatTerms({{1, 1}, {half, 1}, {std::ldexp(1.0, -60), 1}}, ElementType::kF16).bits, 0x3C01U);
  EXPECT_EQ(SumByFloatTerms({{1, 1}, {half, 3}}, ElementType::kF16).bits, 0x3C02U);
  EXPECT_EQ(SumByFloatTerms({{65504, 1}, {16, 1}}, ElementType::kF16).bits, 0x7C00U);
  EXPECT_EQ(SumByFloatTerms({{65504, 1}, {15.99, 1}}, ElementType::kF16).bits, 0x7BFFU);
}

TEST(ExactSum, NanAndInfinityGiveSpecialSums) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto special = [](const Products& products) {
    const FloatSum sum = SumByFloatTerms(products, ElementType::kF32);
    EXPECT_EQ(sum.taps, static_cast<std::int64_t>(products.size()));
    EXPECT_EQ(sum.sum, 0);
    return std::pair(sum.special, sum.bits);
  };
  EXPECT_EQ(special({{nan, 1}}), std::pair(Special::kNan, std::uint64_t{0x7FC00000}));
  EXPECT_EQ(special({{1, nan}, {inf, 1}}).first, Special::kNan);
  EXPECT_EQ(special({{nan, 0}}).first, Special::kNan);
  EXPECT_EQ(special({{inf, 0}}).first, Special::kNan);
  EXPECT_EQ(special({{-0.0, -inf}}).first, Special::kNan);
  EXPECT_EQ(special({{inf, 1}, {inf, -1}}).first, Special::kNan);
  EXPECT_EQ(special({{inf, -2}, {1, 1}}), std::pair(Special::kMinusInfinity, std::uint64_t{0xFF800000}));
  EXPECT_EQ(special({{-inf, -inf}}), std::pair(Special::kPlusInfinity, std::uint64_t{0x7F800000}));
}

TEST(ExactSum, BesideASpecialTheFiniteProductsAreMeasured) {
  const double inf = std::numeric_limits<double>::infinity();
  const FloatSum sum = SumByFloatTerms({{inf, 1}, {3, -2}, {1, 1}}, ElementType::kF32);
  EXPECT_EQ(sum.special, Special::kPlusInfinity);
  EXPECT_EQ(sum.magnitude, 7);
  // 2^-1060 is subnormal in f64. Only the second of these sums has a product of it with infinity.
  EXPECT_FALSE(sum.subnormal_by_infinity);
  EXPECT_TRUE(SumByFloatTerms({{inf, 0x1p-1060}, {3, -2}}).subnormal_by_infinity);
  EXPECT_FALSE(SumByFloatTerms({{inf, 1}, {0x1p-1060, -2}}).subnormal_by_infinity);
}

TEST(ExactSum, ZerosCountAsTapsAndSumToPlusZero) {
  const FloatSum sum = SumByFloatTerms({{-0.0, 1}, {0.0, -3}, {1, -0.0}});
  EXPECT_EQ(sum.taps, 3);
  EXPECT_EQ(sum.bits, 0U);
  EXPECT_EQ(sum.quantum, 0);
  EXPECT_EQ(SumByFloatTerms({{1, 1}, {-1, 1}}).bits, 0U);
  EXPECT_EQ(SumByFloatTerms({}).bits, 0U);
}

TEST(WindowSum, EqualsTheExactSum) {
  EXPECT_TRUE(rc::check("operands of up to 53 bits in a common unit", [] {
    const auto type = *rc::gen::element(ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16);
    // Data are multiples of 2^data_unit, filters of 2^filter_unit. Products reach from underflow to overflow.
    const int data_unit = AnyIn(-1074, 900);
    const int filter_unit = AnyIn(-1074, 900);
    WindowSum window;
    FloatTerms terms;
    const int count = AnyIn(0, 20);
    for (int n = 0; n < count; ++n) {
      const auto x = AnyInteger() >> AnyIn(11, 64);
      const auto w = AnyInteger() >> AnyIn(11, 64);
      const bool subnormal = *rc::gen::arbitrary<bool>();
      window.Add(x, w);
      if (subnormal) window.AddSubnormal(x, w);
      const auto parts = [](std::int64_t value, int exponent, bool is_subnormal) {
        return FloatParts{.negative = value < 0,
                          .subnormal = is_subnormal,
                          .exponent = exponent,
                          .significand = static_cast<std::uint64_t>(std::llabs(value))};
      };
      terms.Add(parts(x, data_unit, subnormal), parts(w, filter_unit, false));
    }
    FloatSum fast;
    FloatSum general;
    window.FinishSum(data_unit + filter_unit, type, fast);
    terms.FinishSum(type, general);
    RC_ASSERT(fast == general);
  }));
}

TEST(NarrowWindowSum, EqualsTheWindowSum) {
  EXPECT_TRUE(rc::check("operands whose sums fit 64 bits", [] {
    const auto type = *rc::gen::element(ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16);
    const int exponent = AnyIn(-1074, 900);
    const int bits = AnyIn(1, 28);
    NarrowWindowSum narrow;
    WindowSum wide;
    const int count = AnyIn(0, 20);
    RC_ASSERT(NarrowWindowFits(bits, bits, 20));
    for (int n = 0; n < count; ++n) {
      const std::int64_t x = AnyInteger() >> (64 - bits);
      const std::int64_t w = AnyInteger() >> (64 - bits);
      narrow.Add(x, w);
      wide.Add(x, w);
    }
    FloatSum of_narrow;
    FloatSum of_wide;
    narrow.FinishSum(exponent, type, of_narrow);
    wide.FinishSum(exponent, type, of_wide);
    RC_ASSERT(of_narrow == of_wide);
  }));
}

// Two operands of p and q bits and n products fit if p + q + (the bits of n) <= 63 (window_sum.h).
TEST(NarrowWindowSum, FitsExactlyToTheLastBit) {
  EXPECT_TRUE(NarrowWindowFits(31, 31, 1));
  EXPECT_FALSE(NarrowWindowFits(31, 31, 2));
  NarrowWindowSum sum;
  const std::int64_t most = (std::int64_t{1} << 30) - 1;
  ASSERT_TRUE(NarrowWindowFits(30, 30, 7));
  for (int n = 0; n < 7; ++n) sum.Add(most, -most);
  EXPECT_EQ(sum.sum, -sum.magnitude);
  EXPECT_EQ(sum.magnitude, 7 * most * most);
}

// Two operands of p and q bits, both at most 63, and n products fit if p + q + (the bits of n) <= 127 (window_sum.h).
TEST(WindowSum, FitsExactlyToTheLastBit) {
  EXPECT_TRUE(WindowFits(63, 63, 1));
  EXPECT_FALSE(WindowFits(63, 63, 2));
  EXPECT_FALSE(WindowFits(64, 1, 1));
  EXPECT_FALSE(WindowFits(1, 64, 1));
  EXPECT_TRUE(WindowFits(53, 53, (1 << 21) - 1));
  EXPECT_FALSE(WindowFits(53, 53, 1 << 21));
  // The largest sum that WindowFits admits does not wrap.
  WindowSum sum;
  const std::int64_t most = (std::int64_t{1} << 62) - 1;
  for (int n = 0; n < 7; ++n) sum.Add(most, -most);
  ASSERT_TRUE(WindowFits(62, 62, 7));
  EXPECT_TRUE(sum.sum == -static_cast<I128>(sum.magnitude));
  EXPECT_TRUE(sum.magnitude == U128{7} * static_cast<U128>(I128{most} * most));
}

}  // namespace
}  // namespace oracle
