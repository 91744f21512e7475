// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports the transposed convolutions of a oneDNN graph in JSON, as the library writes it and benchdnn --graph reads
// it. The node ConvTranspose of oneDNN Graph becomes ConvolutionBackwardData, which only has other names for the
// layouts of the weights.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/formats/import_data.h"

namespace conformance::formats {
namespace {

using nlohmann::json;

/// An attribute with a list of integers: its name in the JSON, and the member of the operator.
struct ListAttribute {
  const char* name;
  std::optional<oracle::Dims> oracle::Operator::* member;
};
constexpr ListAttribute kLists[] = {{"strides", &oracle::Operator::strides},
                                    {"dilations", &oracle::Operator::dilations},
                                    {"pads_begin", &oracle::Operator::pads_begin},
                                    {"pads_end", &oracle::Operator::pads_end},
                                    {"output_padding", &oracle::Operator::output_padding},
                                    {"dst_shape", &oracle::Operator::dst_shape}};

/// Converts an integer that fits 64 bits, and throws for others. The JSON library would truncate them silently.
std::int64_t Integer(const json& value) {
  const bool fits = value.is_number_integer() && (!value.is_number_unsigned() ||
                                                  value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  if (!fits) throw std::invalid_argument("expected an integer of 64 bits");
  return value.get<std::int64_t>();
}

oracle::Dims Integers(const json& list, const char* name) {
  constexpr std::size_t kMost = 64;  // tensors have at most 10 dims, so a longer list is surely wrong
  if (!list.is_array() || list.size() > kMost) {
    throw std::invalid_argument(fmt::format("{}: expected a list of at most {} integers", name, kMost));
  }
  oracle::Dims dims;
  for (const json& value : list) dims.push_back(Integer(value));
  return dims;
}

/// Returns a member of a JSON object. Throws if there is none.
const json& MemberOf(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw std::invalid_argument(fmt::format("{} is missing", name));
  return object.at(name);
}

/// Reads the element type and the dims of a tensor of a node.
oracle::TensorType TensorOf(const json& tensor) {
  const auto& name = MemberOf(tensor, "dtype");
  const auto type = name.is_string() ? oracle::ParseElementType(name.get<std::string>()) : std::nullopt;
  if (!type) throw std::invalid_argument("dtype: expected f32, f16, bf16 or another type of the suite");
  return {*type, Integers(MemberOf(tensor, "shape"), "shape")};
}

void ReadAttributes(const json& attributes, oracle::Operator& op) {
  for (const ListAttribute& list : kLists) {
    if (attributes.contains(list.name)) {
      op.*list.member = Integers(MemberOf(attributes.at(list.name), "value"), list.name);
    }
  }
  const auto read_text = [&](const char* name, std::optional<std::string>& target) {
    if (!attributes.contains(name)) return;
    const json& value = MemberOf(attributes.at(name), "value");
    constexpr std::size_t kLongest = 256;  // the longest valid text is "same_upper"
    if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongest) {
      throw std::invalid_argument(fmt::format("{}: expected a text of at most {} bytes", name, kLongest));
    }
    target = value.get<std::string>();
  };
  read_text("auto_pad", op.auto_pad);
  read_text("data_format", op.data_format);
  read_text("weights_format", op.weights_format);
  if (attributes.contains("groups")) op.groups = Integer(MemberOf(attributes.at("groups"), "value"));
}

/// Reads one node. Throws std::invalid_argument with the reason if the node cannot become a case.
ImportedLayer LayerOf(const json& node, const std::string& kind, std::string name, const ImportOptions& options) {
  ImportedLayer layer{std::move(name), {}, {}};
  oracle::Operator& op = layer.test_case.op;
  op.kind = oracle::OperatorKind::kConvolutionBackwardData;
  layer.test_case.dialect = oracle::Dialect::kOnednnRuntime;
  const json& inputs = MemberOf(node, "inputs");
  if (!inputs.is_array() || inputs.size() != 2) {
    throw std::invalid_argument(
        fmt::format("has {} inputs, expected data and weights: a bias or a dst_shape has no "
                    "place in a case, or no values in the file",
                    inputs.size()));
  }
  op.data = TensorOf(inputs.at(0));
  op.filter = TensorOf(inputs.at(1));
  ReadAttributes(MemberOf(node, "attrs"), op);
  if (kind == "ConvTranspose") {
    const std::string format = op.weights_format.value_or("XOI");
    if (format != "XOI" && format != "IOX") {
      throw std::invalid_argument("weights_format: expected XOI or IOX");
    }
    // ConvTranspose names input and output channels of the filter in the opposite direction.
    op.weights_format = format == "XOI" ? "XIO" : "OIX";
    layer.notes.push_back(fmt::format("ConvTranspose with weights {} is read as ConvolutionBackwardData with {}",
                                      format, *op.weights_format));
  }
  oracle::Dims declared;
  if (node.contains("outputs") && node.at("outputs").is_array() && !node.at("outputs").empty()) {
    declared = Integers(MemberOf(node.at("outputs").at(0), "shape"), "shape");
    // oneDNN writes unknown dims as negative numbers.
    for (const std::int64_t dim : declared) {
      if (dim < 0) declared.clear();
      if (dim < 0) break;
    }
  }
  if (kind == "ConvTranspose") {
    // The node has no dst_shape, which ConvolutionBackwardData must have.
    if (declared.empty()) throw std::invalid_argument("the output's shape is unknown");
    op.dst_shape = declared;
  }
  CompleteLayer(layer, declared, options);
  return layer;
}

}  // namespace

Import ImportGraphJson(std::string_view text, const std::filesystem::path& file, const ImportOptions& options) {
  const json graph = ParseJsonIfValid(text);
  if (graph.is_discarded() || !graph.is_object() || !graph.contains("graph") || !graph.at("graph").is_array()) {
    return ReadError{
        fmt::format("{}: is not the JSON of a oneDNN graph: expected an object with a list 'graph'", file.string())};
  }
  ImportedModel model;
  std::size_t index = 0;
  for (const json& node : graph.at("graph")) {
    const std::string kind = node.is_object() && node.contains("kind") && node.at("kind").is_string()
                                 ? node.at("kind").get<std::string>()
                                 : "";
    std::string name = node.is_object() && node.contains("name") && node.at("name").is_string()
                           ? node.at("name").get<std::string>()
                           : fmt::format("node {}", index);
    ++index;
    if (kind != "ConvolutionBackwardData" && kind != "ConvTranspose") continue;
    try {
      model.layers.push_back(LayerOf(node, kind, name, options));
    } catch (const std::invalid_argument& error) {
      model.skipped.push_back({std::move(name), error.what()});
    }
  }
  return model;
}

}  // namespace conformance::formats
