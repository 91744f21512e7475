// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the steps of a calibration and prints their results.
#include "kernel/bench/calibrate.h"

#include <cstddef>
#include <cstdio>
#include <set>

#include <unistd.h>

#include "kernel/base/cpu_class.h"
#include "kernel/bench/cost_fields.h"
#include "kernel/bench/cost_fit.h"
#include "kernel/bench/cost_measure.h"
#include "kernel/plan/cpu_names.h"

namespace deconv::bench {
namespace {

constexpr double kSecondsOfProduct = 0.5;
// Many layers: each algorithm of each in three types and two layouts.
constexpr double kSecondsOfAlgorithm = 0.15;

// The class and the target whose costs are calibrated, and the clock of this machine.
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

// `found` says how the second value was found: "measured" or "fitted".
void PrintCost(const Subject& subject, const MeasuredCost& cost, const char* found, bool json) {
  if (json) {
    std::printf("{\"cpu\":\"%s\",\"target\":\"%s\",\"cost\":\"%s\",\"committed\":%.3f,\"%s\":%.3f}\n",
                subject.cpu->name, subject.target, cost.name.c_str(), cost.committed, found, cost.measured);
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
  std::printf(
      "choices of the %s costs, of these layers in 3 types and 2 layouts: %zu of %zu within 5 %% of the fastest, worst "
      "%.2f%s%s\n",
      costs, quality.good, quality.layers, quality.worst, quality.worst_layer.empty() ? "" : ", ",
      quality.worst_layer.c_str());
}

// The size of a cache as the operating system tells it.
std::string SizeOfCache([[maybe_unused]] int level) {
  long bytes = 0;
#ifdef _SC_LEVEL1_DCACHE_SIZE  // of glibc
  bytes = sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : _SC_LEVEL2_CACHE_SIZE);
#endif
  return bytes > 0 ? std::to_string(bytes / 1024) + " KiB" : "not known";
}

void PrintCode(const Subject& subject, const FittedCosts& fitted) {
  std::string unreached;
  for (const std::string& name : fitted.unreached) unreached += (unreached.empty() ? "" : ", ") + name;
  if (!unreached.empty()) unreached = "// Not fitted, because no layer depends on them: " + unreached + ".\n";
  std::printf("\n// Fitted on target %s. Caches: first level %s, second level %s.\n%s%s", subject.target,
              SizeOfCache(1).c_str(), SizeOfCache(2).c_str(), unreached.c_str(),
              CostsAsCode("kMeasured", fitted.costs).c_str());
}

// Fits all costs to the layers, from those in `start`, of which `measured` names those that were measured by
// themselves.
bool FitToLayers(const Subject& subject, const Choice& choice, const std::vector<Layer>& layers, const Costs& start,
                 const std::set<std::string>& measured, bool json, std::string& error) {
  std::vector<LayerTimes> times;
  const auto show_layer = [](const std::string& name) { ShowProgress("measuring " + name); };
  const bool all_measured =
      MeasureAlgorithms(layers, choice, MeasuredCycles(subject.ghz, kSecondsOfAlgorithm), show_layer, times, error);
  ShowProgress("");
  if (!all_measured) return false;
  const Estimator estimator = {choice.target_bit, subject.cpu->caches};
  FittedCosts fitted = FitCosts(times, estimator, start, measured, [](double done) {
    ShowProgress("fitting costs: " + std::to_string(static_cast<int>(100 * done)) + " %");
  });
  ShowProgress("");
  if (!json) {
    std::printf("\n");
    PrintHead(subject, "fitted");
  }
  Costs committed = CostsOf({choice.target_bit, subject.cpu, false});
  for (const CostField& field : CostFields()) {
    if (fitted.unreached.contains(field.name)) continue;
    PrintCost(subject, {field.name, field.of(committed), field.of(fitted.costs)}, "fitted", json);
  }
  PrintQuality(subject, "committed", QualityOfChoices(times, estimator, committed), json);
  PrintQuality(subject, "fitted", QualityOfChoices(times, estimator, fitted.costs), json);
  if (!json) PrintCode(subject, fitted);
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
  std::vector<MeasuredCost> products;
  if (!MeasureProducts(choice, MeasuredCycles(subject.ghz, kSecondsOfProduct), products, error)) return false;
  if (!json) PrintHead(subject, "measured");
  Costs start = CostsOf({choice.target_bit, subject.cpu, false});
  std::set<std::string> measured;
  for (const MeasuredCost& product : products) {
    PrintCost(subject, product, "measured", json);
    measured.insert(product.name);
    for (const CostField& field : CostFields()) {
      if (field.name == product.name) field.of(start) = product.measured;
    }
  }
  return layers.empty() || FitToLayers(subject, choice, layers, start, measured, json, error);
}

}  // namespace deconv::bench
