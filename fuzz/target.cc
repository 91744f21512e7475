// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See target.h. An abort is how a fuzz target tells its engine of a finding.

#include "fuzz/target.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "conformance/backend.h"
#include "conformance/byte_codec.h"
#include "conformance/judge.h"
#include "fuzz/case_features.h"
#include "fuzz/finding_file.h"
#include "fuzz/judge_in_process.h"
#include "fuzz/settings.h"
#include "fuzz/shared_state.h"

namespace fuzz {
namespace {

[[noreturn]] void Report(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::abort();
}

conformance::Backend& BackendOf(const std::string& name) {
  static std::map<std::string, std::unique_ptr<conformance::Backend>> backends;
  std::unique_ptr<conformance::Backend>& backend = backends[name];
  if (backend == nullptr) {
    auto opened = conformance::OpenBackend(name);
    if (const auto* error = std::get_if<conformance::BackendError>(&opened)) Report(error->message + "\n");
    backend = std::move(std::get<std::unique_ptr<conformance::Backend>>(opened));
  }
  return *backend;
}

// A sanitizer's report ends the process before the finding could be printed: then the line printed last is the case.
conformance::Case Begin(Input input) {
  NoteBegin(input);
  const conformance::Case test_case = conformance::DecodeCase(input);
  if (EnvironmentSettings().prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(test_case).c_str());
  return test_case;
}

void End(const std::optional<Finding>& finding, const conformance::Case& test_case, const std::string& backend_name) {
  if (!finding) return;
  const std::string& path = EnvironmentSettings().findings;
  if (path.empty()) Report(FindingText(*finding, test_case, backend_name));
  static FindingFilter filter;
  if (!filter.Takes(*finding, test_case)) return;
  const std::string error = AppendFinding(path, {.line = ToLine(test_case),
                                                 .failure = std::string(FailureClassNameOf(finding->failure)),
                                                 .message = finding->text,
                                                 .time = SecondsSince1970()});
  if (!error.empty()) Report(error + "\n");
}

std::optional<Finding> JudgeHere(const std::string& backend_name, const conformance::Case& test_case) {
  conformance::Backend& backend = BackendOf(backend_name);
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
  const conformance::Case test_case = Begin(input);
  if (EnvironmentSettings().mutation == Mutation::kCases) MarkFeatures(test_case);
  if (!EnvironmentSettings().judges) return;
  const auto judge = EnvironmentSettings().isolated ? JudgeIsolated : JudgeHere;
  End(judge(backend_name, test_case), test_case, backend_name);
}

// Cases are not marked: the features of a resolution are the branches of the resolvers, which the engine sees, and
// marking would resolve each case once more.
void ResolveTarget(const std::string& backend_name, Input input) {
  const conformance::Case test_case = Begin(input);
  End(ResolveInProcess(BackendOf(backend_name), test_case), test_case, backend_name);
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
