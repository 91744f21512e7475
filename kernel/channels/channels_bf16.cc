// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "channels" for bf16 by the dot product of pairs, for the targets that have this instruction.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_bf16.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/channels/channels-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

ChannelsKernels ChannelsKernelsBF16() {
#if DECONV_PAIRS_OF_BF16
  return ChannelsKernelsOf<BFloat16, PairsOfBF16>();
#else
  return {};
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(ChannelsKernelsBF16);

ChannelsKernels ChooseChannelsBF16(int64_t target) { return DECONV_DISPATCH(ChannelsKernelsBF16, target)(); }

}  // namespace deconv
#endif
