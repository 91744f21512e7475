// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how failures are grouped into causes, and what the causes say, on results that no backend gave.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/group_by_cause.h"
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
  result.place = place;
  result.suite = "test";
  result.name = std::to_string(place);
  result.SetCase(TestCaseOf(line).test_case);
  result.status = Status::kFail;
  result.failure = failure;
  result.message = message;
  result.dialect = "openvino-spec";
  result.output_dims = {1, 1, 1};
  return result;
}

constexpr const char* kPlainLine = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1";

TEST(Causes, GroupWhatIsDeclinedByTheBackendsWords) {
  std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kCannotDo, "rank 5 is not supported"),
                                     FailureOf(1, kPlainLine, FailureClass::kWrongRefusal,
                                               "the backend refused a valid operator: rank 6 is not supported"),
                                     FailureOf(2, kPlainLine, FailureClass::kCannotDo, "no groups")};
  results[1].facts.said = "rank 6 is not supported";
  Diagnosis diagnosis;
  const std::vector<Cause> causes = CausesOf(results, diagnosis).causes;
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_THAT(causes[0].failures, ElementsAre(0, 1));
  EXPECT_THAT(causes[0].title, HasSubstr("declines valid operators: rank # is not supported"));
  EXPECT_THAT(causes[1].failures, ElementsAre(2));
  // Also where one hypothesis explains all of them.
  Explanation& explanation = diagnosis.explanations.emplace_back();
  explanation.hypotheses = {faults::FindFault("refuses_everything")};
  explanation.failures = {0, 1, 2};
  const std::vector<Cause> explained = CausesOf(results, diagnosis).causes;
  ASSERT_THAT(explained, SizeIs(2));
  EXPECT_THAT(explained[0].title, HasSubstr("rank # is not supported"));
  EXPECT_THAT(explained[0].details.front(), HasSubstr("refuses_everything"));
}

TEST(Causes, QuoteTheMessageThatAllFailuresShare) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 3; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kError,
                                "the function returned -7; the operator is open by S8 (a batch of 0)"));
  }
  const std::vector<Cause> shared = CausesOf(results, Diagnosis()).causes;
  ASSERT_THAT(shared, SizeIs(1));
  EXPECT_THAT(shared[0].title, testing::StartsWith("the backend reports an error: the function returned -7;"));
  results[1].message = "the function returned -8";
  const std::vector<Cause> different = CausesOf(results, Diagnosis()).causes;
  ASSERT_THAT(different, SizeIs(1));
  EXPECT_THAT(different[0].title, HasSubstr("the function returned -#"));
  EXPECT_THAT(different[0].details, Contains(HasSubstr("for example: the function returned -")));
}

TEST(Causes, OfAnErrorPointToNoClassOfWrongAnswers) {
  const std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kError, "KeyError"),
                                           FailureOf(1, kPlainLine, FailureClass::kError, "KeyError")};
  Diagnosis diagnosis;
  diagnosis.unexplained = {0, 1};
  diagnosis.unexplained_class = "P2";
  EXPECT_THAT(CausesOf(results, diagnosis).causes[0].details, testing::IsEmpty());
  Explanation& similar = diagnosis.explanations.emplace_back();
  similar.hypotheses = {faults::FindFault("filter_flipped")};
  similar.failures = {0, 1};
  similar.reproduces = false;
  diagnosis.unexplained.clear();
  const std::vector<Cause> causes = CausesOf(results, diagnosis).causes;
  EXPECT_EQ(causes[0].title, "the backend reports an error: KeyError");
  EXPECT_THAT(causes[0].details, testing::IsEmpty());
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
  EXPECT_EQ(CausesOf(results, Diagnosis()).causes.at(0).smallest, 2U);
  std::vector<CaseResult> open = results;  // a required case goes before an open one
  open[2].facts.open = true;
  EXPECT_EQ(CausesOf(open, Diagnosis()).causes.at(0).smallest, 1U);
}

// Classes that half of the passing cases have too say nothing: here all but the dilations.
TEST(Causes, NameTheClassesThatOnlyFailuresHave) {
  std::vector<CaseResult> results;
  for (const char* line : {"ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=2",
                           "ConvolutionBackpropData:data=1,1,4:filter=1,1,3:strides=2:dilations=3", kPlainLine}) {
    results.push_back(FailureOf(results.size(), line, FailureClass::kWrongValue, "wrong"));
  }
  results.back().status = Status::kPass;
  results.back().failure = FailureClass::kNone;
  EXPECT_THAT(CausesOf(results, Diagnosis()).causes.front().title, HasSubstr("; all have dilations=equal"));
  // Without dilations in one of them, nothing is left.
  results[1].SetCase(TestCaseOf(kPlainLine).test_case);
  EXPECT_THAT(CausesOf(results, Diagnosis()).causes.front().title, Not(HasSubstr("in common")));
}

