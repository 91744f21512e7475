// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "phased" for f32, f16, bf16, i8 and u8 that sum in f32, for all targets.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/phased/phased_f32.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/phased/phased-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

PhasedKernels PhasedKernelsF32(deconv_type type) {
  switch (type) {
    case DECONV_F16:
      return PhasedKernelsOf<Float16>();
    case DECONV_BF16:
      return PhasedKernelsOf<BFloat16>();
    case DECONV_I8:
    case DECONV_U8:
      return PhasedKernelsOf<FloatI8>();
    default:
      return PhasedKernelsOf<float>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(PhasedKernelsF32);

PhasedKernels ChoosePhasedF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(PhasedKernelsF32, target)(type);
}

}  // namespace deconv
#endif
