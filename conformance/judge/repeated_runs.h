// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What a case with the field `repeat` does after both of its runs were right: it watches the memory of the backend's
// process over many calls, or runs the operator with every number of threads.

#ifndef DECONV_CONFORMANCE_JUDGE_REPEATED_RUNS_H_
#define DECONV_CONFORMANCE_JUDGE_REPEATED_RUNS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "conformance/judge/case_trial.h"

namespace conformance {

/// Does nothing if the case repeats nothing or has failed.
void RepeatAsCaseAsks(CaseTrial& trial);

/// Bytes that a process gains with each call, from what it held at the end of several windows of `calls` calls each;
/// none if the growth is no leak. A leak goes on at the same rate: each window adds at least `least` bytes, and at
/// least half of the median. Caches and pools grow in some windows only. A window may add more, when a table doubles.
std::optional<double> SteadyGrowth(std::span<const std::uint64_t> held, int calls, std::uint64_t least);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_JUDGE_REPEATED_RUNS_H_
