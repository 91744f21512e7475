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

/// The page holds the records of the JSON report as a list, without the members that it does not show. To limit the
/// size of the page, failures after the first few megabytes have no details, and the member "short" instead.
std::string HtmlReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_H_
