// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Signed 64-bit arithmetic that remembers an overflow, for sizes of operators: a caller may give huge ones. Also the
// floor division `//` of specifications with its remainder, and numbers that are rounded up.
#ifndef DECONV_KERNEL_BASE_CHECKED_H_
#define DECONV_KERNEL_BASE_CHECKED_H_

#include <cstdint>

namespace deconv {

// A number that may have overflowed. A result is invalid if an operand is. So a formula is written as in the document,
// and only its result is checked.
class Checked {
 public:
  constexpr Checked(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  constexpr bool Valid() const { return valid_; }
  constexpr int64_t Value() const { return value_; }

  friend constexpr Checked operator+(Checked a, Checked b) {
    Checked sum(0);
    sum.valid_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.valid_ && b.valid_;
    return sum;
  }
  friend constexpr Checked operator-(Checked a, Checked b) {
    Checked difference(0);
    difference.valid_ = !__builtin_sub_overflow(a.value_, b.value_, &difference.value_) && a.valid_ && b.valid_;
    return difference;
  }
  friend constexpr Checked operator*(Checked a, Checked b) {
    Checked product(0);
    product.valid_ = !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.valid_ && b.valid_;
    return product;
  }

 private:
  int64_t value_;
  bool valid_ = true;
};

// Returns dividend / divisor, rounded toward minus infinity; divisor > 0.
constexpr int64_t FloorDiv(int64_t dividend, int64_t divisor) {
  return dividend / divisor - (dividend % divisor < 0 ? 1 : 0);
}

// Returns the remainder of FloorDiv, from 0 to divisor - 1; divisor > 0.
constexpr int64_t FloorMod(int64_t dividend, int64_t divisor) {
  const int64_t rest = dividend % divisor;
  return rest < 0 ? rest + divisor : rest;
}

// Returns ceil(value / unit) for value >= 0. It never overflows, because it adds nothing to `value`.
constexpr int64_t DivideUp(int64_t value, int64_t unit) { return value / unit + (value % unit != 0 ? 1 : 0); }
constexpr int64_t RoundUp(int64_t value, int64_t unit) { return DivideUp(value, unit) * unit; }

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_CHECKED_H_
