// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares several backends side by side: counts by suite, and the cases on which the backends differ.

#ifndef DECONV_CONFORMANCE_REPORT_COMPARISON_H_
#define DECONV_CONFORMANCE_REPORT_COMPARISON_H_

#include <span>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/report/table.h"

namespace conformance {

/// Two tables with a column for each backend; none for fewer than two runs. Cases of two runs are the same if suite,
/// name and line are equal. Backends differ on a case if both were judged on it and their failure classes differ.
std::vector<Table> ComparisonTables(std::span<const RunSummary> runs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_COMPARISON_H_
