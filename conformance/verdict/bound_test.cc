// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the error bound, that is how far a correct backend's output may lie from the exact sum. The bounds of these
// sums were computed by hand: the last right output passes and the next number fails.

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

/// The arithmetic of a backend that declares sums in f32, rounded to nearest.
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

TEST(Bound, FaithfulRoundingDoublesTheBound) {
  Capabilities declared;
  declared.faithful_rounding = true;
  const FloatSum sum = Sum(0, 100, 1.0, 0x1p-60);
  EXPECT_NEAR(BoundOf(sum, ArithmeticOf(declared, ElementType::kF32)).error, 200 * 0x1p-24, 1e-9);
}

TEST(Bound, HalfPrecisionIsRoundedOnceFromF32) {
  const Arithmetic f16 = ArithmeticOf({}, ElementType::kF16);
  const FloatSum tie = Sum(2049, 3, 2049, 1);  // halfway between 2048 (0x6800) and 2050 (0x6801)
  EXPECT_EQ(JudgeOutput(tie, 0x6800, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(tie, 0x6801, f16).verdict, OutputVerdict::kWrongValue) << "a tie goes to the even one";
  const FloatSum representable = Sum(2048, 3, 2048, 1);
  EXPECT_EQ(JudgeOutput(representable, 0x6800, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(representable, 0x6801, f16).verdict, OutputVerdict::kWrongValue);
  const FloatSum inexact = Sum(2049, 3, 2049, 0x1p-40);  // the sum may have been rounded up in f32
  EXPECT_EQ(JudgeOutput(inexact, 0x6801, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(inexact, 0x6802, f16).verdict, OutputVerdict::kWrongValue);
}

TEST(Bound, TheFartherNeighbourOfAnExactSumIsWrong) {
  const Arithmetic bf16 = ArithmeticOf({}, ElementType::kBf16);
  const FloatSum sum = Sum(1021, 5, 1200, 1);
  const OutputJudgement nearer = JudgeOutput(sum, 0x447F, bf16);  // 1020
  EXPECT_EQ(nearer.verdict, OutputVerdict::kRight);
  EXPECT_EQ(nearer.ratio, 0) << "the sum itself needs no error";
  const OutputJudgement farther = JudgeOutput(sum, 0x4480, bf16);  // 1024, which is less than one rounding away
  EXPECT_EQ(farther.verdict, OutputVerdict::kWrongValue);
  EXPECT_EQ(farther.error, 3);
  EXPECT_EQ(farther.bound, 0) << "no output above the sum is right";
}

TEST(Bound, TheRatioSaysHowMuchOfTheErrorOfTheSumAnOutputNeeds) {
  const Arithmetic f16 = ArithmeticOf({}, ElementType::kF16);
  // E = 4096 * 2^-24 * 4096 = 1. 0x5640 is 100, and the next number is 100.0625. The sums that round to it lie within
  // 1/32 of it.
  const FloatSum sum = Sum(100, 4096, 4096, 0x1p-40);
  EXPECT_EQ(JudgeOutput(sum, 0x5640, f16).ratio, 0);
  EXPECT_NEAR(JudgeOutput(sum, 0x5641, f16).ratio, 0x1p-5, 1e-9);
  EXPECT_NEAR(JudgeOutput(sum, 0x5650, f16).ratio, 1 - 0x1p-5, 1e-9) << "101";
  EXPECT_EQ(JudgeOutput(sum, 0x5651, f16).verdict, OutputVerdict::kWrongValue) << "101.0625 needs 1.03";
}

TEST(Bound, FaithfulConversionsAllowBothNeighboursAndNoOther) {
  Capabilities declared;
  declared.faithful_rounding = true;
  const Arithmetic bf16 = ArithmeticOf(declared, ElementType::kBf16);
  const FloatSum sum = Sum(1021, 5, 1200, 1);
  EXPECT_EQ(JudgeOutput(sum, 0x447F, bf16).verdict, OutputVerdict::kRight) << "1020";
  EXPECT_EQ(JudgeOutput(sum, 0x4480, bf16).verdict, OutputVerdict::kRight) << "1024";
  EXPECT_EQ(JudgeOutput(sum, 0x447E, bf16).verdict, OutputVerdict::kWrongValue) << "1016";
  EXPECT_EQ(JudgeOutput(Sum(1020, 5, 1200, 1), 0x4480, bf16).verdict, OutputVerdict::kWrongValue);
}

TEST(Bound, FaithfulConversionsMayStopAtTheLargestNumber) {
  Capabilities declared;
  declared.faithful_rounding = true;
  const Arithmetic faithful = ArithmeticOf(declared, ElementType::kF16);
  const Arithmetic nearest = ArithmeticOf({}, ElementType::kF16);
  constexpr std::uint64_t kInfinity = 0x7C00;
  constexpr std::uint64_t kLargest = 0x7BFF;
  for (const double beyond : {65505.0, 65519.0, 65520.0, 100000.0}) {
    const FloatSum sum = Sum(beyond, 4, beyond, 1);
    EXPECT_EQ(JudgeOutput(sum, kLargest, faithful).verdict, OutputVerdict::kRight) << beyond;
    EXPECT_EQ(JudgeOutput(sum, kInfinity, faithful).verdict, OutputVerdict::kRight) << beyond;
    EXPECT_EQ(JudgeOutput(sum, kLargest - 1, faithful).verdict, OutputVerdict::kWrongValue) << beyond;
    const bool infinite = beyond >= 65520;
    EXPECT_EQ(JudgeOutput(sum, kLargest, nearest).verdict,
              infinite ? OutputVerdict::kWrongValue : OutputVerdict::kRight)
        << beyond;
    EXPECT_EQ(JudgeOutput(sum, kInfinity, nearest).verdict, infinite ? OutputVerdict::kRight : OutputVerdict::kWrongNan)
        << beyond;
  }
  const FloatSum representable = Sum(65504, 4, 65504, 1);
  EXPECT_EQ(JudgeOutput(representable, kInfinity, faithful).verdict, OutputVerdict::kWrongNan);
}

TEST(Bound, ExactSumsUpToTheLargestNumberAreJudged) {
  const double largest = 0x1.fffffep127;
  const FloatSum sum = Sum(largest, 2, largest, 0x1p104);
  EXPECT_FALSE(BoundOf(sum, F32()).anything);
  EXPECT_EQ(JudgeOutput(sum, 0x7F7FFFFF, F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x7F800000, F32()).verdict, OutputVerdict::kWrongNan);
  EXPECT_TRUE(BoundOf(Sum(largest, 2, largest + 0x1p103, 0x1p103), F32()).anything) << "a partial sum may round up";
}

TEST(Bound, SumsOfF64MayPassThroughF32IfDeclared) {
  Capabilities declared;
  declared.accumulator = DECONV_ACCUMULATOR_F64;
  const Arithmetic direct = ArithmeticOf(declared, ElementType::kF16);
  declared.accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32;
  const Arithmetic through = ArithmeticOf(declared, ElementType::kF16);
  // s lies slightly above the middle between the f16 numbers 1 and 1 + 2^-10. Rounded to f32, s is exactly the middle,
  // and the second rounding goes down to 1, which is even.
  const double s = 1 + 0x1p-11 + 0x1p-30;
  const FloatSum sum = Sum(s, 3, s, 0x1p-30);
  EXPECT_EQ(JudgeOutput(sum, 0x3C01, direct).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x3C00, direct).verdict, OutputVerdict::kWrongValue);
  EXPECT_EQ(JudgeOutput(sum, 0x3C01, through).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x3C00, through).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x3C02, through).verdict, OutputVerdict::kWrongValue);
  const FloatSum farther = Sum(1 + 0x1p-11 + 0x1p-20, 3, 2, 0x1p-30);
  EXPECT_EQ(JudgeOutput(farther, 0x3C00, through).verdict, OutputVerdict::kWrongValue);
  // A declared accumulator of f32 includes the step through f32: its sums are numbers of f32 anyway.
  EXPECT_EQ(JudgeOutput(sum, 0x3C00, ArithmeticOf({}, ElementType::kF16)).verdict, OutputVerdict::kRight);
}

