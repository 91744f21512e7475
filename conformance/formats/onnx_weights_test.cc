// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the import of filters of ONNX models: which filters a case can read from the model's file, and the values of
// filters that DequantizeLinear computes.

#include "conformance/formats/onnx_weights.h"

#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "conformance/case/given_values.h"
#include "conformance/formats/import_model.h"

namespace conformance::formats {
namespace {

constexpr int kCount = 3 * 2 * 3 * 3;  // elements of the filter

void AddNode(onnx::GraphProto& graph, const std::string& type, const std::vector<std::string>& inputs,
             const std::string& output) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
}

/// A ConvTranspose of x and w. The initializer `stored` is w or becomes w by a node.
onnx::ModelProto ModelWithStored(const std::string& stored) {
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

/// Adds the ConvTranspose, writes the model to `bytes`, and imports its layer with weights.
ImportedLayer ImportLayer(onnx::ModelProto& model, std::string& bytes) {
  AddNode(*model.mutable_graph(), "ConvTranspose", {"x", "w"}, "y");
  bytes = model.SerializeAsString();
  ImportOptions options;
  options.weights = true;
  const auto read = ImportOnnx(bytes, "net.onnx", options);
  const auto* imported = std::get_if<ImportedModel>(&read);
  return imported != nullptr && imported->layers.size() == 1 ? imported->layers[0] : ImportedLayer{"none", {}, {}};
}

TEST(OnnxWeights, FloatsInTheirOwnFieldHaveAPlace) {
  onnx::ModelProto model = ModelWithStored("w");
  for (int i = 0; i < kCount; ++i) model.mutable_graph()->mutable_initializer(0)->add_float_data(static_cast<float>(i));
  std::string bytes;
  const ImportedLayer layer = ImportLayer(model, bytes);
  ASSERT_TRUE(layer.test_case.filter_values);
  EXPECT_EQ(bytes.substr(layer.test_case.filter_values->offset + 4, 4), std::string("\x00\x00\x80\x3f", 4));  // 1
}

TEST(OnnxWeights, AConstantBehindIdentityOrACastHasAPlace) {
  for (const char* type : {"Identity", "Cast"}) {
    const bool is_cast = std::string(type) == "Cast";
    onnx::ModelProto model = ModelWithStored("stored");
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
    const ImportedLayer layer = ImportLayer(model, bytes);
    ASSERT_TRUE(layer.test_case.filter_values) << type;
    EXPECT_EQ(layer.test_case.filter_values->stored_as.has_value(), is_cast);
    EXPECT_TRUE(layer.notes.empty()) << layer.notes[0];
  }
}

TEST(OnnxWeights, ACastOfIntegersIsNoted) {
  onnx::ModelProto model = ModelWithStored("stored");
  onnx::TensorProto& filter = *model.mutable_graph()->mutable_initializer(0);
  filter.set_data_type(onnx::TensorProto_DataType_INT64);
  filter.set_raw_data(std::string(static_cast<std::size_t>(kCount) * 8, '\0'));
  AddNode(*model.mutable_graph(), "Cast", {"stored"}, "w");
  onnx::AttributeProto& to = *model.mutable_graph()->mutable_node(0)->add_attribute();
  to.set_name("to");
  to.set_type(onnx::AttributeProto_AttributeType_INT);
  to.set_i(onnx::TensorProto_DataType_FLOAT);
  std::string bytes;
  const ImportedLayer layer = ImportLayer(model, bytes);
  EXPECT_FALSE(layer.test_case.filter_values);
  EXPECT_THAT(layer.notes, testing::ElementsAre("a data set fills its filter: it is cast from i64 to f32, expected "
                                                "floating types"));
}

/// A filter of i8 through DequantizeLinear, with scales and zero points along axis 1, which has 2 indices.
onnx::ModelProto QuantizedModel() {
  onnx::ModelProto model = ModelWithStored("stored");
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::TensorProto& filter = *graph.mutable_initializer(0);
  filter.set_data_type(onnx::TensorProto_DataType_INT8);
  std::string values;
  for (int i = 0; i < kCount; ++i) values += static_cast<char>(i - 20);
  filter.set_raw_data(values);
  onnx::TensorProto& scale = *graph.add_initializer();
  scale.set_name("scale");
  scale.set_data_type(onnx::TensorProto_DataType_FLOAT);
  scale.add_dims(2);
  scale.add_float_data(0.1F);
  scale.add_float_data(3);
  onnx::TensorProto& zero = *graph.add_initializer();
  zero.set_name("zero");
  zero.set_data_type(onnx::TensorProto_DataType_INT8);
  zero.add_dims(2);
  zero.add_int32_data(5);
  zero.add_int32_data(-7);
  AddNode(graph, "DequantizeLinear", {"stored", "scale", "zero"}, "w");
  return model;
}

std::string NoteOf(onnx::ModelProto model, const std::string& folder) {
  AddNode(*model.mutable_graph(), "ConvTranspose", {"x", "w"}, "y");
  ImportOptions options{.weights = true};
  options.values_folder = folder;
  const auto read = std::get<ImportedModel>(ImportOnnx(model.SerializeAsString(), "net.onnx", options));
  return read.layers.size() == 1 && read.layers[0].notes.size() == 1 ? read.layers[0].notes[0] : "";
}

TEST(OnnxWeights, ADequantizedConstantIsComputed) {
  const std::string folder = testing::TempDir() + "/dequantized";
  onnx::ModelProto model = QuantizedModel();
  AddNode(*model.mutable_graph(), "ConvTranspose", {"x", "w"}, "y");
  ImportOptions options{.weights = true};
  options.values_folder = folder;
  const auto read = std::get<ImportedModel>(ImportOnnx(model.SerializeAsString(), "net.onnx", options));
  ASSERT_EQ(read.layers.size(), 1U);
  EXPECT_THAT(read.layers[0].notes, testing::ElementsAre("its filter is dequantized as DequantizeLinear says"));
  const Case& test_case = read.layers[0].test_case;
  ASSERT_TRUE(test_case.given_filter);
  std::vector<float> filter(kCount);
  std::vector<float> data(static_cast<std::size_t>(3) * 5 * 4);
  const auto geometry = oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry;
  ASSERT_TRUE(geometry);
  EXPECT_EQ(FillOperands(test_case, *geometry, std::as_writable_bytes(std::span(data)),
                         std::as_writable_bytes(std::span(filter))),
            "");
  EXPECT_EQ(filter[0], -25 * 0.1F);                         // -20 - 5
  EXPECT_EQ(filter[9], static_cast<float>((-11 + 7) * 3));  // the first one of the other index
  EXPECT_EQ(filter[19], -6 * 0.1F);                         // -1 - 5
}

void SetBlocks(onnx::ModelProto& model, std::int64_t size) {
  onnx::AttributeProto& blocks = *model.mutable_graph()->mutable_node(0)->add_attribute();
  blocks.set_name("block_size");
  blocks.set_type(onnx::AttributeProto_AttributeType_INT);
  blocks.set_i(size);
}

TEST(OnnxWeights, BlocksOfAnAxisHaveTheirOwnScales) {
  // Along axis 0 of [3,2], two indices share a scale; the third one is a block alone.
  const std::string codes{5, 6, 7, 8, 9, 10};
  const std::vector<float> factors = {1, 10, 100, 1000};
  const OnnxElements quantized{oracle::ElementType::kI8, {3, 2}, codes};
  OnnxElements scale{oracle::ElementType::kF32, {2, 2}, std::string(16, '\0')};
  std::memcpy(scale.bytes.data(), factors.data(), 16);
  const auto computed = std::get<OnnxElements>(Dequantized(quantized, scale, nullptr, {.axis = -2, .size = 2}));
  std::vector<float> values(6);
  ASSERT_EQ(computed.bytes.size(), 24U);
  std::memcpy(values.data(), computed.bytes.data(), 24);
  EXPECT_THAT(values, testing::ElementsAre(5, 60, 7, 80, 900, 10000));
}

TEST(OnnxWeights, AFilterThatCannotBeDequantizedIsNoted) {
  const std::string folder = testing::TempDir() + "/dequantized";
  onnx::ModelProto model = QuantizedModel();
  model.mutable_graph()->mutable_initializer(1)->set_dims(0, 3);
  model.mutable_graph()->mutable_initializer(1)->add_float_data(1);
  EXPECT_EQ(NoteOf(model, folder), "a data set fills its filter: it is dequantized by scales [3], expected [2] or one");
  model = QuantizedModel();
  model.mutable_graph()->mutable_initializer(2)->clear_int32_data();
  EXPECT_EQ(NoteOf(model, folder),
            "a data set fills its filter: it is dequantized by 'zero', which has 0 bytes of values, but its shape and "
            "type need 2");
  model = QuantizedModel();
  SetBlocks(model, 2);
  EXPECT_EQ(NoteOf(model, folder), "a data set fills its filter: it is dequantized by scales [2], expected [3,1,3,3]");
  SetBlocks(model, -2);
  EXPECT_EQ(NoteOf(model, folder), "a data set fills its filter: it is dequantized in blocks of -2");
}

TEST(OnnxWeights, AConstantThatIsCastTwiceIsComputed) {
  onnx::ModelProto model = ModelWithStored("stored");
  model.mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(static_cast<std::size_t>(kCount) * 4, '\0'));
  for (const auto& [from, to, type] : {std::tuple("stored", "half", onnx::TensorProto_DataType_FLOAT16),
                                       std::tuple("half", "w", onnx::TensorProto_DataType_FLOAT)}) {
    AddNode(*model.mutable_graph(), "Cast", {from}, to);
    onnx::AttributeProto& cast = *model.mutable_graph()->mutable_node()->rbegin()->add_attribute();
    cast.set_name("to");
    cast.set_type(onnx::AttributeProto_AttributeType_INT);
    cast.set_i(type);
  }
  std::string bytes;
  EXPECT_FALSE(ImportLayer(model, bytes).test_case.filter_values);
}

}  // namespace
}  // namespace conformance::formats
