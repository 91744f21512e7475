// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which results of a run become cases to learn from, and whether each counts as a failure.

#include "conformance/diagnosis/known_cases.h"

#include <algorithm>
#include <utility>

#include "conformance/diagnosis/conditions/feature_sink.h"
#include "conformance/diagnosis/conditions/training_set.h"
#include "conformance/diagnosis/failure_signature.h"
#include "conformance/interface/unsupported.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

// The base of the time limit of a new case: a small case takes microseconds, so that a second is plenty.
constexpr double kSecondsOfQuestion = 1;

/// Whether the backend computed the operator rightly, also where the output has no elements.
bool WasComputed(const CaseResult& result) {
  return IsRight(result.verdict.status) && !result.answer.refused && !result.judged.output_dims.empty() &&
         (result.outputs.count > 0 || std::ranges::any_of(result.answer.choices, &OpenChoice::computed));
}

}  // namespace

std::optional<bool> HasFailed(const CaseResult& result) {
  if (result.verdict.status == Status::kFail) {
    if (result.verdict.failure == FailureClass::kSuiteError ||
        result.verdict.failure == FailureClass::kWrongDeclaredOutput ||
        result.verdict.failure == FailureClass::kBrokenLaw) {
      return std::nullopt;
    }
    return true;
  }
  if (result.verdict.status != Status::kPass && result.verdict.status != Status::kImprecise) return std::nullopt;
  // The backend did not compute an open operator, as it may. This tells nothing.
  if (!result.answer.refused && !WasComputed(result)) return std::nullopt;
  return false;
}

bool HasAnswered(const CaseResult& result) {
  const Status status = result.verdict.status;
  const CauseKind kind = SignatureOf(result).kind;
  if (status == Status::kFail) return kind != CauseKind::kDeath && kind != CauseKind::kSuite;
  return IsRight(status) || status == Status::kVacuous;
}

std::vector<KnownCase> ComputedCasesOf(std::span<const CaseResult> results) {
  std::vector<KnownCase> computed;
  for (const CaseResult& result : results) {
    const auto dialect = oracle::ParseDialect(result.judged.dialect);
    if (!WasComputed(result) || !dialect || result.judged.test_case == nullptr || result.IsSweep()) continue;
    computed.push_back({.test_case = *result.judged.test_case, .dialect = *dialect, .fails = false});
  }
  return computed;
}

std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results) {
  std::vector<KnownCase> known;
  for (const CaseResult& result : results) {
    const auto fails = HasFailed(result);
    const auto dialect = oracle::ParseDialect(result.judged.dialect);
    // Failures that the user expects have a known reason, so that nothing is learned from them.
    if (!fails || !dialect || result.verdict.IsKnownFailure() || result.judged.test_case == nullptr) continue;
    const Case& test_case = *result.judged.test_case;
    if (test_case.law || test_case.sweep || test_case.repeats) continue;
    known.push_back(
        {.test_case = test_case, .dialect = *dialect, .fails = *fails, .implementation = result.answer.implementation});
  }
  return known;
}

std::vector<KnownCase> KnownCasesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& chosen) {
  std::vector<KnownCase> known;
  for (const std::size_t i : chosen) std::ranges::move(KnownCasesOf({&results[i], 1}), std::back_inserter(known));
  return known;
}

std::vector<KnownCase> PassesWithOutputsOf(std::span<const CaseResult> results) {
  std::vector<std::size_t> passes;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (HasFailed(results[i]) == std::optional(false) && !results[i].judged.output_dims.empty()) passes.push_back(i);
  }
  return KnownCasesOf(results, passes);
}

std::optional<KnownCase> OperatorThatFailed(const CaseResult& result) {
  const auto dialect = oracle::ParseDialect(result.judged.dialect);
  if (!dialect || result.judged.test_case == nullptr || result.IsSweep() || result.judged.test_case->repeats) return {};
  Case failed = result.verdict.facts.related ? *result.verdict.facts.related : *result.judged.test_case;
  if (CauseKindOf(result.verdict.failure) == CauseKind::kRefusal) failed.law.reset();
  if (!SketchOf(failed)) return {};
  return KnownCase{.test_case = std::move(failed), .dialect = *dialect, .fails = true};
}

