// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which failing cases may have the same defect as a minimized case, one that was made as small as possible and
// still fails. Such a case has all features of the minimized one: sizes and attributes that are at least as large.

#include "fuzz/findings/minimal_features.h"

#include <cstddef>
#include <string>
#include <variant>

#include <gtest/gtest.h>

namespace fuzz {
namespace {

conformance::Case CaseOf(const std::string& line) {
  return std::get<conformance::Case>(conformance::ParseCaseLine("ConvolutionBackpropData:" + line));
}

// A minimized case that needs a stride of 4 and a dilation of 2, and one that needs 5 channels and a kernel of 4.
const char* const kStrided = "data=1,1,1,1:filter=1,1,1,1:strides=1,4:dilations=2,1:pads_begin=0,0:pads_end=0,0";
const char* const kWide = "data=1,5,1,1:filter=5,1,4,1:strides=1,1:dilations=1,1:pads_begin=0,0:pads_end=0,0";

// The second case has the large stride on the other axis.
TEST(HasFeaturesOf, ACaseHasItsOwnAndThoseOfSmallerOnesInAnyAxis) {
  EXPECT_TRUE(HasFeaturesOf(CaseOf(kStrided), CaseOf(kStrided)));
  EXPECT_TRUE(HasFeaturesOf(
      CaseOf(kStrided),
      CaseOf("data=2,3,4,5:filter=3,2,3,2:strides=5,1:dilations=1,3:pads_begin=1,0:pads_end=0,1:auto_pad=explicit")));
}

TEST(HasFeaturesOf, ACaseWithASmallerNumberLacksAFeature) {
  EXPECT_FALSE(HasFeaturesOf(CaseOf(kStrided), CaseOf(kWide)));
  EXPECT_FALSE(HasFeaturesOf(CaseOf(kWide), CaseOf(kStrided)));
  EXPECT_FALSE(HasFeaturesOf(
      CaseOf(kStrided), CaseOf("data=1,1,1,1:filter=1,1,1,1:strides=3,3:dilations=2,2:pads_begin=0,0:pads_end=0,0")));
}

TEST(HasFeaturesOf, OnlyAnEmptyCaseHasTheFeaturesOfAnEmptyOne) {
  EXPECT_FALSE(HasFeaturesOf(CaseOf("data=1,1,0:filter=1,1,1"), CaseOf("data=1,1,3:filter=1,1,1")));
  EXPECT_TRUE(HasFeaturesOf(CaseOf("data=1,1,0:filter=1,1,1"), CaseOf("data=1,2,3,0:filter=2,1,1,1")));
}

// The mode is auto_pad. Its spelling may be in capital letters.
TEST(HasFeaturesOf, ACaseWithoutTheOutputShapeOrTheModeLacksAFeature) {
  const conformance::Case shaped =
      CaseOf("data=1,1,3:filter=1,1,3:output_shape=6:strides=1:dilations=1:auto_pad=same_upper");
  EXPECT_TRUE(HasFeaturesOf(
      shaped, CaseOf("data=1,1,3:filter=1,1,3:output_shape=7:strides=2:dilations=1:auto_pad=SAME_UPPER")));
  EXPECT_FALSE(HasFeaturesOf(
      shaped, CaseOf("data=1,1,3:filter=1,1,3:output_shape=7:strides=2:dilations=1:auto_pad=same_lower")));
  EXPECT_FALSE(HasFeaturesOf(shaped, CaseOf("data=1,1,3:filter=1,1,3:strides=2:dilations=1:auto_pad=same_upper")));
}

// HasEffectOn() gives the smallest case the pad of the other case. It adds data for large pads, so that the output is
// not empty. A pad of -2^62 - 1, which a fuzzer may make, needs no more data than a pad of 0.
TEST(SmallestCase, APadFarBelowZeroMakesNoLargeCase) {
  SmallestCase smallest(CaseOf("data=1,1,1:filter=1,1,1:strides=1:dilations=1:pads_begin=0:pads_end=0"));
  std::size_t tried = 0;
  const auto still_fails = [&](const conformance::Case& changed) {
    ++tried;
    EXPECT_EQ(changed.op.data.dims.back(), 1);
    return true;
  };
  EXPECT_TRUE(smallest.HasEffectOn(CaseOf("data=1,1,1:filter=1,1,1:strides=1:dilations=1"
                                          ":pads_begin=-4611686018427387905:pads_end=0"),
                                   still_fails));
  EXPECT_EQ(tried, 1U);
}

}  // namespace
}  // namespace fuzz
