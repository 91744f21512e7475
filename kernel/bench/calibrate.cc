// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the costs of products and loads, and prints them beside the costs of a class of CPUs, by which plans choose
// algorithms. The estimate of a layer is a linear function of each cost near its committed value (that of the table of
// CPU classes). So one division finds the cost for which the estimates of two layers differ as much as their measured
// cycles. Example: a committed cost of 0.5 cycles, estimates that differ by 1000 cycles, measured cycles that differ by
// 1100. If the estimates' difference grows by 2000 for each cycle of the cost, the result is 0.5 + (1100 - 1000) / 2000
// = 0.55 cycles.
#include "kernel/bench/calibrate.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <vector>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/estimator.h"
#include "kernel/bench/measure.h"
#include "kernel/plan/cpu_names.h"
#include "kernel/plan/plan.h"
#include "kernel/plan/targets.h"
#include "nlohmann/json.hpp"

namespace deconv::bench {
namespace {

// A cost, and the two layers that show it. `layer` is the part of a line of layers.txt from the field Cout/G (output
// channels of a group) on. The smaller layer has `channels` input channels, the larger one has twice as many.
struct CostProbe {
  const char* name;
  double& (*cost)(Costs& costs);
  const char* algorithm;
  deconv_type type;
  deconv_layout layout;
  int channels;
  const char* layer;
};

// These texts have the fields Cout/G in kernel stride pads_begin pads_end dilation output_padding. Rows of 96 positions
// are whole register tiles for vectors of 4, 8 and 16 lanes. With a single output channel, loads take longer than
// products; its 81 taps make the copy of the data small beside them.
constexpr const char* kManyChannels = "64 28,96 3,3 1,1 1,1 1,1 1,1 0,0";
constexpr const char* kOneChannel = "1 28,96 9,9 1,1 4,4 4,4 1,1 0,0";
// The columns are those of CostProbe.
constexpr CostProbe kProbes[] = {
    {"channels_product", [](Costs& c) -> double& { return c.channels_product; }, "channels", DECONV_F32, DECONV_NXC, 64,
     kManyChannels},
    {"channels_pairs", [](Costs& c) -> double& { return c.channels_pairs; }, "channels", DECONV_BF16, DECONV_NXC, 128,
     kManyChannels},
    {"channels_integer", [](Costs& c) -> double& { return c.channels_integer; }, "channels", DECONV_I8, DECONV_NXC, 256,
     kManyChannels},
    {"phased_product", [](Costs& c) -> double& { return c.phased_product; }, "phased", DECONV_F32, DECONV_NCX, 64,
     kManyChannels},
    {"phased_load", [](Costs& c) -> double& { return c.phased_load; }, "phased", DECONV_F32, DECONV_NCX, 32,
     kOneChannel},
    {"phased_integer", [](Costs& c) -> double& { return c.phased_integer; }, "phased", DECONV_I32, DECONV_NCX, 64,
     kManyChannels},
    {"aligned_product", [](Costs& c) -> double& { return c.aligned_product; }, "col2im", DECONV_F32, DECONV_NCX, 64,
     "32 28,96 2,2 2,2 0,0 0,0 1,1 0,0"},
    {"rows.product", [](Costs& c) -> double& { return c.rows.product; }, "rows", DECONV_F32, DECONV_NCX, 32,
     "32 28,96 3,3 1,1 1,1 1,1 1,1 0,0"},
    {"rows.load", [](Costs& c) -> double& { return c.rows.load; }, "rows", DECONV_F32, DECONV_NCX, 32, kOneChannel},
};

// The relative change of a cost by which the dependence of an estimate on this cost is computed. It is so small that
// the estimate stays linear, and far above the rounding of doubles.
constexpr double kRelativeCostStep = 1e-3;

// Returns the layer of a probe with this number of input channels.
Layer LayerOf(const CostProbe& probe, int channels) {
  std::istringstream line("probe 1 1 " + std::to_string(channels) + " " + probe.layer + "\n");
  std::vector<Layer> layers;
  std::string error;
  ReadLayers(line, layers, error);
  return layers.at(0);
}

// Measures the cost of a probe (see the example at the top). Leaves result.measured 0 if the target has no such
// algorithm, or if the estimates do not depend on the cost. Returns false with a message in `error` if a layer cannot
// be measured, or if the result is not positive.
bool MeasureCost(const CostProbe& probe, PlanSettings settings, const Estimator& estimator, const Costs& committed,
                 const CyclesOfLayer& measure, MeasuredCost& result, std::string& error) {
  settings.type = probe.type;
  settings.layout = probe.layout;
  settings.algorithm = probe.algorithm;
  Costs shifted = committed;
  double& cost = probe.cost(shifted);
  result.name = probe.name;
  result.committed = cost;
  cost *= 1 + kRelativeCostStep;
  // Differences of the cycles of the two layers, the larger one minus the smaller one.
  double measured = 0;
  double estimated = 0;
  double estimated_shifted = 0;  // with the shifted cost
  for (const int sign : {-1, 1}) {
    const Layer layer = LayerOf(probe, sign < 0 ? probe.channels : 2 * probe.channels);
    std::string refusal;
    const std::optional<Plan> plan = MakePlan(layer, settings, refusal);
    if (!plan) return true;  // the target has no such algorithm for this type
    double cycles = 0;
    if (!measure(layer, settings, cycles, error)) return false;
    measured += sign * cycles;
    estimated += sign * estimator.Cycles(plan->Get()->geometry, probe.algorithm, committed);
    estimated_shifted += sign * estimator.Cycles(plan->Get()->geometry, probe.algorithm, shifted);
  }
  if (estimated_shifted == estimated) return true;
  // The growth of the estimated difference for each cycle of the cost.
  const double slope = (estimated_shifted - estimated) / (kRelativeCostStep * result.committed);
  result.measured = result.committed + (measured - estimated) / slope;
  if (std::isfinite(result.measured) && result.measured > 0) return true;
  error = "cost " + result.name + ": measured " + std::to_string(result.measured) +
          " cycles, expected a positive number; is the machine idle?";
  return false;
}

}  // namespace

double ClockGhz() {
  constexpr int64_t kAdditions = 1 << 16;  // long beside what reading the time takes
  const double ns = TimeRuns(0.1, [] {
                      uint64_t sum = 1;
                      for (int64_t i = 0; i < kAdditions / 16; ++i) {
                        for (int j = 0; j < 16; ++j) {
                          sum += 3;
                          asm volatile("" : "+r"(sum));  // the compiler cannot join two additions
                        }
                      }
                    }).ns;
  return static_cast<double>(kAdditions) / ns;
}

CyclesOfLayer MeasuredCycles(double ghz, double seconds) {
  return [=](const Layer& layer, const PlanSettings& settings, double& cycles, std::string& error) {
    double ns = 0;
    if (!MeasureOneThread(layer, settings, seconds, ns, error)) return false;
    cycles = ns * ghz;
    return true;
  };
}

bool MeasureProducts(const PlanSettings& settings, const CyclesOfLayer& measure, std::vector<MeasuredCost>& costs,
                     std::string& error) {
  const CpuClass* cpu = nullptr;
  if (const Status found = FindCpu(settings.cpu, cpu); !found.Ok()) {
    error = found.Message();
    return false;
  }
  const Costs& committed = CostsOf({settings.target_bit, cpu, false});
  const Estimator estimator = {settings.target_bit, cpu->caches};
  for (const CostProbe& probe : kProbes) {
    MeasuredCost cost;
    if (!MeasureCost(probe, settings, estimator, committed, measure, cost, error)) return false;
    if (cost.measured > 0) costs.push_back(cost);
  }
  return true;
}

namespace {

constexpr double kSecondsOfProduct = 0.5;  // for each of the layers that show a cost

void PrintTable(const CpuClass& cpu, const char* target, double ghz, const std::vector<MeasuredCost>& costs) {
  std::printf("cycles on target %s at %.2f GHz; costs of class %s (%s)\n%-20s %10s %10s %8s\n", target, ghz, cpu.name,
              cpu.description, "cost", "committed", "measured", "ratio");
  for (const MeasuredCost& cost : costs) {
    std::printf("%-20s %10.3f %10.3f %8.2f\n", cost.name.c_str(), cost.committed, cost.measured,
                cost.measured / cost.committed);
  }
}

void PrintJson(const CpuClass& cpu, const char* target, Costs committed, const std::vector<MeasuredCost>& costs) {
  for (const CostField& field : CostFields()) {
    nlohmann::ordered_json line = {
        {"cpu", cpu.name}, {"target", target}, {"cost", field.name}, {"committed", field.of(committed)}};
    for (const MeasuredCost& cost : costs) {
      if (cost.name == field.name) line["measured"] = cost.measured;
    }
    std::printf("%s\n", line.dump().c_str());
  }
}

}  // namespace

bool Calibrate(const PlanSettings& settings, bool json, std::string& error) {
  const CpuClass* cpu = nullptr;
  if (const Status found = FindCpu(settings.cpu, cpu); !found.Ok()) {
    error = found.Message();
    return false;
  }
  const char* const target = settings.target == nullptr ? deconv_target(0) : settings.target;
  const double ghz = ClockGhz();
  std::vector<MeasuredCost> costs;
  if (!MeasureProducts(settings, MeasuredCycles(ghz, kSecondsOfProduct), costs, error)) return false;
  if (json) {
    PrintJson(*cpu, target, CostsOf({settings.target_bit, cpu, false}), costs);
  } else {
    PrintTable(*cpu, target, ghz, costs);
  }
  return true;
}

}  // namespace deconv::bench
