// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines integers of 128 bits, and three functions on them. Exact sums and the rounding to floating types use them.
// The oracle also computes the sizes and pads of tensors in them, so that no formula overflows.

#ifndef DECONV_ORACLE_WIDE_INTEGER_H_
#define DECONV_ORACLE_WIDE_INTEGER_H_

#include <bit>
#include <cstdint>

namespace oracle {

#ifdef __SIZEOF_INT128__
// __int128 is an extension of C++; without the keyword, -Wpedantic warns about it.
__extension__ using I128 = __int128;
__extension__ using U128 = unsigned __int128;
#else  // 32-bit machines, for which only clang has integers of 128 bits
using I128 = _BitInt(128);
using U128 = unsigned _BitInt(128);
#endif

/// The number of bits up to the highest set bit: 0 for 0, 3 for 5.
inline int BitLength(U128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

/// The number of zeros below the lowest set bit; `value` is not 0.
inline int TrailingZeros(U128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
}

/// |value|; correct for -2^127, too.
inline U128 Magnitude(I128 value) { return value < 0 ? U128{0} - static_cast<U128>(value) : static_cast<U128>(value); }

}  // namespace oracle

#endif  // DECONV_ORACLE_WIDE_INTEGER_H_
