// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes tensor elements of each type bit by bit, for the plain loop in which faults are planted. It shares
// no code, and so no mistake, with the oracle.

#include "conformance/mutants/hooked/number.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace conformance::faults {
namespace {

// The offset of byte `i` of an element, counted from the lowest byte. Buffers have the byte order of the machine.
std::size_t ByteOffset(std::size_t i, std::size_t bytes) {
  return std::endian::native == std::endian::little ? i : bytes - 1 - i;
}

std::uint64_t LoadBits(std::size_t bytes, const unsigned char* at) {
  std::uint64_t bits = 0;
  for (std::size_t i = bytes; i-- > 0;) bits = bits << 8 | at[ByteOffset(i, bytes)];
  return bits;
}

void StoreBits(std::size_t bytes, std::uint64_t bits, unsigned char* at) {
  for (std::size_t i = 0; i < bytes; ++i) at[ByteOffset(i, bytes)] = static_cast<unsigned char>(bits >> (8 * i));
}

// f16 has a sign, 5 bits of exponent and 10 bits of fraction. Normal numbers are (1024 + fraction) * 2^(exponent - 25),
// and subnormal numbers (exponent 0) are fraction * 2^-24.
float FromHalf(std::uint32_t half) {
  const bool negative = (half & 0x8000U) != 0;
  const int exponent = static_cast<int>(half >> 10 & 0x1fU);
  const auto fraction = static_cast<float>(half & 0x3ffU);
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024.0F, exponent - 25);
  }
  return negative ? -value : value;
}

std::uint32_t ToHalf(float value) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0;
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00U;  // a quiet NaN
  // 65520 is half way between the largest finite number, 65504, and 65536. From there on, numbers round to infinity.
  if (magnitude >= 65520.0F) return sign | 0x7c00U;
  if (magnitude == 0) return sign;
  int exponent = 0;
  (void)std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [1/2, 1)
  if (exponent < -13) exponent = -13;      // below 2^-14 all numbers are multiples of 2^-24
  // The magnitude in units of the last place; rint rounds to nearest even, and the product is exact.
  const auto units = static_cast<std::uint32_t>(std::rint(std::ldexp(magnitude, 11 - exponent)));
  // The hidden bit of a normal number (units >= 1024) and a carry into 2048 both add themselves to the exponent.
  return sign | ((static_cast<std::uint32_t>(exponent + 13) << 10) + units);
}

// Rounds to the upper 16 bits of an f32. Adds just below half a unit of the last place, or exactly half if the last bit
// is 1: ties go to even.
std::uint32_t ToBfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return bits >> 16 | 0x40U;  // a quiet NaN
  return (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
}

/// Rounds to odd: returns `value` if a float represents it, else the float next to it towards 0 with its last bit set
/// to 1. Rounding the result to a type of at most 22 bits of precision gives the same as rounding `value`, because the
/// last bit keeps the result away from a tie.
float RoundedToOdd(double value) {
  auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value || std::isnan(value)) return rounded;
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(value)) rounded = std::nextafter(rounded, 0.0F);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) | 1U);
}

}  // namespace

bool IsNumber(std::int32_t type) { return type >= DECONV_ID_F64 && type <= DECONV_ID_U64; }
bool IsFloating(std::int32_t type) { return type >= DECONV_ID_F64 && type <= DECONV_ID_BF16; }
bool IsSignedInteger(std::int32_t type) { return type >= DECONV_ID_I8 && type <= DECONV_ID_I64; }

std::size_t BytesOf(std::int32_t type) {
  switch (type) {
    case DECONV_ID_F64:
    case DECONV_ID_I64:
    case DECONV_ID_U64:
      return 8;
    case DECONV_ID_F32:
    case DECONV_ID_I32:
    case DECONV_ID_U32:
      return 4;
    case DECONV_ID_F16:
    case DECONV_ID_BF16:
    case DECONV_ID_I16:
    case DECONV_ID_U16:
      return 2;
    default:
      return 1;
  }
}

double LoadDouble(std::int32_t type, const unsigned char* at) {
  return type == DECONV_ID_F64 ? std::bit_cast<double>(LoadBits(8, at)) : LoadFloat(type, at);
}

float LoadFloat(std::int32_t type, const unsigned char* at) {
  const std::size_t bytes = BytesOf(type);
  const auto bits = static_cast<std::uint32_t>(LoadBits(bytes, at));
  if (type == DECONV_ID_F16) return FromHalf(bits);
  return std::bit_cast<float>(type == DECONV_ID_BF16 ? bits << 16 : bits);
}

std::uint64_t LoadInteger(std::int32_t type, const unsigned char* at) {
  const std::size_t bytes = BytesOf(type);
  const std::uint64_t bits = LoadBits(bytes, at);
  if (!IsSignedInteger(type)) return bits;
  // The two shifts copy the sign bit of the type to all bits above it.
  const auto shift = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
}

void StoreFloat(std::int32_t type, float value, unsigned char* at) {
  if (type == DECONV_ID_F16) {
    StoreBits(2, ToHalf(value), at);
  } else if (type == DECONV_ID_BF16) {
    StoreBits(2, ToBfloat(value), at);
  } else {
    StoreBits(4, std::bit_cast<std::uint32_t>(value), at);
  }
}

void StoreDouble(std::int32_t type, double value, unsigned char* at) {
  if (type == DECONV_ID_F64) {
    StoreBits(8, std::bit_cast<std::uint64_t>(value), at);
  } else {
    StoreFloat(type, type == DECONV_ID_F32 ? static_cast<float>(value) : RoundedToOdd(value), at);
  }
}

void StoreInteger(std::int32_t type, std::uint64_t value, unsigned char* at) { StoreBits(BytesOf(type), value, at); }

float RoundTo(std::int32_t type, float value) {
  unsigned char bytes[4];
  StoreFloat(type, value, bytes);
  return LoadFloat(type, bytes);
}

}  // namespace conformance::faults
