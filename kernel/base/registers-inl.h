// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The number of vector registers of a target (instruction set). It decides the sizes of register tiles, the blocks of
// sums that stay in registers while products are added.

#if defined(DECONV_KERNEL_BASE_REGISTERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_BASE_REGISTERS_INL_H_
#undef DECONV_KERNEL_BASE_REGISTERS_INL_H_
#else
#define DECONV_KERNEL_BASE_REGISTERS_INL_H_
#endif

#include <cstdint>

#include <hwy/highway.h>

namespace deconv {
namespace HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET_IS_NEON || HWY_TARGET_IS_SVE || HWY_TARGET_IS_PPC || HWY_ARCH_RISCV || \
    HWY_ARCH_S390X
inline constexpr int64_t kVectorRegisters = 32;
#else
inline constexpr int64_t kVectorRegisters = 16;
#endif

}  // namespace HWY_NAMESPACE
}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_REGISTERS_INL_H_
