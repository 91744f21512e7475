// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests every refusal of an operator by the resolver, which turns attributes into sizes and pads. Each row of the table
// holds a valid operator, and one change that makes it invalid. The message must name the argument, the value that was
// found and the expected value.
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/description.h"

namespace deconv::testing {
namespace {

constexpr int64_t kHuge = int64_t{1} << 40;  // valid by itself; the product of two exceeds 64 bits

struct Fault {
  const char* name;
  Description valid;
  std::function<void(Description&)> change;
  deconv_code code;
  const char* message;  // a part of the message
};

// Valid operators, which the faults below make invalid. Plane has two axes and 11 x 7 outputs: stride * (data - 1) +
// dilation * (kernel - 1) + 1 + output_padding - pads. Shaped has an output_shape instead, of 11 x 8.
Description Plane() {
  Description d;
  d.data = {2, 4, 5, 6};
  d.filter = {4, 3, 3, 2};
  d.strides = {{2, 1}};
  d.dilations = {{1, 2}};
  d.pads_begin = {{1, 0}};
  d.pads_end = {{0, 1}};
  d.output_padding = {{1, 0}};
  return d;
}
Description Shaped() {
  Description d = Plane();
  d.output_shape = {{11, 8}};
  return d;
}
Description Group() {
  Description d = Plane();
  d.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  d.filter = {2, 2, 3, 3, 2};
  return d;
}
Description OneDnn() {
  Description d = Plane();
  d.kind = DECONV_CONVOLUTION_BACKWARD_DATA;
  d.dialect = DECONV_ONEDNN_SPEC;
  d.data = {2, 5, 6, 4};
  d.filter = {3, 2, 3, 4};
  d.dst_shape = {{2, 11, 7, 3}};
  return d;
}
Description Onnx() {
  Description d = Plane();
  d.kind = DECONV_CONV_TRANSPOSE;
  d.dialect = DECONV_ONNX_11;
  return d;
}

// The operators below are those of libraries, or of ONNX's first text.
Description OneDnnLibrary() {
  Description d = OneDnn();
  d.dialect = DECONV_ONEDNN_RUNTIME;
  d.dst_shape = {{2, 10, 7, 3}};
  return d;
}
// Operators with this number of axes in the dialects of libraries, some of which accept at most three. All sizes are 1.
Description OneDnnOfOnes(size_t axes) {
  Description d = OneDnn();
  d.dialect = DECONV_ONEDNN_RUNTIME;
  d.data.assign(axes + 2, 1);
  d.filter = d.data;
  d.dst_shape = d.data;
  d.strides = d.dilations = Description::Dims(axes, 1);
  d.pads_begin = d.pads_end = Description::Dims(axes, 0);
  d.output_padding = std::nullopt;
  return d;
}
Description OpenVinoOfOnes(size_t axes) {
  Description d = OneDnnOfOnes(axes);
  d.kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  d.dialect = DECONV_OPENVINO_RUNTIME;
  d.dst_shape = std::nullopt;
  return d;
}
Description OnnxFirstText() {
  Description d = Onnx();
  d.dialect = DECONV_ONNX_1;
  d.pads_begin = d.pads_end = std::nullopt;
  d.auto_pad = "SAME_UPPER";
  d.output_shape_attribute = {{11, 8}};
  return d;
}
Description OnnxRuntime() {
  Description d = Onnx();
  d.dialect = DECONV_ONNXRUNTIME;
  d.output_shape_attribute = {{11, 8}};
  return d;
}
Description TensorFlowOfOnes(size_t axes) {
  Description d = OneDnnOfOnes(axes);
  d.kind = DECONV_CONV_TRANSPOSE;
  d.dialect = DECONV_TENSORFLOW;
  d.dst_shape = d.pads_begin = d.pads_end = std::nullopt;
  d.auto_pad = "SAME_UPPER";
  d.output_shape_attribute = Description::Dims(axes, 1);
  return d;
}

// The columns are those of Fault: name, valid operator, change, code, and a part of the message.
// clang-format off: one line for each fault.
// NOLINTNEXTLINE(readability-function-size): a table of data
std::vector<Fault> Faults() {
  constexpr deconv_code bad = DECONV_INVALID_OPERATOR;
  return {
      {"types differ", Plane(), [](auto& d) { d.filter_type = DECONV_F16; }, bad, "filter: element type is f16"},
      {"boolean", Plane(), [](auto& d) { d.data_type = d.filter_type = DECONV_BOOLEAN; }, bad, "data: element type is boolean"},
      {"string", Plane(), [](auto& d) { d.data_type = d.filter_type = DECONV_STRING; }, bad, "data: element type is string"},
      {"undefined type", Plane(), [](auto& d) { d.data_type = DECONV_UNDEFINED; }, bad, "element type is undefined"},
      {"type unknown", Plane(), [](auto& d) { d.data_type = 99; }, bad, "element type is an unknown type"},
      {"rank 2", Plane(), [](auto& d) { d.data = {2, 4}; d.filter = {4, 3}; }, bad, "data: rank is 2, expected 3 to 10"},
      {"rank 11", Plane(), [](auto& d) { d.data.assign(11, 1); d.filter.assign(11, 1); }, bad, "data: rank is 11"},
      {"filter rank", Plane(), [](auto& d) { d.filter = {4, 3, 3}; }, bad, "filter: rank is 3, expected 4"},
      {"group filter rank", Group(), [](auto& d) { d.filter = {4, 3, 3, 2}; }, bad, "filter: rank is 4, expected 5"},
      {"negative dimension", Plane(), [](auto& d) { d.data[2] = -1; }, bad, "data: dimension 2 is -1"},
      {"channels", Plane(), [](auto& d) { d.filter[0] = 3; }, bad, "data: has 4 channels, expected 1 group(s) of 3"},
      {"group channels", Group(), [](auto& d) { d.filter[1] = 4; }, bad, "expected 2 group(s) of 4"},
      {"group 0", Group(), [](auto& d) { d.filter[0] = 0; d.data[1] = 0; }, bad, "GROUPS (dimension 0) is 0"},
      {"no taps", Plane(), [](auto& d) { d.filter[3] = 0; }, bad, "filter: spatial axis 1 has size 0"},
      {"short strides", Plane(), [](auto& d) { d.strides = {{2}}; }, bad, "strides: has 1 values, expected 2"},
      {"empty strides", Plane(), [](auto& d) { d.strides = Description::Dims(); }, bad, "strides: has 0 values"},
      {"long dilations", Plane(), [](auto& d) { d.dilations = {{1, 1, 1}}; }, bad, "dilations: has 3 values"},
      {"short pads_begin", Plane(), [](auto& d) { d.pads_begin = {{0}}; }, bad, "pads_begin: has 1 values"},
      {"long pads_end", Plane(), [](auto& d) { d.pads_end = {{0, 0, 0}}; }, bad, "pads_end: has 3 values"},
      {"short output_padding", Plane(), [](auto& d) { d.output_padding = {{0}}; }, bad, "output_padding: has 1 values"},
      {"stride 0", Plane(), [](auto& d) { d.strides = {{2, 0}}; }, bad, "strides[1] is 0, expected positive"},
      {"stride -1", Plane(), [](auto& d) { d.strides = {{-1, 1}}; }, bad, "strides[0] is -1"},
      {"dilation 0", Plane(), [](auto& d) { d.dilations = {{0, 1}}; }, bad, "dilations[0] is 0"},
      {"negative pads_begin", Plane(), [](auto& d) { d.pads_begin = {{1, -1}}; }, bad, "pads_begin[1] is -1"},
      {"negative pads_end", Plane(), [](auto& d) { d.pads_end = {{-2, 0}}; }, bad, "pads_end[0] is -2"},
      {"negative output_padding", Plane(), [](auto& d) { d.output_padding = {{0, -1}}; }, bad, "output_padding[1] is -1"},
      {"size 0", Plane(), [](auto& d) { d.pads_end = {{11, 1}}; }, bad, "output: the size of spatial axis 0"},
      {"size negative", Plane(), [](auto& d) { d.pads_begin = {{1, 20}}; }, bad, "output: the size of spatial axis 1"},
      {"auto_pad", Plane(), [](auto& d) { d.auto_pad = "same"; }, bad, "auto_pad: is \"same\""},
      {"auto_pad none", Plane(), [](auto& d) { d.auto_pad = "none"; }, bad, "auto_pad: is \"none\""},
      {"auto_pad empty", Plane(), [](auto& d) { d.auto_pad = ""; }, bad, "auto_pad: is \"\""},
      {"foreign dst_shape", Plane(), [](auto& d) { d.dst_shape = {{1}}; }, bad, "dst_shape: is given"},
      {"foreign groups", Plane(), [](auto& d) { d.groups = 1; }, bad, "groups: is given"},
      {"foreign kernel_shape", Plane(), [](auto& d) { d.kernel_shape = {{3, 2}}; }, bad, "kernel_shape: is given"},
      {"output_shape type", Shaped(), [](auto& d) { d.output_shape_type = DECONV_F32; }, bad, "output_shape: element type is f32"},
      {"output_shape boolean", Shaped(), [](auto& d) { d.output_shape_type = DECONV_BOOLEAN; }, bad, "output_shape: element type is boolean"},
      {"output_shape rank 2", Shaped(), [](auto& d) { d.output_shape_dims = {{1, 2}}; }, bad, "output_shape: rank is 2, expected 1"},
      {"output_shape rank 0", Shaped(), [](auto& d) { d.output_shape_dims = Description::Dims(); }, bad, "output_shape: rank is 0"},
      {"output_shape full", Shaped(), [](auto& d) { d.output_shape = {{2, 3, 11, 8}}; }, bad, "output_shape: has 4 elements, expected 2"},
      {"output_shape 2^64 - 1", Shaped(), [](auto& d) { d.output_shape_type = DECONV_U64; d.output_shape = {{11, -1}}; }, DECONV_OVERFLOW, "output_shape[1] is 18446744073709551615, expected at most 9223372036854775807"},
      {"output_shape 0", Shaped(), [](auto& d) { d.output_shape = {{11, 0}}; }, bad, "output_shape[1] is 0"},
      {"output_shape -1", Shaped(), [](auto& d) { d.output_shape = {{-1, 8}}; }, bad, "output_shape[0] is -1"},
      {"dst_shape missing", OneDnn(), [](auto& d) { d.dst_shape = std::nullopt; }, bad, "dst_shape: is absent"},
      {"dst_shape spatial", OneDnn(), [](auto& d) { d.dst_shape = {{11, 7}}; }, bad, "dst_shape: has 2 values, expected 4"},
      {"dst_shape N", OneDnn(), [](auto& d) { d.dst_shape = {{1, 11, 7, 3}}; }, bad, "dst_shape[0] (N) is 1, expected 2"},
      {"dst_shape C", OneDnn(), [](auto& d) { d.dst_shape = {{2, 11, 7, 4}}; }, bad, "dst_shape[3] (C) is 4, expected 3"},
      {"dst_shape 0", OneDnn(), [](auto& d) { d.dst_shape = {{2, 11, 0, 3}}; }, bad, "dst_shape[2] is 0"},
      {"dst_shape input f32", OneDnn(), [](auto& d) { d.output_shape = {{2, 11, 7, 3}}; d.output_shape_type = DECONV_F32; }, bad, "dst_shape input: element type is f32, expected an integer type"},
      {"dst_shape overruled, short", OneDnn(), [](auto& d) { d.output_shape = {{2, 11, 7, 3}}; d.dst_shape = {{2, 11, 7}}; }, bad, "dst_shape: has 3 values, expected 4"},
      {"dst_shape overruled, 0", OneDnn(), [](auto& d) { d.output_shape = {{2, 11, 7, 3}}; d.dst_shape = {{2, 0, 7, 3}}; }, bad, "dst_shape[1] is 0"},
      {"oneDNN strides absent", OneDnn(), [](auto& d) { d.strides = std::nullopt; }, bad, "strides: is absent"},
      {"oneDNN pads absent", OneDnn(), [](auto& d) { d.pads_end = std::nullopt; }, bad, "pads_end: is absent"},
      {"oneDNN auto_pad", OneDnn(), [](auto& d) { d.auto_pad = "explicit"; }, bad, "auto_pad: is \"explicit\""},
      {"oneDNN data_format", OneDnn(), [](auto& d) { d.data_format = "NHWC"; }, bad, "data_format: is \"NHWC\""},
      {"oneDNN weights_format", OneDnn(), [](auto& d) { d.weights_format = "oix"; }, bad, "weights_format: is \"oix\""},
      {"oneDNN groups 0", OneDnn(), [](auto& d) { d.groups = 0; }, bad, "groups: is 0"},
      {"oneDNN groups 3", OneDnn(), [](auto& d) { d.groups = 3; }, bad, "groups: 3 does not divide"},
      {"oneDNN f64", OneDnn(), [](auto& d) { d.data_type = d.filter_type = DECONV_F64; }, bad, "expected f32, bf16 or f16"},
      {"oneDNN channels", OneDnn(), [](auto& d) { d.filter[3] = 5; }, bad, "out_channels is 5"},
      {"ONNX bf16", Onnx(), [](auto& d) { d.data_type = d.filter_type = DECONV_BF16; }, bad, "expected f16, f32 or f64"},
      {"ONNX i32", Onnx(), [](auto& d) { d.data_type = d.filter_type = DECONV_I32; }, bad, "expected f16, f32 or f64"},
      {"ONNX auto_pad lower case", Onnx(), [](auto& d) { d.auto_pad = "same_upper"; }, bad, "auto_pad: is \"same_upper\""},
      {"ONNX both pads", Onnx(), [](auto& d) { d.auto_pad = "SAME_UPPER"; }, bad, "pads: are given together"},
      {"no taps", Plane(), [](auto& d) { d.filter[2] = 0; }, bad, "filter: spatial axis 0 has size 0"},
      {"oneDNN no taps", OneDnn(), [](auto& d) { d.filter[1] = 0; }, bad, "filter: spatial axis 1 has size 0"},
      {"ONNX no taps", Onnx(), [](auto& d) { d.filter[3] = 0; }, bad, "filter: spatial axis 1 has size 0"},
      {"ONNX kernel_shape", Onnx(), [](auto& d) { d.kernel_shape = {{3, 3}}; }, bad, "kernel_shape[1] is 3"},
      {"ONNX group", Onnx(), [](auto& d) { d.groups = 3; }, bad, "group: 3 does not divide"},
      {"ONNX group negative", Onnx(), [](auto& d) { d.groups = -1; }, bad, "group: is -1"},
      {"ONNX channels", Onnx(), [](auto& d) { d.filter[0] = 6; }, bad, "filter: C (dimension 0) is 6"},
      {"ONNX output_shape input", Onnx(), [](auto& d) { d.output_shape = {{11, 8}}; }, bad, "output_shape: is given as an input"},
      {"ONNX output_shape 0", Onnx(), [](auto& d) { d.output_shape_attribute = {{0, 8}}; }, bad, "output_shape[0] is 0"},
      {"overflow in stride", Plane(), [](auto& d) { d.strides = {{kHuge, 1}}; d.data[2] = kHuge; }, DECONV_OVERFLOW, "output: the size"},
      {"overflow in dilation", Plane(), [](auto& d) { d.dilations = {{kHuge, 1}}; d.filter[2] = kHuge; }, DECONV_OVERFLOW, "output: the size"},
      {"overflow in total", Shaped(), [](auto& d) { d.dilations = {{kHuge, 1}}; d.filter[2] = kHuge; }, DECONV_OVERFLOW, "total padding"},
      {"overflow of bytes", Plane(), [](auto& d) { d.data[0] = kHuge; d.data[2] = kHuge; }, DECONV_OVERFLOW, "data: its bytes"},
      {"output too large", Plane(), [](auto& d) { d.output_padding = {{kHuge, kHuge}}; }, DECONV_OVERFLOW, "output: its bytes"},
      {"filter too large", Plane(), [](auto& d) { d.filter[1] = kHuge; d.filter[2] = kHuge; }, DECONV_OVERFLOW, ": its bytes"},
      {"wrong pair", Plane(), [](auto& d) { d.dialect = DECONV_ONEDNN_SPEC; }, DECONV_INVALID_ARGUMENT, "dialect: is 3"},
      {"unknown kind", Plane(), [](auto& d) { d.kind = 9; }, DECONV_INVALID_ARGUMENT, "kind: is 9"},
      {"unknown dialect", Onnx(), [](auto& d) { d.dialect = 10; }, DECONV_INVALID_ARGUMENT, "dialect: is 10"},
      {"dialect of another", OneDnn(), [](auto& d) { d.dialect = DECONV_ONNXRUNTIME; }, DECONV_INVALID_ARGUMENT, "dialect: is 7"},
      {"oneDNN library, lower case", OneDnnLibrary(), [](auto& d) { d.auto_pad = "none"; }, bad, "auto_pad: is \"none\", expected None"},
      {"oneDNN library, mixed case", OneDnnLibrary(), [](auto& d) { d.auto_pad = "valid"; }, bad, "auto_pad: is \"valid\""},
      {"oneDNN library, rank 6", OneDnnOfOnes(3), [](auto& d) { d = OneDnnOfOnes(4); }, bad, "data: rank is 6, expected 3 to 5"},
      {"OpenVINO library, rank 6", OpenVinoOfOnes(3), [](auto& d) { d = OpenVinoOfOnes(4); }, bad, "data: rank is 6, expected 3 to 5"},
      {"oneDNN library, size", OneDnnLibrary(), [](auto& d) { (*d.dst_shape)[1] = 12; }, bad, "dst_shape: spatial axis 0 of size 12"},
      {"oneDNN library, pads overflow", OneDnnLibrary(), [](auto& d) { d.pads_begin = d.pads_end = {{INT64_MAX, 0}}; }, DECONV_OVERFLOW, "pads: "},
      {"ONNX 1, no size", OnnxFirstText(), [](auto& d) { d.output_shape_attribute = std::nullopt; }, bad, "auto_pad: is SAME_UPPER without output_shape"},
      {"ONNX Runtime, output_padding", OnnxRuntime(), [](auto& d) { d.output_padding = {{2, 0}}; }, bad, "output_padding[0] is 2, expected less than the stride 2"},
      {"ONNX Runtime, size", OnnxRuntime(), [](auto& d) { d.output_shape_attribute = {{13, 8}}; }, bad, "output_shape[0] is 13"},
      {"ONNX Runtime, a size more", OnnxRuntime(), [](auto& d) { d.output_shape_attribute = {{3, 11, 8}}; }, bad, "output_shape: has 3 values"},
      {"TensorFlow, rank 6", TensorFlowOfOnes(3), [](auto& d) { d = TensorFlowOfOnes(4); }, bad, "data: rank is 6, expected 3 to 5"},
      {"TensorFlow, no shape", TensorFlowOfOnes(2), [](auto& d) { d.output_shape_attribute = std::nullopt; }, bad, "output_shape: is absent"},
      {"TensorFlow, SAME_LOWER", TensorFlowOfOnes(2), [](auto& d) { d.auto_pad = "SAME_LOWER"; }, bad, "auto_pad: is SAME_LOWER"},
      {"TensorFlow, output_padding", TensorFlowOfOnes(2), [](auto& d) { d.output_padding = {{0, 1}}; }, bad, "output_padding[1] is 1, expected 0"},
      {"TensorFlow, size", TensorFlowOfOnes(2), [](auto& d) { d.output_shape_attribute = {{1, 2}}; }, bad, "output_shape[1] is 2"},
      {"ONNX Runtime, empty data", OnnxRuntime(), [](auto& d) { d.data[2] = 0; }, bad, "output_shape[0] is 11"},
  };
}

// clang-format on

TEST(Refusals, EachHasAValidNeighbourAndSaysWhy) {
  for (const Fault& fault : Faults()) {
    auto status = Tagged<deconv_status>();
    const deconv_operator valid = fault.valid.Op();
    EXPECT_TRUE(Plan::Create(valid, nullptr, &status)) << fault.name << ": " << status.message;
    Description changed = fault.valid;
    fault.change(changed);
    const deconv_operator wrong = changed.Op();
    EXPECT_FALSE(Plan::Create(wrong, nullptr, &status)) << fault.name;
    EXPECT_EQ(status.code, fault.code) << fault.name << ": " << status.message;
    EXPECT_THAT(status.message, ::testing::HasSubstr(fault.message)) << fault.name;
    EXPECT_THAT(status.message, ::testing::HasSubstr("expected")) << fault.name;
  }
}

// A size of 0 must not hide that the product of the other sizes overflows.
TEST(Refusals, EmptyTensorsAreStillCounted) {
  Description d = Plane();
  d.filter[1] = 0;
  EXPECT_TRUE(Plan::Create(d.Op()));
  d.data[0] = kHuge;
  d.output_padding = {{kHuge, 0}};
  auto status = Tagged<deconv_status>();
  EXPECT_FALSE(Plan::Create(d.Op(), nullptr, &status));
  EXPECT_EQ(status.code, DECONV_OVERFLOW);
}

// A filter of 2^40 taps without input channels is empty. A loop over its taps would take minutes; the outputs are
// zeros.
TEST(Refusals, TapsOfAnEmptyFilterAreNotCounted) {
  Description d = Description::Line();
  d.data = {1, 0, 1};
  d.filter = {0, 1, kHuge};
  d.strides = {{1}};
  d.pads_begin = {{kHuge - 2}};
  const deconv_operator op = d.Op();
  const auto plan = Plan::Create(op);
  ASSERT_TRUE(plan);
  std::vector<std::byte> packed(plan->PackedFilterBytes());
  std::vector<std::byte> workspace(plan->WorkspaceBytes(1));
  std::vector<std::byte> output(plan->OutputBytes(), std::byte{0xff});
  ASSERT_EQ(plan->PackFilter({}, packed, nullptr), DECONV_OK);
  ASSERT_EQ(plan->Run({{}, packed, output, workspace}), DECONV_OK);
  EXPECT_EQ(output, std::vector<std::byte>(output.size()));
}

// The data are empty, so stride*(X-1) is negative and would hide an extent of 2^63.
TEST(Refusals, TheExtentFitsByItself) {
  Description d = Description::Line();
  d.data = {1, 1, 0};
  d.filter = {1, 1, 2};
  d.strides = {{1}};
  d.dilations = {{INT64_MAX}};
  d.pads_begin = {{INT64_MAX - 2}};
  d.pads_end = {{0}};
  auto status = Tagged<deconv_status>();
  EXPECT_FALSE(Plan::Create(d.Op(), nullptr, &status));
  EXPECT_EQ(status.code, DECONV_OVERFLOW) << status.message;
  d.dilations = {{INT64_MAX - 1}};
  EXPECT_TRUE(Plan::Create(d.Op(), nullptr, &status)) << status.message;
}

// Sizes near the limits must neither crash nor take long. A plan is small whatever the shapes are.
TEST(Refusals, HugeButValidShapesMakeSmallPlans) {
  Description d = Description::Line();
  d.data = {1, 1, kHuge};
  d.strides = {{1000}};
  EXPECT_TRUE(Plan::Create(d.Op()));
  d = Description::Line();
  d.filter = {1, 1, kHuge};
  d.dilations = {{1000}};
  EXPECT_TRUE(Plan::Create(d.Op()));
  d = Description::Line();
  d.output_shape = {{kHuge}};
  EXPECT_TRUE(Plan::Create(d.Op()));
  d.dialect = DECONV_OPENVINO_RUNTIME;
  d.pads_begin = {{INT64_MAX}};
  auto status = Tagged<deconv_status>();
  EXPECT_FALSE(Plan::Create(d.Op(), nullptr, &status));
  EXPECT_EQ(status.code, DECONV_OVERFLOW);
  EXPECT_THAT(status.message, ::testing::HasSubstr("pads_begin[0] is 9223372036854775807"));
}

TEST(Refusals, ListsBehindNullPointersAreNamed) {
  deconv_list deconv_operator::* const lists[] = {
      &deconv_operator::output_shape_values, &deconv_operator::strides,      &deconv_operator::dilations,
      &deconv_operator::pads_begin,          &deconv_operator::pads_end,     &deconv_operator::output_padding,
      &deconv_operator::dst_shape,           &deconv_operator::kernel_shape, &deconv_operator::output_shape_attribute,
  };
  const Description plane = Plane();
  for (const auto list : lists) {
    deconv_operator op = plane.Op();
    op.*list = {nullptr, 2};
    auto status = Tagged<deconv_status>();
    EXPECT_FALSE(Plan::Create(op, nullptr, &status));
    EXPECT_EQ(status.code, DECONV_INVALID_ARGUMENT);
    EXPECT_THAT(status.message, ::testing::HasSubstr(": has 2 values behind a null pointer"));
  }
}

}  // namespace
}  // namespace deconv::testing
