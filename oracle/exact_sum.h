// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums floating-point products without rounding, as the reference for the rounded sums of libraries. ExactSum is a
// fixed-point number that is wide enough for any sum of products of f64. FloatTerms sums the products of one output
// with it, and fills a FloatSum (oracle/evaluate.h).

#ifndef DECONV_ORACLE_EXACT_SUM_H_
#define DECONV_ORACLE_EXACT_SUM_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/evaluate.h"
#include "oracle/float_bits.h"
#include "oracle/wide_integer.h"

namespace oracle {

/// An exact sum of magnitudes. A magnitude is an integer below 2^128 times a power of two of at least 2^kLowest. The
/// sum is an array of limbs, that is of 64-bit digits.
///
/// The width: the smallest product of two f64 is 2^-1074 * 2^-1074 = 2^-2148, and all products are below 2^2048. Fewer
/// than 2^63 products are added, so the sum is below 2^2111. That makes 2111 + 2148 = 4259 bits, or 67 limbs. One more
/// limb holds the upper part of an operand of 128 bits.
///
/// Example: 2^60 + 2^-60 - 2^60. In double the first addition rounds 2^-60 away, and the result is 0. Here bit b of
/// limb j stands for 2^(kLowest + 64 * j + b).
///   2^60 lies at position 60 + 2148 = 2208 = 64 * 34 + 32: bit 32 of limb 34.
///   2^-60 lies at position 2088 = 64 * 32 + 40: bit 40 of limb 32.
/// FloatTerms adds 2^60 and 2^-60 to `positive_`, and 2^60 to `negative_`. Nothing is lost.
/// FinishSum() subtracts one from the other. Bit 40 of limb 32 remains, so the sum is 2^-60.
class ExactSum {
 public:
  static constexpr int kLowest = -2148;  ///< see "The width" above
  static constexpr std::size_t kLimbs = 68;

  /// Adds magnitude * 2^exponent; `exponent` is at least kLowest.
  void Add(U128 magnitude, int exponent);
  void Add(const ExactSum& other);
  /// Sets this to this - other; `other` must not be greater.
  void Subtract(const ExactSum& other);
  bool Less(const ExactSum& other) const;
  void Clear();

  /// The highest 128 bits of the sum, as magnitude * 2^exponent, for RoundToBits. If any bit below the 128 is set, the
  /// lowest bit of `magnitude` is set, too. Rounding only needs to know whether some bit was dropped.
  struct LeadingBits {
    U128 magnitude = 0;
    int exponent = 0;
  };
  LeadingBits FindLeadingBits() const;

 private:
  /// Adds `value` to limb number `at`, and carries into the limbs above.
  void AddLimb(std::size_t at, std::uint64_t value);

  // Limbs outside [low_, high_) are 0.
  std::array<std::uint64_t, kLimbs> limbs_{};
  std::size_t low_ = kLimbs;
  std::size_t high_ = 0;
};

/// Sums the products of one output exactly, for any operands of a floating type.
class FloatTerms {
 public:
  /// Adds the product of data element `x` and filter element `w`.
  void Add(const FloatParts& x, const FloatParts& w);

  /// Rounds the sum of the products and fills `sum`, for an output of `type`.
  void FinishSum(ElementType type, FloatSum& sum) const;

  void Clear();

 private:
  /// Records the product of `x` and `w`, of which at least one is NaN or infinite.
  void AddNonFinite(const FloatParts& x, const FloatParts& w);

  std::int64_t taps_ = 0;  ///< the number of products
  ExactSum positive_;      ///< the magnitudes of the positive products
  ExactSum negative_;      ///< the magnitudes of the negative products
  ExactSum subnormal_;     ///< the magnitudes of the products with a subnormal operand
  bool has_nonzero_product_ = false;
  int quantum_ = 0;  ///< 2^quantum_ is the largest power of two that divides all products, if has_nonzero_product_
  // Whether some product is +infinity, -infinity, NaN, or infinity * subnormal.
  bool has_plus_infinity_ = false;
  bool has_minus_infinity_ = false;
  bool has_nan_ = false;
  bool subnormal_by_infinity_ = false;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_EXACT_SUM_H_
