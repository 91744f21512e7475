// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the conditions under which the cases of a run fail, and asks the backend about new cases for that.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_OF_RUN_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_OF_RUN_H_

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// What a verdict says of a case: whether it fails. Nothing for a case that was not judged or proves nothing, and for a
/// failure that is not the backend's.
std::optional<bool> FailsOf(const CaseResult& result);

/// The cases of a run from which conditions can be learned: no laws, no sweeps.
std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results);

/// For a judge that answers the questions of a search: a backend that hangs must not use up its time.
JudgeLimits LimitsOfQuestions(JudgeLimits limits);

/// A search for the conditions of a run lasts no longer.
inline constexpr double kMostSecondsOfConditions = 30;

struct RunQuestions {
  const Capabilities& declared;
  std::function<std::optional<bool>(const Case&)> ask;  ///< whether the backend fails
  double seconds = 0;                                   ///< time limit
  const std::atomic<int>* interrupt = nullptr;          ///< a value other than 0 ends the search
};

/// The conditions of a run: of operators that are computed, and of operators that are refused. At most two, the one of
/// more failures first.
std::vector<Condition> ConditionsOfRun(std::span<const KnownCase> known, const RunQuestions& questions);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_OF_RUN_H_
