// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes a failing case: finds the smallest case that fails in the same way, with simpler attributes, smaller sizes,
// fewer axes, plain values (small integers), and as few data elements as possible.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_MINIMIZE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_MINIMIZE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/mutants/faults/fault.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

struct MinimizeOptions {
  std::string backend;
  JudgeLimits limits;
  double seconds = 10;
  /// Whether a smaller case that fails with the same signature may replace the given one.
  std::function<bool(const CaseResult&)> is_alike = [](const CaseResult&) { return true; };
};

struct Minimized {
  SuiteCase smallest;  ///< the case itself if it does not fail
  CaseResult result;   ///< the judge's result of the smallest case
  /// Planted faults (backends with one known defect) that reproduce the failure of the given case and of every smaller
  /// case on the way, so that the defect stays the same. Empty if no fault that can run in this process does.
  std::vector<const faults::Fault*> hypotheses;
  /// Without hypotheses: what is true of the failing case and of every smaller one, and of no case that passes, such as
  /// "on an axis, stride >= 3". Empty if nothing was found in time; then the smallest case may show another defect.
  std::string condition;
  std::size_t runs = 0;   ///< cases tried
  std::size_t steps = 0;  ///< how many of them failed in the same way, so that the search went on from them
  bool complete = false;  ///< no simpler case fails in the same way; false: the time was up
  double seconds = 0;

  bool failed() const { return result.verdict.status == Status::kFail; }
};

/// Minimizes `failing`. `on_step` is called for every case that is smaller than the one before, with the number of
/// cases tried.
std::variant<Minimized, BackendError> Minimize(const SuiteCase& failing, const MinimizeOptions& options,
                                               const std::function<void(const CaseResult&, std::size_t runs)>& on_step);

/// The number of data elements that may be other than zero; 0 for an operator that the dialect of the result refuses.
std::int64_t NonZeroData(const Case& test_case, const CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_MINIMIZE_H_
