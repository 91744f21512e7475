// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the sizes and pads that the oracle computes in the dialects that follow libraries, where they differ from the
// documents' formulas. A dialect is one reading of the attributes. The expected numbers of oneDNN and ONNX Runtime were
// worked out by hand from their code. Those of OpenVINO and TensorFlow are answers of the libraries. evaluate_test.cc
// tests output values of onnxruntime.
//
// An answer is "pads_begin, output size", or the id of the clause that refuses the operator. Clauses are the numbered
// rules of oracle/clauses.md. Line(data, kernel, stride, dilation = 1) is an operator with one axis and without pads.

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "oracle/resolve.h"
#include "oracle/testing/test_operators.h"

namespace oracle {
namespace {

/// "pads_begin, output", or the clause that refuses.
std::string Answer(const Operator& op, Dialect dialect) {
  const Resolution resolution = Resolve(op, dialect);
  if (!resolution.ok()) return std::string(resolution.refusal->clause);
  const Axis& axis = resolution.geometry->axes[0];
  return std::to_string(axis.pads_begin) + ", " + std::to_string(axis.output);
}

/// The answer of onednn-runtime for 3 data elements, kernel 3 and stride 2. The output size without pads is 7. `output`
/// is the size that is asked for.
std::string OnednnAnswer(const char* auto_pad, std::int64_t output, std::int64_t pads_begin = 0,
                         std::int64_t pads_end = 0) {
  Operator op = AsBackwardData(Line(3, 3, 2), {1, 1, output});
  op.auto_pad = auto_pad;
  op.pads_begin = Dims{pads_begin};
  op.pads_end = Dims{pads_end};
  return Answer(op, Dialect::kOnednnRuntime);
}

TEST(OnednnRuntime, SamePadsComeFromTheOutputAlone) {
  // The forward convolution of stride 2 gives ceil(5/2) = ceil(6/2) = 3 data elements for the sizes 5 and 6 only.
  for (const std::int64_t output : {4, 7, 8, 9}) {
    EXPECT_EQ(OnednnAnswer("SAME_LOWER", output), "P21") << output;
    EXPECT_EQ(OnednnAnswer("SAME_UPPER", output), "P21") << output;
  }
  EXPECT_EQ(OnednnAnswer("SAME_LOWER", 5), "1, 5");
  EXPECT_EQ(OnednnAnswer("SAME_UPPER", 5), "1, 5");
  EXPECT_EQ(OnednnAnswer("SAME_LOWER", 6), "1, 6");  // the document has 0 here, and 1 for same_upper
  EXPECT_EQ(OnednnAnswer("SAME_UPPER", 6), "0, 6");
}

// The forward convolution gives (output - 3) / 2 + 1 elements: 3 for the output sizes 7 and 8.
TEST(OnednnRuntime, ValidHasNoPads) {
  EXPECT_EQ(OnednnAnswer("VALID", 7, 2, 2), "0, 7");
  EXPECT_EQ(OnednnAnswer("VALID", 8), "0, 8");
  EXPECT_EQ(OnednnAnswer("VALID", 9), "P21");
  EXPECT_EQ(OnednnAnswer("VALID", 6), "P21");
}

// The forward convolution gives (output + pads_begin + pads_end - 3) / 2 + 1 elements; 3 are right.
TEST(OnednnRuntime, NonePadsAreCheckedAgainstTheSize) {
  EXPECT_EQ(OnednnAnswer("None", 6, 1, 0), "1, 6");
  EXPECT_EQ(OnednnAnswer("None", 6, 1, 1), "1, 6");
  EXPECT_EQ(OnednnAnswer("None", 6, 1, 2), "P21");
  EXPECT_EQ(OnednnAnswer("None", 6, 0, 0), "P21");
}

TEST(OnednnRuntime, RefusesAForwardSizeBeyond64Bits) {
  // (3 - 3 + pads_begin) / 1 + 1 is 2^63.
  Operator op = AsBackwardData(Line(1, 3, 1), {1, 1, 3});
  op.pads_begin = Dims{std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(Answer(op, Dialect::kOnednnRuntime), "O2");
}

TEST(OnednnRuntime, TheCheckDividesTowardsZero) {
  // Data 1, kernel 3, stride 3, output 1: (1 - 3) / 3 + 1 is 1 if rounded towards zero, and 0 if rounded downwards.
  EXPECT_EQ(Answer(AsBackwardData(Line(1, 3, 3), {1, 1, 1}), Dialect::kOnednnRuntime), "0, 1");
  EXPECT_EQ(Answer(AsBackwardData(Line(1, 3, 2), {1, 1, 1}), Dialect::kOnednnRuntime), "P21");
}

TEST(OnednnRuntime, OutputPaddingIsNotRead) {
  for (const char* auto_pad : {"None", "VALID", "SAME_UPPER", "SAME_LOWER"}) {
    Operator op = AsBackwardData(Line(3, 3, 2), {1, 1, auto_pad[0] == 'S' ? 6 : 7});
    op.auto_pad = auto_pad;
    const std::string answer_without_padding = Answer(op, Dialect::kOnednnRuntime);
    for (const Dims& padding :
         {Dims{1}, Dims{5}, Dims{std::int64_t{1} << 62}, Dims{-1}, Dims{}, Dims{1, 1}, Dims(12, 0)}) {
      op.output_padding = padding;
      EXPECT_EQ(Answer(op, Dialect::kOnednnRuntime), answer_without_padding) << auto_pad;
    }
    EXPECT_EQ(Answer(op, Dialect::kOnednnSpec), "A1");
  }
}

TEST(OnednnRuntime, ForwardPadsAreNeverNegative) {
  // Kernel 1, stride 3: the rule of the forward convolution gives 1 - 3 = -2 pads for 9 outputs, clamped to 0.
  Operator op = AsBackwardData(Line(3, 1, 3), {1, 1, 9});
  op.auto_pad = "SAME_UPPER";
  EXPECT_EQ(Answer(op, Dialect::kOnednnRuntime), "0, 9");
  op.auto_pad = "SAME_LOWER";
  EXPECT_EQ(Answer(op, Dialect::kOnednnRuntime), "0, 9");
}

/// The answer of onnxruntime for 3 data elements without given pads. `output` is the attribute output_shape; nullopt
/// means that it is absent. With the default kernel and stride, the output size without pads is 7.
std::string OnnxruntimeAnswer(const char* auto_pad, std::optional<std::int64_t> output, std::int64_t output_padding = 0,
                              std::int64_t kernel = 3, std::int64_t stride = 2) {
  Operator op = AsConvTransposeWithAutoPad(Line(3, kernel, stride), auto_pad, output);
  op.output_padding = Dims{output_padding};
  return Answer(op, Dialect::kOnnxruntime);
}

TEST(Onnxruntime, PadsOfAGivenOutputShapeAreNeverNegative) {
  // The total of the pads is max(7 + output_padding - output, 0). SAME_UPPER puts the smaller half at the beginning,
  // the other modes the larger half. P26 refuses 9.
  for (const char* mode : {"SAME_LOWER", "VALID", "NOTSET"}) {
    EXPECT_EQ(OnnxruntimeAnswer(mode, 4), "2, 4");
    EXPECT_EQ(OnnxruntimeAnswer(mode, 5), "1, 5");
    EXPECT_EQ(OnnxruntimeAnswer(mode, 6), "1, 6");
    EXPECT_EQ(OnnxruntimeAnswer(mode, 6, 1), "1, 6");
    EXPECT_EQ(OnnxruntimeAnswer(mode, 7), "0, 7");
    EXPECT_EQ(OnnxruntimeAnswer(mode, 8), "0, 8");
    EXPECT_EQ(OnnxruntimeAnswer(mode, 9), "P26");
  }
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", 4), "1, 4");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", 6), "0, 6");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", 6, 1), "1, 6");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", 8), "0, 8");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", 9), "P26");
}

