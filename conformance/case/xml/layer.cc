// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the transposed convolutions of a file: loads and parses the XML, and reads a bare <layer>. ReadNet reads a
// <net>. This file also computes the line and column of each error.

#include "conformance/case/xml/layer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/xml/parts.h"

namespace conformance {
namespace layer_xml {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;  // a limit against hostile files: 64 MiB

std::string LoadText(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw Fault{fmt::format("{}: found a directory, expected an XML file", file.string())};
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Fault{fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno))};
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  while (stream) {
    const std::size_t size = text.size();
    text.resize(size + kChunk);
    stream.read(text.data() + size, kChunk);
    text.resize(size + static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLargestFile) {
      throw Fault{fmt::format("{}: found more than {} MiB, expected an XML file of at most that", file.string(),
                              kLargestFile >> 20)};
    }
  }
  if (stream.bad()) throw Fault{fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno))};
  return text;
}

}  // namespace

Source::Source(const std::filesystem::path& file) : Source(file, LoadText(file)) {}

Source::Source(std::filesystem::path file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  if (text_.size() > kLargestFile) {
    throw Fault{fmt::format("{}: found more than {} MiB, expected an XML file of at most that", file_.string(),
                            kLargestFile >> 20)};
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
  const pugi::xml_parse_result result =
      document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) FailAtOffset(static_cast<std::size_t>(result.offset), fmt::format("not XML: {}", result.description()));
  for (const pugi::xml_node node : document_.children()) {
    if (node.type() != pugi::node_element) continue;
    if (root_) FailAt(node, fmt::format("found a second root element <{}>, expected one", Shown(node.name())));
    root_ = node;
  }
}

void Source::FailAtOffset(std::size_t offset, std::string_view message) const {
  offset = std::min(offset, text_.size());
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  throw Fault{fmt::format("{}:{}:{}: {}", file_.string(), line, offset - line_begin + 1, message)};
}

void Source::FailAt(pugi::xml_node node, std::string_view message) const {
  // The offset of a node is that of its name. The message shall point to the '<' before it.
  const std::ptrdiff_t offset = node.offset_debug();
  FailAtOffset(offset > 0 ? static_cast<std::size_t>(offset) - 1 : 0, message);
}

LayerCase ReadBareLayer(const Source& source, pugi::xml_node layer) {
  const std::string type = Required(source, layer, "type");
  const auto kind = KindOf(layer);
  if (!kind) {
    source.FailAt(layer, fmt::format("layer type: found '{}', expected ConvolutionBackpropData or "
                                     "GroupConvolutionBackpropData",
                                     Shown(type)));
  }
  LayerCase read;
  read.name = layer.attribute("name").value();
  oracle::Operator& op = read.test_case.op;
  op.kind = *kind;
  ReadAttributes(source, layer, op);

  const std::optional<pugi::xml_node> output = OutputPort(source, layer);
  if (output) read.declared_output = ParseDims(source, *output);
  const auto precision = [&](pugi::xml_node port, oracle::ElementType otherwise) {
    const pugi::xml_attribute given = port.attribute("precision");
    return given ? ParsePrecision(source, port, given.value()) : otherwise;
  };
  // In the specification's fragments only the output port has a precision.
  const std::vector<pugi::xml_node> ports = InputPorts(source, layer);
  op.data.type = precision(ports[0], output ? precision(*output, op.data.type) : op.data.type);
  op.data.dims = ParseDims(source, ports[0]);
  op.filter.type = precision(ports[1], op.data.type);
  op.filter.dims = ParseDims(source, ports[1]);
  if (ports.size() == 3) {
    oracle::ShapeInput& shape = op.output_shape.emplace();
    shape.type = precision(ports[2], shape.type);
    shape.dims = ParseDims(source, ports[2]);
    shape.values = DeclaredSpatial(source, layer, read.declared_output);
  }
  return read;
}

}  // namespace layer_xml

std::variant<std::vector<LayerCase>, ReadError> ReadLayerXml(const std::filesystem::path& file) {
  try {
    const layer_xml::Source source(file);
    const pugi::xml_node root = source.root();
    if (std::string_view(root.name()) == "layer") return std::vector{layer_xml::ReadBareLayer(source, root)};
    if (std::string_view(root.name()) == "net") return layer_xml::ReadNet(source, root);
    source.FailAt(root,
                  fmt::format("found root element <{}>, expected <net> or <layer>", layer_xml::Shown(root.name())));
  } catch (const layer_xml::Fault& fault) {
    return ReadError{fault.message};
  }
}

std::variant<ModelLayers, ReadError> ParseModelXml(std::string text, const std::filesystem::path& file, bool weights,
                                                   const GivenShapes& shapes) {
  try {
    const layer_xml::Source source(file, std::move(text));
    const pugi::xml_node root = source.root();
    if (std::string_view(root.name()) == "net") return layer_xml::ReadModelNet(source, root, weights, shapes);
    if (std::string_view(root.name()) == "layer") {
      if (!shapes.empty()) throw layer_xml::Fault{file.string() + ": --shape is for models; found a bare layer"};
      ModelLayers model;
      model.layers.push_back(layer_xml::ReadBareLayer(source, root));
      return model;
    }
    source.FailAt(root,
                  fmt::format("found root element <{}>, expected <net> or <layer>", layer_xml::Shown(root.name())));
  } catch (const layer_xml::Fault& fault) {
    return ReadError{fault.message};
  }
}

}  // namespace conformance
