// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `doctor`: examines an adapter (the code that connects a library to the suite) step by step before its
// first full run, and prints a checklist.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "conformance/case/text/shell_command.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/doctor/doctor.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/run_arguments.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

const char* MarkText(ExaminedStep::Mark mark) {
  switch (mark) {
    case ExaminedStep::Mark::kGood:
      return "[ok]";
    case ExaminedStep::Mark::kWarning:
      return "[warn]";
    case ExaminedStep::Mark::kFault:
      return "[FAIL]";
    case ExaminedStep::Mark::kNotAsked:
      break;
  }
  return "[--]";
}

void Print(const ExaminedStep& step) {
  fmt::print("{:<6} {:<12} {}\n", MarkText(step.mark), step.name, step.text);
  for (const std::string& advice : step.advice) fmt::print("{:20}{}\n", "", advice);
  std::fflush(stdout);
}

int Execute(const std::string& backend, double seconds) {
  const Examination examination = Examine(backend, seconds, Print);
  switch (examination.end) {
    case Examination::End::kOwnSideUnsound:
      return kExitInternal;
    case Examination::End::kNotOpened:
      return kExitBackend;
    case Examination::End::kUnknownName:
      return kExitUsage;
    case Examination::End::kDone:
      break;
  }
  fmt::print("{} fault{}, {} warning{}; {} case{} right\n", examination.faults, examination.faults == 1 ? "" : "s",
             examination.warnings, examination.warnings == 1 ? "" : "s", examination.judged,
             examination.judged == 1 ? "" : "s");
  if (examination.faults != 0) {
    fmt::print("next: fix the first fault, then run the doctor again\n");
    return kExitFailures;
  }
  if (examination.judged == 0) {
    fmt::print("next: declare an operator, dialect, type and rank that the suite can judge\n");
    return kExitNothingJudged;
  }
  fmt::print("next: deconv-cts run --backend {} --level smoke\n", ShellWord(backend));
  return kExitConforms;
}

}  // namespace

void AddDoctorCommand(CLI::App& program, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("doctor", "check a backend's adapter step by step and show what is missing");
  const auto backend = std::make_shared<std::string>();
  const auto seconds = std::make_shared<double>(JudgeLimits{}.base_seconds);
  command->add_option("backend", *backend, "the backend, named as for run --backend")->required();
  AddSandboxOptions(*command);
  command->add_option("--timeout", *seconds, "time limit of each run of the backend in seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  deconv-cts doctor ./libvendor.so\n"
      "  deconv-cts doctor cmd:'python3 backend.py'");
  command->callback([backend, seconds, &exit_code] { exit_code = Execute(*backend, *seconds); });
}

}  // namespace conformance
