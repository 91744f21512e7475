// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the data sets, the named rules for the values of test tensors. They must be bit-equal to the tables of
// conformance/case/data_sets.md, and each must have the values for which it was made. For example, sums of
// `cancellation` must be small beside their terms.

#include "conformance/case/data_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/case.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::Geometry;

Geometry GeometryOf(const std::string& line) {
  const Case c = std::get<Case>(ParseCaseLine(line));
  return *oracle::Resolve(c.op, c.EffectiveDialect()).geometry;
}

Geometry Typed(Geometry geometry, ElementType type) {
  geometry.type = type;
  return geometry;
}

std::vector<std::uint64_t> Bits(DataSet set, const Geometry& geometry, Tensor tensor, std::uint64_t seed = 0) {
  const auto count = static_cast<std::size_t>(tensor == Tensor::kData ? geometry.DataCount() : geometry.FilterCount());
  const std::size_t width = oracle::ElementBytes(geometry.type);
  // The tensor begins at an odd address, so that a sanitizer reports aligned stores.
  std::vector<std::byte> bytes(count * width + 1);
  FillTensor(set, seed, geometry, tensor, std::span(bytes).subspan(1));
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t element = 0;
    for (std::size_t b = width; b-- > 0;)
      element = (element << 8) | std::to_integer<std::uint64_t>(bytes[1 + i * width + b]);
    bits.push_back(element);
  }
  return bits;
}

// The value of a floating-point number, computed from sign, exponent and fraction bits by the format's definition.
double Value(ElementType type, std::uint64_t bits) {
  const oracle::FloatFormat format = oracle::FormatOf(type);
  const int fraction_bits = format.precision - 1;
  const int width = static_cast<int>(oracle::ElementBytes(type)) * 8;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto exponent =
      static_cast<int>((bits >> fraction_bits) & static_cast<std::uint64_t>(2 * format.max_exponent - 1));
  const double sign = (bits >> (width - 1)) != 0 ? -1 : 1;
  if (exponent == 2 * format.max_exponent - 1) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<double>(fraction), format.min_exponent - fraction_bits);
  return sign * std::ldexp(static_cast<double>(fraction | (std::uint64_t{1} << fraction_bits)),
                           exponent - (format.max_exponent - 1) - fraction_bits);
}

constexpr std::array kFloats = {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16};
constexpr std::array kTensors = {Tensor::kData, Tensor::kFilter};

// An operator with several channels, a stride and a dilation. A sum has up to 72 products.
const Geometry& Usual() {
  static const Geometry geometry =
      GeometryOf("ConvolutionBackpropData:data=2,6,9,11:filter=6,5,3,4:strides=2,1:dilations=1,3");
  return geometry;
}

