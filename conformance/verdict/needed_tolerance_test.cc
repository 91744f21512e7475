// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the needed tolerance: the tolerance that a test |y - s| <= atol + rtol * |s| would have needed to accept
// outputs. The distances of the outputs were computed by hand.

#include "conformance/verdict/needed_tolerance.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace conformance {
namespace {

using oracle::ElementType;

std::uint64_t F32(float value) { return std::bit_cast<std::uint32_t>(value); }

/// An exact sum that is an f32 number. `magnitude` is the sum of its products' magnitudes.
oracle::FloatSum SumOf(float value, double magnitude) {
  oracle::FloatSum sum;
  sum.taps = 2;
  sum.bits = F32(value);
  sum.sum = value;
  sum.magnitude = magnitude;
  return sum;
}

TEST(Ulps, CountTheNumbersBetween) {
  EXPECT_EQ(UlpsBetween(F32(1), F32(1), ElementType::kF32), 0);
  EXPECT_EQ(UlpsBetween(F32(1), F32(1 + 0x1p-23F), ElementType::kF32), 1);
  EXPECT_EQ(UlpsBetween(F32(1), F32(1 - 0x1p-24F), ElementType::kF32), 1);
  EXPECT_EQ(UlpsBetween(F32(1), F32(2), ElementType::kF32), 0x1p23);
  EXPECT_EQ(UlpsBetween(F32(0), F32(-0.0F), ElementType::kF32), 0);
  EXPECT_EQ(UlpsBetween(F32(0x1p-149F), F32(-0x1p-149F), ElementType::kF32), 2);
  EXPECT_EQ(UlpsBetween(0x3c00, 0x3c03, ElementType::kF16), 3);
}

TEST(Needed, HoldsTheLargestDistances) {
  NeededMeter meter(ElementType::kF32);
  meter.Observe(SumOf(8, 8), F32(8 + 3 * 0x1p-20F));  // 3 units of 2^-20
  NeededTolerance needed = meter.Finish();
  EXPECT_EQ(needed.ulps, 3);
  EXPECT_EQ(needed.rtol, 3 * 0x1p-23);
  EXPECT_EQ(needed.atol, 3 * 0x1p-20 / 8);
  EXPECT_EQ(needed.atol_beside, 0x1p-20 / 8);  // two units of 8 are 2 * 2^-20
  meter.Observe(SumOf(-128, 150), F32(-128));
  needed = meter.Finish();
  EXPECT_EQ(needed.ulps, 3);
  EXPECT_EQ(needed.atol, 3 * 0x1p-20 / 128);  // 128 is the largest output of the case
  EXPECT_EQ(needed.outputs, 2);
  EXPECT_EQ(needed.cancelling, 0);
}

TEST(Needed, DoesNotDependOnTheSizeOfTheData) {
  const auto atols_of = [](float scale) {
    NeededMeter meter(ElementType::kF32);
    meter.Observe(SumOf(1 * scale, 1000 * scale), F32(1.25F * scale));
    meter.Observe(SumOf(-4 * scale, 4 * scale), F32(-4 * scale));
    const NeededTolerance needed = meter.Finish();
    return std::pair(needed.atol, needed.atol_beside);
  };
  EXPECT_EQ(atols_of(1).first, 0.0625);
  EXPECT_EQ(atols_of(1), atols_of(0x1p100F));
  EXPECT_EQ(atols_of(1), atols_of(0x1p-100F));
}

TEST(Needed, OfOutputsThatCancelIsAbsolute) {
  NeededMeter meter(ElementType::kF32);
  meter.Observe(SumOf(1, 1000), F32(1.25F));  // the error is a quarter of s, but only a 4000th of the products
  EXPECT_EQ(meter.Finish().rtol, 0);
  EXPECT_EQ(meter.Finish().ulps, 0);
  EXPECT_EQ(meter.Finish().atol, 0.25);
  EXPECT_EQ(meter.Finish().atol_beside, 0.25 - 0x1p-22);
  EXPECT_EQ(meter.Finish().cancelling, 1);
  // A sum of exactly half the magnitude does not cancel.
  meter.Observe(SumOf(1, 2), F32(1 + 0x1p-23F));
  EXPECT_EQ(meter.Finish().ulps, 1);
  EXPECT_EQ(meter.Finish().cancelling, 1);
  // Below the normal range no rtol fits.
  meter.Observe(SumOf(0x1p-130F, 0x1p-130), F32(0));
  EXPECT_EQ(meter.Finish().ulps, 1);
  EXPECT_EQ(meter.Finish().cancelling, 2);
  // Products that are all 0 cancel nothing.
  meter.Observe(SumOf(0, 0), F32(0));
  EXPECT_EQ(meter.Finish().cancelling, 2);
  EXPECT_EQ(meter.Finish().outputs, 4);
}

TEST(Needed, OfACaseWhoseOutputsAreAllZeroHasNoScale) {
  NeededMeter meter(ElementType::kF32);
  meter.Observe(SumOf(0, 2), F32(0));
  EXPECT_EQ(meter.Finish().atol, 0);
  meter.Observe(SumOf(0, 2), F32(0x1p-24F));
  EXPECT_EQ(meter.Finish().atol, std::numeric_limits<double>::infinity());
}

TEST(Needed, LeavesOutWhatIsNotFinite) {
  NeededMeter meter(ElementType::kF32);
  meter.Observe(SumOf(1, 1), F32(std::numeric_limits<float>::infinity()));
  meter.Observe(SumOf(1, 1), F32(std::nanf("")));
  oracle::FloatSum special = SumOf(1, 1);
  special.special = oracle::Special::kNan;
  meter.Observe(special, F32(1));
  EXPECT_EQ(meter.Finish().outputs, 0);
  EXPECT_EQ(meter.Finish().atol, 0);
}

TEST(Needed, OfSeveralCasesIsTheLargest) {
  NeededTolerance all{.type = ElementType::kF32, .rtol = 1, .atol = 2, .atol_beside = 5, .ulps = 4, .outputs = 6};
  all.Include(
      {.type = ElementType::kF32, .rtol = 0.5, .atol = 3, .atol_beside = 1, .ulps = 8, .outputs = 1, .cancelling = 1});
  EXPECT_EQ(all.rtol, 1);
  EXPECT_EQ(all.atol, 3);
  EXPECT_EQ(all.atol_beside, 5);
  EXPECT_EQ(all.ulps, 8);
  EXPECT_EQ(all.outputs, 7);
  EXPECT_EQ(all.cancelling, 1);
}

}  // namespace
}  // namespace conformance
