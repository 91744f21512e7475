// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads attributes, dims and types from the XML of a layer of an OpenVINO model. An absent value stays unset. A value
// that cannot be parsed ends the reading with a message.

#include "conformance/case/xml/parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/names.h"

namespace conformance::layer_xml {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::OperatorKind;

constexpr std::size_t kLongestList = 64;  // tensors have at most 10 dims, so a longer list is surely wrong

std::string_view Trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

// The names of element types in the attribute `precision` of a port.
constexpr std::array kPrecisions = {
    std::pair{ElementType::kF64, "FP64"},     std::pair{ElementType::kF32, "FP32"},
    std::pair{ElementType::kF16, "FP16"},     std::pair{ElementType::kBf16, "BF16"},
    std::pair{ElementType::kI8, "I8"},        std::pair{ElementType::kI16, "I16"},
    std::pair{ElementType::kI32, "I32"},      std::pair{ElementType::kI64, "I64"},
    std::pair{ElementType::kU8, "U8"},        std::pair{ElementType::kU16, "U16"},
    std::pair{ElementType::kU32, "U32"},      std::pair{ElementType::kU64, "U64"},
    std::pair{ElementType::kBoolean, "BOOL"}, std::pair{ElementType::kString, "STRING"}};

struct ListAttribute {
  const char* name;
  std::optional<Dims> oracle::Operator::* member;
};
constexpr std::array kListAttributes = {
    ListAttribute{"strides", &oracle::Operator::strides}, ListAttribute{"dilations", &oracle::Operator::dilations},
    ListAttribute{"pads_begin", &oracle::Operator::pads_begin}, ListAttribute{"pads_end", &oracle::Operator::pads_end},
    ListAttribute{"output_padding", &oracle::Operator::output_padding}};

// Refuses misspelt attributes. OpenVINO ignores unknown attributes, and older writers leave some (kernel, group,
// output). But a name that nearly equals a known name is a typing error: ignoring it would silently test another
// operator.
void RefuseMisspelt(const Source& source, pugi::xml_node data) {
  std::vector<std::string> known = {"auto_pad"};
  for (const ListAttribute& attribute : kListAttributes) known.emplace_back(attribute.name);
  for (const pugi::xml_attribute attribute : data.attributes()) {
    const std::string name = attribute.name();
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      if (data.attribute(name.c_str()) != attribute)
        source.FailAt(data, fmt::format("attribute '{}' is given twice", name));
      continue;
    }
    const std::string nearest = Nearest(name, known);
    // Names whose lengths differ by more than 2 are probably different words.
    const std::size_t longer = std::max(name.size(), nearest.size());
    if (!nearest.empty() && longer - std::min(name.size(), nearest.size()) <= 2) {
      source.FailAt(data, fmt::format("unknown attribute '{}'{}", Shown(name), DidYouMean(name, known)));
    }
  }
}

}  // namespace

std::string Shown(std::string_view text) {
  constexpr std::size_t kMostShown = 48;
  std::string shown(text.substr(0, kMostShown));
  std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text.size() <= kMostShown ? shown : shown + "...";
}

std::string Required(const Source& source, pugi::xml_node node, const char* name) {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) source.FailAt(node, fmt::format("<{}> has no attribute '{}'", node.name(), name));
  return attribute.value();
}

std::int64_t ParseInteger(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text) {
  const std::string_view trimmed = Trim(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
  if (trimmed.empty() || error == std::errc::invalid_argument || end != trimmed.data() + trimmed.size()) {
    source.FailAt(node, fmt::format("{}: found '{}', expected an integer", name, Shown(text)));
  }
  if (error != std::errc()) {
    source.FailAt(node, fmt::format("{}: found '{}', expected an integer that fits 64 bits", name, Shown(text)));
  }
  return value;
}

Dims ParseList(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text) {
  Dims list;
  if (text.empty()) return list;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    const std::string_view field = text.substr(begin, comma == std::string_view::npos ? comma : comma - begin);
    if (Trim(field).empty()) {
      source.FailAt(node, fmt::format("{}: found an empty field in '{}', expected integers separated by commas", name,
                                      Shown(text)));
    }
    if (list.size() == kLongestList) {
      source.FailAt(node, fmt::format("{}: found more than {} values, expected one for each axis", name, kLongestList));
    }
    list.push_back(ParseInteger(source, node, name, field));
    if (comma == std::string_view::npos) return list;
    begin = comma + 1;
  }
}

