// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the report formats beside JSON (json.h). Each is a function that takes the runs and returns the whole report
// as text. Also declares functions that write parts of Markdown.

#ifndef DECONV_CONFORMANCE_REPORT_REPORT_FORMATS_H_
#define DECONV_CONFORMANCE_REPORT_REPORT_FORMATS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "conformance/report/summary.h"
#include "conformance/report/table.h"

namespace conformance {

// HTML, defined in html/html.cc: one self-contained file that holds the JSON report. The script of the page (page.js)
// draws the report: its tables, causes with pictures, and all cases with a filter.

/// The page holds the records of the JSON report as a list, without the members that it does not show. To limit the
/// size of the page, failures after the first megabyte of details have none, and the member "short" instead.
std::string HtmlReport(std::span<const RunSummary> runs, const RunDescription& description);

// JUnit XML for CI systems: a testsuite for each backend and suite, a testcase for each case.

/// The report as XML text. Each testsuite has the facts on which its verdicts depend (RunFactsTable) as properties.
std::string JunitReport(std::span<const RunSummary> runs, const RunDescription& description);

// SARIF 2.1.0 for code scanning and editors: a run for each backend, a rule for each failure class and each warning, a
// result for each failure and warning. A known failure is a suppressed result.

/// The report as JSON text.
std::string SarifReport(std::span<const RunSummary> runs, const RunDescription& description);

// The Common Test Report Format (version 0.1.0, https://ctrf.io), JSON that tools of CI systems read: a test for each
// case, its suite, and the counts.

/// The report as JSON text. Statuses are those of JUnit: an expected failure and a case without a verdict count as
/// skipped. The member `extra` has the suite's own status. The stop time is the time at which the report is made.
std::string CtrfReport(std::span<const RunSummary> runs, const RunDescription& description);

// A Markdown page for the summary of a CI job: verdicts, suites, causes, and the first failures with the commands that
// replay them.

/// The most bytes that GitHub takes as the summary of a step.
inline constexpr std::size_t kMostMarkdownBytes = std::size_t{1} << 20;

/// The report in at most `most_bytes`. If parts are left out, its last line says how many.
std::string MarkdownReport(std::span<const RunSummary> runs, const RunDescription& description,
                           std::size_t most_bytes = kMostMarkdownBytes);

/// The rows and notes of any table, without its title and its cases.
std::string MarkdownTable(const Table& table);

/// The text on one line, escaped so that Markdown shows it unchanged, also in a cell of a table.
std::string MarkdownText(std::string_view text);

/// The lines as a code block. Its fence has more backticks than any row of backticks in the lines, so they cannot end
/// the block.
std::string MarkdownBlock(std::string_view lines);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_REPORT_FORMATS_H_
