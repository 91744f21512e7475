// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures on this CPU the costs of products and loads, for the mode --calibrate of deconv-bench. A cost is the CPU
// cycles of one part of an algorithm: a product multiplies a vector and adds it, a load reads a vector of data. By
// these costs, plans choose algorithms. Each cost follows from the cycles of two layers (operators) that differ only in
// their input channels. So the cycles to begin and end a layer cancel out.
#ifndef DECONV_KERNEL_BENCH_CALIBRATE_H_
#define DECONV_KERNEL_BENCH_CALIBRATE_H_

#include <functional>
#include <string>
#include <vector>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/layers.h"

namespace deconv::bench {

// Returns the clock in GHz, measured by a chain of additions that take a cycle each.
double ClockGhz();

// Sets `cycles` to the cycles of one execution of the layer on one thread. Returns false with a message in `error`.
using CyclesOfLayer =
    std::function<bool(const Layer& layer, const PlanSettings& settings, double& cycles, std::string& error)>;

// Returns a function that runs each layer for about `seconds`, on a CPU with a clock of `ghz`.
CyclesOfLayer MeasuredCycles(double ghz, double seconds);

struct MeasuredCost {
  std::string name;      // the member of Costs
  double committed = 0;  // cycles in the table of CPU classes
  double measured = 0;   // cycles on this machine
};

// Adds the costs of products and loads to `costs`: those of the class and target of `settings` beside those that follow
// from `measure`. Leaves out a cost on which no estimate depends. Returns false with a message in `error` if a
// layer cannot be measured, or if a cost is no positive number.
bool MeasureProducts(const PlanSettings& settings, const CyclesOfLayer& measure, std::vector<MeasuredCost>& costs,
                     std::string& error);

// Prints the costs of products and loads of the class of CPUs and the target of `settings` beside the cycles of this
// machine. `json` prints one object for each cost instead of the table, also for the costs that are not measured.
// Returns false with a message in `error` if a cost cannot be measured.
bool Calibrate(const PlanSettings& settings, bool json, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CALIBRATE_H_
