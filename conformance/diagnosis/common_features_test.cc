// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that failures are told by the classes of properties that they need, and by no others.

#include "conformance/diagnosis/common_features.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/conditions/predicate_backend.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

constexpr const char* kStrideTwo = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1";

/// A failure, or a case that passes.
CaseResult ResultOfLine(const std::string& line, bool fails = true) {
  CaseResult result;
  result.origin.suite = "test";
  result.judged.Set(TestCaseOf(line).test_case);
  result.judged.dialect = "openvino-spec";
  result.judged.output_dims = {1, 1, 1};
  result.verdict.status = fails ? Status::kFail : Status::kPass;
  result.verdict.failure = fails ? FailureClass::kWrongValue : FailureClass::kNone;
  return result;
}

/// "rank=4, type=f32": what the failures among the results have in common.
std::string CommonOf(const std::vector<CaseResult>& results) {
  std::vector<std::size_t> failures;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].verdict.status == Status::kFail) failures.push_back(i);
  }
  std::string text;
  for (const auto& [property, value] : CommonClasses(results, failures)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", PropertyName(property), ClassName(property, value));
  }
  return text;
}

// Classes that half of the passing cases have too say nothing: here all but the dilations.
TEST(CommonClasses, AreThoseThatOnlyFailuresHave) {
  std::vector<CaseResult> results;
  for (const char* line : {"ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=2",
                           "ConvolutionBackpropData:data=1,1,4:filter=1,1,3:strides=2:dilations=3"}) {
    results.push_back(ResultOfLine(line));
  }
  for (int i = 0; i < 20; ++i) results.push_back(ResultOfLine(kStrideTwo, false));
  EXPECT_EQ(CommonOf(results), "dilations=equal");
  // All cases of a suite may have dilations: passing cases of other suites say nothing.
  for (CaseResult& result : results) {
    if (result.verdict.status == Status::kPass) result.origin.suite = "other";
  }
  EXPECT_EQ(CommonOf(results), "");
  for (CaseResult& result : results) result.origin.suite = "test";
  // Without dilations in one of them, nothing is left.
  results[1].judged.Set(TestCaseOf(kStrideTwo).test_case);
  EXPECT_EQ(CommonOf(results), "");
}

// One passing case lacks whatever distinguishes it from many failures, and says nothing about any of it.
TEST(CommonClasses, NeedMoreThanFewPasses) {
  std::vector<CaseResult> results;
  for (int i = 0; i < 20; ++i) {
    results.push_back(ResultOfLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=2"));
  }
  results.push_back(ResultOfLine(kStrideTwo, false));
  EXPECT_EQ(CommonOf(results), "");
  results.push_back(ResultOfLine(kStrideTwo, false));
  EXPECT_EQ(CommonOf(results), "dilations=equal");
}

// Three of ten passing cases have two axes, so three failures may have them by chance; seven do not.
TEST(CommonClasses, AreNotSharedByChance) {
  std::vector<CaseResult> results;
  const auto add = [&](std::size_t count, bool has_two_axes, bool fails) {
    for (std::size_t i = 0; i < count; ++i) {
      const char* line = has_two_axes ? "ConvolutionBackpropData:data=1,1,3,3:filter=1,1,3,3:strides=2,2" : kStrideTwo;
      results.push_back(ResultOfLine(line, fails));
    }
  };
  add(3, true, false);
  add(7, false, false);
  add(3, true, true);
  EXPECT_EQ(CommonOf(results), "");
  add(4, true, true);
  EXPECT_EQ(CommonOf(results), "rank=4");
}

// The backend fails f64 with two axes. Both failures have stride 1 too, without which new cases fail as well.
TEST(TestClasses, LeavesWhatNewCasesNeed) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    return sketch.type() == oracle::ElementType::kF64 && sketch.axes.size() == 2;
  };
  std::vector<KnownCase> failures;
  for (const char* line : {"ConvTranspose:data=1,2,3,4:filter=2,3,3,2:type=f64:strides=1,1",
                           "ConvTranspose:data=2,3,4,3:filter=3,2,2,3:type=f64:strides=1,1"}) {
    const Case test_case = CaseOfLine(line);
    failures.push_back({.test_case = test_case, .dialect = test_case.EffectiveDialect(), .fails = true});
  }
  const std::vector<CommonClass> classes = {
      {Property::kStride, static_cast<std::uint8_t>(StepClass::kOne)},
      {Property::kType, static_cast<std::uint8_t>(oracle::ElementType::kF64)},
      {Property::kRank, static_cast<std::uint8_t>(RankClass::k4)},
  };
  const auto told = TestClasses(classes, failures, SearchOf(fails));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->text, "type=f64, rank=4");
  EXPECT_EQ(told->tested.inside_failed, told->tested.inside);
  EXPECT_EQ(told->tested.outside_failed, 0U);
  EXPECT_LE(told->tested.total(), kMostQuestionsOfClasses);
  // If new cases pass, whatever they have in common is no reason.
  EXPECT_FALSE(TestClasses(classes, failures, SearchOf([](const Sketch&, const FeatureRow&) { return false; })));
}

