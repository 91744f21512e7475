// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds one line for each run to the history file, with the time and the revision of the backend's source. The command
// `report` reads the file, prints its last runs as a table, and writes the picture (SVG) and the page (HTML).

#include "conformance/cli/history/history.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "conformance/report/history.h"
#include "conformance/report/report_file.h"
#include "conformance/report/table.h"

namespace conformance {
namespace {

std::string Now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

/// The revision that the CI system tells in a variable, or an empty string.
std::string RevisionOfCi() {
  for (const char* name : {"GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace

std::string CheckHistory(const std::string& path) { return path.empty() ? "" : AppendHistory(path, ""); }

bool WriteHistory(const std::string& path, std::span<const RunSummary> runs, const RunDescription& description,
                  const std::string& revision) {
  if (path.empty()) return true;
  const auto entries = HistoryOf(runs, description, Now(), revision.empty() ? RevisionOfCi() : revision);
  const std::string error = AppendHistory(path, HistoryLines(entries));
  if (!error.empty()) fmt::print(stderr, "deconv-cts: {}\n", error);
  return error.empty();
}

namespace {

struct ReportArguments {
  std::string history, svg, html;
};

constexpr int kUsage = 2;

int Complain(const std::string& message) {
  fmt::print(stderr, "deconv-cts: {}\n", message);
  return kUsage;
}

int Execute(const ReportArguments& arguments) {
  const std::string twice = FileNamedTwice(std::array<NamedFile, 3>{
      {{"--history", arguments.history, false}, {"--svg", arguments.svg}, {"--html", arguments.html}}});
  if (!twice.empty()) return Complain(twice);
  const auto text = ReadWholeFile(arguments.history, kMostBytesOfList);
  if (!text) {
    return Complain(errno == EFBIG ? fmt::format("{}: is longer than 64 MiB; keep its last lines", arguments.history)
                                   : fmt::format("{}: cannot be read: {}", arguments.history, std::strerror(errno)));
  }
  const auto read = ReadHistory(*text);
  if (const auto* error = std::get_if<std::string>(&read)) {
    return Complain(fmt::format("{}: {}", arguments.history, *error));
  }
  const auto& entries = std::get<std::vector<HistoryEntry>>(read);
  if (entries.empty()) return Complain(fmt::format("{}: holds no run; run --history adds one", arguments.history));
  fmt::print("{}", TableText(HistoryTable(entries)));
  for (const auto& [path, make] : {std::pair{&arguments.svg, &HistorySvg}, {&arguments.html, &HistoryHtml}}) {
    if (path->empty()) continue;
    ReportFile report;
    std::string error = report.Open(*path);
    if (error.empty()) error = report.Commit(make(entries));
    if (!error.empty()) return Complain(error);
  }
  return 0;
}

}  // namespace

void AddReportCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("report", "show passes, failures and time of past runs over revisions");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("--history", arguments->history, "the file of run --history")->required();
  command->add_option("--svg", arguments->svg, "draw the runs into this SVG file");
  command->add_option("--html", arguments->html, "write a page with the picture and all runs to this file");
  command->footer(
      "Example:\n"
      "  deconv-cts run --backend ./libvendor.so --history runs.jsonl\n"
      "  deconv-cts report --history runs.jsonl --html history.html");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
