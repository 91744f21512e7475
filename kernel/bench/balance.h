// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how evenly the tasks of a layer (an operator of layers.txt) can be shared among threads. A task is the part
// of a run that one thread computes. The times of the tasks are measured on one thread; the threads are simulated. So a
// machine with few cores shows what many threads would gain. For many threads, plans have other tasks, which are
// measured, too.
#ifndef DECONV_KERNEL_BENCH_BALANCE_H_
#define DECONV_KERNEL_BENCH_BALANCE_H_

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "kernel/bench/layers.h"

namespace deconv::bench {

// Two and four threads share the tasks of one thread. Eight are more than kFewWorkers, so they show the other tasks.
inline constexpr std::array<size_t, 3> kSimulatedThreads = {2, 4, 8};

struct Speedup {
  size_t tasks = 0;   // tasks that the threads share
  double factor = 1;  // time of one thread divided by that of the threads
};

struct Balance {
  size_t tasks = 0;                                        // tasks of one thread
  double ns = 0;                                           // time of these tasks, one after the other
  double slowest_share = 0;                                // share of the slowest task in `ns`
  std::array<Speedup, kSimulatedThreads.size()> speedups;  // for each number of kSimulatedThreads
  std::string algorithm;
};

// Returns the time of one thread divided by the time until the last of `threads` threads is done. Each thread takes the
// next of the tasks, which take `task_ns`, as soon as it is free. Memory and caches that threads share, and the cost of
// waking them, are left out. Example: two threads share tasks of 1, 1 and 2 ns in 3 ns: a speedup of 4 / 3.
double SpeedupOf(double one_thread_ns, std::span<const double> task_ns, size_t threads);

// Measures a layer. Returns false with the kernel's message in `error` if the kernel refuses it.
bool MeasureBalance(const Layer& layer, const PlanSettings& settings, Balance& balance, std::string& error);

// Return the head of the table, and the line of a layer.
std::string BalanceHead();
std::string BalanceLine(const Layer& layer, const Balance& balance);
// Returns a JSON object on one line.
std::string BalanceJson(const Layer& layer, const Balance& balance);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_BALANCE_H_
