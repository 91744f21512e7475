// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges the cases of a campaign, which searches a backend for wrong answers. The backend usually runs in this process,
// because that is fast. A worker is another process that runs the backend; its buffers lie between guard pages, memory
// whose use ends the process at once. Every 64th case is judged a second time in the worker, to find accesses outside
// of the buffers. A backend that the settings isolate runs only in the worker.

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
  std::optional<Finding> finding;         ///< the wrong answer; absent if the case passed or was not judged
  conformance::Behaviour behaviour = {};  ///< the backend's calls and answers, if there is a finding
};

/// Judges cases in this process or in the worker. It also decides when a process may be damaged, for example its heap,
/// and must not be used any more.
class BackendJudge {
 public:
  /// One case in 64 is judged a second time, in the worker. A case takes ten times as long there, so the search loses a
  /// sixth of its speed.
  static constexpr std::uint64_t kGuardedEach = 64;

  /// Opens the backend; aborts if there is none.
  explicit BackendJudge(const Settings& settings);

  /// What the backend declares to support.
  const conformance::Capabilities& declared() const;
  /// Whether the operator is valid in the dialect (the reading of the attributes) by which it is judged.
  bool IsValid(const conformance::Case& test_case) const;
  /// Judges an input of the search, and counts it in the shared state. An operator that the backend does not declare is
  /// not judged, even if it is invalid.
  JudgedInput Judge(const conformance::Case& test_case);
  /// Judges a case that is no input of the search, such as a simpler form of one, and does not count it.
  JudgedInput JudgeAgain(const conformance::Case& test_case);
  /// Whether a case that failed passes in a second worker, which ran other cases before. If so, the failure may depend
  /// on earlier cases or on chance. The worker may then be damaged, so the next case gets a new one. From the eighth
  /// such failure on, this process does not run the backend any more.
  bool PassesInOtherProcess(const conformance::Case& test_case);

 private:
  conformance::JudgeLimits Limits() const;
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
  std::uint64_t judged_ = 0;                            ///< number of cases that Judge() ran in this process
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_BACKEND_JUDGE_H_
