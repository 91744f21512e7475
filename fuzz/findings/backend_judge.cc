// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges each case of a campaign in this process or in a worker, another process that runs the backend. Records the
// answers of a failing backend, from which the causes of its failures are found.

#include "fuzz/findings/backend_judge.h"

#include <string>
#include <utility>

#include "conformance/backends/open_backend.h"
#include "conformance/backends/process_interface.h"
#include "conformance/backends/worker/worker.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/judge_in_process.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/shared_state.h"
#include "oracle/resolve.h"

namespace fuzz {

using conformance::Case;

namespace {

// If so many failures pass in another process, this process may be damaged for good. From then on, the backend runs in
// the worker only.
constexpr std::size_t kMostPassingInOther = 8;
// The shortest time between two new processes of the backend. A backend that loads a compiler takes seconds to start.
constexpr std::chrono::seconds kBetweenProcesses(5);

}  // namespace

BackendJudge::BackendJudge(const Settings& settings) : settings_(settings) {
  if (settings_.sandbox) conformance::SandboxWorkers(*settings_.sandbox);
  if (!settings_.isolated) {
    auto opened = conformance::OpenBackend(settings_.backend);
    if (const auto* error = std::get_if<conformance::BackendError>(&opened)) AbortWith(error->message + "\n");
    opened_ = std::move(std::get<std::unique_ptr<conformance::Backend>>(opened));
    in_process_ = opened_.get();
  } else if (!HasWorker()) {
    AbortWith(settings_.backend + ": cannot be started in a process of its own\n");
  }
}

const conformance::Capabilities& BackendJudge::declared() const {
  return in_process_ != nullptr ? in_process_->capabilities() : worker_->capabilities();
}

/// Starts the worker at the first call. Returns whether there is one.
bool BackendJudge::HasWorker() {
  if (std::exchange(tried_worker_, true)) return worker_ != nullptr;
  worker_ = std::make_unique<conformance::ObservingJudge>(settings_.backend, Limits(),
                                                          std::make_shared<conformance::TrialSetup>());
  if (worker_->Start()) worker_.reset();
  return worker_ != nullptr;
}

bool BackendJudge::IsValid(const Case& test_case) const {
  const auto dialect = declared().JudgingDialect(test_case.op, test_case.EffectiveDialect());
  return dialect && oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut).ok();
}

JudgedInput BackendJudge::Judge(const Case& test_case) {
  const conformance::Capabilities& capabilities = declared();
  const auto dialect = capabilities.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !capabilities.UnsupportedReason(test_case.op, *dialect).empty()) return {};
  Case judged = test_case;  // validity and size depend on the dialect, and the backend's dialect counts
  judged.dialect = dialect;
  if (IsTooLarge(judged)) return {};
  NoteJudged(ToLine(test_case));
  if (in_process_ == nullptr) {
    NoteGuarded();
    JudgedInput verdict = JudgeInWorker(test_case);
    if (verdict.finding && passed_in_other_ > 0) RenewWorker();
    return verdict;
  }
  JudgedInput verdict = JudgeInThisProcess(test_case);
  // If the backend is a process itself, its buffers are not in this program, so guard pages detect nothing.
  const bool judge_guarded =
      ++judged_ % kGuardedEach == 0 && !settings_.backend.starts_with(conformance::kProcessPrefix);
  if (verdict.finding || !judge_guarded || !HasWorker()) return verdict;
  NoteGuarded();
  return JudgeInWorker(test_case);
}

JudgedInput BackendJudge::JudgeAgain(const Case& test_case) {
  return in_process_ == nullptr ? JudgeInWorker(test_case) : JudgeInThisProcess(test_case);
}

bool BackendJudge::PassesInOtherProcess(const Case& test_case) {
  if (second_worker_ == nullptr) {
    second_worker_ = std::make_unique<conformance::Judge>(settings_.backend, Limits());
    has_second_worker_ = !second_worker_->Start();
  }
  if (!has_second_worker_) return false;
  if (passed_in_other_ > 0) second_worker_->RequireNewProcess();
  const conformance::CaseResult result = second_worker_->JudgeCase(
      {.suite = "fuzz", .name = "input", .test_case = test_case, .reason = {}, .declared_output = {}});
  if (result.verdict.status == conformance::Status::kFail) return false;
  if (++passed_in_other_ == kMostPassingInOther && HasWorker()) in_process_ = nullptr;
  RenewWorker();
  return true;
}

/// Starts a new process for the worker, because the old one may be damaged. Does nothing if there is no worker, or if
/// its last start was less than kBetweenProcesses ago.
void BackendJudge::RenewWorker() {
  const auto now = std::chrono::steady_clock::now();
  if (worker_ == nullptr || now - renewed_ < kBetweenProcesses) return;
  renewed_ = now;
  worker_->RequireNewProcess();
}

conformance::JudgeLimits BackendJudge::Limits() const {
  conformance::JudgeLimits limits;
  limits.base_seconds = settings_.timeout;
  limits.finds_dialects = false;  // which other dialects a wrong answer fits is of no use here, and takes time
  return limits;
}

JudgedInput BackendJudge::JudgeInThisProcess(const Case& test_case) {
  JudgedInput judged;
  conformance::Call& call = judged.behaviour.calls.emplace_back();
  ObservedRun run;
  judged.finding = JudgeInProcess(*in_process_, test_case, &run);
  if (!judged.finding) return {};
  call.poison = run.poison;
  call.answer = std::move(run.answer);
  call.output = std::move(run.output);
  judged.behaviour.verdict.outputs = run.outputs;
  conformance::Verdict& verdict = judged.behaviour.verdict.verdict;
  verdict.status = conformance::Status::kFail;
  verdict.failure = judged.finding->failure;
  verdict.message = judged.finding->text;
  return judged;
}

JudgedInput BackendJudge::JudgeInWorker(const Case& test_case) {
  JudgedInput judged;
  judged.behaviour =
      worker_->Observe({.suite = "fuzz", .name = "input", .test_case = test_case, .reason = {}, .declared_output = {}});
  const conformance::Verdict& verdict = judged.behaviour.verdict.verdict;
  if (verdict.status == conformance::Status::kFail && verdict.failure != conformance::FailureClass::kSuiteError) {
    judged.finding = MakeFinding(verdict.failure, verdict.message);
  }
  return judged;
}

}  // namespace fuzz
