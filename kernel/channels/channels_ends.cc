// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles the functions of the algorithm "channels" that copy data and store sums, for all targets (instruction sets).
// Signed and unsigned integers share the same code, because products modulo 2^8 or 2^16 are the same for both.
// clang-format off: foreach_target.h must come first, because it includes this file anew for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels/channels_ends.cc"
#include <hwy/foreach_target.h>

#include "kernel/base/convert.h"
#include "kernel/base/dispatch.h"
#include "kernel/channels/channels_copy-inl.h"
#include "kernel/channels/channels_ends.h"
#include "kernel/channels/channels_store-inl.h"

#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

template <class T, int64_t kDepth>
const ChannelsEnds* ChannelsEndsOf() {
  static constexpr ChannelsEnds ends = {&CopyBlock<T, kDepth>, &StorePanel<T>};
  return &ends;
}

const ChannelsEnds* EndsOfChannels(deconv_type type, bool sums_in_f32, [[maybe_unused]] int64_t depth) {
  if (sums_in_f32) return VisitFloatType(type, []<class T>() { return ChannelsEndsOf<T, 1>(); });
#if HWY_TARGET != HWY_SCALAR
  if (type == DECONV_BF16) return ChannelsEndsOf<BFloat16, 2>();
  if (ElementBytes(type) == 2) return ChannelsEndsOf<uint16_t, 2>();
  return depth == 4 ? ChannelsEndsOf<uint8_t, 4>() : ChannelsEndsOf<uint8_t, 2>();
#else
  return nullptr;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace deconv {

HWY_EXPORT(EndsOfChannels);

const ChannelsEnds* ChooseChannelsEnds(deconv_type type, bool sums_in_f32, int64_t depth, int64_t target) {
  return DECONV_DISPATCH(EndsOfChannels, target)(type, sums_in_f32, depth);
}

}  // namespace deconv
#endif
