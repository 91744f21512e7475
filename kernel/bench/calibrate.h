// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the costs of this CPU that decide most choices: products and loads of each register tile. Each is taken from
// two layers that differ in their input channels, so that what begins and ends a layer cancels out. The other costs
// were fitted to whole layers and are not measured here.
#ifndef DECONV_KERNEL_BENCH_CALIBRATE_H_
#define DECONV_KERNEL_BENCH_CALIBRATE_H_

#include <string>
#include <vector>

#include "kernel/bench/layer_plan.h"

namespace deconv::bench {

struct CalibratedCost {
  std::string name;      // of the field in Costs
  double committed = 0;  // cycles in the table of CPU classes
  double measured = 0;   // cycles on this machine
};

// Billions of cycles in a second, by a chain of additions that take a cycle each.
double ClockGhz();

// The costs of the class and target of `choice` beside what this machine takes. Takes about ten seconds. False with a
// message in `error` if a layer cannot be measured.
bool Calibrate(const Choice& choice, std::vector<CalibratedCost>& costs, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CALIBRATE_H_
