// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `judge-recorded`: judges outputs that are recorded in case lines (texts of cases), without a backend (the
// library under test). The verdicts are those that `run` gives to the same outputs of a backend.

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/cli/causes.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/cli/pinned_files.h"
#include "conformance/cli/run_arguments.h"
#include "conformance/cli/version.h"
#include "conformance/report/console.h"
#include "conformance/suite/case_lists/case_lists.h"
#include "conformance/verdict/judge/judge_recorded.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

struct RecordedArguments {
  RunArguments run;
  std::string name = "recorded outputs";
  std::string accumulator = "f32";
  std::string subnormals = "kept";
};

/// The arithmetic that --accumulator and --subnormals declare for the recorded outputs.
Capabilities DeclaredBy(const RecordedArguments& arguments) {
  Capabilities declared;
  declared.name = arguments.name;
  if (arguments.accumulator == "f64") declared.accumulator = DECONV_ACCUMULATOR_F64;
  if (arguments.accumulator == "storage") declared.accumulator = DECONV_ACCUMULATOR_STORAGE;
  if (arguments.subnormals == "flushed") declared.subnormals = DECONV_SUBNORMALS_FLUSHED;
  return declared;
}

/// Returns the cases of all inputs, or what is wrong with one of them or its recorded output.
std::variant<std::vector<SuiteCase>, std::string> RecordedCasesOf(const std::vector<std::string>& inputs,
                                                                  const JudgeLimits& limits) {
  std::vector<SuiteCase> case_list;
  for (const std::string& input : inputs) {
    auto cases = CasesOf(input);
    if (const auto* error = std::get_if<ReadError>(&cases)) return error->message;
    for (SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      if (std::string error = UnreadableRecorded(suite_case, limits); !error.empty()) return error;
      case_list.push_back(std::move(suite_case));
    }
  }
  return case_list;
}

/// Judges the cases until an interrupt, and prints each result.
void JudgeRecordedCases(const std::vector<SuiteCase>& case_list, const JudgeLimits& limits,
                        const std::vector<Expectation>& expectations, ConsoleReport& console, RunRecord& record) {
  for (const SuiteCase& suite_case : case_list) {
    if (*limits.interrupt != 0) break;
    const std::string text = LongWorkText(suite_case.test_case, EstimateResources(suite_case.test_case));
    if (!text.empty()) fmt::print(stderr, "deconv-cts: {}/{}: {}\n", suite_case.suite, suite_case.name, text);
    CaseResult& result = record.results.emplace_back(JudgeRecorded(suite_case, record.declared, limits));
    result.origin.case_index = record.results.size() - 1;
    MarkExpected(expectations, result);
    console.OnResult(result, record.results.size());
  }
  record.unjudged = case_list.size() - record.results.size();
}

int Execute(const RecordedArguments& arguments) {
  JudgeLimits limits = LimitsOf(arguments.run);
  limits.interrupt = &CatchInterrupts();
  const auto case_list_or_error = RecordedCasesOf(arguments.run.inputs, limits);
  if (const auto* error = std::get_if<std::string>(&case_list_or_error)) return UsageError(*error);
  const auto& case_list = std::get<std::vector<SuiteCase>>(case_list_or_error);
  ExpectationsFile expectations;
  if (std::string error = expectations.Open(arguments.run.expect, arguments.run.update_expectations); !error.empty()) {
    return UsageError(error);
  }
  ReportFiles files;
  if (const std::string error = files.Open(arguments.run.reports); !error.empty()) return UsageError(error);

  const auto start = std::chrono::steady_clock::now();
  std::vector<RunRecord> runs(1);
  RunRecord& record = runs.front();
  record.backend = kRecordedBackend;
  record.declared = DeclaredBy(arguments);
  record.case_list_size = case_list.size();
  record.case_list_hash = HashOf(case_list);
  record.replay = true;
  ConsoleReport console(stdout);
  console.Begin(record.backend, case_list.size());
  JudgeRecordedCases(case_list, limits, expectations.entries(), console, record);
  record.seconds = SecondsSince(start);
  const bool interrupted = *limits.interrupt != 0;
  // Expectations are entries for known failures, and the summary counts expected failures. If an entry names a cause,
  // the causes must be found before.
  const bool causes_first = expectations.has_causes() && !interrupted;
  if (causes_first) {
    PrintCauses(record, limits, arguments.run.diagnosis_seconds);
    expectations.MarkByCause(record);
  }
  record.stale_expectations = expectations.ComplaintsOf(runs);
  console.End(record);
  if (!causes_first && !interrupted) PrintCauses(record, limits, arguments.run.diagnosis_seconds);
  RunDescription description;
  description.suite_version = kSuiteVersion;
  description.case_list = "recorded outputs given by hand";
  int exit_code = ExitCodeOf(runs);
  if (*limits.interrupt != 0) {
    exit_code = kExitSignal + *limits.interrupt;
  } else if (const int code = expectations.Close(runs, Reach::kNone); exit_code == kExitConforms) {
    exit_code = code;
  }
  description.exit_code = exit_code;
  return files.Commit(SummariesOf(runs), description) ? exit_code : kExitUsage;
}

}  // namespace

void AddJudgeRecordedCommand(CLI::App& program, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("judge-recorded", "judge the outputs that case lines record, without running a backend");
  const auto arguments = std::make_shared<RecordedArguments>();
  command
      ->add_option("case", arguments->run.inputs,
                   "case lines with recorded outputs, or files of them, as 'import' writes them")
      ->option_text("CASE|FILE...")
      ->required();
  command->add_option("--name", arguments->name, "who gave the outputs, for reports");
  command
      ->add_option("--accumulator", arguments->accumulator,
                   "the type of the sums: f32 (f64 for f64), f64, or storage (the type of the tensors)")
      ->check(CLI::IsMember({"f32", "f64", "storage"}))
      ->capture_default_str();
  command->add_option("--subnormals", arguments->subnormals, "what becomes of subnormal numbers: kept or flushed")
      ->check(CLI::IsMember({"kept", "flushed"}))
      ->capture_default_str();
  AddLimitOptions(*command, arguments->run);
  AddDiagnosisOption(*command, arguments->run);
  AddExpectationOptions(*command, arguments->run);
  AddReportOptions(*command, arguments->run.reports);
  command->footer(
      "The verdicts and exit codes are those of 'run'. To run a backend on the same cases, give the file to 'run'.\n"
      "Example:\n"
      "  deconv-cts import onnx_tests/test_convtranspose -o cases.txt && deconv-cts judge-recorded cases.txt");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
