// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides how a case is judged: by a sweep, by its law, by a refusal, or by the oracle's values in two runs. In the
// first run each buffer ends at an inaccessible guard page; in the second run it begins directly after one. So accesses
// beyond either end of a buffer are found.

#include "conformance/verdict/judge/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "conformance/backends/worker/death_reason.h"
#include "conformance/case/text/elapsed.h"
#include "conformance/interface/unsupported.h"
#include "conformance/verdict/exhaustive/judge_sweep.h"
#include "conformance/verdict/judge/case_trial.h"
#include "conformance/verdict/judge/repeated_runs.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/judge/second_run.h"
#include "conformance/verdict/no_answer.h"
#include "conformance/verdict/open_choice.h"
#include "conformance/verdict/properties/judge_law.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

constexpr std::string_view kNotSent = "invalid operators are not sent to a backend that declares takes_resolved";

/// Sets the status of a case that is not run.
void SetNotRun(CaseResult& result, Status status, std::string message) {
  result.verdict.status = status;
  result.verdict.message = std::move(message);
}

/// The case line of a neighbour, the valid operator beside an invalid one. Verdicts on neighbours are stored by it.
std::string NeighbourKey(const oracle::Operator& op, oracle::Dialect dialect) {
  Case neighbour;
  neighbour.op = op;
  neighbour.dialect = dialect;
  return ToLine(neighbour);
}

std::string TooMuchWork(double work, double limit) {
  return fmt::format("the case needs {:.3g} steps of work, the run may use {:.3g}; raise --work to run it", work,
                     limit);
}

double Gibibytes(std::uint64_t bytes) { return std::ldexp(static_cast<double>(bytes), -30); }

}  // namespace

Judge::Judge(std::string backend_name, JudgeLimits limits, std::shared_ptr<TrialSetup> setup)
    : setup_(std::move(setup)),
      worker_(std::move(backend_name), setup_->arena(), limits.interrupt),
      limits_(std::move(limits)) {
  worker_.LimitStart(std::max(Worker::kStartLimit, limits_.TimeFor(0)));
}

CaseResult Judge::JudgeCase(const SuiteCase& suite_case) {
  worker_.Forget();
  worker_.LimitMemory(limits_.worker_bytes);
  CaseResult result = JudgeOnce(suite_case);
  if (worker_.was_killed() || result.verdict.failure == FailureClass::kMemory) {
    // Earlier cases or other programs of the machine may have used up the memory: alone the case may pass.
    const std::string first_message = std::move(result.verdict.message);
    RequireNewProcess();
    result = JudgeOnce(suite_case);
    if (result.verdict.message == first_message) {
      result.verdict.message += "; the process before this one ended in the same way";
    } else {
      result.verdict.message += fmt::format("{}in the process before this one: {}",
                                            result.verdict.message.empty() ? "" : "; ", first_message);
    }
  }
  const FailureClass failure = result.verdict.failure;
  if (failure == FailureClass::kCrash || failure == FailureClass::kModifiedInput || failure == FailureClass::kHang) {
    result.trace.backtrace = WithSourceLines(worker_.backtrace(), worker_.backend_name());
  }
  result.verdict.facts.still_computing = result.verdict.failure == FailureClass::kHang && worker_.was_computing();
  if (result.verdict.status == Status::kFail) {
    result.trace.stderr_tail = worker_.Stderr();
    result.trace.replay_options = ReplayFlags(LimitsThatExplain(suite_case.test_case, result.verdict.failure));
  }
  return result;
}

/// The limits of this run that differ from the defaults and that the failure may depend on.
LimitsToRepeat Judge::LimitsThatExplain(const Case& test_case, FailureClass failure) const {
  const JudgeLimits usual;
  LimitsToRepeat limits;
  if (failure == FailureClass::kHang && limits_.base_seconds != usual.base_seconds) {
    limits.timeout_seconds = limits_.base_seconds;
  }
  if (failure == FailureClass::kMemory && limits_.worker_bytes != usual.worker_bytes) {
    limits.worker_memory_gib = Gibibytes(limits_.worker_bytes);
  }
  // With the default limits a replay would not run a case that needs more.
  const ResourceEstimate estimate = EstimateResources(test_case, capabilities());
  if (estimate.bytes > usual.bytes) limits.memory_gib = Gibibytes(limits_.bytes);
  if (estimate.products > usual.most_work) limits.work = limits_.most_work;
  return limits;
}

