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
std::optional<bool> FailsOf(const CaseResult& result);

/// The cases of a run from which conditions can be learned: no laws, no sweeps.
std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results);

/// For a judge that answers the questions of a search: a backend that hangs must not use up its time.
/// `seconds_of_case`: what a case of the run took; a slow backend gets 20 times as long.
JudgeLimits LimitsOfQuestions(JudgeLimits limits, double seconds_of_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_
