// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls ONNX's shape inference in a forked process and reads its answer.

#include "conformance/exchange/onnx_infer.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <onnx/shape_inference/implementation.h>

#include "conformance/exchange/forked_call.h"
#include "conformance/exchange/onnx_parse.h"

namespace conformance::exchange {
namespace {

// Inference reads the values of shapes, axes and the like; of weights it reads dims alone. Larger ones only cost time.
constexpr std::int64_t kMostElementsKept = 1024;

constexpr ChildLimits kLimits = {.time = std::chrono::seconds(60),
                                 .resident_bytes = std::uint64_t{2} << 30,
                                 .answer_bytes = std::uint64_t{256} << 20};

void DropLargeTensors(onnx::GraphProto& graph) {
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    std::int64_t elements = 1;
    bool large = false;
    for (const std::int64_t dim : tensor.dims()) {
      large = large || __builtin_mul_overflow(elements, std::max<std::int64_t>(dim, 1), &elements);
    }
    if (!large && elements <= kMostElementsKept) continue;
    tensor.clear_raw_data();
    tensor.clear_float_data();
    tensor.clear_double_data();
    tensor.clear_int32_data();
    tensor.clear_int64_data();
    tensor.clear_uint64_data();
  }
}

/// What the child says: the first byte is 'm' before a model, 'e' before a text.
std::string Infer(const onnx::ModelProto& model) {
  std::string error;
  // Values of shapes are followed through the graph where that works; an older library throws in the middle of some.
  for (const bool follow_values : {true, false}) {
    try {
      onnx::ModelProto inferred = model;
      onnx::shape_inference::InferShapes(inferred, onnx::OpSchemaRegistry::Instance(),
                                         onnx::ShapeInferenceOptions(false, 0, follow_values));
      return "m" + inferred.SerializePartialAsString();
    } catch (const std::exception& fault) {
      error = fault.what();
    }
  }
  return "e" + error.substr(0, error.find('\n'));
}

}  // namespace

std::variant<onnx::ModelProto, std::string> InferShapes(const onnx::ModelProto& model) {
  onnx::ModelProto lean = model;
  DropLargeTensors(*lean.mutable_graph());
  const auto answer = ForkedCall([&] { return Infer(lean); }, kLimits);
  if (const auto* failure = std::get_if<ChildFailure>(&answer)) return failure->message;
  const std::string_view text = std::get<std::string>(answer);
  if (text.empty()) return "it gave no answer";
  if (text.front() != 'm') return std::string(text.substr(1));
  onnx::ModelProto inferred;
  if (std::string error = ParseOnnx(text.substr(1), inferred); !error.empty()) return error;
  return inferred;
}

void AddShapes(const onnx::GraphProto& inferred, onnx::GraphProto& graph) {
  *graph.mutable_value_info() = inferred.value_info();
  *graph.mutable_output() = inferred.output();
  for (int i = 0; i < std::min(graph.node_size(), inferred.node_size()); ++i) {
    onnx::NodeProto& node = *graph.mutable_node(i);
    const onnx::NodeProto& inferred_node = inferred.node(i);
    for (int j = 0; j < std::min(node.attribute_size(), inferred_node.attribute_size()); ++j) {
      if (!node.attribute(j).has_g() || !inferred_node.attribute(j).has_g()) continue;
      AddShapes(inferred_node.attribute(j).g(), *node.mutable_attribute(j)->mutable_g());
    }
  }
}

}  // namespace conformance::exchange
