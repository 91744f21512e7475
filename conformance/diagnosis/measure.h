// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how good diagnoses are. Each planted fault is the backend once, and the diagnosis must name it. Then the
// fault is left out of the hypotheses, and the diagnosis must name its class.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/faults/fault.h"
#include "conformance/judge/judge.h"

namespace conformance {

/// The case list's cases on one backend, one after the other, as far as hypotheses are tried on them. Ends early where
/// cases hang or crash so often that more of them say nothing.
std::variant<std::vector<CaseResult>, BackendError> ResultsOfFault(const std::vector<SuiteCase>& case_list,
                                                                   const faults::Fault& fault,
                                                                   const JudgeLimits& limits);

/// Without sweeps and laws.
std::vector<SuiteCase> PlainCases(const std::vector<SuiteCase>& case_list);

/// Calls `work` for 0 to count - 1 on some threads, until one of them returns an error.
std::optional<BackendError> ForEachFault(std::size_t count, int jobs,
                                         const std::function<std::optional<BackendError>(std::size_t)>& work,
                                         const std::function<void(std::size_t)>& on_progress);

struct DiagnosedFault {
  const faults::Fault* fault = nullptr;
  std::size_t failures = 0;      ///< of the case list's cases; a fault without one is not diagnosed
  bool named = false;            ///< by the first cause: it, or one that did the same on every case compared
  std::size_t equals = 0;        ///< how many hypotheses the first cause names
  std::string first;             ///< the first of them; empty if there is none
  bool class_named = false;      ///< left out, the first cause names its class
  std::string class_without;     ///< what it names
  std::string first_without;     ///< its first hypothesis
  bool nearest_without = false;  ///< which reproduces nothing, but comes nearest
  double seconds = 0;            ///< of both diagnoses
};

struct DiagnosisPower {
  std::vector<DiagnosedFault> faults;  ///< in the order asked for
  double seconds = 0;

  std::size_t Failing() const;
  /// Percent of those that failed a case; 100 of none.
  double NamedPercent() const;
  double ClassPercent() const;
};

/// What became of one failure of a planted fault.
struct MinimizedFault {
  const faults::Fault* fault = nullptr;
  std::string line;      ///< the failing case; empty if the fault fails none
  std::string smallest;  ///< what it was minimized to
  std::size_t axes = 0;  ///< spatial, of the smallest
  std::int64_t non_zero_data = 0;
  double seconds = 0;
  bool complete = false;

  /// One or two spatial axes, at most 4 data elements that are not zero, in less than 10 s.
  bool good() const;
};

/// Each fault's largest failing case is minimized; those that fail none have no entry.
std::variant<std::vector<MinimizedFault>, BackendError> MeasureMinimize(
    const std::vector<SuiteCase>& case_list, const std::vector<const faults::Fault*>& faults, int jobs,
    const JudgeLimits& limits, const std::function<void(std::size_t)>& on_progress);

/// Sweeps, laws and large cases of the case list are left out: hypotheses are not tried on them. `on_progress` is
/// called by one thread at a time with the number of faults done.
std::variant<DiagnosisPower, BackendError> MeasureDiagnosis(const std::vector<SuiteCase>& case_list,
                                                            const std::vector<const faults::Fault*>& faults, int jobs,
                                                            const JudgeLimits& limits,
                                                            const std::function<void(std::size_t)>& on_progress);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_MEASURE_H_
