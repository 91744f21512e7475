// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the features of single cases: which taps multiply data, which attributes decide sizes, and how attributes
// relate.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/diagnosis/conditions/feature.h"
#include "conformance/suite/suite.h"

namespace conformance {
namespace {

std::size_t IndexOf(const std::vector<Feature>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &Feature::name);
  EXPECT_NE(found, names.end()) << name;
  return found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin());
}

FeatureRow RowOf(const std::string& line) {
  const Case test_case = std::get<Case>(ParseCaseLine(line));
  FeatureRow row = FeaturesOf(test_case, test_case.EffectiveDialect());
  AddValueFeatures(test_case, row);
  return row;
}

std::int64_t Whole(const std::string& line, std::string_view name) {
  return RowOf(line).whole[IndexOf(Features().whole, name)];
}

std::int64_t OfFirstAxis(const std::string& line, std::string_view name) {
  return RowOf(line).axes.front()[IndexOf(Features().axis, name)];
}

std::string Plain(const std::string& data, const std::string& kernel, const std::string& rest) {
  return "ConvolutionBackpropData:data=1,2," + data + ":filter=2,3," + kernel + ":" + rest;
}

TEST(Features, HaveDifferentNames) {
  for (const auto* names : {&Features().whole, &Features().axis}) {
    for (std::size_t i = 0; i < names->size(); ++i) {
      const auto again = std::ranges::find((*names).begin() + static_cast<std::ptrdiff_t>(i) + 1, names->end(),
                                           (*names)[i].name, &Feature::name);
      EXPECT_EQ(again, names->end()) << (*names)[i].name;
    }
  }
}

// With kernel 1 and stride 1 the total of the pads is 0, so that auto_pad changes nothing on this axis.
TEST(Features, KnowWhichAxisAutoPadDecides) {
  constexpr std::string_view kName = "auto_pad decides the size or a pad";
  const std::string start_of_line = "ConvTranspose:data=1,2,3,3:filter=2,3,";
  EXPECT_EQ(OfFirstAxis(start_of_line + "3,1:strides=1,1:auto_pad=SAME_UPPER", kName), 1);
  EXPECT_EQ(OfFirstAxis(start_of_line + "1,3:strides=1,1:auto_pad=SAME_UPPER", kName), 0);
  EXPECT_EQ(OfFirstAxis(start_of_line + "3,1:strides=1,1", kName), 0) << "there is no auto_pad";
  EXPECT_EQ(Whole(start_of_line + "1,3:strides=1,1:auto_pad=SAME_UPPER", "auto_pad decides a size or a pad"), 1);
}

TEST(Features, KnowWhetherTheDilationDecidesAProduct) {
  constexpr std::string_view kName = "the dilation decides a product";
  EXPECT_EQ(OfFirstAxis(Plain("4", "3", "strides=1:dilations=2"), kName), 1);
  EXPECT_EQ(OfFirstAxis(Plain("4", "3", "strides=1:dilations=1"), kName), 0);
  EXPECT_EQ(OfFirstAxis(Plain("4", "1", "strides=1:dilations=2"), kName), 0);
  // No product exists, because the other axis keeps only an output in a gap of its stride.
  EXPECT_EQ(OfFirstAxis(Plain("4,2", "3,1", "strides=1,9:dilations=2,1:pads_begin=0,1:pads_end=0,1"), kName), 0);
}

TEST(Features, KnowWhetherTheStrideDecidesAProduct) {
  constexpr std::string_view kName = "the stride decides a product";
  EXPECT_EQ(OfFirstAxis(Plain("4", "3", "strides=2:dilations=1"), kName), 1);
  EXPECT_EQ(OfFirstAxis(Plain("1", "3", "strides=2:dilations=1"), kName), 0);
}

TEST(Features, NumberTheTapsThatAreUsed) {
  const std::string cropped = Plain("5", "4", "strides=1:dilations=1:pads_begin=2:pads_end=5");
  EXPECT_EQ(OfFirstAxis(cropped, "number of the last tap that is used"), 2);
  EXPECT_EQ(OfFirstAxis(cropped, "number of the last data element that is used"), 2);
  EXPECT_EQ(OfFirstAxis(cropped, "a tap is not used"), 1);
  EXPECT_EQ(OfFirstAxis(cropped, "the last data element is used"), 0);
  const std::string whole = Plain("5", "4", "strides=1:dilations=1");
  EXPECT_EQ(OfFirstAxis(whole, "number of the last tap that is used"), 3);
  EXPECT_EQ(OfFirstAxis(whole, "a tap is not used"), 0);
  EXPECT_EQ(OfFirstAxis(whole, "the last data element is used"), 1);
}

TEST(Features, CountOutputsThatNoTapReaches) {
  const std::string line = Plain("3", "2", "strides=1:dilations=1:output_padding=0:output_shape=9");
  EXPECT_EQ(OfFirstAxis(line, "number of outputs before the first that a tap reaches") +
                OfFirstAxis(line, "number of outputs after the last that a tap reaches"),
            5);
  EXPECT_EQ(
      OfFirstAxis(Plain("8", "3", "strides=1:dilations=1"), "a tap reaches an output past the last full block of 8"),
      1);
  EXPECT_EQ(
      OfFirstAxis(Plain("6", "3", "strides=1:dilations=1"), "a tap reaches an output past the last full block of 8"),
      0);
}