TEST(DataSets, TheDocumentsWorkedNumbersAreTheProgramsNumbers) {
  std::ifstream document(DECONV_DATA_SETS_DOCUMENT);
  ASSERT_TRUE(document) << DECONV_DATA_SETS_DOCUMENT;
  const Geometry geometry = GeometryOf("ConvolutionBackpropData:data=1,2,5:filter=2,3,3");
  const Geometry small = GeometryOf("ConvolutionBackpropData:data=1,1,3:filter=1,1,2");
  int rows = 0;
  for (std::string line; std::getline(document, line);) {
    std::istringstream cells(line);
    std::string bar, set_name, type_name, tensor_name, number;
    cells >> bar >> set_name >> bar >> type_name >> bar >> tensor_name >> bar;
    const auto set = ParseDataSet(set_name);
    const auto type = oracle::ParseElementType(type_name);
    if (!set || !type || (tensor_name != "data" && tensor_name != "filter")) continue;
    const auto bits = Bits(*set, Typed(*set == DataSet::kTaps ? small : geometry, *type),
                           tensor_name == "data" ? Tensor::kData : Tensor::kFilter);
    for (std::size_t i = 0; i < std::min<std::size_t>(bits.size(), 8); ++i) {
      cells >> number;
      if (number.starts_with('`')) number.erase(0, 1);
      if (number.ends_with('`')) number.pop_back();
      EXPECT_EQ(std::stoull(number, nullptr, 16), bits[i]) << line << " element " << i;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 48);  // the rows of the document's table
}

TEST(DataSets, HaveNames) {
  std::set<std::string_view> names;
  for (const DataSet set : kDataSets) {
    EXPECT_EQ(ParseDataSet(DataSetName(set)), set);
    names.insert(DataSetName(set));
  }
  EXPECT_EQ(names.size(), kDataSets.size());
  EXPECT_EQ(ParseDataSet("integer"), std::nullopt);
}

TEST(DataSets, IntegerTypesKnowIntegersWideAndExtremes) {
  for (const DataSet set : kDataSets) {
    const bool extremes = set == DataSet::kExtremes;
    EXPECT_EQ(IsDefinedFor(set, ElementType::kBf16), !extremes);
    EXPECT_EQ(IsDefinedFor(set, ElementType::kU8),
              set == DataSet::kIntegers || set == DataSet::kWide || set == DataSet::kTaps || extremes);
  }
}

TEST(DataSets, IntegersAreSmallNonZeroAndSumExactly) {
  for (const ElementType type : kFloats) {
    const Geometry geometry = Typed(Usual(), type);
    double magnitude = 0;
    std::set<double> seen;
    for (const Tensor tensor : kTensors) {
      for (const std::uint64_t bits : Bits(DataSet::kIntegers, geometry, tensor)) {
        const double value = Value(type, bits);
        EXPECT_EQ(value, std::round(value));
        EXPECT_NE(value, 0);
        magnitude = std::max(magnitude, std::abs(value));
        seen.insert(value);
      }
    }
    EXPECT_GE(seen.size(), 4U) << ElementTypeName(type);
    // A sum has 72 products: 6 channels times 12 taps.
    if (type != ElementType::kBf16) {
      EXPECT_LE(magnitude * magnitude * 72, std::ldexp(1, oracle::FormatOf(type).precision)) << ElementTypeName(type);
    }
  }
}

TEST(DataSets, IntegersOfIntegerTypesAreTheSameNumbersInEachWidth) {
  const Geometry few = GeometryOf("ConvolutionBackpropData:data=1,1,50:filter=1,1,1");
  const auto wide = Bits(DataSet::kIntegers, Typed(few, ElementType::kI64), Tensor::kData);
  const auto narrow = Bits(DataSet::kIntegers, Typed(few, ElementType::kI32), Tensor::kData);
  for (std::size_t i = 0; i < wide.size(); ++i) EXPECT_EQ(wide[i] & 0xFFFFFFFF, narrow[i]);
  for (const std::uint64_t bits : Bits(DataSet::kIntegers, Typed(few, ElementType::kU8), Tensor::kFilter)) {
    EXPECT_GE(bits, 1U);
    EXPECT_LE(bits, 15U);
  }
}

TEST(DataSets, OnlySpecialsAndTheFilterOfZerosHaveNanAndInfinity) {
  for (const ElementType type : kFloats) {
    for (const DataSet set : kDataSets) {
      if (!IsDefinedFor(set, type)) continue;
      for (const Tensor tensor : kTensors) {
        int special = 0;
        const auto all = Bits(set, Typed(Usual(), type), tensor);
        for (const std::uint64_t bits : all) special += std::isfinite(Value(type, bits)) ? 0 : 1;
        if (set == DataSet::kSpecials || (set == DataSet::kZeros && tensor == Tensor::kFilter)) {
          EXPECT_GE(special, 1);
          EXPECT_LE(special, static_cast<int>(all.size() / 20));
        } else {
          EXPECT_EQ(special, 0) << DataSetName(set) << " " << ElementTypeName(type);
        }
      }
    }
  }
}

TEST(DataSets, NoSumOverflowsAndWideUsesTheRange) {
  const Geometry deep = GeometryOf("ConvolutionBackpropData:data=1,700,6:filter=700,1,5");  // sums of 3500 products
  for (const ElementType type : kFloats) {
    const oracle::FloatFormat format = oracle::FormatOf(type);
    for (const DataSet set : {DataSet::kReals, DataSet::kWide, DataSet::kCancellation}) {
      double most = 0;
      double least = INFINITY;
      for (const Tensor tensor : kTensors) {
        for (const std::uint64_t bits : Bits(set, Typed(deep, type), tensor)) {
          most = std::max(most, std::abs(Value(type, bits)));
          least = std::min(least, std::abs(Value(type, bits)));
        }
      }
      EXPECT_LE(2 * std::log2(most) + std::log2(3500.0), format.max_exponent) << DataSetName(set);
      EXPECT_GE(2 * std::log2(least), format.min_exponent) << DataSetName(set);
      if (set == DataSet::kWide) {
        EXPECT_GT(std::log2(most) - std::log2(least), 0.5 * (format.max_exponent - 5)) << ElementTypeName(type);
      }
    }
  }
}

TEST(DataSets, SubnormalsHaveSubnormalOperandsAndProducts) {
  for (const ElementType type : kFloats) {
    const double smallest = std::ldexp(1, oracle::FormatOf(type).min_exponent);
    int operands = 0;
    int below = 0;
    int above = 0;
    const auto data = Bits(DataSet::kSubnormals, Typed(Usual(), type), Tensor::kData);
    const auto filter = Bits(DataSet::kSubnormals, Typed(Usual(), type), Tensor::kFilter);
    for (const std::uint64_t bits : data) operands += std::abs(Value(type, bits)) < smallest ? 1 : 0;
    for (std::size_t i = 0; i < filter.size(); ++i) {
      const double x = Value(type, data[i]);
      const double w = Value(type, filter[i]);
      if (std::abs(x) >= smallest && std::abs(w) >= smallest) (std::abs(x * w) < smallest ? below : above)++;
    }
    EXPECT_GT(operands, static_cast<int>(data.size() / 8)) << ElementTypeName(type);
    EXPECT_GT(below, 10) << ElementTypeName(type);
    EXPECT_GT(above, 10) << ElementTypeName(type);
  }
}

// The cases have 2 channels and no neighbouring taps. So each output is one positive and one negative product of nearly
// one magnitude.
TEST(DataSets, CancellationLeavesLittleOfItsTerms) {
  for (const std::string line : {"ConvolutionBackpropData:data=1,2,40:filter=2,1,1",
                                 "ConvolutionBackwardData:data=1,40,2:filter=1,1,2:strides=1:dilations=1:pads_begin=0:"
                                 "pads_end=0:dst_shape=1,40,1"}) {
    const Geometry geometry = GeometryOf(line);
    const bool nxc = geometry.layout == oracle::DataLayout::kNxc;
    const auto data = Bits(DataSet::kCancellation, geometry, Tensor::kData);
    const auto filter = Bits(DataSet::kCancellation, geometry, Tensor::kFilter);
    for (std::size_t i = 0; i < 40; ++i) {
      const double a = Value(ElementType::kF32, data[nxc ? 2 * i : i]) * Value(ElementType::kF32, filter[0]);
      const double b = Value(ElementType::kF32, data[nxc ? 2 * i + 1 : 40 + i]) * Value(ElementType::kF32, filter[1]);
      EXPECT_LT(std::abs(a + b), std::abs(a) * 0x1p-9);
      EXPECT_NE(a + b, 0);
    }
  }
}

TEST(DataSets, OverflowLeavesTheRangeAndComesBack) {
  const Geometry geometry = GeometryOf("ConvolutionBackpropData:data=1,64,40:filter=64,1,1:type=f16");
  const auto data = Bits(DataSet::kOverflow, geometry, Tensor::kData);
  const auto filter = Bits(DataSet::kOverflow, geometry, Tensor::kFilter);
  const double largest = 65504;
  int comes_back = 0;
  int stays_out = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    double sum = 0;
    double most = 0;
    for (std::size_t c = 0; c < 64; ++c) {
      sum += Value(ElementType::kF16, data[c * 40 + i]) * Value(ElementType::kF16, filter[c]);
      most = std::max(most, std::abs(sum));
    }
    (std::abs(sum) > largest ? stays_out : comes_back) += most > largest ? 1 : 0;
  }
  EXPECT_GE(comes_back, 5);
  EXPECT_GE(stays_out, 5);
}

