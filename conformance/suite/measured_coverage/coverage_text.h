// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints what a list of cases covers: a summary of a few lines, and a list of missing combinations.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_TEXT_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_TEXT_H_

#include <string>

#include "conformance/suite/measured_coverage/coverage.h"

namespace conformance {

/// One line for each operator and dialect with cases, and one line for clauses and tap regimes.
std::string CoverageSummary(const Coverage& coverage);

/// One line for each missing combination, clause or tap regime, and one for each impossible one with its reason.
std::string CoverageList(const Coverage& coverage);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_TEXT_H_
