// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums the integer products of one output exactly, and converts the sum to the output's type once, at the end. A sum
// has 128 bits if a scan of the operands has proved that this is enough (WindowFits of oracle/window_sum.h). Otherwise
// it has 192 bits, which suffice for i64 and u64: there are fewer than 2^63 products, and each is below 2^128 in
// magnitude. So the sum is below 2^191.

#ifndef DECONV_ORACLE_INTEGER_SUM_H_
#define DECONV_ORACLE_INTEGER_SUM_H_

#include <cstdint>

#include "oracle/element_type.h"
#include "oracle/evaluate.h"
#include "oracle/wide_integer.h"

namespace oracle {

/// A two's complement number of 192 bits: high * 2^128 + low.
struct I192 {
  U128 low = 0;
  std::int64_t high = 0;

  /// Adds a 128-bit number. If `negative`, `value` is the two's complement of a negative number: 2^128 - 1 stands for
  /// -1.
  void Add(U128 value, bool negative) {
    low += value;
    // `low` has wrapped if it is now smaller than `value`: carry 1. A negative `value` has only 1 bits above its 128
    // bits, which is -1 in `high`.
    high += (low < value ? 1 : 0) - (negative ? 1 : 0);
  }
};

/// Fills `result` for an output of `type`: the sum modulo 2^bits, and the sum clamped to the range of the type.
/// Example: the sum 300 in u8 gives `wrapped` 44 and `saturated` 255.
void WrapAndSaturate(const I192& sum, std::int64_t taps, ElementType type, IntegerSum& result);

/// The sum of one output in 128 bits. Add() takes a data element x and a filter element w.
struct NarrowIntegerSum {
  std::int64_t taps = 0;  ///< the number of products
  I128 sum = 0;

  void Add(std::int64_t x, std::int64_t w) {
    ++taps;
    sum += I128{x} * w;
  }
  void FinishSum(ElementType type, IntegerSum& result) const {
    WrapAndSaturate({.low = static_cast<U128>(sum), .high = sum < 0 ? -1 : 0}, taps, type, result);
  }
};

/// The sum of one output in 192 bits.
struct WideIntegerSum {
  std::int64_t taps = 0;  ///< the number of products
  I192 sum;

  void AddSigned(std::int64_t x, std::int64_t w) {
    ++taps;
    const I128 product = I128{x} * w;
    sum.Add(static_cast<U128>(product), product < 0);
  }
  void AddUnsigned(std::uint64_t x, std::uint64_t w) {
    ++taps;
    sum.Add(U128{x} * w, false);
  }
  void FinishSum(ElementType type, IntegerSum& result) const { WrapAndSaturate(sum, taps, type, result); }
};

}  // namespace oracle

#endif  // DECONV_ORACLE_INTEGER_SUM_H_
