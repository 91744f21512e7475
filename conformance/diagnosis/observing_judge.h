// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A judge that records the backend's answer and output in each run of a case. Hypotheses are compared with the records.

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
  std::byte poison{};  ///< what it held before
  WorkerOutcome::End end = WorkerOutcome::End::kAnswered;
  RunAnswer answer;
  std::string death;  ///< how the process ended; without its last words, which are each backend's own
  std::vector<std::byte> output;
};

struct Behaviour {
  CaseResult verdict;
  std::vector<Call> calls;  ///< one or two, as the judge needed them
};

/// A judge that keeps what it saw. Used by one thread, as a judge is.
class ObservingJudge {
 public:
  ObservingJudge(std::string backend, JudgeLimits limits, std::shared_ptr<TrialSetup> setup);
  /// Observes the outputs that case lines record, and asks no backend. `declared`: what they are judged by.
  ObservingJudge(const Capabilities& declared, JudgeLimits limits);

  std::optional<BackendError> Start() { return judge_ ? judge_->Start() : std::nullopt; }
  const Capabilities& capabilities() const { return judge_ ? judge_->capabilities() : declared_; }
  /// The next case gets a new process of the backend.
  void RequireNewProcess() {
    if (judge_) judge_->RequireNewProcess();
  }
  /// A case without recorded outputs gets no verdict if no backend is asked.
  Behaviour Observe(const SuiteCase& suite_case);

 private:
  Behaviour ObserveRecorded(const SuiteCase& suite_case) const;

  std::vector<Call> calls_;
  std::optional<Judge> judge_;  ///< none for recorded outputs
  Capabilities declared_;       ///< of recorded outputs
  JudgeLimits limits_;          ///< likewise
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_OBSERVING_JUDGE_H_
