// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how failures are grouped into causes, and the sentences about the causes. The results of the run are invented.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/find_causes.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

CaseResult FailureOf(std::size_t place, const std::string& line, FailureClass failure, const std::string& message) {
  CaseResult result;
  result.origin.case_index = place;
  result.origin.suite = "test";
  result.origin.name = std::to_string(place);
  result.judged.Set(TestCaseOf(line).test_case);
  result.verdict.status = Status::kFail;
  result.verdict.failure = failure;
  result.verdict.message = message;
  result.judged.dialect = "openvino-spec";
  result.judged.output_dims = {1, 1, 1};
  return result;
}

std::vector<Cause> Told(const std::vector<CaseResult>& results, const Diagnosis& diagnosis = {}) {
  return CausesOf(results, GroupByCause(results, diagnosis));
}

/// An explanation by one fault.
Explanation ExplainedBy(const char* fault, std::vector<std::size_t> failures) {
  Explanation explanation;
  explanation.hypotheses = {faults::FindFault(fault)};
  explanation.failures = std::move(failures);
  return explanation;
}

constexpr const char* kPlainLine = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1";

TEST(PatternOf, LeavesOutNumbersListsAndAddresses) {
  EXPECT_EQ(PatternOf("rank 5 is not supported"), "rank # is not supported");
  EXPECT_EQ(PatternOf("Conv2D: pads (0, -1) at 0x7f12"), PatternOf("Conv3D: pads (0, 1, 2) at 0x7a1"));
  EXPECT_EQ(PatternOf("tuple (2,) of 4x5x6"), PatternOf("tuple (2, 3) of 7x8"));
  EXPECT_EQ(PatternOf("took 1.5 s"), "took # s");
  EXPECT_EQ(PatternOf("pads=[[0 1]], strides"), PatternOf("pads=[[0 1] [2 3] [4 5]], strides"));
  EXPECT_EQ(PatternOf("blocks [np.int64(11)] = 11"), PatternOf("blocks [np.int64(2), np.int64(2)] = 4"));
  EXPECT_NE(PatternOf("kernel (3), pads (1)"), PatternOf("kernel (3)"));
  EXPECT_NE(PatternOf("pads are negative"), PatternOf("strides are negative"));
  EXPECT_NE(PatternOf("output_pads [1], pads [0]"), PatternOf("output_pads [1]"));
  EXPECT_EQ(PatternOf("no dilations [Op:Conv2D] name: "), PatternOf("no dilations [Op:Conv2D]"));
  EXPECT_EQ(PatternOf("error:"), "error:");
}

TEST(Causes, GroupWhatIsDeclinedByTheBackendsWords) {
  std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kCannotDo, "rank 5 is not supported"),
                                     FailureOf(1, kPlainLine, FailureClass::kWrongRefusal,
                                               "the backend refused a valid operator: rank 6 is not supported"),
                                     FailureOf(2, kPlainLine, FailureClass::kCannotDo, "no groups")};
  results[1].verdict.facts.said = "rank 6 is not supported";
  const std::vector<Cause> causes = Told(results);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_THAT(causes[0].failures, ElementsAre(0, 1));
  EXPECT_THAT(causes[0].title, testing::StartsWith("refuses valid operators"));
  EXPECT_THAT(causes[1].failures, ElementsAre(2));
}

TEST(Causes, PutWrongOutputsFirst) {
  std::vector<CaseResult> results;
  const auto add = [&](std::size_t count, FailureClass failure) {
    for (std::size_t i = 0; i < count; ++i) results.push_back(FailureOf(results.size(), kPlainLine, failure, "x"));
  };
  add(5, FailureClass::kAcceptedInvalid);
  add(4, FailureClass::kWrongRefusal);
  add(3, FailureClass::kCrash);
  add(1, FailureClass::kGapNotZero);
  add(2, FailureClass::kWrongValue);
  std::vector<std::size_t> sizes;
  for (const Cause& cause : Told(results)) sizes.push_back(cause.failures.size());
  EXPECT_THAT(sizes, ElementsAre(3, 3, 4, 5));
}

