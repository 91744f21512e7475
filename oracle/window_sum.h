// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums products exactly in 128 or 64 bits, for operands of which a scan has proved that nothing can be lost.
//
// The proof. Let every data element be X * 2^a with |X| < 2^p, every filter element W * 2^b with |W| < 2^q, X and W
// integers and p, q <= 63, and let an output have at most n products with n < 2^r. Then every product is the integer
// X * W times 2^(a+b), and the sum of the products' magnitudes is below 2^(p+q+r) times 2^(a+b). With p + q + r <= 127
// every partial sum in any order fits a signed 128-bit integer, so that no addition rounds or wraps. WindowFits is that
// condition; oracle/operands.cc finds a, b, p, q as the tightest for the tensors at hand. With p + q + r <= 63 the same
// holds of a signed 64-bit integer (NarrowWindowFits).

#ifndef DECONV_ORACLE_WINDOW_SUM_H_
#define DECONV_ORACLE_WINDOW_SUM_H_

#include <bit>
#include <cstdint>

#include "oracle/element_type.h"
#include "oracle/evaluate.h"
#include "oracle/wide_integer.h"

namespace oracle {

/// p, q and the largest number of products of an output.
constexpr bool WindowFits(int data_bits, int filter_bits, std::uint64_t products) {
  return data_bits <= 63 && filter_bits <= 63 && data_bits + filter_bits + std::bit_width(products) <= 127;
}

/// Whether the sums of an output fit NarrowWindowSum; the parameters are those of WindowFits.
constexpr bool NarrowWindowFits(int data_bits, int filter_bits, std::uint64_t products) {
  return data_bits + filter_bits + std::bit_width(products) <= 63;
}

/// The terms of one output of a floating-point operator, in units of 2^(a+b).
struct WindowSum {
  std::int64_t taps = 0;
  I128 sum = 0;
  U128 magnitude = 0;
  U128 subnormal = 0;  ///< part of `magnitude`
  U128 ones = 0;       ///< all products or-ed: its lowest one is the lowest of any product

  void Add(std::int64_t x, std::int64_t w) {
    const I128 product = I128{x} * w;
    ++taps;
    sum += product;
    magnitude += Magnitude(product);
    ones |= static_cast<U128>(product);
  }

  void AddSubnormal(std::int64_t x, std::int64_t w) { subnormal += Magnitude(I128{x} * w); }

  /// `exponent` is a + b; `type` the output's.
  void Finish(int exponent, ElementType type, FloatSum& result) const;
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

  void Finish(int exponent, ElementType type, FloatSum& result) const {
    // The lowest one of a negative product is that of its magnitude, in 64 bits and in 128.
    WindowSum{.taps = taps,
              .sum = sum,
              .magnitude = static_cast<U128>(magnitude),
              .ones = static_cast<U128>(static_cast<std::uint64_t>(ones))}
        .Finish(exponent, type, result);
  }
};

}  // namespace oracle

#endif  // DECONV_ORACLE_WINDOW_SUM_H_
