// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds doubles with the oracle's function RoundToBits, and computes neighbours from the unit of the last place.

#include "conformance/verdict/round.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::ElementType;

}  // namespace

double LargestFinite(const oracle::FloatFormat& format) {
  return std::ldexp(1 - oracle::PowerOfTwo(-format.precision), format.max_exponent);
}

double RoundToNearest(double value, ElementType type) {
  if (type == ElementType::kF64 || !std::isfinite(value)) return value;
  const oracle::FloatParts parts = oracle::DecodeFloat(std::bit_cast<std::uint64_t>(value), ElementType::kF64);
  return oracle::FloatValue(
      oracle::RoundToBits(parts.negative, parts.significand, parts.exponent, type, oracle::Rounding::kNearest), type);
}

double RoundDown(double value, ElementType type) {
  const double nearest = RoundToNearest(value, type);
  return nearest <= value ? nearest : NextBelow(nearest, type);
}

double RoundUp(double value, ElementType type) { return -RoundDown(-value, type); }

double NextBelow(double value, ElementType type) {
  if (type == ElementType::kF64) return std::nextafter(value, -kInfinite);
  const oracle::FloatFormat format = oracle::FormatOf(type);
  if (value == kInfinite) return LargestFinite(format);
  if (value == -LargestFinite(format)) return -kInfinite;
  // The distance to the next number is one unit of the last place. Directly below a positive power of two it is half as
  // large.
  const double magnitude = std::abs(value);
  const double smallest_normal = oracle::PowerOfTwo(format.min_exponent);
  int exponent = magnitude < smallest_normal ? format.min_exponent : std::ilogb(magnitude);
  if (value > smallest_normal && magnitude == oracle::PowerOfTwo(exponent)) --exponent;
  return value - oracle::PowerOfTwo(exponent - format.precision + 1);
}

double NextAbove(double value, ElementType type) { return -NextBelow(-value, type); }

RoundingRange SumsThatRoundTo(double value, ElementType type, bool faithful) {
  const double below = NextBelow(value, type);
  const double above = NextAbove(value, type);
  if (faithful) return {below, above};
  // The largest finite number rounds as if its neighbour were 2^max_exponent, that is as if the exponent had no limit.
  const oracle::FloatFormat format = oracle::FormatOf(type);
  const double past = std::ldexp(1.0, format.max_exponent);
  const double low = std::isinf(below) ? -past : below;
  const double high = std::isinf(above) ? past : above;
  return {value + (low - value) / 2, value + (high - value) / 2};
}

}  // namespace conformance
