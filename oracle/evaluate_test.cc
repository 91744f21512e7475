// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the output values of transposed convolutions in five dialects (readings of the attributes). The expected values
// were worked out by hand or are those of ONNX Runtime. Both loops of the oracle, gather and scatter, must give them.
// One test is about the numbers that an error bound needs (FloatSum).
// Ids such as S8 are clauses, the numbered rules of clauses.md.
//
// Line(data, kernel, stride, dilation = 1) is an operator with one batch, one channel and one axis, without pads.
// Example: data 1, 10, 100 and filter 1, 2, 3 with stride 2. Data element i adds its products at output 2 * i, so the
// outputs are 1, 2, 3 + 10, 20, 30 + 100, 200, 300. The decimal digits show which products an output contains. The
// number of outputs without pads is the natural size: stride * (data - 1) + dilation * (kernel - 1) + 1.

#include "oracle/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/float_bits.h"
#include "oracle/testing/test_operators.h"

namespace oracle {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Floats = std::vector<float>;

/// The f32 outputs of an operator. Fails the test if gather and scatter disagree. An output without products is +0.0.
Floats Evaluate(const Operator& op, Dialect dialect, const Floats& data, const Floats& filter) {
  const Resolution resolution = Resolve(op, dialect);
  EXPECT_TRUE(resolution.ok()) << Outcome(resolution);
  if (!resolution.ok()) return {};
  const Operands operands(*resolution.geometry, Bytes(data), Bytes(filter));
  const std::int64_t count = resolution.geometry->OutputCount();
  std::vector<FloatSum> gathered(static_cast<std::size_t>(count));
  std::vector<FloatSum> scattered = gathered;
  Gather(operands, {.begin = 0, .count = count}, gathered);
  Scatter(operands, {.begin = 0, .count = count}, scattered);
  Floats values;
  for (std::size_t n = 0; n < gathered.size(); ++n) {
    EXPECT_EQ(gathered[n].bits, scattered[n].bits) << n;
    EXPECT_EQ(gathered[n].taps, scattered[n].taps) << n;
    if (gathered[n].taps == 0) {
      EXPECT_EQ(gathered[n].bits, 0U);  // clause V3
    }
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(gathered[n].bits)));
  }
  return values;
}

const Floats kData = {1, 10, 100};
const Floats kFilter = {1, 2, 3};

TEST(Openvino, OutputWithoutPadsHasTheNaturalSize) {
  EXPECT_EQ(Evaluate(Line(3, 3, 2), Dialect::kOpenvinoSpec, kData, kFilter), (Floats{1, 2, 13, 20, 130, 200, 300}));
  EXPECT_EQ(Evaluate(Line(3, 1, 3), Dialect::kOpenvinoSpec, kData, {7}), (Floats{7, 0, 0, 70, 0, 0, 700}));
  EXPECT_EQ(Evaluate(Line(2, 2, 1, 3), Dialect::kOpenvinoSpec, {1, 10}, {2, 5}), (Floats{2, 20, 0, 5, 50}));
}

// The output has 7 - 2 + 5 = 10 elements. pads_end crops no sum here, because output_padding is larger.
TEST(Openvino, OutputPaddingKeepsCroppedSumsThenAddsZeros) {
  Operator op = Line(3, 3, 2);
  op.pads_end = Dims{2};
  op.output_padding = Dims{5};
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, kData, kFilter), (Floats{1, 2, 13, 20, 130, 200, 300, 0, 0, 0}));
}

// The natural size is 1 * (4 - 1) + 3 = 6. The document splits the 3 outputs more between both ends (pads_begin is
// floor(-3 / 2) = -2), and the library adds them at the end.
TEST(Openvino, OutputMayBeLargerThanTheNaturalSize) {
  const Floats data = {1, 10, 100, 1000};
  Operator op = Line(4, 3, 1);
  op.auto_pad = "valid";
  op.output_shape = ShapeOf({9});
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, data, kFilter), (Floats{0, 0, 1, 12, 123, 1230, 2300, 3000, 0}));
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoRuntime, data, kFilter), (Floats{1, 12, 123, 1230, 2300, 3000, 0, 0, 0}));
  op.auto_pad = "explicit";
  op.pads_begin = op.pads_end = Dims{1};
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoRuntime, data, kFilter), (Floats{12, 123, 1230, 2300, 3000, 0, 0, 0, 0}));
}

// The natural sums are 1, 12, 23, 34, 45, 50. pads_begin removes the first three.
TEST(Openvino, PadsMayBeDeeperThanTheKernel) {
  Operator op = Line(5, 2, 1);
  op.pads_begin = Dims{3};
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, {1, 2, 3, 4, 5}, {1, 10}), (Floats{34, 45, 50}));
}

