// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the bytes of an ONNX tensor in the model or in an external file, reads its elements, and computes
// DequantizeLinear, which turns quantized integers into floating-point numbers.

#include "conformance/formats/onnx_weights.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/given_values.h"
#include "conformance/formats/load_file.h"
#include "conformance/formats/onnx_model.h"
#include "oracle/float_bits.h"

namespace conformance::formats {
namespace {

// The longest path in a message. A hostile model may have a long path for each of its many layers.
constexpr std::size_t kLongestPath = 256;

/// The size of a tensor in bytes; nullopt if it does not fit 64 bits.
std::optional<std::uint64_t> BytesOf(const oracle::TensorType& tensor) {
  std::uint64_t bytes = oracle::ElementBytes(tensor.type);
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dim), &bytes)) return std::nullopt;
  }
  return bytes;
}

/// The whole text as a number; nullopt if it is none.
std::optional<std::uint64_t> ParsedNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Returns the position in the external file that the tensor names, or why the file cannot be used.
std::variant<FileValues, std::string> PlaceInExternalFile(const OnnxTensor& tensor, std::uint64_t bytes,
                                                          const std::filesystem::path& file) {
  std::string location;
  std::uint64_t offset = 0;
  for (const auto& [key, value] : tensor.external_data) {
    if (key == "location") location = value;
    if (key != "offset" && key != "length") continue;
    const auto number = ParsedNumber(value);
    if (!number) return fmt::format("{} of its external data: found '{}'", key, OneLine(value));
    if (key == "offset") offset = *number;
    if (key == "length" && *number != bytes) {
      return fmt::format("its external data have {} bytes, expected {}", *number, bytes);
    }
  }
  // A hostile model must not make this program read files outside of the model's folder.
  const std::filesystem::path path(location);
  const bool leaves_folder = std::any_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
  if (location.empty() || path.is_absolute() || leaves_folder) {
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

/// Returns the position of the bytes in their stored type.
std::variant<FileValues, std::string> PlaceOfStoredBytes(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                                         std::string_view bytes, const std::filesystem::path& file) {
  const auto expected = BytesOf(filter);
  if (!expected) return "it is too large";
  if (tensor.external) return PlaceInExternalFile(tensor, *expected, file);
  std::string_view raw = tensor.raw.value_or("");
  // The field of floats has the same bytes as raw data.
  if (raw.empty() && filter.type == oracle::ElementType::kF32) raw = PackedValues(tensor, kFloatData).value_or("");
  if (raw.empty() && filter.type == oracle::ElementType::kF64) raw = PackedValues(tensor, kDoubleData).value_or("");
  if (raw.empty() || raw.size() != *expected) {
    return fmt::format("the model has {} raw bytes of it, expected {}", raw.size(), *expected);
  }
  return FileValues{file.string(), static_cast<std::uint64_t>(raw.data() - bytes.data()), std::nullopt};
}

}  // namespace

std::variant<FileValues, std::string> FileValuesOf(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                                   std::string_view bytes, const std::filesystem::path& file) {
  // After a Cast the filter has another type than the tensor.
  const auto stored_as = FromOnnxType(tensor.type).value_or(filter.type);
  if (stored_as != filter.type && !CanConvert(stored_as, filter.type)) {
    return fmt::format("it is cast from {} to {}, expected floating types", oracle::ElementTypeName(stored_as),
                       oracle::ElementTypeName(filter.type));
  }
  auto values = PlaceOfStoredBytes(tensor, {stored_as, filter.dims}, bytes, file);
  if (auto* found = std::get_if<FileValues>(&values); found != nullptr && stored_as != filter.type) {
    found->stored_as = stored_as;
  }
  return values;
}

namespace {

// The most bytes of a dequantized filter. It may be eight times larger than in the model.
constexpr std::size_t kMostDequantized = std::size_t{1} << 26;

/// The field of TensorProto that holds values of this type, if they are not in raw_data.
std::uint32_t FieldOf(oracle::ElementType type) {
  switch (type) {
    case oracle::ElementType::kF32:
      return kFloatData;
    case oracle::ElementType::kF64:
      return kDoubleData;
    case oracle::ElementType::kI64:
      return kInt64Data;
    case oracle::ElementType::kU32:
    case oracle::ElementType::kU64:
      return kUint64Data;
    default:
      return kInt32Data;  // f16 and bf16 by their bits
  }
}

}  // namespace

std::variant<OnnxElements, std::string> ReadElements(const OnnxTensor& tensor) {
  const auto type = FromOnnxType(tensor.type);
  if (!type || *type == oracle::ElementType::kString || *type == oracle::ElementType::kBoolean) {
    return fmt::format("has the element type {}, expected a number", tensor.type);
  }
  if (tensor.external) return std::string("has its values elsewhere");
  if (tensor.dims.size() > kMostNumbers) {
    return fmt::format("has {} dims, expected at most {}", tensor.dims.size(), kMostNumbers);
  }
  const std::size_t width = oracle::ElementBytes(*type);
  std::uint64_t bytes = width;
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dim), &bytes)) {
      return fmt::format("has the shape [{}]", fmt::join(tensor.dims, ","));
    }
  }
  const auto other_size = [bytes](std::size_t found) {
    return fmt::format("has {} bytes of values, but its shape and type need {}", found, bytes);
  };
  // The size is checked before the copy, which may have 2 GiB.
  if (tensor.raw && tensor.raw->size() != bytes) return other_size(tensor.raw->size());
  std::optional<std::string> values =
      tensor.raw ? std::string(*tensor.raw) : TypedValues(tensor, FieldOf(*type), width, bytes);
  if (!values) return std::string("is cut short");
  if (values->size() != bytes) return other_size(values->size());
  return OnnxElements{*type, tensor.dims, std::move(*values)};
}

