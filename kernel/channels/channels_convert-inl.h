// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts elements to the units of the algorithm "channels". A unit is 32 bits that hold kDepth input channels of a
// position: one, two or four (channels_units.h). One lane multiplies it at once.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_CONVERT_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_CONVERT_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_CONVERT_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Loads the units of `count` neighbouring positions of planar data, one unit in each lane. `from` points to the row of
// the unit's first channel; the rows of its other channels follow, `row_bytes` apart. Channels from number `channels`
// on do not exist and become zeros.
template <class T, int64_t kDepth, class D>
HWY_INLINE hn::Vec<D> LoadUnits(D d, const char* from, int64_t row_bytes, int64_t channels, int64_t count) {
  if constexpr (kDepth == 1) {
    return LoadWidened<T>(d, from, count);
  } else {
    using U = std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>;
    const hn::RebindToUnsigned<D> du;
    auto units = hn::Zero(du);
    HWY_UNROLL(4) for (int64_t j = 0; j < kDepth; ++j) {
      if (j >= channels) break;
      const auto part = hn::PromoteTo(du, LoadElements<U>(d, from + j * row_bytes, count));
      // A unit must have the byte order of the filter's units, which are written to memory channel by channel.
      const int64_t from_lowest = HWY_IS_LITTLE_ENDIAN ? j : kDepth - 1 - j;
      units = hn::Or(units, hn::ShiftLeftSame(part, static_cast<int>(from_lowest * (32 / kDepth))));
    }
    return hn::BitCast(d, units);
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

// Copies the channels of one position as units, for data with channels last. Fills the last unit with zeros.
template <class T, int64_t kDepth>
void CopyUnits(const char* from, int64_t channels, char* to) {
  using Part = decltype(ToUnitPart<T, kDepth>(T{}));
  if constexpr (std::is_same_v<Part, T>) {
    std::memcpy(to, from, static_cast<size_t>(channels) * sizeof(T));
  } else {
    int64_t c = 0;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kDepth == 1) {
      const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
      c = channels / lanes * lanes;
      WidenRow<T>(from, c, to);
    }
#endif
    for (; c < channels; ++c) StoreElement(to, c, ToUnitPart<T, kDepth>(LoadElement<T>(from, c)));
  }
  for (int64_t c = channels; c % kDepth != 0; ++c) StoreElement(to, c, Part{});
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_CONVERT_INL_H_