/// Says why the limits exclude the sweep; empty if they do not. A sweep is one case that stands for many small
/// operators.
std::string Judge::ReasonToSkip(const Case& swept) const {
  if (swept.sweep->of == SweepOf::kDense && !limits_.dense_to_processes && !worker_.RunsInWorker()) {
    return "a process gets the many operators of this suite at level full, or with --suite dense";
  }
  const double work = EstimateResources(swept).products;
  return work > limits_.most_work ? TooMuchWork(work, limits_.most_work) : "";
}

CaseResult Judge::JudgeOnce(const SuiteCase& suite_case) {
  if (suite_case.test_case.sweep) {
    if (std::string why = ReasonToSkip(suite_case.test_case); !why.empty()) {
      CaseResult result = ResultOf(suite_case);
      SetNotRun(result, Status::kTooLarge, std::move(why));
      return result;
    }
    return JudgeSweep(suite_case, {.worker = worker_,
                                   .arena = setup_->arena(),
                                   .hang_seconds = limits_.patience * limits_.base_seconds,
                                   .judge_alone = [this](const SuiteCase& alone) { return JudgeOnce(alone); }});
  }
  const auto start = std::chrono::steady_clock::now();
  CaseResult result = ResultOf(suite_case);
  JudgeOperator(suite_case, result);
  result.seconds.total = SecondsSince(start);
  return result;
}

void Judge::JudgeOperator(const SuiteCase& suite_case, CaseResult& result) {
  const oracle::Operator& op = suite_case.test_case.op;
  const auto dialect = capabilities().JudgingDialect(op, suite_case.test_case.EffectiveDialect());
  if (!dialect) {
    SetNotRun(result, Status::kUndeclared,
              fmt::format("the backend declares no dialect of {}", oracle::OperatorKindName(op.kind)));
    return;
  }
  result.judged.dialect = oracle::DialectName(*dialect);
  CaseTrial trial(suite_case, *dialect, {.worker = worker_, .setup = *setup_, .limits = limits_}, result);
  for (const oracle::Step& step : trial.resolution().steps) {
    if (std::ranges::find(result.judged.clauses, step.clause) == result.judged.clauses.end())
      result.judged.clauses.emplace_back(step.clause);
  }
  if (limits_.finds_dialects && !capabilities().takes_resolved &&
      capabilities().UnsupportedReason(op, *dialect).empty())
    trial.FindDialects();
  if (!trial.resolution().ok()) return JudgeInvalid(trial);
  result.judged.output_dims = trial.geometry().OutputDims();
  if (!MayRun(trial)) return;
  if (suite_case.test_case.law) return JudgeByLaw(trial);
  JudgeByOracle(trial);
}

/// Extends the message of a failure on an open operator: it tells that the backend may refuse the operator, but that an
/// error is no refusal.
void Judge::NoteOpenFailure(CaseTrial& trial) {
  CaseResult& result = trial.result();
  result.verdict.facts.open = true;
  for (const oracle::OpenPoint& point : trial.resolution().open) {
    if (std::ranges::find(result.judged.clauses, point.clause) == result.judged.clauses.end()) {
      result.judged.clauses.emplace_back(point.clause);
    }
  }
  result.verdict.message += fmt::format("; the operator is open by {}, so the backend may refuse it in every run",
                                        OpenPointsText(trial.resolution().open));
  if (result.verdict.failure != FailureClass::kError) return;
  const oracle::Geometry& geometry = *trial.resolution().geometry;
  const bool is_empty =
      (RequiredBits(trial.suite_case().test_case.op, geometry) & DECONV_UNSUPPORTED_EMPTY_TENSORS) != 0;
  result.verdict.message +=
      fmt::format("; an error is no refusal: answer refused, or declare {}",
                  is_empty ? "'empty-tensors' (DECONV_UNSUPPORTED_EMPTY_TENSORS)" : "what is unsupported");
}

