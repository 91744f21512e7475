// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the verdicts of one step of `deconv-cts doctor`, which examines the adapter of a library, and summarizes
// them in a sentence.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_JUDGED_CASES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_JUDGED_CASES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Up to twelve names, and how many more there are: "groups; dilations; and 3 more".
std::string NamesText(const std::vector<std::string_view>& names);

/// The cases of one step and their results.
class JudgedCases {
 public:
  /// `suite_case` outlives this object.
  void Add(const SuiteCase& suite_case, CaseResult result);

  /// A case that was not run, because no declared dialect gives the operator a meaning.
  void AddUndefined(const SuiteCase& suite_case) { undefined_.emplace_back(suite_case.name); }

  const std::vector<CaseResult>& results() const { return results_; }
  const std::vector<const SuiteCase*>& failures() const { return failures_; }
  /// The result of the first failure.
  const CaseResult& first_failure() const { return results_[first_failure_]; }
  std::size_t right() const { return right_; }
  /// The cases whose failure may be caused by an undeclared limit.
  std::vector<const SuiteCase*> PossibleLimitFailures() const;

  /// Returns "8 cases are right; 2 lie outside the declared capabilities", or "3 of 9 fail; groups: wrong-shape: ...".
  /// `what` is the text after the number of right cases. `names_rest`: the cases that were not run are named.
  std::string Text(std::string_view what, bool names_rest) const;
  /// Returns "these fail too: ..." with all failures but the first; empty if there is only one failure.
  std::string OtherFailures() const;

 private:
  std::vector<CaseResult> results_;
  std::vector<const SuiteCase*> failures_;
  std::vector<std::size_t> failed_;  ///< index in results_ of each failure
  std::size_t first_failure_ = 0;
  std::size_t right_ = 0;
  std::vector<std::string_view> undeclared_;   ///< names of cases that the declaration excludes
  std::vector<std::string_view> unsupported_;  ///< names of cases that the backend says it does not support
  std::vector<std::string_view> undefined_;    ///< names of cases to which no declared dialect gives a meaning
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_JUDGED_CASES_H_
