// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the plan and the buffers of a layer (an operator of layers.txt), and times single executions. Google Benchmark
// decides how often a function runs. This file keeps the time of each run for a quartile, because Google Benchmark only
// gives their mean.
#include "kernel/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"
#include "deconv/cxx.h"
#include "kernel/bench/limits.h"
#include "kernel/plan/plan.h"

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
    times.clear();  // of an earlier call: Google Benchmark repeats a measurement that was too short, with more runs
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

namespace {

// Guesses: long enough for the nine runs of a quartile (TimeRuns) of most layers, short enough for a hundred layers.
constexpr double kLayerSeconds = 0.5;
constexpr double kPackSeconds = 0.2;

// Buffers start at a cache line, as frameworks allocate their tensors.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {
  }  // NOLINT(google-explicit-constructor): as allocators are

  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* pointer, size_t /*count*/) { ::operator delete(pointer, kAlignment); }
  bool operator==(const CacheLineAllocator&) const = default;
};
using Buffer = std::vector<std::byte, CacheLineAllocator<std::byte>>;

// Fills a buffer with random elements. Floating values have both signs and are at most 2; none is subnormal, because
// that would change the speed. f16 and bf16 get a random sign and mantissa (the bits of 0x83ff and 0x807f) and the
// exponent of 0.5 (0x3800 and 0x3f00). Integers have random bits.
void Fill(deconv_type type, Buffer& buffer) {
  std::mt19937_64 random(1);
  const auto put = [&](auto make) {
    for (size_t i = 0; i + sizeof(make()) <= buffer.size(); i += sizeof(make())) {
      const auto value = make();
      std::memcpy(buffer.data() + i, &value, sizeof(value));
    }
  };
  switch (type) {
    case DECONV_F64:
      return put([&] { return static_cast<double>(random() % 64) / 16.0 - 2.0; });
    case DECONV_F32:
      return put([&] { return static_cast<float>(random() % 64) / 16.0f - 2.0f; });
    case DECONV_F16:
      return put([&] { return static_cast<uint16_t>(0x3800 | (random() & 0x83ff)); });
    case DECONV_BF16:
      return put([&] { return static_cast<uint16_t>(0x3f00 | (random() & 0x807f)); });
    default:
      return put([&] { return static_cast<uint8_t>(random()); });
  }
}

// The tensors and the other buffers of a layer.
struct Tensors {
  Buffer filter;
  Buffer data;
  Buffer packed;
  Buffer output;
  Buffer workspace;

  // Allocates and fills the buffers, packs the filter and runs the plan once. Returns false with the kernel's message
  // in `error`.
  bool MakeAndRun(const Plan& plan, deconv_type type, const Plan::Threads& threads, std::string& error) {
    filter.resize(plan.FilterBytes());
    data.resize(plan.DataBytes());
    packed.resize(plan.PackedFilterBytes());
    output.resize(plan.OutputBytes());
    workspace.resize(plan.WorkspaceBytes(threads.workers));
    Fill(type, data);
    Fill(type, filter);
    auto status = Tagged<deconv_status>();
    if (plan.PackFilter(filter, packed, &status) == DECONV_OK && Run(plan, threads, &status) == DECONV_OK) return true;
    error = status.message;
    return false;
  }
  deconv_code Run(const Plan& plan, const Plan::Threads& threads, deconv_status* status = nullptr) {
    return plan.Run({data, packed, output, workspace}, threads, status);
  }
};

PackTimes TimePacking(const Plan& plan, const Plan::Threads& threads, Tensors& tensors) {
  PackTimes times;
  times.filter_bytes = tensors.filter.size();
  times.packed_bytes = tensors.packed.size();
  times.pack_and_run_ns = TimeRuns(kLayerSeconds, [&] {
                            plan.PackFilter(tensors.filter, tensors.packed);
                            tensors.Run(plan, threads);
                          }).ns;
  Buffer from(times.CopyBytes());
  Buffer to(times.CopyBytes());
  times.copy_ns = TimeRuns(kPackSeconds, [&] {
                    std::memcpy(to.data(), from.data(), from.size());
                    benchmark::DoNotOptimize(to.data());
                    benchmark::ClobberMemory();
                  }).ns;
  times.pack_ns = TimeRuns(kPackSeconds, [&] { plan.PackFilter(tensors.filter, tensors.packed); }).ns;
  return times;
}

