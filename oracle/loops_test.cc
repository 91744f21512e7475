// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the two loops that compute the reference outputs, gather and scatter, over random geometries, types, layouts
// and ranges of outputs. Compares gather in f32 with the definition, clause V1 of clauses.md: data element i and tap k
// belong to output o if stride * i + dilation * k = o + pads_begin. A tap is a filter element. For every output o, the
// test tries every pair of i and k.

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/evaluate.h"
#include "oracle/exact_sum.h"
#include "oracle/operands.h"
#include "oracle/testing/any_number.h"

namespace oracle {
namespace {

/// A random resolved operator. Sizes may be 0, and pads_begin may be negative.
Geometry AnyGeometry() {
  Geometry geometry;
  geometry.type = *rc::gen::elementOf(kNumericTypes);
  geometry.layout = *rc::gen::element(DataLayout::kNcx, DataLayout::kNxc);
  geometry.filter_layout = *rc::gen::element(FilterLayout::kIox, FilterLayout::kGiox, FilterLayout::kXoi);
  // Few large axes or many small ones, so that an operator has few products. The pairs are weights and numbers of axes.
  const int axis_count = *rc::gen::weightedElement<int>({{4, 1}, {4, 2}, {3, 3}, {1, 4}, {1, 5}, {1, 8}});
  const int largest = axis_count <= 2 ? 7 : axis_count == 3 ? 4 : 2;
  geometry.batch = AnyIn(0, axis_count <= 2 ? 4 : 3);
  geometry.groups = AnyIn(1, 4);
  geometry.in_channels = AnyIn(0, axis_count <= 3 ? 4 : 3);
  geometry.out_channels = AnyIn(0, axis_count <= 3 ? 4 : 3);
  for (int j = 0; j < axis_count; ++j) {
    geometry.axes.push_back({.data = AnyIn(0, largest + 1),
                             .kernel = AnyIn(1, std::min(largest, 4) + 1),
                             .stride = AnyIn(1, 4),
                             .dilation = AnyIn(1, 4),
                             .pads_begin = AnyIn(-2, 3),
                             .pads_end = 0,
                             .output = AnyIn(1, largest + 2)});
  }
  return geometry;
}

/// Which random numbers the operands get.
enum class NumberKind {
  kSmall,    ///< small integers; quarters of them in the floating types
  kAnyBits,  ///< any bits: any magnitude, NaN and infinities among them
  kFinite,   ///< any bits with the highest exponent bit cleared: magnitudes below 2, subnormal numbers among them
};

/// `count` random elements of `type`.
std::vector<std::byte> AnyElements(ElementType type, std::int64_t count, std::mt19937_64& random,
                                   NumberKind number_kind) {
  const std::size_t bytes = ElementBytes(type);
  std::vector<std::byte> elements(static_cast<std::size_t>(count) * bytes);
  for (std::size_t e = 0; e < elements.size(); e += bytes) {
    std::uint64_t bits = random();
    if (number_kind == NumberKind::kSmall && IsFloat(type)) {
      const std::uint64_t magnitude = bits % 16;
      bits = RoundToBits((bits & 16) != 0, magnitude, -2, type, Rounding::kNearest);
    } else if (number_kind == NumberKind::kSmall) {
      bits %= 16;
    } else if (number_kind == NumberKind::kFinite) {
      bits &= ~(std::uint64_t{1} << (8 * bytes - 2));
    }
    for (std::size_t i = 0; i < bytes; ++i) elements[e + i] = static_cast<std::byte>(bits >> (8 * i));
  }
  return elements;
}

/// Index of an element from its coordinates `at`; the last dimension varies fastest.
std::int64_t Index(const Dims& dims, const Dims& at) {
  std::int64_t index = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) index = index * dims[i] + at[i];
  return index;
}

/// The three lists one after the other.
Dims Join(const Dims& head, const Dims& middle, const Dims& tail) {
  Dims all = head;
  all.insert(all.end(), middle.begin(), middle.end());
  all.insert(all.end(), tail.begin(), tail.end());
  return all;
}

/// Calls `visit` with all coordinates below `sizes`, from (0, ..., 0) on.
template <class Visit>
void ForEachCoordinates(const Dims& sizes, const Visit& visit) {
  if (std::count(sizes.begin(), sizes.end(), 0) != 0) return;
  Dims at(sizes.size(), 0);
  for (;;) {
    visit(at);
    std::size_t i = sizes.size();
    while (i > 0 && ++at[i - 1] == sizes[i - 1]) at[--i] = 0;
    if (i == 0) return;
  }
}

/// Index of an element of data or output: of batch entry `sample` and `channel`, at the spatial coordinates `at`.
/// `sizes` are the spatial dimensions.
std::int64_t DataIndex(const Geometry& geometry, DataLayout layout, std::int64_t sample, std::int64_t channel,
                       std::int64_t channels, const Dims& sizes, const Dims& at) {
  return layout == DataLayout::kNcx
             ? Index(Join({geometry.batch, channels}, sizes, {}), Join({sample, channel}, at, {}))
             : Index(Join({geometry.batch}, sizes, {channels}), Join({sample}, at, {channel}));
}

/// Index of the filter element for input channel `in` and output channel `out` of `group`, at the coordinates `at`.
std::int64_t FilterIndex(const Geometry& geometry, std::int64_t group, std::int64_t in, std::int64_t out,
                         const Dims& sizes, const Dims& at) {
  const std::int64_t in_channels = geometry.groups * geometry.in_channels;
  const std::int64_t channel = group * geometry.in_channels + in;
  switch (geometry.filter_layout) {
    case FilterLayout::kIox:
      return Index(Join({in_channels, geometry.out_channels}, sizes, {}), Join({channel, out}, at, {}));
    case FilterLayout::kGiox:
      return Index(Join({geometry.groups, geometry.in_channels, geometry.out_channels}, sizes, {}),
                   Join({group, in, out}, at, {}));
    default:
      return Index(Join({}, sizes, {geometry.out_channels, in_channels}), Join({}, at, {out, channel}));
  }
}

/// Whether the product of a data element and a tap is added to an output (clause V1, on every axis).
bool ProductBelongs(const Geometry& geometry, const Dims& output_at, const Dims& data_at, const Dims& tap_at) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const Axis& axis = geometry.axes[j];
    if (output_at[j] != axis.stride * data_at[j] + axis.dilation * tap_at[j] - axis.pads_begin) return false;
  }
  return true;
}

