// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `support`: prints how many operators of each class a backend supports (its support map), and its reasons
// against the others. It asks the backend and runs no case.

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/backends/worker/worker.h"
#include "conformance/case/text/json_text.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/cli/pinned_files.h"
#include "conformance/cli/run_arguments.h"
#include "conformance/report/facts.h"
#include "conformance/report/report_formats.h"
#include "conformance/report/support/ask_support.h"
#include "conformance/report/support/support_map.h"
#include "conformance/report/table.h"
#include "conformance/verdict/judge/limits.h"

namespace conformance {
namespace {

struct SupportArguments {
  std::string backend;
  std::string level = "gate";
  Selection selection;
  double timeout = JudgeLimits{}.base_seconds;
  std::string json;
  std::string markdown;
  std::string support_map;
  bool update = false;
};

/// Prints each kind of failure to answer, with the number of cases and the first case.
void PrintFailures(const std::vector<CaseResult>& results) {
  struct Group {
    std::size_t cases = 0;
    std::string line;
  };
  std::map<std::string, Group> groups;
  for (const CaseResult& result : results) {
    if (result.verdict.status != Status::kFail) continue;
    Group& group = groups[fmt::format("{}: {}", FailureClassNameOf(result.verdict.failure), result.verdict.message)];
    if (group.cases++ == 0) group.line = result.judged.line;
  }
  for (const auto& [what, group] : groups) {
    fmt::print("FAIL {} cases {}\n     first: {}\n", group.cases, what, group.line);
  }
}

/// One call of `support`.
class SupportCommand {
 public:
  explicit SupportCommand(SupportArguments arguments) : arguments_(std::move(arguments)) {}

  int Execute() {
    if (const auto level = ParseLevel(arguments_.level)) arguments_.selection.level = *level;
    auto cases = SelectCases(arguments_.selection);
    if (const auto* error = std::get_if<ReadError>(&cases)) return UsageError(error->message);
    for (const std::string& error :
         {map_file_.Open(arguments_.support_map, arguments_.update, arguments_.selection.suites.empty()),
          arguments_.json.empty() ? std::string() : json_.Open(arguments_.json),
          arguments_.markdown.empty() ? std::string() : markdown_.Open(arguments_.markdown)}) {
      if (!error.empty()) return UsageError(error);
    }
    const std::atomic<int>& interrupt = CatchInterrupts();
    Arena arena;
    JudgeLimits limits;
    limits.base_seconds = arguments_.timeout;
    Worker worker(arguments_.backend, arena, &interrupt);
    worker.LimitStart(std::max(Worker::kStartLimit, limits.TimeFor(0)));
    if (const auto error = worker.Start()) {
      fmt::print(stderr, "deconv-cts: {}\n", error->message);
      return error->usage ? kExitUsage : kExitBackend;
    }
    declared_ = worker.capabilities();
    results_ = AskSupport(worker, std::get<std::vector<SuiteCase>>(cases), limits.TimeFor(0),
                          [&interrupt] { return interrupt != 0; });
    return interrupt != 0 ? kExitSignal + interrupt : Report();
  }

 private:
  /// Prints the map, writes the files, and returns the exit code.
  int Report() {
    const SupportMap map = SupportMapOf(results_, declared_);
    const std::string name = declared_.NameAndVersion();
    if (!declared_.answers_supports) {
      fmt::print("the backend does not offer supports, so the map shows only what it declares\n");
    }
    const Table support = SupportTable(map);
    const Table reasons = SupportReasonTable(map);
    fmt::print("{}{}", TableText(support), TableText(reasons));
    PrintFailures(results_);
    fmt::print("{} ({}) supports {} of {} cases of its operators ({})\n", arguments_.backend, name, map.all.supported,
               map.all.total, ShareText(map.all));
    std::string error;
    if (json_.is_open()) {
      nlohmann::ordered_json object = {{"backend", arguments_.backend}, {"calls_itself", name}};
      object.update(SupportToJson(map));
      error = json_.Commit(JsonText(object, 2) + '\n');
    }
    if (error.empty() && markdown_.is_open()) {
      error =
          markdown_.Commit(fmt::format("# What {} supports\n\n{}\n{}{}", MarkdownText(name),
                                       MarkdownText(support.title), MarkdownTable(support), MarkdownTable(reasons)));
    }
    if (!error.empty()) return UsageError(error);
    const bool failed =
        std::ranges::any_of(results_, [](const auto& one) { return one.verdict.status == Status::kFail; });
    const int code = map_file_.Close(map, name, !failed);
    if (failed) return kExitFailures;
    return code == kExitConforms && map.all.supported == 0 ? static_cast<int>(kExitNothingJudged) : code;
  }

  SupportArguments arguments_;
  SupportMapFile map_file_;
  ReportFile json_;
  ReportFile markdown_;
  Capabilities declared_;
  std::vector<CaseResult> results_;
};

}  // namespace

void AddSupportCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("support", "show which operators a backend supports, without running any");
  const auto arguments = std::make_shared<SupportArguments>();
  command->add_option("backend", arguments->backend, "the backend, named as for run --backend")->required();
  AddSandboxOptions(*command);
  command->add_option("--suite", arguments->selection.suites, "use only this suite; may be repeated (default: all)")
      ->allow_extra_args(false);
  command->add_option("--level", arguments->level, "the cases of this level: smoke, gate or full")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command->add_option("--timeout", arguments->timeout, "time limit of each answer in seconds")
      ->check(NumberBetween(0.001, 1e6))
      ->capture_default_str();
  command->add_option("--json", arguments->json, "write the map as JSON to this file");
  command->add_option("--markdown", arguments->markdown, "write the map as a Markdown page to this file");
  command->add_option("--support-map", arguments->support_map,
                      "compare with the map in this file: lost support fails, gained support asks for an update");
  command->add_flag("--update-support-map", arguments->update, "rewrite the file of --support-map");
  command->footer(
      "Examples:\n"
      "  deconv-cts support ./libvendor.so\n"
      "  deconv-cts support cmd:'python3 backend.py' --markdown support.md");
  command->callback([arguments, &exit_code] { exit_code = SupportCommand(*arguments).Execute(); });
}

}  // namespace conformance
