// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The JUnit XML report for CI systems: a testsuite for each backend and suite, a testcase for each case.

#ifndef DECONV_CONFORMANCE_REPORT_JUNIT_H_
#define DECONV_CONFORMANCE_REPORT_JUNIT_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"

namespace conformance {

/// The report as XML text. Each testsuite has the facts on which its verdicts depend (RunFactsTable) as properties.
std::string JunitReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_JUNIT_H_
