// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the transposed convolutions (layers) of an ONNX graph node by node, also in graphs inside of nodes, such as
// loops. If a layer cannot be imported, its reader throws Skip, and the layer is listed as skipped with the reason.

#include "conformance/formats/onnx_layer.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/xml/model.h"
#include "conformance/formats/given_shapes.h"
#include "conformance/formats/import_data.h"
#include "conformance/formats/load_file.h"
#include "conformance/formats/onnx_model.h"
#include "conformance/formats/onnx_values.h"
#include "conformance/formats/onnx_weights.h"

namespace conformance::formats {
namespace {

using oracle::Dims;

/// Thrown if a layer cannot be imported.
struct Skip {
  std::string reason;
  std::string_view value = {};  ///< name of the value whose shape is missing, if that is the reason
};

constexpr std::size_t kLongestText = 256;  // bytes of a string attribute; the longest valid one is "SAME_UPPER"

// AttributeProto.AttributeType of onnx.proto: the index of a name is the number of the type.
constexpr std::array kAttributeTypes = {
    "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
    "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
constexpr std::size_t kInt = 2, kString = 3, kInts = 7;

/// Throws Skip unless the attribute has this type (an index of kAttributeTypes).
void ExpectType(const OnnxAttribute& attribute, std::size_t expected) {
  // Version 1 of the format has no types of attributes (0).
  const auto found = static_cast<std::size_t>(attribute.type);
  if (found == expected || attribute.type == 0) return;
  throw Skip{fmt::format("attribute '{}': found type {}, expected {}", OneLine(attribute.name),
                         found < kAttributeTypes.size() ? kAttributeTypes.at(found) : std::to_string(attribute.type),
                         kAttributeTypes.at(expected))};
}

/// The integers of an attribute.
const Dims& IntegersOf(const OnnxAttribute& attribute) {
  ExpectType(attribute, kInts);
  if (attribute.ints.size() > kMostNumbers) {
    throw Skip{fmt::format("attribute '{}': found {} numbers, expected at most {}", OneLine(attribute.name),
                           attribute.ints.size(), kMostNumbers)};
  }
  return attribute.ints;
}

/// Divides ONNX's list of pads, such as [1, 0, 2, 1], into pads_begin [1, 0] and pads_end [2, 1].
void SplitPads(const Dims& pads, oracle::Operator& op) {
  if (pads.size() % 2 != 0) {
    throw Skip{fmt::format("attribute 'pads': found {} numbers, expected an even number: the beginnings, then the ends",
                           pads.size())};
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
  op.pads_begin.emplace(pads.begin(), middle);
  op.pads_end.emplace(middle, pads.end());
}

/// Copies the attributes of a ConvTranspose to the operator of the layer. An unknown attribute becomes a note.
void ReadAttributes(const OnnxNode& node, ImportedLayer& layer) {
  oracle::Operator& op = layer.test_case.op;
  std::set<std::string_view> seen;
  for (const OnnxAttribute& attribute : node.attributes) {
    const std::string_view name = attribute.name;
    if (!seen.insert(name).second) throw Skip{fmt::format("attribute '{}' is given twice", OneLine(name))};
    if (attribute.of_function) throw Skip{fmt::format("attribute '{}' is a function's", OneLine(name))};
    if (name == "auto_pad") {
      ExpectType(attribute, kString);
      op.auto_pad = attribute.s;
      if (op.auto_pad->size() > kLongestText) throw Skip{"attribute 'auto_pad': found a text of more than 256 bytes"};
    } else if (name == "dilations") {
      op.dilations = IntegersOf(attribute);
    } else if (name == "group") {
      ExpectType(attribute, kInt);
      op.groups = attribute.i;
    } else if (name == "kernel_shape") {
      op.kernel_shape = IntegersOf(attribute);
    } else if (name == "output_padding") {
      op.output_padding = IntegersOf(attribute);
    } else if (name == "output_shape") {
      op.output_shape_attribute = IntegersOf(attribute);
    } else if (name == "pads") {
      SplitPads(IntegersOf(attribute), op);
    } else if (name == "strides") {
      op.strides = IntegersOf(attribute);
    } else {
      layer.notes.push_back(fmt::format("attribute '{}' is not one of ConvTranspose", OneLine(name)));
    }
  }
}

/// Finds an input of a node. `role`: what messages call it, such as "data".
const OnnxValue& InputValue(const OnnxValues& values, std::string_view name, std::string_view role) {
  const OnnxValue* value = values.Find(name);
  if (value == nullptr) {
    throw Skip{fmt::format("{} '{}': the model does not say its shape", role, OneLine(name)), name};
  }
  return *value;
}

/// The type and dims of an operand. `type_of_other`: the type of the other operand, used if this one has no type.
oracle::TensorType TensorOf(const OnnxValues& values, std::string_view name, std::string_view role,
                            std::optional<std::int32_t> type_of_other) {
  const OnnxValue& value = InputValue(values, name, role);
  if (!value.dims) {
    throw Skip{fmt::format("{} '{}': found a tensor {}, expected every dim to be known", role, OneLine(name),
                           OneLine(value.shown, kLongestText)),
               name};
  }
  const std::int32_t number = value.type.value_or(type_of_other.value_or(0));
  const auto type = FromOnnxType(number);
  if (!type) {
    throw Skip{fmt::format("{} '{}': found element type {}, expected a numeric type that is not quantised", role,
                           OneLine(name), number)};
  }
  return {*type, *value.dims};
}

bool HasGraphs(const OnnxNode& node) {
  return std::ranges::any_of(node.attributes, [](const OnnxAttribute& attribute) { return !attribute.graphs.empty(); });
}

// Collects the layers of a model. Names of layers are cut to a limited length: a node may contain many layers, and the
// full names of nested layers could take far more memory than the file.
class LayerCollector {
 public:
  LayerCollector(std::string_view bytes, const std::filesystem::path& file, const ImportOptions& options,
                 std::int64_t opset, std::string open_inputs)
      : bytes_(bytes), file_(file), options_(options), opset_(opset), open_inputs_(std::move(open_inputs)) {}

  /// Collects the layers of a graph and of the graphs inside its nodes. `around`: the values of the graph that contains
  /// this one, or null. `prefix`: what comes before the names of its layers, such as "loop/".
  void CollectFromGraph(const OnnxGraph& graph, const OnnxValues* around, const std::string& prefix) {
    const OnnxValues values(graph, around);
    for (const OnnxNode& node : graph.nodes) {
      const bool is_reported = IsTransposedConvolution(node.op_type);
      if (!is_reported && !HasGraphs(node)) continue;
      const std::string name =
          prefix + OneLine(node.name.empty() && !node.outputs.empty() ? node.outputs[0] : node.name);
      if (IsConvTranspose(node)) {
        ReadNode(graph, node, values, name);
      } else if (is_reported) {
        layers.model.skipped.push_back({name, fmt::format("operator {} of domain '{}', expected ONNX's ConvTranspose",
                                                          OneLine(node.op_type), OneLine(node.domain))});
      }
      // The reader limits nesting, so this recursion is limited too.
      for (const OnnxAttribute& attribute : node.attributes) {
        for (const OnnxGraph& inner : attribute.graphs) CollectFromGraph(inner, &values, OneLine(name) + "/");
      }
    }
  }

  void SkipLayersOfFunction(const OnnxFunction& function) {
    for (const OnnxNode& node : function.nodes) {
      if (!IsConvTranspose(node)) continue;
      layers.model.skipped.push_back({fmt::format("{}/{}", OneLine(function.name), OneLine(node.name)),
                                      "is in a function, which has no shapes: inline the function first"});
    }
  }

  OnnxLayers layers;

 private:
  static bool IsConvTranspose(const OnnxNode& node) {
    return node.op_type == "ConvTranspose" && (node.domain.empty() || node.domain == "ai.onnx");
  }

  /// Reads a ConvTranspose as a layer, or lists it as skipped.
  void ReadNode(const OnnxGraph& graph, const OnnxNode& node, const OnnxValues& values, const std::string& name) {
    try {
      ImportedLayer layer;
      layer.name = name;
      Case& test_case = layer.test_case;
      test_case.op.kind = oracle::OperatorKind::kConvTranspose;
      if (node.inputs.size() < 2 || node.inputs.size() > 3) {
        throw Skip{fmt::format("found {} inputs, expected 2 or 3 (data, filter, bias)", node.inputs.size())};
      }
      ReadAttributes(node, layer);
      const OnnxValue* filter = values.Find(node.inputs[1]);
      test_case.op.data = TensorOf(values, node.inputs[0], "data", filter != nullptr ? filter->type : std::nullopt);
      test_case.op.filter = TensorOf(values, node.inputs[1], "filter", std::nullopt);
      if (options_.weights) ReadWeights(values, InputValue(values, node.inputs[1], "filter"), layer);
      if (node.inputs.size() == 3 && !node.inputs[2].empty()) layer.notes.emplace_back("its bias is left out");
      if (opset_ <= 10) test_case.dialect = oracle::Dialect::kOnnx1;
      if (opset_ >= 22) test_case.dialect = oracle::Dialect::kOnnx22;
      const OnnxValue* output = node.outputs.size() == 1 ? values.Find(node.outputs[0]) : nullptr;
      CompleteLayer(layer, output != nullptr && output->dims ? *output->dims : Dims{}, options_);
      layers.model.layers.push_back(std::move(layer));
    } catch (const Skip& skip) {
      const bool is_missing = skip.value.data() != nullptr;
      layers.model.skipped.push_back({name, skip.reason, is_missing ? Advice(graph, values, skip.value) : ""});
      layers.shapes_missing = layers.shapes_missing || is_missing;
    }
  }

  /// Lets the case read its filter from the model, if that is possible; otherwise a note says why not. A data set,
  /// which is a rule for values, then fills the filter.
  void ReadWeights(const OnnxValues& values, const OnnxValue& value, ImportedLayer& layer) {
    if (value.dequantize != nullptr) return UseDequantized(values, *value.dequantize, layer);
    if (value.constant == nullptr) {
      layer.notes.emplace_back("its filter is not a constant: a data set fills it");
      return;
    }
    auto file_values = FileValuesOf(*value.constant, layer.test_case.op.filter, bytes_, file_);
    if (auto* found = std::get_if<FileValues>(&file_values)) {
      layer.test_case.filter_values = std::move(*found);
    } else {
      layer.notes.push_back("a data set fills its filter: " + std::get<std::string>(file_values));
    }
  }

  void UseDequantized(const OnnxValues& values, const OnnxNode& node, ImportedLayer& layer) {
    // Many layers may share one filter, so each filter is dequantized once.
    const auto [cached, is_new] = dequantized_.try_emplace(&node);
    if (is_new) cached->second = KeepDequantized(values, node);
    if (const auto* kept = std::get_if<GivenValues>(&cached->second)) {
      layer.test_case.given_filter = *kept;
      layer.notes.emplace_back("its filter is dequantized as DequantizeLinear says");
    } else {
      layer.notes.push_back("a data set fills its filter: it " + std::get<std::string>(cached->second));
    }
  }

  /// Dequantizes a constant. Returns its values, or the rest of a sentence that says why not.
  std::variant<GivenValues, std::string> KeepDequantized(const OnnxValues& values, const OnnxNode& node) const {
    Blocks blocks;
    for (const OnnxAttribute& attribute : node.attributes) {
      if (attribute.name == "axis") blocks.axis = attribute.i;
      if (attribute.name == "block_size") blocks.size = attribute.i;
    }
    std::vector<OnnxElements> operands;
    for (const std::string_view name : node.inputs) {
      if (name.empty()) continue;
      const OnnxValue* value = values.Find(name);
      if (value == nullptr || value->constant == nullptr || value->type != value->constant->type) {
        return fmt::format("is dequantized by '{}', which is not a constant", OneLine(name));
      }
      auto elements = ReadElements(*value->constant);
      if (const auto* why = std::get_if<std::string>(&elements)) {
        return fmt::format("is dequantized by '{}', which {}", OneLine(name), *why);
      }
      operands.push_back(std::get<OnnxElements>(std::move(elements)));
    }
    if (operands.size() < 2 || operands.size() > 3) return "is dequantized by a node without 2 or 3 inputs";
    const auto computed = Dequantized(operands[0], operands[1], operands.size() == 3 ? &operands[2] : nullptr, blocks);
    if (const auto* why = std::get_if<std::string>(&computed)) return *why;
    const auto& filter = std::get<OnnxElements>(computed);
    auto kept =
        KeepValues(std::as_bytes(std::span(filter.bytes)), filter.type, filter.dims, options_.values_folder, "filter");
    if (const auto* why = std::get_if<std::string>(&kept)) return "is dequantized: " + *why;
    return kept;
  }

  /// Returns the advice for a missing shape: the value whose shape the user can give.
  std::string Advice(const OnnxGraph& graph, const OnnxValues& values, std::string_view value) {
    if (!open_inputs_.empty()) {
      return fmt::format("; open inputs: {}: give --shape {}=DIMS, or run deconv-capture", open_inputs_,
                         open_inputs_.substr(0, open_inputs_.find(' ')));
    }
    const auto [cached, is_new] = stops_.try_emplace(&graph);
    if (is_new) cached->second = StopsOf(graph, values);
    const auto stop = cached->second.find(value);
    const OnnxNode* node = stop == cached->second.end() ? nullptr : stop->second;
    const std::string where =
        node == nullptr ? ""
                        : fmt::format("shapes are known up to operator {} '{}' of {} {}: ", OneLine(node->op_type),
                                      OneLine(node->name), node->domain.empty() ? "operator set" : "domain",
                                      node->domain.empty() ? std::to_string(opset_) : OneLine(node->domain));
    return fmt::format("; {}give --shape {}=DIMS, or run deconv-capture", where, OneLine(value));
  }

  using Stops = std::unordered_map<std::string_view, const OnnxNode*>;

  /// Finds for each value without a shape the node at which the shapes stop. Example: in x > A > b > Relu > c, x has a
  /// shape, but operator A is unknown. The values b and c have no shape, and both stop at A.
  static Stops StopsOf(const OnnxGraph& graph, const OnnxValues& values) {
    Stops stops;
    for (const OnnxNode& node : graph.nodes) {  // ONNX requires that nodes are in the order of the data flow
      const OnnxNode* stop = &node;
      for (const std::string_view input : node.inputs) {
        const auto before = stops.find(input);
        if (before == stops.end()) continue;
        stop = before->second;
        break;
      }
      for (const std::string_view output : node.outputs) {
        const OnnxValue* value = values.Find(output);
        if (value == nullptr || !value->dims) stops.emplace(output, stop);
      }
    }
    return stops;
  }

  std::string_view bytes_;
  const std::filesystem::path& file_;
  const ImportOptions& options_;
  std::int64_t opset_;
  std::string open_inputs_;
  std::map<const OnnxGraph*, Stops> stops_;
  std::map<const OnnxNode*, std::variant<GivenValues, std::string>> dequantized_;
};

/// The version of the operator set of ONNX itself; 1 if the model does not state it, as in early versions.
std::int64_t OpsetOf(const OnnxModel& model) {
  std::int64_t opset = 1;
  for (const auto& [domain, version] : model.opsets) {
    if (domain.empty() || domain == "ai.onnx") opset = version;
  }
  return opset;
}

}  // namespace

OnnxLayers ReadLayers(const OnnxModel& model, std::string_view bytes, const std::filesystem::path& file,
                      const ImportOptions& options) {
  LayerCollector collector(bytes, file, options, OpsetOf(model), OpenInputs(*model.graph));
  collector.CollectFromGraph(*model.graph, nullptr, "");
  for (const OnnxFunction& function : model.functions) collector.SkipLayersOfFunction(function);
  return std::move(collector.layers);
}

}  // namespace conformance::formats
