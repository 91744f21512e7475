// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The report files that a command line asks for, such as --json FILE. All files are opened before the run, so that a
// bad path is found at once. They are written at the end of the run.

#ifndef DECONV_CONFORMANCE_CLI_REPORT_FILES_H_
#define DECONV_CONFORMANCE_CLI_REPORT_FILES_H_

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/report/report_file.h"
#include "conformance/report/summary.h"

namespace conformance {

inline constexpr std::size_t kReportFormats = 6;

/// The path of each report, in the order of the options. The path of a report that is not wanted is empty.
using ReportPaths = std::array<std::string, kReportFormats>;

/// --junit, --json, --html, --sarif, --markdown and --ctrf.
void AddReportOptions(CLI::App& command, ReportPaths& paths);

/// Compares the files of the reports and `others` by FileNamedTwice() of report_file.h.
std::string FileNamedTwice(const ReportPaths& reports, const std::vector<NamedFile>& others);

/// The opened report files.
class ReportFiles {
 public:
  /// Opens all files. Returns an empty string, or what is wrong with a path.
  std::string Open(const ReportPaths& paths);
  /// Writes every file that can be written. Names the others on stderr and returns false if there are any.
  bool Commit(std::span<const RunSummary> runs, const RunDescription& description);

 private:
  std::array<ReportFile, kReportFormats> files_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_REPORT_FILES_H_
