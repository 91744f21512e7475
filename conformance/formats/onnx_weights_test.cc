// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which filters of ONNX models have a place in the file that a case can name.

#include "conformance/formats/onnx_weights.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "conformance/formats/import_model.h"

namespace conformance::formats {
namespace {

constexpr int kCount = 3 * 2 * 3 * 3;

void AddNode(onnx::GraphProto& graph, const std::string& type, const std::vector<std::string>& inputs,
             const std::string& output) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
}

/// A ConvTranspose of x and w. The initializer `stored` is w or becomes w by a node.
onnx::ModelProto Model(const std::string& stored) {
  onnx::ModelProto model;
  model.set_ir_version(6);
  model.add_opset_import()->set_version(11);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::ValueInfoProto& x = *graph.add_input();
  x.set_name("x");
  auto& type = *x.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto_DataType_FLOAT);
  for (const int dim : {1, 3, 5, 4}) type.mutable_shape()->add_dim()->set_dim_value(dim);
  onnx::TensorProto& filter = *graph.add_initializer();
  filter.set_name(stored);
  filter.set_data_type(onnx::TensorProto_DataType_FLOAT);
  for (const int dim : {3, 2, 3, 3}) filter.add_dims(dim);
  return model;
}

ImportedLayer Read(onnx::ModelProto& model, std::string& bytes) {
  AddNode(*model.mutable_graph(), "ConvTranspose", {"x", "w"}, "y");
  bytes = model.SerializeAsString();
  ImportOptions options;
  options.weights = true;
  const auto read = ImportOnnx(bytes, "net.onnx", options);
  const auto* imported = std::get_if<ImportedModel>(&read);
  return imported != nullptr && imported->layers.size() == 1 ? imported->layers[0] : ImportedLayer{"none", {}, {}};
}

TEST(OnnxWeights, FloatsInTheirOwnFieldHaveAPlace) {
  onnx::ModelProto model = Model("w");
  for (int i = 0; i < kCount; ++i) model.mutable_graph()->mutable_initializer(0)->add_float_data(static_cast<float>(i));
  std::string bytes;
  const ImportedLayer layer = Read(model, bytes);
  ASSERT_TRUE(layer.test_case.filter_values);
  EXPECT_EQ(bytes.substr(layer.test_case.filter_values->offset + 4, 4), std::string("\x00\x00\x80\x3f", 4));  // 1
}

TEST(OnnxWeights, AConstantBehindIdentityOrAWideningCastHasAPlace) {
  for (const char* type : {"Identity", "Cast"}) {
    const bool is_cast = std::string(type) == "Cast";
    onnx::ModelProto model = Model("stored");
    onnx::TensorProto& filter = *model.mutable_graph()->mutable_initializer(0);
    if (is_cast) filter.set_data_type(onnx::TensorProto_DataType_FLOAT16);
    filter.set_raw_data(std::string(static_cast<std::size_t>(kCount) * (is_cast ? 2 : 4), '\0'));
    AddNode(*model.mutable_graph(), type, {"stored"}, "w");
    if (is_cast) {
      onnx::AttributeProto& to = *model.mutable_graph()->mutable_node(0)->add_attribute();
      to.set_name("to");
      to.set_type(onnx::AttributeProto_AttributeType_INT);
      to.set_i(onnx::TensorProto_DataType_FLOAT);
    }
    std::string bytes;
    const ImportedLayer layer = Read(model, bytes);
    ASSERT_TRUE(layer.test_case.filter_values) << type;
    EXPECT_EQ(layer.test_case.filter_values->stored_as.has_value(), is_cast);
    EXPECT_TRUE(layer.notes.empty()) << layer.notes[0];
  }
}

TEST(OnnxWeights, ACastThatRoundsIsNoted) {
  onnx::ModelProto model = Model("stored");
  onnx::TensorProto& filter = *model.mutable_graph()->mutable_initializer(0);
  filter.set_data_type(onnx::TensorProto_DataType_INT64);
  filter.set_raw_data(std::string(static_cast<std::size_t>(kCount) * 8, '\0'));
  AddNode(*model.mutable_graph(), "Cast", {"stored"}, "w");
  onnx::AttributeProto& to = *model.mutable_graph()->mutable_node(0)->add_attribute();
  to.set_name("to");
  to.set_type(onnx::AttributeProto_AttributeType_INT);
  to.set_i(onnx::TensorProto_DataType_FLOAT);
  std::string bytes;
  const ImportedLayer layer = Read(model, bytes);
  EXPECT_FALSE(layer.test_case.filter_values);
  EXPECT_THAT(layer.notes,
              testing::ElementsAre("a data set fills its filter: it is cast from i64 to f32, which rounds or "
                                   "changes values"));
}

}  // namespace
}  // namespace conformance::formats
