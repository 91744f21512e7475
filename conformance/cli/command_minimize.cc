// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `minimize`: finds the smallest case (operator with values) that fails in the same way as a given case. A
// small case is easier to debug, and to put into a bug report.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/causes.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/cli/run_arguments.h"
#include "conformance/diagnosis/minimize.h"
#include "conformance/report/console.h"

namespace conformance {
namespace {

struct MinimizeArguments {
  std::string backend = "kernel";
  std::vector<std::string> inputs;
  double timeout = JudgeLimits{}.base_seconds;
  double seconds = 10;
};

/// Prints the smallest case and what is known about it; or the verdict, if the case does not fail.
void Print(const Minimized& minimized, const std::string& backend) {
  if (!minimized.failed()) {
    fmt::print("{}: {}{}{}\n", StatusName(minimized.result.verdict.status), minimized.result.judged.line,
               minimized.result.verdict.message.empty() ? "" : ": ", minimized.result.verdict.message);
    return;
  }
  fmt::print("smallest: {}\n", minimized.result.judged.line);
  const bool has_data = !minimized.result.judged.output_dims.empty();
  fmt::print("     {} cases tried, {} of them smaller and failing, {:.1f} s; {}\n", minimized.runs, minimized.steps,
             minimized.seconds,
             minimized.complete
                 ? "no simpler case fails in this way"
                 : "the time limit ended the search, so there may be simpler cases; raise it with --seconds");
  if (has_data) {
    fmt::print("     data elements that are not zero: {}\n",
               NonZeroData(minimized.smallest.test_case, minimized.result));
  }
  if (!minimized.hypotheses.empty()) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string_view> names;
    for (const faults::Fault* fault : minimized.hypotheses) {
      if (names.size() < kShown) names.push_back(fault->name);
    }
    fmt::print("     here and at every step the backend answers like the planted fault{} {}{}\n",
               names.size() == 1 ? "" : "s", fmt::join(names, ", "),
               minimized.hypotheses.size() > names.size()
                   ? fmt::format(" and {} more", minimized.hypotheses.size() - names.size())
                   : "");
  }
  if (!minimized.condition.empty()) fmt::print("     true at every step: {}\n", minimized.condition);
  ConsoleReport console(stdout);
  console.Begin(backend, 1);
  fmt::print("{}{}", console.FailureText(minimized.result), DetailsOf(minimized.result, console.colours()));
}

int Execute(const MinimizeArguments& arguments) {
  bool failed = false;
  bool judged = false;
  for (const std::string& input : arguments.inputs) {
    const auto cases = CasesOf(input);
    if (const auto* error = std::get_if<ReadError>(&cases)) return UsageError(error->message);
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      MinimizeOptions options;
      options.backend = arguments.backend;
      options.limits.base_seconds = arguments.timeout;
      options.seconds = arguments.seconds;
      const auto minimized = Minimize(suite_case, options, [](const CaseResult& smaller, std::size_t runs) {
        fmt::print(stderr, "{:>6} {}\n", runs, smaller.judged.line);
      });
      if (const auto* error = std::get_if<BackendError>(&minimized)) {
        fmt::print(stderr, "deconv-cts: {}\n", error->message);
        return error->usage ? kExitUsage : kExitBackend;
      }
      const auto& found = std::get<Minimized>(minimized);
      Print(found, arguments.backend);
      failed = failed || found.failed();
      judged = judged || IsRight(found.result.verdict.status);
    }
  }
  if (failed) return kExitFailures;
  return judged ? kExitConforms : kExitNothingJudged;
}

}  // namespace

void AddMinimizeCommand(CLI::App& program, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("minimize", "find the smallest case that fails in the same way as a given case");
  const auto arguments = std::make_shared<MinimizeArguments>();
  command
      ->add_option("--backend", arguments->backend,
                   "kernel, oracle, onednn, fault:NAME, the path of a shared library, or cmd:COMMAND")
      ->capture_default_str();
  AddSandboxOptions(*command);
  command->add_option("--seconds", arguments->seconds, "time limit of the search for each case in seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--timeout", arguments->timeout,
                   "time limit of each run of the backend in seconds; large cases get more")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("case", arguments->inputs,
                   "case lines, case ids (suite/name), layer XML files, or files of case lines")
      ->option_text("CASE|ID|FILE...")
      ->required();
  command->footer(
      "Each step is printed on standard error: the number of cases tried, and the smaller case.\n"
      "Exit codes: 0 the case passes and there is nothing to minimize, 1 it fails.\n\n"
      "Example:\n"
      "  deconv-cts minimize --backend fault:filter_flipped corpus/spec/fragments/convolution_example3.xml");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
