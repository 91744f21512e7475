// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which code runs for a target (instruction set) that a source file leaves out. This file is compiled without the
// target AVX3_ZEN4, as most files of the kernel are. Only code of targets that this machine has is called.
#include "kernel/base/dispatch.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/base/dispatch_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv::HWY_NAMESPACE {

int64_t CompiledFor() { return HWY_TARGET; }

}  // namespace deconv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

namespace deconv {

HWY_EXPORT(CompiledFor);

namespace {

using Function = int64_t (*)();

// Returns the function that DECONV_DISPATCH chooses for a target.
Function Chosen(int64_t target) { return &DECONV_DISPATCH(CompiledFor, target); }

#if HWY_ARCH_X86 && (HWY_TARGETS & (HWY_AVX3 | HWY_AVX2 | HWY_SSE2)) == (HWY_AVX3 | HWY_AVX2 | HWY_SSE2)
TEST(Dispatch, ATargetThatAFileLacksTakesTheNextWeakerOne) {
  ASSERT_EQ(HWY_TARGETS & HWY_AVX3_ZEN4, 0);
  EXPECT_EQ(Chosen(HWY_AVX3_ZEN4), &N_AVX3::CompiledFor);
  EXPECT_EQ(Chosen(HWY_AVX3_SPR), &N_AVX3::CompiledFor);
  EXPECT_EQ(Chosen(HWY_AVX3), &N_AVX3::CompiledFor);
  EXPECT_EQ(Chosen(HWY_AVX2), &N_AVX2::CompiledFor);
  EXPECT_EQ(Chosen(HWY_SSE4), &N_SSE2::CompiledFor);
  EXPECT_EQ(Chosen(HWY_SSE2), &N_SSE2::CompiledFor);
}
#endif

// In both tests below, `rest & -rest` is the lowest bit of `rest`, and `rest &= rest - 1` clears this bit.
TEST(Dispatch, ATargetThatAFileHasTakesItsOwnCode) {
  for (int64_t rest = MachineTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    EXPECT_EQ(Chosen(target)(), target) << hwy::TargetName(target);
  }
}

// Highway gives weaker targets higher bits. So the code that runs is that of the target itself or of a weaker one.
TEST(Dispatch, EachTargetOfTheMachineHasCode) {
  for (int64_t rest = MachineTargets(); rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    EXPECT_GE(Chosen(target)(), target) << hwy::TargetName(target);
  }
}

}  // namespace
}  // namespace deconv
#endif  // HWY_ONCE