/// The products of each output as pairs of indices (data, filter), found by trying all pairs with ProductBelongs().
std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> LiteralProducts(const Geometry& geometry) {
  Dims data;
  Dims kernel;
  Dims output;
  for (const Axis& axis : geometry.axes) {
    data.push_back(axis.data);
    kernel.push_back(axis.kernel);
    output.push_back(axis.output);
  }
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> products(
      static_cast<std::size_t>(geometry.OutputCount()));
  // `at` holds sample, group, and the input and output channel within the group.
  ForEachCoordinates(
      {geometry.batch, geometry.groups, geometry.in_channels, geometry.out_channels}, [&](const Dims& at) {
        const std::int64_t in = at[1] * geometry.in_channels + at[2];
        const std::int64_t out = at[1] * geometry.out_channels + at[3];
        ForEachCoordinates(output, [&](const Dims& output_at) {
          auto& of_output = products[static_cast<std::size_t>(DataIndex(
              geometry, geometry.layout, at[0], out, geometry.groups * geometry.out_channels, output, output_at))];
          ForEachCoordinates(data, [&](const Dims& data_at) {
            ForEachCoordinates(kernel, [&](const Dims& tap_at) {
              if (!ProductBelongs(geometry, output_at, data_at, tap_at)) return;
              of_output.emplace_back(DataIndex(geometry, geometry.layout, at[0], in,
                                               geometry.groups * geometry.in_channels, data, data_at),
                                     FilterIndex(geometry, at[1], at[2], at[3], kernel, tap_at));
            });
          });
        });
      });
  return products;
}

