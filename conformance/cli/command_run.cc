// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// `run` and `replay`: cases against backends, and what came of it as text, files and exit code.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/process_door.h"
#include "conformance/case/filter_file.h"
#include "conformance/case_lists/frozen_lists.h"
#include "conformance/case_lists/list_hash.h"
#include "conformance/cli/amount.h"
#include "conformance/cli/causes.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/expectations_file.h"
#include "conformance/cli/input.h"
#include "conformance/cli/interrupt.h"
#include "conformance/cli/report_files.h"
#include "conformance/cli/run_journal.h"
#include "conformance/cli/version.h"
#include "conformance/report/comparison.h"
#include "conformance/report/console.h"
#include "conformance/report/coverage_text.h"
#include "conformance/report/journal.h"
#include "conformance/run/shard.h"
#include "conformance/text/nearest.h"

namespace conformance {
namespace {

struct RunArguments {
  std::vector<std::string> backends;
  std::vector<std::string> inputs;
  Selection selection;
  std::string level;
  int jobs = 0;
  double timeout = JudgeLimits{}.base_seconds;
  double memory_gib = std::ldexp(JudgeLimits{}.bytes, -30);
  double worker_memory_gib = std::ldexp(JudgeLimits{}.worker_bytes, -30);
  std::string shard;
  bool resume = false;
  std::string expect;
  bool update_expectations = false;
  std::string journal;
  bool list_coverage = false;
  double diagnosis_seconds = 20;
  bool details = false;  ///< of failures: their taps and pictures
  ReportPaths reports;
};

std::variant<std::vector<SuiteCase>, ReadError> DraftOf(const RunArguments& arguments) {
  if (arguments.inputs.empty()) return SelectCases(arguments.selection);
  std::vector<SuiteCase> case_list;
  for (const std::string& input : arguments.inputs) {
    auto cases = CasesOf(input);
    if (auto* error = std::get_if<ReadError>(&cases)) return *error;
    std::ranges::move(std::get<std::vector<SuiteCase>>(cases), std::back_inserter(case_list));
  }
  for (SuiteCase& planned : case_list) planned.test_case.seed += arguments.selection.seed;
  return case_list;
}

/// Empty, or which case's file of filter values cannot be read and why. Found before a run, it costs none. Cases that
/// need more than `bytes` are not run, and their files not read.
std::string UnreadableValues(const std::vector<SuiteCase>& case_list, std::uint64_t bytes) {
  for (const SuiteCase& planned : case_list) {
    const Case& test_case = planned.test_case;
    if (!test_case.filter_values || DemandOf(test_case).bytes > bytes) continue;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
    if (!resolution.ok()) continue;
    const auto elements = static_cast<std::size_t>(resolution.geometry->FilterCount());
    std::vector<std::byte> filter(elements * oracle::ElementBytes(resolution.geometry->type));
    if (std::string error = ReadFilter(*test_case.filter_values, *resolution.geometry, filter); !error.empty()) {
      return fmt::format("{}/{}: {}", planned.suite, planned.name, error);
    }
  }
  return "";
}

/// A program on disk as it stands now, or "" of what is none.
std::string FileIdentity(const std::string& path) {
  std::error_code error;
  const auto file = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return "";
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), std::filesystem::file_size(file, error), written);
}

/// A library, or every file that is a word of a command ("cmd:python3 backend.py"), as they stand now.
std::string BackendIdentity(const std::string& backend) {
  if (!backend.starts_with(kProcessPrefix)) return FileIdentity(backend.substr(0, backend.find('?')));
  std::istringstream command(backend.substr(kProcessPrefix.size()));
  std::string identity;
  for (std::string word; command >> word;) {
    std::erase_if(word, [](char c) { return c == '\'' || c == '"'; });
    identity += FileIdentity(word) + '\n';
  }
  return identity;
}

