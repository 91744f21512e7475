// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands `run` and `replay`: run cases (operators with values) on backends (libraries under test), and report the
// verdicts as text, files and exit code. `run` selects cases of the suites, or takes cases that the command line names.
// `replay` prints details of named cases.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/given_values.h"
#include "conformance/cli/causes.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/history/history.h"
#include "conformance/cli/input.h"
#include "conformance/cli/pinned_files.h"
#include "conformance/cli/run_arguments.h"
#include "conformance/cli/run_journal.h"
#include "conformance/cli/version.h"
#include "conformance/report/console.h"
#include "conformance/report/facts.h"
#include "conformance/report/table.h"
#include "conformance/suite/case_lists/case_lists.h"
#include "conformance/suite/measured_coverage/novelty_order.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

/// The cases that the arguments name, or the selected cases of the suites if no case is named.
std::variant<std::vector<SuiteCase>, ReadError> CaseListOf(const RunArguments& arguments) {
  if (arguments.inputs.empty()) return SelectCases(arguments.selection);
  std::vector<SuiteCase> case_list;
  for (const std::string& input : arguments.inputs) {
    auto cases = CasesOf(input);
    if (auto* error = std::get_if<ReadError>(&cases)) return *error;
    std::ranges::move(std::get<std::vector<SuiteCase>>(cases), std::back_inserter(case_list));
  }
  // SelectCases above adds --seed itself.
  for (SuiteCase& suite_case : case_list) suite_case.test_case.seed += arguments.selection.seed;
  return case_list;
}

/// Checks before the run that the values of all cases can be read. Returns an empty string, or which values cannot be
/// read and why. Cases that need more than `bytes` are not run, so their files are not read.
std::string UnreadableValues(const std::vector<SuiteCase>& case_list, std::uint64_t bytes) {
  for (const SuiteCase& suite_case : case_list) {
    const Case& test_case = suite_case.test_case;
    if ((!HasFiles(test_case) && !test_case.given_data && !test_case.given_filter) ||
        EstimateResources(test_case).bytes > bytes)
      continue;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
    if (!resolution.ok()) continue;
    const oracle::Geometry& geometry = *resolution.geometry;
    const std::size_t element = oracle::ElementBytes(geometry.type);
    std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * element);
    std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * element);
    if (std::string error = FillOperands(test_case, geometry, data, filter); !error.empty()) {
      return fmt::format("{}/{}: {}", suite_case.suite, suite_case.name, error);
    }
  }
  return "";
}

/// One call of `run` or `replay`, in the order check, run, report.
class RunCommand {
 public:
  explicit RunCommand(RunArguments arguments) : arguments_(std::move(arguments)) { FillDefaults(); }

  int Execute() {
    if (const std::string error = Check(); !error.empty()) return UsageError(error);
    if (!shard_.source.empty()) {
      fmt::print("shard {} of {} ({})\n", shard_.shard.index, shard_.shard.count, shard_.source);
    }
    FillDescription();
    OpenJournal();
    if (by_hand()) console_.PrintRefusals();  // the suites have too many refusals to print
    console_.SetSelectionText(SelectionText(arguments_, shard_.shard));
    interrupt_ = &CatchInterrupts();
    for (const std::string& backend : arguments_.backends) {
      if (interrupted()) break;
      RunBackend(backend);
    }
    return Report();
  }

 private:
  /// Whether the command line names the cases, instead of selecting cases of the suites.
  bool by_hand() const { return !arguments_.inputs.empty(); }
  bool interrupted() const { return *interrupt_ != 0; }

  void FillDefaults() {
    if (arguments_.backends.empty()) arguments_.backends = {"kernel"};
    if (const auto level = ParseLevel(arguments_.level)) arguments_.selection.level = *level;
    if (arguments_.jobs <= 0) arguments_.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    limits_ = LimitsOf(arguments_);
    const Selection& selected = arguments_.selection;
    // The suite `dense` holds sweeps of 200,000 operators, which take a backend in a process of its own very long.
    limits_.dense_to_processes = by_hand() || selected.level == Level::kFull ||
                                 std::ranges::find(selected.suites, "dense") != selected.suites.end();
  }

