// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the estimates of cycles and the calibration of their costs. A cost is the number of CPU cycles of one part of
// an algorithm, such as a product. A plan estimates its cycles from these costs. `deconv-bench --calibrate` measures
// the costs of products and loads. These tests measure no time: they use estimates with changed costs as if they were
// measured cycles, and the calibration must find the changed costs.
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/bench/calibrate.h"
#include "kernel/bench/choices.h"
#include "kernel/bench/estimator.h"
#include "kernel/plan/cpu_names.h"
#include "kernel/plan/plan.h"
#include "kernel/plan/targets.h"

namespace deconv::bench {
namespace {

// Fixes the CPU class and, on x86, the target, so that the tests give the same result on every x86 machine. Other
// machines use their best target.
PlanSettings TestSettings() {
  PlanSettings settings;
  settings.cpu = "default";
  settings.target = "SSE2";
  if (!FindTarget(settings.target, settings.target_bit).Ok()) {
    settings.target = nullptr;
    EXPECT_TRUE(FindTarget(nullptr, settings.target_bit).Ok());
  }
  return settings;
}

// Returns the CPU class of TestSettings().
const CpuClass& TestClass() {
  const CpuClass* found = nullptr;
  EXPECT_TRUE(FindCpu(TestSettings().cpu, found).Ok());
  return *found;
}

// The costs that the table of CPU classes has for this class and target.
Costs CommittedCosts() {
  return CostsOf({.target = TestSettings().target_bit, .cpu = &TestClass(), .keeps_subnormals = false});
}
Estimator TestEstimator() { return {TestSettings().target_bit, TestClass().caches}; }

// Returns a function in place of the measurement: it gives each layer the cycles that an estimate with `costs` gives.
CyclesOfLayer PlantedCycles(const Costs& costs) {
  return [costs](const Layer& layer, const PlanSettings& settings, double& cycles, std::string& error) {
    const std::optional<Plan> plan = MakePlan(layer, settings, error);
    if (!plan) return false;
    cycles =
        static_cast<double>(layer.batch) * TestEstimator().Cycles(plan->Get()->geometry, settings.algorithm, costs);
    return true;
  };
}

// Lines of layers.txt: name N G Cin/G Cout/G in kernel stride pads_begin pads_end dilation output_padding.
std::vector<Layer> SomeLayers() {
  std::istringstream text(
      "spec_ex1 1 1 20 10 56,56 3,3 2,2 1,1 1,1 1,1 0,0\n"
      "unet_up4 1 1 128 64 28,28 2,2 2,2 0,0 0,0 1,1 0,0\n"
      "fsrcnn_x3 2 1 56 1 40,40 9,9 3,3 4,4 4,4 1,1 2,2\n"
      "dw_bilinear_x2 1 64 1 1 32,32 4,4 2,2 1,1 1,1 1,1 0,0\n"
      "hifigan_u3 1 1 128 64 512 4 2 1 1 1 0\n");
  std::vector<Layer> layers;
  std::string error;
  EXPECT_TRUE(ReadLayers(text, layers, error)) << error;
  return layers;
}

TEST(CostFields, NameEachCostOnce) {
  std::set<std::string> names;
  Costs costs;
  for (const CostField& field : CostFields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    field.of(costs) = static_cast<double>(names.size());
  }
  double number = 0;
  for (const CostField& field : CostFields()) EXPECT_EQ(field.of(costs), ++number) << field.name << " shares its cost";
}

// Given the costs and caches of a CPU class, the estimator returns the same cycles as a plan for that class.
TEST(Estimator, EstimatesAsPlansDo) {
  PlanSettings settings = TestSettings();
  size_t compared = 0;
  for (const ChoiceColumn& column : ChoiceColumns()) {
    settings.type = column.type;
    settings.layout = column.layout;
    for (const Layer& layer : SomeLayers()) {
      for (const char* cpu : {"default", "zen5", "apple"}) {
        for (const char* algorithm : {"channels", "phased", "rows", "col2im"}) {
          settings.cpu = cpu;
          settings.algorithm = algorithm;
          settings.target = nullptr;  // costs differ most on the best target
          EXPECT_TRUE(FindTarget(nullptr, settings.target_bit).Ok());
          std::string error;
          const std::optional<Plan> plan = MakePlan(layer, settings, error);
          if (!plan) continue;
          const CpuClass* found = nullptr;
          ASSERT_TRUE(FindCpu(cpu, found).Ok());
          const Estimator estimator = {settings.target_bit, found->caches};
          const Costs& costs = CostsOf({.target = settings.target_bit, .cpu = found, .keeps_subnormals = false});
          EXPECT_EQ(estimator.Cycles(plan->Get()->geometry, algorithm, costs), plan->Get()->algorithm->Cycles())
              << layer.name << " " << column.name << " " << cpu << " " << algorithm;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100u);  // a floor: algorithms that do not fit are skipped, but not nearly all of them
}

// Returns fixed + sum of count * cost, with `costs`.
double SumOf(const EstimateParts& parts, Costs costs) {
  double cycles = parts.fixed;
  for (const auto& [name, count] : parts.counts) {
    for (const CostField& field : CostFields()) {
      if (field.name == name) cycles += count * field.of(costs);
    }
  }
  return cycles;
}

// The parts add up to the estimate. With the counts unchanged, they also add up to it after a small change of any cost.
TEST(EstimateParts, SumUpToTheEstimate) {
  const Costs committed = CommittedCosts();
  std::set<std::string> counted;
  for (const ChoiceColumn& column : ChoiceColumns()) {
    PlanSettings settings = TestSettings();
    settings.type = column.type;
    settings.layout = column.layout;
    for (const Layer& layer : SomeLayers()) {
      for (const char* algorithm : {"channels", "phased", "rows", "col2im"}) {
        settings.algorithm = algorithm;
        std::string error;
        const std::optional<Plan> plan = MakePlan(layer, settings, error);
        if (!plan) continue;
        const Geometry& geometry = plan->Get()->geometry;
        const EstimateParts parts = PartsOf(TestEstimator(), geometry, algorithm, committed);
        const double estimate = TestEstimator().Cycles(geometry, algorithm, committed);
        const std::string where = layer.name + " " + column.name + " " + algorithm;
        EXPECT_NEAR(SumOf(parts, committed) / estimate, 1, 1e-6) << where;
        EXPECT_FALSE(parts.counts.empty()) << where;
        for (const CostField& field : CostFields()) {
          Costs changed = committed;
          field.of(changed) += 1e-4;  // cycles: small, because some terms of an estimate are the maximum of two sums
          EXPECT_NEAR((SumOf(parts, changed) - TestEstimator().Cycles(geometry, algorithm, changed)) / estimate, 0,
                      1e-6)
              << where << " " << field.name;
        }
        for (const auto& [name, count] : parts.counts) counted.insert(name);
      }
    }
  }
  EXPECT_GT(counted.size(), 20u);  // a floor: the layers must test many of the costs
}

// First the cycles follow the committed costs: each measured cost must equal its committed one. Then one cost at a time
// is made 10 % smaller or larger, and the measurement must show it.
TEST(Calibrate, FindsPlantedCostsOfProducts) {
  const PlanSettings settings = TestSettings();
  const Costs committed = CommittedCosts();
  std::vector<MeasuredCost> found;
  std::string error;
  ASSERT_TRUE(MeasureProducts(settings, PlantedCycles(committed), found, error)) << error;
  // A floor: of the 9 measured costs (kProbes in calibrate.cc), those are left out that the target does not use.
  ASSERT_GE(found.size(), 6u);
  for (const MeasuredCost& cost : found) EXPECT_NEAR(cost.measured, cost.committed, 1e-6) << cost.name;
  for (const double factor : {0.9, 1.1}) {
    for (const MeasuredCost& planted : found) {
      Costs costs = committed;
      for (const CostField& field : CostFields()) {
        if (field.name == planted.name) field.of(costs) *= factor;
      }
      std::vector<MeasuredCost> again;
      ASSERT_TRUE(MeasureProducts(settings, PlantedCycles(costs), again, error)) << error;
      for (const MeasuredCost& cost : again) {
        if (cost.name != planted.name) continue;
        EXPECT_NEAR(cost.measured / cost.committed, factor, 0.01) << cost.name;
      }
    }
  }
}

TEST(Calibrate, ReportsALayerThatCannotBeMeasured) {
  const CyclesOfLayer fails = [](const Layer&, const PlanSettings&, double&, std::string& error) {
    error = "planted";
    return false;
  };
  std::string error;
  std::vector<MeasuredCost> costs;
  EXPECT_FALSE(MeasureProducts(TestSettings(), fails, costs, error));
  EXPECT_EQ(error, "planted");
}

// A cost follows from the cycles of a layer minus those of a smaller one. If the larger layer is faster, as with these
// planted cycles, the cost would be negative.
TEST(Calibrate, RefusesACostThatIsNotPositive) {
  double next = 1e9;
  const CyclesOfLayer faster = [&](const Layer&, const PlanSettings&, double& cycles, std::string&) {
    cycles = next;
    next /= 2;
    return true;
  };
  std::string error;
  std::vector<MeasuredCost> costs;
  EXPECT_FALSE(MeasureProducts(TestSettings(), faster, costs, error));
  EXPECT_THAT(error, ::testing::StartsWith("cost channels_product: measured -"));
}

}  // namespace
}  // namespace deconv::bench
