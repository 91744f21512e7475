// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges the cases of a campaign. The backend usually runs in this process, which is fast. A worker is another process
// that runs the backend. Its buffers lie between guard pages, memory whose use ends the process at once. The worker
// judges every 64th case once more. An isolated backend runs only in the worker.

#ifndef DECONV_FUZZ_FINDINGS_BACKEND_JUDGE_H_
#define DECONV_FUZZ_FINDINGS_BACKEND_JUDGE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "conformance/case/case.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/interface/backend.h"
#include "fuzz/cases/finding.h"
#include "fuzz/cases/settings.h"

namespace fuzz {

/// The verdict on a case.
struct JudgedInput {
  std::optional<Finding> finding;
  conformance::Behaviour behaviour = {};  ///< the backend's calls and answers, if there is a finding
};

/// Judges cases here or in the worker. It also decides when a process may be damaged and must not be used any more.
class BackendJudge {
 public:
  /// One case in 64 is judged a second time, in the worker. A case takes ten times as long there, so the search loses a
  /// sixth of its speed.
  static constexpr std::uint64_t kGuardedEach = 64;

  /// Opens the backend; aborts if there is none.
  explicit BackendJudge(const Settings& settings);

  const conformance::Capabilities& declared() const;
  /// Whether the operator is valid in the dialect by which it is judged.
  bool IsValid(const conformance::Case& test_case) const;
  /// Judges the case as the settings say. An operator that the backend does not declare is not judged, even if it is
  /// invalid.
  JudgedInput Judge(const conformance::Case& test_case);
  /// Judges the case without counting it.
  JudgedInput JudgeAgain(const conformance::Case& test_case);
  /// Whether a case that failed here passes in another process, which ran other cases before. If so, the failure may
  /// depend on earlier cases or on chance. The process in which it failed may be damaged, so the next cases get
  /// another.
  bool PassesInOtherProcess(const conformance::Case& test_case);

 private:
  conformance::JudgeLimits LimitsOf() const;
  JudgedInput JudgeInWorker(const conformance::Case& test_case);
  JudgedInput JudgeInThisProcess(const conformance::Case& test_case);
  bool HasWorker();
  void RenewWorker();

  const Settings& settings_;
  std::unique_ptr<conformance::Backend> opened_;  ///< the backend in this process; stays open if it is damaged
  conformance::Backend* in_process_ = nullptr;    ///< opened_; null if it is isolated or damaged
  std::unique_ptr<conformance::ObservingJudge> worker_;
  bool tried_worker_ = false;                           ///< the worker was started, or cannot be started
  std::unique_ptr<conformance::Judge> second_worker_;   ///< the other process of PassesInOtherProcess()
  bool has_second_worker_ = false;                      ///< the backend can be started there
  std::size_t passed_in_other_ = 0;                     ///< number of failing cases that passed in the other process
  std::chrono::steady_clock::time_point renewed_ = {};  ///< when the worker was started anew
  std::uint64_t judged_ = 0;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_BACKEND_JUDGE_H_