TEST(DataSets, ZerosHaveBothSignsAndMeetInfinities) {
  for (const ElementType type : kFloats) {
    int zeros = 0;
    int negative = 0;
    int infinite = 0;
    const auto data = Bits(DataSet::kZeros, Typed(Usual(), type), Tensor::kData);
    for (const std::uint64_t bits : data) {
      if (Value(type, bits) != 0) continue;
      ++zeros;
      negative += bits != 0 ? 1 : 0;
    }
    for (const std::uint64_t bits : Bits(DataSet::kZeros, Typed(Usual(), type), Tensor::kFilter)) {
      infinite += std::isinf(Value(type, bits)) ? 1 : 0;
    }
    EXPECT_NEAR(zeros, static_cast<double>(data.size()) / 2, static_cast<double>(data.size()) / 10);
    EXPECT_NEAR(negative, zeros / 2.0, zeros / 5.0);
    EXPECT_GE(infinite, 1);
    // If the seed is odd, the filter has the zeros.
    const auto swapped = Bits(DataSet::kZeros, Typed(Usual(), type), Tensor::kFilter, 1);
    EXPECT_GE(std::ranges::count_if(swapped, [&](std::uint64_t bits) { return Value(type, bits) == 0; }),
              std::ssize(swapped) / 3);
  }
}

