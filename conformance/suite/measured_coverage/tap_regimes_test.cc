// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the tap regimes, which are classes of outputs by how many taps (filter elements) meet data, with values counted
// by hand.

#include "conformance/suite/measured_coverage/tap_regimes.h"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace conformance {
namespace {

using Classes = std::set<std::pair<PhaseClass, TapRegime>>;

Classes ClassesOf(const oracle::Axis& axis) {
  oracle::Geometry geometry;
  geometry.axes = {axis};
  TapRegimes regimes;
  regimes.Add(geometry);
  Classes classes;
  for (std::size_t p = 0; p < kPhaseClassNames.size(); ++p) {
    for (std::size_t r = 0; r < kTapRegimeNames.size(); ++r) {
      const auto phase = static_cast<PhaseClass>(p);
      const auto regime = static_cast<TapRegime>(r);
      if (regimes.count(phase, regime) != 0) classes.emplace(phase, regime);
    }
  }
  return classes;
}

using enum PhaseClass;
using enum TapRegime;

TEST(TapRegimes, AKernelOfThreeAtStrideOne) {
  // Taps that meet data, by output: 1 2 3 2 1.
  EXPECT_EQ(ClassesOf({.data = 3, .kernel = 3, .output = 5}),
            (Classes{{kOnly, kBorderOne}, {kOnly, kBorderSeveral}, {kOnly, kInteriorSeveral}}));
}

TEST(TapRegimes, AKernelOfThreeAtStrideTwo) {
  // Phase 0 has taps 0 and 2: 1 2 2 1; phase 1 has tap 1 alone.
  EXPECT_EQ(ClassesOf({.data = 3, .kernel = 3, .stride = 2, .output = 7}),
            (Classes{{kFirst, kBorderOne}, {kFirst, kInteriorSeveral}, {kLast, kInteriorOne}}));
}

TEST(TapRegimes, AKernelSmallerThanItsStrideLeavesGaps) {
  EXPECT_EQ(ClassesOf({.data = 2, .kernel = 2, .stride = 3, .output = 5}),
            (Classes{{kFirst, kInteriorOne}, {kMiddle, kInteriorOne}, {kLast, kGap}}));
}

TEST(TapRegimes, ANegativePadShiftsTheDataAway) {
  EXPECT_EQ(ClassesOf({.data = 2, .kernel = 1, .stride = 2, .pads_begin = -3, .output = 7}),
            (Classes{{kFirst, kOutside}, {kFirst, kInteriorOne}, {kLast, kGap}}));
}

TEST(TapRegimes, WithoutDataNothingReaches) {
  EXPECT_EQ(ClassesOf({.data = 0, .kernel = 2, .output = 2}), (Classes{{kOnly, kOutside}}));
}

TEST(TapRegimes, TwoClassesCannotBe) {
  // 4 phases times 6 regimes, without gaps in phase 0 and with stride 1.
  EXPECT_EQ(TapRegimes().existing(), 22U);
  EXPECT_EQ(TapRegimes().met(), 0U);
}

TEST(TapRegimes, AnAxisTooLongToWalkIsCounted) {
  oracle::Geometry geometry;
  geometry.axes = {{.data = 1, .kernel = 1, .output = std::int64_t{1} << 40}};
  TapRegimes regimes;
  regimes.Add(geometry);
  EXPECT_EQ(regimes.skipped(), 1U);
  EXPECT_EQ(regimes.met(), 0U);
}

// Found by the fuzzer: the phase of an output overflowed.
TEST(TapRegimes, FarAxesAreSkipped) {
  oracle::Geometry geometry;
  geometry.axes = {
      {.data = 1, .kernel = 1, .stride = INT64_MAX, .dilation = 1, .pads_begin = 0, .pads_end = 0, .output = 2},
      {.data = 1, .kernel = 2, .stride = 1, .dilation = INT64_MAX / 2, .pads_begin = 0, .pads_end = 0, .output = 1}};
  TapRegimes regimes;
  regimes.Add(geometry);
  EXPECT_EQ(regimes.skipped(), 2u);
  EXPECT_EQ(regimes.met(), 0u);
}

}  // namespace
}  // namespace conformance