/// Judges an operator that the dialect refuses or leaves undefined. If the dialect refuses it, the backend must refuse
/// it too. To an undefined operator it may give any answer, but the same answer in two runs.
void Judge::JudgeInvalid(CaseTrial& trial) {
  CaseResult& result = trial.result();
  const oracle::Refusal& refusal = *trial.resolution().refusal;
  result.judged.clauses.assign(1, std::string(refusal.clause));
  if (!MaySend(trial)) return;
  if (!setup_->SetUpInvalid(trial.suite_case().test_case.op)) {
    trial.Fail(FailureClass::kSuiteError, std::string(kNoMemoryForBuffers));
    return;
  }
  if (!trial.RunOnce(Placement::kAgainstEnd, trial.threads().first)) return;
  if (refusal.undefined) {
    const std::vector<OpenChoice> first = result.answer.choices;
    if (!trial.RunOnce(Placement::kAgainstBegin, trial.threads().first)) return;
    if (result.answer.choices != first) return FailOnOtherChoice(trial);
    result.verdict.status = Status::kUndefined;
    return;
  }
  result.answer.refused = true;
  result.verdict.status = Status::kPass;
  JudgeNeighbour(trial);
}

/// Whether to send an invalid operator to the backend. If not, the result says why. The operator is not sent if the
/// backend does not support the valid neighbour: a refusal would then not be due to the fault.
bool Judge::MaySend(CaseTrial& trial) {
  CaseResult& result = trial.result();
  if (capabilities().takes_resolved) {
    SetNotRun(result, Status::kUnsupported, std::string(kNotSent));
    return false;
  }
  const std::optional<oracle::Operator>& neighbour = trial.suite_case().neighbour;
  if (!neighbour) return true;
  if (std::string reason = capabilities().UnsupportedReason(*neighbour, trial.dialect()); !reason.empty()) {
    SetNotRun(result, Status::kUndeclared, "of the valid neighbour: " + reason);
    return false;
  }
  if (!capabilities().answers_supports) return true;
  const std::string line = NeighbourKey(*neighbour, trial.dialect());
  const auto [known, is_new] = supports_.try_emplace(line);
  if (is_new) known->second = worker_.Supports(line, trial.dialect(), limits_.TimeFor(0));
  const WorkerOutcome& outcome = known->second;
  auto failure = FailureOfNoAnswer(outcome);
  if (!failure && outcome.answer.answer == kContractBroken) {
    failure = AnswerFailure{FailureClass::kProtocol, outcome.answer.message};
  }
  if (failure) {
    return trial.Fail(failure->failure,
                      fmt::format("when asked whether it supports the valid neighbour {}: {}", line, failure->message));
  }
  if (outcome.answer.answer != kNotSupported) return true;
  SetNotRun(result, Status::kUnsupported, "of the valid neighbour: " + outcome.answer.message);
  return false;
}

/// Judges the valid neighbour of a refused operator: the same operator without the fault or the open point. The refusal
/// proves something only if the backend computes the neighbour.
void Judge::JudgeNeighbour(CaseTrial& trial) {
  const std::optional<oracle::Operator>& neighbour = trial.suite_case().neighbour;
  if (!neighbour) return;
  const auto [known, is_new] = neighbours_.try_emplace(NeighbourKey(*neighbour, trial.dialect()));
  if (is_new) {
    Case valid;
    valid.op = *neighbour;
    known->second = JudgeInOneRun(valid, trial.dialect());
  }
  const CaseResult& of_neighbour = known->second;
  if (IsRight(of_neighbour.verdict.status)) return;
  CaseResult& result = trial.result();
  result.answer.refused = false;
  result.answer.choices.clear();
  const std::string why = of_neighbour.verdict.message.empty() ? std::string(StatusName(of_neighbour.verdict.status))
                                                               : of_neighbour.verdict.message;
  if (is_new && of_neighbour.verdict.failure == FailureClass::kHang) {
    // A hang takes the time limit, so the run must count it.
    trial.Fail(FailureClass::kHang, fmt::format("on the valid neighbour {}: {}", of_neighbour.judged.line, why));
    return;
  }
  SetNotRun(result, Status::kNotJudged,
            fmt::format("the backend refused the operator, but does not compute the valid neighbour either: {}", why));
}

