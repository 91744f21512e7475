// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One case on one backend: resolve, fill, run twice, compare with the oracle slab by slab, and say what is wrong.

#ifndef DECONV_CONFORMANCE_JUDGE_JUDGE_H_
#define DECONV_CONFORMANCE_JUDGE_JUDGE_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "conformance/judge/trial_setup.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"
#include "conformance/worker/worker.h"

namespace conformance {

/// One run of a backend as a judge sees it, before any verdict.
struct SeenRun {
  std::byte poison;  ///< what the output held before
  const WorkerOutcome& outcome;
  std::span<const std::byte> output;  ///< until the call returns; empty for an operator that the dialect refuses
};

struct JudgeLimits {
  double base_seconds = 10;                       ///< granted to every run of the backend ...
  double steps_per_second = 5e6;                  ///< ... and one second more for as many steps of its work
  std::uint64_t bytes = std::uint64_t{12} << 30;  ///< for buffers and the oracle's own
  /// What the backend's process may hold besides; more for cases that are large themselves.
  std::uint64_t worker_bytes = std::uint64_t{4} << 30;
  const std::atomic<int>* interrupt = nullptr;  ///< once it is not 0, a case is given up
  /// For the smallest case that breaks a law as a failed one does; four times as much in all. 0: not looked for.
  double shrink_seconds = 0;
  bool finds_dialects = true;  ///< says of deciding cases which dialects the answer fits
  /// Called after each run of the backend for the cases that are judged by the oracle's values.
  std::function<void(const SeenRun&)> on_run = nullptr;

  /// How long a run of so much work may take.
  std::chrono::nanoseconds TimeFor(double work) const;
};

/// What a case needs before it runs; 0 bytes for one that will not run or is invalid.
struct CaseDemand {
  std::uint64_t bytes = 0;
  double products = 0;
};

CaseDemand DemandOf(const Case& test_case, const Capabilities& declared);
/// Whatever a backend declares: of the case as its own dialect has it.
CaseDemand DemandOf(const Case& test_case);

/// Upper bound of the products: every data element meets every tap of its group.
double ProductsOf(const oracle::Geometry& geometry);
/// Products, and a step for each element that is read or written.
double WorkOf(const oracle::Geometry& geometry);

/// Owns a worker; used by one thread, together with the other judges of its stage.
class Judge {
 public:
  Judge(std::string backend_name, JudgeLimits limits,
        std::shared_ptr<TrialSetup> stage = std::make_shared<TrialSetup>());

  std::optional<BackendError> Start() { return worker_.Start(); }
  const Capabilities& capabilities() const { return worker_.capabilities(); }

  CaseResult JudgeCase(const SuiteCase& planned);

  /// The next case meets a new process of the backend, which knows nothing of earlier ones.
  void StartAfresh() { worker_.StartAfresh(); }
  void GrantSeconds(double base_seconds) { limits_.base_seconds = base_seconds; }

 private:
  struct Context;
  CaseResult JudgeOnce(const SuiteCase& planned);
  std::string ReplayOptions(const Case& test_case, FailureClass failure) const;
  void JudgeInvalid(Context& context);
  void JudgeValid(Context& context);
  void Observe(Context& context, const RunAnswer& answer);
  bool RunOnce(Context& context, Placement placement, int threads);
  bool JudgeOutputs(Context& context);
  void JudgeSecondRun(Context& context);
  bool AddedToPoison(std::int64_t index, std::byte poison);

  std::shared_ptr<TrialSetup> setup_;
  Worker worker_;
  JudgeLimits limits_;
  double shrink_seconds_left_ = 4 * limits_.shrink_seconds;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_JUDGE_JUDGE_H_