TEST(DataSets, ExtremesAreTheEndsOfTheRange) {
  const auto values = [](ElementType type) {
    const auto bits = Bits(DataSet::kExtremes, Typed(Usual(), type), Tensor::kData);
    return std::set<std::uint64_t>(bits.begin(), bits.end());
  };
  EXPECT_EQ(values(ElementType::kI8), (std::set<std::uint64_t>{0x80, 0x7F, 0x81, 0x7E, 0x01, 0xFF}));
  EXPECT_EQ(values(ElementType::kU16), (std::set<std::uint64_t>{0, 0xFFFF, 1, 0xFFFE}));
  EXPECT_EQ(values(ElementType::kI64), (std::set<std::uint64_t>{0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 1,
                                                                0x8000000000000001, 0x7FFFFFFFFFFFFFFE, ~0ULL}));
}

TEST(DataSets, TapsAreDistinctBitsOrIntegers) {
  for (const ElementType type : oracle::kNumericTypes) {
    // 3 data and 2 filter elements: six products, which must be the bits 0 to 5.
    const Geometry fits = Typed(GeometryOf("ConvolutionBackpropData:data=1,1,3:filter=1,1,2"), type);
    EXPECT_TRUE(TapsFit(3, 2, type));
    EXPECT_FALSE(TapsFit(13, 5, type));  // 65 bits
    if (!oracle::IsInteger(type)) continue;
    std::uint64_t all = 0;
    for (const std::uint64_t x : Bits(DataSet::kTaps, fits, Tensor::kData)) {
      for (const std::uint64_t w : Bits(DataSet::kTaps, fits, Tensor::kFilter)) {
        EXPECT_EQ(all & (x * w), 0U) << ElementTypeName(type);
        all |= x * w;
      }
    }
    EXPECT_EQ(all, 0x3FU);
    const Geometry large = Typed(GeometryOf("ConvolutionBackpropData:data=1,1,13:filter=1,1,5"), type);
    EXPECT_EQ(Bits(DataSet::kTaps, large, Tensor::kData), Bits(DataSet::kIntegers, large, Tensor::kData));
  }
}