Dims ParseOpenDims(const Source& source, pugi::xml_node port) {
  Dims dims;
  for (const pugi::xml_node dim : port.children("dim")) {
    const std::int64_t value = ParseInteger(source, dim, "dim", dim.child_value());
    if (value < -1) source.FailAt(dim, fmt::format("dim: found {}, expected a size, or -1 for an open one", value));
    if (dims.size() == kLongestList) source.FailAt(dim, fmt::format("dim: found more than {} of them", kLongestList));
    dims.push_back(value);
  }
  return dims;
}

Dims ParseDims(const Source& source, pugi::xml_node port) {
  Dims dims = ParseOpenDims(source, port);
  pugi::xml_node dim = port.child("dim");
  for (const std::int64_t value : dims) {
    if (value < 0) {
      source.FailAt(dim,
                    "dim: found -1, expected a size; an open dim has no values to compare, reshape the model first");
    }
    dim = dim.next_sibling("dim");
  }
  return dims;
}

ElementType ParsePrecision(const Source& source, pugi::xml_node node, std::string_view text) {
  for (const auto& [type, name] : kPrecisions) {
    if (text == name) return type;
  }
  source.FailAt(node, fmt::format("precision: found '{}', expected one of FP64, FP32, FP16, BF16, I8 to I64, U8 to U64",
                                  Shown(text)));
}

ElementType ParseType(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text) {
  const auto type = oracle::ParseElementType(text);
  if (!type) {
    source.FailAt(node, fmt::format("{}: found '{}', expected one of f64, f32, f16, bf16, i8 to i64, u8 to u64", name,
                                    Shown(text)));
  }
  return *type;
}

std::string_view PrecisionName(ElementType type) {
  for (const auto& [known, name] : kPrecisions) {
    if (known == type) return name;
  }
  return {};
}

std::optional<OperatorKind> KindOf(pugi::xml_node layer) {
  const auto kind = oracle::ParseOperatorKind(layer.attribute("type").value());
  const bool openvino =
      kind == OperatorKind::kConvolutionBackpropData || kind == OperatorKind::kGroupConvolutionBackpropData;
  return openvino ? kind : std::nullopt;
}

void ReadAttributes(const Source& source, pugi::xml_node layer, oracle::Operator& op) {
  const pugi::xml_node data = layer.child("data");
  if (!data) return;
  RefuseMisspelt(source, data);
  for (const ListAttribute& attribute : kListAttributes) {
    if (const pugi::xml_attribute given = data.attribute(attribute.name)) {
      op.*attribute.member = ParseList(source, data, attribute.name, given.value());
    }
  }
  if (const pugi::xml_attribute auto_pad = data.attribute("auto_pad")) op.auto_pad = auto_pad.value();
}

std::vector<pugi::xml_node> InputPorts(const Source& source, pugi::xml_node layer) {
  std::vector<pugi::xml_node> ports;
  for (const pugi::xml_node port : layer.child("input").children("port")) ports.push_back(port);
  if (ports.size() < 2 || ports.size() > 3) {
    source.FailAt(layer, fmt::format("layer '{}' has {} input ports, expected 2 or 3 (data, filter, output_shape)",
                                     Shown(layer.attribute("name").value()), ports.size()));
  }
  return ports;
}

std::optional<pugi::xml_node> OutputPort(const Source& source, pugi::xml_node layer) {
  std::optional<pugi::xml_node> output;
  for (const pugi::xml_node port : layer.child("output").children("port")) {
    if (output) {
      source.FailAt(port, fmt::format("layer '{}' has a second output port, expected one",
                                      Shown(layer.attribute("name").value())));
    }
    output = port;
  }
  return output;
}

std::vector<std::int64_t> DeclaredSpatial(const Source& source, pugi::xml_node layer, const Dims& declared) {
  if (declared.size() < 2) {
    source.FailAt(layer,
                  fmt::format("layer '{}': the values of its third input are not in the file, and it declares no "
                              "output dims that could stand for them",
                              Shown(layer.attribute("name").value())));
  }
  return {declared.begin() + 2, declared.end()};
}

}  // namespace conformance::layer_xml