  /// Opens all files that the run needs. Returns an empty string, or what is wrong with the command line.
  std::string Check() {
    if (by_hand() && !(arguments_.selection.suites.empty() && arguments_.selection.filters.empty())) {
      return "--suite and --filter select cases of the suites; do not combine them with cases or files";
    }
    if (std::set(arguments_.backends.begin(), arguments_.backends.end()).size() != arguments_.backends.size()) {
      return "--backend: a backend is named twice; name each one once";
    }
    // Cases given by hand are the same in every job of a CI system.
    const Environment nothing = [](const char*) { return std::nullopt; };
    auto shard = ChooseShard(arguments_.shard, by_hand() ? nothing : ProcessEnvironment);
    if (auto* error = std::get_if<std::string>(&shard)) return std::move(*error);
    shard_ = std::get<ChosenShard>(std::move(shard));
    auto case_list = CaseListOf(arguments_);
    if (auto* error = std::get_if<ReadError>(&case_list)) return std::move(error->message);
    case_list_ = std::get<std::vector<SuiteCase>>(std::move(case_list));
    if (std::string error = UnreadableValues(case_list_, limits_.bytes); !error.empty()) return error;
    if (std::string error = FileNamedTwice(arguments_.reports, OtherFiles()); !error.empty()) return error;
    if (std::string error = expectations_.Open(arguments_.expect, arguments_.update_expectations); !error.empty()) {
      return error;
    }
    if (!arguments_.support_map.empty() && arguments_.backends.size() != 1) {
      return "--support-map: a map is of one backend; run each backend by itself";
    }
    std::string error =
        support_map_.Open(arguments_.support_map, arguments_.update_support_map, ReachOfRun() == Reach::kAll);
    if (!error.empty()) return error;
    if (error = CheckHistory(arguments_.history); !error.empty()) return error;
    return files_.Open(arguments_.reports);
  }

  /// The files of the run that are no reports.
  std::vector<NamedFile> OtherFiles() const {
    std::vector<NamedFile> files = {{"--journal", arguments_.journal},
                                    {"--history", arguments_.history},
                                    {"--expect", arguments_.expect, arguments_.update_expectations},
                                    {"--support-map", arguments_.support_map, arguments_.update_support_map}};
    std::error_code error;
    for (const std::string& input : arguments_.inputs) {
      if (std::filesystem::is_regular_file(input, error)) files.push_back({"the cases", input, false});
    }
    return files;
  }

  void FillDescription() {
    description_.suite_version = kSuiteVersion;
    description_.level = LevelName(arguments_.selection.level);
    description_.suites = arguments_.selection.suites;
    description_.seed = arguments_.selection.seed;
    description_.case_list = by_hand() ? "cases given by hand"
                                       : CaseListOrigin(case_list_, arguments_.selection.level, BuiltInFrozenLists());
    description_.key = KeyOf(arguments_, case_list_, shard_.shard);
  }

  /// Opens the journal, which receives each verdict so that --resume can continue a killed run. A few cases given by
  /// hand need no journal.
  void OpenJournal() {
    if (by_hand() && !arguments_.resume && arguments_.journal.empty()) return;
    journal_.Open(arguments_.journal, arguments_.resume, description_.key);
  }

  RunEvents EventsOf(const std::string& backend) {
    return {.on_start =
                [this, backend](const RunRecord& record, std::size_t cases) {
                  console_.Begin(backend, cases);
                  journal_.Begin(record, description_, cases);
                },
            .on_long_case =
                [](const SuiteCase& suite_case, const std::string& text) {
                  fmt::print(stderr, "deconv-cts: {}/{}: {}\n", suite_case.suite, suite_case.name, text);
                },
            .on_judged = [this](CaseResult& result) { MarkExpected(expectations_.entries(), result); },
            .on_result =
                [this, backend](const CaseResult& result, std::size_t done) {
                  journal_.Add(backend, result);
                  console_.OnResult(result, done);
                  if (arguments_.details) fmt::print("{}", DetailsOf(result, console_.colours()));
                }};
  }

