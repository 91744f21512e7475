// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "channels" that sum groups of few output channels in f32, for all targets
// (instruction sets). They use half vectors, or let several groups share a vector, so that fewer lanes are idle.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_groups.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/channels/channels-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// Half a vector of 128 bits is narrower than the four lanes that a transposition needs. A vector of unknown size has no
// half vector of another type.
ChannelsKernels HalfChannelsKernelsF32([[maybe_unused]] deconv_type type) {
  if constexpr (hn::MaxLanes(SinglesOfF32::Tag()) >= 8 && !DECONV_SIZELESS_VECTORS)
    return ChannelsKernelsOf<HalvesOfF32>(type);
  return {};
}

// Vectors of 128 bits would hold only two groups of at most two channels. Vectors of unknown size cannot be members of
// the struct PermutedUnits, which permutes the data.
ChannelsKernels GroupChannelsKernelsF32([[maybe_unused]] deconv_type type) {
  if constexpr (hn::MaxLanes(SinglesOfF32::Tag()) >= 8 && !DECONV_SIZELESS_VECTORS) {
    return ChannelsKernelsOf<GroupsOfF32>(type);
  }
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(HalfChannelsKernelsF32);
HWY_EXPORT(GroupChannelsKernelsF32);

ChannelsKernels ChooseHalfChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(HalfChannelsKernelsF32, target)(type);
}

ChannelsKernels ChooseGroupChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(GroupChannelsKernelsF32, target)(type);
}

}  // namespace deconv
#endif
