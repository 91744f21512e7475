// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `diff`: compares the JSON reports of two runs, and prints which cases newly fail, are fixed or became
// less exact.

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/report/diff.h"
#include "conformance/report/report_file.h"

namespace conformance {
namespace {

struct DiffArguments {
  std::string old_report;
  std::string new_report;
  std::string fail_on = "newly-failing";
  std::string json;
  DiffOptions options;
};

/// Says that the comparison may hide failures because the report lacks verdicts. Empty if it lacks none.
std::string MissingVerdictsText(const NamedReport& report) {
  const RunDescription& run = report.content.description;
  const bool was_interrupted = run.exit_code >= kExitSignal;
  if (!run.errors.empty())
    return fmt::format("{}: the run could not judge all backends: {}", report.name, run.errors[0]);
  if (report.content.complete && !LacksVerdicts(report.content) && !was_interrupted) return "";
  return fmt::format("{}: the report {}, so the comparison is incomplete; end the run with --resume, or run it again",
                     report.name, report.content.complete ? "lacks verdicts" : "ends before its summary");
}

int Execute(const DiffArguments& arguments) {
  const auto read = ReadReports(std::vector{arguments.old_report, arguments.new_report});
  if (const auto* error = std::get_if<std::string>(&read)) return UsageError(*error);
  const auto& reports = std::get<std::vector<NamedReport>>(read);
  ReportFile json;
  const std::string twice = FileNamedTwice(std::array<NamedFile, 3>{{{"the report", arguments.old_report, false},
                                                                     {"the report", arguments.new_report, false},
                                                                     {"--json", arguments.json}}});
  if (!twice.empty()) return UsageError(twice);
  if (!arguments.json.empty()) {
    if (const std::string error = json.Open(arguments.json); !error.empty()) return UsageError(error);
  }
  const auto compared = DiffReports(reports.front().content, reports.back().content, arguments.options);
  if (const auto* error = std::get_if<std::string>(&compared)) {
    return UsageError(fmt::format("{} and {}: {}", arguments.old_report, arguments.new_report, *error));
  }
  const auto& diff = std::get<ReportDiff>(compared);
  fmt::print("{}", DiffText(diff));
  const bool fails = arguments.fail_on != "none" && diff.CountOf(Change::kNewlyFailing) != 0;
  int exit_code = fails ? kExitFailures : kExitConforms;
  for (const NamedReport& report : reports) {
    const std::string lack = MissingVerdictsText(report);
    if (lack.empty()) continue;
    const int code = UsageError(lack);
    if (!fails) exit_code = code;
  }
  if (!json.is_open()) return exit_code;
  const std::string error = json.Commit(DiffJson(diff, exit_code));
  return error.empty() ? exit_code : UsageError(error);
}

}  // namespace

void AddDiffCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("diff", "compare two JSON reports and show what changed");
  const auto arguments = std::make_shared<DiffArguments>();
  command->add_option("old", arguments->old_report, "the report of the earlier run")->option_text("OLD")->required();
  command->add_option("new", arguments->new_report, "the report of the later run")->option_text("NEW")->required();
  command->add_option("--fail-on", arguments->fail_on, "the change that makes the exit code 1: newly-failing or none")
      ->check(CLI::IsMember({"newly-failing", "none"}))
      ->capture_default_str();
  command
      ->add_option("--drift", arguments->options.drift,
                   "report cases whose largest error/bound grew by more than this factor (and is at least 0.05)")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  command->add_option("--json", arguments->json, "write every change to this file as JSON");
  std::string words;
  for (const ChangeWord& word : kChanges) words += fmt::format("  {:<20} {}\n", word.name, word.sentence);
  command->footer(
      fmt::format("A case can be:\n{}"
                  "Cases of the two reports are matched by id and case line, else by case line, else by id.\n"
                  "Exit codes: 0 no case is newly failing, 1 a case is, 2 a report cannot be read or is incomplete, or "
                  "nothing can be compared.\n\n"
                  "Example:\n"
                  "  deconv-cts diff last-release.jsonl today.jsonl --json changes.json",
                  words));
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
