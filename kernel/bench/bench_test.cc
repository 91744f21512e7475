// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the parts of deconv-bench, which measures the kernel's speed on a list of layers (operators): the reader of the
// list and its messages, the limits of the machine, tables and charts, and the thread pool.
#include <atomic>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/bench/balance.h"
#include "kernel/bench/layers.h"
#include "kernel/bench/limits.h"
#include "kernel/bench/pool.h"
#include "kernel/bench/row.h"
#include "kernel/plan/plan.h"
#include "kernel/plan/targets.h"

namespace deconv::bench {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Returns the message of ReadLayers for a list of layers, or an empty string if it accepts the list. A layer is a line:
// name N G Cin/G Cout/G in kernel stride pads_begin pads_end dilation output_padding.
std::string ErrorOf(const std::string& text) {
  std::istringstream input(text);
  std::vector<Layer> layers;
  std::string error;
  return ReadLayers(input, layers, error) ? "" : error;
}

TEST(Balance, SharesTasksInTheirOrder) {
  // SpeedupOf(time on one thread, times of the tasks, threads).
  EXPECT_DOUBLE_EQ(SpeedupOf(4, std::vector<double>{1, 1, 1, 1}, 2), 2);
  EXPECT_DOUBLE_EQ(SpeedupOf(3, std::vector<double>{1, 1, 1}, 2), 1.5);
  EXPECT_DOUBLE_EQ(SpeedupOf(4, std::vector<double>{1, 1, 2}, 2), 4.0 / 3) << "the longest task comes last";
  EXPECT_DOUBLE_EQ(SpeedupOf(5, std::vector<double>{5}, 8), 1);
  EXPECT_DOUBLE_EQ(SpeedupOf(4, std::vector<double>{2, 2, 2, 2}, 4), 2) << "data are copied again for each task";
  EXPECT_DOUBLE_EQ(SpeedupOf(0, std::vector<double>{}, 8), 1);
}

// The algorithm "rows" cuts a sample into tasks by blocks of cells (neighbouring outputs), not by output channels. The
// layer has 21 channels and 70 x 70 data. Its blocks must still be enough tasks for four threads.
TEST(Balance, RowsOfASampleGiveFourTasks) {
  std::istringstream input("fcn8s_up 1 1 21 21 70,70 16,16 8,8 4,4 4,4 1,1 0,0\n");
  std::vector<Layer> layers;
  std::string error;
  ASSERT_TRUE(ReadLayers(input, layers, error)) << error;
  PlanSettings settings;
  settings.algorithm = "rows";
  const std::optional<Plan> plan = MakePlan(layers[0], settings, error);
  ASSERT_TRUE(plan) << error;
  EXPECT_GE(plan->Get()->algorithm->TaskCount(1), 4);
}

TEST(Layers, ReadsFieldsAndSkipsComments) {
  std::istringstream input("# head\n\nspec 1 4 5 2 224,23 3,4 2,1 1,0 1,2 1,3 0,1  # tail\n");
  std::vector<Layer> layers;
  std::string error;
  ASSERT_TRUE(ReadLayers(input, layers, error)) << error;
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers[0].line, 3);
  EXPECT_EQ(layers[0].groups, 4);
  EXPECT_THAT(layers[0].data, ElementsAre(224, 23));
  EXPECT_THAT(layers[0].output_padding, ElementsAre(0, 1));
  EXPECT_EQ(layers[0].MultiplyAdds(), 1.0 * 4 * 5 * 2 * 224 * 23 * 12);
}

