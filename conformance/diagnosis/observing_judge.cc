// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Records each run of the backend. The judge calls the hook `on_run` after each run.

#include "conformance/diagnosis/observing_judge.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "conformance/case/given_values.h"
#include "conformance/verdict/judge/judge_recorded.h"

namespace conformance {
namespace {

/// Returns the first part of a text about a death, such as "killed by Segmentation fault (11)" or "byte 3 of 12 of the
/// filter". The address and the words of the backend are cut off, because they differ from run to run.
std::string DeathWithoutAddress(const std::string& detail) {
  return detail.substr(0, std::min({detail.find(": "), detail.find("; stderr"), detail.find(kAddress)}));
}

JudgeLimits RecordingLimits(JudgeLimits limits, std::vector<Call>& calls) {
  limits.finds_dialects = false;
  limits.minimize_seconds = 0;
  limits.on_run = [&calls](const RunObservation& run) {
    Call& call = calls.emplace_back();
    call.poison = run.poison;
    call.end = run.outcome.end;
    call.answer = run.outcome.answer;
    call.death = DeathWithoutAddress(run.outcome.detail);
    call.output.assign(run.output.begin(), run.output.end());
  };
  return limits;
}

}  // namespace

ObservingJudge::ObservingJudge(std::string backend, JudgeLimits limits, std::shared_ptr<TrialSetup> setup)
    : judge_(std::in_place, std::move(backend), RecordingLimits(std::move(limits), calls_), std::move(setup)) {}

ObservingJudge::ObservingJudge(const Capabilities& declared, JudgeLimits limits)
    : declared_(declared), limits_(std::move(limits)) {}

Behaviour ObservingJudge::ObserveRecorded(const SuiteCase& suite_case) const {
  Behaviour behaviour;
  behaviour.verdict = JudgeRecorded(suite_case, declared_, limits_);
  const Case& test_case = suite_case.test_case;
  if (!test_case.recorded || behaviour.verdict.judged.output_dims.empty()) return behaviour;
  auto recorded = ReadGivenValues(*test_case.recorded, test_case.op.data.type, limits_.bytes);
  auto* const values = std::get_if<TensorValues>(&recorded);
  if (values == nullptr) return behaviour;
  Call& call = behaviour.calls.emplace_back();
  call.poison = kFirstPoison;
  call.answer.answer = DECONV_ANSWER_COMPUTED;
  const bool has_dims = !std::holds_alternative<InlineValues>(*test_case.recorded);
  call.answer.output_dims = has_dims ? values->dims : behaviour.verdict.judged.output_dims;
  call.output = std::move(values->bytes);
  return behaviour;
}

Behaviour ObservingJudge::Observe(const SuiteCase& suite_case) {
  if (!judge_) return ObserveRecorded(suite_case);
  calls_.clear();
  Behaviour behaviour;
  behaviour.verdict = judge_->JudgeCase(suite_case);
  behaviour.calls = std::move(calls_);
  return behaviour;
}

}  // namespace conformance
