// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one case on one backend, in a worker process. The judge resolves the operator: it computes the sizes and pads.
// It compares the outputs of a valid operator with the oracle's. A right run is repeated with buffers that are placed
// differently. The backend must refuse what the dialect refuses. Cases with a law go to judge_law.h, cases with a sweep
// to judge_sweep.h.

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
  /// Sets the time limit of a run, to which the time for its work is added (JudgeLimits::TimeFor).
  void SetBaseSeconds(double base_seconds) { limits_.base_seconds = base_seconds; }
  /// Sets the factor of the whole time limit, for a backend that is slow but computes.
  void SetPatience(double patience) { limits_.patience = patience; }

 private:
  // The neighbour of an operator is the same one without its fault or open point. (At an open point the specification
  // lets a backend refuse or compute the operator.) A refusal proves something only if the backend computes the
  // neighbour.

  /// Judges a case, and does not try it again in a new process.
  CaseResult JudgeOnce(const SuiteCase& suite_case);
  /// Why the limits exclude a case with a sweep; empty if they do not.
  std::string ReasonToSkip(const Case& swept) const;
  /// Judges a case without a sweep in the dialect that the backend declares.
  void JudgeOperator(const SuiteCase& suite_case, CaseResult& result);
  /// Judges an operator that the dialect refuses or leaves undefined.
  void JudgeInvalid(CaseTrial& trial);
  /// Judges the neighbour of an operator that the backend refused.
  void JudgeNeighbour(CaseTrial& trial);
  /// Whether to send an invalid operator to the backend.
  bool MaySend(CaseTrial& trial);
  /// Judges a case in one run. No report shows the result.
  CaseResult JudgeInOneRun(const Case& test_case, oracle::Dialect dialect);
  /// Fills the buffers. Returns false after an error of the suite.
  bool Prepare(CaseTrial& trial);
  /// Whether the declaration and the limits let a valid operator run on the backend.
  bool MayRun(CaseTrial& trial);
  /// Judges a valid operator by the law of its case.
  void JudgeByLaw(CaseTrial& trial);
  /// Judges a valid operator by the oracle's values, and the neighbour if the backend refused the operator.
  void JudgeByOracle(CaseTrial& trial);
  /// Judges the first run and the runs that follow from its answer.
  void JudgeRuns(CaseTrial& trial);
  /// Adds to the message of a failure that the operator is open.
  void NoteOpenFailure(CaseTrial& trial);
  /// The limits with which a replay of a failure must run, where they differ from the defaults.
  LimitsToRepeat LimitsThatExplain(const Case& test_case, FailureClass failure) const;

  std::shared_ptr<TrialSetup> setup_;
  Worker worker_;
  JudgeLimits limits_;
  std::map<std::string, CaseResult> neighbours_;   ///< verdicts on the neighbours of refused operators, by case line
  std::map<std::string, WorkerOutcome> supports_;  ///< whether the backend supports a neighbour, by case line
  double minimize_seconds_left_ = 4 * limits_.minimize_seconds;  ///< for all later cases that break laws
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_H_
