// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The history of runs: a file of JSON lines, one for each run of a backend (the library under test), and a picture of
// the runs in their order.

#ifndef DECONV_CONFORMANCE_REPORT_HISTORY_H_
#define DECONV_CONFORMANCE_REPORT_HISTORY_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/report/table.h"

namespace conformance {

/// One run of one backend.
struct HistoryEntry {
  std::string time;      ///< UTC, as 2030-01-31T12:00:00Z
  std::string revision;  ///< of the backend's source; empty if nobody told it
  std::string backend, version, level;
  std::size_t passed = 0, failed = 0, expected = 0, not_run = 0;  ///< `failed` has those that are expected, too
  double seconds = 0;
  int exit_code = 0;
};

/// An entry for each run. `not_run` also counts cases that an interrupted run did not reach.
std::vector<HistoryEntry> HistoryOf(std::span<const RunSummary> runs, const RunDescription& description,
                                    const std::string& time, const std::string& revision);

/// One JSON line for each entry, with its newline.
std::string HistoryLines(std::span<const HistoryEntry> entries);
/// Appends lines to a file in one write, so that the lines of runs at the same time do not mix. Returns an empty
/// string, or an error.
std::string AppendHistory(const std::string& path, std::string_view lines);

/// Reads the entries of a history, or returns which line is wrong and what was expected.
std::variant<std::vector<HistoryEntry>, std::string> ReadHistory(std::string_view text);

/// The most runs of one backend and level that a picture shows: the last ones.
inline constexpr std::size_t kMostShownRuns = 120;

/// The runs as a table, the last one first.
Table HistoryTable(std::span<const HistoryEntry> entries);
/// For each backend and level a row of bars of passed, expected and failed cases, and a line of seconds.
std::string HistorySvg(std::span<const HistoryEntry> entries);
/// A page with the picture and the table.
std::string HistoryHtml(std::span<const HistoryEntry> entries);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HISTORY_H_
