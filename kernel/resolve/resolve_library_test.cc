// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the dialects (readings of the attributes) that follow a library: oneDNN, ONNX Runtime, OpenVINO or TensorFlow.
// Also tests ONNX's first text of ConvTranspose (onnx-1), and onnx-22, which is onnx-11 with bf16. Most operators have
// 3 data elements, kernel 3 and stride 2, with every auto_pad. The others show where libraries and specifications
// differ.
#include <limits>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "kernel/resolve/resolve.h"
#include "kernel/testing/description.h"

namespace deconv::testing {
namespace {

// Returns "pads_begin,output" of axis 0, or "refused". Example: 3 data elements, kernel 3 and stride 2 without pads
// give 2 * (3 - 1) + 3 = 7 outputs (the natural size). With 6 outputs, the pads of both ends together are 1. If this
// pad stands at the beginning, the result is "1,6".
std::string Axis0(const Description& description) {
  Geometry geometry;
  const Status status = Resolve(description.Op(), DECONV_NCX, geometry);
  if (!status.Ok()) return "refused";
  return std::to_string(geometry.axes[0].pads_begin) + "," + std::to_string(geometry.axes[0].output);
}

// Returns the operator of Description::Line() (3 data elements, kernel 3, stride 2) in oneDNN's runtime dialect.
Description OneDnn(const char* auto_pad, int64_t output, int64_t pads_begin = 0, int64_t pads_end = 0) {
  Description d = Description::Line();
  d.kind = DECONV_CONVOLUTION_BACKWARD_DATA;
  d.dialect = DECONV_ONEDNN_RUNTIME;
  d.data_format = "NCX";
  d.weights_format = "OIX";
  d.dst_shape = {{1, 1, output}};
  d.auto_pad = auto_pad;
  d.pads_begin = {{pads_begin}};
  d.pads_end = {{pads_end}};
  return d;
}

TEST(OneDnnLibrary, SamePadsFollowFromTheOutput) {
  // Output 6 needs pads of 1 together. For SAME_LOWER oneDNN puts it at the beginning, and its document at the end. For
  // SAME_UPPER it is the reverse.
  EXPECT_EQ(Axis0(OneDnn("SAME_LOWER", 6)), "1,6");
  EXPECT_EQ(Axis0(OneDnn("SAME_UPPER", 6)), "0,6");
  EXPECT_EQ(Axis0(OneDnn("SAME_LOWER", 5)), "1,5");
  EXPECT_EQ(Axis0(OneDnn("SAME_UPPER", 5)), "1,5");
  for (const int64_t output : {3, 4, 7, 8, 9}) {
    EXPECT_EQ(Axis0(OneDnn("SAME_LOWER", output)), "refused") << output;
    EXPECT_EQ(Axis0(OneDnn("SAME_UPPER", output)), "refused") << output;
  }
}

// The forward convolution of the output must have 3 elements: (output + pads - 3) / 2 + 1. VALID ignores pads.
TEST(OneDnnLibrary, ExplicitPadsAndValidMustGiveTheSize) {
  EXPECT_EQ(Axis0(OneDnn("None", 5, 1, 1)), "1,5");
  EXPECT_EQ(Axis0(OneDnn(nullptr, 6, 1, 1)), "1,6");
  EXPECT_EQ(Axis0(OneDnn("None", 7, 1, 1)), "refused");
  EXPECT_EQ(Axis0(OneDnn("VALID", 7, 9, 9)), "0,7");
  EXPECT_EQ(Axis0(OneDnn("VALID", 8)), "0,8");
  EXPECT_EQ(Axis0(OneDnn("VALID", 9)), "refused");
}

// The forward convolution has one output more than output + pads_begin - kernel = 2^63 - 1.
TEST(OneDnnLibrary, RefusesAForwardSizeBeyond64Bits) {
  Description d = OneDnn("None", 3, std::numeric_limits<int64_t>::max());
  d.data = {1, 1, 1};
  d.strides = {{1}};
  EXPECT_EQ(Axis0(d), "refused");
}

// An output of 1 is shorter than the 3 taps. For stride 3, the forward size is (1 - 3) / 3 + 1 = 1, since the division
// rounds towards 0. For stride 2 it is -2 / 2 + 1 = 0, which is not the size of the data.
TEST(OneDnnLibrary, DividesTowardsZero) {
  Description d = OneDnn("VALID", 1);
  d.data = {1, 1, 1};
  d.strides = {{3}};
  EXPECT_EQ(Axis0(d), "0,1");
  d.strides = {{2}};
  EXPECT_EQ(Axis0(d), "refused");
}

TEST(OneDnnLibrary, OutputPaddingMakesNoDifference) {
  Description d = OneDnn("SAME_LOWER", 6);
  d.output_padding = {{1}};
  EXPECT_EQ(Axis0(d), "1,6");
  d.output_padding = {{INT64_MAX}};
  EXPECT_EQ(Axis0(d), "1,6");
}

// Returns the operator of Description::Line() as ConvTranspose. `output` 0 means that there is no output_shape.
Description Onnx(deconv_dialect dialect, const char* auto_pad, int64_t output = 0, int64_t output_padding = 0) {
  Description d = Description::Line();
  d.kind = DECONV_CONV_TRANSPOSE;
  d.dialect = dialect;
  d.auto_pad = auto_pad;
  d.pads_begin = d.pads_end = std::nullopt;
  d.output_padding = {{output_padding}};
  if (output != 0) d.output_shape_attribute = {{output}};
  return d;
}

TEST(OnnxFirstText, SameUpperPutsTheOddPadAtTheBeginning) {
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, "SAME_UPPER", 4)), "2,4");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, "SAME_UPPER", 6)), "1,6");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, "SAME_UPPER", 8)), "0,8");
  for (const char* auto_pad : {"SAME_LOWER", "VALID", "NOTSET"}) {
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, auto_pad, 4)), "1,4");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, auto_pad, 6)), "0,6");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, auto_pad, 8)), "-1,8");
  }
}

