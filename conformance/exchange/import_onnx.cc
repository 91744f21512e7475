// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports an ONNX model: it parses the bytes, puts in the shapes that the caller knows, and reads the layers. It infers
// shapes only if some are missing.

#include <utility>

#include <fmt/format.h>

#include "conformance/exchange/import_model.h"
#include "conformance/exchange/one_line.h"
#include "conformance/exchange/onnx_infer.h"
#include "conformance/exchange/onnx_layer.h"
#include "conformance/exchange/onnx_parse.h"
#include "conformance/text/nearest.h"

namespace conformance::exchange {
namespace {

/// Empty, or which input is not there.
std::string PutShapes(const std::vector<ShapeHint>& shapes, onnx::GraphProto& graph) {
  for (const ShapeHint& hint : shapes) {
    bool found = false;
    std::vector<std::string> known;
    for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
      known.push_back(input.name());
      if (input.name() != hint.name) continue;
      found = true;
      onnx::TensorShapeProto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
      shape.clear_dim();
      for (const std::int64_t dim : hint.dims) shape.add_dim()->set_dim_value(dim);
    }
    if (!found) {
      return fmt::format("--shape {}: the model has no such input{}", OneLine(hint.name), DidYouMean(hint.name, known));
    }
  }
  if (!shapes.empty()) {
    // What the model says of values in the middle was true of other inputs.
    graph.clear_value_info();
    for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
      if (output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
    }
  }
  return {};
}

}  // namespace

Import ImportOnnx(std::string_view bytes, const std::filesystem::path& file, const ImportOptions& options) {
  onnx::ModelProto model;
  if (const std::string error = ParseOnnx(bytes, model); !error.empty()) {
    return ReadError{fmt::format("{}: {}", file.string(), error)};
  }
  if (const std::string error = PutShapes(options.shapes, *model.mutable_graph()); !error.empty()) {
    return ReadError{fmt::format("{}: {}", file.string(), error)};
  }
  OnnxLayers taken = TakeLayers(model, bytes, file, options);
  if (!taken.shapes_missing || !options.infer_shapes) return std::move(taken.model);
  auto inferred = InferShapes(model);
  if (const auto* error = std::get_if<std::string>(&inferred)) {
    for (SkippedLayer& layer : taken.model.skipped) layer.reason += fmt::format(" (shape inference: {})", *error);
    return std::move(taken.model);
  }
  AddShapes(std::get<onnx::ModelProto>(inferred).graph(), *model.mutable_graph());
  return TakeLayers(model, bytes, file, options).model;
}

}  // namespace conformance::exchange