TEST(Openvino, EmptyTensorsGiveZerosOrNoOutputs) {  // clause S8
  EXPECT_EQ(Evaluate(Line(0, 3, 1), Dialect::kOpenvinoSpec, {}, {1, 2, kNan}), (Floats{0, 0}));
  Operator op = Line(2, 2, 1);
  op.data.dims[1] = op.filter.dims[0] = 0;
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, {}, {}), (Floats{0, 0, 0}));
  op = Line(2, 2, 1);
  op.data.dims[0] = 0;
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, {}, {1, 2}), Floats{});
}

TEST(Openvino, EachAxisHasItsOwnAttributes) {
  // 2 rows of 2 data elements; kernel 1 x 2, strides 1 and 3, dilations 1 and 2. Each row of outputs sums one row of
  // data.
  Operator op;
  op.data.dims = {1, 1, 2, 2};
  op.filter.dims = {1, 1, 1, 2};
  op.strides = Dims{1, 3};
  op.dilations = Dims{1, 2};
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, {1, 2, 3, 4}, {10, 100}),
            (Floats{10, 0, 100, 20, 0, 200, 30, 0, 300, 40, 0, 400}));
}

TEST(Openvino, EachGroupHasItsOwnFilter) {
  // Two groups, each with 2 input and 2 output channels; one position and a kernel of 1. So the filter is one 2 x 2
  // matrix per group: [group, in, out].
  Operator op;
  op.kind = OperatorKind::kGroupConvolutionBackpropData;
  op.data.dims = {1, 4, 1};
  op.filter.dims = {2, 2, 2, 1};
  EXPECT_EQ(Evaluate(op, Dialect::kOpenvinoSpec, {1, 10, 100, 1000}, {1, 2, 3, 4, 5, 6, 7, 8}),
            (Floats{1 + 30, 2 + 40, 500 + 7000, 600 + 8000}));
}

