// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the tasks of the algorithm "channels" for integers of 16 bits, and of 8 bits widened to 16, for all targets
// (instruction sets) with vectors. Signed and unsigned integers share the code, because products modulo 2^8 or 2^16 are
// the same for both.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_i16.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/dispatch.h"
#include "kernel/channels/channels-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

ChannelsKernels ChannelsKernelsI16([[maybe_unused]] deconv_type type) {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  return ChannelsKernelsOf<PairsOfI16>(type);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(ChannelsKernelsI16);

ChannelsKernels ChooseChannelsI16(deconv_type type, int64_t target) {
  return DECONV_DISPATCH(ChannelsKernelsI16, target)(type);
}

}  // namespace deconv
#endif
