// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the outputs of a transposed convolution, as the reference for the library under test. For each output it
// gives the exact sum, rounded once, and the numbers that a rigorous error bound needs, such as the sum of magnitudes.
// Two independently written loops must agree: gather (output by output, oracle/gather.cc) and scatter (data element by
// data element, oracle/scatter.cc).

#ifndef DECONV_ORACLE_EVALUATE_H_
#define DECONV_ORACLE_EVALUATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "oracle/resolve.h"

namespace oracle {

/// The special value that NaN or infinite operands give a sum by IEEE 754. A NaN operand, 0 * Inf and Inf - Inf give
/// NaN.
enum class Special : std::uint8_t { kNone, kPlusInfinity, kMinusInfinity, kNan };

/// One output of a floating-point operator. Each of its products is a data element times a filter element (a tap).
struct FloatSum {
  std::int64_t taps = 0;   ///< n: the number of products; inserted zeros of padding, stride or dilation are no products
  std::uint64_t bits = 0;  ///< the exact sum s rounded once to nearest even, in the output's type; +0.0 for n = 0
  double sum = 0;          ///< s rounded to double; +-inf beyond its range
  double sum_rest = 0;     ///< s - sum, rounded to double; 0 if sum is infinite
  double magnitude = 0;    ///< B, the sum of the products' magnitudes, rounded up to double; may be +inf
  double quantum = 0;  ///< the largest power of two that divides every product, rounded down to double; 0 if all are 0
  double subnormal = 0;  ///< the part of B whose products have an operand that is subnormal in its type, rounded up
  /// If set, `bits` holds the special value, B counts the finite products alone, and the sums, `quantum` and
  /// `subnormal` are 0.
  Special special = Special::kNone;
  /// Some product is infinity * subnormal. A backend that flushes subnormals to 0 computes infinity * 0 = NaN instead.
  bool subnormal_by_infinity = false;

  bool operator==(const FloatSum&) const = default;
};

/// One output of an integer operator. It holds the exact sum in two forms, for backends that wrap and that saturate.
struct IntegerSum {
  std::int64_t taps = 0;        ///< the number of products
  std::uint64_t wrapped = 0;    ///< the exact sum modulo 2^bits, as bits of the output's type (upper bits 0)
  std::uint64_t saturated = 0;  ///< the exact sum clamped to the type's range, as bits of it (upper bits 0)

  bool operator==(const IntegerSum&) const = default;
};

/// The outputs at the flat indices [begin, begin + count) of the output tensor, in the operator's own layout.
struct OutputRange {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

/// Data and filter, decoded once. Several threads may then call Gather and Scatter on ranges of outputs.
class Operands {
 public:
  /// The spans hold exactly DataCount() and FilterCount() elements of the geometry's type, in its layouts, at any
  /// alignment. Only the constructor reads them. A wrong size is a bug of the caller (assert).
  Operands(const Geometry& geometry, std::span<const std::byte> data, std::span<const std::byte> filter);
  ~Operands();
  Operands(Operands&&) noexcept;
  Operands& operator=(Operands&&) noexcept;

  const Geometry& geometry() const;

  struct Decoded;  ///< oracle/operands.h; the loops read it
  const Decoded& decoded() const { return *decoded_; }

 private:
  std::unique_ptr<Decoded> decoded_;
};

/// Fills `sums` with one entry for each output of `range`; `sums.size()` equals `range.count`. FloatSum is for floating
/// types, IntegerSum for integer types.
void Gather(const Operands& operands, OutputRange range, std::span<FloatSum> sums);
void Gather(const Operands& operands, OutputRange range, std::span<IntegerSum> sums);
void Scatter(const Operands& operands, OutputRange range, std::span<FloatSum> sums);
void Scatter(const Operands& operands, OutputRange range, std::span<IntegerSum> sums);

}  // namespace oracle

#endif  // DECONV_ORACLE_EVALUATE_H_
