// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads filter values from a file: raw little-endian elements at an offset. Rounds them to the type of the filter if
// the file stores another floating type.

#include "conformance/case/filter_file.h"

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

void Convert(std::span<const std::byte> stored, ElementType from, ElementType to, std::span<std::byte> values) {
  const std::size_t from_bytes = oracle::ElementBytes(from);
  const std::size_t to_bytes = oracle::ElementBytes(to);
  for (std::size_t i = 0; i * to_bytes < values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, stored.data() + i * from_bytes, from_bytes);
    bits = ConvertFloat(bits, from, to);
    std::memcpy(values.data() + i * to_bytes, &bits, to_bytes);
  }
}

}  // namespace

std::uint64_t ConvertFloat(std::uint64_t bits, ElementType from, ElementType to) {
  const oracle::FloatParts parts = oracle::DecodeFloat(bits, from);
  if (parts.kind == oracle::FloatClass::kNan) return oracle::NanBits(to);
  if (parts.kind == oracle::FloatClass::kInfinity) return oracle::InfinityBits(parts.negative, to);
  return oracle::RoundToBits(parts.negative, parts.significand, parts.exponent, to, oracle::Rounding::kNearest);
}

bool CanConvert(ElementType from, ElementType to) { return oracle::IsFloat(from) && oracle::IsFloat(to); }

std::string ReadFilter(const FileValues& source, const oracle::Geometry& geometry, std::span<std::byte> filter) {
  const ElementType stored_as = source.stored_as.value_or(geometry.type);
  if (stored_as != geometry.type && !CanConvert(stored_as, geometry.type)) {
    return fmt::format("{}: filter stored as {} for {}: expected two floating types", source.path,
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
  if (stored_as != geometry.type) Convert(stored, stored_as, geometry.type, filter);
  return {};
}

}  // namespace conformance
