// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Units: the 32 bits of data, or of a weight, that one lane multiplies at once. A unit is one input channel in the
// compute type, or two or four neighbouring input channels for instructions that sum such products. Channels that fill
// the last unit are zeros in data and weights, so that no zero meets an Inf.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_UNITS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_UNITS_H_

#include <cstdint>
#include <type_traits>

#include "kernel/base/convert.h"

namespace deconv {

inline constexpr int64_t kUnitBytes = 4;

// A channel as a unit of `kDepth` channels holds it. Integers are extended with zeros: sums are exact modulo the
// output's type whatever sign its operands are read with, and the part of a unit that no channel has stays zero.
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