/// Of all that the verdicts follow from: a run may be resumed by one with the same key alone. What a command reaches
/// by other ways than its words is not seen.
std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard) {
  ListHash hash;
  hash.Add(kSuiteVersion, HashOf(case_list));
  hash.Add(fmt::format("{}/{}", shard.index, shard.count), FileIdentity("/proc/self/exe"));
  hash.Add(fmt::format("{} {} {}", arguments.timeout, arguments.memory_gib, arguments.worker_memory_gib), "");
  for (const std::string& backend : arguments.backends) {
    hash.Add(backend, BackendIdentity(backend));
  }
  std::set<std::string> values;
  for (const SuiteCase& planned : case_list) {
    if (const auto& file = planned.test_case.filter_values) values.insert(file->path);
  }
  for (const std::string& path : values) hash.Add(path, FileIdentity(path));
  return hash.Text();
}

JudgeLimits LimitsOf(const RunArguments& arguments) {
  JudgeLimits limits;
  limits.base_seconds = arguments.timeout;
  limits.shrink_seconds = 5;  // once in a while somebody waits for it, and saves a day
  limits.bytes = static_cast<std::uint64_t>(std::ldexp(arguments.memory_gib, 30));
  limits.worker_bytes = static_cast<std::uint64_t>(std::ldexp(arguments.worker_memory_gib, 30));
  return limits;
}

/// What was chosen of all that there is, for a person.
std::string SelectionText(const RunArguments& arguments, const Shard& shard) {
  std::vector<std::string> words;
  if (arguments.inputs.empty()) {
    const auto& [suites, level, filters, seed] = arguments.selection;
    words.push_back(fmt::format("level {}", LevelName(level)));
    if (!suites.empty()) words.push_back(fmt::format("suites {} alone", fmt::join(suites, ", ")));
    if (!filters.empty()) words.push_back(fmt::format("filter {}", fmt::join(filters, ", ")));
  }
  if (shard.count > 1) words.push_back(fmt::format("shard {} of {}", shard.index, shard.count));
  return fmt::format("{}", fmt::join(words, "; "));
}

