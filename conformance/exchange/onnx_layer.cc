// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads node by node, also in graphs that are attributes of nodes. A reason to skip a layer is thrown as an exception
// and caught where the layer is named.

#include "conformance/exchange/onnx_layer.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/exchange/one_line.h"
#include "conformance/exchange/onnx_type.h"
#include "conformance/exchange/onnx_values.h"
#include "conformance/exchange/onnx_weights.h"

namespace conformance::exchange {
namespace {

using oracle::Dims;

struct Skip {
  std::string reason;
  bool shape_missing = false;
};

// What a list of the case line holds.
constexpr int kMostNumbers = 64;
constexpr std::size_t kLongestText = 256;

void ExpectType(const onnx::AttributeProto& attribute, onnx::AttributeProto_AttributeType type) {
  // Before version 2 of the format attributes did not say their type.
  if (attribute.type() != type && attribute.type() != onnx::AttributeProto_AttributeType_UNDEFINED) {
    throw Skip{fmt::format("attribute '{}': found type {}, expected {}", OneLine(attribute.name()),
                           onnx::AttributeProto_AttributeType_Name(attribute.type()),
                           onnx::AttributeProto_AttributeType_Name(type))};
  }
}

Dims List(const onnx::AttributeProto& attribute) {
  ExpectType(attribute, onnx::AttributeProto_AttributeType_INTS);
  if (attribute.ints_size() > kMostNumbers) {
    throw Skip{fmt::format("attribute '{}': found {} numbers, expected at most {}", OneLine(attribute.name()),
                           attribute.ints_size(), kMostNumbers)};
  }
  return {attribute.ints().begin(), attribute.ints().end()};
}

void TakePads(const Dims& pads, oracle::Operator& op) {
  if (pads.size() % 2 != 0) {
    throw Skip{fmt::format("attribute 'pads': found {} numbers, expected an even number: the beginnings, then the ends",
                           pads.size())};
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
  op.pads_begin.emplace(pads.begin(), middle);
  op.pads_end.emplace(middle, pads.end());
}

void TakeAttributes(const onnx::NodeProto& node, ImportedLayer& layer) {
  oracle::Operator& op = layer.test_case.op;
  std::set<std::string> seen;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if (!seen.insert(name).second) throw Skip{fmt::format("attribute '{}' is given twice", OneLine(name))};
    if (attribute.has_ref_attr_name()) throw Skip{fmt::format("attribute '{}' is a function's", OneLine(name))};
    if (name == "auto_pad") {
      ExpectType(attribute, onnx::AttributeProto_AttributeType_STRING);
      op.auto_pad = attribute.s();
      if (op.auto_pad->size() > kLongestText) throw Skip{"attribute 'auto_pad': found a text of more than 256 bytes"};
    } else if (name == "dilations") {
      op.dilations = List(attribute);
    } else if (name == "group") {
      ExpectType(attribute, onnx::AttributeProto_AttributeType_INT);
      op.groups = attribute.i();
    } else if (name == "kernel_shape") {
      op.kernel_shape = List(attribute);
    } else if (name == "output_padding") {
      op.output_padding = List(attribute);
    } else if (name == "output_shape") {
      op.output_shape_attribute = List(attribute);
    } else if (name == "pads") {
      TakePads(List(attribute), op);
    } else if (name == "strides") {
      op.strides = List(attribute);
    } else {
      layer.notes.push_back(fmt::format("attribute '{}' is not one of ConvTranspose", OneLine(name)));
    }
  }
}

const OnnxValue& InputValue(const OnnxValues& values, const std::string& name, std::string_view role) {
  const OnnxValue* value = values.Find(name);
  if (value == nullptr) {
    throw Skip{fmt::format("{} '{}': the model does not say its shape", role, OneLine(name)), true};
  }
  return *value;
}

oracle::TensorType TensorOf(const OnnxValues& values, const std::string& name, std::string_view role) {
  const OnnxValue& value = InputValue(values, name, role);
  if (!value.dims || !value.type) {
    throw Skip{
        fmt::format("{} '{}': found a tensor {}, expected every dim to be known", role, OneLine(name), value.shown),
        true};
  }
  const auto type = FromOnnxType(*value.type);
  if (!type) {
    throw Skip{fmt::format("{} '{}': found element type {}, expected a numeric type that is not quantised", role,
                           OneLine(name), *value.type)};
  }
  return {*type, *value.dims};
}

class Collector {
 public:
  Collector(std::string_view bytes, const std::filesystem::path& file, const ImportOptions& options, std::int64_t opset)
      : places_(bytes, file), options_(options), opset_(opset) {}

