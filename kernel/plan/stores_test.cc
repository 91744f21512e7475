// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how outputs are stored, on every target (instruction set) of this machine, by comparing them with plain loops
// (NaiveScatter). From kStreamBytes on, stores bypass the caches: outputs are streamed. A phase is the outputs of an
// axis with the same remainder modulo the stride; the algorithms compute each phase alone and interleave phases when
// they store them. A cell is a group of neighbouring outputs, one of each phase. Some algorithms join short rows: they
// compute several rows, one behind the other, as a long one. kernel/README.md explains the algorithms.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/base/algorithm.h"
#include "kernel/testing/guarded.h"
#include "kernel/testing/run_once.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {
namespace {

// Outputs too large for the caches, at addresses at which stores can bypass the caches and at odd addresses.
TEST(Stores, StreamedOutputsMatchOnEveryTarget) {
  std::mt19937 random(1);
  TestOperator op = PlainOperator(DECONV_F32, {65, 129}, {3, 2}, {2, 2});
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = true;
  // Groups, input and output channels of a group: whole register tiles (the sums that are kept in registers), some left
  // over, several channels of a group, groups that share a vector, and one group.
  for (const auto& [groups, in_channels, out_channels] :
       {std::tuple{64, 1, 1}, std::tuple{80, 1, 1}, std::tuple{32, 2, 2}, std::tuple{8, 8, 8}, std::tuple{1, 1, 64}}) {
    op.groups = groups;
    op.in_channels = in_channels;
    op.out_channels = out_channels;
    ASSERT_GE(op.OutputCount() * 4, kStreamBytes);
    const Values values = RandomValues(random, op, 3);
    const std::vector<double> sums = NaiveScatter(op, values);
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      for (const Flush flush : {Flush::kWithBegin, Flush::kOdd}) {
        EXPECT_EQ(RunOnce(op, values, sums, "channels", flush), "") << groups << " " << target;
      }
    }
  }
}

// Streams planes, whose rows of outputs are whole cache lines. Some widths of the data are no multiple of a vector. The
// columns are: type, its bytes, stride, and width of the data.
TEST(Stores, StreamedPlanesMatchOnEveryTarget) {
  constexpr int64_t kChannels = 16;
  std::mt19937 random(1);
  for (const auto& [type, bytes, stride, width] :
       {std::tuple(DECONV_F32, 4, 1, 80), std::tuple(DECONV_F32, 4, 2, 72), std::tuple(DECONV_F32, 4, 2, 80),
        std::tuple(DECONV_F32, 4, 2, 32), std::tuple(DECONV_F32, 4, 3, 80), std::tuple(DECONV_F32, 4, 4, 80),
        std::tuple(DECONV_F32, 4, 5, 80), std::tuple(DECONV_I32, 4, 2, 80), std::tuple(DECONV_BF16, 2, 1, 96),
        std::tuple(DECONV_F16, 2, 2, 80), std::tuple(DECONV_F16, 2, 3, 64), std::tuple(DECONV_BF16, 2, 4, 72),
        std::tuple(DECONV_F16, 2, 6, 80), std::tuple(DECONV_U16, 2, 8, 68), std::tuple(DECONV_BF16, 2, 16, 66),
        std::tuple(DECONV_I8, 1, 1, 192), std::tuple(DECONV_U8, 1, 2, 160), std::tuple(DECONV_I8, 1, 3, 64),
        std::tuple(DECONV_I8, 1, 4, 80),  std::tuple(DECONV_I8, 1, 5, 192), std::tuple(DECONV_U8, 1, 8, 72),
        std::tuple(DECONV_I8, 1, 12, 80), std::tuple(DECONV_I8, 1, 16, 68)}) {
    const int64_t rows = kStreamBytes / (kChannels * bytes * stride * width) + 1;
    TestOperator op = PlainOperator(type, {rows, width}, {1, stride}, {1, stride});
    op.out_channels = kChannels;
    ASSERT_GE(op.OutputCount() * bytes, kStreamBytes);
    ASSERT_EQ(width * stride * bytes % kLineBytes, 0);
    const Values values = RandomValues(random, op, 3);
    const std::vector<double> sums = NaiveScatter(op, values);
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      EXPECT_EQ(RunOnce(op, values, sums, "phased", Flush::kWithBegin), "") << op.ToString() << " on " << target;
      // "rows" stores by the same functions. At an odd address nothing is streamed.
      if (type == DECONV_F32) {
        EXPECT_EQ(RunOnce(op, values, sums, "rows", Flush::kOdd), "") << op.ToString() << " on " << target;
      }
    }
  }
}

