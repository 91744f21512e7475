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

#include "conformance/diagnosis/failure_signature.h"
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
  // The case line alone reproduces the failure.
  EXPECT_EQ(ResultsOf("fault:filter_flipped", {found.result.judged.line}).front().verdict.failure,
            FailureClass::kWrongValue);
  EXPECT_EQ(ResultsOf("fault:none", {found.result.judged.line}).front().verdict.status, Status::kPass);
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

// The backend has two defects. The smallest case must still show the defect of the given case.
TEST(Minimize, DoesNotSlideToAnotherDefect) {
  MinimizeOptions options;
  options.seconds = 3600;
  options.backend = "fault:accepts_negative_pads+refuses_dilation";
  const auto smallest_of = [&](const std::string& line) {
    const auto minimized = Minimize(TestCasesOf({line}).front(), options, [](const CaseResult&, std::size_t) {});
    return std::get<Minimized>(minimized);
  };
  const Minimized accepted = smallest_of(
      "ConvolutionBackpropData:data=1,2,4,4:filter=2,3,3,3:strides=2,1:dilations=1,1:pads_begin=-1,0:pads_end=0,0");
  ASSERT_TRUE(accepted.failed());
  EXPECT_EQ(accepted.result.judged.clauses.front(), "A4");
  const Minimized refused = smallest_of(
      "ConvolutionBackpropData:data=1,2,4,4:filter=2,3,3,3:strides=2,1:dilations=2,1:pads_begin=0,0:pads_end=0,0");
  ASSERT_TRUE(refused.failed());
  EXPECT_EQ(refused.result.verdict.failure, FailureClass::kWrongRefusal);
  EXPECT_THAT(*refused.smallest.test_case.op.dilations, Contains(testing::Gt(1)));
}

// The same, but no planted fault explains the failure, and both defects give the same kind of failure. Only the
// condition tells them apart. The case has two axes, because with one axis "the first axis" and "an axis" are the same.
// Without pads the second defect shows at stride 1, which is simpler than the strides that the first defect needs.
TEST(Minimize, KeepsTheConditionOfTheFirstOfTwoDefects) {
  MinimizeOptions options;
  options.seconds = 60;  // less than half of this time is for the condition
  options.backend = "fault:two_defects";
  const std::string line =
      "ConvolutionBackpropData:data=2,2,5,3:filter=2,2,3,2:strides=4,2:dilations=1,1:pads_begin=2,1:pads_end=0,0";
  const auto minimized = Minimize(TestCasesOf({line}).front(), options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(minimized);
  ASSERT_TRUE(found.failed());
  EXPECT_THAT(found.hypotheses, testing::IsEmpty());
  EXPECT_THAT(found.condition, testing::HasSubstr("stride of the first axis >= 3"));
  // The backend with the first defect alone fails the smallest case, and the case lies at the defect's threshold.
  const std::string alone = "fault:first_defect";
  EXPECT_EQ(ResultsOf(alone, {found.result.judged.line}).front().verdict.failure, FailureClass::kWrongValue)
      << found.result.judged.line;
  EXPECT_EQ(found.smallest.test_case.op.strides, oracle::Dims{3}) << found.result.judged.line;
  // The first defect alone passes this simpler case, but the second fails it. A search without a condition would end
  // here.
  const std::string slid = "ConvolutionBackpropData:data=1,1,1:filter=1,1,1:strides=1";
  EXPECT_EQ(ResultsOf(options.backend, {slid}).front().verdict.failure, FailureClass::kWrongValue);
  EXPECT_EQ(ResultsOf(alone, {slid}).front().verdict.status, Status::kPass);
}

TEST(Minimize, TellsClausesWordsAndLawsApart) {
  CaseResult result;
  result.verdict.status = Status::kFail;
  result.verdict.failure = FailureClass::kAcceptedInvalid;
  result.judged.clauses = {"A4"};
  CaseResult other = result;
  EXPECT_EQ(SignatureOf(result), SignatureOf(other));
  other.judged.clauses = {"A2"};
  EXPECT_NE(SignatureOf(result), SignatureOf(other));
  other = result;
  result.verdict.failure = FailureClass::kCannotDo;
  result.verdict.message = "kernel 3x3 with groups=4";
  other.verdict.failure = FailureClass::kWrongRefusal;
  other.verdict.message = "the backend refused a valid operator: kernel 5x7x2 with groups=16";
  other.verdict.facts.said = "kernel 5x7x2 with groups=16";
  EXPECT_EQ(SignatureOf(result), SignatureOf(other));
  other.verdict.facts.said = "rank 7";
  EXPECT_NE(SignatureOf(result), SignatureOf(other));
  EXPECT_EQ(PatternOf("rank 5, expected 4"), "rank #, expected #");
  EXPECT_EQ(PatternOf("dims [1,20,3] of 3x3, max 2"), "dims [#] of #, max #");
  result.verdict.failure = other.verdict.failure = FailureClass::kBrokenLaw;
  const std::string line = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:law=";
  result.judged.Set(TestCaseOf(line + "crop").test_case);
  other.judged.Set(TestCaseOf(line + "adjoint").test_case);
  EXPECT_NE(SignatureOf(result), SignatureOf(other));
}

TEST(Minimize, LeavesWhatPassesAsItIs) {
  MinimizeOptions options;
  options.backend = "fault:none";
  const auto minimized =
      Minimize(TestCasesOf({DiverseLines().front()}).front(), options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(minimized);
  EXPECT_FALSE(found.failed());
  EXPECT_EQ(found.steps, 0U);
  EXPECT_EQ(found.result.judged.line, DiverseLines().front());
}

}  // namespace
}  // namespace conformance
