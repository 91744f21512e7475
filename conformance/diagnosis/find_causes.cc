// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the steps of a diagnosis: observe the backend again, explain failures by planted faults, group them by cause,
// and search a condition for each group.

#include "conformance/diagnosis/find_causes.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/group_by_cause.h"

namespace conformance {

FailureCauses FindCauses(std::span<const CaseResult> results, const CauseOptions& options) {
  // The deadline is this many times the requested seconds. The search for conditions takes time besides the backend's,
  // and the machine may be busy.
  constexpr double kTimesOfDeadline = 6;
  constexpr double kMostSpareSeconds = 40;
  FailureCauses causes;
  const auto start = std::chrono::steady_clock::now();
  const auto limit = std::chrono::duration<double>(kTimesOfDeadline * options.seconds);
  const auto spare = std::chrono::duration<double>(std::min(options.seconds, kMostSpareSeconds));
  Diagnoser diagnoser(
      results, {.backend = options.backend,
                .limits = options.limits,
                .sample = {},
                .budget = {.questions = QuestionsIn(options.seconds, results),
                           .deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit),
                           .spare_time = std::chrono::duration_cast<std::chrono::steady_clock::duration>(spare),
                           .interrupt = options.limits.interrupt},
                .recorded = options.recorded,
                .tries_state = options.tries_state});
  if (const auto error = diagnoser.Observe()) {
    causes.not_looked_for = fmt::format("the backend could not be restarted: {}", error->message);
    return causes;
  }
  const Diagnosis diagnosis = diagnoser.Explain();
  std::vector<CauseGroup> groups = GroupByCause(results, diagnosis);
  if (options.recorded) {
    for (CauseGroup& group : groups) group.not_looked = "recorded outputs answer no question about new cases";
  } else if (options.finds_conditions) {
    FindConditions(results, diagnoser, groups);
  }
  causes.causes = CausesOf(results, groups);
  causes.failures = diagnosis.failures;
  causes.tried = diagnosis.tried;
  causes.out_of_time = diagnoser.budget().cut || diagnoser.budget().late();
  causes.seconds = SecondsSince(start);
  return causes;
}

}  // namespace conformance
