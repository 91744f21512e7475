// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What a case with the field `repeat` does after both of its runs were right: it watches what the backend's process
// holds over many calls, runs the operator with every number of threads, or runs it in turn with its relatives.

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

/// What a process gains with each call (bytes, files, threads), from what it held at the end of several windows of
/// `calls` calls each; none if the growth is no leak. A leak goes on at the same rate: each window adds at least
/// `least` bytes, and at least half of the median. Caches and pools grow in some windows only. A window may add more,
/// when a table doubles.
std::optional<double> SteadyGrowth(std::span<const std::uint64_t> held, int calls, std::uint64_t least);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_REPEATED_RUNS_H_
