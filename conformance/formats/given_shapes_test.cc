// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the sizes that a user gives for an ONNX model: sizes that follow from them, hints that are refused, and
// messages that advise which sizes to give.

#include "conformance/formats/given_shapes.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

namespace conformance::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Sets name and shape of a value. Each dim is a number or the name of a symbol.
void Describe(onnx::ValueInfoProto& value, const std::string& name, const std::vector<std::string>& dims) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx::TensorProto_DataType_FLOAT);
  tensor.mutable_shape();
  for (const std::string& dim : dims) {
    auto& added = *tensor.mutable_shape()->add_dim();
    if (dim.find_first_not_of("0123456789") == std::string::npos) {
      added.set_dim_value(std::atoi(dim.c_str()));
    } else {
      added.set_dim_param(dim);
    }
  }
}

/// A model x -> FIRST -> mid -> Relu -> act -> ConvTranspose -> y, whose first operator and whose shape of x vary.
struct Net {
  onnx::ModelProto proto;

  explicit Net(const std::string& first, const std::vector<std::string>& dims) {
    proto.set_ir_version(6);
    proto.add_opset_import()->set_version(11);
    Describe(*graph().add_input(), "x", dims);
    Describe(*graph().add_output(), "y", {});  // some exporters write this for an output of 4 dims
    onnx::TensorProto& filter = *graph().add_initializer();
    filter.set_name("w");
    filter.set_data_type(onnx::TensorProto_DataType_FLOAT);
    for (const int dim : {3, 2, 3, 3}) filter.add_dims(dim);
    filter.set_raw_data(std::string(std::size_t{3} * 2 * 3 * 3 * sizeof(float), '\1'));
    AddNode(first, {"x"}, "mid");
    AddNode("Relu", {"mid"}, "act");
    AddNode("ConvTranspose", {"act", "w"}, "y");
  }
  onnx::GraphProto& graph() { return *proto.mutable_graph(); }
  void AddNode(const std::string& type, const std::vector<std::string>& inputs, const std::string& output) {
    onnx::NodeProto& node = *graph().add_node();
    node.set_op_type(type);
    node.set_name("node " + output);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
  }

  Import Read(const std::vector<ShapeHint>& hints) const {
    ImportOptions options;
    options.shapes = hints;
    return ImportOnnx(proto.SerializeAsString(), "net.onnx", options);
  }
  /// The case line, the reason and advice of a skipped layer, or the error.
  std::string Outcome(const std::vector<ShapeHint>& hints) const {
    const Import read = Read(hints);
    if (const auto* error = std::get_if<ReadError>(&read)) return error->message;
    const auto& model = std::get<ImportedModel>(read);
    if (!model.layers.empty()) return ToLine(model.layers.front().test_case);
    return model.skipped.empty() ? "no layer" : model.skipped[0].reason + model.skipped[0].advice;
  }
};

TEST(GivenShapes, AnInputIsGivenByNameOrByItsSymbols) {
  const Net net("Relu", {"n", "3", "h", "4"});
  EXPECT_EQ(net.Outcome({}),
            "data 'act': found a tensor [n,3,h,4], expected every dim to be known; open inputs: x [n,3,h,4]: give "
            "--shape x=DIMS, or run deconv-capture");
  EXPECT_EQ(net.Outcome({{"x", {2, 3, 5, 4}}}), "ConvTranspose:data=2,3,5,4:filter=3,2,3,3");
  EXPECT_EQ(net.Outcome({{"n", {2}}, {"h", {5}}}), "ConvTranspose:data=2,3,5,4:filter=3,2,3,3");
}

TEST(GivenShapes, WrongHintsAreRefusedWithWhatTheModelHas) {
  const Net net("Relu", {"n", "3", "h", "4"});
  EXPECT_EQ(net.Outcome({{"xx", {2, 3, 5, 4}}}),
            "net.onnx: --shape xx: the model has no such value (did you mean x?); its inputs are x");
  EXPECT_EQ(net.Outcome({{"x", {2, 3, 5}}}), "net.onnx: --shape x: found [2,3,5], the model has [n,3,h,4]");
  EXPECT_EQ(net.Outcome({{"x", {2, 3, 5, 6}}}), "net.onnx: --shape x: found [2,3,5,6], the model has [n,3,h,4]");
  EXPECT_EQ(net.Outcome({{"x", {2, 3, 5, 4}}, {"h", {6}}}), "net.onnx: --shape h: the size 'h' would be 5 and 6");
}

TEST(GivenShapes, ExpressionsOfTheFileAreEvaluated) {
  // No library infers shapes through "Vendor". The file states the shape behind it: 65 / 2 - 1 / 2 + 1 = 33.
  Net net("Vendor", {"n", "3", "h", "4"});
  Describe(*net.graph().add_value_info(), "mid", {"n", "3", "floor(h/2 - 1/2) + 1", "4"});
  EXPECT_THAT(net.Outcome({}), HasSubstr("open inputs: x [n,3,h,4]"));
  EXPECT_EQ(net.Outcome({{"x", {2, 3, 65, 4}}}), "ConvTranspose:data=2,3,33,4:filter=3,2,3,3");
}

TEST(GivenShapes, WhereInferenceStopsIsNamedAndAnyValueCanBeGiven) {
  const Net net("Vendor", {"1", "3", "5", "4"});
  EXPECT_THAT(net.Outcome({}), HasSubstr("; shapes are known up to operator Vendor 'node mid' of operator set 11: give "
                                         "--shape act=DIMS, or run deconv-capture"));
  EXPECT_EQ(net.Outcome({{"act", {1, 3, 7, 7}}}), "ConvTranspose:data=1,3,7,7:filter=3,2,3,3");
  EXPECT_EQ(net.Outcome({{"mid", {1, 3, 8, 8}}}), "ConvTranspose:data=1,3,8,8:filter=3,2,3,3");
}

TEST(GivenShapes, AWrongShapeInTheFileDoesNotStopInference) {
  Net net("Relu", {"1", "3", "5", "4"});
  Describe(*net.graph().add_value_info(), "mid", {"1", "3"});
  EXPECT_EQ(net.Outcome({}), "ConvTranspose:data=1,3,5,4:filter=3,2,3,3");
}

}  // namespace
}  // namespace conformance::formats
