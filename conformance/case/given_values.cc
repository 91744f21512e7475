// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints and parses tensor values that stand in a case line, the one-line text of a test. Reads .npy files and checks
// their hash, and filters from raw little-endian elements at an offset of a file. Fills data and filter of a case from
// whichever source the case names.

#include "conformance/case/given_values.h"

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/element_bits.h"
#include "conformance/case/npy_file.h"
#include "conformance/case/text/fnv.h"
#include "conformance/case/text/names.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::ElementType;

// Whether EncodeText keeps the character. Other characters have a meaning in a case line or in a shell.
bool IsPlainCharacter(char c) { return IsAlphanumeric(c) || c == '.' || c == '_' || c == '/' || c == '-' || c == '+'; }

// The most characters of a list of plain decimal numbers. Each number of a longer list gets its shortest text, so that
// a printed line has at most the 64 KiB of a parsed one. An eighth of 64 KiB is a guess.
constexpr std::size_t kMostDecimalCharacters = 8192;

std::uint64_t AllBitsSet(ElementType type) {
  const std::size_t bits = 8 * oracle::ElementBytes(type);
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// The number, or nullopt if the text has anything but one number that fits the type.
template <class Number>
std::optional<Number> Parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The bits of a finite decimal number. nullopt if the text is no such number, or if f16 or bf16 would round it.
std::optional<std::uint64_t> FloatBits(std::string_view text, ElementType type) {
  if (type == ElementType::kF32) {
    const auto value = Parsed<float>(text);
    return value && std::isfinite(*value) ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(*value))
                                          : std::nullopt;
  }
  const auto value = Parsed<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(*value);
  if (type == ElementType::kF64) return bits;
  const oracle::FloatParts parts = oracle::DecodeFloat(bits, ElementType::kF64);
  const std::uint64_t rounded = oracle::RoundToBits(parts.negative, oracle::U128{parts.significand}, parts.exponent,
                                                    type, oracle::Rounding::kNearest);
  return oracle::FloatValue(rounded, type) == *value ? std::optional(rounded) : std::nullopt;
}

/// The bits of an element that is written as "0x" and its bits, or as a decimal number; nullopt if the text is neither.
std::optional<std::uint64_t> ElementBitsOf(std::string_view text, ElementType type) {
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    const bool fits = error == std::errc() && end == text.data() + text.size() && bits <= AllBitsSet(type);
    return fits ? std::optional(bits) : std::nullopt;
  }
  if (oracle::IsFloat(type)) return FloatBits(text, type);
  if (type == ElementType::kU64) return Parsed<std::uint64_t>(text);
  const auto value = Parsed<std::int64_t>(text);
  if (!value || !oracle::HoldsInteger(type, *value)) return std::nullopt;
  return static_cast<std::uint64_t>(*value) & AllBitsSet(type);
}

/// The text of an element: decimal if ElementBitsOf reads the same bits back from it, else hexadecimal bits. With
/// `shortest`, hexadecimal also if it is shorter.
std::string ElementText(std::uint64_t bits, ElementType type, bool shortest) {
  std::string text;
  if (type == ElementType::kF32) {
    text = fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  } else if (oracle::IsFloat(type)) {
    text = fmt::format("{}", oracle::FloatValue(bits, type));
  } else if (!oracle::IsSigned(type)) {
    text = fmt::format("{}", bits);
  } else {
    // The two shifts copy the sign bit of the type to all bits above it.
    const auto unused = static_cast<int>(64 - 8 * oracle::ElementBytes(type));
    text = fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
  }
  // The texts of NaN and infinity are not read back, so that these values become hexadecimal.
  const std::string hexadecimal = fmt::format("0x{:x}", bits);
  const bool shorter = shortest && hexadecimal.size() < text.size();
  return ElementBitsOf(text, type) == bits && !shorter ? text : hexadecimal;
}

bool HasValues(ElementType type) { return type != ElementType::kBoolean && type != ElementType::kString; }

/// Reads a whole file of at most `most_bytes` of values and a header of 64 KiB. On failure: nullopt, and `error` is
/// set.
std::optional<std::string> ReadNpyFile(const std::string& path, std::uint64_t most_bytes, std::string& error) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::is_regular_file(status)) {
    error = fmt::format("{}: is no file that can be read; expected a .npy file", path);
    return std::nullopt;
  }
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  constexpr std::uint64_t kHeader = 1 << 16;  // the longest of version 1.0 of the format
  if (code || size > most_bytes + kHeader) {
    error = fmt::format("{}: has {} bytes, expected a .npy file of at most {} bytes of values", path, size, most_bytes);
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    error = fmt::format("{}: cannot be read: {}", path, std::strerror(errno));
    return std::nullopt;
  }
  return std::move(text).str();
}

/// Rounds stored values of one floating type to another type.
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