// Streams planes with two phases in x and in y. "rows" stores both phases in x together, as a pair; targets with 16
// registers do so for one channel only. Rows are whole vectors, or end with a part of one. The longest ones are cut
// into blocks. The columns are: type, its bytes, output channels, and width of the data.
TEST(Stores, StreamedPairsOfRowsMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const auto& [type, bytes, channels, width] :
       {std::tuple(DECONV_F32, 4, 5, 64), std::tuple(DECONV_F32, 4, 1, 72), std::tuple(DECONV_F32, 4, 5, 50008),
        std::tuple(DECONV_F32, 4, 1, 50008), std::tuple(DECONV_BF16, 2, 5, 64), std::tuple(DECONV_BF16, 2, 1, 64),
        std::tuple(DECONV_I8, 1, 5, 64), std::tuple(DECONV_U8, 1, 1, 96)}) {
    const int64_t row_bytes = 2 * width * bytes;
    const int64_t rows = kStreamBytes / (channels * 2 * row_bytes) + 1;
    TestOperator op = PlainOperator(type, {rows, width}, {2, 2}, {2, 2});
    op.out_channels = channels;
    ASSERT_GE(op.OutputCount() * bytes, kStreamBytes);
    ASSERT_EQ(row_bytes % kLineBytes, 0);
    const Values values = RandomValues(random, op, Magnitude(type));
    const std::vector<double> sums = NaiveScatter(op, values);
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      for (const Flush flush : {Flush::kWithBegin, Flush::kOdd}) {
        EXPECT_EQ(RunOnce(op, values, sums, "rows", flush), "") << op.ToString() << " on " << target;
      }
    }
  }
}

// Returns where buffers lie between guard pages. `number` grows with the operators and the targets, so that each target
// gets each place.
Flush FlushOf(size_t number) { return std::array{Flush::kWithBegin, Flush::kWithEnd, Flush::kOdd}[number % 3]; }

// Rows of planes in every element size: each stride interleaves phases in its own way. Rows are shorter and longer than
// vectors, and the last cell lacks phases. Rows of odd length begin at addresses that are no multiple of 4.
TEST(Stores, RowsOfEveryStrideMatchOnEveryTarget) {
  std::mt19937 random(1);
  size_t operators = 0;
  size_t runs = 0;
  for (const deconv_type type : {DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8, DECONV_U16, DECONV_I32}) {
    for (int64_t stride = 1; stride <= 17; ++stride) {
      for (const int64_t cells : {1, 3, 4, 5, 15, 16, 17, 33, 66, 131}) {
        TestOperator op = PlainOperator(type, {3, cells}, {1, stride + 1}, {1, stride});
        op.in_channels = op.out_channels = 2;
        op.output_padding = {0, stride / 2};
        const Values values = RandomValues(random, op, 3);
        const std::vector<double> sums = NaiveScatter(op, values);
        size_t place = operators++;
        for (const std::string& target : Targets()) {
          const ForcedTarget forced(target);
          const Flush flush = FlushOf(place++);
          for (const char* algorithm : {"phased", "rows", "col2im"}) {
            if (!Fits(op, algorithm)) continue;
            ++runs;
            EXPECT_EQ(RunOnce(op, values, sums, algorithm, flush), "")
                << op.ToString() << " by " << algorithm << " on " << target;
          }
        }
      }
    }
  }
  EXPECT_GT(runs, 0U);
}

// Returns random values. `filter_value` replaces the first weight unless it is 0.
Values ValuesWith(std::mt19937& random, const TestOperator& op, double filter_value) {
  Values values = RandomValues(random, op, Magnitude(op.type));
  if (filter_value != 0) {
    values.filter[0] = filter_value;
    // Infinity times zero is no number.
    std::replace(values.data.begin(), values.data.end(), 0.0, 1.0);
  }
  return values;
}

// Runs an operator by "phased" and "rows" on every target. Then runs it with one output channel, because "rows" stores
// pairs of more channels only with 32 registers. The outputs of "rows" end at a guard page: no store may go too far.
void ExpectPairsMatch(std::mt19937& random, TestOperator op, double filter_value = 0) {
  static size_t operators = 0;
  for (const int64_t channels : {op.out_channels, int64_t{1}}) {
    op.out_channels = channels;
    const Values values = ValuesWith(random, op, filter_value);
    const std::vector<double> sums = NaiveScatter(op, values);
    size_t place = operators++;
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      EXPECT_EQ(RunOnce(op, values, sums, "phased", FlushOf(place++)), "") << op.ToString() << " on " << target;
      EXPECT_EQ(RunOnce(op, values, sums, "rows", Flush::kWithEnd), "") << op.ToString() << " on " << target;
    }
  }
}

