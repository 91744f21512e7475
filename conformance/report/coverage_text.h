// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The coverage of a run as text: a summary of a few lines, and the list of missing combinations.

#ifndef DECONV_CONFORMANCE_REPORT_COVERAGE_TEXT_H_
#define DECONV_CONFORMANCE_REPORT_COVERAGE_TEXT_H_

#include <string>
#include <vector>

#include "conformance/measured_coverage/coverage.h"
#include "conformance/run/runner.h"

namespace conformance {

/// Of the cases that were judged, each by the dialect that it was judged by.
Coverage CoverageOf(const RunRecord& run);

/// A line for each operator and dialect, and one for clauses and tap regimes.
std::string CoverageSummary(const Coverage& coverage);

/// Combinations (but for those of the core with one more), clauses and tap regimes that no case is in, what no operator
/// can be in and why, and how often each implementation ran. A line each.
std::string CoverageList(const Coverage& coverage);

/// "ConvolutionBackpropData in openvino-spec".
std::string OperatorInDialect(oracle::OperatorKind kind, oracle::Dialect dialect);

/// "phase first, border-one": the classes that exist and that no case meets.
std::vector<std::string> MissingRegimes(const TapRegimes& regimes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_COVERAGE_TEXT_H_
