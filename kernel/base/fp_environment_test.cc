// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests FloatEnvironment, the guard of the floating-point environment. While a guard lives, arithmetic rounds to
// nearest, keeps subnormals and traps nothing, whatever the caller has set. It then restores the caller's settings.
#include "kernel/base/fp_environment.h"

#include <limits>

#include "gtest/gtest.h"
#include "kernel/testing/caller_environment.h"

namespace deconv {
namespace {

// Each member depends on one part of the environment: rounding, flushing of subnormals, or traps. The operands are
// volatile, so that no compiler computes the results.
struct Results {
  Results() {
    volatile float one = 1, three = 3, tiny = std::numeric_limits<float>::min(),
                   most = std::numeric_limits<float>::max();
    volatile float zero = 0;
    third = one / three;
    minus_third = -one / three;
    subnormal = tiny / three;
    from_subnormal = std::numeric_limits<float>::denorm_min() * most;
    infinity = most * three;
    also_infinity = one / zero;
  }
  bool operator==(const Results&) const = default;

  float third, minus_third, subnormal, from_subnormal, infinity, also_infinity;
};

TEST(FloatEnvironment, GuardSetsTheDefaultAndRestoresTheCallersSettings) {
  const Results expected;
  for (const testing::CallerEnvironment& environment : testing::CallerEnvironments()) {
    bool is_default_inside = false;
    bool is_restored = false;
    {
      const testing::InEnvironment in_environment(environment);
      {
        const FloatEnvironment guard;
        is_default_inside = Results() == expected;
      }
      is_restored = in_environment.IsUnchanged();
    }
    EXPECT_TRUE(is_default_inside) << environment.name;
    EXPECT_TRUE(is_restored) << environment.name;
  }
}

TEST(FloatEnvironment, WithoutTheGuardResultsDiffer) {
  const Results expected;
  for (const testing::CallerEnvironment& environment : testing::CallerEnvironments()) {
    if (environment.traps_exceptions) continue;  // ends the program
    bool has_expected_results = true;
    {
      const testing::InEnvironment in_environment(environment);
      has_expected_results = Results() == expected;
    }
    EXPECT_FALSE(has_expected_results) << environment.name;
  }
}

TEST(FloatEnvironment, GuardsMayBeNested) {
  const Results expected;
  const testing::InEnvironment in_environment(
      {.name = "upwards", .rounding = FE_UPWARD, .flushes_subnormals = false, .traps_exceptions = false});
  {
    const FloatEnvironment outer;
    {
      const FloatEnvironment inner;
    }
    EXPECT_TRUE(Results() == expected);
  }
  EXPECT_TRUE(in_environment.IsUnchanged());
}

}  // namespace
}  // namespace deconv