TEST(Onnxruntime, SameNeverEnlargesTheOutput) {
  // SAME crops the output to data * stride. A smaller output stays as it is.
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", std::nullopt), "0, 6");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_LOWER", std::nullopt), "1, 6");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", std::nullopt, 1), "1, 6");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_LOWER", std::nullopt, 1), "1, 6");
  EXPECT_EQ(OnnxruntimeAnswer("SAME_UPPER", std::nullopt, 0, 1, 3), "0, 7");  // onnx-11 has 9 here
  EXPECT_EQ(OnnxruntimeAnswer("SAME_LOWER", std::nullopt, 1, 1, 3), "0, 8");
}

TEST(Onnxruntime, OutputPaddingIsBelowTheStride) {
  EXPECT_EQ(OnnxruntimeAnswer("NOTSET", std::nullopt, 1), "0, 8");
  EXPECT_EQ(OnnxruntimeAnswer("NOTSET", std::nullopt, 2), "A19");
  EXPECT_EQ(OnnxruntimeAnswer("NOTSET", 7, 2), "A19");
  // ONNX Runtime's first check accepts values below max(stride, dilation). A later comparison of sizes refuses those
  // that are not below the stride (A19).
  Operator op = AsConvTranspose(Line(3, 3, 1, 4));
  op.output_padding = Dims{1};
  EXPECT_EQ(Answer(op, Dialect::kOnnxruntime), "A19");
}

