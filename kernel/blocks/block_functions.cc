// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the functions that copy data into padded blocks and store sums, for each element type and all targets
// (instruction sets). Signed and unsigned integers share the code, because sums modulo 2^8 to 2^64 are the same for
// both.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/blocks/block_functions.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/convert.h"
#include "kernel/base/dispatch.h"
#include "kernel/blocks/block_functions-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// These functions return the table of this target for an element type that is summed in f32, in f64, or as integers.
const BlockFunctions* BlocksF32(deconv_type type) {
  return VisitFloatType(type, []<class T>() { return BlockFunctionsOf<T>(); });
}

// 32-bit ARM has no vectors of f64.
const BlockFunctions* BlocksF64() {
#if HWY_HAVE_FLOAT64
  return BlockFunctionsOf<double>();
#else
  return nullptr;
#endif
}

const BlockFunctions* BlocksOfIntegers(deconv_type type) {
  switch (ElementBytes(type)) {
    case 1:
      return BlockFunctionsOf<uint8_t>();
    case 2:
      return BlockFunctionsOf<uint16_t>();
    case 4:
      return BlockFunctionsOf<uint32_t>();
    default:
      return BlockFunctionsOf<uint64_t>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(BlocksF32);
HWY_EXPORT(BlocksF64);
HWY_EXPORT(BlocksOfIntegers);

const BlockFunctions* ChooseBlocks(deconv_type type, bool sums_in_f32, int64_t target) {
  if (sums_in_f32) return DECONV_DISPATCH(BlocksF32, target)(type);
  if (type == DECONV_F64) return DECONV_DISPATCH(BlocksF64, target)();
  return DECONV_DISPATCH(BlocksOfIntegers, target)(type);
}

}  // namespace deconv
#endif
