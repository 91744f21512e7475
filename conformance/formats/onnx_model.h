// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of an ONNX model that import reads. ONNX's own classes would bring libonnx and libprotobuf into this
// program, and their symbols would reach every backend that it loads.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_MODEL_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace conformance::formats {

/// The most numbers of a list in a case line; import reads no longer ones.
inline constexpr std::size_t kMostNumbers = 64;

// Each struct is the message of onnx.proto with the same name. Texts and bytes are views of the model's bytes.

struct OnnxTensor {
  std::string_view name;
  std::vector<std::int64_t> dims;
  std::int32_t type = 0;
  std::optional<std::string_view> raw;
  bool external = false;
  std::vector<std::pair<std::string_view, std::string_view>> external_data;
  std::string_view message;  ///< the whole tensor, for TypedValues
};

struct OnnxDim {
  std::optional<std::int64_t> value;
  std::string_view param;
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
  bool of_function = false;  ///< its value is an attribute of the function around the node
  std::int32_t type = 0;
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

// The readers take untrusted bytes, which must outlive what is returned. The readers limit memory, because a message of
// two bytes becomes an object of some hundred bytes. A string says what is wrong.

/// A model has a graph.
std::variant<OnnxModel, std::string> ReadOnnx(std::string_view bytes);

/// The file of one tensor (a test_data_set's input_0.pb).
std::variant<OnnxTensor, std::string> ReadOnnxTensor(std::string_view bytes);

// Fields of a tensor without raw data.
inline constexpr std::uint32_t kFloatData = 4, kInt32Data = 5, kInt64Data = 7, kDoubleData = 10, kUint64Data = 11;

/// The values of such a field, little-endian, `width` bytes each, up to the first one behind `most` bytes. Nothing if
/// the field is cut short.
std::optional<std::string> TypedValues(const OnnxTensor& tensor, std::uint32_t field, std::size_t width,
                                       std::uint64_t most);

/// Returns the bytes of a field whose values are packed: they lie one behind the other in the model.
std::optional<std::string_view> PackedValues(const OnnxTensor& tensor, std::uint32_t field);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_MODEL_H_
