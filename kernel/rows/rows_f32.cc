// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "rows" for all targets (instruction sets). They sum elements of f32, f16, bf16,
// i8 and u8 in f32.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/rows/rows_f32.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/blocks/block_functions.h"
#include "kernel/rows/rows-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

RowsKernels RowsKernelsF32(deconv_type type) { return RowsKernelsOf(type); }

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(RowsKernelsF32);

RowsKernels ChooseRowsF32(deconv_type type, int64_t target) {
  RowsKernels kernels = DECONV_DISPATCH(RowsKernelsF32, target)(type);
  kernels.blocks = ChooseBlocks(type, true, target);
  return kernels;
}

}  // namespace deconv
#endif
