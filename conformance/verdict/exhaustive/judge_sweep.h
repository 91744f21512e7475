// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one sweep on one backend, batch after batch, until the first wrong answer.

#ifndef DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_JUDGE_SWEEP_H_
#define DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_JUDGE_SWEEP_H_

#include <functional>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"

namespace conformance {

struct SweepTrial {
  Worker& worker;
  Arena& arena;
  double base_seconds;  ///< granted to each tuple
  /// The ordinary verdict on one case of the sweep.
  std::function<CaseResult(const SuiteCase&)> judge_alone;
};

/// `suite_case` has a sweep. A failure is that of its first wrong tuple, with the tuple's own case line if the case
/// fails alone, else with a sweep's line that has the least range in which it was seen.
CaseResult JudgeSweep(const SuiteCase& suite_case, const SweepTrial& trial);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_JUDGE_SWEEP_H_
