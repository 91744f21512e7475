// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which sizes suite `attributes` combines: kernels with strides, output widths, and counts of channels. Libraries
// choose code by such numbers. The test reads the sizes from the resolved operators, not from the names of cases.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/suite/cases_of_suites.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

/// The place of an operator in a grid of sizes: kind, whether channels are last, kernel sizes, and strides.
using GridPlace = std::tuple<OperatorKind, bool, std::vector<std::int64_t>, std::vector<std::int64_t>>;

/// The sizes that the cases of a level have.
struct Grid {
  std::set<GridPlace> places;                   ///< operators with dilation 1
  std::set<std::vector<std::int64_t>> dilated;  ///< kernel, stride and dilation, of one-axis operators
  std::set<std::tuple<OperatorKind, bool, std::int64_t>> widths;
};

Grid GridOf(Level level) {
  Grid grid;
  for (const SuiteCase& suite_case : CasesOf("attributes", level)) {
    const Case& test_case = suite_case.test_case;
    const oracle::Geometry geometry = *oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry;
    std::vector<std::int64_t> kernels;
    std::vector<std::int64_t> strides;
    bool dilated = false;
    for (const oracle::Axis& axis : geometry.axes) {
      kernels.push_back(axis.kernel);
      strides.push_back(axis.stride);
      dilated = dilated || (axis.dilation != 1 && axis.kernel != 1);
    }
    const bool has_channels_last = geometry.layout == oracle::DataLayout::kNxc;
    if (geometry.axes.size() == 1) {
      grid.dilated.insert({kernels[0], strides[0], geometry.axes[0].dilation});
    }
    grid.widths.emplace(test_case.op.kind, has_channels_last, geometry.axes.back().output);
    if (!dilated) grid.places.emplace(test_case.op.kind, has_channels_last, std::move(kernels), std::move(strides));
  }
  return grid;
}

TEST(SuiteSizes, EveryKernelMeetsEveryStrideInEachOperatorAndLayout) {
  const Grid grid = GridOf(Level::kGate);
  for (const auto& [kind, has_channels_last] : kVariants) {
    for (std::int64_t kernel = 1; kernel <= 11; ++kernel) {
      for (std::int64_t stride = 1; stride <= 8; ++stride) {
        EXPECT_TRUE(grid.places.contains({kind, has_channels_last, {kernel}, {stride}})) << kernel << " " << stride;
        EXPECT_TRUE(grid.places.contains({kind, has_channels_last, {kernel, kernel}, {stride, stride}}))
            << kernel << " " << stride;
      }
    }
    std::set<std::vector<std::int64_t>> kernels;
    std::set<std::vector<std::int64_t>> strides;
    for (const auto& [other, other_last, own_kernels, own_strides] : grid.places) {
      if (other != kind || other_last != has_channels_last || own_kernels.size() != 2) continue;
      if (std::max(own_kernels[0], own_kernels[1]) > 11 || std::max(own_strides[0], own_strides[1]) > 8) continue;
      kernels.insert(own_kernels);
      strides.insert(own_strides);
    }
    EXPECT_EQ(kernels.size(), 11U * 11) << OperatorKindName(kind);
    EXPECT_EQ(strides.size(), 8U * 8) << OperatorKindName(kind);
  }
}

TEST(SuiteSizes, LevelFullHasEveryDilationAndEveryPairOfKernelsAndStrides) {
  const Grid grid = GridOf(Level::kFull);
  for (std::int64_t kernel = 1; kernel <= 11; ++kernel) {
    for (std::int64_t stride = 1; stride <= 8; ++stride) {
      for (std::int64_t dilation = 1; dilation <= 4; ++dilation) {
        EXPECT_TRUE(grid.dilated.contains({kernel, stride, dilation})) << kernel << " " << stride << " " << dilation;
      }
    }
  }
  std::set<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> pairs;
  for (const auto& [kind, has_channels_last, kernels, strides] : grid.places) {
    if (kernels.size() != 2 || std::max(kernels[0], kernels[1]) > 11 || std::max(strides[0], strides[1]) > 8) continue;
    pairs.emplace(kernels, strides);
  }
  EXPECT_EQ(pairs.size(), 11U * 11 * 8 * 8);
}

TEST(SuiteSizes, OutputsHaveEveryWidthAndThoseAroundBlocks) {
  const Grid gate = GridOf(Level::kGate);
  const Grid full = GridOf(Level::kFull);
  for (const auto& [kind, has_channels_last] : kVariants) {
    for (std::int64_t width = 1; width <= 130; ++width) {
      EXPECT_TRUE(gate.widths.contains({kind, has_channels_last, width})) << OperatorKindName(kind) << " " << width;
    }
    for (const std::int64_t power : {256, 512, 1024, 2048, 4096}) {
      for (const std::int64_t offset : {-1, 0, 1})
        EXPECT_TRUE(gate.widths.contains({kind, has_channels_last, power + offset}));
    }
    for (std::int64_t block = 136; block <= 4096; block += 8) {
      for (const std::int64_t offset : {-1, 0, 1})
        EXPECT_TRUE(full.widths.contains({kind, has_channels_last, block + offset})) << block;
    }
  }
}

TEST(SuiteSizes, CountsOfChannelsAndGroupsStandAroundBlocks) {
  std::map<OperatorKind, std::array<std::set<std::int64_t>, 3>> counts;  // inputs, outputs, groups
  for (const SuiteCase& suite_case : CasesOf("attributes", Level::kGate)) {
    const Case& test_case = suite_case.test_case;
    const oracle::Geometry geometry = *oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry;
    counts[test_case.op.kind][0].insert(geometry.in_channels);
    counts[test_case.op.kind][1].insert(geometry.out_channels);
    counts[test_case.op.kind][2].insert(geometry.groups);
  }
  ASSERT_EQ(counts.size(), 4U);
  for (const auto& [kind, found] : counts) {
    for (const std::int64_t block : {8, 16, 32, 64, 128, 256}) {
      for (const std::int64_t offset : {-1, 0, 1, 3}) {
        EXPECT_TRUE(found[0].contains(block + offset)) << OperatorKindName(kind) << " " << block + offset;
        EXPECT_TRUE(found[1].contains(block + offset)) << OperatorKindName(kind) << " " << block + offset;
        if (kind == OperatorKind::kConvolutionBackpropData) continue;
        EXPECT_TRUE(found[2].contains(block + offset)) << OperatorKindName(kind) << " " << block + offset;
      }
    }
  }
}

}  // namespace
}  // namespace conformance
