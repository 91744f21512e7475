// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Times one layer: creates the plan and packs the filter beforehand, then times whole executions on plain tensors.
#ifndef DECONV_KERNEL_BENCH_MEASURE_H_
#define DECONV_KERNEL_BENCH_MEASURE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "kernel/bench/layer_plan.h"
#include "kernel/bench/layers.h"
#include "kernel/bench/pool.h"
#include "kernel/bench/timing.h"

namespace deconv::bench {

struct Measurement {
  Time time;            // of one execution
  double touch_ns = 0;  // to read data and packed filter and to write the output, and no more
  std::string algorithm;
  std::string target;
  std::string cpu;              // class of CPUs
  double estimated_cycles = 0;  // what the choice of algorithms compares
};

// False with the kernel's message in `error`.
bool Measure(const Layer& layer, const Choice& choice, Pool& pool, Measurement& measurement, std::string& error);

// Times executions on one thread for about `seconds`, at least nine executions. `ns` is the time of one. False with the
// kernel's message in `error`.
bool MeasureOneThread(const Layer& layer, const Choice& choice, double seconds, double& ns, std::string& error);

struct TaskTimes {
  std::vector<double> ns;  // of each task, on one thread in the order of the tasks
  std::string algorithm;
};

// Times each task of an execution on one thread. The tasks are those that `workers` threads would get. False with the
// kernel's message in `error`.
bool MeasureTasks(const Layer& layer, const Choice& choice, size_t workers, TaskTimes& times, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_MEASURE_H_
