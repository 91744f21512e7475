// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// NaN and Inf stand exactly where a contributing product puts them, for finite and for other filters; sums round once;
// integers wrap; empty tensors work.
#include <cmath>
#include <iterator>
#include <limits>

#include "gtest/gtest.h"
#include "kernel/testing/problem.h"

#include <hwy/targets.h>

namespace deconv::testing {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr deconv_type kFloats[] = {DECONV_F64, DECONV_F32, DECONV_F16, DECONV_BF16};

std::vector<double> OutputsOf(const Problem& problem, const Values& values, const char* algorithm) {
  ProblemOperator description(problem);
  description.ForceAlgorithm(algorithm);
  auto status = Tagged<deconv_status>();
  const std::optional<Plan> plan = Plan::Create(description.Op(), &description.Options(), &status);
  EXPECT_TRUE(plan) << status.message;
  if (!plan) return {};
  std::vector<std::byte> data(plan->DataBytes());
  std::vector<std::byte> filter(plan->FilterBytes());
  std::vector<std::byte> packed(plan->PackedFilterBytes());
  std::vector<std::byte> output(plan->OutputBytes(), std::byte{0xFF});
  std::vector<std::byte> workspace(plan->WorkspaceBytes(), std::byte{0xFF});
  EncodeData(problem, values.data, data);
  EncodeFilter(problem, values.filter, filter);
  EXPECT_EQ(plan->PackFilter(filter, packed, &status), DECONV_OK) << status.message;
  EXPECT_EQ(plan->Run({data, packed, output, workspace}, &status), DECONV_OK) << status.message;
  return DecodeOutput(problem, output);
}

Problem Line(deconv_type type, int64_t x, int64_t k, int64_t s, int64_t d = 1) {
  Problem problem;
  problem.type = type;
  problem.data = {x};
  problem.kernel = {k};
  problem.strides = {s};
  problem.dilations = {d};
  problem.pads_begin = problem.pads_end = problem.output_padding = {0};
  return problem;
}

bool Same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

void ExpectOutputs(const Problem& problem, const Values& values, const std::vector<double>& expected) {
  for (const char* algorithm : kAlgorithmNames) {
    if (!Fits(problem, algorithm)) continue;
    const std::vector<double> outputs = OutputsOf(problem, values, algorithm);
    ASSERT_EQ(outputs.size(), expected.size()) << algorithm;
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_TRUE(Same(outputs[i], expected[i]))
          << algorithm << " output " << i << " is " << outputs[i] << ", expected " << expected[i];
      EXPECT_FALSE(expected[i] == 0 && std::signbit(outputs[i])) << algorithm << " output " << i;
    }
  }
}

// The measured fixtures: x = 1 10 100, stride 2.
TEST(Specials, InfInFilterDoesNotReachGaps) {
  for (const deconv_type type : kFloats) {
    ExpectOutputs(Line(type, 3, 3, 2), {{1, 10, 100}, {1, kInf, 3}}, {1, kInf, 13, kInf, 130, kInf, 300});
  }
}

TEST(Specials, OutputPaddingBehindInfStaysZero) {
  for (const deconv_type type : kFloats) {
    Problem problem = Line(type, 3, 3, 2);
    problem.output_padding = {1};
    ExpectOutputs(problem, {{1, 10, 100}, {1, 2, kInf}}, {1, 2, kInf, 20, kInf, 200, kInf, 0});
  }
}

TEST(Specials, StrideGapsStayPositiveZero) {
  ExpectOutputs(Line(DECONV_F32, 3, 1, 3), {{1, 10, 100}, {-kInf}}, {-kInf, 0, 0, -kInf, 0, 0, -kInf});
  ExpectOutputs(Line(DECONV_F32, 3, 1, 3), {{1, 10, 100}, {7}}, {7, 0, 0, 70, 0, 0, 700});
}

