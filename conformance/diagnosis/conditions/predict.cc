// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a condition that was found with the backend's answers to new cases.

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {

Prediction PredictNewCases(const Condition& condition, std::span<const KnownCase> known, std::size_t each_side,
                           const ConditionSearch& search) {
  Prediction prediction;
  TrainingSet training_set(ResolvedCases(known),
                           {.plain = condition.plain, .declared = search.declared, .seed = search.seed});
  training_set.Exclude(condition.asked_lines);
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < training_set.rows().size(); ++i) {
    if (condition.Holds(training_set.rows()[i].features)) inside.push_back(i);
  }
  if (inside.empty()) return prediction;
  const bool of_values = condition.OfValues();
  for (std::size_t tries = 0; tries < 400 * each_side && !search.late(); ++tries) {
    if (prediction.inside == each_side && (prediction.outside == each_side || condition.Always())) break;
    // If few cases lie just beyond the boundary, every other case is made from any row.
    const bool far = tries > 20 * each_side && tries % 2 == 0;
    auto row = training_set.Make(training_set.Parent(far ? std::span<const std::size_t>() : inside), of_values);
    if (!row) continue;
    const bool holds = condition.Holds(row->features);
    if ((holds ? prediction.inside : prediction.outside) == each_side) continue;
    const auto fails = search.ask(row->test_case);
    if (!fails) continue;
    ++(holds ? prediction.inside : prediction.outside);
    if (*fails == holds) ++(holds ? prediction.inside_right : prediction.outside_right);
  }
  return prediction;
}

bool PassOutside(const Condition& condition, std::span<const KnownCase> failures, std::size_t enough,
                 const ConditionSearch& search) {
  constexpr std::size_t kTries = 1000;
  const std::vector<ResolvedCase> cases = ResolvedCases(failures);
  TrainingSet training_set(cases, {.declared = search.declared, .seed = search.seed});
  if (training_set.rows().empty()) return false;
  std::size_t passed = 0;
  std::size_t asked = 0;
  for (std::size_t tries = 0; tries < kTries && passed < enough && !search.late(); ++tries) {
    const auto row = training_set.Make(training_set.Parent({}), condition.OfValues());
    if (!row || condition.Holds(row->features)) continue;
    if (asked++ == search.questions) break;
    const auto fails = search.ask(row->test_case);
    if (fails == std::optional(true)) return false;
    passed += fails ? 1 : 0;
  }
  return passed == enough;
}

}  // namespace conformance