TEST(Onnxruntime, AWholeOutputShapeIsReadFromItsEnd) {
  Operator op = AsConvTranspose(Line(3, 3, 2));
  for (const Dims& whole : {Dims{1, 1, 7}, Dims{5, -5, 7}}) {
    op.output_shape_attribute = whole;
    EXPECT_EQ(Answer(op, Dialect::kOnnxruntime), "0, 7");
    EXPECT_EQ(Answer(op, Dialect::kOnnx11), "S10");
  }
  op.output_shape_attribute = Dims{1, 1, 1, 7};
  EXPECT_EQ(Answer(op, Dialect::kOnnxruntime), "S10");
}

TEST(Onnxruntime, EmptyDataWithAnOutputShapeIsRefused) {
  Operator op = AsConvTranspose(Line(0, 5, 2));
  EXPECT_EQ(Answer(op, Dialect::kOnnxruntime), "0, 3");
  op.output_shape_attribute = Dims{3};
  EXPECT_EQ(Answer(op, Dialect::kOnnxruntime), "S18");
  EXPECT_EQ(Answer(op, Dialect::kOnnx11), "0, 3");
}

// The numbers that the tests of OpenvinoRuntime expect are answers of OpenVINO 2026.4.1.

/// An operator with 3 data elements and kernel 3.
Operator OpenvinoLine(std::int64_t stride = 1) { return Line(3, 3, stride); }

/// The answer of openvino-runtime.
std::string OpenvinoAnswer(const Operator& op) { return Answer(op, Dialect::kOpenvinoRuntime); }

TEST(OpenvinoRuntime, EmptyListsAreAbsent) {
  for (const auto list : {&Operator::strides, &Operator::dilations, &Operator::pads_begin, &Operator::pads_end,
                          &Operator::output_padding}) {
    Operator op = OpenvinoLine();
    op.*list = Dims{};
    EXPECT_EQ(OpenvinoAnswer(op), "0, 5");
    EXPECT_EQ(Answer(op, Dialect::kOpenvinoSpec), "A1");
    op.*list = Dims{1, 1};
    EXPECT_EQ(OpenvinoAnswer(op), "A1");
  }
}

TEST(OpenvinoRuntime, OutputPaddingAndPadsEndMayBeNegative) {
  Operator op = OpenvinoLine(2);  // the natural size is 2 * (3 - 1) + 3 = 7
  op.output_padding = Dims{-1};
  EXPECT_EQ(OpenvinoAnswer(op), "0, 6");
  op.output_padding = Dims{-8};
  EXPECT_EQ(OpenvinoAnswer(op), "P16");  // 7 - 8 is negative
  op.output_padding = Dims{-1};
  op.output_shape = ShapeOf({7});
  EXPECT_EQ(OpenvinoAnswer(op), "0, 7");
  op.output_shape = ShapeOf({6});
  op.auto_pad = "same_upper";
  EXPECT_EQ(OpenvinoAnswer(op), "0, 6");  // the total of the pads is 7 - 1 - 6 = 0
  op.output_padding = Dims{0};
  EXPECT_EQ(OpenvinoAnswer(op), "1, 6");  // the total is 1, and same_upper puts it at the beginning
  op = OpenvinoLine();
  op.pads_end = Dims{-3};
  EXPECT_EQ(OpenvinoAnswer(op), "0, 8");  // 5 + 3
  op.pads_begin = Dims{1};
  EXPECT_EQ(OpenvinoAnswer(op), "1, 7");
  op.pads_begin = Dims{-1};  // only pads_end may be negative
  EXPECT_EQ(OpenvinoAnswer(op), "A4");
}