TEST(Specials, NanInDataReachesItsOwnTapsOnly) {
  ExpectOutputs(Line(DECONV_F32, 3, 2, 1, 2), {{1, kNan, 100}, {1, 2}}, {1, kNan, 102, kNan, 200});
}

TEST(Specials, ZeroTimesInfIsNan) {
  ExpectOutputs(Line(DECONV_F16, 2, 1, 1), {{0, 1}, {kInf}}, {kNan, kInf});
  ExpectOutputs(Line(DECONV_F16, 2, 2, 1), {{kInf, 1}, {0, 1}}, {kNan, kInf, 1});
}

TEST(Specials, GroupsDoNotLeak) {
  Problem problem = Line(DECONV_F32, 2, 1, 1);
  problem.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  problem.groups = 2;
  ExpectOutputs(problem, {{1, 2, 3, 4}, {kInf, 5}}, {kInf, kInf, 15, 20});
}

TEST(Specials, GroupsSideBySideDoNotLeak) {
  Problem problem = Line(DECONV_F32, 1, 1, 1);
  problem.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  problem.channels_last = true;
  problem.groups = 3;
  problem.in_channels = problem.out_channels = 2;
  const std::vector<double> ones(12, 1);
  std::vector<double> filter = ones;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    ExpectOutputs(problem, {{1, 2, kInf, 3, 4, 5}, ones}, {3, 3, kInf, kInf, 9, 9});
    // In channel 1 of the group in the middle, to its output channel 0.
    filter[6] = kInf;
    ExpectOutputs(problem, {{1, 2, 3, 4, 5, 6}, filter}, {3, 3, kInf, 7, 11, 11});
    filter[6] = 1;
    hwy::SetSupportedTargetsForTest(0);
  }
}

// Random problems with non-finite values on every target against the scatter loop, whose doubles propagate the same
// way.
TEST(Specials, RandomPlacementMatchesScatterOnEveryTarget) {
  std::mt19937 random(7);
  const auto targets = hwy::SupportedAndGeneratedTargets();
  for (int i = 0; i < 600; ++i) {
    // Drawn, so that each type meets each target and each victim.
    const deconv_type type = kFloats[random() % std::size(kFloats)];
    const int64_t target = targets[random() % targets.size()];
    const Problem problem = RandomProblem(random, 1 + i % 3, type);
    Values values = RandomValues(random, problem, 2);
    const double special = i % 3 == 0 ? kNan : i % 3 == 1 ? kInf : -kInf;
    std::vector<double>& victim = random() % 2 == 0 ? values.filter : values.data;
    victim[random() % victim.size()] = special;
    const std::vector<double> expected = NaiveScatter(problem, values);
    for (const char* algorithm : kAlgorithmNames) {
      if (!Fits(problem, algorithm)) continue;
      hwy::SetSupportedTargetsForTest(target);
      const std::vector<double> outputs = OutputsOf(problem, values, algorithm);
      hwy::SetSupportedTargetsForTest(0);
      for (size_t o = 0; o < expected.size(); ++o) {
        ASSERT_EQ(std::isnan(outputs[o]), std::isnan(expected[o]))
            << problem.ToString() << " by " << algorithm << " output " << o;
        if (std::isinf(expected[o]) || std::isinf(outputs[o])) {
          ASSERT_EQ(outputs[o], expected[o]) << problem.ToString() << " by " << algorithm << " output " << o;
        }
      }
    }
  }
}

