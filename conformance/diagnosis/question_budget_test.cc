// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how many questions a diagnosis asks, and what it does with failures that its sample leaves out.

#include "conformance/diagnosis/question_budget.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/sample.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

TEST(QuestionBudget, FollowsTheSpeedOfTheRun) {
  std::vector<CaseResult> results;
  for (int i = 0; i < 5; ++i) {
    CaseResult& result = results.emplace_back();
    result.verdict.status = Status::kPass;
    result.seconds.total = 0.1;
  }
  results[0].verdict.failure = FailureClass::kHang;
  results[0].seconds.total = 10;
  EXPECT_EQ(QuestionsIn(60, results), 512U);
  EXPECT_EQ(QuestionsIn(66, results), 512U) << "a little more time makes no difference";
  EXPECT_EQ(QuestionsIn(18, results), 512U) << "512 questions may take three times as long";
  EXPECT_EQ(QuestionsIn(5, results), 128U);
  EXPECT_EQ(QuestionsIn(0.1, results), 64U) << "fewer would show nothing";
  EXPECT_EQ(DefaultSeconds(5), 40);
  EXPECT_EQ(DefaultSeconds(1000), 100) << "a tenth of the run";
  for (CaseResult& result : results) result.seconds.total = 1e-4;
  EXPECT_EQ(QuestionsIn(30, results), QuestionBudget::kMost);
  QuestionBudget budget{.questions = 2};
  EXPECT_TRUE(budget.Ask());
  EXPECT_TRUE(budget.Ask());
  EXPECT_FALSE(budget.cut);
  EXPECT_FALSE(budget.Ask());
  EXPECT_TRUE(budget.cut);
}

TEST(QuestionBudget, AllowsMoreTimeForTheLastQuestions) {
  QuestionBudget budget{.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1),
                        .spare_time = std::chrono::hours(1)};
  EXPECT_FALSE(budget.Ask());
  budget.cut = false;
  budget.AllowSpareTime();
  EXPECT_TRUE(budget.Ask());
  EXPECT_TRUE(budget.cut) << "the search before was cut short";
  const auto far = budget.deadline;
  budget.spare_time = std::chrono::seconds(1);
  budget.AllowSpareTime();
  EXPECT_EQ(budget.deadline, far) << "a later deadline stays";
}

TEST(Scaled, LeavesMostQuestionsForTheSearch) {
  const SampleLimits few = Scaled({}, 64);
  EXPECT_EQ(few.failures, 12U);
  EXPECT_EQ(few.computed, 8U);
  EXPECT_EQ(Scaled({}, 4096).failures, SampleLimits().failures);
}

// A fault that is confirmed is tried on the other failures, too.
TEST(Diagnoser, TriesFailuresThatTheSampleLeavesOut) {
  const std::string backend = "fault:filter_flipped";
  const std::vector<CaseResult> results = ResultsOf(backend);
  const auto failures = static_cast<std::size_t>(
      std::ranges::count_if(results, [](const CaseResult& result) { return result.verdict.status == Status::kFail; }));
  ASSERT_GT(failures, 4U);
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {.failures = 4}, .budget = {}});
  ASSERT_FALSE(diagnoser.Observe());
  const Diagnosis diagnosis = diagnoser.Explain({});
  ASSERT_THAT(diagnosis.explanations, testing::SizeIs(1));
  EXPECT_EQ(diagnosis.explanations.front().failures.size(), failures);
}

}  // namespace
}  // namespace conformance
