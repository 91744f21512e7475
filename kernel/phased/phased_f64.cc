// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "phased" for f64, for all targets.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/phased/phased_f64.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/phased/phased-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// 32-bit ARM has no vectors of f64.
PhasedKernels PhasedKernelsF64() {
#if HWY_HAVE_FLOAT64
  return PhasedKernelsOf<double>();
#else
  return {};
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(PhasedKernelsF64);

PhasedKernels ChoosePhasedF64(int64_t target) { return DECONV_DISPATCH(PhasedKernelsF64, target)(); }

}  // namespace deconv
#endif
