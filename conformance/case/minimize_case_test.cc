// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the minimization of failing cases: from a large case to the smallest one that still fails. Each test defines
// "fails" by a predicate on cases, so that it needs no backend.

#include "conformance/case/minimize_case.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "oracle/resolve.h"

namespace conformance {
namespace {

Case CaseOf(const std::string& line) {
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) ADD_FAILURE() << error->message;
  return std::get<Case>(parsed);
}

bool IsValid(const Case& c) { return oracle::Resolve(c.op, c.EffectiveDialect()).ok(); }

std::string SmallestOf(const std::string& line, const std::function<bool(const Case&)>& fails) {
  const MinimizedCase minimized = MinimizeCase(CaseOf(line), fails);
  EXPECT_TRUE(minimized.complete);
  EXPECT_TRUE(fails(minimized.smallest));
  return ToLine(minimized.smallest);
}

TEST(MinimizeCase, KeepsWhatTheFailureNeedsAndNothingElse) {
  EXPECT_EQ(SmallestOf(
                "ConvolutionBackpropData:data=3,6,9,7:filter=6,5,3,4:type=bf16:strides=3,2:dilations=2,1:"
                "pads_begin=1,2:pads_end=0,1:output_padding=1,1:seed=9",
                [](const Case& c) { return IsValid(c) && std::ranges::find(*c.op.strides, 3) != c.op.strides->end(); }),
            "ConvolutionBackpropData:data=1,1,1:filter=1,1,1:strides=3:dilations=1:pads_begin=0:pads_end=0:seed=9");
}

TEST(MinimizeCase, ChannelsAndGroupsStayTogether) {
  EXPECT_EQ(SmallestOf("GroupConvolutionBackpropData:data=2,12,5:filter=4,3,2,3:strides=2",
                       [](const Case& c) { return IsValid(c) && c.op.filter.dims[0] >= 2; }),
            "GroupConvolutionBackpropData:data=1,2,1:filter=2,1,1,1:strides=1");
  EXPECT_EQ(SmallestOf("ConvTranspose:data=2,12,5:filter=12,2,3:kernel_shape=3:groups=4",
                       [](const Case& c) { return IsValid(c) && c.op.groups.value_or(1) >= 3; }),
            "ConvTranspose:data=1,3,1:filter=3,1,1:groups=3");
}

// The kernel has 2^40 taps, and pads_begin crops all but a few outputs. Neither can shrink without the other.
TEST(MinimizeCase, HugeKernelsAndTheirPadsShrinkTogether) {
  EXPECT_EQ(SmallestOf("ConvolutionBackpropData:data=1,1,1:filter=1,1,1099511627776:strides=1:dilations=1:pads_begin="
                       "1099511627773:pads_end=1",
                       [](const Case& c) {
                         const oracle::Resolution resolution = oracle::Resolve(c.op, c.EffectiveDialect());
                         return resolution.ok() && resolution.geometry->OutputCount() <= 16 && c.op.filter.dims[2] >= 2;
                       }),
            "ConvolutionBackpropData:data=1,1,1:filter=1,1,2:strides=1:dilations=1:pads_begin=0:pads_end=0");
}

TEST(MinimizeCase, DstShapeFollowsTheOtherSizes) {
  for (const char* formats : {"data_format=NCX:weights_format=OIX", "data_format=NCX:weights_format=XIO"}) {
    const bool xio = std::string(formats).ends_with("XIO");
    const std::string line = std::string("ConvolutionBackwardData:data=2,4,5,6:filter=") +
                             (xio ? "3,2,3,4" : "4,3,3,2") +
                             ":strides=2,2:dilations=1,1:pads_begin=1,0:pads_end=0,1:dst_shape=2,3,10,11:" + formats;
    ASSERT_TRUE(IsValid(CaseOf(line))) << line;
    EXPECT_EQ(SmallestOf(line, [](const Case& c) { return IsValid(c) && c.op.data.dims[1] >= 2; }),
              std::string("ConvolutionBackwardData:data=1,2,1:filter=") + (xio ? "1,1,2" : "2,1,1") +
                  ":strides=1:dilations=1:pads_begin=0:pads_end=0:dst_shape=1,1,1:" + formats);
  }
}

TEST(MinimizeCase, MakesInvalidCasesOfAnyShapeNoLonger) {
  for (const char* line :
       {"ConvolutionBackpropData:data=:filter=", "ConvTranspose:data=1,2,3:filter=2:strides=4,4:groups=0",
        "ConvolutionBackwardData:data=1,2,3,4:filter=1,2,3,4:dst_shape=7:output_shape=:strides="
        "9223372036854775807:pads_begin=-9223372036854775808",
        "GroupConvolutionBackpropData:data=1,2,3:filter=-1,2,0,3:output_shape=-5,3:type=string"}) {
    const auto fails = [](const Case& c) { return !IsValid(c); };
    const MinimizedCase minimized = MinimizeCase(CaseOf(line), fails, {.time = std::chrono::seconds(20), .runs = 500});
    EXPECT_TRUE(fails(minimized.smallest));
    EXPECT_LE(ToLine(minimized.smallest).size(), std::string(line).size());
  }
}

TEST(MinimizeCase, EverySimplerOutputShapeFitsItsType) {
  const Case original = CaseOf(
      "ConvolutionBackpropData:data=1,1,60:filter=1,1,9:output_shape=127:output_shape_type=i8:strides=2:pads_begin=3");
  const auto simpler = SimplerCases(original);
  EXPECT_GT(simpler.size(), 10U);
  for (const Case& step : simpler) {
    EXPECT_TRUE(std::holds_alternative<Case>(ParseCaseLine(ToLine(step)))) << ToLine(step);
  }
}

TEST(MinimizeCase, StopsAtItsLimits) {
  const std::string line = "ConvolutionBackpropData:data=3,6,9,7:filter=6,5,3,4";
  const MinimizedCase none = MinimizeCase(CaseOf(line), [](const Case&) { return false; }, {.runs = 3});
  EXPECT_EQ(none.runs, 3U);
  EXPECT_FALSE(none.complete);
  EXPECT_EQ(ToLine(none.smallest), line);
  EXPECT_EQ(MinimizeCase(CaseOf(line), [](const Case&) { return true; }, {.time = std::chrono::nanoseconds(0)}).runs,
            0U);
}

TEST(MinimizeCase, EveryStepKeepsSeedDialectAndLaw) {
  const Case original = CaseOf(
      "ConvolutionBackpropData:data=2,2,3,4:filter=2,3,3,2:output_shape=5,6:strides=2,1:auto_pad=same_upper:"
      "dialect=openvino-runtime:seed=8:law=crop");
  const auto simpler = SimplerCases(original);
  EXPECT_GT(simpler.size(), 10U);
  for (const Case& step : simpler) {
    EXPECT_NE(step.op, original.op);
    EXPECT_EQ(step.seed, original.seed);
    EXPECT_EQ(step.dialect, original.dialect);
    EXPECT_EQ(step.law, original.law);
  }
}

}  // namespace
}  // namespace conformance