bool IsSmallEnough(const KnownCase& known) {
  const auto resolution = oracle::Resolve(known.test_case.op, known.dialect, oracle::StepTexts::kLeftOut);
  return resolution.ok() && ProductsOf(*resolution.geometry) <= kMostProductsOfNewCase;
}

bool HasProduct(const CaseResult& result) {
  const auto dialect = oracle::ParseDialect(result.judged.dialect);
  if (!dialect || result.judged.test_case == nullptr) return false;
  const auto resolution = oracle::Resolve(result.judged.test_case->op, *dialect, oracle::StepTexts::kLeftOut);
  return resolution.ok() && ProductsOf(*resolution.geometry) > 0 &&
         std::ranges::all_of(resolution.geometry->axes, TapsOverlap);
}

std::uint32_t AskedBy(const KnownCase& known) {
  const auto resolution = oracle::Resolve(known.test_case.op, known.dialect, oracle::StepTexts::kLeftOut);
  return resolution.ok() ? RequiredBits(known.test_case.op, *resolution.geometry) : 0;
}

std::string_view LimitOf(std::span<const KnownCase> failures, std::uint32_t asked_by_computed) {
  std::uint32_t of_all = kAllUnsupported & ~asked_by_computed;
  for (const KnownCase& known : failures) of_all &= AskedBy(known);
  const auto word = std::ranges::find_if(kUnsupportedNames, [&](const auto& name) { return (of_all & name.bit) != 0; });
  return word == kUnsupportedNames.end() ? std::string_view() : word->name;
}

bool HasOtherArithmetic(const CaseResult& new_case, std::span<const CaseResult> results,
                        const std::vector<std::size_t>& failures) {
  constexpr std::size_t kOneOf = 10;  // fewer excused failures than one of so many are hardly any
  if (!new_case.verdict.facts.excusing_word) return false;
  const auto excused = static_cast<std::size_t>(std::ranges::count_if(
      failures, [&](std::size_t i) { return results[i].verdict.facts.excusing_word.has_value(); }));
  return kOneOf * excused < failures.size();
}

std::vector<Case> SmallCasesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures,
                               std::size_t most) {
  std::vector<Case> small;
  for (const std::size_t i : failures) {
    const CaseResult& result = results[i];
    if (small.size() == most) break;
    if (result.judged.test_case == nullptr || result.IsSweep() || result.judged.test_case->law) continue;
    Case plain = *result.judged.test_case;
    plain.repeats.reset();
    auto sketch = SketchOf(plain);
    if (!sketch) continue;
    sketch->batch = std::min<std::int64_t>(sketch->batch, 2);
    sketch->groups = std::min<std::int64_t>(sketch->groups, 2);
    sketch->in = std::min<std::int64_t>(sketch->in, 3);
    sketch->out = std::min<std::int64_t>(sketch->out, 3);
    for (SketchAxis& axis : sketch->axes) axis.data = std::min<std::int64_t>(axis.data, 4);
    Case test_case = CaseOf(*sketch);
    if (!oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut).ok()) continue;
    small.push_back(std::move(test_case));
  }
  return small;
}

FeatureRow FeaturesOfFailure(const Condition& condition, const CaseResult& result) {
  const auto failed = OperatorThatFailed(result);
  if (!failed) return {};
  const auto row_of = [&](const Case& test_case) {
    FeatureRow row = FeaturesIn(condition, test_case, failed->dialect);
    return condition.OfValues() && !row.has_values ? FeatureRow() : row;
  };
  FeatureRow row = row_of(failed->test_case);
  // Two outputs that break a law do not tell which of their operators is wrong. The condition may be true of either.
  if (result.verdict.failure == FailureClass::kBrokenLaw && result.verdict.facts.related &&
      !(row.valid() && condition.Holds(row))) {
    Case own = *result.judged.test_case;
    own.law.reset();
    const FeatureRow of_own = SketchOf(own) ? row_of(own) : FeatureRow();
    if (of_own.valid() && condition.Holds(of_own)) return of_own;
  }
  return row;
}

JudgeLimits LimitsOfQuestions(JudgeLimits limits, double seconds_of_case) {
  limits.base_seconds = std::min(limits.base_seconds, std::max(kSecondsOfQuestion, 20 * seconds_of_case));
  limits.finds_dialects = false;
  return limits;
}

}  // namespace conformance