TEST(OnnxFirstText, SameNeedsAnOutputShape) {
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, "SAME_UPPER")), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, "SAME_LOWER")), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, "VALID")), "0,7");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_1, nullptr, 0, 3)), "0,10");
}

// Outputs 8 and 9 exceed the natural size 7. With 8, the forward convolution still has the 3 elements of the data.
TEST(OnnxRuntime, NegativeTotalPadsCountAsZero) {
  for (const char* auto_pad : {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"}) {
    const bool upper = auto_pad == std::string("SAME_UPPER");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, auto_pad, 4)), upper ? "1,4" : "2,4");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, auto_pad, 6)), upper ? "0,6" : "1,6");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, auto_pad, 6, 1)), "1,6");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, auto_pad, 8)), "0,8");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, auto_pad, 9)), "refused");
    EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, auto_pad, 7, 2)), "refused");
  }
}

TEST(OnnxRuntime, SameCropsAndNeverExtends) {
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, "SAME_UPPER")), "0,6");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, "SAME_LOWER")), "1,6");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNXRUNTIME, "SAME_LOWER", 0, 1)), "1,6");
  Description d = Onnx(DECONV_ONNXRUNTIME, "SAME_LOWER");
  d.filter = {1, 1, 1};
  d.strides = {{3}};
  EXPECT_EQ(Axis0(d), "0,7");
  d.dialect = DECONV_ONNX_11;
  EXPECT_EQ(Axis0(d), "-1,9");
}

// The whole shape is [N, C, spatial]; N and C are ignored, even if they are wrong.
TEST(OnnxRuntime, AWholeOutputShapeIsReadFromItsEnd) {
  Description d = Onnx(DECONV_ONNXRUNTIME, "SAME_UPPER");
  d.output_shape_attribute = {{7, -7, 6}};
  EXPECT_EQ(Axis0(d), Axis0(Onnx(DECONV_ONNXRUNTIME, "SAME_UPPER", 6)));
  d.dialect = DECONV_ONNX_11;
  EXPECT_EQ(Axis0(d), "refused");
}