TEST(Bound, EachTypeHasItsOwnArithmetic) {
  Capabilities declared;
  declared.accumulator = DECONV_ACCUMULATOR_F64;
  declared.arithmetic = {{.type = ElementType::kBf16,
                          .arithmetic = {.accumulator = DECONV_ACCUMULATOR_F32,
                                         .rounding = DECONV_ROUNDING_FAITHFUL_SUMS,
                                         .subnormals = DECONV_SUBNORMALS_FLUSHED}}};
  const Arithmetic f16 = ArithmeticOf(declared, ElementType::kF16);
  EXPECT_EQ(f16.accumulator.precision, 53);
  EXPECT_FALSE(f16.faithful);
  EXPECT_FALSE(f16.flushes);
  const Arithmetic bf16 = ArithmeticOf(declared, ElementType::kBf16);
  EXPECT_EQ(bf16.accumulator.precision, 24);
  EXPECT_EQ(bf16.accumulator_roundoff, 0x1p-23);
  EXPECT_TRUE(bf16.flushes);
  // The declaration allows faithful sums, but the conversion to bf16 must round to nearest.
  EXPECT_EQ(JudgeOutput(Sum(1021, 5, 1200, 1), 0x4480, bf16).verdict, OutputVerdict::kWrongValue);
}

