// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how good diagnoses are. Each planted fault is the backend once, and the diagnosis must name it. Then the
// fault is left out of the hypotheses, and the diagnosis must name no other one. At last the condition of its failures,
// found without any hypothesis, must predict new cases.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

/// New cases on each side of a condition's boundary, and the most of both sides that may be predicted wrongly.
inline constexpr std::size_t kNewCasesEachSide = 100;
inline constexpr std::size_t kMostWrong = 2;

struct DiagnosedFault {
  const faults::Fault* fault = nullptr;
  std::size_t failures = 0;      ///< of the case list's cases; a fault without one is not diagnosed
  bool named = false;            ///< by the first cause: it, or one that did the same on every case compared
  std::size_t equals = 0;        ///< how many hypotheses the first cause names
  std::string first;             ///< the first of them; empty if there is none
  bool misled = false;           ///< left out, another fault is named, which is none of the equal ones
  std::string first_without;     ///< the first fault that is named then
  double seconds = 0;            ///< of both diagnoses
  std::size_t learned_from = 0;  ///< failures from which a condition can be learned; without one, none is looked for
  std::string condition;         ///< in words; empty if none was found
  Prediction prediction;         ///< of new cases by the condition that covers most failures
  bool predicted = false;        ///< rightly
};

struct DiagnosisPower {
  std::vector<DiagnosedFault> faults;  ///< in the order asked for
  double seconds = 0;

  std::size_t Failing() const;
  /// Percent of those that failed a case; 100 of none.
  double NamedPercent() const;
  double WrongCausePercent() const;
  /// Percent of those from whose failures a condition can be learned.
  double PredictedPercent() const;
};

/// Whether a condition predicts: both sides could be asked in full, and at most kMostWrong were predicted wrongly. A
/// condition that is always true has no cases outside, so only those inside are asked.
bool Predicts(const Condition& condition, const Prediction& prediction);

/// Sweeps, laws and large cases of the case list are left out: hypotheses are not tried on them. `on_progress` is
/// called by one thread at a time with the number of faults done.
std::variant<DiagnosisPower, BackendError> MeasureDiagnosis(const std::vector<SuiteCase>& case_list,
                                                            const std::vector<const faults::Fault*>& faults, int jobs,
                                                            const JudgeLimits& limits,
                                                            const std::function<void(std::size_t)>& on_progress);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_