namespace {

/// Element `index` of a tensor of integers, with its sign.
std::int64_t IntegerAt(const OnnxElements& elements, std::size_t index) {
  const std::size_t width = oracle::ElementBytes(elements.type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, elements.bytes.data() + index * width, width);
  const std::size_t unused = 64 - 8 * width;
  if (!oracle::IsSigned(elements.type)) return static_cast<std::int64_t>(bits);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double FloatAt(const OnnxElements& elements, std::size_t index) {
  const std::size_t width = oracle::ElementBytes(elements.type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, elements.bytes.data() + index * width, width);
  return oracle::FloatValue(bits, elements.type);
}

/// Whether DequantizeLinear can convert the type here: integers of at most 16 bits.
bool IsQuantized(oracle::ElementType type) { return oracle::IsInteger(type) && oracle::ElementBytes(type) <= 2; }

/// Sizes of a quantized tensor at the axis of DequantizeLinear. Example: tensor [4, 3, 2], axis 1: length 3, inner 2.
struct AxisSizes {
  std::size_t length = 1;
  std::size_t inner = 1;  ///< elements from one index of the axis to the next
};

/// Returns the sizes at an axis, which counts from the end if it is negative; or the rest of an error sentence.
std::variant<AxisSizes, std::string> SizesAt(const oracle::Dims& dims, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(dims.size());
  if (axis < -rank || axis >= rank)
    return fmt::format("is dequantized along axis {} of [{}]", axis, fmt::join(dims, ","));
  const auto at = dims.begin() + (axis < 0 ? axis + rank : axis);
  AxisSizes sizes{static_cast<std::size_t>(*at), 1};
  for (auto dim = at + 1; dim != dims.end(); ++dim) sizes.inner *= static_cast<std::size_t>(*dim);
  return sizes;
}

/// Returns the dims that the scales must have. With blocks, they are the dims of the tensor with one scale for each
/// block along the axis. Without blocks, there is one scale (`is_one`) or one scale for each index of the axis.
/// Example: tensor [3, 2], axis 0. Blocks of 2 need scales [2, 2]; without blocks the scales are [3].
oracle::Dims ScaleDims(const oracle::Dims& dims, const Blocks& blocks, bool is_one) {
  if (is_one) return {};
  const auto at =
      static_cast<std::size_t>(blocks.axis < 0 ? blocks.axis + static_cast<std::int64_t>(dims.size()) : blocks.axis);
  if (blocks.size == 0) return {dims[at]};
  oracle::Dims expected = dims;
  expected[at] = (dims[at] - 1) / blocks.size + 1;
  return expected;
}

}  // namespace

std::variant<OnnxElements, std::string> Dequantized(const OnnxElements& quantized, const OnnxElements& scale,
                                                    const OnnxElements* zero_point, const Blocks& blocks) {
  if (!IsQuantized(quantized.type) || !oracle::IsFloat(scale.type)) {
    return fmt::format(
        "is dequantized from {} by a scale of {}, expected an integer type of at most 16 bits and a "
        "floating type",
        oracle::ElementTypeName(quantized.type), oracle::ElementTypeName(scale.type));
  }
  const std::size_t count = quantized.bytes.size() / oracle::ElementBytes(quantized.type);
  const std::size_t scales = scale.bytes.size() / oracle::ElementBytes(scale.type);
  const bool is_one = blocks.size == 0 && scale.dims.size() <= 1 && scales == 1;
  AxisSizes sizes;
  if (!is_one) {
    auto found = SizesAt(quantized.dims, blocks.axis);
    if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
    sizes = std::get<AxisSizes>(found);
    if (blocks.size < 0) return fmt::format("is dequantized in blocks of {}", blocks.size);
    const oracle::Dims expected = ScaleDims(quantized.dims, blocks, is_one);
    if (scale.dims != expected) {
      return fmt::format("is dequantized by scales [{}], expected [{}]{}", fmt::join(scale.dims, ","),
                         fmt::join(expected, ","), blocks.size == 0 ? " or one" : "");
    }
  }
  if (zero_point != nullptr && (zero_point->type != quantized.type || zero_point->dims != scale.dims)) {
    return fmt::format("is dequantized by zero points [{}] of {}, expected [{}] of {}",
                       fmt::join(zero_point->dims, ","), oracle::ElementTypeName(zero_point->type),
                       fmt::join(scale.dims, ","), oracle::ElementTypeName(quantized.type));
  }
  if (count > kMostDequantized) {
    return fmt::format("has {} elements, expected at most {} if it is dequantized", count, kMostDequantized);
  }
  const std::size_t block = blocks.size == 0 ? 1 : static_cast<std::size_t>(blocks.size);
  const std::size_t blocks_of_axis = (sizes.length + block - 1) / block;
  // The index of the scale of element i. Example: tensor [3, 2], axis 0, blocks of 2. Element [2, 1] is i = 5; its
  // block along the axis is 2 / 2 = 1, so its scale is [1, 1], which has index 3.
  const auto scale_of = [&](std::size_t i) -> std::size_t {
    if (is_one) return 0;
    const std::size_t along = i / sizes.inner % sizes.length / block;
    if (blocks.size == 0) return along;
    const std::size_t outer = i / sizes.inner / sizes.length;
    return (outer * blocks_of_axis + along) * sizes.inner + i % sizes.inner;
  };
  const std::size_t width = oracle::ElementBytes(scale.type);
  OnnxElements values{scale.type, quantized.dims, std::string(count * width, '\0')};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t scale_index = scale_of(i);
    const std::int64_t zero = zero_point == nullptr ? 0 : IntegerAt(*zero_point, scale_index);
    // The difference has at most 17 bits and the scale at most 24, so their product is exact in double. ConvertFloat()
    // rounds it once. A product with a scale of f64 is rounded here instead.
    const double product = static_cast<double>(IntegerAt(quantized, i) - zero) * FloatAt(scale, scale_index);
    const std::uint64_t bits =
        ConvertFloat(std::bit_cast<std::uint64_t>(product), oracle::ElementType::kF64, scale.type);
    std::memcpy(values.bytes.data() + i * width, &bits, width);
  }
  return values;
}

}  // namespace conformance::formats