TEST(Causes, CountAcceptedOperatorsByClause) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 4; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kAcceptedInvalid, "accepted"));
    results.back().judged.output_dims.clear();
    results.back().judged.clauses = {i == 2 ? "A2" : "A4"};
  }
  results[3].verdict.status = Status::kPass;
  results[3].verdict.failure = FailureClass::kNone;
  results[3].answer.refused = true;
  const std::vector<Cause> causes = Told(results);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "accepts 3 of 4 invalid operators: A4 2, A2 1");
  EXPECT_THAT(causes[0].details, SizeIs(2));
  EXPECT_THAT(causes[0].details[1], HasSubstr("A2 (Strides are positive): "));
}

TEST(Causes, CountDeathsOnInvalidOperatorsByClauseWhateverTheWords) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 4; ++i) {
    results.push_back(
        FailureOf(i, kPlainLine, i < 2 ? FailureClass::kCrash : FailureClass::kError, i == 2 ? "a" : "b"));
    results.back().judged.output_dims.clear();
    results.back().judged.clauses = {i % 2 == 0 ? "A2" : "A4"};
  }
  const std::vector<Cause> causes = Told(results);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "its process dies on 2 of 4 invalid operators: A2 1, A4 1");
  EXPECT_EQ(causes[1].title, "reports errors for, instead of refusing, 2 of 4 invalid operators: A2 1, A4 1");
}

TEST(Causes, NameTheDeclarationThatExcusesFailures) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 3; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kStructuralNan, "output [0,0,0]: ..."));
  }
  Diagnosis diagnosis;
  diagnosis.excuses = {{"zeros that multiply", {"known_deviations = structural-nan"}, {0, 1}}};
  const std::vector<Cause> causes = Told(results, diagnosis);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title,
            "structural nan: fits zeros that multiply; if the backend is meant to compute so, declare "
            "known_deviations = structural-nan");
  EXPECT_EQ(causes[0].presumed, 1U) << "a failure that was not tried has the same signature";
}

// A run has many more failures than the diagnosis runs again. The verdict of each failure names the declaration that
// would excuse it.
TEST(Causes, AddFailuresThatNameTheSameDeclaration) {
  std::vector<CaseResult> results;
  const auto add = [&](const std::string& type, std::optional<ExcusingWord> excusing = {}) {
    results.push_back(FailureOf(results.size(), std::string(kPlainLine) + ":type=" + type, FailureClass::kWrongValue,
                                "output [0,0,0]: ..."));
    results.back().verdict.facts.excusing_word = std::move(excusing);
  };
  add("i8", ExcusingWord{"sums that saturate", "saturating_types = i8"});
  add("u8", ExcusingWord{"sums that saturate", "saturating_types = u8"});
  add("f64");
  add("f64");
  add("f64", ExcusingWord{"sums in f32", "types_in_f32 = f64"});
  add("i8");
  Diagnosis diagnosis;
  diagnosis.excuses = {{"sums that saturate", {"saturating_types = i8"}, {0}}};
  diagnosis.unexplained = {2, 3};
  const std::vector<Cause> causes = Told(results, diagnosis);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_THAT(causes[0].failures, ElementsAre(2, 3, 4, 5)) << "the verdict on the last case names no declaration";
  EXPECT_THAT(causes[1].failures, ElementsAre(0, 1));
  EXPECT_EQ(causes[1].presumed, 0U);
  EXPECT_THAT(causes[1].title, testing::EndsWith("declare saturating_types = i8; saturating_types = u8"));
}

