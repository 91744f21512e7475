// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Units of the algorithm "channels": the 32 bits of data, or of weights, that one lane multiplies at once. A unit is
// one input channel in the compute type (for example f32), or two or four neighbouring input channels for dot-product
// instructions. With four channels a unit, 6 channels fill 2 units, and the last two parts are zeros. Data and weights
// both have these zeros, so that no zero is multiplied by Inf.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_UNITS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_UNITS_H_

#include <cstdint>
#include <type_traits>

#include "kernel/base/convert.h"

namespace deconv {

inline constexpr int64_t kUnitBytes = 4;  // bytes of a unit

// Converts an element to its part of a unit of `kDepth` channels. Integers are extended with zeros, also signed ones.
// Sums are exact modulo the output's type, whether operands are read as signed or unsigned.
template <class T, int64_t kDepth>
inline auto ToUnitPart(T value) {
  if constexpr (kDepth == 1 && std::is_floating_point_v<Compute<T>>) {
    return Widen(value);
  } else if constexpr (kDepth * sizeof(T) == kUnitBytes) {
    return value;
  } else {
    return static_cast<std::conditional_t<kDepth == 1, uint32_t, uint16_t>>(
        static_cast<std::make_unsigned_t<T>>(value));
  }
}

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_UNITS_H_
