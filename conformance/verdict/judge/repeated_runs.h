// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a case again as its field `repeat` asks, after both of its ordinary runs were right. `memory` calls the operator
// many times and watches the memory, open files and threads of the backend's process. `threads` uses every number of
// threads. `turns` alternates the operator with its relatives: operators that differ in one attribute, whose cached
// data a backend might confuse.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "conformance/verdict/judge/case_trial.h"

namespace conformance {

/// Judges a case in one run, in the same process and in the same arena (memory that is shared with the process).
using JudgeInOneRun = std::function<CaseResult(const Case&)>;

/// Runs the repetitions and sets a failure in the trial's result if one is found. Does nothing if the case has no field
/// `repeat` or has failed already.
void RunRequestedRepetitions(CaseTrial& trial, const JudgeInOneRun& judge_in_one_run);

/// The leak per call of a resource of a process: bytes, open files or threads. `held` is the amount after each of
/// several windows of `calls` calls. Returns nothing if the growth is no leak. A leak grows steadily: each window adds
/// at least `least`, and at least half of the median growth. Caches and pools grow in some windows only. One window may
/// add more than the others, for example when a hash table doubles.
/// Example with 10 calls and least 10: 1000, 1640, 9000, 9640 grows by 640, 7360, 640. The median 640 / 10 is 64.
std::optional<double> LeakPerCall(std::span<const std::uint64_t> held, int calls, std::uint64_t least);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_
