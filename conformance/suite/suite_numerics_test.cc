// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the values of suite `numerics` can find the defects that its cases name. For example, a case against
// overflow must have sums beyond the range of the type. The oracle computes the sums, and the test counts them.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suite/cases_of_suites.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;

// Counts outputs of a case by the kind of their exact sum.
struct Census {
  int finite = 0;        ///< outputs with products and without special operands
  int special = 0;       ///< NaN or Inf that an operand made
  int not_a_number = 0;  ///< special outputs that are NaN
  int beyond_range = 0;  ///< exact sums beyond the type's largest number
  int comes_back = 0;    ///< exact sums within the type's range whose products' magnitudes add up beyond it
  int subnormal = 0;     ///< exact sums below the smallest normal number, not 0
  int normal = 0;
  int wrapped = 0;  ///< integers: the exact sum does not fit the type
  std::int64_t most_taps = 0;
};

/// Computes the exact sums of a case with the oracle, the slow reference implementation, and counts them.
Census CensusOf(const Case& test_case) {
  const oracle::Geometry geometry = *oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry;
  const std::size_t width = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * width);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * width);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, data);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
  const oracle::Operands operands(geometry, data, filter);
  const auto count = static_cast<std::size_t>(geometry.OutputCount());
  Census census;
  if (oracle::IsInteger(geometry.type)) {
    std::vector<oracle::IntegerSum> sums(count);
    oracle::Gather(operands, {0, geometry.OutputCount()}, sums);
    for (const oracle::IntegerSum& sum : sums) {
      census.wrapped += sum.wrapped != sum.saturated ? 1 : 0;
      census.most_taps = std::max(census.most_taps, sum.taps);
    }
    return census;
  }
  const oracle::FloatFormat format = oracle::FormatOf(geometry.type);
  const double largest = std::ldexp(2 - std::ldexp(1, 1 - format.precision), format.max_exponent - 1);
  const double smallest_normal = std::ldexp(1, format.min_exponent);
  std::vector<oracle::FloatSum> sums(count);
  oracle::Gather(operands, {0, geometry.OutputCount()}, sums);
  for (const oracle::FloatSum& sum : sums) {
    census.most_taps = std::max(census.most_taps, sum.taps);
    if (sum.taps == 0) continue;
    if (sum.special != oracle::Special::kNone) {
      ++census.special;
      census.not_a_number += sum.special == oracle::Special::kNan ? 1 : 0;
      continue;
    }
    ++census.finite;
    const double magnitude = std::abs(sum.sum);
    census.beyond_range += magnitude > largest ? 1 : 0;
    census.comes_back += sum.magnitude > largest && magnitude <= largest ? 1 : 0;
    census.subnormal += magnitude != 0 && magnitude < smallest_normal ? 1 : 0;
    census.normal += magnitude >= smallest_normal ? 1 : 0;
  }
  return census;
}

/// The two large terms of an output channel: position of the positive one, of the negative one, exponent.
using LargeTerms = std::tuple<std::int64_t, std::int64_t, int>;

/// The large terms of all output channels of the first group. Precondition: taps are innermost in the filter's layout.
std::set<LargeTerms> LargeTermsOf(const Case& test_case, const oracle::Geometry& geometry) {
  const std::size_t width = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * width);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
  const oracle::FloatFormat format = oracle::FormatOf(geometry.type);
  std::int64_t kernel = 1;
  for (const oracle::Axis& axis : geometry.axes) kernel *= axis.kernel;
  std::set<LargeTerms> found;
  for (std::int64_t out_channel = 0; out_channel < geometry.out_channels; ++out_channel) {
    std::int64_t positive = -1;
    std::int64_t negative = -1;
    int exponent = 0;
    for (std::int64_t term = 0; term < geometry.in_channels * kernel; ++term) {
      const std::int64_t element = (term / kernel * geometry.out_channels + out_channel) * kernel + term % kernel;
      const std::uint64_t bits = oracle::LoadBits(filter.data() + static_cast<std::size_t>(element) * width, width);
      const std::uint64_t sign = bits >> (8 * width - 1);
      const auto exponents = static_cast<std::uint64_t>(2 * format.max_exponent - 1);
      const int exponent_of_term =
          static_cast<int>(bits >> (format.precision - 1) & exponents) - (format.max_exponent - 1);
      if (exponent_of_term < 11) continue;  // a small term; large ones are 2^12 or 2^25
      (sign == 0 ? positive : negative) = term;
      exponent = exponent_of_term;
    }
    found.emplace(positive, negative, exponent);
  }
  return found;
}

