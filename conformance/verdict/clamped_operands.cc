// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs of a backend that declares that it clamps infinities. Replaces infinite operands by the largest finite
// number of their sign, and asks the oracle for the exact sums.

#include <bit>
#include <cmath>
#include <cstddef>
#include <span>

#include "conformance/verdict/declared_arithmetic.h"
#include "conformance/verdict/element.h"
#include "oracle/float_bits.h"
#include "oracle/operands.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// The elements with clamped infinities. A tensor with infinities is always kept in the bits of its type. The bits of
/// the largest finite number are one less than those of infinity.
std::vector<std::byte> Clamped(std::span<const std::byte> raw, ElementType type) {
  std::vector<std::byte> clamped(raw.begin(), raw.end());
  const std::size_t bytes = oracle::ElementBytes(type);
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  for (std::size_t at = 0; at < clamped.size(); at += bytes) {
    const std::uint64_t bits = oracle::LoadBits(clamped.data() + at, bytes);
    if ((bits & ~sign) != oracle::InfinityBits(false, type)) continue;
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::size_t byte = std::endian::native == std::endian::little ? i : bytes - 1 - i;
      clamped[at + i] = static_cast<std::byte>((bits - 1) >> (8 * byte));
    }
  }
  return clamped;
}

}  // namespace

ClampedOperands::ClampedOperands(const oracle::Operands& operands, const Arithmetic& arithmetic)
    : arithmetic_(arithmetic), largest_(0) {
  const oracle::Operands::Decoded& decoded = operands.decoded();
  const ElementType type = decoded.geometry.type;
  largest_ = oracle::FloatValue(oracle::InfinityBits(false, type) - 1, type);
  const std::vector<std::byte> data = Clamped(decoded.data.raw, type);
  const std::vector<std::byte> filter = Clamped(decoded.filter.raw, type);
  const bool of_data = data != decoded.data.raw;
  const bool of_filter = filter != decoded.filter.raw;
  if (of_data) clamped_.emplace_back(oracle::Operands(decoded.geometry, data, decoded.filter.raw));
  if (of_filter) clamped_.emplace_back(oracle::Operands(decoded.geometry, decoded.data.raw, filter));
  if (of_data && of_filter) clamped_.emplace_back(oracle::Operands(decoded.geometry, data, filter));
}

bool ClampedOperands::Explains(std::uint64_t bits, std::int64_t flat) {
  const double got = oracle::FloatValue(bits, arithmetic_.type);
  for (SlabOfSums& clamped : clamped_) {
    const oracle::FloatSum& sum = clamped.At(flat);
    if (sum.special != oracle::Special::kNone || !BoundOf(sum, arithmetic_).anything) {
      if (JudgeOutput(sum, bits, arithmetic_).verdict == OutputVerdict::kRight) return true;
      continue;
    }
    // Sums of such numbers overflow. Then not every value is right, but an infinity or the number that stands for it.
    // Without products of both signs, the sign is known. Both numbers are rounded.
    constexpr double kAlmostOne = 1 - 0x1p-30;
    const bool has_one_sign = std::abs(sum.sum) >= kAlmostOne * sum.magnitude;
    if (std::abs(got) >= largest_ && (!has_one_sign || std::signbit(got) == std::signbit(sum.sum))) return true;
  }
  return false;
}

}  // namespace conformance
