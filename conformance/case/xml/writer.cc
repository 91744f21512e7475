// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a test case as an OpenVINO model: the XML of a net, IR version 11. ToIrXml makes data, filter and output_shape
// Parameters, so that the net needs no .bin; a reader takes the values of output_shape from the declared output dims.
// ToIrModel makes filter and output_shape Const. Pads are written as the operator has them, even if auto_pad overrides
// them. (OpenVINO's own writer would write zeros, and the file would then hold another operator.)

#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/xml/parts.h"

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

// A range of bytes in the .bin.
struct ByteRange {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

struct Input {
  const char* name;
  oracle::TensorType tensor;
  std::optional<ByteRange> constant;  // position in the .bin; nullopt for a Parameter
};

std::vector<Input> InputsOf(const oracle::Operator& op) {
  std::vector<Input> inputs = {{"data", op.data, std::nullopt}, {"filter", op.filter, std::nullopt}};
  if (op.output_shape) {
    inputs.push_back({"output_shape", {op.output_shape->type, op.output_shape->dims}, std::nullopt});
  }
  return inputs;
}

void AddInputLayer(pugi::xml_node layers, std::size_t id, const Input& input) {
  pugi::xml_node layer = AddLayer(layers, id, input.name, input.constant ? "Const" : "Parameter");
  pugi::xml_node data = layer.append_child("data");
  data.append_attribute("shape") = Join(input.tensor.dims).c_str();
  data.append_attribute("element_type") = std::string(ElementTypeName(input.tensor.type)).c_str();
  if (input.constant) {
    data.append_attribute("offset") = static_cast<unsigned long long>(input.constant->offset);
    data.append_attribute("size") = static_cast<unsigned long long>(input.constant->bytes);
  }
  AddPort(layer.append_child("output"), 0, input.tensor.type, input.tensor.dims);
}

// The XML of a net: a layer for each input, the transposed convolution, and a Result.
std::string NetXml(const std::string& net_name, const oracle::Operator& op, const Dims& output_dims,
                   const std::vector<Input>& inputs) {
  const std::size_t deconv_id = inputs.size();

  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  pugi::xml_node net = document.append_child("net");
  net.append_attribute("name") = net_name.c_str();
  net.append_attribute("version") = "11";
  pugi::xml_node layers = net.append_child("layers");
  for (std::size_t i = 0; i < inputs.size(); ++i) AddInputLayer(layers, i, inputs[i]);

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

// OpenVINO maps the .bin into memory and reads constants in place, so each constant is aligned for any type (bytes).
constexpr std::size_t kAlignment = 64;

// Appends a constant to the .bin at the next aligned position.
ByteRange AppendConstant(std::string& bin, std::string_view bytes) {
  bin.resize((bin.size() + kAlignment - 1) / kAlignment * kAlignment);
  const ByteRange range{bin.size(), bytes.size()};
  bin += bytes;
  return range;
}

// The bytes of an output shape's values.
std::string LittleEndian(const oracle::ShapeInput& shape) {
  std::string bytes;
  for (const std::int64_t value : shape.values) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < oracle::ElementBytes(shape.type); ++i) {
      bytes += static_cast<char>(static_cast<unsigned char>((bits >> (8 * i)) & 0xff));
    }
  }
  return bytes;
}

}  // namespace

std::string ToIrXml(const std::string& net_name, const Case& test_case, const Dims& output_dims) {
  return NetXml(net_name, test_case.op, output_dims, InputsOf(test_case.op));
}

IrModel ToIrModel(const std::string& net_name, const Case& test_case, const Dims& output_dims,
                  std::string_view filter_bytes) {
  IrModel model;
  std::vector<Input> inputs = InputsOf(test_case.op);
  inputs[1].constant = AppendConstant(model.bin, filter_bytes);
  if (inputs.size() == 3) inputs[2].constant = AppendConstant(model.bin, LittleEndian(*test_case.op.output_shape));
  model.xml = NetXml(net_name, test_case.op, output_dims, inputs);
  return model;
}

}  // namespace conformance
