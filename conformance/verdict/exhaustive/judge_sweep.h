// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one sweep on one backend. A sweep is one case that stands for many small generated operators, here called
// tuples. They run in batches until the first wrong answer.

#ifndef DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_JUDGE_SWEEP_H_
#define DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_JUDGE_SWEEP_H_

#include <functional>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// What JudgeSweep needs to run a sweep.
struct SweepTrial {
  Worker& worker;       ///< runs the backend in its process
  Arena& arena;         ///< the memory that is shared with this process
  double hang_seconds;  ///< a worker that answers no further tuple for so long hangs
  /// Judges one tuple as an ordinary case.
  std::function<CaseResult(const SuiteCase&)> judge_alone;
};

/// Judges a case that has a sweep. The sweep fails as its first wrong tuple fails. The result's case line is the
/// tuple's own if the tuple also fails alone. Else it is the line of the smallest range of tuples in which the failure
/// was seen.
CaseResult JudgeSweep(const SuiteCase& suite_case, const SweepTrial& trial);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_JUDGE_SWEEP_H_
