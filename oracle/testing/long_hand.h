// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic by long hand, for tests. A number is a string of binary places, each of which holds any count, and carries
// are computed place by place. It shares nothing with the sums that it checks.

#ifndef DECONV_ORACLE_TESTING_LONG_HAND_H_
#define DECONV_ORACLE_TESTING_LONG_HAND_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace oracle {

class LongHand {
 public:
  LongHand() : places_(kPlaces, 0) {}

  /// Adds sign * x * w, multiplied bit by bit. `x` and `w` are finite.
  void AddProduct(double x, double w, int sign = 1) {
    for (const int i : Ones(x)) {
      for (const int j : Ones(w)) places_[Index(i + j)] += sign * (std::signbit(x) != std::signbit(w) ? -1 : 1);
    }
  }

  void Add(double x, int sign = 1) { AddProduct(x, 1.0, sign); }

  void Add(const LongHand& other, int sign) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] += sign * other.places_[i];
  }

  /// The sign of the number: -1, 0 or 1.
  int Sign() const {
    std::int64_t carry = 0;
    bool any = false;
    for (const std::int64_t place : places_) {
      const std::int64_t digit = place + carry;
      any = any || (digit & 1) != 0;
      carry = (digit - (digit & 1)) / 2;
    }
    if (carry < 0) return -1;  // the sign, carried out at the top
    return any ? 1 : 0;
  }

 private:
  static constexpr int kLowest = -2200;
  static constexpr std::size_t kPlaces = 4600;

  static std::size_t Index(int place) { return static_cast<std::size_t>(place - kLowest); }

  /// The places of the ones of |x|.
  static std::vector<int> Ones(double x) {
    std::vector<int> ones;
    double rest = std::fabs(x);
    while (rest != 0) {
      const int place = std::ilogb(rest);
      ones.push_back(place);
      rest -= std::ldexp(1.0, place);  // exact: it takes away the highest one
    }
    return ones;
  }

  std::vector<std::int64_t> places_;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_LONG_HAND_H_
