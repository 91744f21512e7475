// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the features of a case's values on operators whose values the case line states.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "conformance/diagnosis/conditions/feature.h"

namespace conformance {
namespace {

/// A feature of one sum: data [1,N,1] and filter [N,1,1].
std::int64_t OfSum(const std::string& type, const std::string& data, const std::string& filter, std::string_view name) {
  const std::string count = std::to_string(std::ranges::count(data, ',') + 1);
  const auto parsed =
      ParseCaseLine("ConvolutionBackpropData:data=1," + count + ",1:filter=" + count + ",1,1:type=" + type +
                    ":strides=1:dilations=1:data_values=" + data + ":filter_values=" + filter);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->message;
    return kNoValue;
  }
  const auto& test_case = std::get<Case>(parsed);
  FeatureRow row = FeaturesOf(test_case, test_case.EffectiveDialect());
  AddValueFeatures(test_case, row);
  const auto found = std::ranges::find(Features().whole, name, &Feature::name);
  EXPECT_NE(found, Features().whole.end()) << name;
  return found == Features().whole.end() ? kNoValue
                                         : row.whole[static_cast<std::size_t>(found - Features().whole.begin())];
}

TEST(ValueFeatures, AreThoseOfGivenValues) {
  EXPECT_EQ(OfSum("f32", "1,0x7fc00000", "1,1", "an operand is NaN"), 1);
  EXPECT_EQ(OfSum("f32", "1,2", "1,1", "an operand is NaN"), 0);
  EXPECT_EQ(OfSum("f32", "1,2,4", "1,1,8", "bits of the largest sum"), 6);
  EXPECT_EQ(OfSum("f32", "1,2,4", "1,1,8", "products of the longest sum"), 3);
  EXPECT_EQ(OfSum("i8", "100,2", "100,1", "a sum lies beyond the type's range"), 1);
  EXPECT_EQ(OfSum("i8", "10,2", "10,1", "a sum lies beyond the type's range"), 0);
  EXPECT_EQ(OfSum("i32", "70000,2", "3,1", "bits of the largest data element in a product"), 17);
  EXPECT_EQ(OfSum("i32", "70000,2", "0,1", "bits of the largest data element in a product"), 2);
  EXPECT_EQ(OfSum("f32", "1,2", "1.5,4", "bits of the largest filter element in a product"), 3);
  // Only the magnitude of -128 has 8 bits.
  EXPECT_EQ(OfSum("i8", "-127,2", "-128,1", "bits of the largest filter element in a product"), 8);
  EXPECT_EQ(OfSum("i8", "-127,2", "-128,1", "bits of the largest data element in a product"), 7);
}

// A tie lies half way between two numbers, for example 2^-11 above 1 in f16.
TEST(ValueFeatures, TellTies) {
  constexpr std::string_view kTie = "a sum lies half way between two numbers";
  EXPECT_EQ(OfSum("f16", "1,0x1000", "1,1", kTie), 1);
  EXPECT_EQ(OfSum("f16", "1,0x1000,0x0001", "1,1,1", kTie), 0);
  EXPECT_EQ(OfSum("f16", "1,1", "1,1", kTie), 0);
  // Below 1 numbers lie half as far apart. The sum is half way between two numbers and is rounded to 1.
  EXPECT_EQ(OfSum("f16", "1,0x8c00", "1,1", kTie), 1);
  // Sums that are exact: 0, and subnormal sums of f64, where half of the unit is no number.
  EXPECT_EQ(OfSum("f64", "1,-1", "1,1", kTie), 0);
  EXPECT_EQ(OfSum("f64", "0x0000000000000001,0x0000000000000002", "1,1", kTie), 0);
  // The smallest normal number of f16 less a quarter of its unit is no tie: subnormal numbers have the same unit.
  EXPECT_EQ(OfSum("f16", "0x0400,0x8001", "1,0x3400", kTie), 0);
  EXPECT_EQ(OfSum("f16", "0x0400,0x8001", "1,0x3800", kTie), 1);
}

TEST(ValueFeatures, TellAnInfiniteOperandFromAnOverflow) {
  constexpr std::string_view kInfinite = "an infinite operand makes an output infinite";
  EXPECT_EQ(OfSum("f32", "1,2", "0xff800000,1", kInfinite), 1);
  EXPECT_EQ(OfSum("f32", "3e38,2", "2,1", kInfinite), 0);
  EXPECT_EQ(OfSum("f32", "3e38,2", "2,1", "an output is infinite"), 1);
  EXPECT_EQ(OfSum("f32", "1,1", "0x7f800000,0x7fc00000", kInfinite), 0);
}

TEST(ValueFeatures, FindAProductOfZeroAndInfinityBesideNan) {
  constexpr std::string_view kProduct = "a product is of zero and infinity";
  EXPECT_EQ(OfSum("f32", "0,1", "0x7f800000,1", kProduct), 1);
  EXPECT_EQ(OfSum("f32", "0,1", "0x7f800000,0x7fc00000", kProduct), 1);
  EXPECT_EQ(OfSum("f32", "1,1", "0x7f800000,0x7fc00000", kProduct), 0);
}

}  // namespace
}  // namespace conformance
