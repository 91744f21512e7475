// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the sums of `boundaries`, the test values that find wrong rounding in a backend. The exact value of each sum
// lies at or next to a number where rounding changes its result. The unit of a number is the distance to the next
// larger number (one ulp). Rounding is to nearest, ties to even. Example for f16, which has a precision p of 11 bits:
// the unit of 1 is 2^-10. So 1 + 2^-11 is half way and rounds to 1, but 1 + (2^-11 + 2^-21) rounds up to 1 + 2^-10.

#include "conformance/case/data_set_rules.h"
#include "conformance/case/element_bits.h"

namespace conformance {

std::array<BoundarySum, kBoundarySums> BoundarySums(oracle::ElementType type) {
  const FloatMaker make(type);
  const int p = make.format().precision;
  const int top = make.format().max_exponent;                    // all finite numbers are below 2^top
  const std::uint64_t ones = (std::uint64_t{1} << (p - 1)) - 1;  // all p - 1 bits of the fraction are set
  // number(e, f) is 2^e * (1 + f / 2^(p-1)): number(0, 1) is the next number above 1. power(e) is 2^e.
  const auto number = [&](int exponent, std::uint64_t fraction) { return make.Normal(false, exponent, fraction); };
  const auto power = [&](int exponent) { return make.Normal(false, exponent, 0); };
  const std::uint64_t largest = number(top - 1, ones);
  const std::uint64_t before_largest = number(top - 1, ones - 1);
  return {{
      // Each row: three terms, and in the comment how their sum is rounded.
      // Around the largest finite number. Its unit is 2^(top-p).
      {before_largest, power(top - p), 0},      // the largest finite number itself
      {before_largest, power(top - p - 1), 0},  // half way to it: down, to the even number
      {largest, power(top - p - 2), 0},         // a quarter of a unit above it
      {largest, number(top - p - 2, ones), 0},  // just below half a unit above it
      {largest, power(top - p - 1), 0},         // half a unit above it: infinity
      {largest, number(top - p - 1, 1), 0},     // just above that
      // 1 and half a unit. The unit of 1 is 2^(1-p), so that half of it is 2^-p.
      {power(0), power(-p), 0},                 // half way: down, to the even number
      {power(0), number(-p, 1), 0},             // just above half way: up
      {number(0, 1), power(-p), 0},             // half way: up, to the even number
      {number(0, 1), number(-p - 1, ones), 0},  // just below half way: down
      {number(0, ones), power(-p), 0},          // half way to a power of two: up
      {number(-1, ones), power(-p - 1), 0},     // half way below 1, where the unit is smaller: up
      // The data multiply these sums by 2^(min_exponent+1), down to the smallest numbers. Before that factor the
      // smallest normal number is 1/2, and the unit of all subnormal numbers is 2^-p.
      {power(-2), power(-2), 0},                 // the smallest normal number
      {power(-2), number(-3, ones - 3), 0},      // the largest subnormal number
      {power(-2), number(-3, ones - 1), 0},      // half way between them: up, to the normal number
      {power(-p - 1), power(-p - 1), 0},         // the smallest subnormal number
      {power(-p - 2), power(-p - 2), 0},         // half of it: down, to zero
      {power(-p - 2), number(-p - 2, 1), 0},     // just above half of it: up
      {power(-p - 2), number(-p - 3, ones), 0},  // just below half of it: down
      {power(-p), power(-p - 1), 0},             // one and a half units: up, to the even number
      {power(1 - p), power(-p - 1), 0},          // two and a half units: down, to the even number
      // The third term moves the sum away from half way by less than f32 resolves. A program that rounds the sum to f32
      // first, and then to the type, loses this term.
      {power(12), power(12 - p), power(-13)},                     // just above half way: up
      {number(12, 1), power(12 - p), make.Normal(true, -13, 0)},  // just below half way: down
  }};
}

std::array<std::uint64_t, kBoundaryFactors> BoundaryFactors(oracle::ElementType type) {
  const FloatMaker make(type);
  const int small = make.format().min_exponent + 1;
  return {make.Normal(false, 0, 0), make.Normal(true, 0, 0), make.Normal(false, small, 0), make.Normal(true, small, 0)};
}

}  // namespace conformance
