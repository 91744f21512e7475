// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts of an ONNX model that import needs. ONNX's own classes are not used: they need libonnx and
// libprotobuf, whose symbols could conflict with those of a backend that this program loads.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_MODEL_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_MODEL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/element_type.h"

namespace conformance::formats {

/// The most numbers of a list in a case line. Longer lists are not imported.
inline constexpr std::size_t kMostNumbers = 64;

// Each struct holds the fields that import needs of a message of onnx.proto: OnnxTensor of TensorProto, OnnxDim of
// TensorShapeProto.Dimension, and so on. Texts and bytes are views of the model's bytes.

struct OnnxTensor {
  std::string_view name;
  std::vector<std::int64_t> dims;
  std::int32_t type = 0;                ///< a number of kOnnxTypes
  std::optional<std::string_view> raw;  ///< the elements, little-endian, if they are not in a field of their type
  bool external = false;                ///< the elements are in another file
  std::vector<std::pair<std::string_view, std::string_view>> external_data;  ///< keys and values that name its place
  std::string_view message;                                                  ///< the whole tensor, for TypedValues
};

struct OnnxDim {
  std::optional<std::int64_t> value;
  std::string_view param;  ///< a symbol such as "batch", or an expression of symbols, in place of a value
};

struct OnnxValueInfo {
  std::string_view name;
  bool is_tensor = false;
  std::optional<std::int32_t> type;
  std::optional<std::vector<OnnxDim>> shape;
  std::string_view message;  ///< the whole description, for types other than tensors
};

struct OnnxGraph;

struct OnnxAttribute {
  std::string_view name;
  bool of_function = false;  ///< the attribute takes its value from an attribute of the enclosing function
  std::int32_t type = 0;  ///< tells which of the following members holds the value; their names are those of onnx.proto
  std::int64_t i = 0;
  std::string_view s;
  std::vector<std::int64_t> ints;
  std::optional<OnnxTensor> t;
  std::vector<OnnxGraph> graphs;  ///< graphs of an attribute, or its only graph
};

struct OnnxNode {
  std::string_view name, op_type, domain;
  std::vector<std::string_view> inputs, outputs;
  std::vector<OnnxAttribute> attributes;
};

struct OnnxGraph {
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> initializers;
  std::vector<OnnxValueInfo> inputs, outputs, values;
};

struct OnnxFunction {
  std::string_view name;
  std::vector<OnnxNode> nodes;
};

struct OnnxModel {
  std::vector<std::pair<std::string_view, std::int64_t>> opsets;  ///< domain and version
  std::optional<OnnxGraph> graph;
  std::vector<OnnxFunction> functions;
};

// The bytes may be hostile. They must outlive the result, which refers to them. The readers limit memory, because a
// message of two bytes becomes an object of some hundred bytes. An error is the rest of a sentence about the file.

/// Reads a model. A model without a graph is an error.
std::variant<OnnxModel, std::string> ReadOnnx(std::string_view bytes);

/// Reads the file of one tensor, such as input_0.pb of a test_data_set.
std::variant<OnnxTensor, std::string> ReadOnnxTensor(std::string_view bytes);

// Numbers of the fields of onnx.proto that have the values of a tensor without raw data.
inline constexpr std::uint32_t kFloatData = 4, kInt32Data = 5, kInt64Data = 7, kDoubleData = 10, kUint64Data = 11;

/// Returns the values of such a field, little-endian, with `width` bytes each. Stops after the first value with which
/// the result exceeds `most` bytes. Returns nullopt if the field is cut short.
std::optional<std::string> TypedValues(const OnnxTensor& tensor, std::uint32_t field, std::size_t width,
                                       std::uint64_t most);

/// Returns the bytes of a field with packed values, which are contiguous in the model; nullopt if they are not packed.
std::optional<std::string_view> PackedValues(const OnnxTensor& tensor, std::uint32_t field);

// Element types and ONNX's numbers for them, which are TensorProto.DataType of onnx.proto.

// Columns: element type, ONNX's number.
inline constexpr std::array kOnnxTypes = {
    std::pair{oracle::ElementType::kF64, 11},    std::pair{oracle::ElementType::kF32, 1},
    std::pair{oracle::ElementType::kF16, 10},    std::pair{oracle::ElementType::kBf16, 16},
    std::pair{oracle::ElementType::kI8, 3},      std::pair{oracle::ElementType::kI16, 5},
    std::pair{oracle::ElementType::kI32, 6},     std::pair{oracle::ElementType::kI64, 7},
    std::pair{oracle::ElementType::kU8, 2},      std::pair{oracle::ElementType::kU16, 4},
    std::pair{oracle::ElementType::kU32, 12},    std::pair{oracle::ElementType::kU64, 13},
    std::pair{oracle::ElementType::kBoolean, 9}, std::pair{oracle::ElementType::kString, 8}};

/// Returns nullopt for types of quantised and complex tensors, which cases do not have.
inline std::optional<oracle::ElementType> FromOnnxType(std::int32_t number) {
  for (const auto& [type, known] : kOnnxTypes) {
    if (known == number) return type;
  }
  return std::nullopt;
}

inline std::int32_t ToOnnxType(oracle::ElementType type) {
  for (const auto& [known, number] : kOnnxTypes) {
    if (known == type) return number;
  }
  return 0;
}

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_MODEL_H_