// Rows that need many tiles, each by itself and joined: an Inf in the filter meets no padding, between rows or around.
TEST(Specials, InfInTheFilterOfLongRowsMeetsNoPadding) {
  std::mt19937 random(11);
  for (const std::vector<int64_t>& data : {std::vector<int64_t>{30, 13}, std::vector<int64_t>{3, 700}}) {
    Problem problem;
    problem.in_channels = 2;
    problem.out_channels = 3;
    problem.data = data;
    problem.kernel = {4, 4};
    problem.strides = {2, 2};
    problem.dilations = {1, 1};
    problem.pads_begin = problem.pads_end = {1, 1};
    problem.output_padding = {0, 0};
    Values values = RandomValues(random, problem, 2);
    values.filter.front() = values.filter.back() = kInf;  // of taps that reach over either end of the data
    const std::vector<double> expected = NaiveScatter(problem, values);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      for (const char* algorithm : kAlgorithmNames) {
        if (!Fits(problem, algorithm)) continue;
        const std::vector<double> outputs = OutputsOf(problem, values, algorithm);
        for (size_t o = 0; o < expected.size(); ++o) {
          const bool same = outputs[o] == expected[o] || (std::isnan(outputs[o]) && std::isnan(expected[o]));
          ASSERT_TRUE(same) << problem.ToString() << " by " << algorithm << " output " << o << ": " << outputs[o]
                            << " instead of " << expected[o];
        }
      }
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

// What fills the last pair of channels is multiplied too: it must not be NaN beside a channel that is Inf.
TEST(Specials, InfInTheLastChannelMeetsNoPadding) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (const deconv_type type : kFloats) {
      for (const bool channels_last : {false, true}) {
        Problem problem = Line(type, 2, 1, 1);
        problem.channels_last = channels_last;
        problem.in_channels = 3;
        ExpectOutputs(problem, {{1, 2, 3, 4, kInf, 6}, {1, 1, 1}}, {kInf, 12});
        ExpectOutputs(problem, {{1, 2, 3, 4, 5, -6}, {1, 1, kInf}}, {kInf, -kInf});
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Specials, HalfSumsInSingleAndRoundsOnce) {
  // 1 + 2^-11 + 2^-11: in f16 each addition would round back to 1, in f32 the sum is 1 + 2^-10.
  Problem problem = Line(DECONV_F16, 1, 1, 1);
  problem.in_channels = 3;
  ExpectOutputs(problem, {{1, 0x1p-11, 0x1p-11}, {1, 1, 1}}, {1 + 0x1p-10});
  // Passing 65504 in between is no overflow; ending beyond it is.
  ExpectOutputs(problem, {{60000, 60000, -60000}, {1, 1, 1}}, {60000});
  problem.in_channels = 2;
  ExpectOutputs(problem, {{60000, 60000}, {1, 1}}, {kInf});
}

TEST(Specials, IntegersWrap) {
  ExpectOutputs(Line(DECONV_I8, 1, 1, 1), {{-128}, {-128}}, {0});
  ExpectOutputs(Line(DECONV_U8, 1, 1, 1), {{255}, {255}}, {1});
  ExpectOutputs(Line(DECONV_I16, 1, 1, 1), {{300}, {300}}, {90000 - 65536});
  ExpectOutputs(Line(DECONV_I32, 1, 1, 1), {{65536}, {32768}}, {-2147483648.0});
  ExpectOutputs(Line(DECONV_I64, 1, 1, 1), {{4294967296.0}, {2147483648.0}}, {-9223372036854775808.0});
}

TEST(Specials, EmptyTensors) {
  Problem problem = Line(DECONV_F32, 3, 3, 2);
  problem.batch = 0;
  ExpectOutputs(problem, {{}, {1, 2, 3}}, {});
  problem.batch = 1;
  problem.out_channels = 0;
  ExpectOutputs(problem, {{1, 2, 3}, {}}, {});
  problem.out_channels = 1;
  problem.in_channels = 0;
  ExpectOutputs(problem, {{}, {}}, {0, 0, 0, 0, 0, 0, 0});
  // No data at all: the formula still gives stride * -1 + 3 = 2 and 1 outputs.
  ExpectOutputs(Line(DECONV_F32, 0, 3, 1), {{}, {1, 2, 3}}, {0, 0});
  ExpectOutputs(Line(DECONV_F32, 0, 3, 2), {{}, {1, 2, kNan}}, {0});
}

}  // namespace
}  // namespace deconv::testing
