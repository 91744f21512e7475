// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "phased" for integers of 64 bits, which sum in u64, for all targets.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/phased/phased_u64.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/phased/phased-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

PhasedKernels PhasedKernelsU64(deconv_type type) {
  switch (type) {
    case DECONV_I64:
      return PhasedKernelsOf<int64_t>();
    default:
      return PhasedKernelsOf<uint64_t>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(PhasedKernelsU64);

PhasedKernels ChoosePhasedU64(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(PhasedKernelsU64, target)(type);
}

}  // namespace deconv
#endif
