// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "channels" for f32, and for f16, bf16 and integers of 8 bits as f32, for all targets.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
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

template <class P>
ChannelsKernels ChannelsKernelsOfType(deconv_type type) {
  switch (type) {
    case DECONV_F16:
      return ChannelsKernelsOf<Float16, P>();
    case DECONV_BF16:
      return ChannelsKernelsOf<BFloat16, P>();
    default:
      return ChannelsKernelsOf<float, P>();
  }
}

ChannelsKernels ChannelsKernelsF32(deconv_type type) { return ChannelsKernelsOfType<SinglesOfF32>(type); }

// Half of a quad is narrower than what transposition works with. Without a known size, half a vector is none of its
// own.
ChannelsKernels HalfChannelsKernelsF32([[maybe_unused]] deconv_type type) {
  if constexpr (hn::MaxLanes(SinglesOfF32::Tag()) >= 8 && !DECONV_SIZELESS_VECTORS)
    return ChannelsKernelsOfType<HalvesOfF32>(type);
  return {};
}

// A permutation of a quad is not worth its instructions, and those of vectors of unknown size are slow.
ChannelsKernels GroupChannelsKernelsF32([[maybe_unused]] deconv_type type) {
  if constexpr (hn::MaxLanes(SinglesOfF32::Tag()) >= 8 && !DECONV_SIZELESS_VECTORS) {
    if (type == DECONV_I8 || type == DECONV_U8) return ChannelsKernelsOf<FloatI8, GroupsOfF32>();
    return ChannelsKernelsOfType<GroupsOfF32>(type);
  }
  return {};
}

// f16 is narrow only where instructions widen it.
ChannelsKernels NarrowChannelsKernelsF32([[maybe_unused]] deconv_type type) {
#if HWY_TARGET != HWY_SCALAR
  if (type == DECONV_BF16) return ChannelsKernelsOf<BFloat16, NarrowWeightsOfF32<BFloat16>>();
  if constexpr (DECONV_F16_INSTRUCTIONS) {
    if (type == DECONV_F16) return ChannelsKernelsOf<Float16, NarrowWeightsOfF32<Float16>>();
  }
#endif
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(ChannelsKernelsF32);
HWY_EXPORT(HalfChannelsKernelsF32);
HWY_EXPORT(GroupChannelsKernelsF32);
HWY_EXPORT(NarrowChannelsKernelsF32);

ChannelsKernels ChooseChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(ChannelsKernelsF32, target)(type);
}

ChannelsKernels ChooseHalfChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(HalfChannelsKernelsF32, target)(type);
}

ChannelsKernels ChooseGroupChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(GroupChannelsKernelsF32, target)(type);
}

ChannelsKernels ChooseNarrowChannelsF32(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(NarrowChannelsKernelsF32, target)(type);
}

}  // namespace deconv
#endif
