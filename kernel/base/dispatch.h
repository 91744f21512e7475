// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// HWY_DYNAMIC_DISPATCH for a target that the caller names. Highway's own override holds for the whole process. Here
// each plan has its own target, so that plans for different targets can be created at the same time.
#ifndef DECONV_KERNEL_BASE_DISPATCH_H_
#define DECONV_KERNEL_BASE_DISPATCH_H_

#include <cstddef>
#include <cstdint>

#include <hwy/targets.h>

namespace deconv {

// Leaves SVE out of a set of targets if its vectors have 128 bits and the set has NEON. NEON's vectors are as long, and
// its register tiles need fewer instructions. For the 24 products of a step of the largest tile, clang 19 makes 41
// instructions with 12 loads for SVE, and 38 with 8 loads for NEON ("phased"; 43 and 37 in "channels"). Only NEON_BF16
// uses the dot product of bf16. Longer vectors of SVE stay in the set.
constexpr int64_t PreferredTargets(int64_t supported) {
  const bool has_short_sve = (supported & HWY_SVE2_128) != 0 && (supported & HWY_ALL_NEON) != 0;
  return has_short_sve ? supported & ~int64_t{HWY_SVE2_128 | HWY_SVE2 | HWY_SVE} : supported;
}

// The compiled targets that this machine runs.
int64_t MachineTargets();

// The target of a plan whose caller names none: the best of the preferred targets.
int64_t BestTarget();

// Place of a target in Highway's tables. ChosenTarget::GetIndex() would not do: for a target that the calling file
// leaves out it returns the last place, that of the weakest code.
inline size_t DispatchIndex(int64_t target) {
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(
      static_cast<uint64_t>(HWY_CHOSEN_TARGET_SHIFT(target) | HWY_CHOSEN_TARGET_MASK_SCALAR));
}

// The first function of a table that is there. The table ends with one.
template <class Function>
Function FirstFilled(const Function* functions) {
  while (*functions == nullptr) ++functions;
  return *functions;
}

}  // namespace deconv

// A function that HWY_EXPORT exported, of that target. A file may leave out a target for which its code would be the
// same as for a weaker one: the next target of the table has it. Where one target is compiled there is no table to
// choose from.
#if HWY_IDE || (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define DECONV_DISPATCH(function, target) (static_cast<void>(target), HWY_STATIC_DISPATCH(function))
#else
#define DECONV_DISPATCH(function, target) \
  (*deconv::FirstFilled(HWY_DISPATCH_TABLE(function) + deconv::DispatchIndex(target)))
#endif

#endif  // DECONV_KERNEL_BASE_DISPATCH_H_
