// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the plan of a layer: the operator that the layer's line describes, as GroupConvolutionBackpropData.
#ifndef DECONV_KERNEL_BENCH_LAYER_PLAN_H_
#define DECONV_KERNEL_BENCH_LAYER_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "deconv/cxx.h"
#include "deconv/deconv.h"
#include "kernel/bench/layers.h"

namespace deconv::bench {

// The properties of a plan that the caller of a benchmark sets. The kernel chooses all others.
struct Choice {
  deconv_type type = DECONV_F32;
  deconv_layout layout = DECONV_NCX;
  const char* target = nullptr;     // by name; null: the best of this machine
  int64_t target_bit = 0;           // Highway's bit of `target`
  const char* algorithm = nullptr;  // null: the kernel's choice
  const char* cpu = nullptr;        // class of CPUs by name; null: that of this machine
  bool keep_subnormals = false;     // keeps subnormals of bf16
};

// Makes the plan of a layer. Returns nothing if the kernel refuses the layer; `error` then has its message.
std::optional<Plan> MakePlan(const Layer& layer, const Choice& choice, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_LAYER_PLAN_H_
