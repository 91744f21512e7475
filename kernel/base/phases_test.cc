// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table of phases against the definition. A phase is the set of outputs with the same remainder modulo the
// stride. It must have exactly the taps whose products are added to its outputs, and each tap must read the right data.
// Also tests FloatSumsAreExact, which depends on the number of products of an output.
#include "kernel/base/phases.h"

#include <map>
#include <set>

#include "gtest/gtest.h"
#include "kernel/base/checked.h"
#include "rapidcheck/gtest.h"

namespace deconv {
namespace {

using Taps = std::map<int64_t, int64_t>;  // tap -> shift, the distance from a cell to the data that it reads

// Returns the taps of phase t as MakePhases computed them.
Taps FromTable(const AxisPhases& table, int64_t t) {
  Taps taps;
  const Phase& phase = table.phases[static_cast<size_t>(t)];
  for (int64_t j = 0; j < phase.taps; ++j) {
    taps[phase.first_tap + j * phase.tap_step] = phase.first_shift + j * phase.shift_step;
  }
  return taps;
}

// Finds the taps k of phase t from the formula stride * i + dilation * k - pads_begin = cell * stride + t, with the
// data element i = cell - shift.
Taps FromDefinition(const Axis& axis, int64_t t) {
  Taps taps;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    const int64_t distance = axis.dilation * k - axis.pads_begin - t;
    if (FloorMod(distance, axis.stride) == 0) taps[k] = FloorDiv(distance, axis.stride);
  }
  return taps;
}

RC_GTEST_PROP(Phases, TableEqualsDefinition, ()) {
  Axis axis;
  axis.kernel = *rc::gen::inRange<int64_t>(1, 20);
  axis.stride = *rc::gen::inRange<int64_t>(1, 13);
  axis.dilation = *rc::gen::inRange<int64_t>(1, 13);
  axis.pads_begin = *rc::gen::inRange<int64_t>(-40, 40);
  axis.output = *rc::gen::inRange<int64_t>(1, 60);
  AxisPhases table;
  RC_ASSERT(MakePhases(axis, table));
  RC_ASSERT(table.cells == (axis.output + axis.stride - 1) / axis.stride);
  std::set<int64_t> shifts;
  int64_t before = 0;
  for (int64_t t = 0; t < static_cast<int64_t>(table.phases.size()); ++t) {
    RC_ASSERT(FromTable(table, t) == FromDefinition(axis, t));
    RC_ASSERT(table.phases[static_cast<size_t>(t)].taps_before == before);
    before += table.phases[static_cast<size_t>(t)].taps;
    for (const auto& [tap, shift] : FromTable(table, t)) shifts.insert(shift);
  }
  if (!shifts.empty()) {
    RC_ASSERT(table.least_shift == *shifts.begin());
    RC_ASSERT(table.greatest_shift == *shifts.rbegin());
  }
}

TEST(Phases, StrideWithoutCommonDivisorLeavesNoPhaseEmpty) {
  const Axis axis = {.data = 5, .kernel = 3, .stride = 2, .dilation = 3, .output = 15};
  AxisPhases table;
  ASSERT_TRUE(MakePhases(axis, table));
  EXPECT_EQ(FromTable(table, 0), (Taps{{0, 0}, {2, 3}}));
  EXPECT_EQ(FromTable(table, 1), (Taps{{1, 1}}));
}

TEST(Phases, CommonDivisorLeavesPhasesEmpty) {
  const Axis axis = {.data = 5, .kernel = 3, .stride = 4, .dilation = 2, .output = 21};
  AxisPhases table;
  ASSERT_TRUE(MakePhases(axis, table));
  EXPECT_TRUE(FromTable(table, 1).empty());
  EXPECT_TRUE(FromTable(table, 3).empty());
  EXPECT_EQ(FromTable(table, 2), (Taps{{1, 0}}));
}

Geometry GeometryOf(deconv_type type, int64_t in_channels) {
  Geometry geometry;
  geometry.type = type;
  geometry.in_channels = in_channels;
  geometry.axis_count = 2;
  geometry.axes[0] = {.kernel = 5, .stride = 2};                 // phases of 3 and 2 taps
  geometry.axes[1] = {.kernel = 4, .stride = 2, .dilation = 2};  // one phase of 4 taps
  return geometry;
}

TEST(FloatSumsAreExact, CountsTheProductsOfAnOutput) {
  for (const deconv_type type : {DECONV_I8, DECONV_U8}) {
    EXPECT_TRUE(FloatSumsAreExact(GeometryOf(type, 85))) << "1020 products";
    EXPECT_FALSE(FloatSumsAreExact(GeometryOf(type, 86))) << "1032 products";
  }
  EXPECT_TRUE(FloatSumsAreExact(GeometryOf(DECONV_BF16, 86)));
  EXPECT_FALSE(FloatSumsAreExact(GeometryOf(DECONV_I16, 1)));
  EXPECT_FALSE(FloatSumsAreExact(GeometryOf(DECONV_F64, 1)));
}

TEST(Phases, RefusesWhatNoTableShouldHold) {
  AxisPhases table;
  // A stride above 2^40, more than 4096 taps, and 1000 phases of which at most 512 are allowed. The last operator has a
  // stride of 1000, but only three outputs, so it has three phases.
  EXPECT_FALSE(MakePhases({.data = 2, .kernel = 2, .stride = int64_t{1} << 41, .output = 3}, table));
  EXPECT_FALSE(MakePhases({.data = 2, .kernel = 5000, .output = 5001}, table));
  EXPECT_FALSE(MakePhases({.data = 2000, .kernel = 1, .stride = 1000, .output = 1999001}, table));
  EXPECT_TRUE(MakePhases({.data = 2, .kernel = 1, .stride = 1000, .output = 3}, table));
}

}  // namespace
}  // namespace deconv
