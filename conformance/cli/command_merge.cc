// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `merge`: joins the reports of shards, which are the parts of a run on several machines, into the report
// of one run. Checks that each case has exactly one verdict.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/cli/pinned_files.h"
#include "conformance/cli/report_files.h"
#include "conformance/report/console.h"
#include "conformance/report/merge.h"
#include "conformance/suite/case_lists/case_lists.h"

namespace conformance {
namespace {

struct MergeArguments {
  std::vector<std::string> reports;
  std::string expect;
  ReportPaths paths;
};

/// Generates the case list of a run again from the description in its report, to name missing cases. The list stays
/// empty for a run of another version or with filters, because its hash differs.
class RegeneratedCaseList {
 public:
  RegeneratedCaseList(const RunDescription& description, std::string hash)
      : description_(description), hash_(std::move(hash)) {}

  /// "suite/name" of a case, or an empty string if the list could not be generated.
  std::string IdOf(std::size_t case_index) {
    if (!case_list_) case_list_ = GenerateAgain();
    return case_index < case_list_->size()
               ? fmt::format("{}/{}", (*case_list_)[case_index].suite, (*case_list_)[case_index].name)
               : "";
  }

 private:
  std::vector<SuiteCase> GenerateAgain() const {
    const auto level = ParseLevel(description_.level);
    if (!level) return {};
    auto cases =
        SelectCases({.suites = description_.suites, .level = *level, .filters = {}, .seed = description_.seed});
    auto* case_list = std::get_if<std::vector<SuiteCase>>(&cases);
    return case_list != nullptr && HashOf(*case_list) == hash_ ? std::move(*case_list) : std::vector<SuiteCase>();
  }

  const RunDescription& description_;
  std::string hash_;
  std::optional<std::vector<SuiteCase>> case_list_;
};

/// Prints the failures and the summary of each backend, as `run` does.
void Print(const std::vector<RunRecord>& runs, const std::string& selection) {
  ConsoleReport console(stdout);
  console.SetSelectionText(selection);
  for (const RunRecord& run : runs) {
    console.Begin(run.backend, run.results.size());
    std::size_t done = 0;
    for (const CaseResult& result : run.results) {
      ++done;
      if (result.verdict.status == Status::kFail) console.OnResult(result, done);
    }
    console.End(run);
  }
}

std::string SelectionText(const RunDescription& description) {
  if (description.suites.empty()) return fmt::format("level {}", description.level);
  return fmt::format("level {}; suites {} only", description.level, fmt::join(description.suites, ", "));
}

/// The exit code of the merged run. If a shard could not load some backend, it is the exit code of this shard.
int ExitCodeOfMerged(const Merged& merged, const std::vector<NamedReport>& reports) {
  if (!merged.complaints.empty()) return kExitFailures;
  for (const NamedReport& report : reports) {
    if (!report.content.description.errors.empty()) return report.content.description.exit_code;
  }
  return ExitCodeOf(merged.content.runs);
}

/// Says how far the merged report is that of the whole run.
std::string_view ProofText(const Merged& merged) {
  if (merged.complaints.empty()) return "every case of the case list has exactly one verdict on each backend";
  return LacksVerdicts(merged.content)
             ? "the case list is incomplete, see the lines above"
             : "every case has a verdict, but a shard or a case is given twice, or a report ends early, see "
               "the lines above";
}

int Execute(const MergeArguments& arguments) {
  const auto read = ReadReports(arguments.reports);
  if (const auto* error = std::get_if<std::string>(&read)) return UsageError(*error);
  const auto& reports = std::get<std::vector<NamedReport>>(read);
  ExpectationsFile expectations;
  if (const std::string error = expectations.Open(arguments.expect, false); !error.empty()) return UsageError(error);
  std::vector<NamedFile> inputs = {{"--expect", arguments.expect, false}};
  for (const std::string& report : arguments.reports) inputs.push_back({"a shard", report, false});
  if (const std::string error = FileNamedTwice(arguments.paths, inputs); !error.empty()) return UsageError(error);
  ReportFiles files;
  if (const std::string error = files.Open(arguments.paths); !error.empty()) return UsageError(error);

  RegeneratedCaseList case_list(reports.front().content.description,
                                reports.front().content.runs.front().case_list_hash);
  auto merge_result = MergeReports(reports, [&](std::size_t case_index) { return case_list.IdOf(case_index); });
  if (const auto* error = std::get_if<std::string>(&merge_result)) return UsageError(*error);
  auto& merged = std::get<Merged>(merge_result);
  std::vector<RunRecord>& runs = merged.content.runs;
  if (!arguments.expect.empty()) {
    for (RunRecord& run : runs) {
      for (CaseResult& result : run.results) MarkExpected(expectations.entries(), result);
    }
  }
  // Without --expect here, only the shards have compared their verdicts with expectations (entries for known failures).
  // An entry is stale if its cases pass.
  const bool shard_was_stale = arguments.expect.empty() && std::ranges::any_of(reports, [](const NamedReport& report) {
                                 return report.content.description.exit_code == kExitExpectations;
                               });
  // An entry may be for another backend. With several backends, Close() below compares the entries with all of them.
  const std::size_t complaints = runs.size() == 1 ? expectations.ComplaintsOf(runs) : 0;
  for (RunRecord& run : runs) run.stale_expectations = shard_was_stale ? 1 : complaints;
  Print(runs, SelectionText(merged.content.description));
  const int expectations_code = !arguments.expect.empty() ? expectations.Close(runs, Reach::kNone)
                                                          : (shard_was_stale ? kExitExpectations : kExitConforms);
  int exit_code = ExitCodeOfMerged(merged, reports);
  if (exit_code == kExitConforms) exit_code = expectations_code;

  for (const std::string& line : merged.complaints) fmt::print(stderr, "deconv-cts: {}\n", line);
  std::size_t verdicts = 0;
  for (const RunRecord& run : runs) verdicts += run.results.size();
  fmt::print("{} reports, {} verdicts: {}\n", reports.size(), verdicts, ProofText(merged));
  merged.content.description.exit_code = exit_code;
  std::ranges::copy(merged.complaints, std::back_inserter(merged.content.description.errors));
  return files.Commit(SummariesOf(runs), merged.content.description) ? exit_code : kExitUsage;
}

}  // namespace

void AddMergeCommand(CLI::App& program, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("merge", "merge the JSON reports of a run's shards and check that no case is missing");
  const auto arguments = std::make_shared<MergeArguments>();
  command
      ->add_option("report", arguments->reports,
                   "the files of run --shard I/N --json, one for each shard, in any order")
      ->option_text("REPORT...")
      ->required();
  command->add_option("--expect", arguments->expect, "TOML file of known failures, compared with all shards together");
  AddReportOptions(*command, arguments->paths);
  command->footer(
      "Exit codes: those of the whole run; 1 also if a shard is missing, doubled or incomplete, or a case is missing;\n"
      "2 if a report cannot be read or belongs to another run. The merged report is written in all cases but the "
      "last.\n\n"
      "Example:\n"
      "  deconv-cts merge shard-0.jsonl shard-1.jsonl shard-2.jsonl shard-3.jsonl --json whole.jsonl");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
