// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the causes of a run's failures, and the details of one failure.

#include "conformance/cli/causes.h"

#include <algorithm>
#include <chrono>
#include <variant>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/diagnosis/conditions_of_run.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/taps.h"
#include "conformance/report/console.h"
#include "conformance/verdict/picture.h"

namespace conformance {

void FindCauses(RunRecord& record, const JudgeLimits& limits, double seconds) {
  const Tally tally = TallyOf(record);
  if (seconds <= 0 || tally.failed == tally.suite_errors + tally.expected) return;
  // Conditions get what the hypotheses leave, and a part of the time in any case.
  constexpr double kShareOfHypotheses = 0.6;
  const auto start = std::chrono::steady_clock::now();
  Diagnoser diagnoser(
      record.results,
      {.backend = record.backend, .limits = limits, .sample = {}, .seconds = kShareOfHypotheses * seconds});
  if (const auto error = diagnoser.Observe()) {
    record.causes.emplace().not_looked_for = fmt::format("the backend could not be restarted: {}", error->message);
  } else {
    const Diagnosis diagnosis = diagnoser.Explain();
    const double left = std::min(seconds - SecondsSince(start), kMostSecondsOfConditions);
    record.causes = CausesOf(record.results, diagnosis, diagnoser.FindConditions(left));
    record.causes->seconds = SecondsSince(start);
    if (limits.interrupt != nullptr && *limits.interrupt != 0) {
      record.causes.emplace().not_looked_for = "the run was interrupted";
    }
  }
  fmt::print("{}", CausesText(record));
}

std::string DetailsOf(const CaseResult& result, bool colours) {
  if (result.status != Status::kFail || !result.first_wrong) return {};
  std::string text;
  const auto dialect = oracle::ParseDialect(result.dialect);
  const Case* test_case = result.test_case.get();
  if (test_case != nullptr && dialect && !test_case->law && !test_case->sweep) {
    const auto taps = TapsText(*test_case, *dialect, result.first_wrong->coordinate);
    if (const auto* lines = std::get_if<std::string>(&taps)) text += *lines;
  }
  if (result.wrong_grid) text += PictureText(*result.wrong_grid, result.output_dims, colours);
  return text;
}

}  // namespace conformance
