// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Saturating integer arithmetic: a result beyond 64 bits becomes the nearest number that fits. Invalid operators may
// have any 64-bit number as an attribute. The suite computes sizes from such attributes before a backend refuses the
// operator. Also has the greatest common divisor.

#ifndef DECONV_CONFORMANCE_CASE_CHECKED_H_
#define DECONV_CONFORMANCE_CASE_CHECKED_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>

#include "oracle/wide_integer.h"

namespace conformance {

/// The number of [-(2^63 - 1), 2^63 - 1] nearest to the value. -2^63 is excluded because its negation overflows.
inline std::int64_t Clamped(oracle::I128 value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return value > kMost ? kMost : value < -kMost ? -kMost : static_cast<std::int64_t>(value);
}

// Example: ClampedSum(2^63 - 1, 1) is 2^63 - 1.
inline std::int64_t ClampedSum(std::int64_t one, std::int64_t other) { return Clamped(oracle::I128{one} + other); }
inline std::int64_t ClampedDifference(std::int64_t one, std::int64_t other) {
  return Clamped(oracle::I128{one} - other);
}
inline std::int64_t ClampedProduct(std::initializer_list<std::int64_t> factors) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) product = Clamped(oracle::I128{product} * factor);
  return product;
}

/// The greatest common divisor; 0 if both are 0.
inline std::int64_t CommonDivisor(std::int64_t one, std::int64_t other) {
  return std::gcd(Clamped(one), Clamped(other));
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_CHECKED_H_
