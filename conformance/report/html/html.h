// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One self-contained HTML file that holds the JSON report. The script of the page (page.js) draws the report: its
// tables, causes with pictures, and all cases with a filter.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_HTML_H_
#define DECONV_CONFORMANCE_REPORT_HTML_HTML_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"

namespace conformance {

/// The page holds the records of the JSON report as a list, without the members that it does not show. A run in which
/// everything fails has more to tell than a page should weigh: behind the first few megabytes, failures are told
/// without their details, and have the member "short".
std::string HtmlReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_H_