// Fewer outputs than a block have no full block.
TEST(Features, KnowTheLastFullBlock) {
  constexpr std::string_view kName = "a tap reaches an output past the last full block of 8";
  EXPECT_EQ(OfFirstAxis(Plain("4", "3", "strides=1:dilations=1"), kName), 0);
  EXPECT_EQ(OfFirstAxis(Plain("7", "3", "strides=1:dilations=1"), kName), 1);
}

TEST(Features, AreThoseOfEveryRank) {
  const std::string line =
      Plain("1,1,1,1,1,1,1,2", "1,1,1,1,1,1,1,2", "strides=1,1,1,1,1,1,1,2:dilations=1,1,1,1,1,1,1,1");
  EXPECT_EQ(Whole(line, "spatial axes"), 8);
  EXPECT_EQ(Whole(line, "stride of the last axis"), 2);
}

TEST(Features, ARefusedOperatorHasNone) {
  const FeatureRow row = RowOf(Plain("4", "3", "strides=0:dilations=1"));
  EXPECT_FALSE(row.valid());
  EXPECT_THAT(row.whole, testing::Each(kNoValue));
}

// A backend that takes resolved geometry sees neither auto_pad nor an output shape. Its features state pads and sizes.
TEST(Features, OfResolvedGeometryHaveNoSpelling) {
  Capabilities declared;
  declared.takes_resolved = true;
  const Case spelled = std::get<Case>(ParseCaseLine(
      "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:output_shape=7:strides=2:dilations=1:pads_begin=0:pads_end=0:"
      "auto_pad=same_lower"));
  const Case plain = std::get<Case>(ParseCaseLine(
      "GroupConvolutionBackpropData:data=1,2,4:filter=1,2,3,3:strides=2:dilations=1:pads_begin=1:pads_end=1"));
  const FeatureRow row = FeaturesOf(spelled, spelled.EffectiveDialect(), &declared);
  EXPECT_EQ(row.whole, FeaturesOf(plain, plain.EffectiveDialect(), &declared).whole);
  EXPECT_EQ(row.axes, FeaturesOf(plain, plain.EffectiveDialect(), &declared).axes);
  EXPECT_EQ(row.axes.front()[IndexOf(Features().axis, "pads_begin")], 1);
  EXPECT_NE(row.whole, FeaturesOf(spelled, spelled.EffectiveDialect()).whole);
}

TEST(Features, KnowThePhasesOfTheFirstDataElement) {
  constexpr std::string_view kName = "the first data element is used in a later phase of the stride";
  EXPECT_EQ(OfFirstAxis(Plain("4", "2", "strides=2:dilations=1"), kName), 1);
  EXPECT_EQ(OfFirstAxis(Plain("4", "2", "strides=2:dilations=2"), kName), 0);
  EXPECT_EQ(OfFirstAxis(Plain("4", "2", "strides=2:dilations=1:pads_begin=2:pads_end=0"), kName), 0);
}

TEST(Features, TellSizesFromPads) {
  const std::string free = Plain("4", "3", "strides=1:dilations=2");
  EXPECT_EQ(Whole(free, "dilations decide a size"), 1);
  EXPECT_EQ(Whole(free, "dilations decide a pad"), 0);
  const std::string split = Plain("4", "3", "strides=1:dilations=2:output_shape=4");
  EXPECT_EQ(Whole(split, "dilations decide a size"), 0);
  EXPECT_EQ(Whole(split, "dilations decide a pad"), 1);
}

TEST(Features, TellOrdersOfAList) {
  const std::string rest = "strides=2,2,2:dilations=1,1,1:output_padding=1,0,1";
  const std::string line = Plain("2,2,2", "2,2,2", rest);
  EXPECT_EQ(Whole(line, "reversed output_padding would change a size"), 0);
  EXPECT_EQ(Whole(line, "the first of the output_padding on every axis would change a size"), 1);
  const std::string last = Plain("3,2", "2,2", "strides=2,3:dilations=1,1:output_shape=4,5");
  EXPECT_EQ(Whole(last, "the last of the strides on every axis would change a pad"), 1);
  EXPECT_EQ(Whole(last, "the last of the dilations on every axis would change a pad"), 0);
}

TEST(Features, TellAxesAfterTheFirst) {
  const std::string first = Plain("3,3", "2,2", "strides=1,1:dilations=1,1:output_shape=5,4");
  EXPECT_EQ(OfFirstAxis(first, "output shape beyond the size that the attributes give"), 1);
  EXPECT_EQ(Whole(first, "on some axis output size > natural size"), 1);
  EXPECT_EQ(Whole(first, "on an axis after the first output size > natural size"), 0);
  EXPECT_EQ(Whole(first, "on an axis before the last output size > natural size"), 1);
}

TEST(Features, RelateTheOutputSize) {
  const std::string small = Plain("1", "2", "strides=5:dilations=1");
  EXPECT_EQ(OfFirstAxis(small, "output size < stride"), 1);
  EXPECT_EQ(OfFirstAxis(Plain("2", "2", "strides=5:dilations=1"), "output size < stride"), 0);
  EXPECT_EQ(OfFirstAxis(small, "extent of the dilated kernel > data size and pads"), 1);
}

}  // namespace
}  // namespace conformance