// One group is frequent, but not among the operators of the first class.
TEST(CommonClasses, AreComparedWithPassesOfTheFirst) {
  std::vector<CaseResult> results;
  for (int i = 0; i < 8; ++i) {
    results.push_back(ResultOfLine("GroupConvolutionBackpropData:data=1,2,3:filter=1,2,1,3:strides=1"));
    results.push_back(ResultOfLine("ConvolutionBackpropData:data=1,2,3:filter=2,1,3:strides=1", false));
    results.push_back(ResultOfLine("ConvolutionBackpropData:data=1,2,4:filter=2,1,3:strides=1", false));
    if (i < 3)
      results.push_back(ResultOfLine("GroupConvolutionBackpropData:data=1,4,3:filter=2,2,1,3:strides=1", false));
  }
  EXPECT_EQ(CommonOf(results), "operator=GroupConvolutionBackpropData, groups=one");
}

// A law compares operators. The operator that the backend refused has one group, though the case has two.
TEST(CommonClasses, OfALawAreThoseOfTheOperatorThatFailed) {
  std::vector<CaseResult> results;
  for (int i = 0; i < 8; ++i) {
    results.push_back(ResultOfLine("GroupConvolutionBackpropData:data=1,2,3:filter=1,2,1,3:strides=1"));
    results.push_back(ResultOfLine("GroupConvolutionBackpropData:data=1,4,3:filter=2,2,1,3:strides=1", false));
  }
  results.push_back(ResultOfLine("GroupConvolutionBackpropData:data=1,4,3:filter=2,2,1,3:strides=1:law=group-split"));
  results.back().verdict.failure = FailureClass::kWrongRefusal;
  results.back().verdict.facts.related =
      std::make_shared<Case>(CaseOfLine("GroupConvolutionBackpropData:data=1,2,3:filter=1,2,1,3:strides=1"));
  EXPECT_EQ(CommonOf(results), "groups=one");
}

// Outputs that break a law do not tell which operator is wrong. The cause of either one explains the failure.
TEST(FeaturesOfFailure, OfABrokenLawAreThoseOfTheOperatorThatSatisfiesTheCondition) {
  const auto& whole = Features().whole;
  const auto batch = std::ranges::find(whole, "batch", &Feature::name);
  ASSERT_NE(batch, whole.end());
  const auto holds = [&](std::int64_t value, FailureClass failure) {
    Condition condition;
    condition.alternatives = {{.conjunction = {{{.feature = static_cast<std::size_t>(batch - whole.begin()),
                                                 .relation = Relation::kEqual,
                                                 .value = value}}}}};
    CaseResult result = ResultOfLine("ConvolutionBackpropData:data=2,2,3:filter=2,1,3:strides=1:law=batch-split");
    result.verdict.failure = failure;
    result.verdict.facts.related =
        std::make_shared<Case>(CaseOfLine("ConvolutionBackpropData:data=1,2,3:filter=2,1,3:strides=1"));
    return condition.Holds(FeaturesOfFailure(condition, result));
  };
  EXPECT_TRUE(holds(2, FailureClass::kBrokenLaw)) << "the case's own operator";
  EXPECT_TRUE(holds(1, FailureClass::kBrokenLaw)) << "the related operator";
  EXPECT_FALSE(holds(3, FailureClass::kBrokenLaw));
  EXPECT_FALSE(holds(2, FailureClass::kWrongRefusal)) << "only the related operator was refused";
}

// The sums of a large operator are not computed for a condition. So no failure of it satisfies or violates one.
TEST(FeaturesOfFailure, AreUnknownIfTheyNeedTooManySums) {
  const auto& whole = Features().whole;
  const auto rounded = std::ranges::find(whole, "a sum must be rounded", &Feature::name);
  ASSERT_NE(rounded, whole.end());
  Condition condition;
  condition.alternatives = {{.conjunction = {{{.feature = static_cast<std::size_t>(rounded - whole.begin()),
                                               .relation = Relation::kEqual,
                                               .value = 1}}}}};
  EXPECT_TRUE(FeaturesOfFailure(condition, ResultOfLine(kStrideTwo)).valid());
  const CaseResult large = ResultOfLine("ConvolutionBackpropData:data=1,64,99:filter=64,64,3:strides=1");
  EXPECT_FALSE(FeaturesOfFailure(condition, large).valid());
  EXPECT_TRUE(FeaturesOfFailure(Condition(), large).valid()) << "the condition says nothing about values";
}

// A backend that fails empty batches of large sizes alone must not look as if it failed all of them.
TEST(HasFailed, CountsWhatWasComputedWithoutElementsAsAPass) {
  CaseResult result = ResultOfLine("ConvTranspose:data=0,2,3:filter=2,3,2:strides=1", false);
  result.answer.choices = {{.clause = "S8", .point = "a batch of 0", .computed = false}};
  EXPECT_EQ(HasFailed(result), std::nullopt) << "the backend refused it, as it may";
  result.answer.choices.front().computed = true;
  EXPECT_EQ(HasFailed(result), std::optional(false));
}

TEST(HasAnswered, IsTrueOfRefusalsAndFalseOfDeaths) {
  CaseResult result = ResultOfLine("ConvTranspose:data=0,2,3:filter=2,3,2:strides=1", false);
  EXPECT_TRUE(HasAnswered(result));
  result.verdict.status = Status::kFail;
  result.verdict.failure = FailureClass::kWrongRefusal;
  EXPECT_TRUE(HasAnswered(result));
  result.verdict.failure = FailureClass::kCrash;
  EXPECT_FALSE(HasAnswered(result));
  result.verdict.failure = FailureClass::kSuiteError;
  EXPECT_FALSE(HasAnswered(result)) << "no process could be started";
  result.verdict.status = Status::kUndeclared;
  EXPECT_FALSE(HasAnswered(result)) << "the backend was not asked";
}

}  // namespace
}  // namespace conformance
