// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "channels" that multiply by dot-product instructions, for the targets
// (instruction sets) that have them. They sum pairs of bf16 and quads of 8-bit integers, also for groups that share a
// vector. Signed and unsigned integers share the code, because products modulo 2^8 are the same for both.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_dot.cc"
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
  return ChannelsKernelsOf<PairsOfBF16>(DECONV_BF16);
#else
  return {};
#endif
}

ChannelsKernels ChannelsKernelsI8() {
#if DECONV_QUADS_OF_I8
  return ChannelsKernelsOf<QuadsOfI8>(DECONV_U8);
#else
  return {};
#endif
}

// Vectors of 128 bits would hold only two groups of at most two channels. Vectors of unknown size cannot be members of
// the struct PermutedUnits, which permutes the data.
ChannelsKernels GroupChannelsKernelsI8() {
#if DECONV_QUADS_OF_I8 && !DECONV_SIZELESS_VECTORS
  if constexpr (hn::MaxLanes(QuadsOfI8::Tag()) >= 8) return ChannelsKernelsOf<GroupsOfI8>(DECONV_U8);
#endif
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(ChannelsKernelsBF16);
HWY_EXPORT(ChannelsKernelsI8);
HWY_EXPORT(GroupChannelsKernelsI8);

ChannelsKernels ChooseChannelsBF16(int64_t target) { return DECONV_DISPATCH(ChannelsKernelsBF16, target)(); }

ChannelsKernels ChooseChannelsI8(int64_t target) { return DECONV_DISPATCH(ChannelsKernelsI8, target)(); }

ChannelsKernels ChooseGroupChannelsI8(int64_t target) { return DECONV_DISPATCH(GroupChannelsKernelsI8, target)(); }

}  // namespace deconv
#endif