// The formula of the document gives stride * (0 - 1) + 3 instead.
TEST(OpenvinoRuntime, EmptyDataHasTheSizeOfOneElement) {
  for (const std::int64_t stride : {1, 2, 3}) {
    EXPECT_EQ(OpenvinoAnswer(Line(0, 3, stride)), "0, 3");
    EXPECT_EQ(OpenvinoAnswer(Line(1, 3, stride)), "0, 3");
  }
  EXPECT_EQ(Answer(Line(0, 3, 2), Dialect::kOpenvinoSpec), "0, 1");
}

/// The answer of dialect tensorflow. `output` is the required output_shape; `data` is the number of data elements.
/// `auto_pad` is SAME_UPPER, SAME_LOWER or VALID, so no pads are given. The numbers expected below are answers of
/// TensorFlow 2.21, for one, two and three dimensions.
std::string TensorflowAnswer(const char* auto_pad, std::int64_t output, std::int64_t data = 3, std::int64_t kernel = 3,
                             std::int64_t stride = 2, std::int64_t dilation = 1) {
  return Answer(AsConvTransposeWithAutoPad(Line(data, kernel, stride, dilation), auto_pad, output),
                Dialect::kTensorflow);
}

// With SAME the forward convolution gives ceil(output / stride) elements, which must be the data size.
TEST(Tensorflow, SameAcceptsOnlySizesWhoseForwardSizeIsTheData) {
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 4), "P28");
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 5), "1, 5");
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 6), "0, 6");
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 7), "P28");
  // Arguments: auto_pad, output, data, kernel, stride, dilation.
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 9, 3, 1, 3), "0, 9");
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 3, 3, 4, 1), "1, 3");
  EXPECT_EQ(TensorflowAnswer("SAME_UPPER", 7, 4, 3, 2, 3), "3, 7");
  EXPECT_EQ(TensorflowAnswer("SAME_LOWER", 6), "A22");
}

// With VALID the forward convolution gives floor((output - kernel) / stride) + 1 elements, which must be the data size.
TEST(Tensorflow, ValidHasNoPads) {
  EXPECT_EQ(TensorflowAnswer("VALID", 6), "P29");
  EXPECT_EQ(TensorflowAnswer("VALID", 7), "0, 7");
  EXPECT_EQ(TensorflowAnswer("VALID", 8), "0, 8");
  EXPECT_EQ(TensorflowAnswer("VALID", 9), "P29");
  // One data element and kernel 2, with stride 1 and 2. TensorFlow's eager mode computes the second operator although
  // its output ends before the kernel does. XLA refuses it, so it is an open point.
  EXPECT_EQ(TensorflowAnswer("VALID", 1, 1, 2, 1), "P29");
  EXPECT_EQ(TensorflowAnswer("VALID", 1, 1, 2, 2), "0, 1");
}

TEST(Tensorflow, ExplicitPadsAreAsGiven) {
  Operator op = AsConvTranspose(Line(3, 3, 2));
  op.pads_begin = Dims{2};
  op.pads_end = Dims{1};
  for (const auto& [output, answer] : {std::pair{3, "P29"}, {4, "2, 4"}, {5, "2, 5"}, {6, "P29"}}) {
    op.output_shape_attribute = Dims{output};
    EXPECT_EQ(Answer(op, Dialect::kTensorflow), answer);
  }
  op.pads_begin = Dims{-1};
  EXPECT_EQ(Answer(op, Dialect::kTensorflow), "A4");
}

TEST(Tensorflow, KernelShapeIsNotRead) {
  Operator op = AsConvTranspose(Line(3, 3, 2));
  op.output_shape_attribute = Dims{7};
  op.kernel_shape = Dims{9, 9};
  EXPECT_EQ(Answer(op, Dialect::kTensorflow), "0, 7");
  EXPECT_EQ(Answer(op, Dialect::kOnnx22), "A1");
}

TEST(Tensorflow, EmptyDataAcceptsAnyOutputSize) {
  for (const std::int64_t output : {1, 2, 7})
    EXPECT_EQ(TensorflowAnswer("VALID", output, 0), "0, " + std::to_string(output));
}

}  // namespace
}  // namespace oracle
