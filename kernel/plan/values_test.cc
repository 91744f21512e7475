// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the kernel's outputs with plain loops (NaiveScatter) on every target (instruction set) of this machine. The
// operators are random ones of every kind, layout, type and rank, large layers, and layers with extreme values. The
// comments use the words of kernel/README.md: a cell is a group of neighbouring outputs, one of each phase (the outputs
// with the same remainder modulo the stride); a tile is the sums that are kept in registers.
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/testing/guarded.h"
#include "kernel/testing/run_once.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {
namespace {

class ValuesTest : public ::testing::TestWithParam<std::tuple<deconv_type, int>> {};

TEST_P(ValuesTest, MatchNaiveScatter) {
  const auto [type, axes] = GetParam();
  std::mt19937 random(static_cast<uint32_t>(type * 16 + axes));
  const int cases = axes <= 2 ? 120 : 40;  // more axes take longer
  const std::vector<std::string> targets = Targets();
  for (int i = 0; i < cases; ++i) {
    const TestOperator op = RandomOperator(random, axes, type);
    const Values values = RandomValues(random, op, Magnitude(type));
    const std::vector<double> sums = NaiveScatter(op, values);
    const Flush flush = i % 3 == 0 ? Flush::kWithBegin : i % 3 == 1 ? Flush::kWithEnd : Flush::kOdd;
    // Every target is combined with every position of the buffers.
    const std::string& target = targets[static_cast<size_t>(i / 3) % targets.size()];
    const ForcedTarget forced(target);
    EXPECT_EQ(RunOnce(op, values, sums, nullptr, flush), "") << op.ToString() << " on " << target;
    for (const char* algorithm : kAlgorithmNames) {
      const bool direct = std::string(algorithm) == "direct";  // one for all targets
      if (direct ? i % 4 != 0 : !Fits(op, algorithm)) continue;
      EXPECT_EQ(RunOnce(op, values, sums, algorithm, flush), "")
          << op.ToString() << " by " << algorithm << " on " << target;
    }
  }
}

// Returns the name of a test, such as "f32_rank4".
std::string Name(const ::testing::TestParamInfo<std::tuple<deconv_type, int>>& info) {
  static constexpr const char* names[] = {"",    "f64", "f32", "f16", "bf16", "i8", "i16",
                                          "i32", "i64", "u8",  "u16", "u32",  "u64"};
  return std::string(names[std::get<0>(info.param)]) + "_rank" + std::to_string(std::get<1>(info.param) + 2);
}

INSTANTIATE_TEST_SUITE_P(Types, ValuesTest,
                         ::testing::Combine(::testing::ValuesIn(kAllTypes), ::testing::Values(1, 2, 3, 4, 6, 8)), Name);

// A layer like those of real networks: full tiles, blocks and joined rows, which small random operators do not reach.
struct LargeLayer {
  const char* reason;
  bool channels_last;
  int64_t groups;  // 0: ConvolutionBackpropData, which has none
  int64_t in_channels, out_channels;
  Dims data, kernel, strides, dilations, pads_begin, pads_end, output_padding;

