// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts between doubles and the bits of tensor elements. f16 is encoded by hand, because C++20 has no type for it.

#include "conformance/verdict/properties/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "conformance/verdict/bound.h"
#include "oracle/float_bits.h"

namespace conformance::properties {
namespace {

using oracle::ElementType;

std::uint64_t HalfBits(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // the fraction is in [1/2, 1)
  // f16 has 10 bits of fraction, and its exponents have a bias of 15.
  constexpr int kFractionBits = 10;
  constexpr int kBias = 15;
  const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, kFractionBits + 1));
  const int biased = exponent - 1 + kBias;
  const std::uint64_t sign = value < 0 ? 1 : 0;
  return sign << 15 | static_cast<std::uint64_t>(biased) << kFractionBits | (significand & ((1U << kFractionBits) - 1));
}

std::uint64_t BitsOf(ElementType type, double value) {
  switch (type) {
    case ElementType::kF64:
      return std::bit_cast<std::uint64_t>(value);
    case ElementType::kF32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ElementType::kBf16:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
    case ElementType::kF16:
      return HalfBits(value);
    default:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

double ValueOf(ElementType type, std::uint64_t bits) {
  if (oracle::IsFloat(type)) return oracle::FloatValue(bits, type);
  if (!oracle::IsSigned(type)) return static_cast<double>(bits);
  const auto shift = static_cast<int>(64 - 8 * oracle::ElementBytes(type));
  return static_cast<double>(static_cast<std::int64_t>(bits << shift) >> shift);
}

}  // namespace

void Encode(ElementType type, std::span<const double> values, std::span<std::byte> elements) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t bytes = oracle::ElementBytes(type);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = BitsOf(type, values[i]);
    std::memcpy(elements.data() + i * bytes, &bits, bytes);
  }
}

std::vector<double> Decode(ElementType type, std::span<const std::byte> elements) {
  const std::size_t bytes = oracle::ElementBytes(type);
  std::vector<double> values(elements.size() / bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = ValueOf(type, oracle::LoadBits(elements.data() + i * bytes, bytes));
  }
  return values;
}

double LargestExactSum(ElementType type) {
  if (oracle::IsFloat(type)) return std::ldexp(1.0, oracle::FormatOf(type).precision);
  // Laws compute in double: 2^53 bounds the 64-bit integers too.
  const int bits = static_cast<int>(8 * oracle::ElementBytes(type)) - (oracle::IsSigned(type) ? 1 : 0);
  return std::ldexp(1.0, std::min(bits, 53)) - 1;
}

}  // namespace conformance::properties
