// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums products without rounding. ExactSum is a fixed-point number wide enough for any sum of products of f64;
// FloatTerms holds what one output of a floating-point operator needs of such sums.

#ifndef DECONV_ORACLE_EXACT_SUM_H_
#define DECONV_ORACLE_EXACT_SUM_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/evaluate.h"
#include "oracle/float_bits.h"
#include "oracle/wide_integer.h"

namespace oracle {

/// A sum of magnitudes, each an integer below 2^128 times a power of two from 2^kLowest on.
///
/// The width: the smallest product of two f64 is 2^-1074 * 2^-1074 = 2^-2148, all are below 2^2048, and fewer than 2^63
/// of them are added, so that the sum is below 2^2111: 2111 + 2148 = 4259 bits, 67 limbs. One more limb takes the upper
/// part of an operand of 128 bits.
///
/// Example: 2^60 + 2^-60 - 2^60. In double the first addition rounds 2^-60 away, and the result is 0.
/// Here bit b of limb j stands for 2^(kLowest + 64 * j + b).
///   2^60 lies at position 60 + 2148 = 2208 = 64 * 34 + 32: bit 32 of limb 34.
///   2^-60 lies at position 2088 = 64 * 32 + 40: bit 40 of limb 32.
/// FloatTerms adds 2^60 and 2^-60 to `positive_`, and 2^60 to `negative_`. Nothing is lost.
/// Finish() subtracts one from the other. Bit 40 of limb 32 remains, so the sum is 2^-60.
class ExactSum {
 public:
  static constexpr int kLowest = -2148;
  static constexpr std::size_t kLimbs = 68;

  void Add(U128 magnitude, int exponent);
  void Add(const ExactSum& other);
  /// Sets this to this - other; `other` must not be greater.
  void Subtract(const ExactSum& other);
  bool Less(const ExactSum& other) const;
  void Clear();

  /// magnitude * 2^exponent as RoundToBits takes it: the highest 128 bits, all lower ones or-ed into the lowest.
  struct Top {
    U128 magnitude = 0;
    int exponent = 0;
  };
  Top Leading() const;

 private:
  void AddLimb(std::size_t at, std::uint64_t value);

  // Limbs outside [low_, high_) are 0.
  std::array<std::uint64_t, kLimbs> limbs_{};
  std::size_t low_ = kLimbs;
  std::size_t high_ = 0;
};

/// The terms of one output, of any operands of the floating types. Products come one by one, exact.
class FloatTerms {
 public:
  /// One product; `x` and `w` of the operator's type.
  void Add(const FloatParts& x, const FloatParts& w);

  /// Fills `sum` for an output of `type` (clauses V3 to V6).
  void Finish(ElementType type, FloatSum& sum) const;

  void Clear();

 private:
  void AddSpecial(const FloatParts& x, const FloatParts& w);

  std::int64_t taps_ = 0;
  ExactSum positive_;
  ExactSum negative_;
  ExactSum subnormal_;
  int quantum_ = 0;           ///< exponent; meaningful when any product is not 0
  bool any_product_ = false;  ///< some product is not 0
  bool plus_infinity_ = false;
  bool minus_infinity_ = false;
  bool nan_ = false;
  bool subnormal_by_infinity_ = false;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_EXACT_SUM_H_
