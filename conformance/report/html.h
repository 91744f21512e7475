// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One HTML file that needs nothing else: verdicts, comparison, suites, causes with pictures, coverage, and a list of
// all cases with a filter. The list needs JavaScript; the rest is in the document.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_H_
#define DECONV_CONFORMANCE_REPORT_HTML_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/run/runner.h"

namespace conformance {

std::string HtmlReport(std::span<const RunRecord> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_H_
