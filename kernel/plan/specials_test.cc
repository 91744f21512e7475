// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests special values with every algorithm. NaN and Inf must appear exactly in the outputs that have a product with
// NaN or Inf. They must not be multiplied by zeros that an implementation inserts around the data or between them. Sums
// round once, integers wrap, and empty tensors are computed.
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr deconv_type kFloats[] = {DECONV_F64, DECONV_F32, DECONV_F16, DECONV_BF16};

// Returns the outputs of a run with the named algorithm. Output and workspace hold NaN before the run.
std::vector<double> OutputsOf(const TestOperator& op, const Values& values, const char* algorithm) {
  PlanRequest request(op);
  request.ForceAlgorithm(algorithm);
  auto status = Tagged<deconv_status>();
  const std::optional<Plan> plan = Plan::Create(request.Op(), &request.Options(), &status);
  EXPECT_TRUE(plan) << status.message;
  if (!plan) return {};
  std::vector<std::byte> data(plan->DataBytes());
  std::vector<std::byte> filter(plan->FilterBytes());
  std::vector<std::byte> packed(plan->PackedFilterBytes());
  std::vector<std::byte> output(plan->OutputBytes(), std::byte{0xFF});
  std::vector<std::byte> workspace(plan->WorkspaceBytes(), std::byte{0xFF});
  EncodeData(op, values.data, data);
  EncodeFilter(op, values.filter, filter);
  EXPECT_EQ(plan->PackFilter(filter, packed, &status), DECONV_OK) << status.message;
  EXPECT_EQ(plan->Run({data, packed, output, workspace}, &status), DECONV_OK) << status.message;
  return DecodeOutput(op, output);
}

// An operator with one axis and one channel, without pads.
TestOperator Line(deconv_type type, int64_t data, int64_t kernel, int64_t stride, int64_t dilation = 1) {
  TestOperator op = PlainOperator(type, {data}, {kernel}, {stride});
  op.dilations = {dilation};
  return op;
}

// Two NaN count as the same, whatever their bits are.
bool Same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

// Expects these outputs of each algorithm that fits; a zero must be +0. `values` is {data, filter}.
void ExpectOutputs(const TestOperator& op, const Values& values, const std::vector<double>& expected) {
  for (const char* algorithm : kAlgorithmNames) {
    if (!Fits(op, algorithm)) continue;
    const std::vector<double> outputs = OutputsOf(op, values, algorithm);
    ASSERT_EQ(outputs.size(), expected.size()) << algorithm;
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_TRUE(Same(outputs[i], expected[i]))
          << algorithm << " output " << i << " is " << outputs[i] << ", expected " << expected[i];
      EXPECT_FALSE(expected[i] == 0 && std::signbit(outputs[i])) << algorithm << " output " << i;
    }
  }
}

// The stride is 2, so only the odd outputs have a product with the tap in the middle, which is Inf. The even outputs
// sum products of the outer taps 1 and 3, such as 1 * 3 + 10 * 1 = 13.
TEST(Specials, InfInFilterDoesNotReachGaps) {
  for (const deconv_type type : kFloats) {
    ExpectOutputs(Line(type, 3, 3, 2), {{1, 10, 100}, {1, kInf, 3}}, {1, kInf, 13, kInf, 130, kInf, 300});
  }
}

