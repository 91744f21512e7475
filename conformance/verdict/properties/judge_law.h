// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges a case that names a law. The backend runs the case and its related operators, and their outputs are compared
// with one another. A failure also names the smallest case found that breaks the law in the same way.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_JUDGE_LAW_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_JUDGE_LAW_H_

#include <chrono>
#include <functional>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/case/case.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// The backend that runs a law's operators, the buffers, and the time limits.
struct LawRun {
  Worker& worker;
  Arena& arena;
  /// The time limit for one run of an operator with this geometry.
  std::function<std::chrono::nanoseconds(const oracle::Geometry&)> time_for;
  double minimize_seconds = 0;  ///< the most that the search for the smallest case may take
};

/// Writes the verdict into `result`. `minimize_seconds_left` is the time that all remaining minimizations of the judge
/// may take. The function subtracts the time that it used for minimizing.
void JudgeLaw(const Case& test_case, oracle::Dialect dialect, const LawRun& run, double& minimize_seconds_left,
              CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_JUDGE_LAW_H_