/// Judges a case in one run, for callers that only need its verdict: no report shows the result. Overwrites the buffers
/// of the setup.
CaseResult Judge::JudgeInOneRun(const Case& test_case, oracle::Dialect dialect) {
  SuiteCase alone;
  alone.test_case = test_case;
  alone.test_case.dialect = dialect;
  CaseResult result;
  result.judged.Set(alone.test_case);
  result.judged.dialect = oracle::DialectName(dialect);
  JudgeLimits limits = limits_;
  limits.on_run = nullptr;  // observers shall see only the runs of the reported case
  CaseTrial trial(alone, dialect, {.worker = worker_, .setup = *setup_, .limits = limits}, result);
  if (!trial.resolution().ok()) {
    SetNotRun(result, Status::kNotJudged, trial.resolution().refusal->message);
    return result;
  }
  result.judged.output_dims = trial.geometry().OutputDims();
  if (!MayRun(trial) || !Prepare(trial) || !trial.RunOnce(Placement::kAgainstEnd, trial.threads().first)) {
    return result;
  }
  if (trial.declined()) {
    result.verdict.status = Status::kNotJudged;
  } else {
    trial.JudgeOutputs();
  }
  return result;
}

/// Whether to run a valid operator on the backend. If not, the result says why.
bool Judge::MayRun(CaseTrial& trial) {
  CaseResult& result = trial.result();
  const SuiteCase& suite_case = trial.suite_case();
  if (std::string reason = capabilities().UnsupportedReason(suite_case.test_case.op, trial.dialect());
      !reason.empty()) {
    SetNotRun(result, Status::kUndeclared, std::move(reason));
    return false;
  }
  const ResourceEstimate estimate = EstimateResources(suite_case.test_case, trial.geometry());
  if (estimate.bytes > limits_.bytes) {
    SetNotRun(result, Status::kTooLarge,
              fmt::format("the case needs {:.1f} GiB of memory, the run may use {:.1f} GiB; raise --memory to run it",
                          Gibibytes(estimate.bytes), Gibibytes(limits_.bytes)));
    return false;
  }
  if (const double work = WorkOf(trial.geometry()); work > limits_.most_work) {
    SetNotRun(result, Status::kTooLarge, TooMuchWork(work, limits_.most_work));
    return false;
  }
  // The worker gets four times the estimate, because a backend may pack, pad and copy its operands.
  worker_.LimitMemory(std::max(limits_.worker_bytes, 4 * estimate.bytes));
  const bool is_own_dialect = trial.dialect() == suite_case.test_case.EffectiveDialect();
  if (is_own_dialect && !suite_case.declared_output.empty() &&
      suite_case.declared_output != result.judged.output_dims) {
    return trial.Fail(FailureClass::kWrongDeclaredOutput,
                      fmt::format("the case's file declares the output dimensions {}, the dialect gives {}",
                                  DimsText(suite_case.declared_output), DimsText(result.judged.output_dims)));
  }
  return true;
}

void Judge::JudgeByLaw(CaseTrial& trial) {
  const LawRun run{.worker = worker_,
                   .arena = setup_->arena(),
                   .time_for = [this](const oracle::Geometry& geometry) { return limits_.TimeFor(WorkOf(geometry)); },
                   .minimize_seconds = limits_.minimize_seconds};
  JudgeLaw(trial.suite_case().test_case, trial.dialect(), run, minimize_seconds_left_, trial.result());
}

/// Fills the buffers. Returns false after an error of the suite, which the result names.
bool Judge::Prepare(CaseTrial& trial) {
  if (std::string error = setup_->SetUp(trial.suite_case().test_case, trial.geometry()); !error.empty()) {
    return trial.Fail(FailureClass::kSuiteError, std::move(error));
  }
  std::ranges::fill(trial.output(), kFirstPoison);
  return true;
}

void Judge::JudgeByOracle(CaseTrial& trial) {
  JudgeRuns(trial);
  if (trial.result().verdict.status == Status::kFail) {
    if (!trial.resolution().open.empty()) NoteOpenFailure(trial);
  } else if (trial.declined()) {
    JudgeNeighbour(trial);
  }
}

void Judge::JudgeRuns(CaseTrial& trial) {
  if (!Prepare(trial) || !trial.RunOnce(Placement::kAgainstEnd, trial.threads().first)) return;
  if (trial.declined()) {
    RepeatRefusal(trial);
  } else if (trial.JudgeOutputs()) {
    CheckRepeatedRun(trial);
    RunRequestedRepetitions(
        trial, [this, dialect = trial.dialect()](const Case& tried) { return JudgeInOneRun(tried, dialect); });
  } else {
    CheckForOldContents(trial);
  }
}

}  // namespace conformance
