// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the sizes and pads that the resolver gives an operator, in each dialect (reading of the attributes) that
// follows a document. The operators are the examples of OpenVINO's specification, and one with 3 data elements, kernel
// 3 and stride 2 for every auto_pad. Others are those for which documents are read in several ways.
#include "kernel/resolve/resolve.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/description.h"

namespace deconv::testing {
namespace {

using ::testing::ElementsAre;

// Returns "pads_begin,output" of the first axis, or the message of the refusal. Example: 3 data elements, kernel 3 and
// stride 2 have 7 outputs without pads. With 6 outputs, the pads of both ends together are 1. If this pad stands at the
// beginning, the result is "1,6".
std::string FirstAxis(const Description& description) {
  Geometry geometry;
  const Status status = Resolve(description.Op(), DECONV_NCX, geometry);
  if (!status.Ok()) return status.Message();
  return std::to_string(geometry.axes[0].pads_begin) + "," + std::to_string(geometry.axes[0].output);
}

// Returns the shape of the output.
std::vector<int64_t> OutputShapeOf(const Description& description) {
  Geometry geometry;
  const Status status = Resolve(description.Op(), DECONV_NCX, geometry);
  EXPECT_TRUE(status.Ok()) << status.Message();
  return {geometry.output_dims.begin(), geometry.output_dims.begin() + geometry.axis_count + 2};
}

TEST(Resolve, ExamplesOfTheSpecificationHaveItsShapes) {
  Description d;
  d.data = {1, 20, 224, 224};
  d.filter = {20, 10, 3, 3};
  d.strides = {{2, 2}};
  d.dilations = {{1, 1}};
  d.pads_begin = d.pads_end = {{1, 1}};
  EXPECT_THAT(OutputShapeOf(d), ElementsAre(1, 10, 447, 447));
  Description padded = d;
  padded.data = {1, 20, 2, 2};
  padded.strides = {{3, 3}};
  padded.pads_begin = padded.pads_end = {{0, 0}};
  padded.output_padding = {{2, 2}};
  EXPECT_THAT(OutputShapeOf(padded), ElementsAre(1, 10, 8, 8));
  Description shaped = d;
  shaped.strides = {{1, 1}};
  shaped.auto_pad = "valid";
  shaped.output_shape = {{450, 450}};
  EXPECT_THAT(OutputShapeOf(shaped), ElementsAre(1, 10, 450, 450));
  EXPECT_EQ(FirstAxis(shaped), "-112,450");
  shaped.dialect = DECONV_OPENVINO_RUNTIME;
  EXPECT_EQ(FirstAxis(shaped), "0,450");
  Description group = d;
  group.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  group.filter = {4, 5, 2, 3, 3};
  EXPECT_THAT(OutputShapeOf(group), ElementsAre(1, 8, 447, 447));
}

// The expected pads_begin for a requested output size. The operator has 3 data elements, kernel 3 and stride 2 (output
// size 7 without pads), and its pads attributes are 1. A column is named after auto_pad (lower: same_lower; upper:
// same_upper) and after the dialect (openvino-spec or openvino-runtime). Example: output 4 needs pads of 3 together.
// same_lower puts the smaller half, 1, at the beginning, same_upper the larger half, 2.
struct Row {
  int64_t output;
  int64_t explicit_spec, explicit_runtime, valid_spec, valid_runtime;
  int64_t lower_spec, lower_runtime, upper_spec, upper_runtime;
};
constexpr Row kRows[] = {
    {4, 1, 1, 1, 0, 1, 1, 2, 2}, {5, 1, 1, 1, 0, 1, 1, 1, 1},    {6, 0, 1, 0, 0, 0, 0, 1, 1},
    {7, 0, 1, 0, 0, 0, 0, 0, 0}, {8, -1, 1, -1, 0, -1, 0, 0, 0}, {9, -1, 1, -1, 0, -1, 0, -1, 0},
};

TEST(Resolve, OutputShapeDecidesPadsByDialectAndAutoPad) {
  for (const Row& row : kRows) {
    const auto check = [&](deconv_dialect dialect, const char* auto_pad, int64_t expected) {
      Description d = Description::Line();
      d.dialect = dialect;
      d.auto_pad = auto_pad;
      d.output_shape = {{row.output}};
      EXPECT_EQ(FirstAxis(d), std::to_string(expected) + "," + std::to_string(row.output))
          << "dialect " << dialect << " " << (auto_pad == nullptr ? "absent" : auto_pad);
    };
    check(DECONV_OPENVINO_SPEC, nullptr, row.explicit_spec);
    check(DECONV_OPENVINO_SPEC, "explicit", row.explicit_spec);
    check(DECONV_OPENVINO_SPEC, "valid", row.valid_spec);
    check(DECONV_OPENVINO_SPEC, "same_lower", row.lower_spec);
    check(DECONV_OPENVINO_SPEC, "SAME_upper", row.upper_spec);
    check(DECONV_OPENVINO_RUNTIME, nullptr, row.explicit_runtime);
    check(DECONV_OPENVINO_RUNTIME, "VALID", row.valid_runtime);
    check(DECONV_OPENVINO_RUNTIME, "same_lower", row.lower_runtime);
    check(DECONV_OPENVINO_RUNTIME, "same_upper", row.upper_runtime);
  }
}

TEST(Resolve, WithoutOutputShapeAutoPadMeansNoPads) {
  for (const deconv_dialect dialect : {DECONV_OPENVINO_SPEC, DECONV_OPENVINO_RUNTIME}) {
    for (const char* auto_pad : {"same_upper", "same_lower", "valid"}) {
      Description d = Description::Line();
      d.dialect = dialect;
      d.auto_pad = auto_pad;
      d.output_padding = {{1}};
      EXPECT_EQ(FirstAxis(d), "0,8") << auto_pad;
    }
  }
  EXPECT_EQ(FirstAxis(Description::Line()), "1,5");
}

TEST(Resolve, OutputPaddingEntersTheTotal) {
  // A test of OpenVINO itself: same_lower, 2 elements, kernel 3, stride 2, output_padding 1, output 3: pads 1 and 2.
  Description d = Description::Line();
  d.data = {1, 1, 2};
  d.auto_pad = "same_lower";
  d.output_padding = {{1}};
  d.output_shape = {{3}};
  EXPECT_EQ(FirstAxis(d), "1,3");
  d.dialect = DECONV_OPENVINO_RUNTIME;
  EXPECT_EQ(FirstAxis(d), "1,3");
}

TEST(Resolve, OutputPaddingBeyondStrideIsValid) {
  Description d = Description::Line();
  d.output_padding = {{7}};
  EXPECT_EQ(FirstAxis(d), "1,12");
}

TEST(Resolve, AbsentListsHaveDefaults) {
  Description d = Description::Line();
  d.strides = d.dilations = d.pads_begin = d.pads_end = std::nullopt;
  EXPECT_EQ(FirstAxis(d), "0,5");
}

// Returns ConvolutionBackwardData with the default formats NXC and XIO. `output` is the spatial size of dst_shape.
Description OneDnnOperator(const char* auto_pad, int64_t output) {
  Description d = Description::Line();
  d.kind = DECONV_CONVOLUTION_BACKWARD_DATA;
  d.dialect = DECONV_ONEDNN_SPEC;
  d.data = {2, 3, 4};    // NXC
  d.filter = {3, 5, 4};  // XIO
  d.dst_shape = {{2, output, 5}};
  d.auto_pad = auto_pad;
  return d;
}

// pads_begin is 1. Explicit pads keep it, "valid" has none, and "same" splits the difference to the natural size 7.
TEST(Resolve, OneDnnSplitsBySameAndKeepsExplicit) {
  EXPECT_EQ(FirstAxis(OneDnnOperator(nullptr, 6)), "1,6");
  EXPECT_EQ(FirstAxis(OneDnnOperator("none", 4)), "1,4");
  EXPECT_EQ(FirstAxis(OneDnnOperator("None", 9)), "1,9");
  EXPECT_EQ(FirstAxis(OneDnnOperator("NONE", 9)), "1,9");
  EXPECT_EQ(FirstAxis(OneDnnOperator("valid", 6)), "0,6");
  EXPECT_EQ(FirstAxis(OneDnnOperator("VALID", 9)), "0,9");
  EXPECT_EQ(FirstAxis(OneDnnOperator("same_lower", 6)), "0,6");
  EXPECT_EQ(FirstAxis(OneDnnOperator("SAME_LOWER", 9)), "-1,9");
  EXPECT_EQ(FirstAxis(OneDnnOperator("same_upper", 6)), "1,6");
  EXPECT_EQ(FirstAxis(OneDnnOperator("SAME_UPPER", 8)), "0,8");
  Description d = OneDnnOperator("same_lower", 6);
  d.output_padding = {{1}};
  EXPECT_EQ(FirstAxis(d), "1,6");
}

TEST(Resolve, OneDnnReadsLayoutsAndGroups) {
  Description d = OneDnnOperator(nullptr, 5);
  EXPECT_THAT(OutputShapeOf(d), ElementsAre(2, 5, 5));
  d.data_format = "NCX";
  d.weights_format = "OIX";
  d.data = {2, 4, 3};
  d.filter = {4, 5, 3};
  d.groups = 2;
  d.dst_shape = {{2, 10, 5}};
  EXPECT_THAT(OutputShapeOf(d), ElementsAre(2, 10, 5));
  Geometry geometry;
  ASSERT_TRUE(Resolve(d.Op(), DECONV_NCX, geometry).Ok());
  EXPECT_EQ(geometry.groups, 2);
  EXPECT_EQ(geometry.in_channels, 2);
  EXPECT_EQ(geometry.out_channels, 5);
  EXPECT_EQ(geometry.filter_strides.group, 2 * 5 * 3);
}

TEST(Resolve, OneDnnInputPrecedesAttribute) {
  Description d = OneDnnOperator(nullptr, 5);
  d.output_shape = {{2, 6, 5}};
  d.output_shape_type = DECONV_I32;
  EXPECT_EQ(FirstAxis(d), "1,6");
  d.dst_shape = std::nullopt;
  EXPECT_EQ(FirstAxis(d), "1,6");
}

// Returns Description::Line() as ConvTranspose without pads, in dialect onnx-11.
Description Onnx(const char* auto_pad) {
  Description d = Description::Line();
  d.kind = DECONV_CONV_TRANSPOSE;
  d.dialect = DECONV_ONNX_11;
  d.auto_pad = auto_pad;
  d.pads_begin = d.pads_end = std::nullopt;
  return d;
}

TEST(Resolve, OnnxSameMultipliesByStride) {
  EXPECT_EQ(FirstAxis(Onnx("SAME_UPPER")), "0,6");
  EXPECT_EQ(FirstAxis(Onnx("SAME_LOWER")), "1,6");
  EXPECT_EQ(FirstAxis(Onnx("VALID")), "0,7");
  EXPECT_EQ(FirstAxis(Onnx(nullptr)), "0,7");
  Description d = Onnx("SAME_UPPER");
  d.output_padding = {{1}};
  EXPECT_EQ(FirstAxis(d), "1,6");
  d = Onnx("NOTSET");
  d.pads_begin = d.pads_end = {{1}};
  EXPECT_EQ(FirstAxis(d), "1,5");
}

TEST(Resolve, OnnxOutputShapePutsTheOddElementFirstUnlessUpper) {
  for (const char* auto_pad : {"SAME_LOWER", "VALID", "NOTSET"}) {
    Description d = Onnx(auto_pad);
    d.output_shape_attribute = {{6}};
    EXPECT_EQ(FirstAxis(d), "1,6") << auto_pad;
    d.output_shape_attribute = {{8}};
    EXPECT_EQ(FirstAxis(d), "0,8") << auto_pad;
  }
  Description d = Onnx("SAME_UPPER");
  d.output_shape_attribute = {{6}};
  EXPECT_EQ(FirstAxis(d), "0,6");
  d.output_shape_attribute = {{4}};
  EXPECT_EQ(FirstAxis(d), "1,4");
}

}  // namespace
}  // namespace deconv::testing
