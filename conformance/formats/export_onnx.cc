// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case as an ONNX model with test data, in the form of ONNX's own backend tests. Data and filter are inputs
// of the model; their values and the expected output are tensors in files.

#include <protozero/pbf_writer.hpp>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {
namespace {

using protozero::pbf_writer;

/// The versions that a model file states.
struct Versions {
  std::int64_t opset;   ///< of the operator set whose ConvTranspose the dialect describes
  std::int64_t format;  ///< of the file format, one that allows this operator set
};
/// The versions for a dialect (one reading of the attributes, such as onnx-11). bf16 exists from operator set 22 on.
Versions VersionsOf(oracle::Dialect dialect, oracle::ElementType type) {
  if (dialect == oracle::Dialect::kOnnx22 || type == oracle::ElementType::kBf16) return {22, 10};
  if (dialect == oracle::Dialect::kOnnx1) return {10, 5};  // the last before ConvTranspose-11
  return {11, 6};
}

// Each function fills a message of onnx.proto; the numbers are those of its fields.

void WriteValueInfo(const std::string& name, oracle::ElementType type, const oracle::Dims& dims, pbf_writer value) {
  value.add_string(1, name);
  pbf_writer value_type(value, 2);
  pbf_writer tensor(value_type, 1);
  tensor.add_int32(1, ToOnnxType(type));
  pbf_writer shape(tensor, 2);
  for (const std::int64_t dim : dims) pbf_writer(shape, 1).add_int64(1, dim);
}

void WriteInts(const std::string& name, const oracle::Dims& list, pbf_writer attribute) {
  attribute.add_string(1, name);
  for (const std::int64_t number : list) attribute.add_int64(8, number);
  attribute.add_enum(20, 7);  // INTS
}

void WriteAttributes(const oracle::Operator& op, pbf_writer& node) {
  constexpr std::uint32_t kAttribute = 5;  // the field of NodeProto in onnx.proto
  if (op.auto_pad) {
    pbf_writer attribute(node, kAttribute);
    attribute.add_string(1, "auto_pad");
    attribute.add_string(4, *op.auto_pad);
    attribute.add_enum(20, 3);  // STRING
  }
  if (op.dilations) WriteInts("dilations", *op.dilations, {node, kAttribute});
  if (op.groups) {
    pbf_writer attribute(node, kAttribute);
    attribute.add_string(1, "group");
    attribute.add_int64(3, *op.groups);
    attribute.add_enum(20, 2);  // INT
  }
  if (op.kernel_shape) WriteInts("kernel_shape", *op.kernel_shape, {node, kAttribute});
  if (op.output_padding) WriteInts("output_padding", *op.output_padding, {node, kAttribute});
  if (op.output_shape_attribute) WriteInts("output_shape", *op.output_shape_attribute, {node, kAttribute});
  if (op.pads_begin && op.pads_end) {
    oracle::Dims pads = *op.pads_begin;
    pads.insert(pads.end(), op.pads_end->begin(), op.pads_end->end());
    WriteInts("pads", pads, {node, kAttribute});
  }
  if (op.strides) WriteInts("strides", *op.strides, {node, kAttribute});
}

std::string ModelFile(const std::string& name, const oracle::Operator& op, const Versions& versions,
                      oracle::ElementType output_type, const oracle::Dims& output_dims) {
  std::string file;
  pbf_writer model(file);
  model.add_int64(1, versions.format);
  model.add_string(2, "deconv-cts");
  {
    pbf_writer graph(model, 7);
    {
      pbf_writer node(graph, 1);
      node.add_string(1, "X");
      node.add_string(1, "W");
      node.add_string(2, "Y");
      node.add_string(3, "deconv");
      node.add_string(4, "ConvTranspose");
      WriteAttributes(op, node);
    }
    graph.add_string(2, name);
    WriteValueInfo("X", op.data.type, op.data.dims, {graph, 11});
    WriteValueInfo("W", op.filter.type, op.filter.dims, {graph, 11});
    WriteValueInfo("Y", output_type, output_dims, {graph, 12});
  }
  pbf_writer import(model, 8);
  import.add_string(1, "");  // ONNX's own operators
  import.add_int64(2, versions.opset);
  return file;
}

std::string TensorFile(const std::string& name, oracle::ElementType type, const oracle::Dims& dims,
                       std::span<const std::byte> bytes) {
  std::string file;
  pbf_writer tensor(file);
  for (const std::int64_t dim : dims) tensor.add_int64(1, dim);
  tensor.add_int32(2, ToOnnxType(type));
  tensor.add_string(8, name);
  tensor.add_bytes(9, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return file;
}

/// Returns an empty string, or the part of the operator that an ONNX node cannot express.
std::string ReasonAgainstOperator(const oracle::Operator& op) {
  if (op.kind != oracle::OperatorKind::kConvTranspose) {
    return fmt::format("ONNX has only ConvTranspose, no {}", oracle::OperatorKindName(op.kind));
  }
  if (op.pads_begin.has_value() != op.pads_end.has_value()) return "a node has both pads_begin and pads_end, or none";
  if (op.pads_begin && op.pads_begin->size() != op.pads_end->size()) {
    return "a node's pads are halves of one list, found pads_begin and pads_end of different lengths";
  }
  if (op.output_shape) return "a ConvTranspose has no input output_shape";
  return {};
}

}  // namespace

Export ExportOnnx(const std::string& name, const Case& test_case) {
  const oracle::Operator& op = test_case.op;
  if (std::string sentence = ReasonAgainstOperator(op); !sentence.empty()) return sentence;
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  const Versions versions = VersionsOf(dialect, op.data.type);
  if (dialect == oracle::Dialect::kTensorflow) {
    return std::string("no operator set has TensorFlow's reading; --dialect chooses one of ONNX's");
  }
  if (versions.opset > 10 && dialect == oracle::Dialect::kOnnx1) {
    return std::string("operator sets 1 to 10, which dialect onnx-1 is of, have no bf16");
  }
  auto computed_or_reason = ComputeCase(test_case, kFolderLimits);
  if (auto* sentence = std::get_if<std::string>(&computed_or_reason)) return std::move(*sentence);
  const auto& computed = std::get<ComputedCase>(computed_or_reason);
  const oracle::Dims output = computed.geometry.OutputDims();
  const oracle::ElementType type = computed.geometry.type;

  std::vector<ExportedFile> files;
  files.push_back({name + "/model.onnx", ModelFile(name, op, versions, type, output)});
  const std::string data_set = name + "/test_data_set_0/";
  files.push_back({data_set + "input_0.pb", TensorFile("X", type, op.data.dims, computed.data)});
  files.push_back({data_set + "input_1.pb", TensorFile("W", type, op.filter.dims, computed.filter)});
  files.push_back({data_set + "output_0.pb", TensorFile("Y", type, output, computed.output)});
  AddCaseFiles(name, computed, files);
  return files;
}

}  // namespace conformance::formats
