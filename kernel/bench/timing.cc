// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Times a function. Google Benchmark decides how often the function runs. This file keeps the time of each run, because
// Google Benchmark averages them.
#include "kernel/bench/timing.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "benchmark/benchmark.h"

namespace deconv::bench {
namespace {

constexpr int64_t kMinRuns = 9;  // a guess: the lower quartile of nine runs is the third fastest

// A reporter that prints nothing, because other files print the times.
class Silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

double Seconds(std::chrono::steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Time TimeRuns(double budget_seconds, const std::function<void()>& run) {
  std::vector<double> times;
  const auto measure = [&](benchmark::State& state) {
    times.clear();  // the times of a shorter attempt
    for ([[maybe_unused]] const auto iteration : state) {
      const auto start = std::chrono::steady_clock::now();
      run();
      const double seconds = Seconds(std::chrono::steady_clock::now() - start);
      state.SetIterationTime(seconds);
      times.push_back(seconds);
    }
  };
  const auto start = std::chrono::steady_clock::now();
  run();  // a run with cold caches, to decide how many runs fit the budget
  const double first = Seconds(std::chrono::steady_clock::now() - start);
  benchmark::ClearRegisteredBenchmarks();
  auto* const benchmark = benchmark::RegisterBenchmark("run", measure)->UseManualTime();
  if (first * static_cast<double>(kMinRuns) > budget_seconds) {
    benchmark->Iterations(kMinRuns);
  } else {
    benchmark->MinTime(budget_seconds);
  }
  Silent silent;
  benchmark::RunSpecifiedBenchmarks(&silent, "run");
  const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), quarter, times.end());
  return {.ns = *quarter * 1e9, .runs = times.size()};
}

}  // namespace deconv::bench
