// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of the report formats with their options. Opens the files of the wanted formats before a run, and writes
// them at its end.

#include "conformance/cli/report_files.h"

#include <exception>

#include <fmt/format.h>

#include "conformance/report/json.h"
#include "conformance/report/report_formats.h"

namespace conformance {
namespace {

using Runs = std::span<const RunSummary>;

/// A report format: its option, the help text of the option, and the function that makes the report.
struct Format {
  const char* option;
  const char* help;
  std::string (*make)(Runs runs, const RunDescription& description);
};

constexpr std::array<Format, kReportFormats> kFormats = {{
    {"--junit", "write a JUnit XML report to this file",
     [](Runs runs, const RunDescription& description) { return JunitReport(runs, description); }},
    {"--json", "write a JSON-lines report to this file",
     [](Runs runs, const RunDescription& description) { return JsonReport(runs, description); }},
    {"--html", "write a self-contained HTML report to this file",
     [](Runs runs, const RunDescription& description) { return HtmlReport(runs, description); }},
    {"--sarif", "write a SARIF 2.1.0 report to this file, for code scanning",
     [](Runs runs, const RunDescription& description) { return SarifReport(runs, description); }},
    {"--markdown", "write a Markdown report to this file, for the summary of a CI job",
     [](Runs runs, const RunDescription& description) { return MarkdownReport(runs, description); }},
    {"--ctrf", "write a JSON report in the Common Test Report Format to this file",
     [](Runs runs, const RunDescription& description) { return CtrfReport(runs, description); }},
}};

}  // namespace

void AddReportOptions(CLI::App& command, ReportPaths& paths) {
  for (std::size_t i = 0; i < kFormats.size(); ++i) command.add_option(kFormats[i].option, paths[i], kFormats[i].help);
}

std::string FileNamedTwice(const ReportPaths& reports, const std::vector<NamedFile>& others) {
  std::vector<NamedFile> files;
  for (std::size_t i = 0; i < reports.size(); ++i) files.push_back({kFormats[i].option, reports[i]});
  files.insert(files.end(), others.begin(), others.end());
  return FileNamedTwice(files);
}

std::string ReportFiles::Open(const ReportPaths& paths) {
  if (std::string error = FileNamedTwice(paths, {}); !error.empty()) return error;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    if (std::string error = files_[i].Open(paths[i]); !error.empty()) return error;
  }
  return "";
}

bool ReportFiles::Commit(std::span<const RunSummary> runs, const RunDescription& description) {
  bool written = true;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (!files_[i].is_open()) continue;
    std::string error;
    try {
      error = files_[i].Commit(kFormats[i].make(runs, description));
    } catch (const std::exception& failure) {  // memory, most likely; the other reports may need less
      error = fmt::format("the report of {} could not be created: {}", kFormats[i].option, failure.what());
    }
    if (error.empty()) continue;
    fmt::print(stderr, "deconv-cts: {}\n", error);
    written = false;
  }
  return written;
}

}  // namespace conformance
