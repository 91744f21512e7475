// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `power`: measures how good the fuzzer is. It lets the fuzzer search for planted faults, defects that a
// test backend has on purpose, and prints how soon it found them.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/report/report_file.h"
#include "fuzz/campaign/command_line.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/campaign/fault_campaigns.h"

namespace fuzz {
namespace {

using conformance::ExitCode;

/// The options of `power`.
struct PowerArguments {
  FaultSearchOptions options;
  std::vector<std::string> faults;  ///< names of planted faults; none: all faults
  std::size_t sample = 0;           ///< without names: number of faults, chosen evenly; 0: all
  bool compare = false;             ///< also measure the other ways to make inputs
  std::string json;                 ///< file for the results; empty: none
};

// The names of the values of Mutation, in their order. "cases": the case mutator changes fields. "bytes": the engine
// changes bytes. "uniform": each input is drawn anew.
constexpr std::array<const char*, 3> kMutationNames = {"cases", "bytes", "uniform"};

/// The faults to search for: those that were named, an even sample, or all. Returns an error message if a name is no
/// planted fault.
std::variant<std::vector<const conformance::faults::Fault*>, std::string> ChosenFaults(
    const PowerArguments& arguments) {
  std::vector<const conformance::faults::Fault*> chosen;
  for (std::string name : arguments.faults) {
    if (name.starts_with("fault:")) name.erase(0, 6);
    chosen.push_back(conformance::faults::FindFault(name));
    if (chosen.back() == nullptr) return fmt::format("{}: unknown fault, expected a planted fault", name);
    // Correct variants are listed like planted faults, but compute right values.
    const auto correct = conformance::faults::CorrectVariants();
    if (std::ranges::any_of(correct, [&](const auto& one) { return &one == chosen.back(); })) {
      return fmt::format("{}: is a correct variant, expected a planted fault", name);
    }
  }
  if (!chosen.empty()) return chosen;
  const auto all = conformance::faults::Faults();
  const std::size_t count = arguments.sample == 0 ? all.size() : std::min(arguments.sample, all.size());
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(&all[i * all.size() / count]);
  return chosen;
}

/// The text of the file of `--json`.
std::string JsonOf(const PowerArguments& arguments, const std::vector<SearchedFault>& measured) {
  std::string text;
  for (const SearchedFault& searched : measured) {
    nlohmann::ordered_json object = {{"fault", searched.fault->name}, {"class", searched.fault->mutant_class}};
    for (std::size_t mutation = 0; mutation < searched.searches.size(); ++mutation) {
      nlohmann::ordered_json searches = nlohmann::ordered_json::array();
      for (const Search& search : searched.searches[mutation]) {
        searches.push_back({{"found", search.found}, {"seconds", search.seconds}, {"executions", search.executions}});
      }
      object[kMutationNames[static_cast<std::size_t>(arguments.options.mutations[mutation])]] = std::move(searches);
    }
    text += conformance::JsonText(object) + "\n";
  }
  return text;
}

/// Prints the medians for each way of mutation, and how the other ways compare with the first one.
void PrintMedians(const PowerArguments& arguments, const std::vector<SearchedFault>& measured) {
  const FaultSearchOptions& options = arguments.options;
  for (std::size_t mutation = 0; mutation < options.mutations.size(); ++mutation) {
    const char* const name = kMutationNames[static_cast<std::size_t>(options.mutations[mutation])];
    std::vector<double> seconds;
    std::vector<double> executions;
    std::size_t found = 0;
    for (const SearchedFault& searched : measured) {
      seconds.push_back(searched.MedianSeconds(mutation));
      executions.push_back(searched.MedianExecutions(mutation));
      if (!searched.MissedInMedian(mutation)) {
        ++found;
      } else {
        fmt::print("{}: not found within {:.0f} s in the median of {} seeds: {} ({}): {}\n", name,
                   options.limit_seconds, options.seeds, searched.fault->name, searched.fault->mutant_class,
                   searched.fault->sentence);
      }
    }
    fmt::print(
        "{}: {} of {} planted faults found within {:.0f} s in the median of {} seeds; median over all {} faults "
        "{:.2f} s, {:.0f} executions\n",
        name, found, measured.size(), options.limit_seconds, options.seeds, measured.size(), MedianOf(seconds),
        MedianOf(executions));
  }
  // Mutation 0 is the case mutator. It is compared with each other mutation, only on hard faults: those for which the
  // other needs more than kEasyExecutions (median over the seeds). The number is a guess.
  constexpr double kEasyExecutions = 100;
  for (std::size_t mutation = 1; mutation < options.mutations.size(); ++mutation) {
    std::vector<double> ratios;
    for (const SearchedFault& searched : measured) {
      if (searched.MedianExecutions(mutation) <= kEasyExecutions) continue;
      ratios.push_back(searched.MedianExecutions(mutation) / std::max(1.0, searched.MedianExecutions(0)));
    }
    fmt::print(
        "where {} needs more than {:.0f} executions ({} faults): {:.1f} times as many as cases in the median, at "
        "least {:.1f}\n",
        kMutationNames[static_cast<std::size_t>(options.mutations[mutation])], kEasyExecutions, ratios.size(),
        MedianOf(ratios), ratios.empty() ? 0 : *std::ranges::min_element(ratios));
  }
}

/// Runs the searches, prints and writes the result, and returns the exit code.
int ExecutePower(PowerArguments arguments) {
  if (arguments.options.engine.empty()) arguments.options.engine = EngineBesideThisProgram();
  if (arguments.options.engine.empty()) return ComplainOfMissingEngine();
  auto chosen = ChosenFaults(arguments);
  if (const auto* error = std::get_if<std::string>(&chosen)) return Complain(ExitCode::kExitUsage, *error);
  FaultSearchOptions& options = arguments.options;
  options.faults = std::get<std::vector<const conformance::faults::Fault*>>(std::move(chosen));
  if (options.jobs <= 0) options.jobs = CoreCount();
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
    StatusLine status;  // erases itself at the end of this block
    measured =
        MeasureFuzzing(options, [&](std::size_t done) { status(fmt::format("power {}/{} searches", done, total)); });
  }
  PrintMedians(arguments, measured);
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
  const bool all_found =
      std::ranges::none_of(measured, [](const SearchedFault& searched) { return searched.MissedInMedian(0); });
  return all_found ? ExitCode::kExitConforms : ExitCode::kExitFailures;
}

}  // namespace

void AddPowerCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("power", "measure how soon the fuzzer finds each planted fault");
  const auto arguments = std::make_shared<PowerArguments>();
  arguments->options.jobs = 0;  // one search for each core
  command->add_option("--fault", arguments->faults, "planted faults to look for (default: all)")
      ->allow_extra_args(false);
  command->add_option("--sample", arguments->sample, "number of faults, chosen evenly from all");
  command->add_option("--seeds", arguments->options.seeds, "number of searches for each fault")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--censor", arguments->options.limit_seconds, "seconds after which a search ends")
      ->check(conformance::NumberBetween(1, 86400))
      ->capture_default_str();
  command->add_flag("--compare", arguments->compare,
                    "compare with the engine's own mutations of bytes, and with inputs drawn uniformly");
  command->add_option("--jobs", arguments->options.jobs, "number of searches at once (default: one for each core)")
      ->check(CLI::Range(1, 256));
  command->add_option("--json", arguments->json, "file for the results, one line of JSON for each fault");
  command->add_option("--engine", arguments->options.engine,
                      "the engine's program (default: deconv-fuzz-engine beside this one)");
  command->footer(
      "Every search starts from an empty corpus and ends with its first finding.\n"
      "Exit codes: 0 every fault is found in the median of its searches, 1 some are not, 2 usage.\n\n"
      "Example:\n"
      "  deconv-cts power --fuzz --sample 30 --compare");
  command->callback([arguments, &exit_code] { exit_code = ExecutePower(*arguments); });
}

}  // namespace fuzz
