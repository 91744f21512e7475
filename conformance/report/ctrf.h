// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The report in the Common Test Report Format (version 0.1.0, https://ctrf.io), JSON that tools of CI systems read: a
// test for each case, its suite, and the counts.

#ifndef DECONV_CONFORMANCE_REPORT_CTRF_H_
#define DECONV_CONFORMANCE_REPORT_CTRF_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"

namespace conformance {

/// Statuses are those of JUnit: an expected failure and a case without a verdict are skipped. `extra` has the suite's
/// own words. The run is said to stop when the report is made.
std::string CtrfReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_CTRF_H_
