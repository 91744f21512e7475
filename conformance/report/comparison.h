// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares several backends side by side: counts by suite, and the cases on which the backends differ.

#ifndef DECONV_CONFORMANCE_REPORT_COMPARISON_H_
#define DECONV_CONFORMANCE_REPORT_COMPARISON_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/runner.h"

namespace conformance {

struct ComparedSuite {
  std::string_view suite;
  std::vector<SuiteCounts> counts;  ///< a backend each, in the order of the runs
};

/// A case that at least two backends were judged on, and not with the same outcome.
struct DifferingCase {
  std::vector<const CaseResult*> results;  ///< a backend each; nullptr: it has none

  const CaseResult& any() const;
};

/// Points into the runs.
struct BackendComparison {
  std::vector<std::string_view> backends;
  std::vector<ComparedSuite> suites;     ///< in the order of the first run that has them
  std::vector<DifferingCase> differing;  ///< likewise
  std::size_t common = 0;                ///< cases that at least two backends were judged on
};

/// What one backend made of a case in a word: "pass", "loose", a failure class, "not run".
std::string_view OutcomeWord(const CaseResult* result);

/// Cases are the same if suite, name and line are. Warnings are no difference.
BackendComparison CompareBackends(std::span<const RunRecord> runs);

/// A table, and the first differing cases, for a console; empty for less than two runs.
std::string ComparisonText(std::span<const RunRecord> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_COMPARISON_H_
