// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Values against the naive scatter loop: random geometries of every kind, layout, type and rank, on every target that
// this machine runs, with every buffer between guard pages, inputs read-only and the output poisoned.
#include <cmath>
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "kernel/testing/guarded.h"
#include "kernel/testing/problem.h"

#include <hwy/targets.h>

namespace deconv::testing {
namespace {

// The first output that is wrong, or nothing.
std::string Compare(const Problem& problem, const std::vector<double>& sums, const std::vector<double>& outputs) {
  for (size_t i = 0; i < sums.size(); ++i) {
    const double expected = Wrapped(problem.type, sums[i]);
    const bool right = std::fabs(outputs[i] - expected) <= Roundoff(problem.type) * std::fabs(expected) &&
                       !(expected == 0 && std::signbit(outputs[i]));
    if (!right) {
      return "output " + std::to_string(i) + " is " + std::to_string(outputs[i]) + ", expected " +
             std::to_string(expected);
    }
  }
  return "";
}

// Sums of integers are exact modulo 2^n whatever they pass, those of floating types as long as they are small.
int Magnitude(deconv_type type) { return type >= DECONV_I8 ? 200 : 3; }

// Empty if all is well.
std::string RunOnce(const Problem& problem, const Values& values, const std::vector<double>& sums,
                    const char* algorithm, Flush flush) {
  ProblemOperator description(problem);
  description.ForceAlgorithm(algorithm);
  auto status = Tagged<deconv_status>();
  const std::optional<Plan> plan = Plan::Create(description.Op(), &description.Options(), &status);
  if (!plan) return status.message;
  Guarded data(plan->DataBytes(), flush);
  Guarded filter(plan->FilterBytes(), flush);
  Guarded packed(plan->PackedFilterBytes(), flush);
  Guarded output(plan->OutputBytes(), flush);
  Guarded workspace(plan->WorkspaceBytes(), flush, 0xFF);  // NaN, to be overwritten or thrown away
  EncodeData(problem, values.data, data.bytes());
  EncodeFilter(problem, values.filter, filter.bytes());
  data.MakeReadOnly();
  filter.MakeReadOnly();
  if (plan->PackFilter(filter.bytes(), packed.bytes(), &status) != DECONV_OK) return status.message;
  packed.MakeReadOnly();
  if (plan->Run({data.bytes(), packed.bytes(), output.bytes(), workspace.bytes()}, &status) != DECONV_OK) {
    return status.message;
  }
  return Compare(problem, sums, DecodeOutput(problem, output.bytes()));
}

class ValuesTest : public ::testing::TestWithParam<std::tuple<deconv_type, int>> {};

TEST_P(ValuesTest, MatchNaiveScatter) {
  const auto [type, axes] = GetParam();
  std::mt19937 random(static_cast<uint32_t>(type * 16 + axes));
  const int cases = axes <= 2 ? 120 : 40;
  const auto targets = hwy::SupportedAndGeneratedTargets();
  for (int i = 0; i < cases; ++i) {
    const Problem problem = RandomProblem(random, axes, type);
    const Values values = RandomValues(random, problem, Magnitude(type));
    const std::vector<double> sums = NaiveScatter(problem, values);
    const Flush flush = i % 3 == 0 ? Flush::kWithBegin : i % 3 == 1 ? Flush::kWithEnd : Flush::kOdd;
    const int64_t target = targets[static_cast<size_t>(i / 3) % targets.size()];  // each with each way to flush
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(RunOnce(problem, values, sums, nullptr, flush), "")
        << problem.ToString() << " on " << hwy::TargetName(target);
    hwy::SetSupportedTargetsForTest(0);
    for (const char* algorithm : kAlgorithmNames) {
      const bool direct = std::string(algorithm) == "direct";  // one for all targets
      if (direct ? i % 4 != 0 : !Fits(problem, algorithm)) continue;
      if (!direct) hwy::SetSupportedTargetsForTest(target);
      EXPECT_EQ(RunOnce(problem, values, sums, algorithm, flush), "")
          << problem.ToString() << " by " << algorithm << " on " << hwy::TargetName(target);
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

std::string Name(const ::testing::TestParamInfo<std::tuple<deconv_type, int>>& info) {
  static constexpr const char* names[] = {"",    "f64", "f32", "f16", "bf16", "i8", "i16",
                                          "i32", "i64", "u8",  "u16", "u32",  "u64"};
  return std::string(names[std::get<0>(info.param)]) + "_rank" + std::to_string(std::get<1>(info.param) + 2);
}

INSTANTIATE_TEST_SUITE_P(Types, ValuesTest,
                         ::testing::Combine(::testing::ValuesIn(kAllTypes), ::testing::Values(1, 2, 3, 4, 6, 8)), Name);

// Layers like those of real networks: full tiles, blocks and joined rows, which small random cases do not reach.
TEST(Values, LargeLayersMatchOnEveryTarget) {
  std::mt19937 random(1);
  Problem wide;
  wide.in_channels = 70;
  wide.out_channels = 37;
  wide.data = {9, 150};
  wide.kernel = {3, 4};
  wide.strides = {2, 3};
  wide.dilations = {1, 2};
  wide.pads_begin = {1, 2};
  wide.pads_end = {1, 0};
  wide.output_padding = {0, 1};
  Problem joined = wide;
  joined.in_channels = 300;
  joined.data = {40, 13};
  joined.kernel = {4, 4};
  joined.strides = {2, 2};
  joined.dilations = {1, 1};
  joined.pads_end = {1, 1};
  joined.pads_begin = {1, 1};
  Problem solid = joined;
  solid.in_channels = 24;
  solid.data = {12, 14, 15};
  solid.kernel = solid.pads_end = solid.pads_begin = {2, 1, 3};
  solid.strides = solid.dilations = solid.output_padding = {2, 1, 2};
  // Example 3 of ConvolutionBackpropData-1, smaller: rows of outputs are longer than those of the padded data.
  Problem shifted = wide;
  shifted.data = {9, 56};
  shifted.kernel = {3, 3};
  shifted.strides = shifted.dilations = {1, 1};
  shifted.pads_begin = shifted.pads_end = {-4, -28};
  shifted.output_padding = {0, 0};
  // Channels last without any padding, more channels than a chunk, and a last vector that is partly filled.
  Problem in_place = joined;
  in_place.channels_last = true;
  in_place.in_channels = 1100;
  in_place.out_channels = 75;
  in_place.data = {5, 7};
  in_place.kernel = {2, 2};
  in_place.pads_begin = in_place.pads_end = in_place.output_padding = {0, 0};
  Problem chunks = in_place;
  chunks.channels_last = false;
  chunks.kernel = {4, 4};
  chunks.pads_begin = chunks.pads_end = {1, 1};
  // Chunks of pairs and quads, too, that end within a unit, and a filter large enough to be fetched ahead of its use.
  Problem deep = chunks;
  deep.in_channels = 403;
  deep.out_channels = 19;
  deep.data = {4, 5};
  deep.kernel = {7, 7};
  deep.strides = {1, 1};
  // The same with planes, groups, and phases of one tap and of two.
  Problem deep_planes = deep;
  deep_planes.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  deep_planes.groups = 2;
  deep_planes.in_channels = 130;
  deep_planes.out_channels = 42;
  deep_planes.data = {3, 2, 4};
  deep_planes.kernel = {3, 3, 3};
  deep_planes.strides = {2, 2, 2};
  deep_planes.dilations = deep_planes.pads_begin = deep_planes.pads_end = {1, 1, 1};
  deep_planes.output_padding = {0, 0, 0};
  // One pixel, and every tap an output of its own.
  Problem pixel = chunks;
  pixel.data = pixel.strides = {1, 1};
  pixel.pads_begin = pixel.pads_end = {0, 0};
  // Depthwise with channels last: whole vectors of groups and a part of one, and a stride of many phases.
  Problem depthwise = in_place;
  depthwise.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  depthwise.groups = 75;
  depthwise.in_channels = depthwise.out_channels = 1;
  depthwise.data = {9, 33};
  depthwise.kernel = {4, 16};
  depthwise.strides = {2, 8};
  depthwise.pads_begin = depthwise.pads_end = {1, 4};
  // Depthwise with several blocks of channels, the last vector partly filled.
  Problem many = depthwise;
  many.groups = 603;
  many.data = {3, 5};
  many.kernel = {3, 4};
  many.strides = {1, 2};
  many.pads_begin = many.pads_end = {1, 1};
  Problem planar = depthwise;
  planar.channels_last = false;
  planar.strides = {3, 3};
  planar.kernel = {7, 9};
  // Pairs and quads of input channels that end within a unit, and begin at any address.
  Problem odd = joined;
  odd.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  odd.groups = 3;
  odd.in_channels = 45;
  odd.out_channels = 21;
  Problem odd_last = odd;
  odd_last.channels_last = true;
  // Groups of a vector each, summed tile by tile.
  Problem grouped_last = odd_last;
  grouped_last.groups = 9;
  grouped_last.in_channels = 6;
  grouped_last.out_channels = 13;
  // Groups of few channels side by side: a vector that is partly filled, then several, then blocks of them.
  Problem side_by_side = odd_last;
  side_by_side.groups = 7;
  side_by_side.in_channels = 5;
  side_by_side.out_channels = 2;
  side_by_side.data = {9, 33};
  Problem multiplied = side_by_side;
  multiplied.groups = 20;
  multiplied.in_channels = 1;
  multiplied.out_channels = 3;
  Problem summed = side_by_side;
  summed.groups = 301;
  summed.in_channels = 4;
  summed.out_channels = 1;
  summed.data = {3, 11};
  Problem wide_groups = side_by_side;
  wide_groups.groups = 5;
  wide_groups.in_channels = 1;
  wide_groups.out_channels = 5;
  // A line that is cut into blocks, each with what its neighbour's taps reach, and into ranges of output channels.
  Problem line = odd;
  line.groups = 1;
  line.data = {3001};
  line.kernel = {11};
  line.strides = {3};
  line.dilations = {2};
  line.pads_begin = line.pads_end = {4};
  line.output_padding = {1};
  // Channels last: blocks of x, and ranges of output channels whose second quad is over the first.
  Problem line_last = line;
  line_last.channels_last = true;
  // All channels of a cell at once, by quads that are over one another; the last cell lacks a phase.
  Problem few_last = wide;
  few_last.channels_last = true;
  few_last.out_channels = 2;
  few_last.output_padding = {0, 0};
  // A single channel is planar in either layout.
  Problem one_last = few_last;
  one_last.in_channels = one_last.out_channels = 1;
  // In place, with two taps in x that are one run of units, of pairs and quads, too; ends where the data end.
  Problem cropped = in_place;
  cropped.in_channels = 44;
  cropped.out_channels = 19;
  cropped.data = {9, 33};
  cropped.kernel = {4, 4};
  cropped.pads_begin = cropped.pads_end = {3, 3};
  // Four vectors of 16 lanes, the last one partly filled, in long rows.
  Problem wider = wide;
  wider.out_channels = 61;
  // Joined taps of a filter that is fetched ahead.
  Problem fetched = chunks;
  fetched.in_channels = 68;
  fetched.out_channels = 256;
  fetched.data = {4, 4};
  // Groups that take turns at whole tiles of a row.
  Problem long_groups_last = grouped_last;
  long_groups_last.data = {9, 29};
  for (const Problem& layer : {line_last,    few_last,     one_last,   cropped, wider,       fetched, long_groups_last,
                               wide,         joined,       solid,      shifted, in_place,    chunks,  deep,
                               deep_planes,  pixel,        depthwise,  many,    planar,      odd,     odd_last,
                               grouped_last, side_by_side, multiplied, summed,  wide_groups, line}) {
    // Small numbers of either sign are right for all types: unsigned ones wrap.
    const Values values = RandomValues(random, layer, 3);
    const std::vector<double> sums = NaiveScatter(layer, values);
    for (const deconv_type type : {DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8, DECONV_U16}) {
      Problem problem = layer;
      problem.type = type;
      for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        for (const char* algorithm : kAlgorithmNames) {
          // Of the others, each type is what f32 is, but for the ends, which small cases reach.
          if (type != DECONV_F32 && std::string(algorithm) != "channels") continue;
          if (std::string(algorithm) == "direct" || !Fits(problem, algorithm)) continue;
          EXPECT_EQ(RunOnce(problem, values, sums, algorithm, Flush::kWithEnd), "")
              << problem.ToString() << " by " << algorithm << " on " << hwy::TargetName(target);
        }
      }
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

// An output that is too large for caches, at addresses that streaming stores take and at others.
TEST(Values, StreamedOutputsMatchOnEveryTarget) {
  std::mt19937 random(1);
  Problem problem;
  problem.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  problem.type = DECONV_F32;
  problem.channels_last = true;
  problem.data = {65, 129};
  problem.kernel = {3, 2};
  problem.strides = {2, 2};
  problem.dilations = {1, 1};
  problem.pads_begin = problem.pads_end = problem.output_padding = {0, 0};
  // Whole register tiles, some left over, and several channels of a group.
  for (const auto& [groups, channels] : {std::pair{64, 1}, std::pair{80, 1}, std::pair{32, 2}}) {
    problem.groups = groups;
    problem.in_channels = problem.out_channels = channels;
    ASSERT_GT(problem.OutputCount() * 4, 8 << 20);
    const Values values = RandomValues(random, problem, 3);
    const std::vector<double> sums = NaiveScatter(problem, values);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      for (const Flush flush : {Flush::kWithBegin, Flush::kOdd}) {
        EXPECT_EQ(RunOnce(problem, values, sums, "channels", flush), "") << groups << " " << hwy::TargetName(target);
      }
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

// Products of the greatest magnitude, which a sum of pairs in 16 bits would saturate.
TEST(Values, ExtremesOfSmallIntegersMatchOnEveryTarget) {
  for (const auto& [type, data, filter] :
       {std::tuple(DECONV_I8, -128, -128), std::tuple(DECONV_I8, -128, 127), std::tuple(DECONV_U8, 255, 255),
        std::tuple(DECONV_U8, 255, 127), std::tuple(DECONV_I16, -32768, -32768),
        std::tuple(DECONV_U16, 65535, 65535)}) {
    Problem problem;
    problem.type = type;
    problem.in_channels = 11;
    problem.out_channels = 5;
    problem.data = {9};
    problem.kernel = {3};
    problem.strides = problem.dilations = problem.pads_begin = problem.pads_end = {1};
    problem.output_padding = {0};
    Values values;
    values.data.assign(static_cast<size_t>(problem.DataCount()), data);
    values.filter.assign(static_cast<size_t>(problem.FilterCount()), filter);
    // Some others, or extremes that are powers of two sum to nothing.
    for (size_t i = 0; i < values.data.size(); i += 3) values.data[i] += values.data[i] < 0 ? 1 : -1;
    for (size_t i = 0; i < values.filter.size(); i += 4) values.filter[i] += values.filter[i] < 0 ? 1 : -1;
    const std::vector<double> sums = NaiveScatter(problem, values);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      for (const char* algorithm : kAlgorithmNames) {
        if (!Fits(problem, algorithm)) continue;
        EXPECT_EQ(RunOnce(problem, values, sums, algorithm, Flush::kWithEnd), "")
            << problem.ToString() << " by " << algorithm << " on " << hwy::TargetName(target);
      }
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

// The comparison itself must see a single wrong output, a negative zero and a NaN.
TEST(Values, CompareSeesFaults) {
  Problem problem;
  problem.data = {2};
  problem.kernel = {1};
  problem.strides = problem.dilations = {1};
  problem.pads_begin = problem.pads_end = problem.output_padding = {0};
  EXPECT_EQ(Compare(problem, {0, 3}, {0, 3}), "");
  EXPECT_NE(Compare(problem, {0, 3}, {0, 4}), "");
  EXPECT_NE(Compare(problem, {0, 3}, {-0.0, 3}), "");
  EXPECT_NE(Compare(problem, {0, 3}, {0, NAN}), "");
}

}  // namespace
}  // namespace deconv::testing
