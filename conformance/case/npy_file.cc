// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the header of a .npy file, which is a Python dict of three keys, and reorders the elements: little-endian, in
// C order. Example: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }

#include "conformance/case/npy_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace conformance {
namespace {

constexpr std::size_t kMostDims = 64;  // the limit of NumPy 2

/// Parses the header's text, and stops at the first fault.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  std::string type;  ///< the type with its byte order
  bool fortran_order = false;
  oracle::Dims dims;

  /// Returns an empty string, or what is wrong with the file.
  std::string Parse() {
    if (!Accept('{')) return Expected("'{'");
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    while (!Accept('}')) {
      const std::optional<std::string> key = Quoted();
      if (!key || !Accept(':')) return Expected("'descr', 'fortran_order' or 'shape'");
      if (*key == "descr" && !has_type) {
        has_type = true;
        const std::optional<std::string> value = Quoted();
        if (!value) return Expected("a simple type such as '<f4'");
        type = *value;
      } else if (*key == "fortran_order" && !has_order) {
        has_order = true;
        fortran_order = AcceptWord("True");
        if (!fortran_order && !AcceptWord("False")) return Expected("True or False");
      } else if (*key == "shape" && !has_shape) {
        has_shape = true;
        if (std::string error = ParseShape(); !error.empty()) return error;
      } else {
        return fmt::format("the header has the key '{}', expected 'descr', 'fortran_order' and 'shape' once each",
                           key->substr(0, 20));
      }
      if (!Accept(',') && !rest_.starts_with('}')) return Expected("',' or '}'");
    }
    if (!has_type || !has_order || !has_shape) return "the header lacks 'descr', 'fortran_order' or 'shape'";
    SkipBlanks();
    return rest_.empty() ? "" : Expected("nothing after '}'");
  }

 private:
  std::string Expected(std::string_view what) const {
    return fmt::format("the header has {} bytes left, expected {} there", rest_.size(), what);
  }
  void SkipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }
  /// Whether the character is next. If so, it is skipped.
  bool Accept(char c) {
    SkipBlanks();
    const bool found = rest_.starts_with(c);
    if (found) rest_.remove_prefix(1);
    SkipBlanks();
    return found;
  }
  bool AcceptWord(std::string_view word) {
    const bool found = rest_.starts_with(word);
    if (found) rest_.remove_prefix(word.size());
    return found;
  }
  /// The text between two quotation marks; nullopt if none begins here.
  std::optional<std::string> Quoted() {
    const char quote = rest_.empty() ? ' ' : rest_.front();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    SkipBlanks();
    return text;
  }
  /// Parses a tuple of sizes, such as (2, 3) or (3,). Returns an empty string, or what is wrong with it.
  std::string ParseShape() {
    if (!Accept('(')) return Expected("'(' of a shape");
    while (!Accept(')')) {
      std::int64_t dim = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), dim);
      if (error != std::errc() || dim < 0) return Expected("a size of at least 0");
      if (dims.size() == kMostDims) return fmt::format("the shape has more than {} sizes", kMostDims);
      dims.push_back(dim);
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      AcceptWord("L");  // the suffix of Python 2's long integers
      if (!Accept(',') && !rest_.starts_with(')')) return Expected("',' or ')'");
    }
    return "";
  }

  std::string_view rest_;
};

/// The size in bytes of an element of a type such as "f4"; 0 if the type is no simple number.
std::size_t BytesOf(std::string_view type) {
  if (type.size() != 2 || std::string_view("iufbV").find(type[0]) == std::string_view::npos) return 0;
  const char digit = type[1];
  return digit == '1' || digit == '2' || digit == '4' || digit == '8' ? static_cast<std::size_t>(digit - '0') : 0;
}

/// Reorders elements of `element_bytes` each from Fortran order (first index fastest) to C order (last index fastest).
std::vector<std::byte> InCOrder(const std::vector<std::byte>& bytes, const oracle::Dims& dims,
                                std::size_t element_bytes) {
  std::vector<std::byte> ordered(bytes.size());
  oracle::Dims indices(dims.size(), 0);
  for (std::size_t i = 0; i * element_bytes < ordered.size(); ++i) {
    std::size_t from = 0;
    for (std::size_t d = dims.size(); d-- > 0;) {
      from = from * static_cast<std::size_t>(dims[d]) + static_cast<std::size_t>(indices[d]);
    }
    std::memcpy(ordered.data() + i * element_bytes, bytes.data() + from * element_bytes, element_bytes);
    // Counts the indices up as an odometer does: the last index moves first, and a full index returns to 0.
    for (std::size_t d = dims.size(); d-- > 0 && ++indices[d] == dims[d];) indices[d] = 0;
  }
  return ordered;
}

}  // namespace

std::variant<NpyTensor, std::string> ParseNpy(std::string_view file) {
  // A file is: the magic, two bytes of version, the header's length (2 bytes in version 1, else 4), header, values.
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!file.starts_with(kMagic) || file.size() < 10) return std::string("is no .npy file: it does not begin so");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(file[i])); };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) return fmt::format("has version {}, expected 1, 2 or 3", version);
  const std::size_t header_begin = version == 1 ? 10 : 12;
  if (file.size() < header_begin) return std::string("ends within its header");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version != 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > file.size() - header_begin) return std::string("ends within its header");
  HeaderParser header(file.substr(header_begin, length));
  if (std::string error = header.Parse(); !error.empty()) return error;

  const char order = header.type.empty() ? ' ' : header.type.front();
  NpyTensor tensor;
  tensor.type = header.type.substr(std::string_view("<>|=").find(order) == std::string_view::npos ? 0 : 1);
  const std::size_t element_bytes = BytesOf(tensor.type);
  if (element_bytes == 0 || (element_bytes > 1 && order != '<' && order != '>' && tensor.type[0] != 'V')) {
    return fmt::format("has elements of type '{}', expected a number such as '<f4' or '|i1'",
                       header.type.substr(0, 20));
  }
  tensor.dims = std::move(header.dims);
  const std::string_view values = file.substr(header_begin + length);
  // A product that overflows becomes 2^63 - 1, which no file has.
  std::uint64_t bytes = element_bytes;
  for (const std::int64_t dim : tensor.dims) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dim), &bytes)) bytes = ~std::uint64_t{0} >> 1;
    if (dim == 0) {
      bytes = 0;
      break;
    }
  }
  if (values.size() != bytes) {
    return fmt::format("has {} bytes of values, but its shape and type need {}", values.size(), bytes);
  }
  tensor.bytes.resize(values.size());
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), values.size());
  if (order == '>') {
    for (auto at = tensor.bytes.begin(); at != tensor.bytes.end(); at += static_cast<std::ptrdiff_t>(element_bytes)) {
      std::reverse(at, at + static_cast<std::ptrdiff_t>(element_bytes));
    }
  }
  if (header.fortran_order) tensor.bytes = InCOrder(tensor.bytes, tensor.dims, element_bytes);
  return tensor;
}

bool IsNpyTypeOf(const std::string& npy_type, oracle::ElementType type) {
  using oracle::ElementType;
  if (type == ElementType::kBf16) return npy_type == "u2" || npy_type == "V2";
  if (type == ElementType::kBoolean || type == ElementType::kString) return false;
  const char kind = oracle::IsFloat(type) ? 'f' : oracle::IsSigned(type) ? 'i' : 'u';
  return npy_type == fmt::format("{}{}", kind, oracle::ElementBytes(type));
}

}  // namespace conformance