// Five declarations would be five causes, and hide defects that no declaration excuses.
TEST(Causes, JoinAllThatDeclarationsExcuse) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 3; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kWrongValue, "output [0,0,0]: ..."));
  }
  Diagnosis diagnosis;
  diagnosis.excuses = {{"sums that saturate", {"saturating_types = i8"}, {0, 2}},
                       {"sums in f32", {"types_in_f32 = f64"}, {1}}};
  std::vector<CauseGroup> groups = GroupByCause(results, diagnosis);
  ASSERT_THAT(groups, SizeIs(2));
  groups[1].presumed = 1;
  MergeExcuses(results, groups);
  ASSERT_THAT(groups, SizeIs(1));
  const Cause cause = CausesOf(results, groups)[0];
  EXPECT_EQ(cause.title,
            "wrong value: fits arithmetic that is not declared; if the backend is meant to compute so, declare "
            "saturating_types = i8; types_in_f32 = f64");
  EXPECT_THAT(cause.failures, ElementsAre(0, 1, 2));
  EXPECT_EQ(cause.presumed, 1U);
  EXPECT_THAT(cause.details, testing::IsSupersetOf({HasSubstr("sums that saturate: 2 failures, such as Convolution"),
                                                    HasSubstr("sums in f32: 1 failure, such as Convolution")}));
}

// A wrong index shows with any values. Rounding does not change small integers.
TEST(Causes, OfSmallIntegersComeFirst) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string values = i < 2 ? "" : ":values=reals";
    results.push_back(FailureOf(i, kPlainLine + values, FailureClass::kWrongValue, "output [0,0,0]: ..."));
  }
  Diagnosis diagnosis;
  diagnosis.excuses = {{"flushed subnormals", {"subnormals = flushed for f32"}, {3, 4, 5}}};
  diagnosis.explanations = {ExplainedBy("filter_flipped", {0}), ExplainedBy("bf16_truncated", {1, 2})};
  results[1].judged.Set(TestCaseOf(std::string(kPlainLine) + ":values=wide").test_case);
  std::vector<std::size_t> sizes;
  for (const Cause& cause : Told(results, diagnosis)) sizes.push_back(cause.failures.size());
  EXPECT_THAT(sizes, ElementsAre(1, 2, 3));
}

TEST(MostFit, CountsTheWholeRun) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 9; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kWrongValue, "output [0,0,0]: ..."));
    if (i < 5) results.back().verdict.facts.excusing_word = {"sums in f32", "types_in_f32 = f32"};
  }
  const auto fit = [&] { return MostFit(results, "sums in f32", SignatureOf(results[0]), oracle::ElementType::kF32); };
  EXPECT_TRUE(fit()) << "five of nine";
  results.push_back(results.back());
  EXPECT_FALSE(fit()) << "five of ten";
  results.erase(results.begin(), results.begin() + 1);
  results.resize(4);
  EXPECT_FALSE(fit()) << "four may fit by chance";
}

TEST(Causes, ManyGroupsWithOneConditionAreOne) {
  std::vector<CaseResult> results;
  std::vector<CauseGroup> groups(4);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kWrongValue, "wrong"));
    groups[i].failures = {i};
    groups[i].condition =
        CauseCondition{.text = i == 3 ? "stride >= 3" : "kernel >= 4", .wrong_outputs = {}, .tested = {}};
  }
  MergeEqualConditions(results, groups);
  EXPECT_THAT(groups[0].failures, testing::ElementsAre(0, 1, 2));
  EXPECT_EQ(groups[0].joined, 2U);
  EXPECT_THAT(groups[1].failures, testing::IsEmpty());
  EXPECT_THAT(groups[2].failures, testing::IsEmpty());
  EXPECT_THAT(groups[3].failures, testing::ElementsAre(3));
}

TEST(Causes, TheSmallestCaseHasSmallNumbers) {
  const auto failure = [](std::size_t place, const char* line) {
    return FailureOf(place, line, FailureClass::kError, "no");
  };
  const std::vector<CaseResult> results = {
      failure(0, "ConvTranspose:data=0,2,34359738368,34359738368:filter=2,1,1,1"),
      failure(1, "ConvTranspose:data=1,1,1:filter=1,1,1:dilations=402653185"),
      failure(2, "ConvTranspose:data=0,2,3,3:filter=2,1,1,1"),
  };
  EXPECT_EQ(Told(results).at(0).smallest, 2U);
  std::vector<CaseResult> open = results;  // a required case goes before an open one
  open[2].verdict.facts.open = true;
  EXPECT_EQ(Told(open).at(0).smallest, 1U);
}