// Data set `swamping` has two large terms that cancel, and small ones. An accumulator may add in any order. In each,
// some output has small terms between the large ones, and shows the loss.
TEST(Accumulators, LargeTermsStandAtEveryPairOfPlaces) {
  int looked_at = 0;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    if (suite_case.test_case.values != DataSet::kSwamping) continue;
    const oracle::Geometry geometry =
        *oracle::Resolve(suite_case.test_case.op, suite_case.test_case.EffectiveDialect()).geometry;
    if (geometry.filter_layout == oracle::FilterLayout::kXoi) continue;
    ++looked_at;
    std::int64_t terms = geometry.in_channels;
    for (const oracle::Axis& axis : geometry.axes) terms *= axis.kernel;
    const std::set<LargeTerms> found = LargeTermsOf(suite_case.test_case, geometry);
    std::set<int> exponents;
    for (const auto& [positive, negative, exponent] : found) exponents.insert(exponent);
    EXPECT_THAT(exponents, testing::Not(testing::IsEmpty())) << suite_case.name;
    for (const int exponent : exponents) {
      for (std::int64_t positive = 0; positive < terms; ++positive) {
        for (std::int64_t negative = 0; negative < terms; ++negative) {
          EXPECT_EQ(found.contains({positive, negative, exponent}), positive != negative)
              << suite_case.name << ": " << positive << ", " << negative << ", 2^" << exponent;
        }
      }
    }
  }
  EXPECT_GE(looked_at, 16);
}

TEST(Numerics, ChainsAreAsLongAsTheySay) {
  int chains = 0;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    if (!suite_case.name.starts_with("chain-1") && !suite_case.name.starts_with("chain-4") &&
        !suite_case.name.starts_with("chain-6")) {
      continue;
    }
    ++chains;
    // Three data elements meet four taps: the inner outputs have three of each four products.
    const std::int64_t products = std::stoll(suite_case.name.substr(6));
    EXPECT_EQ(CensusOf(suite_case.test_case).most_taps, products / 4 * 3) << suite_case.name;
  }
  EXPECT_GE(chains, 64);
}

TEST(Numerics, SubnormalSumsLieOnBothSidesOfTheSmallestNormal) {
  int cases = 0;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    if (suite_case.test_case.values != DataSet::kSubnormals) continue;
    ++cases;
    const Census census = CensusOf(suite_case.test_case);
    EXPECT_GE(census.subnormal, 1) << suite_case.name;
    EXPECT_GE(census.normal, 1) << suite_case.name;
  }
  EXPECT_GE(cases, 24);
}

TEST(Numerics, OverflowLeavesTheRangeOfF16AndComesBack) {
  int cases = 0;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    if (!suite_case.name.starts_with("overflow-")) continue;
    ++cases;
    const Census census = CensusOf(suite_case.test_case);
    EXPECT_GE(census.comes_back, 5) << suite_case.name;
    EXPECT_GE(census.beyond_range, 1) << suite_case.name;
  }
  EXPECT_GE(cases, 6);
}

TEST(Numerics, SingleProductsLieOnBothSidesOfTheLargestNumber) {
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    if (!suite_case.name.starts_with("one-tap") || suite_case.test_case.values != DataSet::kOverflow) continue;
    const Census census = CensusOf(suite_case.test_case);
    EXPECT_EQ(census.most_taps, 1) << suite_case.name;
    EXPECT_GE(census.beyond_range, 1) << suite_case.name;
    EXPECT_GE(census.finite - census.beyond_range, 5) << suite_case.name;
  }
}

