// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests exported ONNX models with ONNX's own library: its checker accepts them, and it infers their shapes.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include "conformance/formats/exported_files.h"

namespace conformance::formats {
namespace {

TEST(ExportedOnnx, IsAcceptedByOnnxWithItsShapes) {
  for (const std::string line : kOnnxLines) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(ContentOf(FilesOf(Format::kOnnx, line), "case/model.onnx")));
    EXPECT_NO_THROW(onnx::checker::check_model(model)) << line;
    // In strict mode inference throws if it infers another shape. For SAME_UPPER, ONNX's text gives X * s; its code
    // adds output_padding (https://github.com/onnx/onnx/issues/4299).
    if (line.find("output_padding=1:auto_pad=SAME") != std::string::npos) continue;
    EXPECT_NO_THROW(onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                                       onnx::ShapeInferenceOptions(true, 1, false)))
        << line;
    model.mutable_graph()->mutable_node(0)->add_attribute()->set_name("no_such");
    EXPECT_THROW(onnx::checker::check_model(model), onnx::checker::ValidationError);
  }
}

TEST(ExportedOnnx, TestDataHoldTheOperandsAndTheExpectedOutput) {
  const std::string line = kOnnxLines[1];
  const std::vector<ExportedFile> files = FilesOf(Format::kOnnx, line);
  const ComputedCase computed = Computed(line);
  const auto expect_tensor = [&](const std::string& file, const std::vector<std::byte>& values,
                                 const oracle::Dims& dims) {
    onnx::TensorProto tensor;
    ASSERT_TRUE(tensor.ParseFromString(ContentOf(files, "case/test_data_set_0/" + file)));
    EXPECT_EQ(tensor.raw_data(), BytesAsText(values));
    EXPECT_EQ(oracle::Dims(tensor.dims().begin(), tensor.dims().end()), dims);
    EXPECT_EQ(tensor.data_type(), onnx::TensorProto_DataType_FLOAT16);
  };
  expect_tensor("input_0.pb", computed.data, {1, 4, 3});
  expect_tensor("input_1.pb", computed.filter, {4, 2, 3});
  expect_tensor("output_0.pb", computed.output, computed.geometry.OutputDims());
}

}  // namespace
}  // namespace conformance::formats