TEST(OnnxRuntime, ExplicitPadsAreAsInTheText) {
  Description d = Onnx(DECONV_ONNXRUNTIME, "NOTSET", 0, 1);
  d.pads_begin = {{1}};
  d.pads_end = {{2}};
  EXPECT_EQ(Axis0(d), "1,5");
  d.output_padding = {{2}};
  EXPECT_EQ(Axis0(d), "refused");
}

// Returns the operator of Description::Line() in OpenVINO's runtime dialect, with these data elements and this stride.
Description OpenVino(int64_t data, int64_t stride) {
  Description d = Description::Line();
  d.dialect = DECONV_OPENVINO_RUNTIME;
  d.data = {1, 1, data};
  d.strides = {{stride}};
  d.pads_begin = d.pads_end = {{0}};
  return d;
}

TEST(OpenVinoLibrary, EmptyListsCountAsAbsent) {
  Description d = OpenVino(3, 2);
  // {{}} is a list that is present, without values.
  d.dilations = d.pads_begin = d.pads_end = d.output_padding = {{}};
  EXPECT_EQ(Axis0(d), "0,7");
  d.strides = {{}};
  EXPECT_EQ(Axis0(d), "0,5");
  d.dialect = DECONV_OPENVINO_SPEC;
  EXPECT_EQ(Axis0(d), "refused");
}

TEST(OpenVinoLibrary, PadsEndAndOutputPaddingMayBeNegative) {
  Description d = OpenVino(3, 2);  // 7 outputs without pads
  d.output_padding = {{-1}};
  EXPECT_EQ(Axis0(d), "0,6");
  d.output_padding = {{-8}};
  EXPECT_EQ(Axis0(d), "refused");
  d.output_padding = {{0}};
  d.pads_end = {{-3}};
  EXPECT_EQ(Axis0(d), "0,10");
  d.pads_begin = {{-1}};
  EXPECT_EQ(Axis0(d), "refused");
}

TEST(OpenVinoLibrary, AnEmptyAxisHasTheOutputSizeOfOneElement) {
  for (const int64_t stride : {1, 2, 3}) EXPECT_EQ(Axis0(OpenVino(0, stride)), "0,3");
}

TEST(TensorFlow, AcceptsOnlySizesWhoseForwardSizeIsTheData) {
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "SAME_UPPER", 4)), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "SAME_UPPER", 5)), "1,5");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "SAME_UPPER", 6)), "0,6");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "SAME_UPPER", 7)), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "SAME_LOWER", 6)), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "VALID", 6)), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "VALID", 7)), "0,7");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "VALID", 8)), "0,8");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "VALID", 9)), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "VALID")), "refused");
  EXPECT_EQ(Axis0(Onnx(DECONV_TENSORFLOW, "VALID", 7, 1)), "refused");
}

TEST(TensorFlow, ExplicitPadsAreAsGiven) {
  for (const auto& [output, answer] : {std::pair{3, "refused"}, {4, "2,4"}, {5, "2,5"}, {6, "refused"}}) {
    Description d = Onnx(DECONV_TENSORFLOW, nullptr, output);
    d.pads_begin = {{2}};
    d.pads_end = {{1}};
    EXPECT_EQ(Axis0(d), answer) << output;
  }
}

TEST(Onnx22, ResolvesLikeOnnx11AndAlsoTakesBf16) {
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_22, "SAME_UPPER", 6)), "0,6");
  EXPECT_EQ(Axis0(Onnx(DECONV_ONNX_22, "VALID", 6)), "1,6");
  Description d = Onnx(DECONV_ONNX_22, nullptr);
  d.data_type = d.filter_type = DECONV_BF16;
  EXPECT_EQ(Axis0(d), "0,7");
  d.dialect = DECONV_ONNX_11;
  EXPECT_EQ(Axis0(d), "refused");
}

}  // namespace
}  // namespace deconv::testing
