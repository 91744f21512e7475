// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how good diagnoses are, with planted faults (backends with one known defect). Each planted fault is the
// backend once, and the diagnosis must name it. Then the fault is left out of the hypotheses, and the diagnosis must
// name no other fault. At last the condition of its failures, found without any hypothesis, must predict new cases.

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

/// The new cases on each side of a condition's boundary, and the most wrong predictions on both sides together.
inline constexpr std::size_t kNewCasesEachSide = 100;
inline constexpr std::size_t kMostWrong = 2;

struct DiagnosedFault {
  const faults::Fault* fault = nullptr;
  std::size_t failures = 0;      ///< number of failing cases in the list; without failures the fault is not diagnosed
  bool named = false;            ///< the first cause names the fault, or one that did the same on every compared case
  std::size_t equals = 0;        ///< how many hypotheses the first cause names
  std::string first;             ///< the first hypothesis that the first cause names; empty if it names none
  bool misled = false;           ///< without it among the hypotheses, a fault is named that is none of the equal ones
  std::string first_without;     ///< the first fault that is named in this second diagnosis
  double seconds = 0;            ///< of both diagnoses
  std::size_t learned_from = 0;  ///< failures from which a condition can be learned; without any, none is searched for
  std::string condition;         ///< the condition as text; empty if none was found
  Prediction prediction;         ///< predictions of new cases by the alternative that covers the most failures
  bool predicted = false;        ///< whether the predictions were right (Predicts)
};

struct DiagnosisPower {
  std::vector<DiagnosedFault> faults;  ///< in the order of the call
  double seconds = 0;

  std::size_t Failing() const;
  /// Percent of the faults that failed a case; 100 if there is none.
  double NamedPercent() const;
  double WrongCausePercent() const;
  /// Percent of the faults from whose failures a condition can be learned.
  double PredictedPercent() const;
};

/// Whether a condition predicts new cases: both sides had all their new cases, and at most kMostWrong predictions were
/// wrong. A condition that is always true has no cases outside, so only the inside counts.
bool Predicts(const Condition& condition, const Prediction& prediction);

/// Measures diagnoses of the faults on `jobs` threads. Sweeps, laws and large cases of the list are left out, because
/// hypotheses are not tried on them. `on_progress` is called by one thread at a time with the number of faults done.
std::variant<DiagnosisPower, BackendError> MeasureDiagnosis(const std::vector<SuiteCase>& case_list,
                                                            const std::vector<const faults::Fault*>& faults, int jobs,
                                                            const JudgeLimits& limits,
                                                            const std::function<void(std::size_t)>& on_progress);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_
