// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns results into cases to learn from, and lets the judge answer the questions of the search.

#include "conformance/diagnosis/conditions_of_run.h"

#include <utility>

#include "conformance/diagnosis/sample.h"

namespace conformance {

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
    if (!fails || !dialect || !result.expected.empty() || result.line.starts_with(kSweepWord)) continue;
    auto parsed = ParseCaseLine(result.line);
    auto* test_case = std::get_if<Case>(&parsed);
    if (test_case == nullptr || test_case->law || test_case->sweep || test_case->repeats) continue;
    known.push_back({.test_case = std::move(*test_case), .dialect = *dialect, .fails = *fails});
  }
  return known;
}

std::vector<Condition> ConditionsOfRun(std::span<const KnownCase> known, Judge& judge,
                                       const std::function<bool()>& late) {
  std::vector<Condition> conditions;
  const ConditionSearch search{.declared = judge.capabilities(),
                               .ask = [&](const Case& test_case) -> std::optional<bool> {
                                 SuiteCase suite_case;
                                 suite_case.test_case = test_case;
                                 return FailsOf(judge.JudgeCase(suite_case));
                               },
                               .late = late};
  for (const bool invalid : {false, true}) {
    if (auto condition = FindCondition(known, invalid, search)) conditions.push_back(*std::move(condition));
  }
  return conditions;
}

}  // namespace conformance
