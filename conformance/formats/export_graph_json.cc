// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case as the JSON of a oneDNN graph with one node ConvolutionBackwardData. oneDNN's test program reads it by
// `benchdnn --graph --case`. The file has shapes and attributes, but no values.

#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"

namespace conformance::formats {
namespace {

using Json = nlohmann::ordered_json;

// An attribute of a oneDNN graph is an object with its type and its value.
Json List(const oracle::Dims& values) { return {{"type", "s64[]"}, {"value", values}}; }
Json Text(const std::string& value) { return {{"type", "string"}, {"value", value}}; }

/// The description of a dense tensor: the last dim is contiguous.
Json Tensor(int id, oracle::ElementType type, const oracle::Dims& dims, const char* property) {
  oracle::Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return {{"id", id},
          {"dtype", std::string(oracle::ElementTypeName(type))},
          {"shape", dims},
          {"stride", strides},
          {"layout_type", "strided"},
          {"property_type", property}};
}

/// Returns auto_pad in the only spelling that the library accepts. The case's dialect may allow several spellings.
std::string AutoPadOfLibrary(const oracle::Operator& op) {
  std::string mode;
  for (const char c : op.auto_pad.value_or("None")) mode += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return mode == "NONE" ? "None" : mode;
}

/// The operator as the file gives it to the library.
oracle::Operator OperatorOfFile(const oracle::Operator& op, const oracle::Geometry& geometry) {
  oracle::Operator in_file = op;
  in_file.auto_pad = AutoPadOfLibrary(op);
  // The file has no values of inputs, so the attribute dst_shape has the output shape.
  in_file.output_shape.reset();
  in_file.dst_shape = geometry.OutputDims();
  return in_file;
}

/// oneDNN's library reads the file by its own rules, whatever the dialect (reading of the attributes) of the case is.
/// The export is right only if both give the same pads. Returns what differs; empty if nothing does.
std::string DifferenceOfLibrary(const oracle::Operator& in_file, const oracle::Geometry& geometry,
                                oracle::Dialect dialect) {
  const oracle::Resolution by_library = oracle::Resolve(in_file, oracle::Dialect::kOnednnRuntime);
  if (!by_library.ok()) {
    return fmt::format("the library refuses the operator by {}: {}", by_library.refusal->clause,
                       by_library.refusal->message);
  }
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    if (by_library.geometry->axes[j].pads_begin == geometry.axes[j].pads_begin) continue;
    return fmt::format("axis {}: the library reads it with pads_begin {}, {} with {}", j,
                       by_library.geometry->axes[j].pads_begin, oracle::DialectName(dialect),
                       geometry.axes[j].pads_begin);
  }
  return "";
}

Json AttributesOf(const oracle::Operator& in_file, bool has_auto_pad) {
  // The required attributes; the resolver has checked that the operator has them.
  Json attributes = {{"strides", List(in_file.strides.value_or(oracle::Dims{}))},
                     {"pads_begin", List(in_file.pads_begin.value_or(oracle::Dims{}))},
                     {"pads_end", List(in_file.pads_end.value_or(oracle::Dims{}))},
                     {"dilations", List(in_file.dilations.value_or(oracle::Dims{}))}};
  if (has_auto_pad) attributes["auto_pad"] = Text(*in_file.auto_pad);
  if (in_file.output_padding) attributes["output_padding"] = List(*in_file.output_padding);
  if (in_file.groups) attributes["groups"] = {{"type", "s64"}, {"value", *in_file.groups}};
  // Default values are written too, because benchdnn requires them in the file.
  attributes["data_format"] = Text(in_file.data_format.value_or("NXC"));
  attributes["weights_format"] = Text(in_file.weights_format.value_or("XIO"));
  attributes["dst_shape"] = List(*in_file.dst_shape);
  return attributes;
}

}  // namespace

Export ExportGraphJson(const std::string& name, const Case& test_case) {
  const oracle::Operator& op = test_case.op;
  if (op.kind != oracle::OperatorKind::kConvolutionBackwardData) {
    return fmt::format("oneDNN Graph has ConvolutionBackwardData, no {} (its ConvTranspose is another operator)",
                       oracle::OperatorKindName(op.kind));
  }
  const auto resolved = ResolutionOf(test_case);
  if (const auto* sentence = std::get_if<std::string>(&resolved)) return *sentence;
  const auto& geometry = *std::get<oracle::Resolution>(resolved).geometry;
  if (!oracle::IsFloat(geometry.type) || geometry.type == oracle::ElementType::kF64) {
    return fmt::format("found type {}: the operator has f32, f16 and bf16", oracle::ElementTypeName(geometry.type));
  }

  const oracle::Operator in_file = OperatorOfFile(op, geometry);
  if (std::string difference = DifferenceOfLibrary(in_file, geometry, test_case.EffectiveDialect());
      !difference.empty()) {
    return difference;
  }

  const Json node = {{"id", 0},
                     {"name", name},
                     {"kind", "ConvolutionBackwardData"},
                     {"attrs", AttributesOf(in_file, op.auto_pad.has_value())},
                     {"inputs", Json::array({Tensor(0, op.data.type, op.data.dims, "undef"),
                                             Tensor(1, op.filter.type, op.filter.dims, "constant")})},
                     {"outputs", Json::array({Tensor(2, geometry.type, geometry.OutputDims(), "undef")})}};
  const Json graph = {
      {"version", "3.0.0"}, {"engine_kind", "cpu"}, {"fpmath_mode", "strict"}, {"graph", Json::array({node})}};
  return std::vector<ExportedFile>{{name + ".json", JsonText(graph, 2) + "\n"}};
}

}  // namespace conformance::formats
