// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A Markdown page for the summary of a CI job: verdicts, suites, causes, and the first failures with the commands that
// replay them.

#ifndef DECONV_CONFORMANCE_REPORT_MARKDOWN_H_
#define DECONV_CONFORMANCE_REPORT_MARKDOWN_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"
#include "conformance/report/table.h"

namespace conformance {

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

#endif  // DECONV_CONFORMANCE_REPORT_MARKDOWN_H_