/// The exact sums of a case's outputs that have products, without their signs.
std::set<double> MagnitudesOf(const Case& test_case) {
  const oracle::Geometry geometry = *oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry;
  const std::size_t width = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * width);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * width);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, data);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
  std::vector<oracle::FloatSum> sums(static_cast<std::size_t>(geometry.OutputCount()));
  oracle::Gather(oracle::Operands(geometry, data, filter), {0, geometry.OutputCount()}, sums);
  std::set<double> magnitudes;
  for (const oracle::FloatSum& sum : sums) {
    if (sum.taps != 0 && sum.sum_rest == 0) magnitudes.insert(std::abs(sum.sum));
  }
  return magnitudes;
}

// An exact sum half way between two f64 numbers is no double. So for f64 the test sees only sums that are doubles.
TEST(Numerics, ConversionsMeetEveryPlaceWhereRoundingChanges) {
  int cases = 0;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    if (suite_case.test_case.values != DataSet::kBoundaries) continue;
    ++cases;
    const ElementType type = suite_case.test_case.op.data.type;
    const std::set<double> magnitudes = MagnitudesOf(suite_case.test_case);
    const oracle::FloatFormat format = oracle::FormatOf(type);
    const double spacing_at_largest = std::ldexp(1, format.max_exponent - format.precision);
    const double largest = std::ldexp(1 - std::ldexp(1, -format.precision), format.max_exponent);
    const double smallest = std::ldexp(1, format.min_exponent - format.precision + 1);
    const double normal = std::ldexp(1, format.min_exponent);
    std::vector<double> boundaries = {largest, normal, normal - smallest, smallest};
    if (type != ElementType::kF64) {
      const double ulp = std::ldexp(1, 1 - format.precision);  // spacing at 1
      const std::vector<double> rounding_boundaries = {largest + spacing_at_largest / 2,
                                                       largest - spacing_at_largest / 2,
                                                       largest + spacing_at_largest / 4,
                                                       1 + ulp / 2,
                                                       1 + 1.5 * ulp,
                                                       2 - ulp / 2,
                                                       1 - ulp / 4,
                                                       normal - smallest / 2,
                                                       smallest / 2,
                                                       1.5 * smallest,
                                                       2.5 * smallest};
      boundaries.insert(boundaries.end(), rounding_boundaries.begin(), rounding_boundaries.end());
    }
    for (const double magnitude : boundaries) {
      EXPECT_TRUE(magnitudes.contains(magnitude)) << suite_case.name << ": " << magnitude;
    }
  }
  EXPECT_GE(cases, 50);
}

// If NaN or infinity reached all outputs, or none, a case could not show that it leaks into other outputs.
TEST(Numerics, SpecialsLeaveFiniteOutputsBesideThem) {
  std::map<std::string, Census> by_shape;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    const DataSet set = suite_case.test_case.values;
    if (set != DataSet::kSpecials && set != DataSet::kZeros) continue;
    const Census census = CensusOf(suite_case.test_case);
    Census& sum = by_shape[suite_case.name.substr(0, suite_case.name.find('.')) + "." + std::string(DataSetName(set))];
    sum.finite += census.finite;
    sum.special += census.special;
    sum.not_a_number += census.not_a_number;
    if (set == DataSet::kSpecials) {
      EXPECT_GE(census.special, 1) << suite_case.name;
    }
  }
  EXPECT_EQ(by_shape.size(), 22U);
  for (const auto& [shape, census] : by_shape) {
    EXPECT_GE(census.finite, 1) << shape;
    EXPECT_GE(census.special, 1) << shape;
    EXPECT_GE(census.not_a_number, 1) << shape;
  }
}

TEST(Numerics, IntegersLeaveTheirType) {
  std::map<ElementType, int> cases;
  for (const SuiteCase& suite_case : CasesOf("numerics", Level::kGate)) {
    const ElementType type = suite_case.test_case.op.data.type;
    if (!oracle::IsInteger(type) || suite_case.test_case.values == DataSet::kIntegers) continue;
    ++cases[type];
    EXPECT_GE(CensusOf(suite_case.test_case).wrapped, 1) << suite_case.name;
  }
  EXPECT_EQ(cases.size(), 8U);
}

}  // namespace
}  // namespace conformance
