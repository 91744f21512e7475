// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Times one layer: creates the plan and packs the filter beforehand, then times whole executions on plain tensors.
#ifndef DECONV_KERNEL_BENCH_MEASURE_H_
#define DECONV_KERNEL_BENCH_MEASURE_H_

#include <optional>
#include <string>

#include "deconv/cxx.h"
#include "deconv/deconv.h"
#include "kernel/bench/layers.h"
#include "kernel/bench/pool.h"
#include "kernel/bench/timing.h"

namespace deconv::bench {

struct Choice {
  deconv_type type = DECONV_F32;
  deconv_layout layout = DECONV_NCX;
  const char* target = nullptr;     // by name; null: the best of this machine
  int64_t target_bit = 0;           // the same as Highway's bit
  const char* algorithm = nullptr;  // null: the kernel's choice
};

struct Measurement {
  Time time;            // of one execution
  double touch_ns = 0;  // to read data and packed filter and to write the output, and no more
  std::string algorithm;
  std::string target;
  double estimated_cycles = 0;  // what the choice of algorithms compares
};

// Null, with the kernel's message in `error`, if it refuses.
std::optional<Plan> MakePlan(const Layer& layer, const Choice& choice, std::string& error);

// False with the kernel's message in `error`.
bool Measure(const Layer& layer, const Choice& choice, Pool& pool, Measurement& measurement, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_MEASURE_H_
