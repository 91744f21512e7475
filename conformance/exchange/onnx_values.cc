// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the look-up of values, through the graphs around a node.

#include "conformance/exchange/onnx_values.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/exchange/one_line.h"

namespace conformance::exchange {
namespace {

// As many as a list of the case line has.
constexpr int kMostDims = 64;

void TakeShape(const onnx::TensorShapeProto& shape, OnnxValue& value) {
  if (shape.dim_size() > kMostDims) {
    value.shown = fmt::format("of {} dims", shape.dim_size());
    return;
  }
  oracle::Dims dims;
  bool open = false;
  value.shown = "[";
  for (const onnx::TensorShapeProto_Dimension& dim : shape.dim()) {
    if (value.shown.size() > 1) value.shown += ',';
    // Exporters write an open dim as -1 or 0, too; of 0 nobody can tell, so that it stands.
    if (dim.has_dim_value() && dim.dim_value() >= 0) {
      dims.push_back(dim.dim_value());
      value.shown += std::to_string(dim.dim_value());
    } else {
      open = true;
      value.shown += dim.has_dim_param() && !dim.dim_param().empty() ? OneLine(dim.dim_param()) : "?";
    }
  }
  value.shown += ']';
  if (!open) value.dims = std::move(dims);
}

}  // namespace

OnnxValues::OnnxValues(const onnx::GraphProto& graph, const OnnxValues* around) : around_(around) {
  for (const auto& info : graph.input()) Add(info);
  for (const auto& info : graph.output()) Add(info);
  for (const auto& info : graph.value_info()) Add(info);
  for (const auto& tensor : graph.initializer()) Add(tensor.name(), tensor);
  for (const auto& node : graph.node()) {
    if (node.op_type() != "Constant" || node.output_size() != 1) continue;
    for (const auto& attribute : node.attribute()) {
      if (attribute.name() == "value" && attribute.has_t()) Add(node.output(0), attribute.t());
    }
  }
}

const OnnxValue* OnnxValues::Find(const std::string& name) const {
  for (const OnnxValues* at = this; at != nullptr; at = at->around_) {
    const auto found = at->values_.find(name);
    if (found != at->values_.end()) return &found->second;
  }
  return nullptr;
}

void OnnxValues::Add(const onnx::ValueInfoProto& info) {
  if (info.name().empty() || !info.type().has_tensor_type()) return;
  const onnx::TypeProto_Tensor& tensor = info.type().tensor_type();
  OnnxValue& value = values_[info.name()];
  if (value.dims) return;  // said already, whole
  if (tensor.has_elem_type()) value.type = tensor.elem_type();
  value.shown = "of unknown rank";
  if (tensor.has_shape()) TakeShape(tensor.shape(), value);
}

void OnnxValues::Add(const std::string& name, const onnx::TensorProto& tensor) {
  OnnxValue value;
  value.type = tensor.data_type();
  value.constant = &tensor;
  onnx::TensorShapeProto shape;
  for (const std::int64_t dim : tensor.dims()) {
    if (shape.dim_size() > kMostDims) break;
    shape.add_dim()->set_dim_value(dim);
  }
  TakeShape(shape, value);
  values_[name] = std::move(value);
}

}  // namespace conformance::exchange