/// Compares both loops on all outputs, and then on a random range of them.
template <class Sum>
void CompareLoops(const Operands& operands) {
  const std::int64_t count = operands.geometry().OutputCount();
  std::vector<Sum> gathered(static_cast<std::size_t>(count));
  std::vector<Sum> scattered(static_cast<std::size_t>(count));
  Gather(operands, {.begin = 0, .count = count}, gathered);
  Scatter(operands, {.begin = 0, .count = count}, scattered);
  RC_ASSERT(gathered == scattered);
  if (count == 0) return;
  const std::int64_t begin = AnyIn(0, static_cast<int>(count));
  const std::int64_t length = AnyIn(0, static_cast<int>(count - begin) + 1);
  const std::vector<Sum> expected(gathered.begin() + begin, gathered.begin() + begin + length);
  std::vector<Sum> part(expected.size());
  Gather(operands, {.begin = begin, .count = length}, part);
  RC_ASSERT(part == expected);
  std::fill(part.begin(), part.end(), Sum{.taps = -1});
  Scatter(operands, {.begin = begin, .count = length}, part);
  RC_ASSERT(part == expected);
}

/// What the random operators covered. A form is the class of sum that operands.cc chose for an operator.
struct SeenCases {
  std::map<SumForm, int> forms;  ///< the number of operators of each form
  std::set<ElementType> types;
  int subnormal_windows = 0;  ///< the number of operators with SumForm::kWindow and subnormal data
};

/// Compares both loops on one random operator.
void CheckLoops(NumberKind number_kind, SeenCases& seen) {
  const Geometry geometry = AnyGeometry();
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const Operands operands(geometry, AnyElements(geometry.type, geometry.DataCount(), random, number_kind),
                          AnyElements(geometry.type, geometry.FilterCount(), random, number_kind));
  const Operands::Decoded& decoded = operands.decoded();
  ++seen.forms[decoded.form];
  seen.types.insert(geometry.type);
  if (decoded.form == SumForm::kWindow && !decoded.data.subnormals.empty()) ++seen.subnormal_windows;
  if (IsFloat(geometry.type)) {
    CompareLoops<FloatSum>(operands);
  } else {
    CompareLoops<IntegerSum>(operands);
  }
}

// RapidCheck calls the property many times, and each call draws 20 operators. All forms and types must occur.
TEST(Loops, Agree) {
  SeenCases seen;
  for (const NumberKind number_kind : {NumberKind::kSmall, NumberKind::kAnyBits, NumberKind::kFinite}) {
    EXPECT_TRUE(rc::check("gather and scatter", [&] {
      for (int n = 0; n < 20; ++n) CheckLoops(number_kind, seen);
    }));
  }
  for (const SumForm form :
       {SumForm::kWindow, SumForm::kNarrowWindow, SumForm::kExact, SumForm::kNarrowInteger, SumForm::kWideInteger}) {
    EXPECT_GT(seen.forms[form], 0) << static_cast<int>(form);
  }
  EXPECT_GT(seen.subnormal_windows, 0);
  EXPECT_EQ(seen.types.size(), kNumericTypes.size());
}

/// Compares gather in f32 with the sums of LiteralProducts(). An operator has up to three axes, because
/// LiteralProducts() tries all pairs.
void CheckGatherAgainstFormula() {
  Geometry geometry = AnyGeometry();
  geometry.axes.resize(std::min<std::size_t>(geometry.axes.size(), 3));
  geometry.type = ElementType::kF32;
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const auto data = AnyElements(geometry.type, geometry.DataCount(), random, NumberKind::kSmall);
  const auto filter = AnyElements(geometry.type, geometry.FilterCount(), random, NumberKind::kSmall);
  const Operands operands(geometry, data, filter);
  std::vector<FloatSum> sums(static_cast<std::size_t>(geometry.OutputCount()));
  Gather(operands, {.begin = 0, .count = geometry.OutputCount()}, sums);
  const auto products = LiteralProducts(geometry);
  for (std::size_t n = 0; n < sums.size(); ++n) {
    FloatTerms terms;
    for (const auto& [data_at, filter_at] : products[n]) {
      terms.Add(DecodeFloat(LoadBits(&data[static_cast<std::size_t>(data_at) * 4], 4), geometry.type),
                DecodeFloat(LoadBits(&filter[static_cast<std::size_t>(filter_at) * 4], 4), geometry.type));
    }
    FloatSum expected;
    terms.FinishSum(geometry.type, expected);
    RC_ASSERT(sums[n] == expected);
  }
}

