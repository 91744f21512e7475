// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the search for a tensor's bytes, in the model and in files beside it.

#include "conformance/formats/onnx_weights.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/filter_file.h"
#include "conformance/formats/one_line.h"
#include "conformance/formats/onnx_type.h"

namespace conformance::formats {
namespace {

// A model may give a path of any length, for each of its layers.
constexpr std::size_t kLongestPath = 256;

/// Nothing if it does not fit 64 bits.
std::optional<std::uint64_t> BytesOf(const oracle::TensorType& tensor) {
  std::uint64_t bytes = oracle::ElementBytes(tensor.type);
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dim), &bytes)) return std::nullopt;
  }
  return bytes;
}

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::variant<FileValues, std::string> External(const OnnxTensor& tensor, std::uint64_t bytes,
                                               const std::filesystem::path& file) {
  std::string location;
  std::uint64_t offset = 0;
  for (const auto& [key, value] : tensor.external_data) {
    if (key == "location") location = value;
    if (key != "offset" && key != "length") continue;
    const auto number = Number(value);
    if (!number) return fmt::format("{} of its external data: found '{}'", key, OneLine(value));
    if (key == "offset") offset = *number;
    if (key == "length" && *number != bytes) {
      return fmt::format("its external data have {} bytes, expected {}", *number, bytes);
    }
  }
  // A model is not to make this program name other files than those beside it.
  const std::filesystem::path path(location);
  const bool leaves = std::any_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
  if (location.empty() || path.is_absolute() || leaves) {
    return fmt::format("its external data lie in '{}', expected a file beside the model", OneLine(location));
  }
  const std::filesystem::path beside = file.parent_path() / path;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(beside, error);
  if (error) return fmt::format("{}: {}", OneLine(beside.string(), kLongestPath), error.message());
  if (offset > size || bytes > size - offset) {
    return fmt::format("{} has {} bytes, expected {} at offset {}", OneLine(beside.string(), kLongestPath), size, bytes,
                       offset);
  }
  return FileValues{beside.string(), offset, std::nullopt};
}

std::variant<FileValues, std::string> PlaceAsStored(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                                    std::string_view bytes, const std::filesystem::path& file) {
  const auto expected = BytesOf(filter);
  if (!expected) return "it is too large";
  if (tensor.external) return External(tensor, *expected, file);
  std::string_view raw = tensor.raw.value_or("");
  // Floats in their own field lie there as they would lie in the raw data.
  if (raw.empty() && filter.type == oracle::ElementType::kF32) raw = PackedValues(tensor, kFloatData).value_or("");
  if (raw.empty() && filter.type == oracle::ElementType::kF64) raw = PackedValues(tensor, kDoubleData).value_or("");
  if (raw.empty() || raw.size() != *expected) {
    return fmt::format("the model has {} raw bytes of it, expected {}", raw.size(), *expected);
  }
  return FileValues{file.string(), static_cast<std::uint64_t>(raw.data() - bytes.data()), std::nullopt};
}

}  // namespace

std::variant<FileValues, std::string> PlaceOf(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                              std::string_view bytes, const std::filesystem::path& file) {
  // Behind a Cast the filter has another type than the tensor.
  const auto stored_as = FromOnnxType(tensor.type).value_or(filter.type);
  if (stored_as != filter.type && !Widens(stored_as, filter.type)) {
    return fmt::format("it is cast from {} to {}, which rounds or changes values", oracle::ElementTypeName(stored_as),
                       oracle::ElementTypeName(filter.type));
  }
  auto place = PlaceAsStored(tensor, {stored_as, filter.dims}, bytes, file);
  if (auto* found = std::get_if<FileValues>(&place); found != nullptr && stored_as != filter.type) {
    found->stored_as = stored_as;
  }
  return place;
}

}  // namespace conformance::formats
