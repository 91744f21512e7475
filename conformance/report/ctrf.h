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

/// The report as JSON text. Statuses are those of JUnit: an expected failure and a case without a verdict count as
/// skipped. The member `extra` has the suite's own status. The stop time is the time at which the report is made.
std::string CtrfReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_CTRF_H_
