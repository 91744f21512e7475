// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the values (tensors with names) that an ONNX graph describes. Looks a name up in the graph and in the graphs
// that contain it.

#include "conformance/formats/onnx_values.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/formats/load_file.h"

namespace conformance::formats {
namespace {

/// Sets the dims of a value if all are known, and the text that messages show: "[N,3,?,8]". An open dim is a symbol (N)
/// or unknown (?).
void SetShape(const std::vector<OnnxDim>& shape, OnnxValue& value) {
  if (shape.size() > kMostNumbers) {
    value.shown = fmt::format("of {} dims", shape.size());
    return;
  }
  oracle::Dims dims;
  bool has_open_dim = false;
  value.shown = "[";
  for (const OnnxDim& dim : shape) {
    if (value.shown.size() > 1) value.shown += ',';
    // Exporters may write an open dim as -1 or 0. A 0 may also be a real size, so it does not count as open.
    if (dim.value && *dim.value >= 0) {
      dims.push_back(*dim.value);
      value.shown += std::to_string(*dim.value);
    } else {
      has_open_dim = true;
      value.shown += dim.param.empty() ? "?" : OneLine(dim.param);
    }
  }
  value.shown += ']';
  if (!has_open_dim) value.dims = std::move(dims);
}

}  // namespace

OnnxValues::OnnxValues(const OnnxGraph& graph, const OnnxValues* around) : around_(around) {
  for (const auto* infos : {&graph.inputs, &graph.outputs, &graph.values}) {
    for (const OnnxValueInfo& info : *infos) Add(info);
  }
  for (const OnnxTensor& tensor : graph.initializers) Add(tensor.name, tensor);
  for (const OnnxNode& node : graph.nodes) {
    if (node.outputs.size() != 1 || !(node.domain.empty() || node.domain == "ai.onnx")) continue;
    if (node.op_type == "Identity" || node.op_type == "Cast") AddCopy(node);
    if (node.op_type == "DequantizeLinear") AddDequantized(node);
    if (node.op_type != "Constant") continue;
    for (const OnnxAttribute& attribute : node.attributes) {
      if (attribute.name == "value" && attribute.t) Add(node.outputs[0], *attribute.t);
    }
  }
}

/// Adds the result of Identity or Cast on a constant as a constant. After a Cast, the type of the value differs from
/// the type of the stored tensor.
void OnnxValues::AddCopy(const OnnxNode& node) {
  const OnnxValue* source = node.inputs.size() == 1 ? Find(node.inputs[0]) : nullptr;
  if (source == nullptr || source->constant == nullptr) return;
  OnnxValue copy = *source;
  if (node.op_type == "Cast") {
    const auto to = std::ranges::find(node.attributes, "to", &OnnxAttribute::name);
    if (to == node.attributes.end() || to->i < 0 || to->i > INT32_MAX) return;
    // A second Cast would round values that the first has rounded; a case can express only one rounding.
    if (source->type != source->constant->type) return;
    copy.type = static_cast<std::int32_t>(to->i);
  }
  values_[node.outputs[0]] = std::move(copy);
}

/// Adds the result of DequantizeLinear on a constant. Its elements are computed later, from the node.
void OnnxValues::AddDequantized(const OnnxNode& node) {
  const OnnxValue* quantized = node.inputs.empty() ? nullptr : Find(node.inputs[0]);
  const OnnxValue* scale = node.inputs.size() < 2 ? nullptr : Find(node.inputs[1]);
  if (quantized == nullptr || quantized->constant == nullptr || scale == nullptr || scale->constant == nullptr) return;
  OnnxValue value = *quantized;
  value.constant = nullptr;
  value.dequantize = &node;
  value.type = scale->type;
  values_[node.outputs[0]] = std::move(value);
}

const OnnxValue* OnnxValues::Find(std::string_view name) const {
  for (const OnnxValues* at = this; at != nullptr; at = at->around_) {
    const auto found = at->values_.find(name);
    if (found != at->values_.end()) return &found->second;
  }
  return nullptr;
}

void OnnxValues::Add(const OnnxValueInfo& info) {
  if (info.name.empty() || !info.is_tensor) return;
  OnnxValue& value = values_[info.name];
  if (info.type) value.type = info.type;
  if (value.dims) return;  // its shape is known already
  value.shown = "of unknown rank";
  if (info.shape) SetShape(*info.shape, value);
}

void OnnxValues::Add(std::string_view name, const OnnxTensor& tensor) {
  OnnxValue value;
  value.type = tensor.type;
  value.constant = &tensor;
  std::vector<OnnxDim> shape;
  for (const std::int64_t dim : tensor.dims) shape.push_back({dim, {}});
  SetShape(shape, value);
  values_[name] = std::move(value);
}

}  // namespace conformance::formats