// Returns an operator of which "rows" stores pairs of phases from registers, and "phased" too if its type has 16 or 32
// bits: planar, stride 2. 21 output channels leave a part of a register tile of "phased".
TestOperator PairsOperator(const Dims& data, int64_t kernel, deconv_type type = DECONV_F32) {
  TestOperator op = PlainOperator(type, data, Dims(data.size(), 2), Dims(data.size(), 2));
  op.kernel.back() = kernel;
  op.batch = 2;
  op.in_channels = 3;
  op.out_channels = 21;
  return op;
}

// Rows have fewer cells than a vector has lanes, or more. They lie one behind the other, or have padding between them.
// The last cell may lack a phase.
TEST(Stores, PairsOfPhasesMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const deconv_type type : {DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8, DECONV_U8}) {
    for (const int64_t cells : {3, 4, 8, 15, 16, 17, 32, 48, 51, 64, 80, 96, 113}) {
      for (const int64_t kernel : {2, 3, 4, 6}) {
        for (const int64_t pad : {0, 1}) {
          TestOperator op = PairsOperator({5, cells}, kernel, type);
          op.pads_begin.back() = op.pads_end.back() = pad;
          op.output_padding.back() = cells % 2;
          ExpectPairsMatch(random, op);
        }
      }
    }
  }
}

// One axis, whose rows are never joined; rows of several blocks, three axes, groups, and an infinite weight.
TEST(Stores, PairsOfPhasesMatchInOtherPlaces) {
  std::mt19937 random(1);
  for (const int64_t kernel : {2, 4}) {
    for (const int64_t cells : {96, 113}) {
      TestOperator op = PairsOperator({cells}, kernel);
      op.output_padding.back() = cells % 2;
      op.pads_end.back() = 1;
      ExpectPairsMatch(random, op);
    }
    ExpectPairsMatch(random, PairsOperator({25000}, kernel));
    // Blocks of one row and of parts of it.
    ExpectPairsMatch(random, PairsOperator({2, 25000}, kernel));
    ExpectPairsMatch(random, PairsOperator({3, 4, 16}, kernel));
    ExpectPairsMatch(random, PairsOperator({3, 4, 32}, kernel));
    TestOperator op = PairsOperator({5, 48}, kernel);
    ExpectPairsMatch(random, op, std::numeric_limits<double>::infinity());
    op.type = DECONV_F16;
    ExpectPairsMatch(random, op, std::numeric_limits<double>::infinity());
    op.type = DECONV_F32;
    op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
    op.groups = 3;
    ExpectPairsMatch(random, op);
  }
}

// Tiles of "rows" hold one to three channels, or one if a target has 16 registers. The last row of outputs may lack its
// second phase, and so may the last cell.
TEST(Stores, PairsOfFewChannelsMatch) {
  std::mt19937 random(1);
  for (const int64_t channels : {2, 3, 4, 5}) {
    for (const int64_t cells : {1, 16, 31, 48, 64, 100}) {
      for (const int64_t pad : {0, 1}) {
        for (const deconv_type type : {DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8, DECONV_U8}) {
          TestOperator op = PairsOperator({4, cells}, 3, type);
          op.out_channels = channels;
          op.kernel = {3, 3};
          op.pads_end = {pad, pad};
          ExpectPairsMatch(random, op);
        }
      }
    }
  }
}

// Crops an axis at its end to this number of outputs.
void CropTo(int64_t outputs, size_t axis, TestOperator& op) { op.pads_end[axis] += op.OutputSpatial()[axis] - outputs; }

// Phases without a tap, phases whose taps lie apart, pads in y, and two rows of three phases in y. Cells fill whole
// vectors, or there is one row of them: otherwise rows would be joined, and joined rows store no pairs. With more input
// channels, AVX2 would take other tiles.
TEST(Stores, PairsOfDilatedAndCroppedPhasesMatch) {
  constexpr int64_t kCells = 48;
  std::mt19937 random(1);
  for (const deconv_type type : {DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8, DECONV_U8}) {
    for (const int64_t pad : {0, 1}) {
      for (const Dims& dilations : {Dims{1, 1}, Dims{1, 2}, Dims{2, 2}, Dims{3, 3}}) {
        TestOperator op = PairsOperator({6, kCells}, 3, type);
        op.in_channels = 1;
        op.out_channels = 4;
        op.kernel = {3, 3};
        op.dilations = dilations;
        op.pads_begin = {pad, pad};
        CropTo(2 * kCells - pad, 1, op);
        ExpectPairsMatch(random, op);
        op.data = {3, kCells + 5};
        for (const int64_t stride : {2, 3}) {
          op.strides[0] = stride;
          CropTo(2, 0, op);
          ExpectPairsMatch(random, op);
        }
      }
    }
  }
}