/// Fills `target` with the values of tensor `which` ("data" or "filter"), which has the shape `dims`. Returns an empty
/// string, or what is wrong with the values.
std::string FillGiven(const GivenValues& values, ElementType type, const oracle::Dims& dims, std::string_view which,
                      std::span<std::byte> target) {
  auto read = ReadGivenValues(values, type, target.size());
  if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
  const auto& tensor = std::get<TensorValues>(read);
  const bool fits =
      std::holds_alternative<InlineValues>(values) ? tensor.bytes.size() == target.size() : tensor.dims == dims;
  if (!fits || tensor.bytes.size() != target.size()) {
    return fmt::format("the {} values have {} elements, the tensor has the shape [{}] with {}", which,
                       tensor.bytes.size() / oracle::ElementBytes(type), fmt::join(dims, ","),
                       target.size() / oracle::ElementBytes(type));
  }
  if (!target.empty()) std::memcpy(target.data(), tensor.bytes.data(), target.size());
  return {};
}

}  // namespace

std::string EncodeText(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (IsPlainCharacter(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string ToText(const GivenValues& values, ElementType type) {
  if (const auto* npy = std::get_if<NpyValues>(&values)) {
    return fmt::format("{}@h{:016x}", EncodeText(npy->path), npy->hash);
  }
  const std::vector<std::uint64_t>& elements = std::get<InlineValues>(values).bits;
  const auto joined = [&](bool shortest) {
    std::string text;
    for (const std::uint64_t bits : elements) {
      if (!text.empty()) text += ',';
      text += ElementText(bits, type, shortest);
    }
    return text;
  };
  std::string text = joined(false);
  return text.size() <= kMostDecimalCharacters ? text : joined(true);
}

std::variant<InlineValues, std::string> ParseInline(std::string_view text, ElementType type) {
  if (!HasValues(type)) return fmt::format("{} has no values, expected no such field", oracle::ElementTypeName(type));
  InlineValues values;
  while (!text.empty()) {
    if (values.bits.size() == kMostInlineValues) {
      return fmt::format("found more than {0} values, expected at most {0}, or a .npy file", kMostInlineValues);
    }
    const std::size_t comma = text.find(',');
    const std::string_view element = text.substr(0, comma);
    const auto bits = ElementBitsOf(element, type);
    if (!bits) {
      return fmt::format("found '{}', expected a finite {} that the type holds, or its bits as 0x and digits",
                         element.substr(0, 48), oracle::ElementTypeName(type));
    }
    values.bits.push_back(*bits);
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::string("found nothing after the last ',', expected a value");
  }
  return values;
}

InlineValues InlineOf(std::span<const std::byte> bytes, ElementType type) {
  InlineValues values;
  const std::size_t element = oracle::ElementBytes(type);
  for (std::size_t i = 0; i + element <= bytes.size(); i += element) {
    values.bits.push_back(oracle::LoadBits(bytes.data() + i, element));
  }
  return values;
}

std::variant<TensorValues, std::string> ReadGivenValues(const GivenValues& values, ElementType type,
                                                        std::uint64_t most_bytes) {
  TensorValues tensor;
  if (const auto* given = std::get_if<InlineValues>(&values)) {
    tensor.dims = {static_cast<std::int64_t>(given->bits.size())};
    tensor.bytes.resize(given->bits.size() * oracle::ElementBytes(type));
    Fill(type, tensor.bytes, [&](std::uint64_t i) { return given->bits[static_cast<std::size_t>(i)]; });
    return tensor;
  }
  const auto& npy = std::get<NpyValues>(values);
  std::string error;
  const auto file = ReadNpyFile(npy.path, most_bytes, error);
  if (!file) return error;
  Fnv1a hash;
  hash.Add(*file);
  if (hash.value() != npy.hash) {
    return fmt::format(
        "{}: has the hash h{:016x}, but the case line says h{:016x}: the file is another one, or changed", npy.path,
        hash.value(), npy.hash);
  }
  auto parsed = ParseNpy(*file);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return fmt::format("{}: {}", npy.path, *wrong);
  auto& read = std::get<NpyTensor>(parsed);
  if (!IsNpyTypeOf(read.type, type)) {
    return fmt::format("{}: has elements of type '{}', the case needs {}", npy.path, read.type,
                       oracle::ElementTypeName(type));
  }
  return TensorValues{std::move(read.dims), std::move(read.bytes)};
}

std::string FillOperands(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> data,
                         std::span<std::byte> filter) {
  if (test_case.given_data) {
    std::string error = FillGiven(*test_case.given_data, geometry.type, test_case.op.data.dims, "data", data);
    if (!error.empty()) return error;
    KeepDataOnly(test_case, geometry, data);
  } else {
    FillData(test_case, geometry, data);
  }
  if (test_case.given_filter) {
    return FillGiven(*test_case.given_filter, geometry.type, test_case.op.filter.dims, "filter", filter);
  }
  if (test_case.filter_values) return ReadFilter(*test_case.filter_values, geometry, filter);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
  return {};
}

bool HasFiles(const Case& test_case) {
  const auto is_file = [](const std::optional<GivenValues>& values) {
    return values && std::holds_alternative<NpyValues>(*values);
  };
  return test_case.filter_values || is_file(test_case.given_data) || is_file(test_case.given_filter) ||
         is_file(test_case.recorded);
}

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
