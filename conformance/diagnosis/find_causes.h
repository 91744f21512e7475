// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the causes of a run's failures, and states them as sentences, the worst cause first.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_FIND_CAUSES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_FIND_CAUSES_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/run/failure_causes.h"
#include "conformance/verdict/judge/limits.h"

namespace conformance {

struct CauseOptions {
  std::string backend;
  JudgeLimits limits;
  double seconds = 40;           ///< about so much time of the backend, at the speed that it had in the run
  bool finds_conditions = true;  ///< false: only planted faults are tried as explanations
  /// Whether wrong outputs are compared with faults that remember earlier calls. Each such fault needs a process, and
  /// all of them take a third of the time.
  bool tries_state = true;
  /// The declaration by which recorded outputs are judged; absent for a backend that runs. Recorded outputs cannot
  /// answer new cases. So only planted faults are tried, and a fault must give the output of each failure of its
  /// signature.
  std::optional<Capabilities> recorded = {};
};

/// The causes of all unexpected failures. If the backend cannot be restarted, `not_looked_for` of the result says so.
/// An interrupt ends the search, and the result holds what was found until then.
FailureCauses FindCauses(std::span<const CaseResult> results, const CauseOptions& options);

/// Writes the groups as sentences.
std::vector<Cause> CausesOf(std::span<const CaseResult> results, const std::vector<CauseGroup>& groups);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_FIND_CAUSES_H_
