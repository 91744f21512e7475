// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "phased" for each compute type, for all targets (instruction sets). One file
// holds all types, because parsing Highway for each target takes longer than compiling the tasks of a type. Signed and
// unsigned integers share a compute type, because sums modulo 2^32 or 2^64 do not depend on the sign.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/phased/phased_tasks.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/convert.h"
#include "kernel/base/dispatch.h"
#include "kernel/blocks/block_functions.h"
#include "kernel/phased/phased-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

PhasedKernels PhasedKernelsF32(deconv_type type) {
  PhasedKernels kernels = PhasedKernelsOf<float>();
  kernels.tile.stores_pairs = VisitFloatType(type, []<class T>() { return kStoresPairs<T>; });
  return kernels;
}

// 32-bit ARM has no vectors of f64.
PhasedKernels PhasedKernelsF64() {
#if HWY_HAVE_FLOAT64
  return PhasedKernelsOf<double>();
#else
  return {};
#endif
}

PhasedKernels PhasedKernelsU32() { return PhasedKernelsOf<uint32_t>(); }
PhasedKernels PhasedKernelsU64() { return PhasedKernelsOf<uint64_t>(); }

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(PhasedKernelsF32);
HWY_EXPORT(PhasedKernelsF64);
HWY_EXPORT(PhasedKernelsU32);
HWY_EXPORT(PhasedKernelsU64);

PhasedKernels ChoosePhased(deconv_type type, bool sums_in_f32, int64_t target) {
  PhasedKernels kernels;
  if (sums_in_f32) {
    kernels = DECONV_DISPATCH(PhasedKernelsF32, target)(type);
  } else if (type == DECONV_F64) {
    kernels = DECONV_DISPATCH(PhasedKernelsF64, target)();
  } else if (ElementBytes(type) == 8) {
    kernels = DECONV_DISPATCH(PhasedKernelsU64, target)();
  } else {
    kernels = DECONV_DISPATCH(PhasedKernelsU32, target)();
  }
  kernels.blocks = ChooseBlocks(type, sums_in_f32, target);
  return kernels;
}

}  // namespace deconv
#endif