TEST(Bound, AddersOfSeveralOperandsCountTwicePerProduct) {
  Capabilities declared;
  declared.arithmetic = {{.type = ElementType::kF32, .arithmetic = {.rounding = DECONV_ROUNDING_FUSED_SUMS}}};
  const FloatSum sum = Sum(0, 100, 1.0, 0x1p-60);
  EXPECT_NEAR(BoundOf(sum, ArithmeticOf(declared, ElementType::kF32)).accumulated, 400 * 0x1p-24, 1e-8);
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
  const FloatSum subnormal = Sum(0x1p-15 + 0x1p-24, 2, 0x1p-15 + 0x1p-24, 0x1p-24);
  EXPECT_EQ(JudgeOutput(subnormal, 0x0201, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(subnormal, 0x0000, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(subnormal, 0x0200, f16).verdict, OutputVerdict::kWrongValue) << "neither it nor zero";
  FloatSum sum = Sum(0x1p-13 + 0x1p-30, 2, 0x1p-13 + 0x1p-30, 0x1p-30);
  sum.bits = 0x0800;  // 2^-13
  EXPECT_EQ(JudgeOutput(sum, 0x0800, f16).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(sum, 0x0400, f16).verdict, OutputVerdict::kWrongValue) << "2^-14 is half of it";
  sum = Sum(0, 2, 2, 1);
  sum.bits = 0;
  EXPECT_EQ(JudgeOutput(sum, 0x0400, f16).verdict, OutputVerdict::kWrongValue) << "1 - 1 is 0";
}

TEST(Bound, AGapIsZeroOfEitherSign) {
  const FloatSum gap;
  EXPECT_EQ(JudgeOutput(gap, 0, F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(gap, Bits(-0.0f), F32()).verdict, OutputVerdict::kRight);
  EXPECT_EQ(JudgeOutput(gap, 1, F32()).verdict, OutputVerdict::kGapNotZero);
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

class BoundOfEachType : public testing::TestWithParam<ElementType> {};

TEST_P(BoundOfEachType, AnHonestSumComesWithinAFactorOfTwoOfTheBound) {
  const ElementType type = GetParam();
  Capabilities declared;
  declared.accumulator = DECONV_ACCUMULATOR_STORAGE;
  const Arithmetic arithmetic = ArithmeticOf(declared, type);
  const int precision = oracle::FormatOf(type).precision;
  const double u = std::ldexp(1.0, -precision);
  constexpr int n = 16;
  // The sum from the left is 1 * 1 + u * 1 + u * 1 + ... Each addition is a tie, and 1 is even. Every operand and
  // product is a number of the type. Rounding to `precision` bits by hand is the type's addition, for sums from 1 to 2.
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

INSTANTIATE_TEST_SUITE_P(Types, BoundOfEachType,
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

TEST(Bound, TheProbableBoundGrowsWithTheSquareRootOfTheProducts) {
  Arithmetic arithmetic = F32();
  arithmetic.lambda = LambdaFor(1);
  EXPECT_NEAR(arithmetic.lambda, std::sqrt(2 * 21 * std::log(2.0)), 1e-12);
  const FloatSum sum = Sum(0, 10000, 1.0, 0x1p-60);
  EXPECT_NEAR(BoundOf(sum, arithmetic).probable, arithmetic.lambda * 100 * 0x1p-24, 1e-12);
  EXPECT_TRUE(JudgeOutput(sum, Bits(600 * 0x1p-24F), arithmetic).imprecise);
  EXPECT_EQ(JudgeOutput(sum, Bits(600 * 0x1p-24F), arithmetic).verdict, OutputVerdict::kRight);
  EXPECT_FALSE(JudgeOutput(sum, Bits(500 * 0x1p-24F), arithmetic).imprecise);
  const FloatSum few = Sum(0, 16, 1.0, 0x1p-60);
  EXPECT_EQ(BoundOf(few, arithmetic).probable, BoundOf(few, arithmetic).accumulated) << "16 is less than lambda * 4";
}

}  // namespace
}  // namespace conformance
