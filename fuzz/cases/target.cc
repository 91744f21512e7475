// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the targets that judge values. resolve_target.cc is separate, because it is linked without the judge and
// its workers.

#include "fuzz/cases/target.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "conformance/backends/worker/worker_process.h"
#include "conformance/door/backend.h"
#include "conformance/verdict/judge/judge.h"
#include "fuzz/cases/case_features.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/settings.h"
#include "fuzz/cases/shared_state.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

std::optional<Finding> JudgeHere(const std::string& backend_name, const conformance::Case& test_case) {
  conformance::Backend& backend = OpenedBackend(backend_name);
  const conformance::Capabilities& declared = backend.capabilities();
  if (declared.JudgedBy(test_case.op, test_case.EffectiveDialect()) &&
      declared.UnsupportedReason(test_case.op).empty()) {
    NoteJudged();
  }
  return JudgeInProcess(backend, test_case);
}

// Judges in a worker process, as the gate does: this process survives whatever the backend does to the worker.
std::optional<Finding> JudgeIsolated(const std::string& backend_name, const conformance::Case& test_case) {
  static std::unique_ptr<conformance::Judge> judge;
  if (judge == nullptr) {
    conformance::JudgeLimits limits;
    limits.base_seconds = EnvironmentSettings().timeout;
    limits.finds_dialects = false;
    judge = std::make_unique<conformance::Judge>(backend_name, limits);
    if (const auto error = judge->Start()) AbortWith(error->message + "\n");
  }
  conformance::Case judged = test_case;  // the case may be valid, or large, in the backend's dialect alone
  judged.dialect = judge->capabilities().JudgedBy(test_case.op, test_case.EffectiveDialect());
  if (judged.dialect && TooLarge(judged)) return std::nullopt;
  const conformance::CaseResult result =
      judge->JudgeCase({.suite = "fuzz", .name = "input", .test_case = test_case, .reason = {}, .declared_output = {}});
  const bool failed = result.verdict.status == conformance::Status::kFail &&
                      result.verdict.failure != conformance::FailureClass::kSuiteError;
  if (failed || IsRight(result.verdict.status)) NoteJudged();
  if (!failed) return std::nullopt;
  return Finding{result.verdict.failure,
                 std::string(FailureClassNameOf(result.verdict.failure)) + ": " + result.verdict.message};
}

}  // namespace
}  // namespace fuzz

// An isolated backend runs in another process of this program.
extern "C" int LLVMFuzzerInitialize(int* count, char*** values) {
  const int served = conformance::ServeIfWorker({*values, static_cast<std::size_t>(*count)});
  if (served >= 0) std::_Exit(served);
  // The engine ignores arguments that begin with two dashes, and would begin to fuzz.
  static char help[] = "-help=1";
  for (int i = 1; i < *count; ++i) {
    if (std::string_view((*values)[i]) == "--help") (*values)[i] = help;
  }
  return 0;
}

namespace fuzz {

int RunTarget(const std::string& backend_name, Input input) {
  const auto test_case = BeginInput(input);
  if (!test_case || TooLarge(*test_case)) return kNoCase;
  if (EnvironmentSettings().mutation == Mutation::kCases) MarkFeatures(*test_case);
  if (!EnvironmentSettings().judges) return 0;
  const auto judge = EnvironmentSettings().isolated ? JudgeIsolated : JudgeHere;
  EndInput(judge(backend_name, *test_case), *test_case, backend_name);
  return 0;
}

}  // namespace fuzz
