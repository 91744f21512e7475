// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A judge that keeps what the backend did in each run of a case. Hypotheses are compared with these records.

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

/// One run: what was answered, and what the output held afterwards.
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

  std::optional<BackendError> Start() { return judge_.Start(); }
  const Capabilities& capabilities() const { return judge_.capabilities(); }
  Behaviour Observe(const SuiteCase& suite_case);

 private:
  std::vector<Call> calls_;
  Judge judge_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_OBSERVING_JUDGE_H_
