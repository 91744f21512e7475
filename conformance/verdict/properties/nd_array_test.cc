// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the tensor operations on small arrays, and the conversion of numbers to every element type and back.

#include "conformance/verdict/properties/nd_array.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace conformance::properties {
namespace {

const NdArray kRows{{2, 3}, {1, 2, 3, 4, 5, 6}};

TEST(NdArray, WindowsReachBeyondBothEnds) {
  EXPECT_EQ(Window(kRows, 1, -1, 5), (NdArray{{2, 5}, {0, 1, 2, 3, 0, 0, 4, 5, 6, 0}}));
  EXPECT_EQ(Window(kRows, 0, 1, 1), (NdArray{{1, 3}, {4, 5, 6}}));
  EXPECT_EQ(Window(kRows, 1, 7, 1), (NdArray{{2, 1}, {0, 0}}));
}

TEST(NdArray, SpreadPutsZerosBetweenOnly) {
  EXPECT_EQ(Spread(kRows, 1, 2), (NdArray{{2, 5}, {1, 0, 2, 0, 3, 4, 0, 5, 0, 6}}));
  EXPECT_EQ(Spread(kRows, 0, 1), kRows);
}

TEST(NdArray, AxesAreReversedTakenAndPermuted) {
  EXPECT_EQ(Reversed(kRows, 0), (NdArray{{2, 3}, {4, 5, 6, 1, 2, 3}}));
  EXPECT_EQ(Taken(kRows, 1, std::vector<std::int64_t>{2, 0}), (NdArray{{2, 2}, {3, 1, 6, 4}}));
  EXPECT_EQ(Transposed(kRows, std::vector<std::size_t>{1, 0}), (NdArray{{3, 2}, {1, 4, 2, 5, 3, 6}}));
  const NdArray cube = Reshaped(Zeros({2, 3, 4}), {2, 3, 4});
  EXPECT_EQ(Transposed(cube, std::vector<std::size_t>{2, 0, 1}).dims, (oracle::Dims{4, 2, 3}));
}

TEST(NdArray, ConcatenatedPartsAreTheWhole) {
  const std::vector<NdArray> parts = {Window(kRows, 1, 0, 1), Window(kRows, 1, 1, 2)};
  EXPECT_EQ(Concatenated(parts, 1), kRows);
  EXPECT_EQ(Sum(kRows, Scaled(kRows, -1)), Zeros({2, 3}));
}

TEST(NdArray, NanDiffersFromEveryNumberAndItself) {
  NdArray other = kRows;
  EXPECT_EQ(FirstDifference(kRows, other), -1);
  other.values[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FirstDifference(kRows, other), 4);
  EXPECT_EQ(FirstDifference(other, other), 4);
}

TEST(Element, IntegersPassThroughEveryType) {
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    std::vector<double> values = {0, 1, 2, 3, 15, 127};
    if (oracle::IsFloat(type) || oracle::IsSigned(type)) values.insert(values.end(), {-1, -2, -126});
    std::vector<std::byte> elements(values.size() * oracle::ElementBytes(type));
    Encode(type, values, elements);
    EXPECT_EQ(Decode(type, elements), values) << oracle::ElementTypeName(type);
  }
}

TEST(Element, FractionsPassThroughFloatingTypes) {
  using oracle::ElementType;
  // 2^-14 is the smallest normal number of f16, and 1875 * 32 = 60000 is near its largest, 65504.
  const std::vector<double> values = {0.125, -15.0 / 8, std::ldexp(1.0, -14), 1875 * 32.0};
  std::vector<std::byte> elements(values.size() * 2);
  Encode(ElementType::kF16, values, elements);
  EXPECT_EQ(Decode(ElementType::kF16, elements), values);
}

TEST(Element, LargestExactSumsDependOnPrecisionOrRange) {
  using oracle::ElementType;
  EXPECT_EQ(LargestExactSum(ElementType::kBf16), 256);
  EXPECT_EQ(LargestExactSum(ElementType::kI8), 127);
  EXPECT_EQ(LargestExactSum(ElementType::kU8), 255);
  EXPECT_EQ(LargestExactSum(ElementType::kI64), 0x1p53 - 1);
}

}  // namespace
}  // namespace conformance::properties