int Execute(RunArguments arguments) {
  if (arguments.backends.empty()) arguments.backends = {"kernel"};
  if (const auto level = ParseLevel(arguments.level)) arguments.selection.level = *level;
  if (arguments.jobs <= 0) arguments.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));

  if (!arguments.inputs.empty() && !(arguments.selection.suites.empty() && arguments.selection.filters.empty())) {
    return UsageError("--suite and --filter choose among the suites' cases, expected no case or file beside them");
  }
  if (std::set(arguments.backends.begin(), arguments.backends.end()).size() != arguments.backends.size()) {
    return UsageError("--backend: one is named twice, expected each once");
  }
  // Cases given by hand are the same in every job of a CI system.
  const Environment nothing = [](const char*) { return std::nullopt; };
  const auto chosen = ChooseShard(arguments.shard, arguments.inputs.empty() ? ProcessEnvironment : nothing);
  if (const auto* error = std::get_if<std::string>(&chosen)) return UsageError(*error);
  const auto& [shard, source] = std::get<ChosenShard>(chosen);
  auto planned = DraftOf(arguments);
  if (auto* error = std::get_if<ReadError>(&planned)) return UsageError(error->message);
  const auto& case_list = std::get<std::vector<SuiteCase>>(planned);
  const JudgeLimits limits = LimitsOf(arguments);
  if (const std::string error = UnreadableValues(case_list, limits.bytes); !error.empty()) return UsageError(error);
  ExpectationsFile expectations;
  if (const std::string error = expectations.Open(arguments.expect, arguments.update_expectations); !error.empty())
    return UsageError(error);
  ReportFiles files;
  if (const std::string error = files.Open(arguments.reports); !error.empty()) return UsageError(error);
  if (!source.empty()) fmt::print("shard {} of {} ({})\n", shard.index, shard.count, source);

  RunDescription description;
  description.suite_version = kSuiteVersion;
  description.level = LevelName(arguments.selection.level);
  description.suites = arguments.selection.suites;
  description.seed = arguments.selection.seed;
  description.case_list = arguments.inputs.empty()
                              ? CaseListOrigin(case_list, arguments.selection.level, BuiltInFrozenLists())
                              : "cases given by hand";
  description.key = KeyOf(arguments, case_list, shard);

  // A handful of cases given by hand is not worth a journal.
  RunJournal journal;
  if (arguments.inputs.empty() || arguments.resume || !arguments.journal.empty()) {
    const std::string path = arguments.journal.empty() ? JournalPath(description.key) : arguments.journal;
    journal.Open(path, arguments.resume, description.key);
  }

  ConsoleReport console(stdout);
  if (!arguments.inputs.empty()) console.TellRefusals();
  console.TellSelection(SelectionText(arguments, shard));
  const std::atomic<int>& interrupt = CatchInterrupts();
  std::vector<RunRecord> runs;
  int load_error = kExitConforms;
  for (const std::string& backend : arguments.backends) {
    if (interrupt != 0) break;
    RunOptions options{.backend = backend,
                       .jobs = arguments.jobs,
                       .limits = limits,
                       .shard = shard,
                       .known = journal.KnownOf(backend)};
    options.limits.interrupt = &interrupt;
    auto run = RunCases(case_list, options,
                        {.on_start =
                             [&](const RunRecord& record, std::size_t cases) {
                               console.Begin(backend, cases);
                               journal.Begin(record, description, cases);
                             },
                         .on_judged = [&](CaseResult& result) { MarkExpected(expectations.entries(), result); },
                         .on_result =
                             [&](const CaseResult& result, std::size_t done) {
                               journal.Add(backend, result);
                               console.OnResult(result, done);
                               if (arguments.details) fmt::print("{}", DetailsOf(result, console.colours()));
                             }});
    if (auto* error = std::get_if<BackendError>(&run)) {
      // The others' verdicts stand, and their reports are written.
      fmt::print(stderr, "deconv-cts: {}\n", error->message);
      description.errors.push_back(error->message);
      if (load_error == kExitConforms) load_error = error->usage ? kExitUsage : kExitBackend;
      continue;
    }
    runs.push_back(std::get<RunRecord>(std::move(run)));
    runs.back().replay = arguments.details;
    // A handful of cases given by hand is not meant to cover anything.
    if (arguments.inputs.empty() || arguments.list_coverage) runs.back().coverage = CoverageOf(runs.back());
    if (arguments.list_coverage) fmt::print("{}", CoverageList(*runs.back().coverage));
    // One file may serve several backends: then its entries are held against all of them together, below.
    const bool alone = arguments.backends.size() == 1 && interrupt == 0;
    if (alone) runs.back().stale_expectations = expectations.ComplaintsOf(runs);
    console.End(runs.back());
    if (interrupt == 0) FindCauses(runs.back(), options.limits, arguments.diagnosis_seconds);
  }
  fmt::print("{}", ComparisonText(runs));
  if (runs.empty() && load_error != kExitConforms) {
    journal.End(!arguments.resume);  // nothing was judged, so that one that began anew holds nothing
    return interrupt != 0 ? kExitSignal + interrupt : load_error;
  }
  const bool whole = interrupt == 0 && load_error == kExitConforms;
  const bool all_cases = arguments.inputs.empty() && arguments.selection.suites.empty() &&
                         arguments.selection.filters.empty() && shard.count == 1;
  const int expectations_code = whole ? expectations.Close(runs, all_cases) : kExitConforms;
  description.exit_code = load_error != kExitConforms ? load_error : ExitCodeOf(runs);
  if (description.exit_code == kExitConforms) description.exit_code = expectations_code;
  if (interrupt != 0) description.exit_code = kExitSignal + interrupt;
  if (case_list.empty()) fmt::print(stderr, "deconv-cts: no case was selected\n");
  const bool written = files.Commit(runs, description);
  journal.End(whole && written);
  return written ? description.exit_code : kExitUsage;
}

