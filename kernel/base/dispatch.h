// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the code of a target that the caller names. A target is an instruction set, such as AVX2; code with vectors is
// compiled for each target. Highway's HWY_DYNAMIC_DISPATCH has one override for the whole process. Here each plan has
// its own target, so threads can create plans for different targets at the same time.
#ifndef DECONV_KERNEL_BASE_DISPATCH_H_
#define DECONV_KERNEL_BASE_DISPATCH_H_

#include <cstddef>
#include <cstdint>

#include <hwy/targets.h>

namespace deconv {

// Leaves SVE out of a set of targets if its vectors have 128 bits and the set has NEON. Vectors of NEON have the same
// length, and their register tiles need fewer instructions. The inner loop of the largest register tile of the
// algorithm "phased" does 24 products of vectors per step. clang 19 compiles a step to 41 instructions (12 loads) for
// SVE, and to 38 (8 loads) for NEON. For "channels" it makes 43 and 37. Besides, of these targets only NEON_BF16 has
// code with the dot product of bf16. SVE with longer vectors stays in the set.
constexpr int64_t PreferredTargets(int64_t supported) {
  const bool has_short_sve = (supported & HWY_SVE2_128) != 0 && (supported & HWY_ALL_NEON) != 0;
  return has_short_sve ? supported & ~int64_t{HWY_SVE2_128 | HWY_SVE2 | HWY_SVE} : supported;
}

// Returns the compiled targets that this machine runs, as a mask of Highway's bits (HWY_AVX2 and others).
int64_t MachineTargets();

// Returns the target of a plan whose caller names no target: the bit of the best preferred target of this machine.
int64_t BestTarget();

// Returns the index of a target in Highway's tables. ChosenTarget::GetIndex() is not used: for a target that the
// calling file leaves out, it returns the last index, that of the slowest code.
inline size_t DispatchIndex(int64_t target) {
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(
      static_cast<uint64_t>(HWY_CHOSEN_TARGET_SHIFT(target) | HWY_CHOSEN_TARGET_MASK_SCALAR));
}

// Returns the first function of a table that is not null. The last entry of a table never is null.
template <class Function>
Function FirstFilled(const Function* functions) {
  while (*functions == nullptr) ++functions;
  return *functions;
}

}  // namespace deconv

// The function of a target, by the name that HWY_EXPORT exported. A file may leave out a target whose code would be
// equal to that of an older one. Then the next target of the table that has code is used. If only one target is
// compiled, there is no table.
#if HWY_IDE || (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define DECONV_DISPATCH(function, target) (static_cast<void>(target), HWY_STATIC_DISPATCH(function))
#else
#define DECONV_DISPATCH(function, target) \
  (*deconv::FirstFilled(HWY_DISPATCH_TABLE(function) + deconv::DispatchIndex(target)))
#endif

#endif  // DECONV_KERNEL_BASE_DISPATCH_H_
