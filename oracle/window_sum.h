// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums floating-point products exactly in an integer of 128 or 64 bits. This is faster than ExactSum, which has 4352
// bits (exact_sum.h); the integer is a window of them. A scan of the operands must have proved that no sum overflows. A
// data element is called x, a filter element w.
//
// The proof. Let every data element be X * 2^a with an integer |X| < 2^p. Let every filter element be W * 2^b with an
// integer |W| < 2^q. Both p and q are at most 63. Let an output have at most n products, and n < 2^r.
//  1. Every product is the integer X * W times 2^(a+b).
//  2. The magnitudes of an output's products add up to less than 2^(p+q+r) times 2^(a+b).
//  3. With p + q + r <= 127 every partial sum fits a signed 128-bit integer, so no addition rounds or wraps.
// WindowFits is the condition of step 3. NarrowWindowFits is p + q + r <= 63, for 64-bit integers. oracle/operands.cc
// chooses a and b as large, and p and q as small, as the tensors allow.
// Example: data with p = 8, a filter with q = 8 and n = 1000 products (r = 10) need 26 bits, so 64 bits do.

#ifndef DECONV_ORACLE_WINDOW_SUM_H_
#define DECONV_ORACLE_WINDOW_SUM_H_

#include <bit>
#include <cstdint>

#include "oracle/element_type.h"
#include "oracle/evaluate.h"
#include "oracle/wide_integer.h"

namespace oracle {

/// Whether the sums of an output fit WindowSum. The parameters are p, q, and the largest number of products of an
/// output.
constexpr bool WindowFits(int data_bits, int filter_bits, std::uint64_t products) {
  return data_bits <= 63 && filter_bits <= 63 && data_bits + filter_bits + std::bit_width(products) <= 127;
}

/// Whether the sums of an output fit NarrowWindowSum; the parameters are those of WindowFits.
constexpr bool NarrowWindowFits(int data_bits, int filter_bits, std::uint64_t products) {
  return data_bits + filter_bits + std::bit_width(products) <= 63;
}

/// The sums of one output, in units of 2^(a+b). Add() takes the integers X and W of the proof above.
struct WindowSum {
  std::int64_t taps = 0;  ///< the number of products
  I128 sum = 0;
  U128 magnitude = 0;  ///< the sum of the products' magnitudes
  U128 subnormal = 0;  ///< the part of `magnitude` whose products have a subnormal operand
  U128 ones = 0;  ///< bitwise or of all products, whose lowest set bit is the lowest one of any product: 12 | 10 = 14

  void Add(std::int64_t x, std::int64_t w) {
    const I128 product = I128{x} * w;
    ++taps;
    sum += product;
    magnitude += Magnitude(product);
    ones |= static_cast<U128>(product);
  }

  /// Call it after Add for a product with a subnormal operand. It counts the magnitude of this product in `subnormal`,
  /// too.
  void AddSubnormal(std::int64_t x, std::int64_t w) { subnormal += Magnitude(I128{x} * w); }

  /// Rounds the sums and fills `result`. `exponent` is a + b; `type` is the output's type.
  void FinishSum(int exponent, ElementType type, FloatSum& result) const;
};

/// A WindowSum in 64 bits, for operands without subnormal numbers.
struct NarrowWindowSum {
  std::int64_t taps = 0;
  std::int64_t sum = 0;
  std::int64_t magnitude = 0;
  std::int64_t ones = 0;

  void Add(std::int64_t x, std::int64_t w) {
    const std::int64_t product = x * w;
    ++taps;
    sum += product;
    magnitude += product < 0 ? -product : product;
    ones |= product;
  }

  void FinishSum(int exponent, ElementType type, FloatSum& result) const {
    // A negative product and its magnitude have the same lowest set bit, in 64 and in 128 bits.
    WindowSum{.taps = taps,
              .sum = sum,
              .magnitude = static_cast<U128>(magnitude),
              .ones = static_cast<U128>(static_cast<std::uint64_t>(ones))}
        .FinishSum(exponent, type, result);
  }
};

}  // namespace oracle

#endif  // DECONV_ORACLE_WINDOW_SUM_H_