TEST(Specials, OutputPaddingBehindInfStaysZero) {
  for (const deconv_type type : kFloats) {
    TestOperator op = Line(type, 3, 3, 2);
    op.output_padding = {1};
    ExpectOutputs(op, {{1, 10, 100}, {1, 2, kInf}}, {1, 2, kInf, 20, kInf, 200, kInf, 0});
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
  TestOperator op = Line(DECONV_F32, 2, 1, 1);
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.groups = 2;
  ExpectOutputs(op, {{1, 2, 3, 4}, {kInf, 5}}, {kInf, kInf, 15, 20});
}

TEST(Specials, GroupsSideBySideDoNotLeak) {
  TestOperator op = Line(DECONV_F32, 1, 1, 1);
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = true;
  op.groups = 3;
  op.in_channels = op.out_channels = 2;
  const std::vector<double> ones(12, 1);
  std::vector<double> filter = ones;
  for (const std::string& target : Targets()) {
    const ForcedTarget forced(target);
    // Three groups of two channels; all weights are 1. Only the second group has an Inf.
    ExpectOutputs(op, {{1, 2, kInf, 3, 4, 5}, ones}, {3, 3, kInf, kInf, 9, 9});
    // The weight of channel 1 of the group in the middle, for its output channel 0.
    filter[6] = kInf;
    ExpectOutputs(op, {{1, 2, 3, 4, 5, 6}, filter}, {3, 3, kInf, 7, 11, 11});
    filter[6] = 1;
  }
}

// Compares random operators with non-finite values on every target with the scatter loop. Its doubles propagate NaN and
// Inf in the same way.
TEST(Specials, RandomPlacementMatchesScatterOnEveryTarget) {
  std::mt19937 random(7);
  const std::vector<std::string> targets = Targets();
  for (int i = 0; i < 600; ++i) {
    // Type and target are random, so that all combinations are tested.
    const deconv_type type = kFloats[random() % std::size(kFloats)];
    const ForcedTarget forced(targets[random() % targets.size()]);
    const TestOperator op = RandomOperator(random, 1 + i % 3, type);
    Values values = RandomValues(random, op, 2);
    const double special = i % 3 == 0 ? kNan : i % 3 == 1 ? kInf : -kInf;
    std::vector<double>& victim = random() % 2 == 0 ? values.filter : values.data;
    victim[random() % victim.size()] = special;
    const std::vector<double> expected = NaiveScatter(op, values);
    for (const char* algorithm : kAlgorithmNames) {
      if (!Fits(op, algorithm)) continue;
      const std::vector<double> outputs = OutputsOf(op, values, algorithm);
      for (size_t o = 0; o < expected.size(); ++o) {
        ASSERT_EQ(std::isnan(outputs[o]), std::isnan(expected[o]))
            << op.ToString() << " by " << algorithm << " output " << o;
        if (std::isinf(expected[o]) || std::isinf(outputs[o])) {
          ASSERT_EQ(outputs[o], expected[o]) << op.ToString() << " by " << algorithm << " output " << o;
        }
      }
    }
  }
}

// Tests rows that need many register tiles (the sums that are kept in registers). Short rows are copied one behind the
// other into one long row, with padding between them. An Inf in the filter must not be multiplied by padding, between
// rows or around them. With channels last, the data of 24 x 33 are not copied but read in place.
TEST(Specials, InfInTheFilterOfLongRowsMeetsNoPadding) {
  std::mt19937 random(11);
  for (const auto& [data, channels_last] :
       {std::pair(std::vector<int64_t>{30, 13}, false), std::pair(std::vector<int64_t>{3, 700}, false),
        std::pair(std::vector<int64_t>{30, 13}, true), std::pair(std::vector<int64_t>{24, 33}, true)}) {
    TestOperator op = PlainOperator(DECONV_F32, data, {4, 4}, {2, 2});
    op.channels_last = channels_last;
    op.in_channels = 2;
    op.out_channels = 3;
    op.pads_begin = op.pads_end = {1, 1};
    Values values = RandomValues(random, op, 2);
    values.filter.front() = values.filter.back() = kInf;  // taps that reach over either end of the data
    const std::vector<double> expected = NaiveScatter(op, values);
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      for (const char* algorithm : kAlgorithmNames) {
        if (!Fits(op, algorithm)) continue;
        const std::vector<double> outputs = OutputsOf(op, values, algorithm);
        for (size_t o = 0; o < expected.size(); ++o) {
          ASSERT_TRUE(Same(outputs[o], expected[o])) << op.ToString() << " by " << algorithm << " output " << o << ": "
                                                     << outputs[o] << " instead of " << expected[o];
        }
      }
    }
  }
}

// Some instructions multiply pairs of channels. With three channels, a channel of zeros fills the last pair and is
// multiplied, too. It must not give NaN if another channel is Inf.
TEST(Specials, InfInTheLastChannelMeetsNoPadding) {
  for (const std::string& target : Targets()) {
    const ForcedTarget forced(target);
    for (const deconv_type type : kFloats) {
      for (const bool channels_last : {false, true}) {
        TestOperator op = Line(type, 2, 1, 1);
        op.channels_last = channels_last;
        op.in_channels = 3;
        ExpectOutputs(op, {{1, 2, 3, 4, kInf, 6}, {1, 1, 1}}, {kInf, 12});
        ExpectOutputs(op, {{1, 2, 3, 4, 5, -6}, {1, 1, kInf}}, {kInf, -kInf});
      }
    }
  }
}

TEST(Specials, HalfSumsInSingleAndRoundsOnce) {
  // 1 + 2^-11 + 2^-11: in f16 each addition would round back to 1, in f32 the sum is 1 + 2^-10.
  TestOperator op = Line(DECONV_F16, 1, 1, 1);
  op.in_channels = 3;
  ExpectOutputs(op, {{1, 0x1p-11, 0x1p-11}, {1, 1, 1}}, {1 + 0x1p-10});
  // A partial sum beyond 65504 is no overflow, but a final sum beyond it is Inf.
  ExpectOutputs(op, {{60000, 60000, -60000}, {1, 1, 1}}, {60000});
  op.in_channels = 2;
  ExpectOutputs(op, {{60000, 60000}, {1, 1}}, {kInf});
}

TEST(Specials, IntegersWrap) {
  ExpectOutputs(Line(DECONV_I8, 1, 1, 1), {{-128}, {-128}}, {0});
  ExpectOutputs(Line(DECONV_U8, 1, 1, 1), {{255}, {255}}, {1});
  ExpectOutputs(Line(DECONV_I16, 1, 1, 1), {{300}, {300}}, {90000 - 65536});
  ExpectOutputs(Line(DECONV_I32, 1, 1, 1), {{65536}, {32768}}, {-2147483648.0});
  ExpectOutputs(Line(DECONV_I64, 1, 1, 1), {{4294967296.0}, {2147483648.0}}, {-9223372036854775808.0});
}

TEST(Specials, EmptyTensorsAreComputed) {
  TestOperator op = Line(DECONV_F32, 3, 3, 2);
  op.batch = 0;
  ExpectOutputs(op, {{}, {1, 2, 3}}, {});
  op.batch = 1;
  op.out_channels = 0;
  ExpectOutputs(op, {{1, 2, 3}, {}}, {});
  op.out_channels = 1;
  op.in_channels = 0;
  ExpectOutputs(op, {{}, {}}, {0, 0, 0, 0, 0, 0, 0});
  // No data at all: the formula still gives stride * -1 + 3 = 2 and 1 outputs.
  ExpectOutputs(Line(DECONV_F32, 0, 3, 1), {{}, {1, 2, 3}}, {0, 0});
  ExpectOutputs(Line(DECONV_F32, 0, 3, 2), {{}, {1, 2, kNan}}, {0});
}

}  // namespace
}  // namespace deconv::testing
