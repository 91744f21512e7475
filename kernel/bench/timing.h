// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Times a function that is repeated: the lower quartile of single runs. A disturbance only makes a run slower, and the
// minimum alone would reward luck.
#ifndef DECONV_KERNEL_BENCH_TIMING_H_
#define DECONV_KERNEL_BENCH_TIMING_H_

#include <cstddef>
#include <functional>

namespace deconv::bench {

struct Time {
  double ns = 0;  // time of one run
  size_t runs = 0;
};

// About so many seconds of runs, nine runs at least.
Time TimeRuns(double budget_seconds, const std::function<void()>& run);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_TIMING_H_
