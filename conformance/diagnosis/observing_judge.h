// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A judge that records the backend's answer and output in each run of a case. The diagnosis compares the records with
// the answers of hypotheses (backends with a known defect).

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_OBSERVING_JUDGE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_OBSERVING_JUDGE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict/judge/judge.h"

namespace conformance {

/// A message with an address has this text directly before the address.
inline constexpr std::string_view kAddress = " (address";

/// One run of the backend: its answer, and the output buffer after the run.
struct Call {
  std::byte poison{};  ///< the byte that filled the output buffer before the run
  WorkerOutcome::End end = WorkerOutcome::End::kAnswered;
  RunAnswer answer;
  std::string death;  ///< how the process ended; without its last words, which differ between backends
  std::vector<std::byte> output;
};

/// The verdict of a case, and the runs of the backend that led to it.
struct Behaviour {
  CaseResult verdict;
  std::vector<Call> calls;  ///< one or two, as many as the judge needed
};

/// A judge that records the runs. Like a judge, it is used by one thread.
class ObservingJudge {
 public:
  ObservingJudge(std::string backend, JudgeLimits limits, std::shared_ptr<TrialSetup> setup);
  /// Makes a judge of outputs that case lines record, which asks no backend. `declared`: the declaration that judges
  /// them.
  ObservingJudge(const Capabilities& declared, JudgeLimits limits);

  std::optional<BackendError> Start() { return judge_ ? judge_->Start() : std::nullopt; }
  const Capabilities& capabilities() const { return judge_ ? judge_->capabilities() : declared_; }
  /// Makes the judge start a new process of the backend for the next case.
  void RequireNewProcess() {
    if (judge_) judge_->RequireNewProcess();
  }
  /// Judges a case and returns what was recorded. A case without recorded outputs gets no verdict if there is no
  /// backend.
  Behaviour Observe(const SuiteCase& suite_case);

 private:
  Behaviour ObserveRecorded(const SuiteCase& suite_case) const;

  std::vector<Call> calls_;
  std::optional<Judge> judge_;  ///< none for recorded outputs
  Capabilities declared_;       ///< used for recorded outputs only
  JudgeLimits limits_;          ///< used for recorded outputs only
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_OBSERVING_JUDGE_H_
