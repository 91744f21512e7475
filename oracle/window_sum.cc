// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finishes the exact 128-bit sum of one output (window_sum.h). It rounds the sum to the type of the output, and
// computes the doubles that the error bound needs, the fields of FloatSum (evaluate.h).

#include "oracle/window_sum.h"

#include <bit>
#include <cmath>

#include "oracle/float_bits.h"

namespace oracle {

void WindowSum::FinishSum(int exponent, ElementType type, FloatSum& result) const {
  result = FloatSum{.taps = taps};
  if (ones == 0) return;  // all products are 0
  result.quantum = PowerOfTwo(exponent + TrailingZeros(ones));
  result.magnitude = RoundToDouble(false, magnitude, exponent, Rounding::kUp);
  if (subnormal != 0) result.subnormal = RoundToDouble(false, subnormal, exponent, Rounding::kUp);
  if (sum == 0) return;  // `bits` stays +0.0

  const bool negative = sum < 0;
  const U128 absolute = Magnitude(sum);
  result.bits = RoundToBits(negative, absolute, exponent, type, Rounding::kNearest);
  result.sum = RoundToDouble(negative, absolute, exponent, Rounding::kNearest);
  if (std::isinf(result.sum)) return;

  const FloatParts parts = DecodeFloat(std::bit_cast<std::uint64_t>(result.sum), ElementType::kF64);
  // The rest is the exact sum minus the double. `sum` counts units of 2^exponent. If the last place of the double is at
  // most one unit, the double is exact and the rest is 0. Otherwise the double is an integer number of units. This
  // integer fits 128 bits, because the sum is below 2^127 and was rounded to 53 bits. If the double is 0, all of the
  // sum is rest.
  const int shift = parts.exponent - exponent;
  if (parts.significand != 0 && shift <= 0) return;
  const U128 rounded = parts.significand == 0 ? 0 : U128{parts.significand} << shift;
  const auto rest = static_cast<I128>(absolute - rounded);
  if (rest == 0) return;
  result.sum_rest = RoundToDouble(negative != (rest < 0), Magnitude(rest), exponent, Rounding::kNearest);
}

}  // namespace oracle
