// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds the flags of `run` and `replay` to a command, and turns their values into limits and a text.

#include "conformance/cli/run_arguments.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/worker/worker.h"
#include "conformance/cli/input.h"

namespace conformance {

JudgeLimits LimitsOf(const RunArguments& arguments) {
  JudgeLimits limits;
  limits.base_seconds = arguments.timeout;
  limits.minimize_seconds = 5;  // few failures need all of it, and a small case saves a person hours
  limits.bytes = static_cast<std::uint64_t>(std::ldexp(arguments.memory_gib, 30));
  limits.most_work = arguments.work;
  limits.worker_bytes = static_cast<std::uint64_t>(std::ldexp(arguments.worker_memory_gib, 30));
  return limits;
}

std::string SelectionText(const RunArguments& arguments, const Shard& shard) {
  std::vector<std::string> words;
  if (arguments.inputs.empty()) {
    const auto& [suites, level, filters, seed] = arguments.selection;
    words.push_back(fmt::format("level {}", LevelName(level)));
    if (!suites.empty()) words.push_back(fmt::format("suites {} only", fmt::join(suites, ", ")));
    if (!filters.empty()) words.push_back(fmt::format("filter {}", fmt::join(filters, ", ")));
  }
  if (shard.count > 1) words.push_back(fmt::format("shard {} of {}", shard.index, shard.count));
  return fmt::format("{}", fmt::join(words, "; "));
}

void AddLimitOptions(CLI::App& command, RunArguments& arguments) {
  command.add_option("--memory", arguments.memory_gib, "memory limit of all workers together in GiB")
      ->check(NumberBetween(0.001, 1e6))
      ->capture_default_str();
  command
      .add_option("--work", arguments.work,
                  "largest case to run, in steps of work: its products and elements; K, M, G and T count thousands to "
                  "millions of millions")
      ->transform(CountWithUnit())
      ->default_str("1T");
}

void AddExpectationOptions(CLI::App& command, RunArguments& arguments) {
  command.add_option("--expect", arguments.expect,
                     "TOML file of known failures (format: conformance/run/expectations.md)");
  command.add_flag("--update-expectations", arguments.update_expectations,
                   "rewrite the file of --expect: remove entries that pass, add unexpected failures");
}

void AddDiagnosisOption(CLI::App& command, RunArguments& arguments) {
  command
      .add_option("--diagnosis-seconds", arguments.diagnosis_seconds,
                  "about how many seconds of the backend the search for causes of failures may take; 0 turns it off")
      ->check(NumberBetween(0, 1e9))  // 30 years; as nanoseconds the number fits into 64 bits
      ->default_str("40, or a tenth of the time of the run");
}

void AddSandboxOptions(CLI::App& command) {
  const auto contained = std::make_shared<bool>(false);
  const auto readable = std::make_shared<std::vector<std::string>>();
  command.add_flag("--sandbox", *contained,
                   "contain the backend: no network, no writes outside of a scratch folder, no home folder, few "
                   "variables, and limits on memory, processes and files (conformance/README.md)");
  command
      .add_option("--sandbox-read", *readable,
                  "with --sandbox: a file or folder that the backend may read beside its own; may be repeated")
      ->allow_extra_args(false)
      ->check(CLI::ExistingPath)
      ->needs("--sandbox");
  command.parse_complete_callback([contained, readable] {
    if (*contained) SandboxWorkers(*readable);
  });
}

void AddBackendOptions(CLI::App& command, RunArguments& arguments) {
  // Each flag takes one value, because the next word is a case.
  command
      .add_option("--backend", arguments.backends,
                  "the backend to test: kernel (default), oracle, onednn, fault:NAME, the path of a shared library, or "
                  "cmd:COMMAND; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--jobs", arguments.jobs, "number of worker processes (default: one for each core)")
      ->check(CLI::Range(1, 256));
  command
      .add_option("--timeout", arguments.timeout,
                  "time limit of each run of the backend in seconds; large cases get more, and a backend that still "
                  "computes is judged again with six times the limit")
      ->check(NumberBetween(0.001, 1e6))
      ->capture_default_str();
  command
      .add_option("--max-hangs", arguments.max_hangs,
                  "after so many hangs, run only a sample of the cases like those that hung; 0: run all")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--worker-memory", arguments.worker_memory_gib,
                  "memory limit of each backend process in GiB; large cases get up to four times what they need")
      ->check(NumberBetween(0.001, 1e6))
      ->capture_default_str();
  AddSandboxOptions(command);
  AddLimitOptions(command, arguments);
  command.add_option("--seed", arguments.selection.seed, "number that is added to the seed of every case's values")
      ->check(WholeNumber())
      ->capture_default_str();
  AddDiagnosisOption(command, arguments);
  AddExpectationOptions(command, arguments);
  AddReportOptions(command, arguments.reports);
}

}  // namespace conformance