  void Walk(const onnx::GraphProto& graph, const OnnxValues* around, const std::string& prefix) {
    const OnnxValues values(graph, around);
    for (const onnx::NodeProto& node : graph.node()) {
      const std::string name = prefix + (node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name());
      if (IsOurs(node)) {
        Take(node, values, name);
      } else if (node.op_type().find("ConvTranspose") != std::string::npos) {
        layers.model.skipped.push_back({name, fmt::format("operator {} of domain '{}', expected ONNX's ConvTranspose",
                                                          OneLine(node.op_type()), OneLine(node.domain()))});
      }
      // Protobuf's limit on nesting is this recursion's.
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) Walk(attribute.g(), &values, name + "/");
        for (const onnx::GraphProto& inner : attribute.graphs()) Walk(inner, &values, name + "/");
      }
    }
  }

  void WalkFunction(const onnx::FunctionProto& function) {
    for (const onnx::NodeProto& node : function.node()) {
      if (!IsOurs(node)) continue;
      layers.model.skipped.push_back(
          {function.name() + "/" + node.name(), "is in a function, which has no shapes: inline the function first"});
    }
  }

  OnnxLayers layers;

 private:
  static bool IsOurs(const onnx::NodeProto& node) {
    return node.op_type() == "ConvTranspose" && (node.domain().empty() || node.domain() == "ai.onnx");
  }

  void Take(const onnx::NodeProto& node, const OnnxValues& values, const std::string& name) {
    try {
      ImportedLayer layer;
      layer.name = name;
      Case& test_case = layer.test_case;
      test_case.op.kind = oracle::OperatorKind::kConvTranspose;
      if (node.input_size() < 2 || node.input_size() > 3) {
        throw Skip{fmt::format("found {} inputs, expected 2 or 3 (data, filter, bias)", node.input_size())};
      }
      TakeAttributes(node, layer);
      test_case.op.data = TensorOf(values, node.input(0), "data");
      test_case.op.filter = TensorOf(values, node.input(1), "filter");
      if (options_.weights) TakeWeights(InputValue(values, node.input(1), "filter"), layer);
      if (node.input_size() == 3 && !node.input(2).empty()) layer.notes.emplace_back("its bias is left out");
      if (opset_ <= 10) test_case.dialect = oracle::Dialect::kOnnx1;
      const OnnxValue* output = node.output_size() == 1 ? values.Find(node.output(0)) : nullptr;
      Finish(layer, output != nullptr && output->dims ? *output->dims : Dims{}, options_);
      layers.model.layers.push_back(std::move(layer));
    } catch (const Skip& skip) {
      layers.model.skipped.push_back({name, skip.reason});
      layers.shapes_missing = layers.shapes_missing || skip.shape_missing;
    }
  }

  void TakeWeights(const OnnxValue& value, ImportedLayer& layer) {
    if (value.constant == nullptr) {
      layer.notes.emplace_back("its filter is not a constant: a data set fills it");
      return;
    }
    auto place = places_.Find(*value.constant, layer.test_case.op.filter);
    if (auto* place_found = std::get_if<FileValues>(&place)) {
      layer.test_case.filter_values = std::move(*place_found);
    } else {
      layer.notes.push_back("a data set fills its filter: " + std::get<std::string>(place));
    }
  }

  WeightPlaces places_;
  const ImportOptions& options_;
  std::int64_t opset_;
};

/// The version of ONNX's own operators; 1 where a model of the format's first versions says none.
std::int64_t OpsetOf(const onnx::ModelProto& model) {
  std::int64_t opset = 1;
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx") opset = import.version();
  }
  return opset;
}

}  // namespace

OnnxLayers TakeLayers(const onnx::ModelProto& model, std::string_view bytes, const std::filesystem::path& file,
                      const ImportOptions& options) {
  Collector collector(bytes, file, options, OpsetOf(model));
  collector.Walk(model.graph(), nullptr, "");
  for (const onnx::FunctionProto& function : model.functions()) collector.WalkFunction(function);
  return std::move(collector.layers);
}

}  // namespace conformance::exchange
