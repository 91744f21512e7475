// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes of a run's failures, as far as they were looked for. A diagnosis stores them in the run's record for
// reports.

#ifndef DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_
#define DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace conformance {

/// Failures that are put to one cause.
struct Cause {
  std::string title;                    ///< one sentence; begins with the condition, if there is one
  std::string condition;                ///< what is true of the failing cases and of no passing one, or empty
  std::string place;                    ///< which outputs are wrong, or empty
  std::vector<std::string> hypotheses;  ///< names of planted faults; empty if nothing explains it
  bool explained = false;               ///< the hypotheses do the same; else they only come near
  std::vector<std::string> details;     ///< more sentences: other hypotheses that are equal, what speaks against it
  std::vector<std::size_t> failures;    ///< CaseResult::place of each
  std::size_t presumed = 0;             ///< of them: not tried, but failing as those of this cause do
  std::size_t smallest = 0;             ///< the place of the one whose case is the smallest
};

/// Every failure of the run is in one cause; the largest cause first.
struct FailureCauses {
  std::vector<Cause> causes;
  std::size_t failures = 0;  ///< of the run
  std::size_t tried = 0;     ///< of them
  double seconds = 0;
  bool out_of_time = false;
  std::string not_looked_for;  ///< why; empty if they were
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_
