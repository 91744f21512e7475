// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the costs of products and loads, and prints them beside those of the class of CPUs.
#include "kernel/bench/calibrate.h"

#include <cstdio>
#include <vector>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/cost_fields.h"
#include "kernel/bench/cost_measure.h"
#include "kernel/plan/cpu_names.h"
#include "nlohmann/json.hpp"

namespace deconv::bench {
namespace {

constexpr double kSecondsOfProduct = 0.5;  // as for a layer (measure.cc)

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

bool Calibrate(const Choice& choice, bool json, std::string& error) {
  const CpuClass* cpu = nullptr;
  if (const Status found = FindCpu(choice.cpu, cpu); !found.Ok()) {
    error = found.Message();
    return false;
  }
  const char* const target = choice.target == nullptr ? deconv_target(0) : choice.target;
  const double ghz = ClockGhz();
  std::vector<MeasuredCost> costs;
  if (!MeasureProducts(choice, MeasuredCycles(ghz, kSecondsOfProduct), costs, error)) return false;
  if (json) {
    PrintJson(*cpu, target, CostsOf({choice.target_bit, cpu, false}), costs);
  } else {
    PrintTable(*cpu, target, ghz, costs);
  }
  return true;
}

}  // namespace deconv::bench
