// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements deconv_measure, which finds the fastest algorithm for an operator. It creates a plan for each algorithm
// that fits, and times its runs on the caller's buffers and threads. The algorithm that a plan chooses by itself, from
// estimates of cycles, is called the estimated one. It stays the answer unless another one is clearly faster.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "kernel/base/status.h"
#include "kernel/base/tagged_struct.h"
#include "kernel/include/deconv/deconv.h"
#include "kernel/plan/plan.h"
#include "kernel/plan/registry.h"

namespace deconv {
namespace {

// Guesses: the seconds that a caller waits for each algorithm, and the fewest timed runs from which a quartile is
// taken.
constexpr double kDefaultSeconds = 0.1;
constexpr size_t kMinTimedRuns = 3;
// A guess: more runs would not make the measured quartile more exact.
constexpr size_t kMaxTimedRuns = 1000;
// If the first run of an algorithm takes so many times as long as the fastest algorithm so far, it cannot be the
// fastest. The factor is large, because the first run has cold caches.
constexpr double kHopelessFactor = 4;
// Another algorithm replaces the estimated one only if it takes less than this share of the estimated one's time. A
// smaller lead could be noise.
constexpr double kClearlyFasterShare = 0.98;

// Creates a plan. A failure has the message of deconv_plan_create.
Status CreatePlan(const deconv_operator& op, const deconv_options& options, std::unique_ptr<deconv_plan>& plan) {
  deconv_plan* created = nullptr;
  deconv_status status = {};
  status.struct_bytes = sizeof(status);
  if (deconv_plan_create(&op, &options, &created, &status) != DECONV_OK) return Fail(status.code, "%s", status.message);
  plan.reset(created);
  return {};
}

double NsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// Runs the plan for about `seconds`, and sets `ns` to the nanoseconds of one run. They are the lower quartile of the
// timed runs, because a disturbance only makes a run slower. If the first run takes `hopeless_ns` or more, its time is
// the result, and there is no second run.
Status TimeRuns(const deconv_plan& plan, const deconv_run_args& run, double seconds, double hopeless_ns, double& ns) {
  deconv_status status = {};
  status.struct_bytes = sizeof(status);
  const auto start = std::chrono::steady_clock::now();
  if (deconv_run(&plan, &run, &status) != DECONV_OK) return Fail(status.code, "%s", status.message);
  ns = NsSince(start);
  if (ns >= hopeless_ns) return {};
  std::array<double, kMaxTimedRuns> times;
  size_t runs = 0;
  while (runs < kMinTimedRuns || (runs < kMaxTimedRuns && NsSince(start) < 1e9 * seconds)) {
    const auto begin = std::chrono::steady_clock::now();
    if (deconv_run(&plan, &run, &status) != DECONV_OK) return Fail(status.code, "%s", status.message);
    times[runs++] = NsSince(begin);
  }
  const auto quarter = times.begin() + static_cast<std::ptrdiff_t>(runs / 4);
  std::nth_element(times.begin(), quarter, times.begin() + static_cast<std::ptrdiff_t>(runs));
  ns = *quarter;
  return {};
}

// Packs the filter and times runs of the plan with the caller's data, output and threads; see TimeRuns for the last two
// arguments. The packed filter and the workspace are its own. deconv_run checks the other buffers.
Status TimePlan(const deconv_plan& plan, const deconv_measure_args& args, double hopeless_ns, double& ns) {
  const size_t workers = args.parallel_for == nullptr ? 1 : args.workers;
  const size_t packed_bytes = deconv_plan_packed_filter_bytes(&plan);
  const size_t workspace_bytes = deconv_plan_workspace_bytes(&plan, workers);
  deconv_status status = {};
  status.struct_bytes = sizeof(status);
  if (Status s = CheckBuffer("filter", args.filter, args.filter_bytes, deconv_plan_filter_bytes(&plan)); !s.Ok()) {
    return s;
  }
  if (workspace_bytes == SIZE_MAX) return FailOfTooManyWorkers(workers);
  const size_t output_bytes = deconv_plan_batch_output_bytes(&plan, args.batch == 0 ? plan.geometry.batch : args.batch);
  if (Status s = CheckNoOverlap({"output", args.output, std::min(output_bytes, args.output_bytes)},
                                {"filter", args.filter, deconv_plan_filter_bytes(&plan)});
      !s.Ok()) {
    return s;
  }
  const auto packed = std::make_unique_for_overwrite<char[]>(packed_bytes);
  const auto workspace = std::make_unique_for_overwrite<char[]>(workspace_bytes);
  deconv_run_args run = {};
  run.struct_bytes = sizeof(run);
  run.data = args.data;
  run.data_bytes = args.data_bytes;
  run.packed_filter = packed.get();
  run.packed_filter_bytes = packed_bytes;
  run.output = args.output;
  run.output_bytes = args.output_bytes;
  run.workspace = workspace.get();
  run.workspace_bytes = workspace_bytes;
  run.parallel_for = args.parallel_for;
  run.parallel_context = args.parallel_context;
  run.workers = args.workers;
  run.batch = args.batch;
  if (deconv_pack_filter(&plan, args.filter, args.filter_bytes, packed.get(), packed_bytes, &status) != DECONV_OK) {
    return Fail(status.code, "%s", status.message);
  }
  return TimeRuns(plan, run, args.seconds == 0 ? kDefaultSeconds : args.seconds, hopeless_ns, ns);
}

// Checks the arguments, times the estimated algorithm, then the others, and fills `measurement`. May throw
// std::bad_alloc.
Status Measure(const deconv_operator& op, const deconv_options* caller_options, const deconv_measure_args& caller_args,
               deconv_measurement& measurement) {
  if (Status s = CheckTagged("measurement", &measurement, sizeof(measurement), sizeof(measurement)); !s.Ok()) return s;
  deconv_measure_args args;
  if (Status s = ReadTagged("args", &caller_args, sizeof(args), args); !s.Ok()) return s;
  deconv_options options = {};
  if (caller_options != nullptr) {
    if (Status s = ReadTagged("options", caller_options, offsetof(deconv_options, target), options); !s.Ok()) return s;
  }
  options.struct_bytes = sizeof(options);
  if (options.algorithm != nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "algorithm: is \"%.64s\", expected NULL, because all algorithms are timed",
                options.algorithm);
  }
  if (!(args.seconds >= 0)) {
    return Fail(DECONV_INVALID_ARGUMENT, "seconds: is %g, expected 0 or more", args.seconds);
  }
  std::unique_ptr<deconv_plan> plan;
  if (Status s = CreatePlan(op, options, plan); !s.Ok()) return s;
  const char* const estimated = plan->algorithm_name;
  const bool is_empty = plan->geometry.output_bytes == 0;
  double estimated_ns = 0;
  if (Status s = TimePlan(*plan, args, std::numeric_limits<double>::infinity(), estimated_ns); !s.Ok()) return s;
  plan.reset();
  const char* fastest = estimated;
  // An algorithm must take less time than this to become the fastest.
  double least_ns = kClearlyFasterShare * estimated_ns;
  // The last algorithm, "direct", fits everything and is the slowest. If it is the estimated one, no other one fits.
  const bool only_direct_fits = std::strcmp(estimated, Algorithms().back().name) == 0;
  for (const AlgorithmEntry& entry : Algorithms().first(Algorithms().size() - 1)) {
    if (is_empty || only_direct_fits || std::strcmp(entry.name, estimated) == 0) continue;
    options.algorithm = entry.name;
    const Status created = CreatePlan(op, options, plan);
    if (created.Code() == DECONV_INVALID_ARGUMENT) continue;  // the algorithm does not fit
    if (!created.Ok()) return created;
    double ns = 0;
    if (Status s = TimePlan(*plan, args, kHopelessFactor * least_ns, ns); !s.Ok()) return s;
    plan.reset();
    if (ns >= least_ns) continue;
    least_ns = ns;
    fastest = entry.name;
  }
  measurement.algorithm = fastest;
  measurement.estimated = estimated;
  measurement.ns = is_empty ? 0 : fastest == estimated ? estimated_ns : least_ns;
  measurement.estimated_ns = is_empty ? 0 : estimated_ns;
  return {};
}

}  // namespace
}  // namespace deconv

extern "C" {

deconv_code deconv_measure(const deconv_operator* op, const deconv_options* options, const deconv_measure_args* args,
                           deconv_measurement* measurement, deconv_status* status) {
  using deconv::Fail;
  if (op == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "operator: is a null pointer, expected a deconv_operator").Report(status);
  }
  if (args == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "args: is a null pointer, expected a deconv_measure_args").Report(status);
  }
  if (measurement == nullptr) {
    return Fail(DECONV_INVALID_ARGUMENT, "measurement: is a null pointer, expected a deconv_measurement")
        .Report(status);
  }
  try {
    return deconv::Measure(*op, options, *args, *measurement).Report(status);
  } catch (const std::bad_alloc&) {
    return Fail(DECONV_OUT_OF_MEMORY, "measure: could not allocate a packed filter or a workspace: out of memory")
        .Report(status);
  }
}

}  // extern "C"
