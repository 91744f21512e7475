// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one case on one backend. The judge resolves the operator (computes its sizes and pads), fills the buffers,
// runs the backend twice in a worker process, compares the outputs with the oracle's, and reports what is wrong.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "conformance/backends/worker/worker.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/judge/trial_setup.h"
#include "conformance/verdict/replay_command.h"
#include "conformance/verdict/result.h"

namespace conformance {

class CaseTrial;

/// Owns a worker. A judge and all judges that share its setup must be used by one thread.
class Judge {
 public:
  Judge(std::string backend_name, JudgeLimits limits,
        std::shared_ptr<TrialSetup> setup = std::make_shared<TrialSetup>());

  std::optional<BackendError> Start() { return worker_.Start(); }
  const Capabilities& capabilities() const { return worker_.capabilities(); }
  /// The protections of the sandbox around the backend; absent without a sandbox.
  const std::optional<SandboxReport>& sandbox() const { return worker_.sandbox(); }

  /// Judges a case and returns its result. If the backend crashes or hangs, this case fails.
  CaseResult JudgeCase(const SuiteCase& suite_case);

  /// Makes the judge start a new process of the backend for the next case, so that earlier cases cannot influence it.
  void RequireNewProcess() {
    worker_.RequireNewProcess();
    neighbours_.clear();  // another process may answer differently
    supports_.clear();
  }
  void SetBaseSeconds(double base_seconds) { limits_.base_seconds = base_seconds; }
  void SetPatience(double patience) { limits_.patience = patience; }

 private:
  CaseResult JudgeOnce(const SuiteCase& suite_case);
  std::string ReasonToSkip(const Case& swept) const;
  void JudgeOperator(const SuiteCase& suite_case, CaseResult& result);
  void JudgeInvalid(CaseTrial& trial);
  void JudgeNeighbour(CaseTrial& trial);
  bool MaySend(CaseTrial& trial);
  CaseResult JudgeInOneRun(const Case& test_case, oracle::Dialect dialect);
  bool Prepare(CaseTrial& trial);
  bool MayRun(CaseTrial& trial);
  void JudgeByLaw(CaseTrial& trial);
  void JudgeByOracle(CaseTrial& trial);
  void JudgeRuns(CaseTrial& trial);
  void NoteOpenFailure(CaseTrial& trial);
  LimitsToRepeat LimitsThatExplain(const Case& test_case, FailureClass failure) const;

  std::shared_ptr<TrialSetup> setup_;
  Worker worker_;
  JudgeLimits limits_;
  std::map<std::string, CaseResult> neighbours_;   ///< verdicts on the neighbours of refused operators, by case line
  std::map<std::string, WorkerOutcome> supports_;  ///< the backend's answers on these neighbours, by case line
  double minimize_seconds_left_ = 4 * limits_.minimize_seconds;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_H_
