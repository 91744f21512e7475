// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "phased" for integers of up to 32 bits, which sum in u32, for all targets.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/phased/phased_u32.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/phased/phased-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

PhasedKernels PhasedKernelsU32(deconv_type type) {
  switch (type) {
    case DECONV_I8:
      return PhasedKernelsOf<int8_t>();
    case DECONV_U8:
      return PhasedKernelsOf<uint8_t>();
    case DECONV_I16:
      return PhasedKernelsOf<int16_t>();
    case DECONV_U16:
      return PhasedKernelsOf<uint16_t>();
    case DECONV_I32:
      return PhasedKernelsOf<int32_t>();
    default:
      return PhasedKernelsOf<uint32_t>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(PhasedKernelsU32);

PhasedKernels ChoosePhasedU32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(PhasedKernelsU32, target)(type);
}

}  // namespace deconv
#endif