// Returns an operator with three groups and channels last; its data have 3 rows of `cells` positions.
TestOperator GroupsLast(deconv_type type, int64_t in_channels, int64_t out_channels, int64_t cells, int64_t stride) {
  TestOperator op = PlainOperator(type, {3, cells}, {1, stride + 1}, {1, stride});
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = true;
  op.groups = 3;
  op.in_channels = in_channels;
  op.out_channels = out_channels;
  return op;
}

// Runs an operator on every target by each algorithm that copies its data into padded planes.
void ExpectPaddedCopiesMatch(std::mt19937& random, const TestOperator& op, double filter_value = 0) {
  EXPECT_TRUE(Fits(op, "phased")) << op.ToString();
  const Values values = ValuesWith(random, op, filter_value);
  const std::vector<double> sums = NaiveScatter(op, values);
  for (const std::string& target : Targets()) {
    const ForcedTarget forced(target);
    for (const char* algorithm : {"phased", "rows", "col2im"}) {
      if (!Fits(op, algorithm)) continue;
      for (const Flush flush : {Flush::kWithBegin, Flush::kWithEnd}) {
        EXPECT_EQ(RunOnce(op, values, sums, algorithm, flush), "")
            << op.ToString() << " by " << algorithm << " on " << target;
      }
    }
  }
}

// Elements of 8 and 16 bits: channels that fill part of a block of 16 bytes, whole blocks, and blocks that overlap.
TEST(Stores, NarrowCellsOfAnyWidthMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const deconv_type type : {DECONV_I8, DECONV_U8, DECONV_F16, DECONV_BF16, DECONV_U16}) {
    for (const int64_t channels : {4, 5, 7, 8, 9, 16, 17, 33}) {
      for (const int64_t cells : {3, 4, 15, 16, 37}) {
        ExpectPaddedCopiesMatch(random, GroupsLast(type, channels, 2, cells, 2));
      }
    }
  }
}

// Groups of one to three output channels, fewer than the four (a quad) that are stored at a time otherwise. Rows have
// whole cells, or lack a phase of the last one.
TEST(Stores, FewChannelsOfACellMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const int64_t channels : {1, 2, 3}) {
    // The cells of the last two strides fill the buffer of a row, or are longer than it.
    for (const int64_t stride : {1, 2, 3, 5, 90, 400}) {
      TestOperator op = GroupsLast(DECONV_F32, 5, channels, stride < 10 ? 301 : 5, stride);
      ExpectPaddedCopiesMatch(random, op);
      op.pads_end.back() = 1;
      ExpectPaddedCopiesMatch(random, op);
    }
  }
}

// A sample that is so large that a task (the part of a run that one thread computes) has several groups. Also an
// infinite weight, which must not be multiplied by padding.
TEST(Stores, TasksOfSeveralGroupsMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const auto& [type, filter_value] :
       {std::tuple(DECONV_F32, 0.0), std::tuple(DECONV_F32, std::numeric_limits<double>::infinity()),
        std::tuple(DECONV_I8, 0.0)}) {
    TestOperator op = GroupsLast(type, 5, 2, 299, 2);
    op.data = {299, 299};
    ExpectPaddedCopiesMatch(random, op, filter_value);
  }
}

// 8-bit integers. An output has more products than f32 can sum exactly (1024 of 128 * 128 are 2^24), so the sums are
// integers of 32 bits.
TEST(Stores, BytesOfManyProductsMatchOnEveryTarget) {
  std::mt19937 random(1);
  for (const auto& [stride, channels_last] :
       {std::tuple(1, false), std::tuple(2, false), std::tuple(3, false), std::tuple(4, false), std::tuple(8, false),
        std::tuple(1, true), std::tuple(2, true)}) {
    TestOperator op = PlainOperator(stride % 2 == 0 ? DECONV_I8 : DECONV_U8, {2, 37}, {1, stride + 1}, {1, stride});
    op.channels_last = channels_last;
    op.in_channels = 1100;
    op.out_channels = 2;
    const Values values = RandomValues(random, op, Magnitude(op.type));
    const std::vector<double> sums = NaiveScatter(op, values);
    for (const std::string& target : Targets()) {
      const ForcedTarget forced(target);
      EXPECT_EQ(RunOnce(op, values, sums, "phased", Flush::kOdd), "") << op.ToString() << " on " << target;
    }
  }
}

}  // namespace
}  // namespace deconv::testing
