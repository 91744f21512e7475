// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets the floating-point environment in which the kernel computes. A caller's thread may round in another direction,
// flush subnormal numbers to zero, or trap exceptions. These settings would change outputs, or end the program at an
// overflow that f32 allows.
#ifndef DECONV_KERNEL_BASE_FP_ENVIRONMENT_H_
#define DECONV_KERNEL_BASE_FP_ENVIRONMENT_H_

// 1 on processors with one control word for vectors and scalars, which is fast to read.
#if defined(__SSE2_MATH__) || defined(__aarch64__) || (defined(__arm__) && defined(__ARM_FP))
#define DECONV_HAS_FP_CONTROL 1
#include <cstdint>
#else
#define DECONV_HAS_FP_CONTROL 0
#include <cfenv>
#endif

namespace deconv {

// While an object lives, its thread rounds to nearest even, keeps subnormals and traps nothing. The destructor restores
// the earlier rounding, flushing and traps. Computations may raise the flags of exceptions.
class FloatEnvironment {
 public:
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
#if DECONV_HAS_FP_CONTROL
  uint64_t caller_;  // the control word of the caller
#else
  bool differs_;        // whether the caller rounds or traps otherwise
  bool flushes_;        // whether the caller's vectors flush subnormals (POWER)
  std::fenv_t caller_;  // set if differs_
#endif
};

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_FP_ENVIRONMENT_H_
