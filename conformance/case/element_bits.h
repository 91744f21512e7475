// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the bits of tensor elements: small integers in every type, and floats from sign, exponent and fraction. Fills
// tensors with such bits.

#ifndef DECONV_CONFORMANCE_CASE_ELEMENT_BITS_H_
#define DECONV_CONFORMANCE_CASE_ELEMENT_BITS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "oracle/element_type.h"

namespace conformance {

/// Each integer of magnitude up to 2^ExactBits is exact in a floating type; in an integer type each one below it is.
/// Examples: 11 for f16, 7 for i8, 8 for u8.
inline int ExactBits(oracle::ElementType type) {
  if (oracle::IsFloat(type)) return oracle::FormatOf(type).precision;
  return static_cast<int>(oracle::ElementBytes(type)) * 8 - (oracle::IsSigned(type) ? 1 : 0);
}

/// The bits of a small non-zero integer in a type. The type must represent it exactly: nothing is rounded.
inline std::uint64_t SmallInteger(oracle::ElementType type, std::int64_t value) {
  if (!oracle::IsFloat(type)) return static_cast<std::uint64_t>(value);
  const oracle::FloatFormat format = oracle::FormatOf(type);
  const std::uint64_t magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const int fraction_bits = format.precision - 1;
  const std::uint64_t sign = value < 0 ? 1 : 0;
  const std::uint64_t fraction = (magnitude << (fraction_bits - exponent)) & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto biased = static_cast<std::uint64_t>(exponent + format.max_exponent - 1);
  const int bits = static_cast<int>(oracle::ElementBytes(type)) * 8;
  return (sign << (bits - 1)) | (biased << fraction_bits) | fraction;
}

/// Puts sign, exponent and fraction of a floating type together. A fraction may have more bits than the type; only its
/// low bits count, so that any random number will do.
class FloatMaker {
 public:
  explicit FloatMaker(oracle::ElementType type)
      : format_(oracle::FormatOf(type)),
        fraction_bits_(format_.precision - 1),
        sign_shift_(static_cast<int>(oracle::ElementBytes(type)) * 8 - 1) {}

  const oracle::FloatFormat& format() const { return format_; }
  int fraction_bits() const { return fraction_bits_; }

  /// The number 2^exponent * (1 + fraction / 2^fraction_bits), or its negative.
  std::uint64_t Normal(bool negative, int exponent, std::uint64_t fraction) const {
    const auto biased = static_cast<std::uint64_t>(exponent + format_.max_exponent - 1);
    return Signed(negative, (biased << fraction_bits_) | Fraction(fraction));
  }
  /// A number below the normal range, never zero.
  std::uint64_t Subnormal(bool negative, std::uint64_t fraction) const {
    return Signed(negative, std::max<std::uint64_t>(Fraction(fraction), 1));
  }
  std::uint64_t Zero(bool negative) const { return Signed(negative, 0); }
  std::uint64_t Infinity(bool negative) const {
    return Signed(negative, static_cast<std::uint64_t>(2 * format_.max_exponent - 1) << fraction_bits_);
  }
  std::uint64_t Nan() const { return Infinity(false) | (std::uint64_t{1} << (fraction_bits_ - 1)); }

 private:
  std::uint64_t Fraction(std::uint64_t draw) const { return draw & ((std::uint64_t{1} << fraction_bits_) - 1); }
  std::uint64_t Signed(bool negative, std::uint64_t bits) const {
    return bits | (static_cast<std::uint64_t>(negative) << sign_shift_);
  }

  oracle::FloatFormat format_;
  int fraction_bits_;
  int sign_shift_;
};

template <typename Word, typename Element>
void FillWords(std::span<std::byte> bytes, Element element) {
  const std::size_t count = bytes.size() / sizeof(Word);
  std::byte* out = bytes.data();
  for (std::size_t i = 0; i < count; ++i, out += sizeof(Word)) {
    const auto word = static_cast<Word>(element(static_cast<std::uint64_t>(i)));
    std::memcpy(out, &word, sizeof(Word));
  }
}

/// Fills a tensor; `element(index)` gives the bits of an element in the low bits of a uint64.
template <typename Element>
void Fill(oracle::ElementType type, std::span<std::byte> bytes, Element element) {
  switch (oracle::ElementBytes(type)) {
    case 1:
      return FillWords<std::uint8_t>(bytes, element);
    case 2:
      return FillWords<std::uint16_t>(bytes, element);
    case 4:
      return FillWords<std::uint32_t>(bytes, element);
    default:
      return FillWords<std::uint64_t>(bytes, element);
  }
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_ELEMENT_BITS_H_
