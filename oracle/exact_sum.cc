// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements ExactSum, an exact sum of magnitudes, by long addition and subtraction of limbs (64-bit digits).
// Implements FloatTerms, which adds the products of one output to such sums and rounds them once, at the end.

#include "oracle/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace oracle {

void ExactSum::AddLimb(std::size_t at, std::uint64_t value) {
  while (value != 0) {
    assert(at < kLimbs);
    limbs_[at] += value;
    value = limbs_[at] < value ? 1 : 0;  // the carry: the limb has wrapped if it is now smaller than `value`
    high_ = std::max(high_, at + 1);
    ++at;
  }
}

void ExactSum::Add(U128 magnitude, int exponent) {
  if (magnitude == 0) return;
  assert(exponent >= kLowest);
  const auto position = static_cast<std::size_t>(exponent - kLowest);
  const std::size_t at = position / 64;
  const int shift = static_cast<int>(position % 64);
  assert(at + 2 < kLimbs);
  low_ = std::min(low_, at);
  high_ = std::max(high_, at + 3);
  // The shifted magnitude has 192 bits: `upper` and the two limbs of `lower`. `upper` is magnitude >> (128 - shift).
  // `shift` may be 0, and a shift by 128 bits is undefined. So three shifts replace it: by 64, by 1 and by 63 - shift
  // bits. The upper half of `limb` is the carry into the next limb.
  const U128 lower = magnitude << shift;
  const auto upper = static_cast<std::uint64_t>(magnitude >> 64 >> 1 >> (63 - shift));
  U128 limb = U128{limbs_[at]} + static_cast<std::uint64_t>(lower);
  limbs_[at] = static_cast<std::uint64_t>(limb);
  limb = U128{limbs_[at + 1]} + static_cast<std::uint64_t>(lower >> 64) + (limb >> 64);
  limbs_[at + 1] = static_cast<std::uint64_t>(limb);
  limb = U128{limbs_[at + 2]} + upper + (limb >> 64);
  limbs_[at + 2] = static_cast<std::uint64_t>(limb);
  AddLimb(at + 3, static_cast<std::uint64_t>(limb >> 64));
}

void ExactSum::Add(const ExactSum& other) {
  low_ = std::min(low_, other.low_);
  for (std::size_t i = other.low_; i < other.high_; ++i) AddLimb(i, other.limbs_[i]);
}

void ExactSum::Subtract(const ExactSum& other) {
  assert(!Less(other));
  std::uint64_t borrow = 0;
  low_ = std::min(low_, other.low_);
  for (std::size_t i = other.low_; i < std::max(high_, other.high_); ++i) {
    const std::uint64_t difference = limbs_[i] - other.limbs_[i];
    const std::uint64_t after_borrow = difference - borrow;
    borrow = (limbs_[i] < other.limbs_[i] || difference < borrow) ? 1 : 0;
    limbs_[i] = after_borrow;
  }
}

bool ExactSum::Less(const ExactSum& other) const {
  for (std::size_t i = std::max(high_, other.high_); i-- > 0;) {
    if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i];
  }
  return false;
}

void ExactSum::Clear() {
  if (low_ < high_) std::fill(limbs_.begin() + low_, limbs_.begin() + high_, 0);
  low_ = kLimbs;
  high_ = 0;
}

ExactSum::LeadingBits ExactSum::FindLeadingBits() const {
  std::size_t top = high_;
  while (top > low_ && limbs_[top - 1] == 0) --top;
  if (top <= low_) return {};
  // The highest three limbs contain the highest 128 bits, at any position of the highest bit within its limb.
  const auto limb_below_highest = [&](std::size_t n) { return top > n ? limbs_[top - 1 - n] : 0; };
  const int shift = std::countl_zero(limb_below_highest(0));
  U128 magnitude = (U128{limb_below_highest(0)} << 64 | limb_below_highest(1)) << shift;
  std::uint64_t dropped = limb_below_highest(2);
  if (shift != 0) {
    magnitude |= dropped >> (64 - shift);
    dropped <<= shift;
  }
  bool drops_a_set_bit = dropped != 0;
  for (std::size_t i = low_; !drops_a_set_bit && i + 3 < top; ++i) drops_a_set_bit = limbs_[i] != 0;
  if (drops_a_set_bit) magnitude |= 1;
  return {.magnitude = magnitude, .exponent = kLowest + 64 * (static_cast<int>(top) - 2) - shift};
}

