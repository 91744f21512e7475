// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the import of ONNX models: which layers become cases, which are skipped and why, and that no bytes crash the
// reader.

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "conformance/formats/import_model.h"
#include "conformance/formats/onnx_infer.h"

namespace conformance::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A model with one ConvTranspose, whose data is an input of 3 channels and whose filter is an initializer (a constant).
struct OnnxModel {
  onnx::ModelProto proto;

  explicit OnnxModel(std::int64_t opset = 11) {
    proto.set_ir_version(6);
    proto.add_opset_import()->set_version(opset);
    Describe(*proto.mutable_graph()->add_input(), "x", {1, 3, 5, 4});
    AddFilter("w", {3, 2, 3, 3});
    AddNode("up", {"x", "w"}, "y");
    Describe(*proto.mutable_graph()->add_output(), "y", {});
  }

  // Sets name and shape of a value. A negative dim becomes the symbol N; without dims the shape is unknown.
  static void Describe(onnx::ValueInfoProto& value, const std::string& name, const oracle::Dims& dims) {
    value.set_name(name);
    auto& tensor = *value.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(onnx::TensorProto_DataType_FLOAT);
    if (dims.empty()) return;
    for (const std::int64_t dim : dims) {
      auto& added = *tensor.mutable_shape()->add_dim();
      if (dim < 0) {
        added.set_dim_param("N");
      } else {
        added.set_dim_value(dim);
      }
    }
  }
  void AddFilter(const std::string& name, const oracle::Dims& dims) {
    onnx::TensorProto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto_DataType_FLOAT);
    std::size_t count = 1;
    for (const std::int64_t dim : dims) {
      tensor.add_dims(dim);
      count *= static_cast<std::size_t>(dim);
    }
    std::string raw(count * 4, '\0');
    for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<char>(i % 61);
    tensor.set_raw_data(raw);
  }
  onnx::NodeProto& AddNode(const std::string& name, const std::vector<std::string>& inputs, const std::string& output,
                           const std::string& type = "ConvTranspose") {
    onnx::NodeProto& node = *proto.mutable_graph()->add_node();
    node.set_name(name);
    node.set_op_type(type);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
    return node;
  }
  onnx::NodeProto& node() { return *proto.mutable_graph()->mutable_node(0); }
  static void Set(onnx::NodeProto& node, const std::string& name, const oracle::Dims& list) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto_AttributeType_INTS);
    for (const std::int64_t number : list) attribute.add_ints(number);
  }

  ImportedModel Read(const ImportOptions& options = {}) const {
    const Import read = ImportOnnx(proto.SerializeAsString(), "net.onnx", options);
    const auto* error = std::get_if<ReadError>(&read);
    EXPECT_EQ(error, nullptr) << error->message;
    return error == nullptr ? std::get<ImportedModel>(read) : ImportedModel{};
  }
};

/// The case line (the text of the case) of the only layer.
std::string LineOf(const ImportedModel& model) {
  return model.layers.size() == 1 ? ToLine(model.layers.front().test_case) : "not one layer";
}
std::string ReasonOf(const ImportedModel& model) {
  return model.skipped.size() == 1 && model.layers.empty() ? model.skipped.front().reason : "not one skipped";
}

TEST(ImportOnnx, AttributesAreTakenUnchanged) {
  OnnxModel model;
  OnnxModel::Set(model.node(), "strides", {2, 3});
  OnnxModel::Set(model.node(), "pads", {1, 0, 2, 1});
  OnnxModel::Set(model.node(), "output_padding", {1, 0});
  OnnxModel::Set(model.node(), "kernel_shape", {3, 3});
  onnx::AttributeProto& mode = *model.node().add_attribute();
  mode.set_name("auto_pad");
  mode.set_type(onnx::AttributeProto_AttributeType_STRING);
  mode.set_s("NOTSET");
  EXPECT_EQ(LineOf(model.Read()),
            "ConvTranspose:data=1,3,5,4:filter=3,2,3,3:strides=2,3:pads_begin=1,0:pads_end=2,1:output_padding=1,0:"
            "kernel_shape=3,3:auto_pad=NOTSET");
}

