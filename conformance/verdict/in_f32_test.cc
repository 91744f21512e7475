// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the bound of outputs that a backend computes in f32, although their type is f64 or an integer: the last right
// number and the first wrong number.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/case/case.h"
#include "conformance/verdict/declared_arithmetic.h"
#include "oracle/element_type.h"

namespace conformance {
namespace {

/// One output: the sum of the products of `data` and `filter`.
template <class T>
InF32 SumOf(const char* type, const std::vector<T>& data, const std::vector<T>& filter, const Capabilities& declared) {
  const auto line = fmt::format(
      "ConvolutionBackpropData:type={}:data=1,{},1:filter={},1,1:strides=1:dilations=1:pads_begin=0:pads_end=0", type,
      data.size(), data.size());
  const auto test_case = std::get<Case>(ParseCaseLine(line));
  const auto resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
  return {oracle::Operands(*resolution.geometry, std::as_bytes(std::span(data)), std::as_bytes(std::span(filter))),
          declared};
}

/// Whether the judge accepts the output.
template <class T>
bool IsRight(InF32& sum, T output) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &output, sizeof output);
  return sum.Judge(bits, 0).verdict == OutputVerdict::kRight;
}

constexpr std::int32_t k24 = 1 << 24;

TEST(InF32, TheBoundIsThatOfF32) {
  // Each 1 is lost beside 2^24, so f32 may give 2^24. E is a little above 3.
  InF32 sum = SumOf<std::int32_t>("i32", {k24, 1, 1}, {1, 1, 1}, Capabilities{});
  for (std::int32_t output = k24 - 1; output <= k24 + 5; ++output) EXPECT_TRUE(IsRight(sum, output)) << output;
  EXPECT_FALSE(IsRight(sum, k24 - 2));
  EXPECT_FALSE(IsRight(sum, k24 + 6));
  EXPECT_FALSE(sum.AllowsAnything(0));
}

TEST(InF32, OperandsAreRoundedToNearest) {
  InF32 sum = SumOf<std::int64_t>("i64", {k24 + 1}, {1}, Capabilities{});
  EXPECT_TRUE(IsRight<std::int64_t>(sum, k24));
  EXPECT_FALSE(IsRight<std::int64_t>(sum, k24 + 2));
  InF32 product = SumOf<double>("f64", {1 + 0x1p-30}, {3}, Capabilities{});
  EXPECT_TRUE(IsRight(product, 3.0));
  EXPECT_FALSE(IsRight(product, 3 * (1 + 0x1p-30)));  // the judge of f64 finds it right
}

TEST(InF32, SmallIntegersAreExact) {
  InF32 sum = SumOf<std::int32_t>("i32", {3, -5}, {7, 11}, Capabilities{});
  EXPECT_TRUE(IsRight(sum, -34));
  EXPECT_FALSE(IsRight(sum, -33));
  EXPECT_FALSE(IsRight(sum, -35));
}

TEST(InF32, SumsBeyondTheTypeWrapOrStopAtItsEnds) {
  InF32 wraps = SumOf<std::int32_t>("i32", {1 << 30, 1 << 30}, {1, 1}, Capabilities{});
  EXPECT_TRUE(IsRight(wraps, INT32_MIN));
  EXPECT_FALSE(IsRight(wraps, INT32_MIN + 1));
  EXPECT_FALSE(IsRight(wraps, INT32_MAX));
  Capabilities saturating;
  saturating.overflow = DECONV_OVERFLOW_SATURATES;
  InF32 stops = SumOf<std::int32_t>("i32", {1 << 30, 1 << 30}, {1, 1}, saturating);
  EXPECT_TRUE(IsRight(stops, INT32_MAX));
  EXPECT_TRUE(IsRight(stops, INT32_MAX - 127));  // the largest f32 of the type
  EXPECT_FALSE(IsRight(stops, INT32_MAX - 128));
  EXPECT_FALSE(IsRight(stops, INT32_MIN));
  InF32 below = SumOf<std::uint64_t>("u64", {UINT64_MAX, UINT64_MAX}, {1, 1}, saturating);
  EXPECT_TRUE(IsRight(below, UINT64_MAX));
  EXPECT_FALSE(IsRight<std::uint64_t>(below, 0));
}

// The bound is wider than 2^64, so that each remainder modulo 2^64 is the result of a right sum.
TEST(InF32, ARangeOfAllRemaindersAllowsAnything) {
  InF32 sum = SumOf<std::int64_t>("i64", {INT64_MAX, INT64_MAX - 1}, {INT64_MAX, 3}, Capabilities{});
  EXPECT_TRUE(sum.AllowsAnything(0));
  EXPECT_TRUE(IsRight<std::int64_t>(sum, 12345));
}

TEST(InF32, F64HasTheRangeOfF32) {
  InF32 large = SumOf<double>("f64", {1e300}, {1}, Capabilities{});
  EXPECT_TRUE(IsRight(large, HUGE_VAL));
  EXPECT_FALSE(IsRight(large, 1e300));
  InF32 tiny = SumOf<double>("f64", {1e-300}, {1}, Capabilities{});
  EXPECT_TRUE(IsRight(tiny, 0.0));
  EXPECT_FALSE(IsRight(tiny, 1e-40));
}

}  // namespace
}  // namespace conformance
