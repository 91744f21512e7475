// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A case as an IR v11 net that needs no .bin: data, filter and, if there is one, output_shape are Parameters. The
// values of output_shape are then those of the declared output dims. Pads are written as the operator has them, also
// where auto_pad overrules them: OpenVINO's own writer puts zeros there, which would be another operator.

#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "conformance/layer_xml_parts.h"

namespace conformance {
namespace {

using oracle::Dims;

void AddPort(pugi::xml_node parent, std::size_t id, oracle::ElementType type, const Dims& dims) {
  pugi::xml_node port = parent.append_child("port");
  port.append_attribute("id") = static_cast<unsigned long long>(id);
  port.append_attribute("precision") = std::string(layer_xml::PrecisionName(type)).c_str();
  for (const std::int64_t dim : dims) port.append_child("dim").text() = static_cast<long long>(dim);
}

pugi::xml_node AddLayer(pugi::xml_node layers, std::size_t id, const char* name, std::string_view type) {
  pugi::xml_node layer = layers.append_child("layer");
  layer.append_attribute("id") = static_cast<unsigned long long>(id);
  layer.append_attribute("name") = name;
  layer.append_attribute("type") = std::string(type).c_str();
  layer.append_attribute("version") = "opset1";
  return layer;
}

void AddEdge(pugi::xml_node edges, std::size_t from, std::size_t from_port, std::size_t to, std::size_t to_port) {
  pugi::xml_node edge = edges.append_child("edge");
  edge.append_attribute("from-layer") = static_cast<unsigned long long>(from);
  edge.append_attribute("from-port") = static_cast<unsigned long long>(from_port);
  edge.append_attribute("to-layer") = static_cast<unsigned long long>(to);
  edge.append_attribute("to-port") = static_cast<unsigned long long>(to_port);
}

std::string Join(const Dims& list) { return fmt::format("{}", fmt::join(list, ", ")); }

}  // namespace

std::string ToIrXml(const std::string& net_name, const Case& test_case, const Dims& output_dims) {
  const oracle::Operator& op = test_case.op;
  struct Input {
    const char* name;
    oracle::TensorType tensor;
  };
  std::vector<Input> inputs = {{"data", op.data}, {"filter", op.filter}};
  if (op.output_shape) inputs.push_back({"output_shape", {op.output_shape->type, op.output_shape->dims}});
  const std::size_t deconv_id = inputs.size();

  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  pugi::xml_node net = document.append_child("net");
  net.append_attribute("name") = net_name.c_str();
  net.append_attribute("version") = "11";
  pugi::xml_node layers = net.append_child("layers");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    pugi::xml_node parameter = AddLayer(layers, i, inputs[i].name, "Parameter");
    pugi::xml_node data = parameter.append_child("data");
    data.append_attribute("shape") = Join(inputs[i].tensor.dims).c_str();
    data.append_attribute("element_type") = std::string(ElementTypeName(inputs[i].tensor.type)).c_str();
    AddPort(parameter.append_child("output"), 0, inputs[i].tensor.type, inputs[i].tensor.dims);
  }

  pugi::xml_node deconv = AddLayer(layers, deconv_id, "deconv", OperatorKindName(op.kind));
  pugi::xml_node data = deconv.append_child("data");
  const auto add_list = [&](const char* name, const std::optional<Dims>& list) {
    if (list) data.append_attribute(name) = Join(*list).c_str();
  };
  add_list("strides", op.strides);
  add_list("dilations", op.dilations);
  add_list("pads_begin", op.pads_begin);
  add_list("pads_end", op.pads_end);
  if (op.auto_pad) data.append_attribute("auto_pad") = op.auto_pad->c_str();
  add_list("output_padding", op.output_padding);
  pugi::xml_node input = deconv.append_child("input");
  for (std::size_t i = 0; i < inputs.size(); ++i) AddPort(input, i, inputs[i].tensor.type, inputs[i].tensor.dims);
  AddPort(deconv.append_child("output"), inputs.size(), op.data.type, output_dims);

  AddPort(AddLayer(layers, deconv_id + 1, "result", "Result").append_child("input"), 0, op.data.type, output_dims);

  pugi::xml_node edges = net.append_child("edges");
  for (std::size_t i = 0; i < inputs.size(); ++i) AddEdge(edges, i, 0, deconv_id, i);
  AddEdge(edges, deconv_id, inputs.size(), deconv_id + 1, 0);
  net.append_child("rt_info");

  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace conformance
