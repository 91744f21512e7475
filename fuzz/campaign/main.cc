// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// deconv-fuzz: campaigns, and the measurement of the fuzzer. `deconv-cts fuzz` and `deconv-cts power --fuzz` start it.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/serve_process.h"
#include "conformance/cli/amount.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/interrupt.h"
#include "conformance/cli/version.h"
#include "conformance/report/report_file.h"
#include "conformance/worker/worker_process.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/campaign_summary.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/campaign/fault_campaigns.h"

namespace fuzz {
namespace {

using conformance::ExitCode;

int Complain(int exit_code, const std::string& message) {
  fmt::print(stderr, "deconv-fuzz: {}\n", message);
  return exit_code;
}

int NoEngine() {
  return Complain(ExitCode::kExitUsage,
                  "no engine: expected the program deconv-fuzz-engine beside this one; it is built where clang is the "
                  "compiler (libFuzzer)");
}

int AllCores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

/// Seconds, or with a unit: 90, 90s, 15m, 2h.
CLI::AsNumberWithUnit Duration() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}},
                               CLI::AsNumberWithUnit::CASE_SENSITIVE);
}

/// One line: on a terminal in place, else one every ten seconds.
class StatusLine {
 public:
  ~StatusLine() {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }
  StatusLine() = default;
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void operator()(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ && now - last_ < std::chrono::seconds(10)) return;
    last_ = now;
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n");
    std::fflush(stderr);
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::string StatusOf(const CampaignRecord& record) {
  return fmt::format("fuzz {:.0f} s: {} cases, {:.0f}/s, {} features, {} findings{}{}{}", record.seconds,
                     record.executions, record.rate, record.features, record.findings.size(),
                     record.last_finding < 0
                         ? ""
                         : fmt::format(", the last {:.0f} s ago", std::max(0.0, record.seconds - record.last_finding)),
                     record.write_error.empty() ? "" : "; ", record.write_error);
}

constexpr std::size_t kShownUnconfirmed = 3;

void Print(const CampaignOptions& options, const CampaignRecord& record) {
  if (record.groups) {
    for (const CampaignCause& group : record.groups->groups) {
      fmt::print("cause: {} ({} findings)\n  {}\n  smallest: {}\n  replay: {}\n  file: {}/findings/{}\n", group.title,
                 group.findings, group.message, group.smallest, ReplayOf(options.backend, group), options.folder,
                 FileNameOf(group));
    }
    const std::vector<FoundCase>& unconfirmed = record.groups->unconfirmed;
    for (const FoundCase& found : std::span(unconfirmed).first(std::min(unconfirmed.size(), kShownUnconfirmed))) {
      fmt::print("not met again: {}\n  {}\n", found.message, found.line);
    }
    if (unconfirmed.size() > kShownUnconfirmed) {
      fmt::print("not met again: {} more, see campaign.json\n", unconfirmed.size() - kShownUnconfirmed);
    }
  }
  fmt::print("{} executions ({} within what {} declares), {:.0f}/s, {} features, {} inputs, {} restarts, seed {}\n",
             record.executions, record.judged, options.backend, record.rate, record.features, record.inputs,
             record.restarts, options.seed);
  for (const std::string& remark : RemarksOf(record)) fmt::print("{}\n", remark);
  const std::size_t causes = record.groups ? record.groups->groups.size() : 0;
  fmt::print("{} findings{}; see {}/campaign.html\n", record.findings.size(),
             record.groups ? fmt::format(", {} cause{}", causes, causes == 1 ? "" : "s") : "", options.folder);
}

int ExecuteCampaign(CampaignOptions options) {
  if (options.engine.empty()) options.engine = EngineBesideThisProgram();
  if (options.engine.empty()) return NoEngine();
  if (options.jobs <= 0) options.jobs = AllCores();
  options.interrupt = &conformance::CatchInterrupts();
  StatusLine status;
  const auto run = RunCampaign(options, [&](const CampaignRecord& record) { status(StatusOf(record)); });
  const auto interrupted = [&] {
    fmt::print(stderr, "deconv-fuzz: interrupted; the same command goes on, with --time 0 it only looks for causes\n");
    return ExitCode::kExitSignal + *options.interrupt;
  };
  if (const auto* error = std::get_if<CampaignError>(&run)) {
    if (*options.interrupt != 0) return interrupted();
    return Complain(error->usage ? ExitCode::kExitUsage : ExitCode::kExitBackend, error->message);
  }
  const auto& record = std::get<CampaignRecord>(run);
  Print(options, record);
  std::fflush(stdout);
  // Whatever went wrong is told; the exit code is that of the last.
  int exit_code = record.judged == 0 ? ExitCode::kExitNothingJudged : ExitCode::kExitConforms;
  if (!record.findings.empty()) exit_code = ExitCode::kExitFailures;
  if (!record.engine_error.empty()) {
    exit_code = Complain(ExitCode::kExitInternal, record.engine_error);
    if (!record.findings.empty()) {
      Complain(exit_code, fmt::format("{} findings stand in {}/findings.jsonl all the same", record.findings.size(),
                                      options.folder));
    }
  }
  if (!record.write_error.empty()) exit_code = Complain(ExitCode::kExitUsage, record.write_error);
  if (const auto& error = record.group_error) {
    exit_code = Complain(error->usage ? ExitCode::kExitUsage : ExitCode::kExitBackend, error->message);
  }
  return *options.interrupt != 0 ? interrupted() : exit_code;
}

struct PowerArguments {
  PowerOptions options;
  std::vector<std::string> faults;
  std::size_t sample = 0;
  bool compare = false;
  std::string json;
};

constexpr std::array<const char*, 3> kMutationNames = {"cases", "bytes", "uniform"};

/// All of them, those that were named, or every so many-th.
std::variant<std::vector<const conformance::faults::Fault*>, std::string> Chosen(const PowerArguments& arguments) {
  std::vector<const conformance::faults::Fault*> chosen;
  for (std::string name : arguments.faults) {
    if (name.starts_with("fault:")) name.erase(0, 6);
    chosen.push_back(conformance::faults::FindFault(name));
    if (chosen.back() == nullptr) return fmt::format("{}: expected a planted fault", name);
  }
  if (!chosen.empty()) return chosen;
  const auto all = conformance::faults::Faults();
  const std::size_t count = arguments.sample == 0 ? all.size() : std::min(arguments.sample, all.size());
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(&all[i * all.size() / count]);
  return chosen;
}

std::string JsonOf(const PowerArguments& arguments, const std::vector<SearchedFault>& measured) {
  std::string text;
  for (const SearchedFault& searched : measured) {
    nlohmann::ordered_json object = {{"fault", searched.fault->name}, {"class", searched.fault->mutant_class}};
    for (std::size_t m = 0; m < searched.searches.size(); ++m) {
      nlohmann::ordered_json searches = nlohmann::ordered_json::array();
      for (const Search& search : searched.searches[m]) {
        searches.push_back({{"found", search.found}, {"seconds", search.seconds}, {"executions", search.executions}});
      }
      object[kMutationNames[static_cast<std::size_t>(arguments.options.mutations[m])]] = std::move(searches);
    }
    text += object.dump() + "\n";
  }
  return text;
}

void Print(const PowerArguments& arguments, const std::vector<SearchedFault>& measured) {
  const PowerOptions& options = arguments.options;
  for (std::size_t m = 0; m < options.mutations.size(); ++m) {
    const char* const name = kMutationNames[static_cast<std::size_t>(options.mutations[m])];
    std::vector<double> seconds;
    std::vector<double> executions;
    std::size_t found = 0;
    for (const SearchedFault& searched : measured) {
      seconds.push_back(searched.MedianSeconds(m));
      executions.push_back(searched.MedianExecutions(m));
      if (!searched.Censored(m)) {
        ++found;
      } else {
        fmt::print("{}: not found within {:.0f} s in the median of {} seeds: {} ({}): {}\n", name, options.censor,
                   options.seeds, searched.fault->name, searched.fault->mutant_class, searched.fault->sentence);
      }
    }
    fmt::print(
        "{}: {} of {} planted faults found within {:.0f} s in the median of {} seeds; median over them {:.2f} s, "
        "{:.0f} executions\n",
        name, found, measured.size(), options.censor, options.seeds, MedianOf(seconds), MedianOf(executions));
  }
  // The mutator of cases against each of the others, on what is hard for that one.
  constexpr double kHard = 100;
  for (std::size_t m = 1; m < options.mutations.size(); ++m) {
    std::vector<double> ratios;
    for (const SearchedFault& searched : measured) {
      if (searched.MedianExecutions(m) <= kHard) continue;
      ratios.push_back(searched.MedianExecutions(m) / std::max(1.0, searched.MedianExecutions(0)));
    }
    fmt::print(
        "where {} needs more than {:.0f} executions ({} faults): {:.1f} times as many as cases in the median, at "
        "least {:.1f}\n",
        kMutationNames[static_cast<std::size_t>(options.mutations[m])], kHard, ratios.size(), MedianOf(ratios),
        ratios.empty() ? 0 : *std::ranges::min_element(ratios));
  }
}

int ExecutePower(PowerArguments arguments) {
  if (arguments.options.engine.empty()) arguments.options.engine = EngineBesideThisProgram();
  if (arguments.options.engine.empty()) return NoEngine();
  auto chosen = Chosen(arguments);
  if (const auto* error = std::get_if<std::string>(&chosen)) return Complain(ExitCode::kExitUsage, *error);
  PowerOptions& options = arguments.options;
  options.faults = std::get<std::vector<const conformance::faults::Fault*>>(std::move(chosen));
  if (options.jobs <= 0) options.jobs = AllCores();
  if (arguments.compare) options.mutations = {Mutation::kCases, Mutation::kBytes, Mutation::kUniform};
  conformance::ReportFile json;
  if (!arguments.json.empty()) {
    if (const std::string error = json.Open(arguments.json); !error.empty()) {
      return Complain(ExitCode::kExitUsage, error);
    }
  }
  options.interrupt = &conformance::CatchInterrupts();
  const std::size_t total = options.faults.size() * options.mutations.size() * options.seeds;
  std::vector<SearchedFault> measured;
  {
    StatusLine status;
    measured =
        MeasureFuzzing(options, [&](std::size_t done) { status(fmt::format("power {}/{} searches", done, total)); });
  }
  Print(arguments, measured);
  if (json.is_open()) {
    if (const std::string error = json.Commit(JsonOf(arguments, measured)); !error.empty()) {
      return Complain(ExitCode::kExitUsage, error);
    }
  }
  if (*options.interrupt != 0) {
    fmt::print(stderr, "deconv-fuzz: interrupted; the searches for {} of {} faults had ended\n", measured.size(),
               options.faults.size());
    return ExitCode::kExitSignal + *options.interrupt;
  }
  const bool all = std::ranges::none_of(measured, [](const SearchedFault& searched) { return searched.Censored(0); });
  return all ? ExitCode::kExitConforms : ExitCode::kExitFailures;
}

void AddCampaign(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("fuzz", "search a backend for findings");
  const auto options = std::make_shared<CampaignOptions>();
  options->jobs = 0;
  command
      ->add_option("--backend", options->backend, "kernel, oracle, onednn, fault:NAME, a library's path or cmd:COMMAND")
      ->capture_default_str();
  command->add_option("--time", options->seconds, "how long: seconds, or 15m, 2h; 0: only look for causes")
      ->transform(Duration())
      ->check(conformance::AmountOf(0, 1e9))
      ->capture_default_str();
  command->add_option("--jobs", options->jobs, "engines at once (default: one a core)")->check(CLI::Range(1, 256));
  command->add_option("--out", options->folder, "the campaign's folder; one that is there goes on")
      ->capture_default_str();
  command->add_option("--corpus", options->corpus,
                      "folder of inputs to start from and to add to (default: OUT/corpus)");
  command->add_option("--timeout", options->timeout, "seconds that a case may take")
      ->check(conformance::AmountOf(0.1, 3600))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the search")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  command->add_option("--diagnosis-seconds", options->diagnosis_seconds, "how long to look for causes")
      ->check(conformance::AmountOf(0, 1e6))
      ->capture_default_str();
  command->add_flag(
      "--isolated", options->isolated,
      "run the backend in a process of its own from the start: slower, and guarded against what it does to "
      "memory; without it this begins once the backend has ended its process a few times");
  command->add_option("--engine", options->engine,
                      "the engine's program (default: deconv-fuzz-engine beside this one)");
  command->footer(
      "In OUT: findings.jsonl (every finding, when it is found), findings/ (a regression file for each cause, which\n"
      "replay takes), campaign.json, campaign.html, findings.html, corpus/.\n"
      "Exit codes: 0 no finding, 1 findings, 2 usage, 3 the backend could not be loaded, 5 nothing that it declares "
      "was\n"
      "met, 6 the engine does not work, 130 and 143 ended early by SIGINT and SIGTERM.\n\n"
      "Examples:\n"
      "  deconv-cts fuzz --backend ./libvendor.so --time 10m\n"
      "  deconv-cts fuzz --backend fault:filter_flipped --time 5 --jobs 1 --out /tmp/campaign");
  command->callback([options, &exit_code] { exit_code = ExecuteCampaign(*options); });
}

void AddPower(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("power", "how soon the fuzzer finds each planted fault");
  const auto arguments = std::make_shared<PowerArguments>();
  arguments->options.jobs = 0;
  command->add_option("--fault", arguments->faults, "planted faults to look for (default: all)")
      ->allow_extra_args(false);
  command->add_option("--sample", arguments->sample, "so many of them, evenly chosen");
  command->add_option("--seeds", arguments->options.seeds, "searches for each fault")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--censor", arguments->options.censor, "seconds, after which a search ends")
      ->check(conformance::AmountOf(1, 86400))
      ->capture_default_str();
  command->add_flag("--compare", arguments->compare,
                    "also with the engine's own mutations of bytes, and with inputs drawn uniformly");
  command->add_option("--jobs", arguments->options.jobs, "searches at once (default: one a core)")
      ->check(CLI::Range(1, 256));
  command->add_option("--json", arguments->json, "file for every search, a line of JSON for each fault");
  command->add_option("--engine", arguments->options.engine,
                      "the engine's program (default: deconv-fuzz-engine beside this one)");
  command->footer(
      "Every search starts from an empty corpus and ends with its first finding.\n"
      "Exit codes: 0 every fault is found in the median of its searches, 1 some are not, 2 usage.\n\n"
      "Example:\n"
      "  deconv-cts power --fuzz --sample 30 --compare");
  command->callback([arguments, &exit_code] { exit_code = ExecutePower(*arguments); });
}

int Main(int count, char** values) {
  CLI::App program("Fuzzing campaigns on backends of transposed convolution.", "deconv-fuzz");
  program.require_subcommand(1);
  program.set_version_flag("--version", std::string("deconv-fuzz ") + conformance::kSuiteVersion);
  int exit_code = ExitCode::kExitConforms;
  AddCampaign(program, exit_code);
  AddPower(program, exit_code);
  try {
    program.parse(count, values);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    return Complain(ExitCode::kExitUsage, fmt::format("{}; see --help", error.what()));
  }
  return exit_code;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
  for (const auto serve : {conformance::ServeIfWorker, conformance::ServeIfProcess}) {
    if (const int served = serve({argv, static_cast<std::size_t>(argc)}); served >= 0) return served;
  }
  try {
    return fuzz::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deconv-fuzz: internal error: %s\n", error.what());
  }
  return conformance::kExitInternal;
}
