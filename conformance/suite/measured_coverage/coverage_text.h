// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What a list of cases covers as text: a summary of a few lines, and the list of missing combinations.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_TEXT_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_TEXT_H_

#include <string>

#include "conformance/suite/measured_coverage/coverage.h"

namespace conformance {

/// A line for each operator in each dialect that has cases, and one for clauses and tap regimes.
std::string CoverageSummary(const Coverage& coverage);

/// A line for each part that is not covered, and for each combination that is impossible, with the reason.
std::string CoverageList(const Coverage& coverage);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_TEXT_H_
