// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Floating-point numbers taken apart and put together by their bits, for all four formats, without the machine's own
// arithmetic: decoding, and rounding of an exact number once.

#ifndef DECONV_ORACLE_FLOAT_BITS_H_
#define DECONV_ORACLE_FLOAT_BITS_H_

#include <cstddef>
#include <cstdint>

#include "oracle/element_type.h"
#include "oracle/wide_integer.h"

namespace oracle {

enum class FloatClass : std::uint8_t { kFinite, kInfinity, kNan };

/// A finite number is (-1)^negative * significand * 2^exponent.
struct FloatParts {
  FloatClass kind = FloatClass::kFinite;
  bool negative = false;
  bool subnormal = false;  ///< and not zero
  int exponent = 0;
  std::uint64_t significand = 0;
};

/// The element at `source`, little-endian, with its upper bits 0. `bytes` is 1, 2, 4 or 8; any alignment.
std::uint64_t LoadBits(const std::byte* source, std::size_t bytes);

FloatParts DecodeFloat(std::uint64_t bits, ElementType type);

enum class Rounding {
  kNearest,  ///< ties to even; from the largest finite number plus half a unit on: infinity
  kUp,       ///< away from zero; beyond the largest finite number: infinity
};

/// The number magnitude * 2^exponent, with its sign, rounded once to `type`: its bits. A caller that had to drop lower
/// bits of a longer number ors them into the lowest bit of a magnitude of 128 significant bits, which rounds alike.
std::uint64_t RoundToBits(bool negative, U128 magnitude, int exponent, ElementType type, Rounding rounding);

/// The same for f64, as a number.
double RoundToDouble(bool negative, U128 magnitude, int exponent, Rounding rounding);

std::uint64_t InfinityBits(bool negative, ElementType type);
std::uint64_t NanBits(ElementType type);  ///< the positive quiet one without payload

/// 2^exponent rounded down to double: 0 below the smallest subnormal number.
double PowerOfTwo(int exponent);

}  // namespace oracle

#endif  // DECONV_ORACLE_FLOAT_BITS_H_