TEST(ImportOnnx, TheOperatorSetChoosesTheDialectAndAHintOverrulesIt) {
  EXPECT_EQ(LineOf(OnnxModel(10).Read()), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3:dialect=onnx-1");
  EXPECT_EQ(LineOf(OnnxModel(11).Read()), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3");
  EXPECT_EQ(LineOf(OnnxModel(21).Read()), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3");
  EXPECT_EQ(LineOf(OnnxModel(22).Read()), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3:dialect=onnx-22");
  ImportOptions options;
  options.dialect = oracle::Dialect::kOnnxruntime;
  EXPECT_EQ(LineOf(OnnxModel(10).Read(options)), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3:dialect=onnxruntime");
  options.dialect = oracle::Dialect::kOpenvinoSpec;  // does not define ConvTranspose
  EXPECT_EQ(LineOf(OnnxModel(11).Read(options)), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3");
}

TEST(ImportOnnx, ABiasIsLeftBehindWithANote) {
  OnnxModel model;
  model.AddFilter("b", {2});
  model.node().add_input("b");
  const ImportedModel read = model.Read();
  ASSERT_EQ(read.layers.size(), 1U);
  EXPECT_THAT(read.layers[0].notes, ElementsAre("its bias is left out"));
}

TEST(ImportOnnx, ShapesInTheMiddleAreInferred) {
  OnnxModel model;
  model.node().set_input(0, "relu");
  onnx::NodeProto& relu = model.AddNode("act", {"x"}, "relu", "Relu");
  relu.Swap(model.proto.mutable_graph()->mutable_node(0));  // into the order of use
  EXPECT_EQ(LineOf(model.Read()), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3");
  ImportOptions options;
  options.infer_shapes = false;
  EXPECT_EQ(ReasonOf(model.Read(options)), "data 'relu': the model does not say its shape");
}

TEST(ImportOnnx, AnOpenDimIsNamedUntilAShapeIsGiven) {
  OnnxModel model;
  OnnxModel::Describe(*model.proto.mutable_graph()->mutable_input(0), "x", {});
  model.proto.mutable_graph()->mutable_input(0)->Clear();
  OnnxModel::Describe(*model.proto.mutable_graph()->mutable_input(0), "x", {-1, 3, 5, 4});
  EXPECT_THAT(ReasonOf(model.Read()), HasSubstr("data 'x': found a tensor [N,3,5,4], expected every dim to be known"));
  ImportOptions options;
  options.shapes.push_back({"x", {2, 3, 5, 4}});
  EXPECT_EQ(LineOf(model.Read(options)), "ConvTranspose:data=2,3,5,4:filter=3,2,3,3");
}

TEST(ImportOnnx, GraphsInNodesAreLookedIntoAndSeeTheNamesAroundThem) {
  OnnxModel model;
  OnnxModel outer;
  outer.node().Clear();
  outer.node().set_op_type("If");
  outer.node().set_name("branch");
  onnx::AttributeProto& branch = *outer.node().add_attribute();
  branch.set_name("then_branch");
  branch.set_type(onnx::AttributeProto_AttributeType_GRAPH);
  *branch.mutable_g()->add_node() = model.node();
  const ImportedModel read = outer.Read();
  EXPECT_EQ(LineOf(read), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3");
  EXPECT_EQ(read.layers[0].name, "branch/up");
}

// A node of another operator, with a graph.
onnx::GraphProto& AddGraphNode(OnnxModel& model, const std::string& name) {
  onnx::NodeProto& node = *model.proto.mutable_graph()->add_node();
  node.set_op_type("Holder");
  node.set_name(name);
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("body");
  attribute.set_type(onnx::AttributeProto_AttributeType_GRAPH);
  return *attribute.mutable_g();
}

TEST(ImportOnnx, LongNamesAreCutBecauseEachLayerRepeatsThoseAroundIt) {
  const std::string endless(std::size_t{1} << 20, 'n');
  const std::string cut = std::string(96, 'n') + "...";
  OnnxModel model;
  OnnxModel outer;
  outer.proto.mutable_graph()->clear_node();
  model.node().set_name(endless);
  onnx::GraphProto& inner = AddGraphNode(outer, endless);
  *inner.add_node() = model.node();
  model.node().set_domain(endless);
  *inner.add_node() = model.node();
  const ImportedModel read = outer.Read();
  ASSERT_EQ(read.layers.size(), 1U);
  EXPECT_EQ(read.layers[0].name, cut + "/" + cut);
  ASSERT_EQ(read.skipped.size(), 1U);
  EXPECT_EQ(read.skipped[0].name, cut + "/" + cut);
}

TEST(ImportOnnx, ALayerInAFunctionIsSkippedUnderAShortName) {
  OnnxModel model;
  onnx::FunctionProto& function = *model.proto.add_functions();
  function.set_name(std::string(1000, 'f'));
  *function.add_node() = model.node();
  const ImportedModel read = model.Read();
  ASSERT_EQ(read.skipped.size(), 1U);
  EXPECT_EQ(read.skipped[0].name, std::string(96, 'f') + ".../up");
}

TEST(ImportOnnx, WeightsDoNotReachTheProgramThatInfersShapes) {
  OnnxModel model;
  model.AddFilter("large", {64, 64, 3, 3});
  const onnx::TensorProto large = model.proto.graph().initializer(1);
  const auto add_constant = [&large](onnx::NodeProto& node, const std::string& output) {
    node.set_op_type("Constant");
    node.add_output(output);
    onnx::AttributeProto& value = *node.add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto_AttributeType_TENSOR);
    *value.mutable_t() = large;
  };
  add_constant(*model.proto.mutable_graph()->add_node(), "outer");
  add_constant(*AddGraphNode(model, "holder").add_node(), "inner");
  const std::string bytes = model.proto.SerializeAsString();
  const auto read = ReadOnnx(bytes);
  const auto answer = InferShapes(bytes, *std::get<formats::OnnxModel>(read).graph, "net.onnx");
  const auto* error = std::get_if<ReadError>(&answer);
  ASSERT_EQ(error, nullptr) << error->message;
  onnx::ModelProto inferred;
  ASSERT_TRUE(inferred.ParseFromString(std::get<std::string>(answer)));
  EXPECT_LT(inferred.ByteSizeLong(), 4096U);
  EXPECT_EQ(inferred.graph().initializer(0).raw_data(), model.proto.graph().initializer(0).raw_data());
  // The dims stay, and the shape of the constant follows from them.
  EXPECT_THAT(inferred.graph().node(1).attribute(0).t().dims(), ElementsAre(64, 64, 3, 3));
  EXPECT_THAT(inferred.graph().node(2).attribute(0).g().node(0).attribute(0).t().dims(), ElementsAre(64, 64, 3, 3));
  ASSERT_EQ(inferred.graph().value_info_size(), 1);
  EXPECT_EQ(inferred.graph().value_info(0).name(), "outer");
}

TEST(ImportOnnx, NodesThatACaseCannotExpressAreSkippedWithAReason) {
  OnnxModel quantised;
  quantised.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(17);
  EXPECT_EQ(ReasonOf(quantised.Read()),
            "data 'x': found element type 17, expected a numeric type that is not quantised");
  OnnxModel odd;
  OnnxModel::Set(odd.node(), "pads", {1, 1, 1});
  EXPECT_EQ(ReasonOf(odd.Read()),
            "attribute 'pads': found 3 numbers, expected an even number: the beginnings, then the ends");
  OnnxModel twice;
  OnnxModel::Set(twice.node(), "strides", {1, 1});
  OnnxModel::Set(twice.node(), "strides", {2, 2});
  EXPECT_EQ(ReasonOf(twice.Read()), "attribute 'strides' is given twice");
  OnnxModel other;
  other.node().set_domain("com.vendor");
  EXPECT_EQ(ReasonOf(other.Read()), "operator ConvTranspose of domain 'com.vendor', expected ONNX's ConvTranspose");
  OnnxModel long_list;
  OnnxModel::Set(long_list.node(), "strides", oracle::Dims(65, 1));
  EXPECT_EQ(ReasonOf(long_list.Read()), "attribute 'strides': found 65 numbers, expected at most 64");
}

TEST(ImportOnnx, AnOperatorThatTheDialectRefusesIsACaseWithANote) {
  OnnxModel model;
  OnnxModel::Set(model.node(), "strides", {0, 1});
  const ImportedModel read = model.Read();
  ASSERT_EQ(read.layers.size(), 1U);
  ASSERT_EQ(read.layers[0].notes.size(), 1U);
  EXPECT_THAT(read.layers[0].notes[0], HasSubstr("onnx-11 refuses it by "));
}

TEST(ImportOnnx, OutputDimsThatAreNotTheDialectsAreNoted) {
  OnnxModel model;
  model.proto.mutable_graph()->mutable_output(0)->Clear();
  OnnxModel::Describe(*model.proto.mutable_graph()->mutable_output(0), "y", {1, 2, 9, 6});
  const ImportedModel read = model.Read();
  ASSERT_EQ(read.layers.size(), 1U);
  EXPECT_THAT(read.layers[0].notes, ElementsAre("the model declares output dims [1,2,9,6], onnx-11 gives [1,2,7,6]"));
}

TEST(ImportOnnx, WeightsAreFoundInTheFile) {
  const OnnxModel model;
  const std::string bytes = model.proto.SerializeAsString();
  ImportOptions options;
  options.weights = true;
  const auto read = std::get<ImportedModel>(ImportOnnx(bytes, "net.onnx", options));
  ASSERT_EQ(read.layers.size(), 1U);
  const auto& place = read.layers[0].test_case.filter_values;
  ASSERT_TRUE(place);
  EXPECT_EQ(place->path, "net.onnx");
  const std::string& raw = model.proto.graph().initializer(0).raw_data();
  EXPECT_EQ(bytes.substr(place->offset, raw.size()), raw);
}

TEST(ImportOnnx, ExternalWeightsLieBesideTheModelOrNowhere) {
  OnnxModel model;
  onnx::TensorProto& tensor = *model.proto.mutable_graph()->mutable_initializer(0);
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto_DataLocation_EXTERNAL);
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value("../../etc/passwd");
  ImportOptions options;
  options.weights = true;
  const ImportedModel read = model.Read(options);
  ASSERT_EQ(read.layers.size(), 1U);
  EXPECT_THAT(read.layers[0].notes, ElementsAre("a data set fills its filter: its external data lie in "
                                                "'../../etc/passwd', expected a file beside the model"));
}

std::string ErrorOf(std::string_view bytes) {
  const Import read = ImportOnnx(bytes, "net.onnx", {});
  const auto* error = std::get_if<ReadError>(&read);
  return error == nullptr ? "no error" : error->message;
}

/// Appends a number as protobuf writes it: 7 bits in each byte, low bits first, bit 7 set in all bytes but the last.
void AppendVarint(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes += static_cast<char>(static_cast<unsigned char>(value | 0x80));
    value >>= 7;
  }
  bytes += static_cast<char>(static_cast<unsigned char>(value));
}

TEST(ImportOnnx, ManySmallMessagesAreRefusedBeforeTheyTakeMemory) {
  // 2 MiB of empty nodes, two bytes each, would be some 400 MiB of objects.
  std::string graph;
  for (int i = 0; i < (1 << 20); ++i) graph += std::string("\x0a\x00", 2);  // GraphProto.node of length 0
  std::string bytes = "\x3a";                                               // ModelProto.graph
  AppendVarint(bytes, graph.size());
  bytes += graph;
  EXPECT_EQ(ErrorOf(bytes), "net.onnx: needs more than 264 MiB of memory");
}

TEST(ImportOnnx, GraphsWithoutEndAreRefused) {
  std::string bytes;
  for (int i = 0; i < 40; ++i) {                       // a node with an attribute with a graph
    for (const char tag : {'\x32', '\x2a', '\x0a'}) {  // AttributeProto.g, NodeProto.attribute, GraphProto.node
      std::string outer(1, tag);
      AppendVarint(outer, bytes.size());
      outer += bytes;
      bytes = std::move(outer);
    }
  }
  std::string model = "\x3a";
  AppendVarint(model, bytes.size());
  EXPECT_EQ(ErrorOf(model + bytes), "net.onnx: found graphs nested more than 20 deep");
}

TEST(ImportOnnx, OtherBytesAreAnErrorOfOneLine) {
  EXPECT_EQ(ErrorOf(""), "net.onnx: is not an ONNX model: it has no graph");
  EXPECT_EQ(ErrorOf("<net/>"), "net.onnx: is not an ONNX model, or is cut short");
  const std::string whole = OnnxModel().proto.SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const Import read = ImportOnnx(std::string_view(whole).substr(0, size), "net.onnx", {});
    EXPECT_TRUE(std::holds_alternative<ReadError>(read)) << size;
  }
}

TEST(ImportOnnx, NoBytesCrashTheReader) {
  OnnxModel model;
  OnnxModel::Set(model.node(), "pads", {1, 0, 2, 1});
  const std::string whole = model.proto.SerializeAsString();
  std::mt19937 random(20);
  ImportOptions options;
  options.weights = true;
  options.infer_shapes = false;
  int imported_layers = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = whole;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
      bytes[random() % bytes.size()] = static_cast<char>(static_cast<unsigned char>(random() % 256));
    }
    const Import read = ImportOnnx(bytes, "net.onnx", options);
    if (const auto* error = std::get_if<ReadError>(&read)) {
      ASSERT_EQ(error->message.find('\n'), std::string::npos);
      continue;
    }
    for (const ImportedLayer& layer : std::get<ImportedModel>(read).layers) {
      ++imported_layers;
      ASSERT_TRUE(std::holds_alternative<Case>(ParseCaseLine(ToLine(layer.test_case))));
    }
  }
  EXPECT_GT(imported_layers, 100);  // enough changed models are still readable, so the layers are tested too
}

}  // namespace
}  // namespace conformance::formats
