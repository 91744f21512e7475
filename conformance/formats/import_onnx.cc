// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports the transposed convolutions of an ONNX model as cases, in these steps: reads the bytes, adds the shapes that
// the user gave, and collects the transposed convolutions. If shapes are missing, infers them with ONNX's own library
// and collects again.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "conformance/formats/given_shapes.h"
#include "conformance/formats/import_model.h"
#include "conformance/formats/load_file.h"
#include "conformance/formats/onnx_infer.h"
#include "conformance/formats/onnx_layer.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {
namespace {

// The longest reason for failed inference, in bytes. It is limited because each skipped layer repeats it.
constexpr std::size_t kLongestError = 400;

/// Copies inferred shapes into the graph. `inferred`: the same graph with all inferred shapes, but without weights.
void AddShapes(const OnnxGraph& inferred, OnnxGraph& graph) {
  // If the graph now has two descriptions of a value, readers use the first one whose dims are all known.
  graph.values.insert(graph.values.end(), inferred.values.begin(), inferred.values.end());
  graph.values.insert(graph.values.end(), inferred.outputs.begin(), inferred.outputs.end());
  for (std::size_t n = 0; n < std::min(graph.nodes.size(), inferred.nodes.size()); ++n) {
    std::vector<OnnxAttribute>& attributes = graph.nodes[n].attributes;
    const std::vector<OnnxAttribute>& others = inferred.nodes[n].attributes;
    for (std::size_t a = 0; a < std::min(attributes.size(), others.size()); ++a) {
      for (std::size_t g = 0; g < std::min(attributes[a].graphs.size(), others[a].graphs.size()); ++g) {
        AddShapes(others[a].graphs[g], attributes[a].graphs[g]);
      }
    }
  }
}

}  // namespace

Import ImportOnnx(std::string_view bytes, const std::filesystem::path& file, const ImportOptions& options) {
  auto read = ReadOnnx(bytes);
  if (const auto* error = std::get_if<std::string>(&read)) {
    return ReadError{fmt::format("{}: {}", file.string(), *error)};
  }
  auto& model = std::get<OnnxModel>(read);
  if (const std::string error = ApplyShapeHints(options.shapes, *model.graph); !error.empty()) {
    return ReadError{fmt::format("{}: {}", file.string(), error)};
  }
  OnnxLayers imported = ReadLayers(model, bytes, file, options);
  if (!imported.shapes_missing || !options.infer_shapes) return std::move(imported.model);
  const auto inferred_bytes = InferShapes(bytes, *model.graph, file);
  std::string error;
  if (const auto* why = std::get_if<ReadError>(&inferred_bytes)) {
    error = why->message;
  } else {
    const auto inferred = ReadOnnx(std::get<std::string>(inferred_bytes));
    if (const auto* with_shapes = std::get_if<OnnxModel>(&inferred)) {
      AddShapes(*with_shapes->graph, *model.graph);
      return ReadLayers(model, bytes, file, options).model;
    }
    error = "its answer " + std::get<std::string>(inferred);
  }
  const std::string remark = fmt::format(" (shape inference: {})", OneLine(error, kLongestError));
  for (SkippedLayer& layer : imported.model.skipped) layer.reason += remark;
  return std::move(imported.model);
}

}  // namespace conformance::formats