// A filter element of infinity or NaN changes only the outputs that have a product of it (clauses V2 and V5). A zero
// that an implementation inserts for a stride or a pad would turn other outputs into NaN.
TEST(Openvino, SpecialsStayOnTheirTaps) {
  const auto equal = [](const Floats& actual, const Floats& expected) {
    return std::ranges::equal(actual, expected,
                              [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
  };
  EXPECT_TRUE(
      equal(Evaluate(Line(3, 3, 2), Dialect::kOpenvinoSpec, kData, {1, kInf, 3}), {1, kInf, 13, kInf, 130, kInf, 300}));
  EXPECT_TRUE(equal(Evaluate(Line(3, 2, 3), Dialect::kOpenvinoSpec, {1, 0, -1}, {1, kInf}),
                    {1, kInf, 0, 0, kNan, 0, -1, -kInf}));
  EXPECT_TRUE(equal(Evaluate(Line(2, 2, 1), Dialect::kOpenvinoSpec, {kInf, -kInf}, {1, 1}), {kInf, kNan, -kInf}));
  EXPECT_FALSE(equal({1}, {2}));
  EXPECT_FALSE(equal({kNan}, {0}));
  EXPECT_FALSE(equal({1}, {1, 1}));
}

// ConvTranspose with 3 data elements, kernel 3 and stride 2. The expected outputs below are those of ONNX Runtime 1.30.

/// That operator without the attribute pads. `auto_pad` may be null: it is absent then.
Operator OnnxOperator(const char* auto_pad) {
  Operator op = AsConvTranspose(Line(3, 3, 2));
  op.pads_begin = op.pads_end = std::nullopt;
  if (auto_pad != nullptr) op.auto_pad = auto_pad;
  return op;
}

// SAME crops the 7 outputs to 3 * 2 = 6.
TEST(Onnx, SameWithoutOutputShapeCropsOneEnd) {
  const auto values = [](const Operator& op) { return Evaluate(op, Dialect::kOnnx11, kData, kFilter); };
  EXPECT_EQ(values(OnnxOperator(nullptr)), (Floats{1, 2, 13, 20, 130, 200, 300}));
  EXPECT_EQ(values(OnnxOperator("SAME_UPPER")), (Floats{1, 2, 13, 20, 130, 200}));
  EXPECT_EQ(values(OnnxOperator("SAME_LOWER")), (Floats{2, 13, 20, 130, 200, 300}));
  for (const char* same : {"SAME_UPPER", "SAME_LOWER"}) {
    Operator op = OnnxOperator(same);
    op.output_padding = Dims{1};
    EXPECT_EQ(values(op), (Floats{2, 13, 20, 130, 200, 300}));
  }
}

TEST(Onnx, OutputShapeCropsOrExtendsOneEnd) {
  const auto values = [](const char* auto_pad, std::int64_t size) {
    Operator op = OnnxOperator(auto_pad);
    op.output_shape_attribute = Dims{size};
    return Evaluate(op, Dialect::kOnnx11, kData, kFilter);
  };
  EXPECT_EQ(values("SAME_UPPER", 6), (Floats{1, 2, 13, 20, 130, 200}));
  for (const char* other : {"SAME_LOWER", "VALID", "NOTSET"}) {
    EXPECT_EQ(values(other, 6), (Floats{2, 13, 20, 130, 200, 300})) << other;
    EXPECT_EQ(values(other, 8), (Floats{1, 2, 13, 20, 130, 200, 300, 0})) << other;
  }
}

TEST(Onednn, FormatsArePermutationsOfOneAnother) {
  // Batch 1, 2 input and 3 output channels, and one axis with data 2, kernel 2 and stride 1.
  Operator op;
  op.kind = OperatorKind::kConvolutionBackwardData;
  op.data.dims = {1, 2, 2};
  op.filter.dims = {2, 3, 2};
  op.strides = op.dilations = Dims{1};
  op.pads_begin = op.pads_end = Dims{0};
  op.data_format = "NCX";
  op.weights_format = "OIX";
  op.dst_shape = Dims{1, 3, 3};
  const Floats ncx = {1, 2, 3, 4};                                // channel 0: 1 2, channel 1: 3 4
  const Floats oix = {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60};  // [in][out][k]
  const Floats out = {31, 104, 84, 93, 250, 168, 155, 396, 252};  // [channel][position], worked out by hand
  EXPECT_EQ(Evaluate(op, Dialect::kOnednnSpec, ncx, oix), out);

  op.data_format = std::nullopt;     // NXC
  op.weights_format = std::nullopt;  // XIO
  op.data.dims = {1, 2, 2};
  op.filter.dims = {2, 3, 2};
  const Floats nxc = {1, 3, 2, 4};
  const Floats xio = {1, 10, 3, 30, 5, 50, 2, 20, 4, 40, 6, 60};  // [k][out][in]
  EXPECT_EQ(Evaluate(op, Dialect::kOnednnSpec, nxc, xio), (Floats{31, 93, 155, 104, 250, 396, 84, 168, 252}));
}

TEST(FloatSums, HaveTheFieldsOfASumByHand) {
  const Resolution resolution = Resolve(Line(2, 2, 1), Dialect::kOpenvinoSpec);
  ASSERT_TRUE(resolution.ok());
  const Operands operands(*resolution.geometry, Bytes(Floats{1, -3}), Bytes(Floats{0.5F, 4}));
  std::vector<FloatSum> sums(1);
  Gather(operands, {.begin = 1, .count = 1}, sums);  // 1 * 4 - 3 * 0.5
  EXPECT_EQ(sums[0].taps, 2);
  EXPECT_EQ(sums[0].sum, 2.5);
  EXPECT_EQ(sums[0].sum_rest, 0);
  EXPECT_EQ(sums[0].magnitude, 5.5);
  EXPECT_EQ(sums[0].quantum, 0.5);
  EXPECT_EQ(sums[0].subnormal, 0);
  EXPECT_EQ(sums[0].bits, std::bit_cast<std::uint32_t>(2.5F));
}

/// The outputs of ConvTranspose in the dialect onnxruntime. The test expects what ONNX Runtime 1.30 gave on a CPU.
Floats OnnxruntimeOutputs(const char* auto_pad, std::optional<std::int64_t> output, std::int64_t output_padding = 0) {
  Operator op = AsConvTransposeWithAutoPad(Line(3, 3, 2), auto_pad, output);
  op.output_padding = Dims{output_padding};
  return Evaluate(op, Dialect::kOnnxruntime, kData, kFilter);
}

TEST(Onnxruntime, OutputsAreThoseOfTheLibrary) {
  EXPECT_EQ(OnnxruntimeOutputs("NOTSET", std::nullopt), (Floats{1, 2, 13, 20, 130, 200, 300}));
  EXPECT_EQ(OnnxruntimeOutputs("SAME_UPPER", std::nullopt), (Floats{1, 2, 13, 20, 130, 200}));
  EXPECT_EQ(OnnxruntimeOutputs("SAME_LOWER", std::nullopt), (Floats{2, 13, 20, 130, 200, 300}));
  EXPECT_EQ(OnnxruntimeOutputs("SAME_UPPER", 6), (Floats{1, 2, 13, 20, 130, 200}));
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER"}) {
    EXPECT_EQ(OnnxruntimeOutputs(mode, std::nullopt, 1), (Floats{2, 13, 20, 130, 200, 300}));
  }
  for (const char* mode : {"SAME_LOWER", "VALID", "NOTSET"}) {
    EXPECT_EQ(OnnxruntimeOutputs(mode, 6), (Floats{2, 13, 20, 130, 200, 300})) << mode;
  }
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"}) {
    EXPECT_EQ(OnnxruntimeOutputs(mode, 8), (Floats{1, 2, 13, 20, 130, 200, 300, 0})) << mode;
  }
  const Operator op = AsConvTransposeWithAutoPad(Line(3, 1, 3), "SAME_LOWER");
  EXPECT_EQ(Evaluate(op, Dialect::kOnnxruntime, kData, {7}), (Floats{7, 0, 0, 70, 0, 0, 700}));
}

}  // namespace
}  // namespace oracle
