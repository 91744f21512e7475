// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One self-contained HTML file: verdicts, comparison, suites, causes with pictures, and a list of all cases
// with a filter. Only the list needs JavaScript.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_HTML_H_
#define DECONV_CONFORMANCE_REPORT_HTML_HTML_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/run/runner.h"

namespace conformance {

std::string HtmlReport(std::span<const RunRecord> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_H_
