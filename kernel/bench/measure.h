// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Timing of one layer: plan and packing beforehand, then whole executions on plain tensors.
#ifndef DECONV_KERNEL_BENCH_MEASURE_H_
#define DECONV_KERNEL_BENCH_MEASURE_H_

#include <string>

#include "deconv/deconv.h"
#include "kernel/bench/layers.h"
#include "kernel/bench/pool.h"

namespace deconv::bench {

struct Choice {
  deconv_type type = DECONV_F32;
  deconv_layout layout = DECONV_NCX;
};

struct Measurement {
  double ns = 0;  // of one execution: the lower quartile of repeated ones
  size_t runs = 0;
  std::string algorithm;
  std::string target;
};

// False with the kernel's message in `error`.
bool Measure(const Layer& layer, const Choice& choice, Pool& pool, Measurement& measurement, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_MEASURE_H_