TEST(Causes, TellTheCommonClassesAndTheirTests) {
  const std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kWrongValue, "wrong")};
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  groups[0].not_looked = "too few cases to learn a condition from";
  groups[0].common = {.text = "rank=4", .tested = {.inside = 4, .inside_failed = 4, .outside = 4}};
  const Cause cause = CausesOf(results, groups)[0];
  EXPECT_EQ(cause.title, "wrong value; all have rank=4 in common");
  EXPECT_THAT(cause.details, ElementsAre("tested on 8 new cases: 4 of 4 fail, 0 of 4 others"));
}

TEST(Causes, PresumeWhatFailsAlike) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 4; ++i) {
    results.push_back(
        FailureOf(i, kPlainLine, i == 3 ? FailureClass::kWrongShape : FailureClass::kWrongValue, "wrong"));
  }
  Diagnosis diagnosis;
  diagnosis.explanations.push_back(ExplainedBy("filter_flipped", {0}));
  diagnosis.unexplained = {1};
  // Most tried failures of a signature must have the cause: one of two is not most.
  std::vector<Cause> causes = Told(results, diagnosis);
  ASSERT_THAT(causes, SizeIs(3));
  diagnosis.unexplained.clear();
  causes = Told(results, diagnosis);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_THAT(causes[0].failures, ElementsAre(0, 1, 2));
  EXPECT_EQ(causes[0].presumed, 2U);
  results[2].judged.Set(TestCaseOf("ConvolutionBackpropData:data=1,1,0:filter=1,1,3:strides=2").test_case);
  EXPECT_THAT(Told(results, diagnosis)[0].failures, ElementsAre(0, 1)) << "without data nothing is presumed";
  EXPECT_THAT(causes[0].title, HasSubstr("runs through the filter backwards"));
  EXPECT_THAT(causes[1].failures, ElementsAre(3));
}

TEST(Causes, SayWhichRelatedOperatorOfALawFailed) {
  const std::string related = "ConvolutionBackpropData:data=1,1,2:filter=1,1,3:strides=2:dilations=1";
  std::vector<CaseResult> results = {
      FailureOf(0, std::string(kPlainLine) + ":law=crop", FailureClass::kBrokenLaw, "law crop: output [0,0,0]: ...")};
  results[0].verdict.facts.related = std::make_shared<const Case>(TestCaseOf(related).test_case);
  const std::vector<Cause> causes = Told(results);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, HasSubstr("law crop is broken"));
  EXPECT_THAT(causes[0].details, Contains(HasSubstr(related)));
  EXPECT_THAT(causes[0].title, Not(HasSubstr("chance")));
}

// Two outputs that break a law do not tell which of their operators is wrong.
TEST(Causes, OfABrokenLawDoNotSayThatItsOperatorIsRight) {
  std::vector<CaseResult> results = {
      FailureOf(0, std::string(kPlainLine) + ":law=crop", FailureClass::kBrokenLaw, "law crop: output [0,0,0]: ...")};
  results[0].verdict.facts.related = std::make_shared<const Case>(TestCaseOf(kPlainLine).test_case);
  EXPECT_THAT(Told(results).at(0).details, Contains(HasSubstr("the operator or its related operator is wrong")));
  results[0].verdict.failure = FailureClass::kWrongRefusal;
  EXPECT_THAT(Told(results).at(0).details, Contains(HasSubstr("the operator alone is right")));
}

TEST(Causes, OfABrokenLawWithoutAReasonComeAfterThoseWithOne) {
  std::vector<CaseResult> results = {
      FailureOf(0, std::string(kPlainLine) + ":law=crop", FailureClass::kBrokenLaw, "law crop: output [0,0,0]: ..."),
      FailureOf(1, std::string(kPlainLine) + ":values=reals", FailureClass::kWrongValue, "output [0,0,0]: ...")};
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].smallest, 1U);
  groups[1].condition = CauseCondition{.text = "batch >= 2", .wrong_outputs = {}, .tested = {}};
  SortWorstFirst(results, groups);
  EXPECT_EQ(groups[0].smallest, 0U) << "the condition of a broken law says when something is wrong";
}

