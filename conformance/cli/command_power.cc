// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `power`: measures how good the suite is. Runs the suite on backends with one planted fault each, which
// are wrong in one known way, and prints which faults no case found. Runs it on correct backends too, which no case may
// fail.

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/backends/open_backend.h"
#include "conformance/case/text/json_text.h"
#include "conformance/cli/causes.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/report/report_file.h"
#include "conformance/run/power/power.h"

namespace conformance {
namespace {

struct PowerArguments {
  std::vector<std::string> faults;   ///< backends with a planted fault
  std::vector<std::string> correct;  ///< backends that no case may fail
  std::vector<std::string> fast;     ///< those of `correct` that can run large cases
  Selection selection;
  std::string level = "gate";
  std::uint64_t seeds = 1;
  double score = -1;  ///< percentage of faults that must be found; below 0: LeastScore() chooses
  int jobs = 0;
  std::string json;
  bool idle = false;  ///< also print the cases that find no fault
  bool diagnosis = false;
  std::size_t sample = 0;
  std::uint64_t sample_seed = 0;
};

/// The percentage of faults that a level must find, unless --score gives another: smoke may miss one in twenty.
double LeastScore(const PowerArguments& arguments) {
  if (arguments.score >= 0) return arguments.score;
  return arguments.level == "smoke" ? 95 : 100;
}

/// A line of progress: on a terminal in place, else one every ten seconds.
class Progress {
 public:
  void operator()(const PowerProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000))) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "{}power {}/{} cases, {} faults not found yet, {:.0f} s{}", terminal_ ? "\r\x1b[K" : "",
               progress.done, progress.total, progress.alive, seconds, terminal_ ? "" : "\n");
    shown_ = true;
  }
  void End() const {
    if (terminal_ && shown_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

// The class of planted faults that keep state from one call to the next.
constexpr std::string_view kStateBetweenCalls = "R2";

/// The record of one backend for --json.
nlohmann::ordered_json BackendObject(const TriedBackend& tried, bool faulty) {
  nlohmann::ordered_json object = {{"record", faulty ? "fault" : "correct"},
                                   {"backend", tried.backend},
                                   {"judged", tried.judged},
                                   {"failed", tried.failed}};
  if (const faults::Fault* fault = faulty ? FaultOf(tried.backend) : nullptr) {
    object["class"] = fault->mutant_class;
    object["sentence"] = fault->sentence;
    if (!fault->link.empty()) object["link"] = fault->link;
  }
  if (tried.failed != 0) {
    object["first_place"] = tried.first_position;
    object["first_case"] = tried.first_line;
    object["first_failure"] = FailureClassNameOf(tried.first_failure);
    object["first_message"] = tried.first_message;
  }
  if (tried.retired) object["retired"] = true;
  return object;
}

/// The text of --json: a line for each backend and each case, and one for the summary.
std::string JsonOf(const std::vector<SuiteCase>& case_list, const PowerRecord& record) {
  std::string text;
  const auto add = [&](const nlohmann::ordered_json& object) { text += JsonText(object) + "\n"; };
  for (const TriedBackend& tried : record.faulty) add(BackendObject(tried, true));
  for (const TriedBackend& tried : record.correct) add(BackendObject(tried, false));
  for (std::size_t i = 0; i < case_list.size(); ++i) {
    nlohmann::ordered_json object = {{"record", "case"},
                                     {"id", case_list[i].suite + "/" + case_list[i].name},
                                     {"case", ToLine(case_list[i].test_case)},
                                     {"tried", static_cast<bool>(record.tried[i])},
                                     {"kills", record.kills[i]}};
    add(object);
  }
  add({{"record", "summary"},
       {"faults", record.faulty.size()},
       {"killed", record.Killed()},
       {"score_percent", record.Score()},
       {"median_random_draws", record.MedianRandomDraws()},
       {"failures_of_correct", record.FailuresOfCorrect()},
       {"seconds", record.seconds}});
  return text;
}

void PrintBackend(const TriedBackend& tried) {
  const faults::Fault* fault = FaultOf(tried.backend);
  fmt::print("  {} ({}): {}\n", tried.backend, fault == nullptr ? "" : fault->mutant_class,
             fault == nullptr ? "" : fault->sentence);
}

/// Prints the faults that no case found, and those that the fewest cases found.
void PrintFaults(const PowerRecord& record) {
  std::vector<const TriedBackend*> by_kills;
  for (const TriedBackend& tried : record.faulty) {
    if (tried.failed != 0) by_kills.push_back(&tried);
  }
  if (by_kills.size() != record.faulty.size()) {
    fmt::print("faults that no case found:\n");
    for (const TriedBackend& tried : record.faulty) {
      if (tried.failed == 0) PrintBackend(tried);
    }
  }
  std::ranges::sort(by_kills, {}, [](const TriedBackend* tried) { return tried->failed; });
  constexpr std::size_t kShown = 8;
  if (!by_kills.empty()) fmt::print("faults that the fewest cases found:\n");
  for (std::size_t i = 0; i < std::min(kShown, by_kills.size()); ++i) {
    fmt::print("  {:>6} of {} cases: {}, first {}\n", by_kills[i]->failed, by_kills[i]->judged, by_kills[i]->backend,
               by_kills[i]->first_line);
  }
}

/// Prints the cases that find no fault, and their number in each suite.
void PrintCases(const std::vector<SuiteCase>& case_list, const PowerRecord& record) {
  struct Counts {
    std::size_t cases = 0, tried = 0, idle = 0;
  };
  std::map<std::string, Counts> suites;
  for (std::size_t i = 0; i < case_list.size(); ++i) {
    Counts& counts = suites[case_list[i].suite];
    ++counts.cases;
    if (!record.tried[i]) continue;
    ++counts.tried;
    if (record.kills[i] != 0) continue;
    ++counts.idle;
    fmt::print("finds no fault: {}/{} {}\n", case_list[i].suite, case_list[i].name, ToLine(case_list[i].test_case));
  }
  fmt::print("{:<16} {:>7} {:>17} {:>14}\n", "suite", "cases", "tried on faults", "find no fault");
  for (const auto& [suite, counts] : suites) {
    fmt::print("{:<16} {:>7} {:>17} {:>14}\n", suite, counts.cases, counts.tried, counts.idle);
  }
}

void Print(const std::vector<SuiteCase>& case_list, const PowerRecord& record, const PowerArguments& arguments) {
  if (!record.faulty.empty()) PrintFaults(record);
  if (arguments.idle) PrintCases(case_list, record);
  for (const TriedBackend& tried : record.correct) {
    if (tried.failed == 0) continue;
    fmt::print("{} is a correct backend, but it failed {} of {} cases; the first is {}: {}\n", tried.backend,
               tried.failed, tried.judged, tried.first_line, tried.first_message);
  }
  if (!record.correct.empty()) {
    std::vector<std::string> names;
    for (const TriedBackend& tried : record.correct) names.push_back(tried.backend);
    fmt::print("{} correct backends over {} seed(s), {} failures: {}\n", names.size(), arguments.seeds,
               record.FailuresOfCorrect(), fmt::join(names, ", "));
  }
  if (record.Killed() != 0) {
    fmt::print("median of the first case that finds a fault, of cases drawn at random: {:.1f}\n",
               record.MedianRandomDraws());
  }
  fmt::print("power at level {}: {} of {} planted faults found, {:.1f} %, {:.1f} s\n", arguments.level, record.Killed(),
             record.faulty.size(), record.Score(), record.seconds);
}

/// Completes the names of faults, and finds the correct backends that are fast enough for large cases. If no backend is
/// named, chooses all faults and all correct backends.
void ChooseBackends(PowerArguments& arguments) {
  const bool chosen = !arguments.faults.empty() || !arguments.correct.empty();
  for (std::string& name : arguments.faults) {
    if (!name.starts_with("fault:")) name.insert(0, "fault:");
  }
  // All "fault:" backends share one plain loop, which is slow also without a fault.
  std::ranges::copy_if(arguments.correct, std::back_inserter(arguments.fast),
                       [](const std::string& name) { return !name.starts_with("fault:"); });
  if (chosen) return;
  arguments.fast = {"kernel"};
  arguments.correct = {"kernel", "oracle"};
  for (const faults::Fault& correct : faults::CorrectVariants()) {
    arguments.correct.push_back(fmt::format("fault:{}", correct.name));
  }
  for (const faults::Fault& fault : faults::Faults()) {
    arguments.faults.push_back(fmt::format("fault:{}", fault.name));
  }
}

/// Returns the name of a backend on which no case was run, or an empty string.
std::string BackendWithoutCase(const PowerRecord& record) {
  for (const auto* backends : {&record.faulty, &record.correct}) {
    for (const TriedBackend& tried : *backends) {
      if (tried.judged == 0) return tried.backend;
    }
  }
  return "";
}

/// Returns a sample of `count` faults; all faults if `count` is 0. The list is divided into `count` equal parts, so
/// that all classes are sampled. If `seed` is 0, the first fault of each part is sampled, else a random one. Example:
/// 10 faults and `count` 4 give the parts 0-1, 2-4, 5-6 and 7-9.
std::vector<std::string> SampleOf(const std::vector<std::string>& faults, std::size_t count, std::uint64_t seed) {
  if (count == 0 || count >= faults.size()) return faults;
  std::mt19937_64 random(seed);
  std::vector<std::string> sample;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * faults.size() / count;
    const std::size_t size = (i + 1) * faults.size() / count - first;
    sample.push_back(faults[first + (seed == 0 ? 0 : random() % size)]);
  }
  return sample;
}

int ExecuteDiagnosis(const PowerArguments& arguments, const std::vector<SuiteCase>& case_list, ReportFile& json) {
  const std::vector<std::string> sample = SampleOf(arguments.faults, arguments.sample, arguments.sample_seed);
  std::string json_lines;
  const int exit_code = MeasureDiagnosisPower({case_list, sample, arguments.jobs}, json_lines);
  const bool measured = exit_code == kExitConforms || exit_code == kExitFailures;
  if (!measured || !json.is_open()) return exit_code;
  const std::string error = json.Commit(json_lines);
  return error.empty() ? exit_code : UsageError(error);
}

PowerOptions PowerOptionsOf(const PowerArguments& arguments) {
  PowerOptions options;
  options.faulty = arguments.faults;
  options.correct = arguments.correct;
  options.fast = arguments.fast;
  for (const std::string& name : arguments.faults) {
    const faults::Fault* fault = FaultOf(name);
    if (fault != nullptr && fault->mutant_class == kStateBetweenCalls) options.stateful.push_back(name);
  }
  // A correct variant that only refuses operators computes the same values as "fault:none". Other seeds show no more.
  for (const std::string& name : arguments.correct) {
    const faults::Fault* correct = FaultOf(name);
    if (correct != nullptr && correct->hooks.refuses != nullptr) options.first_seed_only.push_back(name);
  }
  options.seeds = arguments.seeds;
  options.jobs = arguments.jobs;
  // The limit is short although some hundred processes share the cores: a backend that hangs is meant to hang.
  options.limits.base_seconds = 2;
  // After thirty failing cases a fault is known to be found; further cases would add nothing.
  options.enough_kills = arguments.idle ? 0 : 30;
  return options;
}

int Execute(PowerArguments arguments) {
  ChooseBackends(arguments);
  if (const auto level = ParseLevel(arguments.level)) arguments.selection.level = *level;
  const auto selected = SelectCases(arguments.selection);
  if (const auto* error = std::get_if<ReadError>(&selected)) return UsageError(error->message);
  const auto& case_list = std::get<std::vector<SuiteCase>>(selected);
  if (case_list.empty()) {
    fmt::print(stderr, "deconv-cts: no case was selected; 'deconv-cts list' shows the suites and their cases\n");
    return kExitNothingJudged;
  }
  if (arguments.jobs <= 0) arguments.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  ReportFile json;
  if (!arguments.json.empty()) {
    if (const std::string error = json.Open(arguments.json); !error.empty()) return UsageError(error);
  }
  if (arguments.diagnosis) return ExecuteDiagnosis(arguments, case_list, json);
  Progress progress;
  const auto measured =
      MeasurePower(case_list, PowerOptionsOf(arguments), [&](const PowerProgress& now) { progress(now); });
  progress.End();
  if (const auto* error = std::get_if<BackendError>(&measured)) {
    fmt::print(stderr, "deconv-cts: {}\n", error->message);
    return error->usage ? kExitUsage : kExitBackend;
  }
  const auto& record = std::get<PowerRecord>(measured);
  Print(case_list, record, arguments);
  if (json.is_open()) {
    if (const std::string error = json.Commit(JsonOf(case_list, record)); !error.empty()) return UsageError(error);
  }
  if (const std::string backend = BackendWithoutCase(record); !backend.empty()) {
    fmt::print(stderr, "deconv-cts: {} declares none of the selected cases, so nothing was judged\n", backend);
    return kExitNothingJudged;
  }
  const bool strong = record.Score() >= LeastScore(arguments);
  if (!strong) fmt::print("too weak: expected at least {} %\n", LeastScore(arguments));
  return strong && record.FailuresOfCorrect() == 0 ? kExitConforms : kExitFailures;
}

}  // namespace

void AddPowerCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "power", "measure the suite itself: which planted faults it finds, and whether it fails correct backends");
  const auto arguments = std::make_shared<PowerArguments>();
  command->add_option("--level", arguments->level, "level of the cases: smoke, gate or full")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command->add_option("--suite", arguments->selection.suites, "use only this suite; may be repeated (default: all)")
      ->allow_extra_args(false);
  command
      ->add_option("--filter", arguments->selection.filters,
                   "use only cases whose suite/name matches this glob; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--fault", arguments->faults,
                   "try only this planted fault; may be repeated (default: all, and all correct backends)")
      ->allow_extra_args(false);
  command->add_option("--correct", arguments->correct, "a backend that no case may fail; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--seeds", arguments->seeds, "number of seeds with which the correct backends run")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--score", arguments->score,
                   "percent of the faults that must be found (default: 100, at level smoke 95)")
      ->check(CLI::Range(0.0, 100.0));
  command->add_option("--jobs", arguments->jobs, "number of cases at once (default: one for each core)")
      ->check(CLI::Range(1, 64));
  command->add_option("--json", arguments->json,
                      "write every fault and every case to this file, as JSON lines; with --diagnosis, every fault");
  command->add_flag("--idle", arguments->idle,
                    "print the cases that find no fault; tries every case on every fault, which takes far longer");
  command->add_flag("--diagnosis", arguments->diagnosis,
                    "measure instead how often the diagnosis names the fault, its class without the fault, and a "
                    "condition that predicts new cases");
  command->add_option("--sample", arguments->sample,
                      "with --diagnosis: use this number of faults, spread over all of them (default: all)");
  command->add_option("--sample-seed", arguments->sample_seed,
                      "with --sample: choose other faults, by chance; the same seed gives the same faults");
  command->add_flag_callback(
      "--fuzz", [] {}, "measure instead how soon the fuzzer finds the faults; see deconv-cts power --fuzz --help");
  command->footer(
      "Exit codes: 0 strong enough, 1 too weak, 5 a backend declares none of the selected cases.\n\n"
      "Examples:\n"
      "  deconv-cts power --level smoke\n"
      "  deconv-cts power --seeds 30 --json power.json\n"
      "  deconv-cts power --fault filter_flipped --suite spec-examples\n"
      "  deconv-cts power --diagnosis --level smoke");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
