// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns results of a run into labelled cases from which a condition can be learned.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_

#include <optional>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Whether the backend fails the case. Absent for a case that was not judged or proves nothing, and for a
/// failure that is not the backend's.
std::optional<bool> HasFailed(const CaseResult& result);

/// The cases of a run from which conditions can be learned: no laws, no sweeps.
std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results);

/// The limits for a judge that runs new cases of a search. The time limit is 1 s or 20 times `seconds_of_case`,
/// whichever is more, but not above the usual limit. So a backend that hangs does not use up the time of the search.
/// `seconds_of_case` is the time of a case of the run.
JudgeLimits LimitsOfQuestions(JudgeLimits limits, double seconds_of_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_
