// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which results of a run become cases to learn from, and whether each counts as a failure.

#include "conformance/diagnosis/known_cases.h"

#include <algorithm>

namespace conformance {
namespace {

// The base of the time limit of a new case: a small case takes microseconds, so that a second is plenty.
constexpr double kSecondsOfQuestion = 1;

}  // namespace

std::optional<bool> HasFailed(const CaseResult& result) {
  if (result.verdict.status == Status::kFail) {
    if (result.verdict.failure == FailureClass::kSuiteError ||
        result.verdict.failure == FailureClass::kWrongDeclaredOutput ||
        result.verdict.failure == FailureClass::kBrokenLaw) {
      return std::nullopt;
    }
    return true;
  }
  if (result.verdict.status != Status::kPass && result.verdict.status != Status::kImprecise) return std::nullopt;
  // The backend did not compute an open operator, as it may. This tells nothing.
  if (!result.answer.refused && result.outputs.count == 0) return std::nullopt;
  return false;
}

std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results) {
  std::vector<KnownCase> known;
  for (const CaseResult& result : results) {
    const auto fails = HasFailed(result);
    const auto dialect = oracle::ParseDialect(result.judged.dialect);
    // Failures that the user expects have a known reason, so that nothing is learned from them.
    if (!fails || !dialect || result.verdict.IsKnownFailure() || result.judged.test_case == nullptr) continue;
    const Case& test_case = *result.judged.test_case;
    if (test_case.law || test_case.sweep || test_case.repeats) continue;
    known.push_back({.test_case = test_case, .dialect = *dialect, .fails = *fails});
  }
  return known;
}

JudgeLimits LimitsOfQuestions(JudgeLimits limits, double seconds_of_case) {
  limits.base_seconds = std::min(limits.base_seconds, std::max(kSecondsOfQuestion, 20 * seconds_of_case));
  limits.finds_dialects = false;
  return limits;
}

}  // namespace conformance
