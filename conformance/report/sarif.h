// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The SARIF 2.1.0 report for code scanning and editors: a run for each backend, a rule for each failure class and each
// warning, a result for each failure and warning. A known failure is a suppressed result.

#ifndef DECONV_CONFORMANCE_REPORT_SARIF_H_
#define DECONV_CONFORMANCE_REPORT_SARIF_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"

namespace conformance {

/// The report as JSON text.
std::string SarifReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SARIF_H_
