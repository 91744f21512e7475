// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The mode --calibrate of deconv-bench: measures what products and loads cost on this CPU.
#ifndef DECONV_KERNEL_BENCH_CALIBRATE_H_
#define DECONV_KERNEL_BENCH_CALIBRATE_H_

#include <string>

#include "kernel/bench/layer_plan.h"

namespace deconv::bench {

// Prints the costs of products and loads of the class of CPUs and the target of `choice` beside the cycles of this
// machine. `json` prints one object for each cost instead of the table, also for the costs that are not measured.
// Returns false with a message in `error` if a cost cannot be measured.
bool Calibrate(const Choice& choice, bool json, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CALIBRATE_H_
