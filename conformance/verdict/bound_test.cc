// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the bound passes every right result and catches the nearest wrong one.

#include "conformance/verdict/bound.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::FloatSum;

Arithmetic F32(deconv_subnormals_id subnormals = DECONV_SUBNORMALS_KEPT) {
  Capabilities declared;
  declared.subnormals = subnormals;
  return ArithmeticOf(declared, ElementType::kF32);
}

std::uint64_t Bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// A sum of `n` products, each of magnitude `magnitude / n`, that are multiples of `quantum`.
FloatSum Sum(double s, std::int64_t n, double magnitude, double quantum) {
  FloatSum sum;
  sum.taps = n;
  sum.sum = s;
  sum.bits = Bits(static_cast<float>(s));
  sum.magnitude = magnitude;
  sum.quantum = quantum;
  return sum;
}

TEST(Bound, SmallIntegersMustBeExact) {
  const FloatSum sum = Sum(1000, 64, 5000, 1);
  EXPECT_TRUE(BoundOf(sum, F32()).exact);
  EXPECT_EQ(JudgeOutput(sum, Bits(1000), F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, Bits(std::nextafter(1000.0f, 2000.0f)), F32()).verdict, OutputVerdict::kWrongValue);
}

TEST(Bound, ExactnessEndsAtTheAccumulatorsPrecision) {
  EXPECT_TRUE(BoundOf(Sum(1, 2, 0x1p24, 1), F32()).exact);
  EXPECT_FALSE(BoundOf(Sum(1, 2, 0x1p24 + 2, 1), F32()).exact);
}

TEST(Bound, IsNTimesRoundoffTimesMagnitude) {
  const Bound bound = BoundOf(Sum(0, 100, 1.0, 0x1p-60), F32());
  EXPECT_FALSE(bound.exact);
  EXPECT_NEAR(bound.error, 100 * 0x1p-24, 1e-15);
  EXPECT_EQ(JudgeOutput(Sum(0, 100, 1.0, 0x1p-60), Bits(99 * 0x1p-24f), F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(Sum(0, 100, 1.0, 0x1p-60), Bits(101 * 0x1p-24f), F32()).verdict, OutputVerdict::kWrongValue);
}

TEST(Bound, FaithfulRoundingDoublesIt) {
  Capabilities declared;
  declared.faithful_rounding = true;
  const FloatSum sum = Sum(0, 100, 1.0, 0x1p-60);
  EXPECT_NEAR(BoundOf(sum, ArithmeticOf(declared, ElementType::kF32)).error, 200 * 0x1p-24, 1e-9);
}

TEST(Bound, HalfPrecisionIsRoundedOnceFromF32) {
  const Arithmetic f16 = ArithmeticOf({}, ElementType::kF16);
  FloatSum sum = Sum(2049, 3, 2049, 1);  // a tie between 2048 (0x6800) and 2050 (0x6801)
  sum.bits = 0x6800;
  EXPECT_EQ(JudgeOutput(sum, 0x6800, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x6801, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x6802, f16).verdict, OutputVerdict::kWrongValue);
  sum = Sum(2048, 3, 2048, 1);
  sum.bits = 0x6800;
  EXPECT_EQ(JudgeOutput(sum, 0x6801, f16).verdict, OutputVerdict::kWrongValue) << "2048 is representable";
}

TEST(Bound, StorageAccumulatorAllowsWhatF32DoesNot) {
  Capabilities declared;
  declared.accumulator = DECONV_ACCUMULATOR_STORAGE;
  FloatSum sum = Sum(100.125, 1000, 1000, 0x1p-20);
  sum.bits = 0x5642;                  // 100.125
  const std::uint64_t lost = 0x5600;  // 96
  EXPECT_EQ(JudgeOutput(sum, lost, ArithmeticOf(declared, ElementType::kF16)).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, lost, ArithmeticOf({}, ElementType::kF16)).verdict, OutputVerdict::kWrongValue);
}

TEST(Bound, FlushingIsAllowedOnlyIfDeclared) {
  FloatSum sum = Sum(0x1p-140, 1, 0x1p-140, 0x1p-140);
  sum.subnormal = 0x1p-140;
  EXPECT_EQ(JudgeOutput(sum, 0, F32()).verdict, OutputVerdict::kWrongValue);
  EXPECT_EQ(JudgeOutput(sum, 0, F32(DECONV_SUBNORMALS_FLUSHED)).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0, F32(DECONV_SUBNORMALS_FLUSHED_IN_BF16)).verdict, OutputVerdict::kWrongValue);
  Capabilities declared;
  EXPECT_FALSE(ArithmeticOf(declared, ElementType::kBf16).flushes);
  declared.subnormals = DECONV_SUBNORMALS_FLUSHED_IN_BF16;
  EXPECT_TRUE(ArithmeticOf(declared, ElementType::kBf16).flushes);
}

