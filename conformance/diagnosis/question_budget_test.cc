// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how many questions a diagnosis may ask the backend.

#include "conformance/diagnosis/question_budget.h"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

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
  QuestionBudget budget{.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1)};
  EXPECT_FALSE(budget.Ask());
  budget.cut = false;
  budget.AllowMore(std::chrono::hours(1));
  EXPECT_TRUE(budget.Ask());
  EXPECT_TRUE(budget.cut) << "the search before was cut short";
  const auto far = budget.deadline;
  budget.AllowMore(std::chrono::seconds(1));
  EXPECT_EQ(budget.deadline, far) << "a later deadline stays";
}

}  // namespace
}  // namespace conformance
