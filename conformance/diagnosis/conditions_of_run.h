// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the conditions under which the cases of a run fail, and asks the backend about new cases for that.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_OF_RUN_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_OF_RUN_H_

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "conformance/conditions/find_condition.h"
#include "conformance/judge/judge.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// What a verdict says of a case: whether it fails. Nothing for a case that was not judged or proves nothing, and for a
/// failure that is not the backend's.
std::optional<bool> FailsOf(const CaseResult& result);

/// The cases of a run from which conditions can be learned: no laws, no sweeps.
std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results);

/// The conditions of a run: of operators that are computed, and of operators that are refused. At most two, the one of
/// more failures first. `ask` says whether the backend fails. `clock`: seconds; else the elapsed time counts.
std::vector<Condition> ConditionsOfRun(std::span<const KnownCase> known, const Capabilities& declared,
                                       const std::function<std::optional<bool>(const Case&)>& ask, double seconds,
                                       const std::function<double()>& clock = nullptr);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_OF_RUN_H_
