// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes of a run's failures, as far as they were looked for. A diagnosis stores them in the run's record for
// reports.

#ifndef DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_
#define DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

/// How bad the failures of a cause are, the worst first: an application does not notice wrong outputs, but it notices a
/// refusal.
inline constexpr std::array<std::string_view, 5> kCauseKinds = {"wrong-output", "death", "refusal", "accepted-invalid",
                                                                "suite"};

/// Failures that are put to one cause.
struct Cause {
  std::string kind;                     ///< one of kCauseKinds
  std::string title;                    ///< one sentence: how the cases fail, and where
  std::string condition;                ///< what is true of the failing cases and of no passing one, or empty
  std::string place;                    ///< which outputs are wrong, or empty
  std::vector<std::string> hypotheses;  ///< names of planted faults that do the same; empty if none does
  std::vector<std::string> details;     ///< more sentences: the planted faults, the new cases that confirm the cause
  std::vector<std::size_t> failures;    ///< CaseResult::place of each
  std::size_t presumed = 0;             ///< of them: not tried, but failing as those of this cause do
  std::size_t smallest = 0;             ///< the place of the one whose case is the smallest
};

/// Sorts by kind, then by the number of failures.
void SortWorstFirst(std::vector<Cause>& causes);

/// Every failure of the run is in one cause; the worst cause first.
struct FailureCauses {
  std::vector<Cause> causes;
  std::size_t failures = 0;  ///< of the run
  std::size_t tried = 0;     ///< of them
  double seconds = 0;
  bool out_of_time = false;    ///< something was not looked for, because the time or the questions were used up
  std::string not_looked_for;  ///< why; empty if they were
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_
