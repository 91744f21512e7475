// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Times one layer (an operator of layers.txt) for deconv-bench: creates the plan and packs the filter beforehand, then
// times whole executions on plain tensors. On request it also times the packing, for filters that change from run to
// run. Also times any function that runs repeatedly.
#ifndef DECONV_KERNEL_BENCH_MEASURE_H_
#define DECONV_KERNEL_BENCH_MEASURE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernel/bench/layers.h"
#include "kernel/bench/pool.h"

namespace deconv::bench {

// The time of a function is the lower quartile of the times of single runs, because a disturbance only makes a run
// slower. The minimum would depend on a single lucky run.
struct Time {
  double ns = 0;  // time of one run
  size_t runs = 0;
};

// Times runs for about `budget_seconds` seconds, at least nine runs.
Time TimeRuns(double budget_seconds, const std::function<void()>& run);

// Times for a filter that is packed before each execution. One thread packs.
struct PackTimes {
  double pack_ns = 0;          // time to pack
  double pack_and_run_ns = 0;  // time to pack and execute
  double copy_ns = 0;          // time to copy CopyBytes() bytes by memcpy
  size_t filter_bytes = 0;
  size_t packed_bytes = 0;

  // The bytes that memcpy copies: it then reads and writes as many bytes as packing.
  size_t CopyBytes() const { return (filter_bytes + packed_bytes) / 2; }
  // The speed of packing, as a share of the speed of memcpy.
  double ShareOfCopySpeed() const { return copy_ns / pack_ns; }
};

struct Measurement {
  Time time;                     // time of one execution
  double memory_traffic_ns = 0;  // time to read data and packed filter and to write the output, and no more
  std::string algorithm;
  std::string target;
  std::string cpu;              // class of CPUs
  double estimated_cycles = 0;  // the estimate that the choice of algorithms compares
  std::optional<PackTimes> pack;
};

// Times executions on the threads of the pool, and the packing if `with_pack`. Returns false if the kernel refuses the
// layer; `error` then has its message.
bool Measure(const Layer& layer, const PlanSettings& settings, bool with_pack, Pool& pool, Measurement& measurement,
             std::string& error);

// Times executions on one thread for about `seconds`, at least nine executions. `ns` is the time of one.
// Returns false if the kernel refuses the layer; `error` then has its message.
bool MeasureOneThread(const Layer& layer, const PlanSettings& settings, double seconds, double& ns, std::string& error);

struct TaskTimes {
  std::vector<double> ns;  // time of each task, on one thread in the order of the tasks
  std::string algorithm;
};

// Times each task of an execution on one thread. (A task is the part of an execution that one thread computes.) The
// tasks are those that `workers` threads would get. Returns false if the kernel refuses the layer; `error` then has its
// message.
bool MeasureTasks(const Layer& layer, const PlanSettings& settings, size_t workers, TaskTimes& times,
                  std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_MEASURE_H_
