// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of numbers. A planted fault is a backend that is wrong on purpose in one
// way. Its killer is a case on which it is wrong and a correct backend is right: one sum, most often of one or two
// products.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

using enum ElementType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double Power(int exponent) { return std::ldexp(1.0, exponent); }

// A killer whose output is the sum of `data`, because the filter has ones.
Killer Terms(ElementType type, std::vector<double> data) {
  std::vector<double> ones(data.size(), 1);
  return Sum(type, std::move(data), std::move(ones));
}

// Returns `count` terms (`first`, 1, and zeros) and one more 1. In the narrow type, 1 is half a unit in the last place
// of `first`. A partial sum that is rounded after `count` products loses the first 1; the exact sum is `first` + 2.
std::vector<double> HalfUnits(double first, std::size_t count) {
  std::vector<double> terms(count, 0);
  terms[0] = first;
  terms[1] = 1;
  terms.push_back(1);
  return terms;
}

// From 2048 (f16), 256 (bf16) and 2^24 (f32) on, numbers are 2 apart, so that 1 is half a unit in the last place. The
// sum 257.0625 rounds to 258 in bf16. If it is rounded first to two bits more, it becomes 257, a tie, and then 256.
TEST(ArithmeticFaultsTest, AreKilled) {
  ExpectKilled(faults::ArithmeticFaults(), {{"f16_sums_in_f16", Terms(kF16, {2048, 1, 1})},
                                            {"bf16_sums_in_bf16", Terms(kBf16, {256, 1, 1})},
                                            {"f64_sums_in_f32", Terms(kF64, {Power(24), 1})},
                                            {"f32_sums_in_bf16", Terms(kF32, {256, 1})},
                                            {"f32_sums_in_f16", Terms(kF32, {2048, 1})},
                                            {"f16_sums_stored_every_8", Terms(kF16, HalfUnits(2048, 8))},
                                            {"bf16_sums_stored_every_16", Terms(kBf16, HalfUnits(256, 16))},
                                            {"f16_sums_clamped", Terms(kF16, {60000, 60000, -60000})},
                                            {"f32_operands_in_tf32", Terms(kF32, {2049})},
                                            {"f32_operands_in_bf16", Terms(kF32, {257})},
                                            {"f32_operands_in_f16", Terms(kF32, {2049})},
                                            {"f64_operands_in_f32", Terms(kF64, {Power(24) + 1})},
                                            {"f16_operands_in_bf16", Terms(kF16, {257})},
                                            {"bf16_operands_in_f16", Terms(kBf16, {Power(17)})},
                                            {"f64_stored_through_f32", Terms(kF64, {Power(24), 1})},
                                            {"f16_stored_through_bf16", Terms(kF16, {256, 1})},
                                            {"bf16_stored_through_f16", Terms(kBf16, {Power(16), Power(16)})},
                                            {"bf16_truncated", Terms(kBf16, {256, 3})},
                                            {"f16_truncated", Terms(kF16, {2048, 3})},
                                            {"bf16_rounded_twice", Terms(kBf16, {256, 1.0625})},
                                            {"f16_rounded_twice", Terms(kF16, {2048, 1.0625})},
                                            {"adds_to_output", Terms(kF32, {1})}});
}

// Each sum lies next to a tie, to the largest number or to the smallest number of its type.
TEST(RoundingFaultsTest, AreKilled) {
  const double largest_bf16 = std::ldexp(255.0, 120);
  const double largest_f32 = std::numeric_limits<float>::max();
  ExpectKilled(faults::RoundingFaults(),
               {{"bf16_farther_neighbour", Terms(kBf16, {1020, 1})},
                {"f16_farther_neighbour", Terms(kF16, {4094, 1})},
                {"bf16_ties_away", Terms(kBf16, {256, 1})},
                {"f16_ties_away", Terms(kF16, {2048, 1})},
                {"bf16_ties_up", Terms(kBf16, {256, 1})},
                {"f16_subnormals_cut_off", Sum(kF16, {Power(-12)}, {1.75 * Power(-12)})},
                {"bf16_subnormals_cut_off", Sum(kBf16, {Power(-66)}, {1.75 * Power(-67)})},
                {"f16_overflow_early", Terms(kF16, {65504, 8})},
                {"bf16_overflow_early", Terms(kBf16, {largest_bf16, Power(118)})},
                {"f16_largest_is_infinite", Terms(kF16, {65504})},
                {"f32_largest_is_infinite", Terms(kF32, {largest_f32})},
                {"bf16_overflow_clamped", Terms(kBf16, {largest_bf16, 1.5 * Power(119)})},
                {"f16_finite_overflow_clamped", Terms(kF16, {60000, 60000})},
                {"f16_smallest_flushed", Sum(kF16, {Power(-12)}, {Power(-12)})},
                {"bf16_smallest_flushed", Sum(kBf16, {Power(-66)}, {Power(-67)})},
                {"f32_from_f64_truncated", Terms(kF32, {Power(24), 3})},
                {"f32_from_f64_ties_away", Terms(kF32, {Power(24), 1})},
                {"f32_from_f64_overflow_early", Terms(kF32, {largest_f32, Power(102)})},
                {"f32_from_f64_clamped", Terms(kF32, {largest_f32, 1.5 * Power(103)})},
                {"f32_from_f64_smallest_flushed", Sum(kF32, {Power(-75)}, {Power(-74)})}},
               {"f16_from_f64_rounded_through_f32"});
}