// The comments name the boundary; the expectations state the terms in units of the last place there.
TEST(DataSets, BoundariesLieAtTiesAndAtBothEndsOfTheRange) {
  for (const ElementType type : kFloats) {
    const Geometry geometry = Typed(GeometryOf("ConvolutionBackpropData:data=1,3,4:filter=3,23,1"), type);
    const oracle::FloatFormat format = oracle::FormatOf(type);
    const auto data = Bits(DataSet::kBoundaries, geometry, Tensor::kData);
    const auto filter = Bits(DataSet::kBoundaries, geometry, Tensor::kFilter);
    ASSERT_EQ(data.size(), 12U);
    ASSERT_EQ(filter.size(), 69U);
    EXPECT_EQ(Value(type, data[0]), 1);
    EXPECT_EQ(Value(type, data[5]), -1);
    const double small = Value(type, data[2]);
    EXPECT_EQ(Value(type, data[7]), -small);
    const auto first = [&](std::size_t o) { return Value(type, filter[o]); };
    const auto second = [&](std::size_t o) { return Value(type, filter[23 + o]); };
    const auto third = [&](std::size_t o) { return Value(type, filter[46 + o]); };
    // Around the largest number: the second term in units of the last place.
    const double largest = std::ldexp(2 - std::ldexp(1, 1 - format.precision), format.max_exponent - 1);
    const double unit = std::ldexp(1, format.max_exponent - format.precision);
    EXPECT_EQ(first(0) + second(0), largest);
    EXPECT_EQ(first(1), largest - unit);
    EXPECT_EQ(second(1) / unit, 0.5);
    EXPECT_EQ(first(4), largest);
    EXPECT_EQ(second(4) / unit, 0.5);
    EXPECT_LT(second(3) / unit, 0.5);
    EXPECT_GT(second(3) / unit, 0.49);
    EXPECT_GT(second(5) / unit, 0.5);
    EXPECT_LT(second(5) / unit, 0.51);
    // Beside 1, where the unit is 2^(1-p).
    const double beside_one = std::ldexp(1, 1 - format.precision);
    EXPECT_EQ(second(6) / beside_one, 0.5);
    EXPECT_GT(second(7) / beside_one, 0.5);
    EXPECT_EQ(first(8), 1 + beside_one);
    EXPECT_EQ(second(8) / beside_one, 0.5);
    EXPECT_LT(second(9) / beside_one, 0.5);
    // The sums that are multiplied by the small data: in units of the smallest subnormal number.
    const double smallest = std::ldexp(1, format.min_exponent);
    const double subnormal = beside_one / 2;  // the smallest subnormal number, over the small data
    EXPECT_EQ(small, 2 * smallest);
    EXPECT_EQ(first(12) + second(12), 0.5);
    EXPECT_EQ((first(15) + second(15)) / subnormal, 1);
    EXPECT_EQ((first(16) + second(16)) / subnormal, 0.5);
    EXPECT_EQ(first(17) / subnormal, 0.25);
    EXPECT_GT(second(17) / subnormal, 0.25);
    EXPECT_EQ(first(18) / subnormal, 0.25);
    EXPECT_LT(second(18) / subnormal, 0.25);
    EXPECT_EQ((first(19) + second(19)) / subnormal, 1.5);
    EXPECT_EQ((first(20) + second(20)) / subnormal, 2.5);
    // The third term moves the sum from half way by less than half a unit of f32.
    EXPECT_EQ(third(20), 0);
    EXPECT_EQ(second(21) / first(21), beside_one / 2);
    EXPECT_EQ(third(21) / first(21), std::ldexp(1, -25));
    EXPECT_EQ(third(22), -third(21));
  }
}

TEST(DataSets, SeedsTensorsAndIndicesDiffer) {
  for (const DataSet set : kDataSets) {
    if (set == DataSet::kBoundaries) continue;  // placed and not drawn
    const Geometry& geometry = Usual();
    const auto data = Bits(set, geometry, Tensor::kData, 1);
    auto filter = Bits(set, geometry, Tensor::kFilter, 0);
    // The data of `swamping` are all 1.
    const Tensor drawn = set == DataSet::kSwamping ? Tensor::kFilter : Tensor::kData;
    EXPECT_NE(Bits(set, geometry, drawn, 1), Bits(set, geometry, drawn, 2)) << DataSetName(set);
    EXPECT_EQ(data, Bits(set, geometry, Tensor::kData, 1)) << DataSetName(set);
    EXPECT_NE(std::vector(data.begin(), data.begin() + 100), std::vector(filter.begin(), filter.begin() + 100));
  }
}

TEST(DataSets, AnElementDependsOnItsIndexAlone) {
  const Geometry shorter = GeometryOf("ConvolutionBackpropData:data=1,1,10:filter=1,1,1");
  const Geometry longer = GeometryOf("ConvolutionBackpropData:data=1,1,90:filter=1,1,1");
  for (const DataSet set : {DataSet::kIntegers, DataSet::kReals, DataSet::kWide, DataSet::kSubnormals}) {
    const auto a = Bits(set, shorter, Tensor::kData);
    const auto b = Bits(set, longer, Tensor::kData);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << DataSetName(set);
  }
}

TEST(DataSets, EmptyTensorsAreFilledWithNothing) {
  const Geometry empty = GeometryOf("ConvolutionBackpropData:data=0,1,10:filter=1,1,1");
  for (const DataSet set : kDataSets) FillTensor(set, 0, empty, Tensor::kData, {});
}

}  // namespace
}  // namespace conformance