bool MeasurePlan(const Plan& plan, const PlanSettings& settings, bool with_pack, Pool& pool, Measurement& measurement,
                 std::string& error) {
  const Plan::Threads threads = {pool.Workers() > 1 ? &Pool::ParallelFor : nullptr, &pool, pool.Workers()};
  Tensors tensors;
  if (!tensors.MakeAndRun(plan, settings.type, threads, error)) return false;
  measurement.time = TimeRuns(kLayerSeconds, [&] { tensors.Run(plan, threads); });
  if (with_pack) measurement.pack = TimePacking(plan, threads, tensors);
  measurement.memory_traffic_ns = MemoryTrafficNs(
      {.data = tensors.data, .packed_filter = tensors.packed, .output = tensors.output}, settings.target_bit, pool);
  measurement.algorithm = plan.AlgorithmName();
  measurement.target = plan.TargetName();
  measurement.cpu = plan.CpuClassName();
  measurement.estimated_cycles = plan.Get()->algorithm->Cycles() * static_cast<double>(plan.Get()->geometry.batch);
  return true;
}

// A deconv_parallel_for that runs all tasks on the calling thread and times each. `context` is a std::vector<double>:
// the least time in ns of each task in all runs so far.
void TimeTasks(void* context, size_t count, deconv_task task, void* argument) {
  using std::chrono::steady_clock;
  auto& least = *static_cast<std::vector<double>*>(context);
  least.resize(count, std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < count; ++i) {
    const auto start = steady_clock::now();
    task(argument, i, 0);
    const std::chrono::duration<double, std::nano> took = steady_clock::now() - start;
    least[i] = std::min(least[i], took.count());
  }
}

// Makes the plan and calls `work` with it. Returns false with the reason in `error`.
template <class Work>
bool WithPlan(const Layer& layer, const PlanSettings& settings, std::string& error, const Work& work) {
  const std::optional<Plan> plan = MakePlan(layer, settings, error);
  if (!plan) return false;
  try {
    return work(*plan);
  } catch (const std::bad_alloc&) {
    error = "the layer's tensors do not fit into memory";
    return false;
  }
}

}  // namespace

bool Measure(const Layer& layer, const PlanSettings& settings, bool with_pack, Pool& pool, Measurement& measurement,
             std::string& error) {
  return WithPlan(layer, settings, error,
                  [&](const Plan& plan) { return MeasurePlan(plan, settings, with_pack, pool, measurement, error); });
}

bool MeasureOneThread(const Layer& layer, const PlanSettings& settings, double seconds, double& ns,
                      std::string& error) {
  return WithPlan(layer, settings, error, [&](const Plan& plan) {
    const Plan::Threads threads = {nullptr, nullptr, 1};
    Tensors tensors;
    if (!tensors.MakeAndRun(plan, settings.type, threads, error)) return false;
    ns = TimeRuns(seconds, [&] { tensors.Run(plan, threads); }).ns;
    return true;
  });
}

bool MeasureTasks(const Layer& layer, const PlanSettings& settings, size_t workers, TaskTimes& times,
                  std::string& error) {
  return WithPlan(layer, settings, error, [&](const Plan& plan) {
    times.ns.clear();
    const Plan::Threads threads = {&TimeTasks, &times.ns, workers};
    Tensors tensors;
    if (!tensors.MakeAndRun(plan, settings.type, threads, error)) return false;
    TimeRuns(kLayerSeconds, [&] { tensors.Run(plan, threads); });
    times.algorithm = plan.AlgorithmName();
    return true;
  });
}

}  // namespace deconv::bench