TEST(Bound, FlushingAllowsNothingAboveTheSmallestNormal) {
  Capabilities declared;
  declared.subnormals = DECONV_SUBNORMALS_FLUSHED;
  const Arithmetic f16 = ArithmeticOf(declared, ElementType::kF16);
  FloatSum sum = Sum(0x1p-13 + 0x1p-30, 2, 0x1p-13 + 0x1p-30, 0x1p-30);
  sum.bits = 0x0800;  // 2^-13
  EXPECT_EQ(JudgeOutput(sum, 0x0800, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x0400, f16).verdict, OutputVerdict::kWrongValue) << "2^-14 is half of it";
  sum = Sum(0, 2, 2, 1);
  sum.bits = 0;
  EXPECT_EQ(JudgeOutput(sum, 0x0400, f16).verdict, OutputVerdict::kWrongValue) << "1 - 1 is 0";
}

TEST(Bound, AGapIsPlusZeroInBits) {
  const FloatSum gap;
  EXPECT_EQ(JudgeOutput(gap, 0, F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(gap, Bits(-0.0f), F32()).verdict, OutputVerdict::kGapNotZero);
  EXPECT_EQ(JudgeOutput(gap, Bits(std::numeric_limits<float>::quiet_NaN()), F32()).verdict, OutputVerdict::kGapNotZero);
}

TEST(Bound, TheSignOfASumThatIsZeroIsFree) {
  EXPECT_EQ(JudgeOutput(Sum(0, 2, 2, 1), Bits(-0.0f), F32()).verdict, OutputVerdict::kRight);
}

TEST(Bound, NanIsWrongUnlessOperandsGiveIt) {
  const std::uint64_t nan = Bits(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(JudgeOutput(Sum(1, 1, 1, 1), nan, F32()).verdict, OutputVerdict::kWrongNan);
  FloatSum special;
  special.taps = 2;
  special.special = oracle::Special::kNan;
  EXPECT_EQ(JudgeOutput(special, nan, F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(special, Bits(1), F32()).verdict, OutputVerdict::kWrongNan);
}

TEST(Bound, InfinityHasItsSign) {
  FloatSum special;
  special.taps = 2;
  special.special = oracle::Special::kMinusInfinity;
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(JudgeOutput(special, Bits(-infinity), F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(special, Bits(infinity), F32()).verdict, OutputVerdict::kWrongNan);
}

TEST(Bound, OverflowOfTheOutputIsInfinityOnlyWhereItRoundsToIt) {
  const Arithmetic f16 = ArithmeticOf({}, ElementType::kF16);
  constexpr std::uint64_t kInfinity = 0x7C00;
  constexpr std::uint64_t kLargest = 0x7BFF;  // 65504; from 65520 on, rounding gives infinity
  FloatSum sum = Sum(65520, 4, 65520, 1);
  sum.bits = kInfinity;
  EXPECT_EQ(JudgeOutput(sum, kInfinity, f16).verdict, OutputVerdict::kRight);
  sum = Sum(65519, 4, 65519, 1);
  sum.bits = kLargest;
  EXPECT_EQ(JudgeOutput(sum, kLargest, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, kInfinity, f16).verdict, OutputVerdict::kWrongNan);
}

TEST(Bound, AnyValueIsRightWhereTheAccumulatorMayOverflow) {
  const FloatSum sum = Sum(1, 3, 0x1p129, 1);
  EXPECT_TRUE(BoundOf(sum, F32()).anything);
  EXPECT_EQ(JudgeOutput(sum, Bits(std::numeric_limits<float>::quiet_NaN()), F32()).verdict, OutputVerdict::kRight);
}

/// Element bits of a number that the type holds.
std::uint64_t BitsOf(double value, ElementType type) {
  if (type == ElementType::kF64) return std::bit_cast<std::uint64_t>(value);
  if (type == ElementType::kF32) return Bits(static_cast<float>(value));
  if (type == ElementType::kBf16) return Bits(static_cast<float>(value)) >> 16;
  const std::int64_t exponent = std::ilogb(value);
  return static_cast<std::uint64_t>(exponent + 14) * 1024 +
         static_cast<std::uint64_t>(std::ldexp(value, static_cast<int>(10 - exponent)));
}

class ObservingJudge : public testing::TestWithParam<ElementType> {};

TEST_P(ObservingJudge, AnHonestSumComesWithinAFactorOfTwoOfTheBound) {
  const ElementType type = GetParam();
  Capabilities declared;
  declared.accumulator = DECONV_ACCUMULATOR_STORAGE;
  const Arithmetic arithmetic = ArithmeticOf(declared, type);
  const int precision = oracle::FormatOf(type).precision;
  const double u = std::ldexp(1.0, -precision);
  constexpr int n = 16;
  // From the left, 1 * 1 + u * 1 + u * 1 + ...: each addition is a tie, and 1 is even. Every operand and product is a
  // number of the type. Rounding to `precision` bits by hand is the type's addition, for sums from 1 to 2.
  double computed = 1;
  for (int i = 1; i < n; ++i) {
    const double exact = std::ldexp(computed, precision - 1) + 0.5;
    computed = std::ldexp(std::nearbyint(exact), 1 - precision);
  }
  EXPECT_EQ(computed, 1);
  FloatSum sum;
  sum.taps = n;
  sum.sum = 1;
  sum.sum_rest = (n - 1) * u;       // 1 + 15 u has too many bits for a double where u is f64's
  sum.magnitude = 1 + (n - 1) * u;  // f64: a tie that goes up, as it should
  sum.quantum = u;
  const OutputJudgement honest = JudgeOutput(sum, BitsOf(computed, type), arithmetic);
  EXPECT_EQ(honest.verdict, OutputVerdict::kRight);
  EXPECT_GE(honest.error, honest.bound / 2);
  EXPECT_EQ(honest.error, (n - 1) * u);

  // n * u * B lies between n * u and (n + 1) * u: 1 - u errs by n * u, 1 - 2 u by (n + 1) * u.
  EXPECT_EQ(JudgeOutput(sum, BitsOf(1 - u, type), arithmetic).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, BitsOf(1 - 2 * u, type), arithmetic).verdict, OutputVerdict::kWrongValue);
}

INSTANTIATE_TEST_SUITE_P(Types, ObservingJudge,
                         testing::Values(ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16),
                         [](const auto& tested) { return std::string(oracle::ElementTypeName(tested.param)); });

TEST(Bound, ASubnormalThatIsFlushedBesideAnInfinityGivesNan) {
  const std::uint64_t nan = Bits(std::numeric_limits<float>::quiet_NaN());
  FloatSum sum;
  sum.taps = 1;
  sum.special = oracle::Special::kPlusInfinity;
  sum.subnormal_by_infinity = true;
  EXPECT_EQ(JudgeOutput(sum, nan, F32(DECONV_SUBNORMALS_FLUSHED)).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, nan, F32()).verdict, OutputVerdict::kWrongNan);
  EXPECT_EQ(JudgeOutput(sum, Bits(1), F32(DECONV_SUBNORMALS_FLUSHED)).verdict, OutputVerdict::kWrongNan);
  sum.subnormal_by_infinity = false;
  EXPECT_EQ(JudgeOutput(sum, nan, F32(DECONV_SUBNORMALS_FLUSHED)).verdict, OutputVerdict::kWrongNan);
}

TEST(Bound, AnOverflowBesideAnInfinityMayGiveNan) {
  const std::uint64_t nan = Bits(std::numeric_limits<float>::quiet_NaN());
  const float infinity = std::numeric_limits<float>::infinity();
  FloatSum sum;
  sum.taps = 3;
  sum.special = oracle::Special::kPlusInfinity;
  sum.magnitude = 0x1p129;
  EXPECT_EQ(JudgeOutput(sum, nan, F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, Bits(infinity), F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, Bits(-infinity), F32()).verdict, OutputVerdict::kWrongNan);
  sum.magnitude = 0x1p120;
  EXPECT_EQ(JudgeOutput(sum, nan, F32()).verdict, OutputVerdict::kWrongNan);
}

TEST(Bound, TheProbableOneGrowsWithTheSquareRoot) {
  Arithmetic arithmetic = F32();
  arithmetic.lambda = LambdaFor(1);
  EXPECT_NEAR(arithmetic.lambda, std::sqrt(2 * 21 * std::log(2.0)), 1e-12);
  const FloatSum sum = Sum(0, 10000, 1.0, 0x1p-60);
  EXPECT_NEAR(BoundOf(sum, arithmetic).probable, arithmetic.lambda * 100 * 0x1p-24, 1e-12);
  EXPECT_TRUE(JudgeOutput(sum, Bits(600 * 0x1p-24F), arithmetic).loose);
  EXPECT_EQ(JudgeOutput(sum, Bits(600 * 0x1p-24F), arithmetic).verdict, OutputVerdict::kRight);
  EXPECT_FALSE(JudgeOutput(sum, Bits(500 * 0x1p-24F), arithmetic).loose);
  const FloatSum few = Sum(0, 16, 1.0, 0x1p-60);
  EXPECT_EQ(BoundOf(few, arithmetic).probable, BoundOf(few, arithmetic).error) << "16 is less than lambda * 4";
}

}  // namespace
}  // namespace conformance