  void RunBackend(const std::string& backend) {
    RunOptions options{.backend = backend,
                       .jobs = arguments_.jobs,
                       .limits = limits_,
                       .shard = shard_.shard,
                       .max_hangs = arguments_.max_hangs,
                       .known = journal_.RecordedResultsOf(backend)};
    options.limits.interrupt = interrupt_;
    if (arguments_.budget_seconds > 0) {
      options.budget_seconds = arguments_.budget_seconds;
      options.budget_order = [this](const Capabilities& declared) { return BudgetOrder(declared); };
    }
    auto run = RunCases(case_list_, options, EventsOf(backend));
    if (auto* error = std::get_if<BackendError>(&run)) {
      // The verdicts on the other backends stand, and their reports are written.
      fmt::print(stderr, "deconv-cts: {}\n", error->message);
      description_.errors.push_back(error->message);
      if (load_exit_code_ == kExitConforms) load_exit_code_ = error->usage ? kExitUsage : kExitBackend;
      return;
    }
    RunRecord& record = runs_.emplace_back(std::get<RunRecord>(std::move(run)));
    record.replay = arguments_.details;
    // One file may serve several backends: then its entries are compared with all of them together, in Report().
    const bool alone = arguments_.backends.size() == 1 && !interrupted();
    // The summary counts expected failures. If expectations name causes, the causes must be found before.
    const bool finds_causes_first = expectations_.has_causes() && !interrupted();
    if (finds_causes_first) {
      PrintCauses(record, options.limits, arguments_.diagnosis_seconds);
      expectations_.MarkByCause(record);
    }
    if (alone) record.stale_expectations = expectations_.ComplaintsOf(runs_);
    console_.End(record);
    if (!finds_causes_first && !interrupted()) PrintCauses(record, options.limits, arguments_.diagnosis_seconds);
  }

  /// The order of the cases in a run with a time limit: the case that adds the most new combinations comes first. Cases
  /// that the backend does not support come last (a null case).
  std::vector<std::size_t> BudgetOrder(const Capabilities& declared) const {
    std::vector<CaseWithDialect> cases;
    for (const SuiteCase& suite_case : case_list_) {
      const Case& one = suite_case.test_case;
      const auto dialect = declared.JudgingDialect(one.op, one.EffectiveDialect());
      const bool runs = dialect && declared.UnsupportedReason(suite_case.neighbour.value_or(one.op), *dialect).empty();
      cases.push_back(runs ? CaseWithDialect{&one, *dialect} : CaseWithDialect{});
    }
    return NoveltyOrder(cases);
  }

  /// How much of the suites the run covers: entries that --update-expectations writes may match no case that was not
  /// run.
  Reach ReachOfRun() const {
    if (arguments_.budget_seconds > 0) return Reach::kNone;
    if (by_hand() || !arguments_.selection.filters.empty() || shard_.shard.count != 1) return Reach::kNone;
    return arguments_.selection.suites.empty() ? Reach::kAll : Reach::kSuite;
  }

  /// Writes the files and returns the exit code.
  int Report() {
    const std::vector<RunSummary> summaries = SummariesOf(runs_);
    for (const Table& table : ComparisonTables(summaries)) fmt::print("{}", TableText(table));
    if (runs_.empty() && load_exit_code_ != kExitConforms) {
      // No case was judged, so a new journal is removed. A journal of --resume holds earlier verdicts and stays.
      journal_.End(!arguments_.resume);
      return interrupted() ? kExitSignal + *interrupt_ : load_exit_code_;
    }
    const bool whole = !interrupted() && load_exit_code_ == kExitConforms;
    const int expectations_code = whole ? expectations_.Close(runs_, ReachOfRun()) : kExitConforms;
    int exit_code = load_exit_code_ != kExitConforms ? load_exit_code_ : ExitCodeOf(runs_);
    if (exit_code == kExitConforms) exit_code = expectations_code;
    if (const int code = whole ? CompareSupport(summaries) : kExitConforms; code != kExitConforms) {
      // Lost support is a failure. The exit code for gained support has the lowest priority.
      if (exit_code == kExitConforms || (exit_code == kExitExpectations && code == kExitFailures)) exit_code = code;
    }
    if (interrupted()) exit_code = kExitSignal + *interrupt_;
    description_.exit_code = exit_code;
    if (case_list_.empty()) {
      fmt::print(stderr, "deconv-cts: no case was selected; 'deconv-cts list' shows the suites and their cases\n");
    }
    bool written = files_.Commit(summaries, description_);
    // An incomplete run must not enter the history of revisions.
    if (whole && !WriteHistory(arguments_.history, summaries, description_, arguments_.revision)) written = false;
    journal_.End(whole && written);
    return written ? exit_code : kExitUsage;
  }

