// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds and multiplies doubles exactly, bit by bit as with pencil and paper, for tests of the oracle's exact sums. A
// number is an array of counts: each says how often a power of two was added. Only Sign() carries from digit to digit.
// Example: 1 + 1 - 2 has the counts 2 for 2^0 and -1 for 2^1. Sign() carries 1 to 2^1, which gives 0. The class is slow
// and simple, and shares no code with the sums that it checks.

#ifndef DECONV_ORACLE_TESTING_LONG_HAND_H_
#define DECONV_ORACLE_TESTING_LONG_HAND_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace oracle {

/// A sum of products of doubles.
class LongHand {
 public:
  LongHand() : digits_(kDigits, 0) {}

  /// Adds sign * x * w, multiplied bit by bit. `x` and `w` are finite.
  void AddProduct(double x, double w, int sign = 1) {
    for (const int i : PowersOfTwoIn(x)) {
      for (const int j : PowersOfTwoIn(w))
        digits_[Index(i + j)] += sign * (std::signbit(x) != std::signbit(w) ? -1 : 1);
    }
  }

  /// Adds sign * x.
  void Add(double x, int sign = 1) { AddProduct(x, 1.0, sign); }

  /// Adds sign * other.
  void Add(const LongHand& other, int sign) {
    for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] += sign * other.digits_[i];
  }

  /// The sign of the number: -1, 0 or 1.
  int Sign() const {
    std::int64_t carry = 0;
    bool is_nonzero = false;
    for (const std::int64_t count : digits_) {
      const std::int64_t digit = count + carry;
      is_nonzero = is_nonzero || (digit & 1) != 0;
      carry = (digit - (digit & 1)) / 2;  // rounds down: a digit of -1 leaves the bit 1 and carries -1
    }
    if (carry < 0) return -1;  // a negative number leaves a carry of -1 above the highest digit
    return is_nonzero ? 1 : 0;
  }

 private:
  // Products lie between 2^-2148 and 2^2048. Digit i stands for 2^(kLowest + i), up to 2^2399; the upper ones hold the
  // carries.
  static constexpr int kLowest = -2200;
  static constexpr std::size_t kDigits = 4600;

  static std::size_t Index(int exponent) { return static_cast<std::size_t>(exponent - kLowest); }

  /// The exponents of the powers of two whose sum is |x|.
  static std::vector<int> PowersOfTwoIn(double x) {
    std::vector<int> ones;
    double rest = std::fabs(x);
    while (rest != 0) {
      const int exponent = std::ilogb(rest);
      ones.push_back(exponent);
      rest -= std::ldexp(1.0, exponent);  // exact: it clears the highest set bit
    }
    return ones;
  }

  std::vector<std::int64_t> digits_;  ///< the counts, the lowest power of two first
};

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_LONG_HAND_H_
