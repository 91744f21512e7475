// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the calibration without measuring time: estimates with planted costs stand for measured cycles, and the
// calibration has to find these costs.
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/bench/choices.h"
#include "kernel/bench/cost_fields.h"
#include "kernel/bench/cost_fit.h"
#include "kernel/bench/cost_measure.h"
#include "kernel/plan/cpu_names.h"
#include "kernel/plan/plan.h"
#include "kernel/plan/targets.h"

namespace deconv::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The same on all x86 machines, so that the tests are too.
Choice TestChoice() {
  Choice choice;
  choice.cpu = "default";
  choice.target = "SSE2";
  if (!FindTarget(choice.target, choice.target_bit).Ok()) {
    choice.target = nullptr;
    EXPECT_TRUE(FindTarget(nullptr, choice.target_bit).Ok());
  }
  return choice;
}

const CpuClass& TestClass() {
  const CpuClass* found = nullptr;
  EXPECT_TRUE(FindCpu(TestChoice().cpu, found).Ok());
  return *found;
}

Costs CommittedCosts() { return CostsOf({TestChoice().target_bit, &TestClass(), false}); }
Estimator TestEstimator() { return {TestChoice().target_bit, TestClass().caches}; }

// A CPU on which each layer takes what the estimate with these costs says.
CyclesOfLayer PlantedCycles(const Costs& costs) {
  return [costs](const Layer& layer, const Choice& choice, double& cycles, std::string& error) {
    const std::optional<Plan> plan = MakePlan(layer, choice, error);
    if (!plan) return false;
    cycles = static_cast<double>(layer.batch) * TestEstimator().Cycles(plan->Get()->geometry, choice.algorithm, costs);
    return true;
  };
}

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

std::vector<LayerTimes> TimesOf(const CyclesOfLayer& cycles) {
  std::vector<LayerTimes> times;
  std::string error;
  EXPECT_TRUE(MeasureAlgorithms(SomeLayers(), TestChoice(), cycles, [](const std::string&) {}, times, error)) << error;
  return times;
}

TEST(CostFields, NameEachCostOnce) {
  std::set<std::string> names;
  Costs costs;
  for (const CostField& field : CostFields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_GT(field.unit, 0) << field.name;
    field.of(costs) = static_cast<double>(names.size());
  }
  double number = 0;
  for (const CostField& field : CostFields()) EXPECT_EQ(field.of(costs), ++number) << field.name << " shares its cost";
}

TEST(CostFields, ArePrintedAsCode) {
  Costs costs;
  costs.channels_product = 0.54321;
  costs.rows.load = 2;
  costs.source_vector = 1.25;
  const std::string code = CostsAsCode("kMine", costs);
  EXPECT_THAT(code, ::testing::StartsWith("constexpr Costs kMine = {\n    .channels_product = 0.543,\n"));
  EXPECT_THAT(code, HasSubstr("    .rows = {.product = 0, .load = 2, .broadcast = 0, .branch = 0, .call = 0},\n"));
  EXPECT_THAT(code, ::testing::EndsWith("    .source_vector = 1.25,\n};\n"));
  EXPECT_THAT(code, Not(HasSubstr(".source_row"))) << "has its default value";
}

