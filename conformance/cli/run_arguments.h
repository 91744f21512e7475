// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of `run` and `replay`: their arguments, and the flags that both commands have.

#ifndef DECONV_CONFORMANCE_CLI_RUN_ARGUMENTS_H_
#define DECONV_CONFORMANCE_CLI_RUN_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cli/input.h"
#include "conformance/cli/report_files.h"
#include "conformance/run/runner.h"
#include "conformance/run/shard.h"
#include "conformance/verdict/judge/limits.h"

namespace conformance {

/// The values of the flags. Times are in seconds; an empty path means that no such file is wanted.
struct RunArguments {
  std::vector<std::string> backends;
  std::vector<std::string> inputs;  ///< cases by hand: case lines, ids or files; empty: `selection` chooses cases
  Selection selection;
  std::string level;
  int jobs = 0;  ///< number of worker processes; 0: one for each core
  double timeout = JudgeLimits{}.base_seconds;
  std::size_t max_hangs = RunOptions{}.max_hangs;
  double memory_gib = std::ldexp(JudgeLimits{}.bytes, -30);
  double worker_memory_gib = std::ldexp(JudgeLimits{}.worker_bytes, -30);
  double work = JudgeLimits{}.most_work;  ///< largest case to run, in products and elements
  std::string shard;                      ///< "I/N": run only part I of N
  bool resume = false;                    ///< continue a run that was killed, from its journal
  std::string expect;                     ///< file of known failures
  bool update_expectations = false;
  std::string support_map;
  bool update_support_map = false;
  std::string journal;
  std::string history;   ///< file of JSON lines to which the run adds one line
  std::string revision;  ///< revision of the backend's source for that line; empty: from the CI system's variables
  std::optional<double> diagnosis_seconds;  ///< absent: DefaultSeconds of conformance/diagnosis/question_budget.h
  double budget_seconds = 0;                ///< --budget; 0: no limit
  bool details = false;  ///< print the products of the first wrong output and a picture for each failure
  ReportPaths reports;
};

/// Adds --memory and --work.
void AddLimitOptions(CLI::App& command, RunArguments& arguments);
/// Adds --diagnosis-seconds.
void AddDiagnosisOption(CLI::App& command, RunArguments& arguments);
/// Adds --expect and --update-expectations.
void AddExpectationOptions(CLI::App& command, RunArguments& arguments);
/// Adds --sandbox and --sandbox-read, which hold for all backends that the command opens.
void AddSandboxOptions(CLI::App& command);
/// Adds the flags that a run on backends has: --backend, --jobs, the limits of time and memory, --seed, and the flags
/// of the sandbox, the diagnosis, the expectations and the reports.
void AddBackendOptions(CLI::App& command, RunArguments& arguments);

JudgeLimits LimitsOf(const RunArguments& arguments);

/// Describes the selection of a run's cases for a person: "level gate; suites layers only". For cases that the command
/// line names, the text has the shard alone, or is empty.
std::string SelectionText(const RunArguments& arguments, const Shard& shard);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_RUN_ARGUMENTS_H_
