// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how good conditions are. Each planted fault is the backend once. The condition is found without any
// hypothesis, and must then predict new cases on both sides of its boundary.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITION_POWER_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITION_POWER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/conditions/find_condition.h"
#include "conformance/faults/fault.h"
#include "conformance/judge/judge.h"

namespace conformance {

/// New cases on each side of a boundary, the most that may be predicted wrongly, and the seconds for finding it.
inline constexpr std::size_t kNewCasesEachSide = 100;
inline constexpr std::size_t kMostWrong = 2;
inline constexpr double kSecondsOfCondition = 30;

struct MeasuredCondition {
  const faults::Fault* fault = nullptr;
  std::size_t failures = 0;  ///< of the case list's cases; a fault without one is not measured
  std::vector<Condition> conditions;
  Prediction prediction;          ///< of the condition that covers most failures
  double seconds = 0;             ///< to find the conditions, without those in which other programs had the core
  std::size_t repeated = 0;       ///< failures that were asked again, if the condition is not good
  std::size_t repeated_pass = 0;  ///< of them: passed

  /// Both sides could be asked in full, at most kMostWrong were predicted wrongly, and it took less than
  /// kSecondsOfCondition. A condition that is always true has no cases outside, so only those inside are asked.
  bool good() const;
  /// Why it is not good: what was not found, not made or predicted wrongly. Empty if it is good.
  std::string Reason() const;
  std::string Text() const;
};

/// `seconds`: for the search of each fault. `on_measured` is called by one thread at a time.
std::variant<std::vector<MeasuredCondition>, BackendError> MeasureConditions(
    const std::vector<SuiteCase>& case_list, const std::vector<const faults::Fault*>& faults, int jobs,
    const JudgeLimits& limits, double seconds, const std::function<void(const MeasuredCondition&)>& on_measured);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITION_POWER_H_