// With the costs and caches of the class, estimates are those that plans choose by.
TEST(Estimator, EstimatesAsPlansDo) {
  Choice choice = TestChoice();
  size_t compared = 0;
  for (const ChoiceColumn& column : ChoiceColumns()) {
    choice.type = column.type;
    choice.layout = column.layout;
    for (const Layer& layer : SomeLayers()) {
      for (const char* cpu : {"default", "zen5", "apple"}) {
        for (const char* algorithm : {"channels", "phased", "rows", "col2im"}) {
          choice.cpu = cpu;
          choice.algorithm = algorithm;
          choice.target = nullptr;  // costs differ most on the best target
          EXPECT_TRUE(FindTarget(nullptr, choice.target_bit).Ok());
          std::string error;
          const std::optional<Plan> plan = MakePlan(layer, choice, error);
          if (!plan) continue;
          const CpuClass* found = nullptr;
          ASSERT_TRUE(FindCpu(cpu, found).Ok());
          const Estimator estimator = {choice.target_bit, found->caches};
          const Costs& costs = CostsOf({choice.target_bit, found, false});
          EXPECT_EQ(estimator.Cycles(plan->Get()->geometry, algorithm, costs), plan->Get()->algorithm->Cycles())
              << layer.name << " " << column.name << " " << cpu << " " << algorithm;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100u);
}

TEST(Calibrate, FindsPlantedCostsOfProducts) {
  const Choice choice = TestChoice();
  const Costs committed = CommittedCosts();
  std::vector<MeasuredCost> found;
  std::string error;
  ASSERT_TRUE(MeasureProducts(choice, PlantedCycles(committed), found, error)) << error;
  ASSERT_GE(found.size(), 6u);
  for (const MeasuredCost& cost : found) EXPECT_NEAR(cost.measured, cost.committed, 1e-6) << cost.name;
  for (const double factor : {0.9, 1.1}) {
    for (const MeasuredCost& planted : found) {
      Costs costs = committed;
      for (const CostField& field : CostFields()) {
        if (field.name == planted.name) field.of(costs) *= factor;
      }
      std::vector<MeasuredCost> again;
      ASSERT_TRUE(MeasureProducts(choice, PlantedCycles(costs), again, error)) << error;
      for (const MeasuredCost& cost : again) {
        if (cost.name != planted.name) continue;
        EXPECT_NEAR(cost.measured / cost.committed, factor, 0.01) << cost.name;
      }
    }
  }
}

TEST(Calibrate, ReportsALayerThatCannotBeMeasured) {
  const CyclesOfLayer fails = [](const Layer&, const Choice&, double&, std::string& error) {
    error = "planted";
    return false;
  };
  std::string error;
  std::vector<MeasuredCost> costs;
  EXPECT_FALSE(MeasureProducts(TestChoice(), fails, costs, error));
  EXPECT_EQ(error, "planted");
  std::vector<LayerTimes> times;
  EXPECT_FALSE(MeasureAlgorithms(SomeLayers(), TestChoice(), fails, [](const std::string&) {}, times, error));
  EXPECT_EQ(error, "spec_ex1 f32/ncx: planted");
}

// No cost is taken from two layers of which the larger one was faster.
TEST(Calibrate, RefusesACostThatIsNotPositive) {
  double next = 1e9;
  const CyclesOfLayer faster = [&](const Layer&, const Choice&, double& cycles, std::string&) {
    cycles = next;
    next /= 2;
    return true;
  };
  std::string error;
  std::vector<MeasuredCost> costs;
  EXPECT_FALSE(MeasureProducts(TestChoice(), faster, costs, error));
  EXPECT_THAT(error, ::testing::StartsWith("cost channels_product: measured -"));
}

TEST(Calibrate, MeasuresEachAlgorithmThatFits) {
  const std::vector<LayerTimes> times = TimesOf(PlantedCycles(CommittedCosts()));
  ASSERT_EQ(times.size(), 6 * SomeLayers().size());
  for (const LayerTimes& layer : times) {
    std::set<std::string> algorithms;
    for (const LayerTimes::Entry& entry : layer.entries) {
      EXPECT_GT(entry.cycles, 0) << layer.name << " " << entry.algorithm;
      EXPECT_TRUE(algorithms.insert(entry.algorithm).second) << layer.name << " " << entry.algorithm;
    }
    EXPECT_TRUE(algorithms.contains("channels")) << layer.name;
    EXPECT_FALSE(algorithms.contains("direct")) << layer.name;
  }
}

// Costs of a CPU on which other algorithms are the fastest than on one that is not known.
TEST(Calibrate, FitsCostsThatChooseTheFastest) {
  const Costs start = CommittedCosts();
  Costs planted = start;
  planted.channels_cell *= 4;
  planted.channels_last_output /= 4;
  planted.quad_output *= 3;
  planted.rows.call /= 3;
  planted.interleaved_output *= 5;
  const std::vector<LayerTimes> times = TimesOf(PlantedCycles(planted));
  const ChoiceQuality of_planted = QualityOfChoices(times, TestEstimator(), planted);
  EXPECT_EQ(of_planted.layers, times.size());
  EXPECT_EQ(of_planted.good, of_planted.layers);
  EXPECT_EQ(of_planted.worst, 1);
  const ChoiceQuality before = QualityOfChoices(times, TestEstimator(), start);
  EXPECT_LT(before.good, before.layers) << "the planted costs choose as the first ones do";
  EXPECT_GT(before.worst, 1.05);
  EXPECT_NE(before.worst_layer, "");
  double done = 0;
  const FittedCosts fit = FitCosts(times, TestEstimator(), start, {}, [&](double share) {
    EXPECT_GE(share, done);
    done = share;
  });
  EXPECT_EQ(done, 1);
  const ChoiceQuality after = QualityOfChoices(times, TestEstimator(), fit.costs);
  EXPECT_EQ(after.good, after.layers) << "worst " << after.worst << ", " << after.worst_layer;
  // No group of these layers shares a vector.
  EXPECT_THAT(fit.unreached, ::testing::Contains("regrouped_product"));
  EXPECT_EQ(fit.costs.regrouped_product, start.regrouped_product);
  EXPECT_THAT(fit.unreached, Not(::testing::Contains("channels_product")));
}

// A cost that was measured by itself moves less than the others, although it would explain the times.
TEST(Calibrate, HardlyMovesMeasuredCosts) {
  const Costs start = CommittedCosts();
  Costs planted = start;
  planted.channels_product *= 2;
  const std::vector<LayerTimes> times = TimesOf(PlantedCycles(planted));
  const Costs free = FitCosts(times, TestEstimator(), start, {}, [](double) {}).costs;
  const Costs held = FitCosts(times, TestEstimator(), start, {"channels_product"}, [](double) {}).costs;
  EXPECT_GT(free.channels_product, 1.2 * start.channels_product);
  EXPECT_LT(held.channels_product - start.channels_product, 0.5 * (free.channels_product - start.channels_product));
}

TEST(Calibrate, LeavesCostsThatFit) {
  Costs start = CommittedCosts();
  const std::vector<LayerTimes> times = TimesOf(PlantedCycles(start));
  Costs fitted = FitCosts(times, TestEstimator(), start, {}, [](double) {}).costs;
  for (const CostField& field : CostFields()) {
    EXPECT_NEAR(field.of(fitted), field.of(start), 0.5 * field.unit) << field.name;
  }
  const ChoiceQuality quality = QualityOfChoices(times, TestEstimator(), fitted);
  EXPECT_EQ(quality.good, quality.layers);
  fitted = FitCosts({}, TestEstimator(), start, {}, [](double) {}).costs;
  for (const CostField& field : CostFields()) EXPECT_EQ(field.of(fitted), field.of(start)) << field.name;
}

}  // namespace
}  // namespace deconv::bench
