// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the times of a layer's tasks, shares them among simulated threads, and prints the speedups. A task is the
// part of a run that one thread computes.
#include "kernel/bench/balance.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/measure.h"
#include "nlohmann/json.hpp"

namespace deconv::bench {

double SpeedupOf(double one_thread_ns, std::span<const double> task_ns, size_t threads) {
  std::vector<double> busy_until(threads, 0.0);  // for each thread, the end of its last task in ns
  for (const double ns : task_ns) *std::min_element(busy_until.begin(), busy_until.end()) += ns;
  const double last = *std::max_element(busy_until.begin(), busy_until.end());
  return last > 0 ? one_thread_ns / last : 1;
}

bool MeasureBalance(const Layer& layer, const PlanSettings& settings, Balance& balance, std::string& error) {
  TaskTimes times;
  if (!MeasureTasks(layer, settings, 1, times, error)) return false;
  balance.tasks = times.ns.size();
  balance.ns = std::accumulate(times.ns.begin(), times.ns.end(), 0.0);
  const double slowest = times.ns.empty() ? 0 : *std::max_element(times.ns.begin(), times.ns.end());
  balance.slowest_share = balance.ns > 0 ? slowest / balance.ns : 0;
  balance.algorithm = times.algorithm;
  for (size_t i = 0; i < kSimulatedThreads.size(); ++i) {
    const size_t threads = kSimulatedThreads[i];
    // Up to kFewWorkers, the tasks are those of one thread.
    if (threads > kFewWorkers && !MeasureTasks(layer, settings, threads, times, error)) return false;
    balance.speedups[i] = {times.ns.size(), SpeedupOf(balance.ns, times.ns, threads)};
  }
  return true;
}

std::string BalanceHead() {
  std::string head = "layer                          ms   tasks  slowest task";
  for (const size_t threads : kSimulatedThreads) head += "  " + std::to_string(threads) + " threads: speedup, tasks";
  return head + "  algorithm\n";
}

std::string BalanceLine(const Layer& layer, const Balance& balance) {
  char text[200];
  std::snprintf(text, sizeof(text), "%-20s %12.3f %7zu %11.1f %%", layer.name.c_str(), balance.ns / 1e6, balance.tasks,
                100 * balance.slowest_share);
  std::string line = text;
  for (const Speedup& speedup : balance.speedups) {
    std::snprintf(text, sizeof(text), " %18.2f %7zu", speedup.factor, speedup.tasks);
    line += text;
  }
  return line + "  " + balance.algorithm + "\n";
}

std::string BalanceJson(const Layer& layer, const Balance& balance) {
  nlohmann::ordered_json json = {{"layer", layer.name},
                                 {"ns", balance.ns},
                                 {"tasks", balance.tasks},
                                 {"slowest_share", balance.slowest_share},
                                 {"algorithm", balance.algorithm}};
  for (size_t i = 0; i < kSimulatedThreads.size(); ++i) {
    const Speedup& speedup = balance.speedups[i];
    json["speedups"].push_back(
        {{"threads", kSimulatedThreads[i]}, {"tasks", speedup.tasks}, {"speedup", speedup.factor}});
  }
  return json.dump();
}

}  // namespace deconv::bench