void AddBackendOptions(CLI::App& command, RunArguments& arguments) {
  // One value a flag: what follows is a case.
  command
      .add_option(
          "--backend", arguments.backends,
          "kernel (default), oracle, onednn, fault:NAME, a shared library's path or cmd:COMMAND; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--jobs", arguments.jobs, "workers at once (default: one a core)")->check(CLI::Range(1, 256));
  command
      .add_option("--timeout", arguments.timeout,
                  "seconds that each run of the backend gets on top of a share for its work")
      ->check(AmountOf(0.001, 1e6))
      ->capture_default_str();
  command.add_option("--memory", arguments.memory_gib, "GiB that all workers may use together")
      ->check(AmountOf(0.001, 1e6))
      ->capture_default_str();
  command
      .add_option("--worker-memory", arguments.worker_memory_gib,
                  "GiB that a backend's process may hold of its own, or four times what a large case needs")
      ->check(AmountOf(0.001, 1e6))
      ->capture_default_str();
  command.add_option("--seed", arguments.selection.seed, "added to every case's seed of values")
      ->check(WholeNumber())
      ->capture_default_str();
  command
      .add_option("--diagnosis-seconds", arguments.diagnosis_seconds,
                  "how long to look for the causes of failures; 0: not at all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--expect", arguments.expect, "a file of known failures (conformance/run/expectations.md)");
  command.add_flag("--update-expectations", arguments.update_expectations,
                   "write that file anew: without what passes, with what failed unexpectedly");
  AddReportOptions(command, arguments.reports);
}

}  // namespace

void AddRunCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("run", "judge backends on suites, or on the given cases and files");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->level = "gate";
  AddBackendOptions(*command, *arguments);
  command->add_option("--suite", arguments->selection.suites, "only this suite; may be repeated (default: all)")
      ->allow_extra_args(false);
  command->add_option("--level", arguments->level, "smoke (seconds), gate (a minute) or full (everything)")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command
      ->add_option("--filter", arguments->selection.filters,
                   "only cases whose suite/name matches this glob; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--shard", arguments->shard,
                      "I/N: the I-th of N parts, from 0; /N: I is JOB_COMPLETION_INDEX (default: what GoogleTest's, "
                      "Bazel's, GitLab's or Slurm's variables say)");
  command->add_flag("--resume", arguments->resume,
                    "go on where the same command was killed or interrupted, from its journal");
  command->add_option("--journal", arguments->journal,
                      "keep the journal in this file (default: in ~/.local/state/deconv-cts until the run is whole)");
  command->add_flag("--coverage", arguments->list_coverage,
                    "list what the judged cases leave uncovered: combinations of classes, clauses, tap regimes");
  command
      ->add_option("case", arguments->inputs,
                   "case lines, ids of cases (suite/name), layer XML files, files of case lines")
      ->option_text("[CASE|ID|FILE...]");
  command->footer(
      "Examples:\n"
      "  deconv-cts run\n"
      "  deconv-cts run --backend ./libvendor.so --level smoke --junit report.xml\n"
      "  deconv-cts run --backend onednn --suite attributes --filter 'attributes/*f32*'\n"
      "  deconv-cts run model.xml");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

void AddReplayCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("replay", "run the given cases once more, as a failure's last line says");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->details = true;
  AddBackendOptions(*command, *arguments);
  command
      ->add_option("case", arguments->inputs,
                   "case lines, ids of cases (suite/name), layer XML files, files of case lines")
      ->option_text("CASE|ID|FILE...")
      ->required();
  command->footer(
      "Example:\n"
      "  deconv-cts replay --backend fault:filter_flipped "
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