void FloatTerms::AddNonFinite(const FloatParts& x, const FloatParts& w) {
  const bool has_zero =
      (x.kind == FloatClass::kFinite && x.significand == 0) || (w.kind == FloatClass::kFinite && w.significand == 0);
  const bool has_infinity = x.kind == FloatClass::kInfinity || w.kind == FloatClass::kInfinity;
  if (has_infinity && (x.subnormal || w.subnormal)) subnormal_by_infinity_ = true;
  if (x.kind == FloatClass::kNan || w.kind == FloatClass::kNan || has_zero) {
    has_nan_ = true;  // a NaN operand, or infinity * 0
  } else if (x.negative != w.negative) {
    has_minus_infinity_ = true;
  } else {
    has_plus_infinity_ = true;
  }
}

void FloatTerms::Add(const FloatParts& x, const FloatParts& w) {
  ++taps_;
  if (x.kind != FloatClass::kFinite || w.kind != FloatClass::kFinite) {
    AddNonFinite(x, w);
    return;
  }
  const U128 product = U128{x.significand} * w.significand;
  if (product == 0) return;
  const int exponent = x.exponent + w.exponent;
  const int quantum = exponent + TrailingZeros(product);
  quantum_ = has_nonzero_product_ ? std::min(quantum_, quantum) : quantum;
  has_nonzero_product_ = true;
  (x.negative != w.negative ? negative_ : positive_).Add(product, exponent);
  if (x.subnormal || w.subnormal) subnormal_.Add(product, exponent);
}

void FloatTerms::Clear() {
  positive_.Clear();
  negative_.Clear();
  subnormal_.Clear();
  taps_ = 0;
  has_nonzero_product_ = has_plus_infinity_ = has_minus_infinity_ = has_nan_ = subnormal_by_infinity_ = false;
}

void FloatTerms::FinishSum(ElementType type, FloatSum& sum) const {
  sum = FloatSum{.taps = taps_};
  sum.subnormal_by_infinity = subnormal_by_infinity_;
  // The sum of magnitudes, also beside infinite products.
  ExactSum magnitudes = positive_;
  magnitudes.Add(negative_);
  const ExactSum::LeadingBits magnitude = magnitudes.FindLeadingBits();
  if (has_nonzero_product_)
    sum.magnitude = RoundToDouble(false, magnitude.magnitude, magnitude.exponent, Rounding::kUp);
  if (has_nan_ || (has_plus_infinity_ && has_minus_infinity_)) {
    sum.special = Special::kNan;
    sum.bits = NanBits(type);
    return;
  }
  if (has_plus_infinity_ || has_minus_infinity_) {
    sum.special = has_plus_infinity_ ? Special::kPlusInfinity : Special::kMinusInfinity;
    sum.bits = InfinityBits(has_minus_infinity_, type);
    return;
  }
  if (!has_nonzero_product_) return;
  sum.quantum = PowerOfTwo(quantum_);

  const ExactSum::LeadingBits subnormal = subnormal_.FindLeadingBits();
  sum.subnormal = RoundToDouble(false, subnormal.magnitude, subnormal.exponent, Rounding::kUp);

  // The sum itself: the smaller one of positive_ and negative_ is subtracted from the larger one.
  const bool negative = positive_.Less(negative_);
  ExactSum difference = negative ? negative_ : positive_;
  difference.Subtract(negative ? positive_ : negative_);
  const ExactSum::LeadingBits leading = difference.FindLeadingBits();
  if (leading.magnitude == 0) return;  // `bits` stays +0.0
  sum.bits = RoundToBits(negative, leading.magnitude, leading.exponent, type, Rounding::kNearest);
  sum.sum = RoundToDouble(negative, leading.magnitude, leading.exponent, Rounding::kNearest);
  if (std::isinf(sum.sum)) return;

  // sum_rest is the exact sum minus its rounded value. It is rounded once, at the end.
  ExactSum rounded;
  const FloatParts parts = DecodeFloat(std::bit_cast<std::uint64_t>(sum.sum), ElementType::kF64);
  rounded.Add(parts.significand, parts.exponent);
  const bool away_from_0 = difference.Less(rounded);  // the sum was rounded away from 0, so the rest has the other sign
  ExactSum rest = away_from_0 ? rounded : difference;
  rest.Subtract(away_from_0 ? difference : rounded);
  const ExactSum::LeadingBits rest_leading = rest.FindLeadingBits();
  if (rest_leading.magnitude == 0) return;
  sum.sum_rest =
      RoundToDouble(negative != away_from_0, rest_leading.magnitude, rest_leading.exponent, Rounding::kNearest);
}

}  // namespace oracle
