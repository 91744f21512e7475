// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns results into cases to learn from, and lets the judge answer the questions of the search.

#include "conformance/diagnosis/conditions_of_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "conformance/case/text/elapsed.h"

namespace conformance {
namespace {

// The base of the time limit of a run: a small case takes microseconds.
constexpr double kSecondsOfQuestion = 1;

}  // namespace

std::optional<bool> FailsOf(const CaseResult& result) {
  if (result.status == Status::kFail) {
    if (result.failure == FailureClass::kSuiteError || result.failure == FailureClass::kWrongDeclaredOutput ||
        result.failure == FailureClass::kBrokenLaw) {
      return std::nullopt;
    }
    return true;
  }
  if (result.status != Status::kPass && result.status != Status::kLoose) return std::nullopt;
  // The backend refused an open operator.
  if (!result.refused && result.outputs == 0) return std::nullopt;
  return false;
}

std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results) {
  std::vector<KnownCase> known;
  for (const CaseResult& result : results) {
    const auto fails = FailsOf(result);
    const auto dialect = oracle::ParseDialect(result.dialect);
    // The reason of an expected failure is known.
    if (!fails || !dialect || !result.expected.empty() || result.test_case == nullptr) continue;
    const Case& test_case = *result.test_case;
    if (test_case.law || test_case.sweep || test_case.repeats) continue;
    known.push_back({.test_case = test_case, .dialect = *dialect, .fails = *fails});
  }
  return known;
}

JudgeLimits LimitsOfQuestions(JudgeLimits limits) {
  limits.base_seconds = std::min(limits.base_seconds, kSecondsOfQuestion);
  limits.finds_dialects = false;
  return limits;
}

std::vector<Condition> ConditionsOfRun(std::span<const KnownCase> known, const RunQuestions& questions) {
  std::array<std::size_t, 2> failures{};
  for (const KnownCase& one : known) {
    if (!one.fails) continue;
    const bool valid = oracle::Resolve(one.test_case.op, one.dialect, oracle::StepTexts::kLeftOut).ok();
    ++failures[valid ? 0 : 1];
  }
  std::vector<Condition> conditions;
  const auto start = std::chrono::steady_clock::now();
  const auto interrupted = [&] { return questions.interrupt != nullptr && *questions.interrupt != 0; };
  for (const bool first : {true, false}) {
    const bool invalid = (failures[1] > failures[0]) == first;
    // A few failures beside many show no condition.
    if (!first && failures[invalid ? 1 : 0] * 20 < failures[0] + failures[1]) break;
    // The smaller part may use what the larger part leaves, but no more than a third.
    const double seconds = questions.seconds;
    const double until = first ? (failures[0] == 0 || failures[1] == 0 ? 1 : 2.0 / 3) * seconds
                               : std::min(seconds, SecondsSince(start) + seconds / 3);
    const ConditionSearch search{.declared = questions.declared, .ask = questions.ask, .late = [&] {
                                   return interrupted() || SecondsSince(start) > until;
                                 }};
    if (auto condition = FindCondition(known, invalid, search)) conditions.push_back(*std::move(condition));
  }
  return conditions;
}

}  // namespace conformance
