// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the steps of a calibration and prints their results.
#include "kernel/bench/calibration.h"

#include <cstddef>
#include <cstdio>
#include <set>

#include <unistd.h>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/calibrate.h"
#include "kernel/bench/cost_fields.h"
#include "kernel/bench/cost_fit.h"
#include "kernel/plan/cpu_names.h"
#include "kernel/plan/registry.h"

namespace deconv::bench {
namespace {

constexpr double kSecondsOfProduct = 0.5;
// Many layers: each algorithm of each in three types and two layouts.
constexpr double kSecondsOfAlgorithm = 0.15;

// What a calibration is for.
struct Subject {
  const CpuClass* cpu = nullptr;
  const char* target = nullptr;
  double ghz = 0;
};

// A line on standard error that is written again and again, where a person reads it.
void ShowProgress(const std::string& text) {
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  if (is_terminal) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

void PrintHead(const Subject& subject, const char* measured) {
  std::printf("cycles on target %s at %.2f GHz; costs of class %s (%s)\n%-20s %10s %10s %8s\n", subject.target,
              subject.ghz, subject.cpu->name, subject.cpu->description, "cost", "committed", measured, "ratio");
}

void PrintCost(const Subject& subject, const CalibratedCost& cost, bool json) {
  if (json) {
    std::printf("{\"cpu\":\"%s\",\"target\":\"%s\",\"cost\":\"%s\",\"committed\":%.3f,\"measured\":%.3f}\n",
                subject.cpu->name, subject.target, cost.name.c_str(), cost.committed, cost.measured);
    return;
  }
  std::printf("%-20s %10.3f %10.3f", cost.name.c_str(), cost.committed, cost.measured);
  if (cost.committed > 0) std::printf(" %8.2f", cost.measured / cost.committed);
  std::printf("\n");
}

void PrintQuality(const Subject& subject, const char* costs, const ChoiceQuality& quality, bool json) {
  if (json) {
    std::printf(
        "{\"cpu\":\"%s\",\"target\":\"%s\",\"choices\":\"%s\",\"layers\":%zu,\"good\":%zu,\"worst\":%.3f,"
        "\"worst_layer\":\"%s\"}\n",
        subject.cpu->name, subject.target, costs, quality.layers, quality.good, quality.worst,
        quality.worst_layer.c_str());
    return;
  }
  std::printf("choices of the %s costs: %zu of %zu within 5 %% of the fastest, worst %.2f%s%s\n", costs, quality.good,
              quality.layers, quality.worst, quality.worst_layer.empty() ? "" : ", ", quality.worst_layer.c_str());
}

// The row of the table, with the sizes of caches that the operating system tells, 0 where it tells none.
void PrintCode(const Subject& subject, const Costs& costs) {
  std::printf("\n// Costs on target %s. Caches: first level %ld KiB, second level %ld KiB.\n%s", subject.target,
              sysconf(_SC_LEVEL1_DCACHE_SIZE) / 1024, sysconf(_SC_LEVEL2_CACHE_SIZE) / 1024,
              CostsAsCode("kMeasured", costs).c_str());
}

// Fits all costs, from those in `costs`, of which `measured` names those that were measured by themselves.
bool FitToLayers(const Subject& subject, const Choice& choice, const std::vector<Layer>& layers,
                 const std::set<std::string>& measured, bool json, Costs& costs, std::string& error) {
  std::vector<LayerTimes> times;
  const auto show_layer = [](const std::string& name) { ShowProgress("measuring " + name); };
  if (!MeasureAlgorithms(layers, choice, MeasuredCycles(subject.ghz, kSecondsOfAlgorithm), show_layer, times, error)) {
    return false;
  }
  const Costs& committed = CostsOf({choice.target_bit, subject.cpu, false});
  const auto show_share = [](double done) {
    ShowProgress("fitting costs: " + std::to_string(static_cast<int>(100 * done)) + " %");
  };
  costs = FitCosts(times, choice.target_bit, costs, measured, show_share);
  ShowProgress("");
  if (!json) {
    std::printf("\n");
    PrintHead(subject, "fitted");
  }
  Costs before = committed;
  for (const CostField& field : CostFields()) PrintCost(subject, {field.name, field.of(before), field.of(costs)}, json);
  PrintQuality(subject, "committed", QualityOfChoices(times, choice.target_bit, committed), json);
  PrintQuality(subject, "fitted", QualityOfChoices(times, choice.target_bit, costs), json);
  return true;
}

}  // namespace

bool Calibrate(const Choice& choice, const std::vector<Layer>& layers, bool json, std::string& error) {
  Subject subject;
  if (const Status found = FindCpu(choice.cpu, subject.cpu); !found.Ok()) {
    error = found.Message();
    return false;
  }
  subject.target = choice.target == nullptr ? deconv_target(0) : choice.target;
  subject.ghz = ClockGhz();
  std::vector<CalibratedCost> products;
  if (!MeasureProducts(choice, MeasuredCycles(subject.ghz, kSecondsOfProduct), products, error)) return false;
  Costs costs = CostsOf({choice.target_bit, subject.cpu, false});
  std::set<std::string> measured;
  for (const CalibratedCost& product : products) {
    measured.insert(product.name);
    for (const CostField& field : CostFields()) {
      if (field.name == product.name) field.of(costs) = product.measured;
    }
  }
  const bool prints_products = layers.empty() || !json;  // else one line a cost
  if (!json) PrintHead(subject, "measured");
  for (const CalibratedCost& product : products) {
    if (prints_products) PrintCost(subject, product, json);
  }
  if (!layers.empty() && !FitToLayers(subject, choice, layers, measured, json, costs, error)) return false;
  if (!json) PrintCode(subject, costs);
  return true;
}

}  // namespace deconv::bench
