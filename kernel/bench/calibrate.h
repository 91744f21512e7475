// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures on this CPU the costs of products and loads of each register tile, for the mode --calibrate of deconv-bench.
// Each cost follows from two layers that differ only in their input channels, so that the cycles to begin and end a
// layer cancel out.
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

// Measures for about `seconds` a layer, on a CPU of `ghz`.
CyclesOfLayer MeasuredCycles(double ghz, double seconds);

struct MeasuredCost {
  std::string name;      // the member of Costs
  double committed = 0;  // cycles in the table of CPU classes
  double measured = 0;   // cycles on this machine
};

// The costs of products and loads: those of the class and target of `settings` beside what this machine takes. A cost
// on which no estimate depends is left out. False with a message in `error` if a layer cannot be measured, or if the
// result is no positive number.
bool MeasureProducts(const PlanSettings& settings, const CyclesOfLayer& measure, std::vector<MeasuredCost>& costs,
                     std::string& error);

// Prints the costs of products and loads of the class of CPUs and the target of `settings` beside the cycles of this
// machine. `json` prints one object for each cost instead of the table, also for the costs that are not measured.
// Returns false with a message in `error` if a cost cannot be measured.
bool Calibrate(const PlanSettings& settings, bool json, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CALIBRATE_H_
