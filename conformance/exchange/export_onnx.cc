// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case as an ONNX model with a set of test data, like ONNX's own backend tests: data and filter are inputs.

#include <span>
#include <utility>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "conformance/exchange/case_json.h"
#include "conformance/exchange/export_case.h"
#include "conformance/exchange/onnx_type.h"
#include "conformance/exchange/worked_case.h"

namespace conformance::exchange {
namespace {

/// An operator set whose ConvTranspose is the dialect's, and the version of the format that goes with it.
struct Versions {
  std::int64_t opset;
  std::int64_t format;
};
Versions VersionsOf(oracle::Dialect dialect, oracle::ElementType type) {
  if (type == oracle::ElementType::kBf16) return {22, 10};  // the first to have it
  if (dialect == oracle::Dialect::kOnnx1) return {10, 5};   // the last before ConvTranspose-11
  return {11, 6};
}

void Describe(const std::string& name, oracle::ElementType type, const oracle::Dims& dims,
              onnx::ValueInfoProto& value) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(ToOnnxType(type));
  for (const std::int64_t dim : dims) tensor.mutable_shape()->add_dim()->set_dim_value(dim);
}

void Set(const std::string& name, const oracle::Dims& list, onnx::NodeProto& node) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto_AttributeType_INTS);
  for (const std::int64_t number : list) attribute.add_ints(number);
}

void SetAttributes(const oracle::Operator& op, onnx::NodeProto& node) {
  if (op.auto_pad) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name("auto_pad");
    attribute.set_type(onnx::AttributeProto_AttributeType_STRING);
    attribute.set_s(*op.auto_pad);
  }
  if (op.dilations) Set("dilations", *op.dilations, node);
  if (op.groups) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name("group");
    attribute.set_type(onnx::AttributeProto_AttributeType_INT);
    attribute.set_i(*op.groups);
  }
  if (op.kernel_shape) Set("kernel_shape", *op.kernel_shape, node);
  if (op.output_padding) Set("output_padding", *op.output_padding, node);
  if (op.output_shape_attribute) Set("output_shape", *op.output_shape_attribute, node);
  if (op.pads_begin && op.pads_end) {
    oracle::Dims pads = *op.pads_begin;
    pads.insert(pads.end(), op.pads_end->begin(), op.pads_end->end());
    Set("pads", pads, node);
  }
  if (op.strides) Set("strides", *op.strides, node);
}

/// Empty, or what of the operator a node has no place for.
std::string Unsayable(const oracle::Operator& op) {
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

std::string TensorFile(const std::string& name, oracle::ElementType type, const oracle::Dims& dims,
                       std::span<const std::byte> bytes) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(ToOnnxType(type));
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  tensor.set_raw_data(bytes.data(), bytes.size());
  return tensor.SerializeAsString();
}

}  // namespace

Export ExportOnnx(const std::string& name, const Case& test_case) {
  const oracle::Operator& op = test_case.op;
  if (std::string sentence = Unsayable(op); !sentence.empty()) return sentence;
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  const Versions versions = VersionsOf(dialect, op.data.type);
  if (versions.opset > 10 && dialect == oracle::Dialect::kOnnx1) {
    return std::string("operator sets 1 to 10, which dialect onnx-1 is of, have no bf16");
  }
  auto work = WorkOut(test_case, kFolderLimits);
  if (auto* sentence = std::get_if<std::string>(&work)) return std::move(*sentence);
  const auto& worked = std::get<WorkedCase>(work);
  const oracle::Dims output = worked.geometry.OutputDims();
  const oracle::ElementType type = worked.geometry.type;

  onnx::ModelProto model;
  model.set_ir_version(versions.format);
  model.set_producer_name("deconv-cts");
  onnx::OperatorSetIdProto& import = *model.add_opset_import();
  import.set_domain("");
  import.set_version(versions.opset);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name(name);
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("ConvTranspose");
  node.set_name("deconv");
  node.add_input("X");
  node.add_input("W");
  node.add_output("Y");
  SetAttributes(op, node);
  Describe("X", op.data.type, op.data.dims, *graph.add_input());
  Describe("W", op.filter.type, op.filter.dims, *graph.add_input());
  Describe("Y", type, output, *graph.add_output());

  std::vector<ExportedFile> files;
  files.push_back({name + "/model.onnx", model.SerializeAsString()});
  const std::string data_set = name + "/test_data_set_0/";
  files.push_back({data_set + "input_0.pb", TensorFile("X", type, op.data.dims, worked.data)});
  files.push_back({data_set + "input_1.pb", TensorFile("W", type, op.filter.dims, worked.filter)});
  files.push_back({data_set + "output_0.pb", TensorFile("Y", type, output, worked.output)});
  AddCaseFiles(name, worked, files);
  return files;
}

}  // namespace conformance::exchange
