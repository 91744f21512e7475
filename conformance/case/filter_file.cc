// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the reading: raw little-endian elements at an offset of the file.

#include "conformance/case/filter_file.h"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// Widens f16 or bf16 to f32 or f64, or f32 to f64: exact, so that no rounding has to be chosen.
void Widen(std::span<const std::byte> stored, ElementType from, ElementType to, std::span<std::byte> values) {
  const std::size_t from_bytes = oracle::ElementBytes(from);
  const std::size_t to_bytes = oracle::ElementBytes(to);
  for (std::size_t i = 0; i * to_bytes < values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, stored.data() + i * from_bytes, from_bytes);
    const double value = oracle::FloatValue(bits, from);
    const std::uint64_t widened = to == ElementType::kF64 ? std::bit_cast<std::uint64_t>(value)
                                                          : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    std::memcpy(values.data() + i * to_bytes, &widened, to_bytes);
  }
}

}  // namespace

bool Widens(ElementType from, ElementType to) {
  const bool narrow = from == ElementType::kF16 || from == ElementType::kBf16;
  return (narrow && (to == ElementType::kF32 || to == ElementType::kF64)) ||
         (from == ElementType::kF32 && to == ElementType::kF64);
}

std::string ReadFilter(const FileValues& source, const oracle::Geometry& geometry, std::span<std::byte> filter) {
  const ElementType stored_as = source.stored_as.value_or(geometry.type);
  if (stored_as != geometry.type && !Widens(stored_as, geometry.type)) {
    return fmt::format("{}: filter stored as {}: cannot be converted exactly to {}", source.path,
                       oracle::ElementTypeName(stored_as), oracle::ElementTypeName(geometry.type));
  }
  const std::uint64_t bytes = geometry.FilterCount() * oracle::ElementBytes(stored_as);
  std::ifstream file(source.path, std::ios::binary);
  if (!file) return fmt::format("{}: cannot be opened: {}", source.path, std::strerror(errno));
  file.seekg(0, std::ios::end);
  const auto found = static_cast<std::uint64_t>(file.tellg());
  if (source.offset > found || bytes > found - source.offset) {
    return fmt::format("{}: too short: has {} bytes, the filter needs {} at offset {}", source.path, found, bytes,
                       source.offset);
  }
  file.seekg(static_cast<std::streamoff>(source.offset));
  std::vector<std::byte> stored;
  std::span<std::byte> target = filter;
  if (stored_as != geometry.type) {
    stored.resize(bytes);
    target = stored;
  }
  file.read(reinterpret_cast<char*>(target.data()), static_cast<std::streamsize>(bytes));
  if (!file) return fmt::format("{}: cannot read {} bytes at offset {}", source.path, bytes, source.offset);
  if (stored_as != geometry.type) Widen(stored, stored_as, geometry.type, filter);
  return {};
}

}  // namespace conformance