TEST(Layers, ComplaintsNameLineAndField) {
  EXPECT_EQ(ErrorOf("a 1 1 1 1 4 3 1 0 0 1 0\n"), "");
  EXPECT_THAT(ErrorOf("\na 1 1 1 1 4 3 1 0 0 1\n"), StartsWith("line 2: has 11 fields, expected 12"));
  EXPECT_THAT(ErrorOf("a 1 0 1 1 4 3 1 0 0 1 0\n"), StartsWith("line 1: G is \"0\", expected a positive integer"));
  EXPECT_THAT(ErrorOf("a<b 1 1 1 1 4 3 1 0 0 1 0\n"), StartsWith("line 1: name is \"a<b\", expected letters"));
  EXPECT_THAT(ErrorOf("a 1 1 1 1 4,x 3 1 0 0 1 0\n"), StartsWith("line 1: in is \"4,x\""));
  EXPECT_THAT(ErrorOf("a 1 1 1 1 4 3,3 1 0 0 1 0\n"), StartsWith("line 1: kernel is \"3,3\", expected 1 values"));
  EXPECT_THAT(ErrorOf("a 1 1 1 1 4 3 1 0 0 1 0\na 1 1 1 1 4 3 1 0 0 1 0\n"), StartsWith("line 2: name is \"a\""));
  EXPECT_THAT(ErrorOf("a 1 1099511627776 1099511627776 1 4 3 1 0 0 1 0\n"),
              StartsWith("line 1: Cin/G is \"1099511627776\", expected a number whose product with G"));
  EXPECT_EQ(ErrorOf("# nothing\n"), "has no layers, expected at least one line");
}

// Returns the layer of a line of layers.txt.
Layer LayerOf(const std::string& text) {
  std::istringstream input(text);
  std::vector<Layer> layers;
  std::string error;
  EXPECT_TRUE(ReadLayers(input, layers, error)) << error;
  return layers.empty() ? Layer() : layers[0];
}

// Returns the multiply-adds by the definition: counts every pair of a data element and a tap whose output exists.
double CountPairs(const Layer& layer) {
  double product = static_cast<double>(layer.groups * layer.in_channels * layer.out_channels * layer.batch);
  for (size_t a = 0; a < layer.data.size(); ++a) {
    const int64_t output = layer.strides[a] * (layer.data[a] - 1) + layer.dilations[a] * (layer.kernel[a] - 1) + 1 +
                           layer.output_padding[a] - layer.pads_begin[a] - layer.pads_end[a];
    double pairs = 0;
    for (int64_t x = 0; x < layer.data[a]; ++x) {
      for (int64_t k = 0; k < layer.kernel[a]; ++k) {
        const int64_t o = x * layer.strides[a] + k * layer.dilations[a] - layer.pads_begin[a];
        pairs += o >= 0 && o < output ? 1 : 0;
      }
    }
    product *= pairs;
  }
  return product;
}

TEST(Layers, CroppedMultiplyAddsAreNotPerformed) {
  // 4 data elements times 3 taps are 12 products. Pads of 1 at both ends crop two outputs, each of one product.
  EXPECT_EQ(LayerOf("a 1 1 1 1 4 3 1 0 0 1 0\n").PerformedMultiplyAdds(), 12);
  EXPECT_EQ(LayerOf("a 1 1 1 1 4 3 1 1 1 1 0\n").PerformedMultiplyAdds(), 10);
  for (const char* text : {"a 2 3 4 5 7,6 4,5 2,3 1,4 3,2 2,1 0,1\n", "a 1 1 2 1 5 3 2 -2 1 3 0\n",
                           "a 1 1 1 1 3 9 4 5 6 1 2\n", "a 1 1 1 1 2 2 9 3 4 1 0\n"}) {
    const Layer layer = LayerOf(text);
    EXPECT_EQ(layer.PerformedMultiplyAdds(), CountPairs(layer)) << text;
    EXPECT_LE(layer.PerformedMultiplyAdds(), layer.MultiplyAdds()) << text;
  }
}

TEST(Rows, TheSlowerLimitBinds) {
  Measurement measurement;
  measurement.time.ns = 100;
  measurement.memory_traffic_ns = 20;
  const Layer layer = LayerOf("a 1 1 1 1 4 3 1 1 1 1 0\n");
  // At a peak of 1 multiply-add a ns, 10 take 10 ns. The memory takes 20 ns, so the memory is the limit: 20 of 100 ns.
  const Row fast = MakeRow(layer, measurement, 1.0);
  EXPECT_FALSE(fast.ComputeBound());
  EXPECT_DOUBLE_EQ(fast.ShareOfLimit(), 0.2);
  // At 0.125 multiply-adds a ns, 10 take 80 ns, more than the memory.
  const Row slow = MakeRow(layer, measurement, 0.125);
  EXPECT_TRUE(slow.ComputeBound());
  EXPECT_DOUBLE_EQ(slow.ShareOfLimit(), 0.8);
  // 12 multiply-adds without the crop, two operations each, in 100 ns.
  EXPECT_DOUBLE_EQ(slow.NominalGflops(), 0.24);
  EXPECT_THAT(JsonOf(slow), StartsWith("{\"layer\":\"a\",\"ns\":100.0,"));
}

