// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a case again as its field `repeat` asks, after both of its ordinary runs were right. One kind of repetition
// calls the operator many times and watches the memory, open files and threads of the backend's process. Another uses
// every number of threads. The third runs the operator in turn with its relatives.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "conformance/verdict/judge/case_trial.h"

namespace conformance {

/// The verdict on a case in one run of the same process, in the same arena.
using JudgeInOneRun = std::function<CaseResult(const Case&)>;

/// Does nothing if the case repeats nothing or has failed.
void RepeatAsCaseAsks(CaseTrial& trial, const JudgeInOneRun& judge_in_one_run);

/// The growth of a number with each call: bytes, open files or threads that a process holds. `held` has the number
/// after each of several windows of `calls` calls. Returns nothing if the growth is no leak. A leak grows at the same
/// rate: each window adds at least `least`, and at least half of the median. Caches and pools grow in some windows
/// only. A window may add more, when a table doubles.
std::optional<double> SteadyGrowth(std::span<const std::uint64_t> held, int calls, std::uint64_t least);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_
