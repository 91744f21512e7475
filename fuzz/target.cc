// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See target.h. Apart from resolve_target.cc, which is linked without what runs a backend in a process of its own.

#include "fuzz/target.h"

#include <memory>
#include <optional>
#include <variant>

#include "conformance/backend.h"
#include "conformance/judge.h"
#include "fuzz/case_features.h"
#include "fuzz/judge_in_process.h"
#include "fuzz/one_input.h"
#include "fuzz/settings.h"
#include "fuzz/shared_state.h"

namespace fuzz {
namespace {

std::optional<Finding> JudgeHere(const std::string& backend_name, const conformance::Case& test_case) {
  conformance::Backend& backend = OpenedBackend(backend_name);
  const conformance::Capabilities& declared = backend.capabilities();
  if (declared.JudgedBy(test_case.op, test_case.EffectiveDialect()) && declared.Lacks(test_case.op).empty()) {
    NoteJudged();
  }
  return JudgeInProcess(backend, test_case);
}

// As the gate does it: whatever the backend does to its process, this one goes on.
std::optional<Finding> JudgeIsolated(const std::string& backend_name, const conformance::Case& test_case) {
  static std::unique_ptr<conformance::Judge> judge;
  if (judge == nullptr) {
    conformance::JudgeLimits limits;
    limits.base_seconds = EnvironmentSettings().timeout;
    limits.finds_dialects = false;
    judge = std::make_unique<conformance::Judge>(backend_name, limits);
    if (const auto error = judge->Start()) Report(error->message + "\n");
  }
  const conformance::CaseResult result =
      judge->JudgeCase({.suite = "fuzz", .name = "input", .test_case = test_case, .reason = {}, .declared_output = {}});
  const bool failed = result.status == conformance::Status::kFail;
  if (failed || IsRight(result.status)) NoteJudged();
  if (!failed) return std::nullopt;
  return Finding{result.failure, std::string(FailureClassNameOf(result.failure)) + ": " + result.message};
}

}  // namespace

void RunTarget(const std::string& backend_name, Input input) {
  const conformance::Case test_case = BeginInput(input);
  if (EnvironmentSettings().mutation == Mutation::kCases) MarkFeatures(test_case);
  if (!EnvironmentSettings().judges) return;
  const auto judge = EnvironmentSettings().isolated ? JudgeIsolated : JudgeHere;
  EndInput(judge(backend_name, test_case), test_case, backend_name);
}

void Require(bool holds, const std::string& otherwise) {
  if (!holds) Report(otherwise + "\n");
}

void RequireLine(const conformance::Case& test_case) {
  const std::string line = ToLine(test_case);
  const auto again = conformance::ParseCaseLine(line);
  const auto* same = std::get_if<conformance::Case>(&again);
  Require(same != nullptr && *same == test_case, "the line of a case says another case: " + line);
}

}  // namespace fuzz