// The first run of these operators was right, so that the operator is not the reason.
TEST(Causes, NameTheRunInWhichAllFailuresAre) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 4; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kWrongValue, "wrong"));
    results.back().verdict.facts.only_in = "the second run";
  }
  EXPECT_EQ(Told(results).at(0).title, "wrong value, only in the second run");
  Diagnosis diagnosis;
  diagnosis.explanations = {ExplainedBy("filter_flipped", {0, 1, 2, 3})};
  EXPECT_THAT(Told(results, diagnosis).at(0).title, HasSubstr("the backend answers like one that")) << "it says more";
  results[3].verdict.facts.only_in.clear();
  EXPECT_EQ(Told(results).at(0).title, "wrong value");
}

TEST(Causes, TellTheConditionAndItsTests) {
  const std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kWrongValue, "wrong")};
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  groups[0].condition = {.text = "batch >= 2",
                         .wrong_outputs = "wrong outputs: those where sample >= 2 (numbers start at 0)",
                         .tested = {.inside = 20, .inside_failed = 20, .outside = 24, .outside_failed = 1}};
  const std::vector<Cause> causes = CausesOf(results, groups);
  EXPECT_EQ(causes[0].title, "wrong value where batch >= 2");
  EXPECT_EQ(causes[0].condition, "batch >= 2");
  EXPECT_THAT(causes[0].details, Contains("tested on 44 new cases: 20 of 20 fail, 1 of 24 others"));
}

TEST(Causes, NameTheWordOfALimit) {
  const std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kError, "no")};
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  groups[0].limit = "negative-pads";
  EXPECT_EQ(CausesOf(results, groups)[0].title,
            "reports errors for valid operators with a negative pad: declare unsupported \"negative-pads\"");
}

// Small integers make sums of 30 bits. A backend that adds them in f32 fails such new cases by another defect.
TEST(KnownCases, TellNewCasesOfOtherArithmetic) {
  std::vector<CaseResult> results(20, FailureOf(0, kPlainLine, FailureClass::kWrongValue, "wrong"));
  std::vector<std::size_t> all(results.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  CaseResult new_case = results[0];
  EXPECT_FALSE(HasOtherArithmetic(new_case, results, all)) << "no declaration excuses it";
  new_case.verdict.facts.excusing_word = ExcusingWord{"sums in f32", "types_in_f32 = f64"};
  EXPECT_TRUE(HasOtherArithmetic(new_case, results, all));
  results[3] = results[7] = new_case;
  EXPECT_FALSE(HasOtherArithmetic(new_case, results, all)) << "one of ten failures has it";
}

// A backend may name the code that ran. Passing cases ran other code, too.
TEST(Causes, NameTheImplementationOfAllFailures) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 6; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kWrongValue, "wrong"));
    results.back().answer.implementation = i < 4 ? "brgconv" : "gemm";
    if (i < 3) continue;
    results.back().verdict.status = Status::kPass;
    results.back().verdict.failure = FailureClass::kNone;
  }
  EXPECT_THAT(Told(results)[0].details, Contains("implementation brgconv ran all of them, and 1 of the 3 right cases"));
  results[4].answer.implementation = results[5].answer.implementation = "brgconv";
  EXPECT_THAT(Told(results)[0].details, testing::IsEmpty()) << "it has no other implementation";
  results[5].answer.implementation = results[1].answer.implementation = "gemm";
  EXPECT_THAT(Told(results)[0].details, testing::IsEmpty()) << "two of them failed";
}

TEST(Causes, TellOperatorsThatPassIfNothingElseIsKnown) {
  const std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kCrash, "died")};
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  groups[0].nearest = "it passes with strides=1";
  EXPECT_THAT(CausesOf(results, groups)[0].details, Contains("it passes with strides=1"));
}

}  // namespace
}  // namespace conformance
