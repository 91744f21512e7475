// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns seconds into a number of questions (cases that the backend is asked to run), at the speed that the backend had
// in its run.

#include "conformance/diagnosis/question_budget.h"

#include <algorithm>
#include <vector>

#include "conformance/diagnosis/failure_signature.h"

namespace conformance {

double DefaultSeconds(double seconds_of_run) {
  constexpr double kLeast = 40;
  constexpr double kPartOfRun = 0.1;  // a reader who waited for the run waits a little more for its causes
  return std::max(kLeast, kPartOfRun * seconds_of_run);
}

double SecondsOfCase(std::span<const CaseResult> results) {
  std::vector<double> times;
  for (const CaseResult& result : results) {
    const bool judged = IsRight(result.verdict.status) || result.verdict.status == Status::kFail;
    // Hangs and deaths do not show how fast the backend computes.
    if (judged && CauseKindOf(result.verdict.failure) != CauseKind::kDeath && !result.IsSweep()) {
      times.push_back(result.seconds.total);
    }
  }
  if (times.empty()) return 0;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

std::size_t QuestionsIn(double seconds, std::span<const CaseResult> results) {
  constexpr std::size_t kLeast = 64;
  constexpr std::size_t kUseful = 512;  // a few groups of failures need so many questions to find their conditions
  constexpr double kMostTimes = 3;      // so many times `seconds` these questions may take
  const double of_case = SecondsOfCase(results);
  std::size_t questions = kLeast;
  while (questions < QuestionBudget::kMost) {
    const double allowed = 2 * questions <= kUseful ? kMostTimes * seconds : seconds;
    if (static_cast<double>(2 * questions) * of_case > allowed) break;
    questions *= 2;
  }
  return questions;
}

}  // namespace conformance
