// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the layout of the algorithm "rows": which phases (remainders modulo the stride) share a register tile, and
// which tiles store pairs of phases from registers. Also tests how output channels are shared among tiles. The
// descriptions of targets (RowsKernels) are made by hand, so that no expectation depends on the CPU.
#include "kernel/rows/rows_layout.h"

#include <algorithm>
#include <cstdint>

#include "gtest/gtest.h"
#include "kernel/base/cpu_class.h"
#include "kernel/resolve/resolve.h"
#include "kernel/testing/test_operator.h"

namespace deconv {
namespace {

using testing::Dims;
using testing::TestOperator;

constexpr int64_t kLanes = 16;

// Costs like those of Zen 4 and of AVX2. They are constants, so new fits change no expected result.
constexpr Costs kWideCosts = {.rows = {.product = 1, .load = 1.8, .broadcast = 0, .branch = 0.35, .call = 15}};
constexpr Costs kNarrowCosts = {.rows = {.product = 0.5, .load = 0.84, .broadcast = 0.79, .branch = 0.7, .call = 8}};
// With these costs, a step costs much for each phase of its tile.
constexpr Costs kBranchCosts = {.rows = {.product = 1, .load = 1.8, .broadcast = 0, .branch = 1.5, .call = 15}};

// Describes a target with kRegisters registers, whose tiles hold up to kMostSums phases times channels.
template <int64_t kRegisters, int64_t kMostSums>
RowsKernels KernelsOf(const Costs& costs) {
  RowsKernels kernels;
  kernels.target = "test";
  kernels.lanes = kLanes;
  kernels.columns = 6 * kLanes;
  kernels.stores_pairs = true;
  kernels.most_phases = std::min<int64_t>(9, kMostSums);
  kernels.channels = [](int64_t phases) { return std::clamp<int64_t>(kMostSums / phases, 1, 4); };
  kernels.vectors = [](int64_t phases, int64_t channels) {
    return std::clamp<int64_t>((kRegisters - 1) / (phases * channels + 1), 1, 6);
  };
  kernels.costs = &costs;
  kernels.caches = {.first_level = 32 * 1024, .second_level = 1024 * 1024};
  return kernels;
}

// Descriptions of targets with 32 and with 16 registers. Their tiles of four phases hold three channels and one.
RowsKernels WideKernels(const Costs& costs = kWideCosts) {
  RowsKernels kernels = KernelsOf<32, 12>(costs);
  kernels.prefers_pairs = true;
  return kernels;
}
RowsKernels NarrowKernels() { return KernelsOf<16, 6>(kNarrowCosts); }

// An operator with two output channels. The lists have an entry for each axis.
TestOperator Layer(const Dims& data, const Dims& kernel, const Dims& strides) {
  TestOperator op;
  op.in_channels = 8;
  op.out_channels = 2;
  op.data = data;
  op.kernel = kernel;
  op.strides = strides;
  op.dilations.assign(data.size(), 1);
  op.pads_begin.assign(data.size(), 0);
  op.pads_end = op.output_padding = op.pads_begin;
  return op;
}

// Returns the layout that "rows" makes for an operator on the target that `kernels` describes.
RowsLayout LayoutOf(const TestOperator& op, const RowsKernels& kernels) {
  const testing::PlanRequest request(op);
  Geometry geometry;
  const Status status = Resolve(request.Op(), op.channels_last ? DECONV_NXC : DECONV_NCX, geometry);
  EXPECT_TRUE(status.Ok()) << status.Message();
  RowsLayout layout;
  EXPECT_TRUE(MakeRowsLayout(geometry, kernels, layout));
  return layout;
}

// The numbers of rows of outputs and of phases in x that share a tile, and whether the tile stores pairs of phases.
struct Way {
  int64_t rows = 1;
  int64_t width = 1;
  bool stores_pairs = false;
};
constexpr bool kPairs = true;

// Expects that the tiles of the operator share rows and phases as `way` says. `reason` is printed if they do not.
void ExpectWay(const char* reason, const TestOperator& op, const RowsKernels& kernels, const Way& way) {
  const RowsLayout layout = LayoutOf(op, kernels);
  EXPECT_EQ(layout.sharing.rows, way.rows) << reason;
  EXPECT_EQ(layout.sharing.width, way.width) << reason;
  EXPECT_EQ(layout.stores_pairs, way.stores_pairs) << reason;
  // The estimate counts pairs on targets that prefer them.
  EXPECT_EQ(layout.base.paired_share, way.stores_pairs && kernels.prefers_pairs ? 1 : 0) << reason;
}

TEST(RowsLayout, StoresPairsOfTwoRowsAndTwoPhasesInX) {
  TestOperator last = Layer({32, 48}, {2, 2}, {2, 2});
  last.channels_last = true;
  TestOperator cropped = Layer({1, 48}, {3, 2}, {3, 2});
  cropped.pads_end[0] = 1;
  const struct {
    const char* reason;
    TestOperator op;
    Way way;
  } cases[] = {
      {"both strides are 2", Layer({32, 48}, {2, 2}, {2, 2}), {2, 2, kPairs}},
      {"three axes", Layer({4, 6, 48}, {2, 2, 2}, {2, 2, 2}), {2, 2, kPairs}},
      {"rows of a single whole vector", Layer({32, kLanes}, {2, 2}, {2, 2}), {2, 2, kPairs}},
      {"joined rows: a vector lies in two of them", Layer({32, 14}, {2, 2}, {2, 2}), {2, 2}},
      {"a single short row has none to join", Layer({1, 14}, {2, 2}, {2, 2}), {2, 2, kPairs}},
      {"channels last", last, {2, 2}},
      {"three phases in x", Layer({32, 48}, {2, 3}, {2, 3}), {2, 3}},
      {"two of three phases in x have outputs", Layer({1, 1}, {2, 2}, {2, 3}), {2, 2}},
      {"one of two phases in x has outputs", Layer({1, 1}, {2, 1}, {2, 2}), {2, 1}},
      {"one row", Layer({32, 48}, {2, 2}, {1, 2}), {1, 2}},
      {"one axis", Layer({48}, {2}, {2}), {1, 2}},
      {"three rows", Layer({32, 48}, {3, 2}, {3, 2}), {3, 2}},
      {"two of three rows have outputs", cropped, {2, 2, kPairs}},
  };
  for (const auto& row : cases) ExpectWay(row.reason, row.op, WideKernels(), row.way);
  RowsKernels kernels = WideKernels();
  kernels.stores_pairs = false;
  ExpectWay("a target without the tile", cases[0].op, kernels, {2, 2});
}

// An operator whose data element never serves two phases, because of its dilation. So tiles of two rows are estimated
// at 1.15 times the cycles of tiles of one row.
TestOperator Dilated() {
  TestOperator op = Layer({32, 46}, {3, 3}, {2, 2});
  op.out_channels = 4;
  op.dilations = {3, 3};
  op.pads_begin = op.pads_end = {1, 1};
  return op;
}

TEST(RowsLayout, PrefersPairsUnlessOthersAreMuchFaster) {
  TestOperator op = Dilated();
  ExpectWay("with pairs", op, WideKernels(), {2, 2, kPairs});
  RowsKernels kernels = WideKernels();
  kernels.stores_pairs = false;
  ExpectWay("without pairs", op, kernels, {1, 2});
  kernels = WideKernels();
  kernels.prefers_pairs = false;
  ExpectWay("pairs that pay less", op, kernels, {1, 2});
  // After tiles of one row are chosen, pairs no longer count. Then tiles of one phase win, because they take 0.85 of
  // the cycles of tiles of two phases.
  ExpectWay("much slower with pairs", op, WideKernels(kBranchCosts), {1, 1});
  op = Layer({32, 46}, {3, 3}, {3, 2});
  op.in_channels = 16;
  op.out_channels = 3;
  op.dilations = {1, 3};
  ExpectWay("three rows have no pairs to prefer", op, WideKernels(), {1, 2});
}

// A packed filter serves all layouts and sizes of data, so the choice may not depend on them.
TEST(RowsLayout, SharesTilesTheSameInAllLayoutsAndSizes) {
  TestOperator op = Dilated();
  op.channels_last = true;
  ExpectWay("channels last", op, WideKernels(), {2, 2});
  op = Dilated();
  op.data = {32, 12};
  ASSERT_TRUE(LayoutOf(op, WideKernels()).base.joined_rows);
  ExpectWay("joined rows", op, WideKernels(), {2, 2});
}

// Stores.StreamedPairsOfRowsMatchOnEveryTarget runs operators like these.
TEST(RowsLayout, StoresPairsOfOneChannelWith16Registers) {
  TestOperator op = Layer({32, 48}, {2, 2}, {2, 2});
  op.in_channels = 1;
  op.out_channels = 1;
  ExpectWay("one channel", op, NarrowKernels(), {2, 2, kPairs});
  op.out_channels = 5;
  ExpectWay("each channel loads the data again", op, NarrowKernels(), {1, 2});
  ExpectWay("three channels load the data once", op, WideKernels(), {2, 2, kPairs});
}

TEST(RowsLayout, TilesOfChannelsDifferByOneAtMost) {
  const struct {
    int64_t channels;
    Dims first;  // the first channel of each tile, and the number of all channels
  } cases[] = {{1, {0, 1}},    {3, {0, 3}},       {4, {0, 2, 4}},    {5, {0, 3, 5}},
               {6, {0, 3, 6}}, {7, {0, 3, 5, 7}}, {8, {0, 3, 6, 8}}, {10, {0, 3, 6, 8, 10}}};
  for (const auto& row : cases) {
    TestOperator op = Layer({32, 48}, {2, 2}, {2, 2});
    op.out_channels = row.channels;
    const RowsLayout layout = LayoutOf(op, WideKernels());
    ASSERT_EQ(layout.tile_channels, 3);
    Dims first;
    for (int64_t tile = 0; tile <= layout.channel_tiles; ++tile) first.push_back(layout.TileChannel(tile));
    EXPECT_EQ(first, row.first) << row.channels;
  }
}

}  // namespace
}  // namespace deconv
