// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of "channels" for integers of 8 bits by the dot product of quads, for the targets that have this
// instruction. Modulo 2^8 the sign makes no difference.
// clang-format off: foreach_target.h comes before everything that is compiled per target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_i8.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/channels/channels-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

ChannelsKernels ChannelsKernelsI8() {
#if DECONV_QUADS_OF_I8
  return ChannelsKernelsOf<uint8_t, QuadsOfI8>();
#else
  return {};
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(ChannelsKernelsI8);

ChannelsKernels ChooseChannelsI8(int64_t target) { return DECONV_DISPATCH(ChannelsKernelsI8, target)(); }

}  // namespace deconv
#endif
