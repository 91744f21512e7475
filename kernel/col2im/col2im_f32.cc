// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "col2im" for f32, f16, bf16, i8 and u8, which sum in f32, for all targets.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/col2im/col2im_f32.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/col2im/col2im-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

Col2imKernels Col2imKernelsF32(deconv_type type) {
  switch (type) {
    case DECONV_F16:
      return Col2imKernelsOf<Float16>();
    case DECONV_BF16:
      return Col2imKernelsOf<BFloat16>();
    case DECONV_I8:
    case DECONV_U8:
      return Col2imKernelsOf<FloatI8>();
    default:
      return Col2imKernelsOf<float>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(Col2imKernelsF32);

Col2imKernels ChooseCol2imF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(Col2imKernelsF32, target)(type);
}

}  // namespace deconv
#endif
