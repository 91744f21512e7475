// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Times a function that runs repeatedly. The result is the lower quartile of the times of single runs, because a
// disturbance only makes a run slower. The minimum would depend on a single lucky run.
#ifndef DECONV_KERNEL_BENCH_TIMING_H_
#define DECONV_KERNEL_BENCH_TIMING_H_

#include <cstddef>
#include <functional>

namespace deconv::bench {

struct Time {
  double ns = 0;  // time of one run
  size_t runs = 0;
};

// Times runs for about `budget_seconds` seconds, at least nine runs.
Time TimeRuns(double budget_seconds, const std::function<void()>& run);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_TIMING_H_