// Correct variants that declare f32 do the same with this sum, so that only the bound of the judge tells them apart.
TEST(RoundingFaultsTest, SumsRoundedThroughF32DifferFromTheExactSum) {
  const Killer killer = Sum(kF16, {1, Power(-11), Power(-14)}, {1, 1, Power(-14)});
  EXPECT_NE(MistakeOn("fault:f16_from_f64_rounded_through_f32", killer), "");
}

// 2^-126 is the smallest normal number of f32, and 2^-14 that of f16: the products and operands below are subnormal.
TEST(SpecialFaultsTest, AreKilled) {
  // Three data elements along an axis, and a filter of one to three taps.
  const auto three = [](std::vector<double> data, std::vector<double> filter, const OperatorChange& change) {
    const auto taps = static_cast<std::int64_t>(filter.size());
    return Killer{.op = Plain({1, 1, 3}, {1, 1, taps}, change), .data = std::move(data), .filter = std::move(filter)};
  };
  ExpectKilled(
      faults::SpecialFaults(),
      {{"f16_overflow_clamped", Sum(kF16, {60000}, {2})},
       {"f16_overflow_to_nan", Sum(kF16, {60000}, {2})},
       {"f32_infinity_clamped", Terms(kF32, {kInfinity})},
       {"f32_special_clamped", Terms(kF32, {kNan})},
       {"subnormals_flushed", Sum(kF32, {Power(-100)}, {Power(-40)})},
       {"subnormal_operands_flushed", Sum(kF32, {Power(-130)}, {Power(20)})},
       {"f16_subnormal_operands_flushed", Sum(kF16, {Power(-20)}, {Power(10)})},
       {"subnormal_products_flushed", Sum(kF32, {Power(-100), Power(-120)}, {Power(-40), 1})},
       {"nan_operands_read_as_zero", Terms(kF32, {kNan})},
       {"nan_stored_as_zero", Terms(kF32, {kNan})},
       {"nan_products_ignored", Terms(kF32, {kNan})},
       {"bf16_nan_stored_as_infinity", Terms(kBf16, {kNan})},
       {"f16_infinity_read_as_finite", Sum(kF16, {kInfinity}, {Power(-4)})},
       {"infinities_cancel", Terms(kF32, {kInfinity, -kInfinity})},
       {"zero_data_skipped", Sum(kF32, {0}, {kInfinity})},
       {"zero_taps_skipped", Sum(kF32, {kInfinity}, {0})},
       {"structural_zeros_multiply", three({1, 10, 100}, {1, kInfinity, 3}, [](Operator& op) { op.strides = {2}; })},
       {"border_zeros_multiply", three({1, 10, 100}, {1, kInfinity, 3}, nullptr)},
       {"dilation_zeros_multiply", three({1, kInfinity, 100}, {1, 2}, [](Operator& op) { op.dilations = {2}; })},
       {"gaps_smallest_number", three({1, 10, 100}, {1}, [](Operator& op) { op.strides = {2}; })}});
}

// The correct sums wrap in their type. Each product or sum exceeds the range of the narrower type that the fault uses.
TEST(IntegerFaultsTest, AreKilled) {
  ExpectKilled(faults::IntegerFaults(),
               {{"integers_saturate", Sum(kI8, {100}, {2})},
                {"i8_saturates", Sum(kI8, {100}, {2})},
                {"u8_saturates", Sum(kU8, {200}, {2})},
                {"i8_sums_saturate_in_i8", Terms(kI8, {100, 100, -100})},
                {"i8_sums_saturate_in_i16", Sum(kI8, {127, 127, 127}, {127, 127, 127})},
                {"u8_sums_saturate_in_i16", Sum(kU8, {255}, {255})},
                {"u8_products_saturate_in_i16", Sum(kU8, {255}, {255})},
                {"i16_sums_saturate_in_i32", Sum(kI16, {32767, 32767, 32767}, {32767, 32767, 32767})},
                {"u16_products_saturate_in_i32", Sum(kU16, {65535}, {65535})},
                {"i32_sums_saturate_in_i32", Terms(kI32, {Power(31) - 1, 1, -1})},
                {"i16_sums_in_i8", Terms(kI16, {300})},
                {"i32_sums_in_i16", Terms(kI32, {70000})},
                {"i64_sums_in_i32", Terms(kI64, {Power(33) + 1})},
                {"u64_operands_in_u32", Terms(kU64, {Power(33) + 1})},
                {"u32_operands_in_u16", Terms(kU32, {70000})},
                {"integers_in_f32", Terms(kI32, {Power(24) + 1})},
                {"integers_in_f64", Terms(kI64, {Power(53), 1})}});
}

}  // namespace
}  // namespace conformance
