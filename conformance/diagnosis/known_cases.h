// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns results of a run into labelled cases from which a condition can be learned.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Whether the backend fails the case. nullopt for a case that was not judged, that proves nothing, or whose failure is
/// not the backend's fault.
std::optional<bool> HasFailed(const CaseResult& result);

/// Whether the process gave outputs or a refusal, right or wrong, instead of dying or hanging.
bool HasAnswered(const CaseResult& result);

/// The cases of a run from which conditions can be learned: no laws, no sweeps.
std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results);

/// The same for some cases of a run only, by their numbers in `results`.
std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& chosen);

/// Whether the case is small enough to be a new case.
bool IsSmallEnough(const KnownCase& known);

/// Whether an output of the operator has a product. Else no value of an output can be wrong, so that a pass says
/// little.
bool HasProduct(const CaseResult& result);

/// The features that the case asks of a backend (RequiredBits); 0 for an operator that its dialect refuses.
std::uint32_t AskedBy(const KnownCase& known);

/// The name of a feature that all failures need and no computed case needs, such as "negative-pads"; else empty.
std::string_view LimitOf(std::span<const KnownCase> failures, std::uint32_t asked_by_computed);

/// Whether a new case fails by arithmetic that could be declared, while a declaration would excuse hardly any of the
/// group's failures. Then it has another defect, and says nothing about the group.
bool HasOtherArithmetic(const CaseResult& new_case, std::span<const CaseResult> results,
                        const std::vector<std::size_t>& failures);

/// At most `most` small operators with the attributes of failing ones: few samples, groups, channels and data elements.
/// A repeated case is run once.
std::vector<Case> SmallCasesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures,
                               std::size_t most);

/// The cases of KnownCasesOf that pass and have outputs.
std::vector<KnownCase> PassesWithOutputsOf(std::span<const CaseResult> results);

/// The operators that the backend computed rightly, also where the output has no elements. No sweeps.
std::vector<KnownCase> ComputedCasesOf(std::span<const CaseResult> results);

/// The operator that failed: of a law the related one, or its own if that is refused. Nothing for sweeps and repeated
/// runs, which have several operators, and for operators without a sketch.
std::optional<KnownCase> OperatorThatFailed(const CaseResult& result);

/// The features of the operator that failed. The row is invalid where there is none, or where the condition is about
/// values and the operator is too large to compute their features.
FeatureRow FeaturesOfFailure(const Condition& condition, const CaseResult& result);

/// The limits for a judge that runs new cases of a search. The time limit of a case is 1 s or 20 times
/// `seconds_of_case`, whichever is more, but at most the usual limit. So a backend that hangs does not use up the time
/// of the search. `seconds_of_case` is the usual time of a case in the run.
JudgeLimits LimitsOfQuestions(JudgeLimits limits, double seconds_of_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_KNOWN_CASES_H_