  /// Compares the support map (which classes of operators the backend supports) with the file of --support-map. Returns
  /// an exit code.
  int CompareSupport(const std::vector<RunSummary>& summaries) {
    if (!support_map_.is_open() || summaries.empty()) return kExitConforms;
    const RunRecord& run = *summaries.front().run;
    const bool skipped = std::ranges::any_of(
        run.results, [](const CaseResult& result) { return result.verdict.status == Status::kSkippedAfterHangs; });
    return support_map_.Close(summaries.front().support, run.declared.NameAndVersion(), !skipped);
  }

  RunArguments arguments_;
  JudgeLimits limits_;
  ChosenShard shard_;
  std::vector<SuiteCase> case_list_;
  ExpectationsFile expectations_;
  SupportMapFile support_map_;
  ReportFiles files_;
  RunDescription description_;
  RunJournal journal_;
  ConsoleReport console_{stdout};
  const std::atomic<int>* interrupt_ = nullptr;  ///< set before the first backend runs
  std::vector<RunRecord> runs_;
  int load_exit_code_ = kExitConforms;  ///< exit code of the first backend that could not be opened
};

}  // namespace

void AddRunCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("run", "test backends on the suites, or on the given cases and files");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->level = "gate";
  AddBackendOptions(*command, *arguments);
  command->add_option("--suite", arguments->selection.suites, "run only this suite; may be repeated (default: all)")
      ->allow_extra_args(false);
  command
      ->add_option("--level", arguments->level, "how many cases: smoke (seconds), gate (a minute) or full (everything)")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command
      ->add_option("--filter", arguments->selection.filters,
                   "run only cases whose suite/name matches this glob; may be repeated")
      ->allow_extra_args(false);
  command->add_option(
      "--shard", arguments->shard,
      "run only part I/N of the cases, I from 0; /N takes I from JOB_COMPLETION_INDEX (default: from the "
      "variables of GoogleTest, Bazel, GitLab or Slurm, if set)");
  command
      ->add_option("--budget", arguments->budget_seconds,
                   "begin no further case after this time: seconds, or 90s, 15m, 2h; cases that add the most new "
                   "combinations come first. For backends that need long for each operator")
      ->transform(Duration())
      ->check(NumberBetween(0.001, 1e7));
  command->add_option("--support-map", arguments->support_map,
                      "compare what is supported with the map in this file: lost support fails, gained support asks "
                      "for an update");
  command->add_flag("--update-support-map", arguments->update_support_map, "rewrite the file of --support-map");
  command->add_option("--history", arguments->history,
                      "add a line on this run to this file of JSON lines; deconv-cts report --history draws it");
  command->add_option("--revision", arguments->revision,
                      "the revision of the backend's source in that line (default: from GITHUB_SHA, CI_COMMIT_SHA or "
                      "GIT_COMMIT)");
  command->add_flag("--resume", arguments->resume,
                    "continue the same command after it was killed or interrupted, from its journal");
  command->add_option(
      "--journal", arguments->journal,
      "write the journal to this file (default: in ~/.local/state/deconv-cts until the run is complete)");
  command
      ->add_option("case", arguments->inputs,
                   "case lines, case ids (suite/name), layer XML files, or files of case lines")
      ->option_text("[CASE|ID|FILE...]");
  command->footer(
      "Examples:\n"
      "  deconv-cts run\n"
      "  deconv-cts run --backend ./libvendor.so --level smoke --junit report.xml\n"
      "  deconv-cts run --backend 'cmd:python3 compiler.py' --budget 60s\n"
      "  deconv-cts run --backend onednn --suite attributes --filter 'attributes/*f32*'\n"
      "  deconv-cts run model.xml");
  command->callback([arguments, &exit_code] { exit_code = RunCommand(*arguments).Execute(); });
}

void AddReplayCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "replay", "run the given cases again, with details; each failure prints its replay command");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->details = true;
  AddBackendOptions(*command, *arguments);
  command
      ->add_option("case", arguments->inputs,
                   "case lines, case ids (suite/name), layer XML files, or files of case lines")
      ->option_text("CASE|ID|FILE...")
      ->required();
  command->footer(
      "Example:\n"
      "  deconv-cts replay --backend fault:filter_flipped "
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1");
  command->callback([arguments, &exit_code] { exit_code = RunCommand(*arguments).Execute(); });
}

}  // namespace conformance