TEST(Causes, SayThatEveryCaseFails) {
  const std::vector<CaseResult> results = {FailureOf(0, kPlainLine, FailureClass::kError, "KeyError")};
  RunConditions conditions;
  conditions.conditions.emplace_back().alternatives.emplace_back();  // always true
  EXPECT_EQ(CausesOf(results, Diagnosis(), conditions).causes.at(0).title,
            "the backend reports an error: KeyError; every case that the dialect computes fails");
}

TEST(Causes, PresumeNothingAcrossClauses) {
  std::vector<CaseResult> results;
  for (std::size_t i = 0; i < 3; ++i) {
    results.push_back(FailureOf(i, kPlainLine, FailureClass::kAcceptedInvalid, "accepted"));
    results.back().output_dims.clear();
    results.back().clauses = {i == 2 ? "A2" : "A4"};
  }
  Diagnosis diagnosis;
  Explanation& explanation = diagnosis.explanations.emplace_back();
  explanation.hypotheses = {faults::FindFault("accepts_negative_pads")};
  explanation.failures = {0};
  const std::vector<Cause> causes = CausesOf(results, diagnosis).causes;
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_THAT(causes[0].failures, ElementsAre(0, 1));
  EXPECT_EQ(causes[0].presumed, 1U);
  EXPECT_THAT(causes[1].failures, ElementsAre(2));
  EXPECT_THAT(causes[1].title, HasSubstr("A2"));
}

TEST(Causes, SayWhichRelatedOperatorOfALawFailed) {
  const std::string related = "ConvolutionBackpropData:data=1,1,2:filter=1,1,3:strides=2:dilations=1";
  std::vector<CaseResult> results = {
      FailureOf(0, std::string(kPlainLine) + ":law=crop", FailureClass::kBrokenLaw, "law crop: output [0,0,0]: ...")};
  results[0].facts.related = std::make_shared<const Case>(TestCaseOf(related).test_case);
  const std::vector<Cause> causes = CausesOf(results, Diagnosis{}).causes;
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, HasSubstr("law crop is broken"));
  EXPECT_THAT(causes[0].title, HasSubstr(related));
  EXPECT_THAT(causes[0].title, Not(HasSubstr("chance")));
}

TEST(Causes, CountTheCasesThatWereChecked) {
  std::vector<CaseResult> results;
  const auto add = [&](int batch, bool fails) {
    results.push_back(FailureOf(results.size(),
                                "ConvolutionBackpropData:data=" + std::to_string(batch) +
                                    ",1,1:filter=1,1,1:strides=1:dilations=1:seed=" + std::to_string(results.size()),
                                FailureClass::kWrongValue, "wrong"));
    if (fails) return;
    results.back().status = Status::kPass;
    results.back().failure = FailureClass::kNone;
    results.back().outputs = 1;
  };
  for (int i = 0; i < 2500; ++i) add(2, true);
  for (int i = 0; i < 3500; ++i) add(1, false);
  const auto batch =
      static_cast<std::size_t>(std::ranges::find(Features().whole, "batch", &Feature::name) - Features().whole.begin());
  RunConditions conditions;
  Condition& condition = conditions.conditions.emplace_back();
  condition.alternatives = {{.conjunction = {.terms = {{.feature = batch, .relation = Relation::kAtLeast, .value = 2}}},
                             .confirmed = 300,
                             .refuted = 1}};
  condition.asked = 1200;
  condition.agreed = 598;
  condition.checked = 600;
  condition.end = SearchEnd::kSettled;
  const auto cause_of = [&] { return CausesOf(results, Diagnosis(), conditions).causes.at(0); };
  EXPECT_EQ(
      cause_of().title,
      "fails where batch >= 2 (2,000 of the 2,000 failures and none of the 3,000 passing cases that were checked)");
  EXPECT_EQ(cause_of().details.back(),
            "1,200 new cases were run to find the condition; after it was found, 300 failed and 1 passed where it is "
            "true; 598 of the last 600 new cases agreed with it");
  condition.end = SearchEnd::kTimeUp;
  EXPECT_THAT(cause_of().details.back(), testing::EndsWith("the time limit ended the search, so it may not be exact"));
  condition.end = SearchEnd::kNoNewCases;
  EXPECT_THAT(cause_of().details.back(),
              testing::EndsWith("no further new case could be made, so it may not be exact"));
}

}  // namespace
}  // namespace conformance
