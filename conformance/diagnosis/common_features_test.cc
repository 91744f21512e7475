// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that failures are told by the classes of properties that they need, and by no others. And what the titles of
// causes say.

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
#include "conformance/diagnosis/find_causes.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

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

TEST(HasProduct, IsFalseIfPadsCropAllTapsOrThereAreNoData) {
  const std::string line = "ConvolutionBackpropData:data=1,1,{}:filter=1,1,2:strides=3:pads_begin={}:pads_end={}";
  EXPECT_TRUE(HasProduct(ResultOfLine(fmt::format(fmt::runtime(line), 2, 0, 0))));
  EXPECT_TRUE(HasProduct(ResultOfLine(fmt::format(fmt::runtime(line), 2, 1, 1))));
  EXPECT_FALSE(HasProduct(ResultOfLine(fmt::format(fmt::runtime(line), 2, 2, 2)))) << "only the gap is left";
  EXPECT_FALSE(HasProduct(ResultOfLine("ConvolutionBackpropData:data=1,0,2:filter=0,1,2:strides=1")));
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

Diagnosis Vanished(std::vector<std::size_t> failures) {
  Diagnosis diagnosis;
  diagnosis.vanished = std::move(failures);
  return diagnosis;
}

CaseResult Crash(const std::string& message) {
  CaseResult result = ResultOfLine(kStrideTwo);
  result.verdict.failure = FailureClass::kCrash;
  result.verdict.message = message;
  return result;
}

TEST(CausesOf, NamesSigfpeIfAllCrashesAreOfIt) {
  std::vector<CaseResult> results(3, Crash("killed by Floating point exception (8)"));
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(CausesOf(results, groups)[0].title, "crash by SIGFPE");
  results[1] = Crash("killed by Segmentation fault (11)");
  EXPECT_EQ(CausesOf(results, groups)[0].title, "crash");
}

TEST(CausesOf, SaysAfterWhichCaseAFailureHappensAgain) {
  const std::vector<CaseResult> results(1, ResultOfLine(kStrideTwo));
  std::vector<CauseGroup> groups = GroupByCause(results, Vanished({0}));
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(CausesOf(results, groups)[0].title, "wrong value, but not each time");
  EXPECT_THAT(CausesOf(results, groups)[0].details, Contains(HasSubstr("on chance: run again it passed")));
  groups[0].after = "OTHER CASE";
  EXPECT_THAT(CausesOf(results, groups)[0].details, Contains(HasSubstr("it failed after OTHER CASE ran in the same")));
}

TEST(CausesOf, SaysThatAnInvalidOperatorIsNotAlwaysAccepted) {
  CaseResult accepted = ResultOfLine(kStrideTwo);
  accepted.verdict.failure = FailureClass::kAcceptedInvalid;
  accepted.judged.output_dims.clear();
  accepted.judged.clauses = {"A1"};
  const std::vector<CaseResult> results = {accepted, ResultOfLine(kStrideTwo)};
  const std::vector<CauseGroup> groups = GroupByCause(results, Vanished({0, 1}));
  ASSERT_THAT(groups, SizeIs(2)) << "failures of several kinds are several causes";
  EXPECT_EQ(CausesOf(results, groups)[1].title, "accepts 1 of 1 invalid operators, but not each time: A1 1");
}

// Other code may be right where one implementation is wrong. So the cause is about that one alone.
TEST(CausesOf, NamesTheImplementationsOfAFault) {
  const std::vector<CaseResult> results(2, ResultOfLine(kStrideTwo));
  Diagnosis diagnosis;
  Explanation& explanation = diagnosis.explanations.emplace_back();
  explanation.hypotheses = {faults::Faults().data()};
  explanation.failures = {0, 1};
  explanation.implementations = {"jit"};
  std::vector<CauseGroup> groups = GroupByCause(results, diagnosis);
  EXPECT_THAT(CausesOf(results, groups)[0].title, HasSubstr("wrong value in implementation jit: the backend answers"));
  groups[0].explanation->implementations = {"jit", "gemm"};
  EXPECT_THAT(CausesOf(results, groups)[0].title, HasSubstr("wrong value in implementations gemm, jit: the backend"));
}

Alternative ConfirmedAlternative() {
  Alternative alternative;
  alternative.conjunction.terms = {Term()};
  alternative.confirmed = alternative.outside = 100;
  alternative.supported = true;
  return alternative;
}

TEST(ConfirmedPart, HoldsAllConfirmedAlternativesButThoseOfAnotherDefect) {
  const std::vector<CaseResult> results(12, ResultOfLine(kStrideTwo));
  CauseGroup group;
  group.failures = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  Condition condition;
  condition.alternatives = {ConfirmedAlternative(), ConfirmedAlternative(), ConfirmedAlternative()};
  condition.alternatives[1].passes_inside = "LINE";
  condition.alternatives[2].supported = false;
  const auto of_parts = [&](std::size_t first) {
    return ConfirmedPart(results, group, condition,
                         {std::vector<std::size_t>(first), std::vector<std::size_t>(1), std::vector<std::size_t>(1)});
  };
  EXPECT_THAT(of_parts(10)->condition.alternatives, SizeIs(2));
  EXPECT_EQ(of_parts(10)->words.tested.inside, 200U);
  EXPECT_THAT(of_parts(10)->words.exceptions, ElementsAre("LINE"));
  EXPECT_FALSE(of_parts(8)) << "true of fewer than 8 of 10 failures";
  group.explanation.emplace();
  EXPECT_THAT(of_parts(10)->condition.alternatives, SizeIs(1)) << "the fault does not explain one failure of 12";
}

// Else a failure of the second alternative would lie outside of all conditions that the reader sees.
TEST(ToldTogether, PutsAlternativesOfFewFailuresBesideTheFirst) {
  Condition condition;
  condition.alternatives = {ConfirmedAlternative(), ConfirmedAlternative(), ConfirmedAlternative(),
                            ConfirmedAlternative()};
  condition.alternatives[0].supported = false;
  using Parts = std::vector<std::vector<std::size_t>>;
  const Parts parts = {{0, 1, 2}, {}, {3, 4, 5}, {6, 7, 8, 9}};
  EXPECT_EQ(ToldTogether(condition, parts, 10), (Parts{{2, 1}, {3}}));
  EXPECT_EQ(WordsOf(condition, {2, 1}).words.tested.inside, 200U);
  EXPECT_THAT(WordsOf(condition, {2, 1}).words.text, HasSubstr(", or where "));
}

TEST(CausesOf, NamesCasesThatContradictTheCondition) {
  const std::vector<CaseResult> results(1, ResultOfLine(kStrideTwo));
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  groups[0].condition.emplace();
  groups[0].condition->text = "batch >= 2";
  groups[0].condition->exceptions = {"LINE"};
  EXPECT_THAT(CausesOf(results, groups)[0].details, Contains("the condition is true of LINE, which passes"));
}

TEST(ToldCause, HoldsForFailuresOfItsKindAndImplementation) {
  CaseResult failure = ResultOfLine(kStrideTwo);
  ToldCause told;
  told.condition.declared = Declared();
  told.condition.alternatives.emplace_back();  // without statements it is always true
  told.group.signature = SignatureOf(failure);
  EXPECT_TRUE(told.Holds(failure));
  failure.answer.implementation = "gemm";
  told.group.implementation = "jit";
  EXPECT_FALSE(told.Holds(failure));
  told.group.implementation = "gemm";
  EXPECT_TRUE(told.Holds(failure));
  failure.verdict.failure = FailureClass::kWrongShape;
  EXPECT_FALSE(told.Holds(failure));
}

}  // namespace
}  // namespace conformance
