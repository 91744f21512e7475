// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the combinations in the dense sweeps: cases that stand for many small operators around the kernels and strides
// of networks. The test reads the combinations from the operators, not from the sweeps' tables.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case/sweep_cases.h"
#include "conformance/suite/covering/common_geometries.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Geometry;
using oracle::OperatorKind;

constexpr double kMostProducts = 3072;  // the limit of the sweeps for one operator, in products

/// The factors of a dense sweep, as read from one operator.
struct Combination {
  Dims kernel, strides;
  std::int64_t batch, groups, in, out;
  bool channels_last;
  std::int64_t last_size;

  auto operator<=>(const Combination&) const = default;
  double Products() const {  // products along the last axis, with data of 1 along the others
    double products = static_cast<double>(batch * groups * in * out * last_size);
    for (const std::int64_t extent : kernel) products *= static_cast<double>(extent);
    return products;
  }
};

Combination CombinationOf(const Geometry& geometry) {
  Combination combination = {.kernel = {},
                             .strides = {},
                             .batch = geometry.batch,
                             .groups = geometry.groups,
                             .in = geometry.in_channels,
                             .out = geometry.out_channels,
                             .channels_last = geometry.layout == oracle::DataLayout::kNxc,
                             .last_size = geometry.axes.back().data};
  for (const oracle::Axis& axis : geometry.axes) {
    combination.kernel.push_back(axis.kernel);
    combination.strides.push_back(axis.stride);
  }
  return combination;
}

double ProductsOf(const Geometry& geometry) {
  double products = static_cast<double>(geometry.DataCount() * geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) products *= static_cast<double>(axis.kernel);
  return products;
}

/// How many operators have each value that is drawn at random.
struct Drawn {
  int operators = 0, dilated = 0, padded = 0, same = 0, with_shape = 0, full_mantissas = 0, special = 0;
};

/// The combinations of classes that the cases of one sweep have, and counts of these cases.
struct Seen {
  std::set<Combination> combinations;
  Drawn drawn;
};

Seen SeenIn(const Sweep& sweep) {
  const SweepCases cases(sweep);
  Seen seen;
  Case test_case;
  for (std::uint64_t number = cases.begin(); number < cases.end(); ++number) {
    cases.Get(number, test_case);
    const auto resolution = oracle::Resolve(test_case.op, sweep.dialect, oracle::StepTexts::kLeftOut);
    EXPECT_TRUE(resolution.ok() && resolution.open.empty()) << ToLine(test_case);
    if (!resolution.ok()) continue;
    EXPECT_LE(ProductsOf(*resolution.geometry), kMostProducts) << ToLine(test_case);
    EXPECT_TRUE(seen.combinations.insert(CombinationOf(*resolution.geometry)).second) << "twice: " << ToLine(test_case);
    ++seen.drawn.operators;
    const auto has = [](const std::optional<Dims>& list, std::int64_t above) {
      return list && std::ranges::any_of(*list, [above](std::int64_t value) { return value > above; });
    };
    seen.drawn.dilated += has(test_case.op.dilations, 1) ? 1 : 0;
    seen.drawn.padded += has(test_case.op.pads_begin, 0) ? 1 : 0;
    seen.drawn.same += test_case.op.auto_pad ? 1 : 0;
    seen.drawn.with_shape +=
        test_case.op.output_shape || test_case.op.output_shape_attribute || test_case.op.dst_shape ? 1 : 0;
    seen.drawn.full_mantissas += test_case.values == DataSet::kReals || test_case.values == DataSet::kWide ? 1 : 0;
    const bool plain = test_case.values == DataSet::kReals || test_case.values == DataSet::kWide ||
                       test_case.values == DataSet::kIntegers;
    seen.drawn.special += plain ? 0 : 1;
  }
  return seen;
}

/// The size of the full product: all combinations of the values that each factor has in `seen`, except those that are
/// too large. Kernel and strides count as one factor.
std::size_t SizeOfProduct(const std::set<Combination>& seen) {
  std::set<std::pair<Dims, Dims>> shapes;
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> channels;
  std::set<std::int64_t> batches, sizes;
  std::set<bool> layouts;
  for (const Combination& combination : seen) {
    shapes.emplace(combination.kernel, combination.strides);
    channels.emplace(combination.groups, combination.in, combination.out);
    batches.insert(combination.batch);
    sizes.insert(combination.last_size);
    layouts.insert(combination.channels_last);
  }
  std::size_t count = 0;
  for (const auto& [kernel, strides] : shapes) {
    for (const auto& [groups, in, out] : channels) {
      for (const std::int64_t batch : batches) {
        for (const std::int64_t size : sizes) {
          const Combination combination{kernel, strides, batch, groups, in, out, false, size};
          if (combination.Products() <= kMostProducts) count += layouts.size();
        }
      }
    }
  }
  return count;
}

// Each sweep has every combination of its factors that is small enough.
TEST(DenseSweeps, HasEveryCombinationThatIsSmallEnoughOnce) {
  std::size_t operators = 0;
  std::map<OperatorKind, std::set<oracle::ElementType>> types;
  for (const auto& [name, sweep] : DenseSweeps()) {
    const Seen seen = SeenIn(sweep);
    EXPECT_EQ(seen.combinations.size(), SizeOfProduct(seen.combinations)) << name;
    std::set<std::int64_t> sizes;
    for (const Combination& combination : seen.combinations) sizes.insert(combination.last_size);
    EXPECT_EQ(sizes, (std::set<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9})) << name;
    operators += seen.combinations.size();
    types[sweep.kind].insert(sweep.type);
  }
  EXPECT_EQ(operators, 228'201);  // README.md and CHANGELOG.md say this number
  EXPECT_EQ(types[OperatorKind::kConvolutionBackpropData].size(), 8);
  EXPECT_EQ(types[OperatorKind::kGroupConvolutionBackpropData].size(), 8);
  EXPECT_EQ(types[OperatorKind::kConvolutionBackwardData].size(), 3);
}

// The test adds up all sweeps of one kernel and stride. One sweep is too small: some have fewer than 70 operators.
TEST(DenseSweeps, EachKernelAndStrideMeetsPadsDilationsShapesAndValues) {
  std::map<std::string, Drawn> drawn;
  for (const auto& [name, sweep] : DenseSweeps()) {
    Drawn& all = drawn[name.substr(0, name.find('.'))];
    const Drawn& of_sweep = SeenIn(sweep).drawn;
    all.operators += of_sweep.operators;
    all.dilated += of_sweep.dilated;
    all.padded += of_sweep.padded;
    all.same += of_sweep.same;
    all.with_shape += of_sweep.with_shape;
    all.full_mantissas += of_sweep.full_mantissas;
    all.special += of_sweep.special;
  }
  for (const auto& [name, seen] : drawn) {
    const auto at_least = [&, &name = name, &seen = seen](int count, int percent, const char* what) {
      EXPECT_GE(100 * count, percent * seen.operators) << name << ": " << what;
    };
    at_least(seen.full_mantissas, 35, "full mantissas or all bits");
    at_least(seen.special, 10, "special values");
    at_least(seen.same, 10, "same_upper or same_lower");
    at_least(seen.with_shape, 15, "an output shape");
    if (name.find("-k1s1") != std::string::npos) continue;  // a kernel of 1 has no dilation and few pads
    at_least(seen.dilated, 15, "dilations");
    at_least(seen.padded, 15, "pads");
  }
}

}  // namespace
}  // namespace conformance
