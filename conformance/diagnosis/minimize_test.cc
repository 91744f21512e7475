// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that minimizing a failing case gives a small case that fails in the same way.

#include "conformance/diagnosis/minimize.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

using testing::Contains;

TEST(Minimize, FindsASmallCaseThatFailsTheSameWay) {
  const std::string line =
      "GroupConvolutionBackpropData:data=2,6,4,5,3:filter=2,3,2,3,2,3:strides=2,1,2:dilations=1,2,1:pads_begin=1,0,1:"
      "pads_end=0,1,1:output_padding=1,0,0:type=f64:values=wide:seed=7";
  MinimizeOptions options;
  options.backend = "fault:filter_flipped";
  options.seconds = 3600;
  std::vector<std::size_t> runs;
  const auto minimized =
      Minimize(TestCasesOf({line}).front(), options, [&](const CaseResult&, std::size_t run) { runs.push_back(run); });
  ASSERT_TRUE(std::holds_alternative<Minimized>(minimized));
  const auto& found = std::get<Minimized>(minimized);
  ASSERT_TRUE(found.failed());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.steps, runs.size());
  EXPECT_TRUE(std::ranges::is_sorted(runs));
  const Case& smallest = found.smallest.test_case;
  EXPECT_EQ(smallest.op.data.dims, (oracle::Dims{1, 1, 1}));
  EXPECT_EQ(smallest.values, DataSet::kIntegers);
  EXPECT_EQ(smallest.seed, 0U);
  EXPECT_EQ(NonZeroData(smallest, found.result), 1);
  EXPECT_THAT(found.hypotheses, Contains(faults::FindFault("filter_flipped")));
  // The line alone says it all.
  EXPECT_EQ(ResultsOf("fault:filter_flipped", {found.result.line}).front().failure, FailureClass::kWrongValue);
  EXPECT_EQ(ResultsOf("fault:none", {found.result.line}).front().status, Status::kPass);
}

TEST(Minimize, KeepsAsFewDataElementsAsFail) {
  MinimizeOptions options;
  options.backend = "fault:last_coordinate_dropped";
  options.seconds = 3600;
  const std::string line = "ConvolutionBackpropData:data=1,1,9,9:filter=1,1,3,3:strides=2,2:dilations=1,1";
  const auto minimized = Minimize(TestCasesOf({line}).front(), options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(minimized);
  ASSERT_TRUE(found.failed());
  EXPECT_LE(NonZeroData(found.smallest.test_case, found.result), 1);
}

// Two defects in one backend: the smallest case must still show the one of the case that was given.
TEST(Minimize, DoesNotSlideToAnotherDefect) {
  MinimizeOptions options;
  options.seconds = 3600;
  options.backend = "fault:accepts_negative_pads+accepts_zero_stride";
  const auto accepted = Minimize(
      TestCasesOf({"ConvolutionBackpropData:data=1,2,4,4:filter=2,3,3,3:strides=2,1:dilations=1,1:pads_begin=-1,0:"
                   "pads_end=0,0"})
          .front(),
      options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(accepted);
  ASSERT_TRUE(found.failed());
  EXPECT_EQ(found.result.clauses.front(), "A4");
  options.backend = "fault:refuses_dilation+refuses_one_axis";
  const auto refused =
      Minimize(TestCasesOf({"ConvolutionBackpropData:data=1,2,4,4:filter=2,3,3,3:strides=2,1:dilations=2,1"}).front(),
               options, [](const CaseResult&, std::size_t) {});
  const auto& smallest = std::get<Minimized>(refused);
  ASSERT_TRUE(smallest.failed());
  EXPECT_THAT(*smallest.smallest.test_case.op.dilations, Contains(testing::Gt(1)));
}

TEST(Minimize, LeavesWhatPassesAsItIs) {
  MinimizeOptions options;
  options.backend = "fault:none";
  const auto minimized =
      Minimize(TestCasesOf({DiverseLines().front()}).front(), options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(minimized);
  EXPECT_FALSE(found.failed());
  EXPECT_EQ(found.steps, 0U);
  EXPECT_EQ(found.result.line, DiverseLines().front());
}

}  // namespace
}  // namespace conformance
