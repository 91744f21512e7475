// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "channels" for f32, and for f16 and bf16 widened to it, for all targets
// (instruction sets).
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_f32.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/channels/channels-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

ChannelsKernels ChannelsKernelsF32(deconv_type type) { return ChannelsKernelsOf<SinglesOfF32>(type); }

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(ChannelsKernelsF32);

ChannelsKernels ChooseChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(ChannelsKernelsF32, target)(type);
}

}  // namespace deconv
#endif
