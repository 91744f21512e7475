// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "channels" for f16 and bf16 with narrow weights, for all targets (instruction
// sets). Narrow weights keep their 16 bits in the packed filter, and the register tile widens them to f32.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_narrow.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/channels/channels-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// Returns the code with narrow weights for f16 or bf16, or an empty ChannelsKernels (`run` is null) if this target has
// none. For f16, a target has it only if it has instructions that widen f16. "channels" uses narrow weights where
// reading the weights takes longer than the products (TryNarrow in channels.cc).
ChannelsKernels NarrowChannelsKernelsF32([[maybe_unused]] deconv_type type) {
#if HWY_TARGET != HWY_SCALAR
  if (type == DECONV_BF16) return ChannelsKernelsOf<NarrowWeightsOfF32<BFloat16>>(type);
  if constexpr (DECONV_F16_INSTRUCTIONS) {
    if (type == DECONV_F16) return ChannelsKernelsOf<NarrowWeightsOfF32<Float16>>(type);
  }
#endif
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(NarrowChannelsKernelsF32);

ChannelsKernels ChooseNarrowChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(NarrowChannelsKernelsF32, target)(type);
}

}  // namespace deconv
#endif