TEST(Loops, GatherFollowsTheFormula) {
  EXPECT_TRUE(rc::check("taps and sums of the definition", [] {
    for (int n = 0; n < 10; ++n) CheckGatherAgainstFormula();
  }));
}

/// The next test changes this geometry in one way at a time. Each change must change the sums.
Geometry UnchangedGeometry() {
  Geometry geometry;
  geometry.groups = 2;
  geometry.batch = 2;
  geometry.in_channels = 2;
  geometry.out_channels = 2;
  geometry.axes = {{.data = 4, .kernel = 3, .stride = 2, .dilation = 1, .pads_begin = 1, .pads_end = 0, .output = 7},
                   {.data = 4, .kernel = 3, .stride = 1, .dilation = 2, .pads_begin = 0, .pads_end = 0, .output = 7}};
  return geometry;
}

/// The sums by scatter. Each call draws the same numbers.
std::vector<FloatSum> ScatterOf(const Geometry& geometry) {
  std::mt19937_64 random(1);
  const Operands operands(geometry, AnyElements(geometry.type, geometry.DataCount(), random, NumberKind::kSmall),
                          AnyElements(geometry.type, geometry.FilterCount(), random, NumberKind::kSmall));
  std::vector<FloatSum> sums(static_cast<std::size_t>(geometry.OutputCount()));
  Scatter(operands, {.begin = 0, .count = geometry.OutputCount()}, sums);
  return sums;
}

TEST(Loops, ComparisonSeesEachChange) {
  const std::vector<FloatSum> right = ScatterOf(UnchangedGeometry());
  EXPECT_TRUE(right == ScatterOf(UnchangedGeometry()));
  std::vector<Geometry> wrong(6, UnchangedGeometry());
  std::swap(wrong[0].axes[0].stride, wrong[0].axes[1].stride);
  std::swap(wrong[1].axes[0].dilation, wrong[1].axes[1].dilation);
  wrong[2].axes[0].pads_begin = 2;
  wrong[3].layout = DataLayout::kNxc;
  wrong[4].filter_layout = FilterLayout::kXoi;
  std::swap(wrong[5].axes[0].pads_begin, wrong[5].axes[1].pads_begin);
  for (const Geometry& geometry : wrong) EXPECT_FALSE(right == ScatterOf(geometry));
}

// Gather computes a row in stretches of at most 4096 outputs, and scatter in parts of 4096. A row of 10001 takes three.
TEST(Loops, AgreeOnRowsOfSeveralStretches) {
  Geometry geometry;
  geometry.batch = 1;
  geometry.in_channels = 1;
  geometry.out_channels = 1;
  geometry.axes = {
      {.data = 2, .kernel = 2, .stride = 3, .dilation = 1, .pads_begin = 0, .pads_end = 0, .output = 2},
      {.data = 5000, .kernel = 3, .stride = 2, .dilation = 1, .pads_begin = 1, .pads_end = 0, .output = 10001}};
  std::mt19937_64 random(1);
  const Operands operands(geometry, AnyElements(geometry.type, geometry.DataCount(), random, NumberKind::kSmall),
                          AnyElements(geometry.type, geometry.FilterCount(), random, NumberKind::kSmall));
  std::vector<FloatSum> gathered(20002);
  std::vector<FloatSum> scattered(20002);
  Gather(operands, {.begin = 0, .count = 20002}, gathered);
  Scatter(operands, {.begin = 0, .count = 20002}, scattered);
  EXPECT_TRUE(gathered == scattered);
}

}  // namespace
}  // namespace oracle