  TestOperator Operator(deconv_type type) const {
    TestOperator op;
    if (groups > 0) op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
    op.type = type;
    op.channels_last = channels_last;
    op.groups = groups > 0 ? groups : 1;
    op.in_channels = in_channels;
    op.out_channels = out_channels;
    op.data = data;
    op.kernel = kernel;
    op.strides = strides;
    op.dilations = dilations;
    op.pads_begin = pads_begin;
    op.pads_end = pads_end;
    op.output_padding = output_padding;
    return op;
  }
};

// The columns are: reason; layout, groups, input and output channels of a group; then lists with an entry for each
// axis: data, kernel, strides, dilations, pads_begin, pads_end and output_padding. More words of the reasons: a unit is
// what a lane multiplies at once, one value of 32 bits, a pair of 16 bits or a quad of 8 bits. Data that lie suitably
// are read in place, others are copied. A kc block is as many input channels as the algorithm "channels" sums in one
// pass.
// clang-format off: a table.
constexpr bool kPlanar = false;
constexpr bool kLast = true;

std::vector<LargeLayer> LargeLayers() {
  return {
      {"blocks of x, channels last, and ranges of output channels whose second quad overlaps the first",
       kLast, 1, 45, 21, {3001}, {11}, {3}, {2}, {4}, {4}, {1}},
      {"a line cut into blocks, each with what its neighbour's taps reach, and into ranges of output channels",
       kPlanar, 1, 45, 21, {3001}, {11}, {3}, {2}, {4}, {4}, {1}},
      {"all channels of a cell at once, by quads that overlap; the last cell lacks a phase",
       kLast, 0, 70, 2, {9, 150}, {3, 4}, {2, 3}, {1, 2}, {1, 2}, {1, 0}, {0, 0}},
      {"a single channel, which is planar in either layout",
       kLast, 0, 1, 1, {9, 150}, {3, 4}, {2, 3}, {1, 2}, {1, 2}, {1, 0}, {0, 0}},
      {"in place, with two taps in x that are one run of units, of pairs and quads too; ends where the data end",
       kLast, 0, 44, 19, {9, 33}, {4, 4}, {2, 2}, {1, 1}, {3, 3}, {3, 3}, {0, 0}},
      {"in place, where few cells meet padding: strides, dilations and pads that differ, and a last row without data",
       kLast, 0, 44, 75, {40, 33}, {4, 3}, {2, 1}, {1, 2}, {1, 2}, {1, 2}, {1, 0}},
      {"the same: groups that take turns at each tile",
       kLast, 4, 12, 16, {24, 40}, {3, 5}, {1, 2}, {1, 1}, {1, 2}, {1, 2}, {0, 1}},
      {"the same: more channels than a kc block, three taps of the same cell",
       kLast, 0, 1100, 75, {48}, {6}, {2}, {1}, {2}, {3}, {1}},
      {"the same: three axes, blocks of planes, and a negative pad",
       kLast, 0, 16, 35, {17, 18, 40}, {3, 3, 2}, {2, 2, 2}, {1, 1, 1}, {1, 1, -1}, {1, 1, 0}, {1, 0, 0}},
      {"four vectors of 16 lanes, the last one partly filled, in long rows",
       kPlanar, 0, 70, 61, {9, 150}, {3, 4}, {2, 3}, {1, 2}, {1, 2}, {1, 0}, {0, 1}},
      {"joined taps of a filter that is fetched ahead",
       kPlanar, 0, 68, 256, {4, 4}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
      {"groups that take turns at whole tiles of a row",
       kLast, 9, 6, 13, {9, 29}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"wide rows, strides and dilations that differ",
       kPlanar, 0, 70, 37, {9, 150}, {3, 4}, {2, 3}, {1, 2}, {1, 2}, {1, 0}, {0, 1}},
      {"joined rows, and blocks of y",
       kPlanar, 0, 300, 37, {40, 13}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"three axes",
       kPlanar, 0, 24, 37, {12, 14, 15}, {2, 1, 3}, {2, 1, 2}, {2, 1, 2}, {2, 1, 3}, {2, 1, 3}, {2, 1, 2}},
      {"example 3 of ConvolutionBackpropData-1, smaller: rows of outputs are longer than those of the padded data",
       kPlanar, 0, 70, 37, {9, 56}, {3, 3}, {1, 1}, {1, 1}, {-4, -28}, {-4, -28}, {0, 0}},
      {"channels last without padding, more channels than a kc block, and a last vector that is partly filled",
       kLast, 0, 1100, 75, {5, 7}, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
      {"more channels than a kc block, copied",
       kPlanar, 0, 1100, 75, {5, 7}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
      {"kc blocks of pairs and quads that end within a unit, and a filter large enough to be fetched ahead of its use",
       kPlanar, 0, 403, 19, {4, 5}, {7, 7}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
      {"the same with channels last",
       kLast, 0, 403, 19, {4, 5}, {7, 7}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
      {"the same with planes, groups, and phases of one tap and of two",
       kPlanar, 2, 130, 42, {3, 2, 4}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
      {"one pixel: every tap is an output of its own",
       kPlanar, 0, 1100, 75, {1, 1}, {4, 4}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
  };
}

std::vector<LargeLayer> LargeLayersOfGroups() {
  return {
      {"depthwise, channels last: whole vectors of groups and a part of one, and a stride of many phases",
       kLast, 75, 1, 1, {9, 33}, {4, 16}, {2, 8}, {1, 1}, {1, 4}, {1, 4}, {0, 0}},
      {"depthwise with several blocks of channels, the last vector partly filled",
       kLast, 603, 1, 1, {3, 5}, {3, 4}, {1, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
      {"depthwise, planar",
       kPlanar, 75, 1, 1, {9, 33}, {7, 9}, {3, 3}, {1, 1}, {1, 4}, {1, 4}, {0, 0}},
      {"pairs and quads of input channels that end within a unit and begin at any address",
       kPlanar, 3, 45, 21, {40, 13}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"the same with channels last",
       kLast, 3, 45, 21, {40, 13}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"groups of a vector each, summed tile by tile",
       kLast, 9, 6, 13, {40, 13}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"groups of few channels side by side: one vector that is partly filled",
       kLast, 7, 5, 2, {9, 33}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"the same: several vectors",
       kLast, 20, 1, 3, {9, 33}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"the same: blocks of vectors",
       kLast, 301, 4, 1, {3, 11}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"the same: more output channels than copies that are compiled",
       kLast, 5, 1, 5, {9, 33}, {4, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"groups that share a vector, whose units do not fill it",
       kLast, 12, 4, 3, {9, 29}, {3, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"the same, planar, with tiles of a single cell",
       kPlanar, 12, 4, 4, {3, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 0}, {1, 0}, {0, 0}},
      {"groups of three quads that share a vector, copied",
       kLast, 6, 12, 5, {9, 29}, {3, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"groups of four quads that share a vector, read in place",
       kLast, 8, 16, 4, {9, 33}, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
      {"groups of three quads that share a vector, planar",
       kPlanar, 6, 12, 5, {9, 29}, {3, 4}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {"groups that share a vector, read in place",
       kLast, 8, 8, 8, {9, 33}, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
      {"the same with a dilation and more units than parts of a sum",
       kLast, 8, 4, 4, {5, 5}, {3, 3}, {1, 1}, {2, 2}, {2, 2}, {2, 2}, {0, 0}},
  };
}
// clang-format on

// Checks every algorithm but "direct", on every target. In types other than f32, algorithms other than "channels"
// compute as in f32. Only their copies and stores differ, which the tests of rows and of small operators reach.
void CheckOnEveryTarget(const TestOperator& op, const Values& values, const std::vector<double>& sums,
                        const char* reason) {
  for (const std::string& target : Targets()) {
    const ForcedTarget forced(target);
    for (const char* algorithm : kAlgorithmNames) {
      if (op.type != DECONV_F32 && std::string(algorithm) != "channels") continue;
      if (std::string(algorithm) == "direct" || !Fits(op, algorithm)) continue;
      EXPECT_EQ(RunOnce(op, values, sums, algorithm, Flush::kWithEnd), "")
          << reason << ": " << op.ToString() << " by " << algorithm << " on " << target;
      // Data that are read in place lie between unreadable pages on either side.
      if (op.channels_last && std::string(algorithm) == "channels") {
        EXPECT_EQ(RunOnce(op, values, sums, algorithm, Flush::kWithBegin), "")
            << reason << ": " << op.ToString() << " on " << target << ", flush with the begin";
      }
    }
    // Sums of bf16 by dot products may flush subnormals, which are kept if bf16 is widened to f32 instead.
    if (op.type == DECONV_BF16) {
      EXPECT_EQ(RunOnce(op, values, sums, "channels", Flush::kOdd, true), "")
          << reason << ": " << op.ToString() << " keeps subnormals on " << target;
    }
  }
}

void CheckLargeLayers(const std::vector<LargeLayer>& layers) {
  std::mt19937 random(1);
  for (const LargeLayer& layer : layers) {
    // Small numbers of either sign are right for all types: unsigned ones wrap.
    const Values values = RandomValues(random, layer.Operator(DECONV_F32), 3);
    const std::vector<double> sums = NaiveScatter(layer.Operator(DECONV_F32), values);
    for (const deconv_type type : {DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8, DECONV_U16}) {
      CheckOnEveryTarget(layer.Operator(type), values, sums, layer.reason);
    }
  }
}

TEST(Values, LargeLayersMatchOnEveryTarget) { CheckLargeLayers(LargeLayers()); }
TEST(Values, LargeLayersOfGroupsMatchOnEveryTarget) { CheckLargeLayers(LargeLayersOfGroups()); }

// Data and weights of the greatest magnitude. Some instructions multiply 8-bit integers and add pairs of the products
// in 16 bits, where such sums would saturate.
TEST(Values, ExtremesOfSmallIntegersMatchOnEveryTarget) {
  for (const auto& [type, data, filter] :
       {std::tuple(DECONV_I8, -128, -128), std::tuple(DECONV_I8, -128, 127), std::tuple(DECONV_U8, 255, 255),
        std::tuple(DECONV_U8, 255, 127), std::tuple(DECONV_I16, -32768, -32768),
        std::tuple(DECONV_U16, 65535, 65535)}) {
    TestOperator op = PlainOperator(type, {9}, {3}, {1});
    op.in_channels = 11;
    op.out_channels = 5;
    op.pads_begin = op.pads_end = {1};
    Values values;
    values.data.assign(static_cast<size_t>(op.DataCount()), data);
    values.filter.assign(static_cast<size_t>(op.FilterCount()), filter);
    // Some values change by 1, because sums of products of powers of two are 0 in the low bits that are kept.
    for (size_t i = 0; i < values.data.size(); i += 3) values.data[i] += values.data[i] < 0 ? 1 : -1;
    for (size_t i = 0; i < values.filter.size(); i += 4) values.filter[i] += values.filter[i] < 0 ? 1 : -1;
    const std::vector<double> sums = NaiveScatter(op, values);
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      for (const char* algorithm : kAlgorithmNames) {
        if (!Fits(op, algorithm)) continue;
        EXPECT_EQ(RunOnce(op, values, sums, algorithm, Flush::kWithEnd), "")
            << op.ToString() << " by " << algorithm << " on " << target;
      }
    }
  }
}

// An output has as many products of the greatest magnitude as f32 sums exactly: 1024 of 128 * 128 are 2^24. Other sums
// are just below, and some are odd. With one channel more, "rows", which sums in f32, does not fit any more.
TEST(Values, SumsOfBytesThatF32JustHoldsMatchOnEveryTarget) {
  TestOperator op = PlainOperator(DECONV_I8, {17}, {1}, {1});
  op.in_channels = 1024;
  op.out_channels = 3;
  Values values;
  values.data.assign(static_cast<size_t>(op.DataCount()), -128);
  values.filter.assign(static_cast<size_t>(op.FilterCount()), -128);
  values.data[3] = -127;
  values.filter[0] = -127;
  const std::vector<double> sums = NaiveScatter(op, values);
  EXPECT_EQ(sums[0], 1023 * 16384 + 127 * 128);
  EXPECT_EQ(sums[3], 1023 * 16384 + 127 * 127);
  EXPECT_EQ(sums[17], 1024 * 16384);
  EXPECT_TRUE(Fits(op, "rows"));
  for (const std::string& target : Targets()) {
    const ForcedTarget forced(target);
    for (const char* algorithm : kAlgorithmNames) {
      if (!Fits(op, algorithm)) continue;  // SCALAR has no "channels"
      EXPECT_EQ(RunOnce(op, values, sums, algorithm, Flush::kWithEnd), "") << algorithm << " on " << target;
    }
  }
  op.in_channels = 1025;
  EXPECT_FALSE(Fits(op, "rows"));
}

// Planes without padding. "channels" copies all of their rows at once, some rows and then a rest, or rows one by one.
TEST(Values, RowsCopiedTogetherMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const deconv_type type : {DECONV_F32, DECONV_BF16, DECONV_I8}) {
    for (const auto& [rows, cells] : {std::tuple(14, 14), std::tuple(7, 100), std::tuple(40, 33), std::tuple(3, 300)}) {
      TestOperator op = PlainOperator(type, {rows, cells}, {2, 2}, {2, 2});
      op.batch = 2;
      op.in_channels = 3;
      op.out_channels = 21;
      const Values values = RandomValues(random, op, 3);
      const std::vector<double> sums = NaiveScatter(op, values);
      for (const std::string& target : Targets()) {
        const ForcedTarget forced(target);
        EXPECT_EQ(RunOnce(op, values, sums, "channels", Flush::kWithEnd), "") << op.ToString() << " on " << target;
      }
    }
  }
}

// Rows of 28, 14 and 12 outputs. Columns: sizes of data, kernel, strides and pads for each axis, input and output
// channels. On targets whose vectors they do not fill, "channels" stores them together with the rows of all phases in
// y. The cases have rows that lack the last phase, phases without taps, three axes, several panels, blocks in y, and a
// filter whose weights are prefetched.
TEST(Values, RowsStoredTogetherMatchOnEveryTarget) {
  struct {
    Dims data, kernel, strides, pads;
    int64_t in_channels, out_channels;
  } const layers[] = {
      {{14, 14}, {2, 2}, {2, 2}, {0, 0}, 3, 21},   {{6, 14}, {3, 2}, {2, 2}, {1, 0}, 3, 21},
      {{6, 14}, {1, 2}, {2, 2}, {0, 0}, 3, 21},    {{14, 7}, {2, 2}, {2, 2}, {0, 0}, 3, 21},
      {{20, 7}, {4, 2}, {3, 2}, {1, 0}, 3, 21},    {{3, 4, 14}, {2, 3, 2}, {2, 2, 2}, {0, 1, 0}, 3, 21},
      {{40, 14}, {3, 2}, {2, 2}, {1, 0}, 300, 37}, {{8, 6}, {4, 4}, {2, 2}, {1, 1}, 160, 128},
  };
  std::mt19937 random(1);
  for (const auto& layer : layers) {
    TestOperator op = PlainOperator(DECONV_F32, layer.data, layer.kernel, layer.strides);
    op.batch = 2;
    op.in_channels = layer.in_channels;
    op.out_channels = layer.out_channels;
    op.pads_begin = op.pads_end = layer.pads;
    const Values values = RandomValues(random, op, 3);
    const std::vector<double> sums = NaiveScatter(op, values);
    for (const deconv_type type : {DECONV_F32, DECONV_BF16, DECONV_I8}) {
      op.type = type;
      for (const std::string& target : Targets()) {
        const ForcedTarget forced(target);
        EXPECT_EQ(RunOnce(op, values, sums, "channels", Flush::kWithEnd), "") << op.ToString() << " on " << target;
      }
    }
  }
}

// The comparison itself must see a single wrong output, a negative zero and a NaN.
TEST(Values, CompareSeesEachFault) {
  const TestOperator op = PlainOperator(DECONV_F32, {2}, {1}, {1});
  EXPECT_EQ(Compare(op, {0, 3}, {0, 3}), "");
  EXPECT_NE(Compare(op, {0, 3}, {0, 4}), "");
  EXPECT_NE(Compare(op, {0, 3}, {-0.0, 3}), "");
  EXPECT_NE(Compare(op, {0, 3}, {0, NAN}), "");
}

}  // namespace
}  // namespace deconv::testing
