// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads single elements of a tensor, for comparisons and their messages. Tensors are dense and little endian.

#include "conformance/verdict/element.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "oracle/float_bits.h"

namespace conformance {

oracle::Dims CoordinateOf(std::int64_t flat, const oracle::Dims& dims) {
  oracle::Dims coordinate(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    coordinate[i] = flat % dims[i];
    flat /= dims[i];
  }
  return coordinate;
}

std::uint64_t ElementBits(std::span<const std::byte> tensor, std::int64_t index, std::size_t element_bytes) {
  std::uint64_t bits = 0;  // little endian: the low bytes
  std::memcpy(&bits, tensor.data() + static_cast<std::size_t>(index) * element_bytes, element_bytes);
  return bits;
}

std::string ElementText(std::uint64_t bits, oracle::ElementType type) {
  if (oracle::IsFloat(type)) {
    if (std::isnan(oracle::FloatValue(bits, type))) return "nan";  // its sign and payload mean nothing
    // With so many decimal digits, neighbouring numbers have different texts: a bit is 0.3 decimal digits.
    const int digits = oracle::FormatOf(type).precision * 3 / 10 + 2;
    return fmt::format("{:.{}g}", oracle::FloatValue(bits, type), digits);
  }
  if (!oracle::IsSigned(type)) return fmt::format("{}", bits);
  return fmt::format("{}", SignExtended(bits, type));
}

std::int64_t SignExtended(std::uint64_t bits, oracle::ElementType type) {
  // The two shifts copy the sign bit of the type to all bits above it.
  const auto unused = static_cast<int>(64 - 8 * oracle::ElementBytes(type));
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace conformance