TEST(Rows, ShowTheTimeOfPackingOnlyIfItWasMeasured) {
  Measurement measurement;
  measurement.time.ns = 100;
  const Row without = MakeRow(LayerOf("a 1 1 1 1 4 3 1 1 1 1 0\n"), measurement, 1.0);
  EXPECT_THAT(JsonOf(without), Not(HasSubstr("pack")));
  measurement.pack = {
      .pack_ns = 2000, .pack_and_run_ns = 2100, .copy_ns = 500, .filter_bytes = 3000, .packed_bytes = 5000};
  const Row row = MakeRow(LayerOf("a 1 1 1 1 4 3 1 1 1 1 0\n"), measurement, 1.0);
  EXPECT_THAT(JsonOf(row), AllOf(HasSubstr("\"pack_ns\":2000.0,\"pack_and_run_ns\":2100.0"),
                                 HasSubstr("\"copy_ns\":500.0,\"pack_of_copy\":0.25")));
  // Columns: ms of packing, GB/s, share of the speed of memcpy, ms of packing and run.
  EXPECT_THAT(PackTableLine(row), ContainsRegex("0.0020 +2.0 +25 % +0.002"));
}

TEST(Chart, HasABarForEachLayer) {
  Measurement measurement;
  measurement.time.ns = 100;
  measurement.memory_traffic_ns = 20;
  const std::vector<Row> rows = {MakeRow(LayerOf("first 1 1 1 1 4 3 1 1 1 1 0\n"), measurement, 1.0),
                                 MakeRow(LayerOf("second 1 1 1 1 4 3 1 1 1 1 0\n"), measurement, 0.125)};
  const std::string svg = ChartOf("f32", rows);
  EXPECT_THAT(svg, AllOf(HasSubstr(">first</text>"), HasSubstr(">second</text>"), HasSubstr("20 %, 0.2 GFLOP/s"),
                         HasSubstr("80 %, 0.2 GFLOP/s"), EndsWith("</svg>\n")));
}

// Target 0 in these calls stands for the last target of Highway's tables, the slowest code.
TEST(Limits, AreMeasuredForATypeOnATarget) {
  Pool pool(2);
  std::vector<std::byte> memory(1 << 16);
  EXPECT_GT(MemoryTrafficNs({.data = memory, .packed_filter = memory, .output = memory}, 0, pool), 0);
  for (const deconv_type type : {DECONV_F64, DECONV_BF16, DECONV_U8, DECONV_I32}) {
    EXPECT_GT(PeakMultiplyAdds(type, 0, pool), 0);
  }
  size_t last = 0;
  while (deconv_target(last + 1) != nullptr) ++last;
  int64_t target = 0;
  ASSERT_TRUE(FindTarget(deconv_target(last), target).Ok());
  EXPECT_GT(PeakMultiplyAdds(DECONV_F32, target, pool), 0);
}

// A job is a call of ParallelFor.
TEST(Pool, RunsEveryIndexOnceJobAfterJob) {
  Pool pool(3);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{1000}}) {
    std::vector<std::atomic<int>> hits(count);
    const auto task = [](void* argument, size_t index, size_t worker) {
      EXPECT_LT(worker, 3u);
      ++(*static_cast<std::vector<std::atomic<int>>*>(argument))[index];
    };
    for (int i = 0; i < 50; ++i) Pool::ParallelFor(&pool, count, task, &hits);
    for (const auto& hit : hits) EXPECT_EQ(hit.load(), 50);
  }
}

}  // namespace
}  // namespace deconv::bench
