// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the sizes and pads that the oracle computes from attributes, in the dialects that follow documents. A dialect
// is one reading of the attributes. The expected numbers are the examples that the documents print, and values of
// pads_begin worked out by hand where the documents disagree. Ids such as A12 are clauses, the numbered rules of
// clauses.md. Line(data, kernel, stride) is an operator with one axis and without pads.

#include "oracle/resolve.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/clause.h"
#include "oracle/testing/test_operators.h"

namespace oracle {
namespace {

/// The geometry of the operator. Expects that the dialect accepts it and that its steps cite existing clauses.
Geometry Resolved(const Operator& op, Dialect dialect) {
  const Resolution resolution = Resolve(op, dialect);
  EXPECT_TRUE(resolution.ok()) << Outcome(resolution);
  EXPECT_NE(resolution.geometry.has_value(), resolution.refusal.has_value());
  for (const Step& step : resolution.steps) EXPECT_NE(FindClause(step.clause), nullptr) << step.clause;
  return resolution.geometry.value_or(Geometry{});
}

// The examples of the documents, with the attributes that they write.

TEST(SpecificationExamples, BackpropWithStride2Has447Outputs) {
  Operator op = Plain2d({1, 20, 224, 224}, {20, 10, 3, 3});
  op.strides = Dims{2, 2};
  for (const Dialect dialect : DialectsOf(op.kind)) {
    EXPECT_EQ(Resolved(op, dialect).OutputDims(), (Dims{1, 10, 447, 447}));
  }
  op.auto_pad = "explicit";  // the later documents' Example 1 (clause A12)
  op.output_padding = Dims{0, 0};
  for (const Dialect dialect : DialectsOf(op.kind)) {
    EXPECT_EQ(Resolved(op, dialect).OutputDims(), (Dims{1, 10, 447, 447}));
  }
}

TEST(SpecificationExamples, BackpropWithOutputPaddingHas8Outputs) {
  Operator op = Plain2d({1, 20, 2, 2}, {20, 10, 3, 3});
  op.strides = Dims{3, 3};
  op.pads_begin = op.pads_end = Dims{0, 0};
  op.output_padding = Dims{2, 2};
  op.auto_pad = "explicit";
  for (const Dialect dialect : DialectsOf(op.kind)) {
    EXPECT_EQ(Resolved(op, dialect).OutputDims(), (Dims{1, 10, 8, 8}));
  }
}

TEST(SpecificationExamples, BackpropWithOutputShapeHas450Outputs) {
  Operator op = Plain2d({1, 20, 224, 224}, {20, 10, 3, 3});
  op.output_padding = Dims{0, 0};
  op.auto_pad = "valid";
  op.output_shape = ShapeOf({450, 450});
  const Geometry spec = Resolved(op, Dialect::kOpenvinoSpec);
  const Geometry runtime = Resolved(op, Dialect::kOpenvinoRuntime);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(spec.axes[j].output, 450);
    EXPECT_EQ(spec.axes[j].pads_begin, -112);
    EXPECT_EQ(spec.axes[j].pads_end, -112);
    EXPECT_EQ(runtime.axes[j].output, 450);
    EXPECT_EQ(runtime.axes[j].pads_begin, 0);
    EXPECT_EQ(runtime.axes[j].pads_end, -224);
  }
}

TEST(SpecificationExamples, GroupBackpropHas447OutputsForOneToThreeAxes) {
  for (std::size_t rank = 1; rank <= 3; ++rank) {
    Operator op;
    op.kind = OperatorKind::kGroupConvolutionBackpropData;
    op.data.dims = {1, 20};
    op.filter.dims = {4, 5, 2};
    op.data.dims.insert(op.data.dims.end(), rank, 224);
    op.filter.dims.insert(op.filter.dims.end(), rank, 3);
    op.strides = Dims(rank, 2);
    op.dilations = op.pads_begin = op.pads_end = Dims(rank, 1);
    Dims expected = {1, 8};
    expected.insert(expected.end(), rank, 447);
    for (const Dialect dialect : DialectsOf(op.kind)) {
      const Geometry geometry = Resolved(op, dialect);
      EXPECT_EQ(geometry.OutputDims(), expected);
      EXPECT_EQ(geometry.groups, 4);
      EXPECT_EQ(geometry.in_channels, 5);
      EXPECT_EQ(geometry.out_channels, 2);
    }
  }
}

/// The resolved pads_begin for an output size, worked out by hand from the formulas of each source. The operator has 3
/// data elements, kernel 3, stride 2 (output size 7 without pads) and the attribute pads_begin 1. Each column is named
/// after auto_pad (lower: same_lower; upper: same_upper) and after the dialect (openvino-spec or openvino-runtime).
struct PadsRow {
  std::int64_t output;
  std::int64_t explicit_spec, explicit_runtime, valid_spec, lower_spec, lower_runtime, upper_spec, upper_runtime;
};

// Columns: output, explicit_spec, explicit_runtime, valid_spec, lower_spec, lower_runtime, upper_spec, upper_runtime.
// Example: for the output 4 the total of the pads is 7 - 4 = 3. Its halves are 1 and 2; same_upper begins with the
// larger.
constexpr PadsRow kPadsRows[] = {
    {4, 1, 1, 1, 1, 1, 2, 2}, {5, 1, 1, 1, 1, 1, 1, 1},    {6, 0, 1, 0, 0, 0, 1, 1},
    {7, 0, 1, 0, 0, 0, 0, 0}, {8, -1, 1, -1, -1, 0, 0, 0}, {9, -1, 1, -1, -1, 0, -1, 0},
};

std::int64_t OpenvinoPadsBegin(const char* auto_pad, std::int64_t output, Dialect dialect) {
  Operator op = Line(3, 3, 2);
  op.pads_begin = Dims{1};
  op.auto_pad = auto_pad;
  op.output_shape = ShapeOf({output});
  const Geometry geometry = Resolved(op, dialect);
  EXPECT_EQ(geometry.axes[0].output, output);
  return geometry.axes[0].pads_begin;
}

TEST(OpenvinoDialects, PadsBeginFromOutputShape) {
  for (const PadsRow& row : kPadsRows) {
    SCOPED_TRACE(row.output);
    EXPECT_EQ(OpenvinoPadsBegin("explicit", row.output, Dialect::kOpenvinoSpec), row.explicit_spec);
    EXPECT_EQ(OpenvinoPadsBegin("explicit", row.output, Dialect::kOpenvinoRuntime), row.explicit_runtime);
    EXPECT_EQ(OpenvinoPadsBegin("valid", row.output, Dialect::kOpenvinoSpec), row.valid_spec);
    EXPECT_EQ(OpenvinoPadsBegin("valid", row.output, Dialect::kOpenvinoRuntime), 0);
    EXPECT_EQ(OpenvinoPadsBegin("same_lower", row.output, Dialect::kOpenvinoSpec), row.lower_spec);
    EXPECT_EQ(OpenvinoPadsBegin("same_lower", row.output, Dialect::kOpenvinoRuntime), row.lower_runtime);
    EXPECT_EQ(OpenvinoPadsBegin("same_upper", row.output, Dialect::kOpenvinoSpec), row.upper_spec);
    EXPECT_EQ(OpenvinoPadsBegin("same_upper", row.output, Dialect::kOpenvinoRuntime), row.upper_runtime);
  }
}

TEST(OpenvinoDialects, OutputPaddingEntersTheTotal) {
  Operator op = Line(2, 3, 2);  // output size 5 without pads, 6 with output_padding, so the total of the pads is 3
  op.output_padding = Dims{1};
  op.auto_pad = "same_lower";
  op.output_shape = ShapeOf({3});
  for (const Dialect dialect : DialectsOf(op.kind)) {
    const Geometry geometry = Resolved(op, dialect);
    EXPECT_EQ(geometry.axes[0].pads_begin, 1);
    EXPECT_EQ(geometry.axes[0].pads_end, 2);
  }
  op.auto_pad = "same_upper";
  EXPECT_EQ(Resolved(op, Dialect::kOpenvinoSpec).axes[0].pads_begin, 2);
}

TEST(OpenvinoDialects, AutoPadWithoutOutputShapeHasNoPads) {
  for (const char* auto_pad : {"valid", "same_upper", "same_lower", "SAME_UPPER", "Valid"}) {
    Operator op = Line(3, 3, 2);
    op.pads_begin = op.pads_end = Dims{7};  // ignored, because auto_pad is not explicit
    op.output_padding = Dims{1};
    op.auto_pad = auto_pad;
    for (const Dialect dialect : DialectsOf(op.kind)) {
      const Geometry geometry = Resolved(op, dialect);
      EXPECT_EQ(geometry.axes[0].output, 8);
      EXPECT_EQ(geometry.axes[0].pads_begin, 0);
    }
  }
}

TEST(OpenvinoDialects, AbsentListsHaveDefaults) {
  Operator op = Line(3, 3, 2);
  op.pads_begin = op.pads_end = op.dilations = std::nullopt;
  EXPECT_EQ(Resolved(op, Dialect::kOpenvinoSpec).axes[0].output, 7);
  op.strides = std::nullopt;
  EXPECT_EQ(Resolved(op, Dialect::kOpenvinoSpec).axes[0].output, 5);
}

/// pads_begin in onednn-spec for the operator of PadsRow.
std::int64_t OnednnPadsBegin(const char* auto_pad, std::int64_t output) {
  Operator op = AsBackwardData(Line(3, 3, 2), {1, 1, output});
  op.pads_begin = Dims{1};
  op.auto_pad = auto_pad;
  return Resolved(op, Dialect::kOnednnSpec).axes[0].pads_begin;
}

// The formulas of oneDNN's document give the same numbers as those of OpenVINO's for same_lower and same_upper.
TEST(OnednnSpec, PadsBeginFromDstShape) {
  for (const PadsRow& row : kPadsRows) {
    SCOPED_TRACE(row.output);
    EXPECT_EQ(OnednnPadsBegin("none", row.output), 1);
    EXPECT_EQ(OnednnPadsBegin("None", row.output), 1);
    EXPECT_EQ(OnednnPadsBegin("valid", row.output), 0);
    EXPECT_EQ(OnednnPadsBegin("SAME_LOWER", row.output), row.lower_spec);
    EXPECT_EQ(OnednnPadsBegin("same_upper", row.output), row.upper_spec);
  }
}

TEST(OnednnSpec, DefaultsAreNxcXioOneGroup) {
  Operator op;
  op.kind = OperatorKind::kConvolutionBackwardData;
  op.data.dims = {2, 5, 6, 4};    // N, H, W, C
  op.filter.dims = {3, 2, 7, 4};  // H, W, I, O
  op.strides = op.dilations = Dims{1, 1};
  op.pads_begin = op.pads_end = Dims{0, 0};
  op.dst_shape = Dims{2, 7, 7, 7};
  const Geometry geometry = Resolved(op, Dialect::kOnednnSpec);
  EXPECT_EQ(geometry.layout, DataLayout::kNxc);
  EXPECT_EQ(geometry.filter_layout, FilterLayout::kXoi);
  EXPECT_EQ(geometry.groups, 1);
  EXPECT_EQ(geometry.in_channels, 4);
  EXPECT_EQ(geometry.out_channels, 7);
  EXPECT_EQ(geometry.axes[0].data, 5);
  EXPECT_EQ(geometry.axes[1].kernel, 2);
  EXPECT_EQ(geometry.OutputDims(), (Dims{2, 7, 7, 7}));
  op.data_format = "NXC";
  op.weights_format = "XIO";
  op.groups = 1;
  EXPECT_EQ(Resolved(op, Dialect::kOnednnSpec), geometry);
}

TEST(OnednnSpec, ShapeInputGoesBeforeTheAttribute) {
  Operator op = AsBackwardData(Line(3, 3, 2), {1, 1, 7});
  op.output_shape = ShapeOf({1, 1, 6}, ElementType::kI32);
  EXPECT_EQ(Resolved(op, Dialect::kOnednnSpec).axes[0].output, 6);
  op.dst_shape = std::nullopt;
  EXPECT_EQ(Resolved(op, Dialect::kOnednnSpec).axes[0].output, 6);
}

TEST(OnednnSpec, GroupsDivideTheFilterOfIox) {
  Operator op = AsBackwardData(Line(3, 3, 2), {1, 8, 7});
  op.data.dims = {1, 6, 3};
  op.filter.dims = {6, 4, 3};  // O: 6 channels of data in all groups, I: 4 channels of the output per group, kernel 3
  op.groups = 2;
  const Geometry geometry = Resolved(op, Dialect::kOnednnSpec);
  EXPECT_EQ(geometry.in_channels, 3);
  EXPECT_EQ(geometry.out_channels, 4);
  EXPECT_EQ(geometry.OutputDims(), (Dims{1, 8, 7}));
}

/// ConvTranspose with 3 data elements, kernel 3 and stride 2. In onnx-11, pads_begin is total/2 for SAME_UPPER and
/// total - total/2 otherwise.
Geometry OnnxGeometry(const char* auto_pad, std::optional<std::int64_t> output, std::int64_t output_padding = 0,
                      Dialect dialect = Dialect::kOnnx11) {
  Operator op = AsConvTransposeWithAutoPad(Line(3, 3, 2), auto_pad, output);
  op.output_padding = Dims{output_padding};
  return Resolved(op, dialect);
}

TEST(Onnx11, OutputShapeSplitsTheTotal) {
  // The total of the pads is 3, 2, 1, 0, -1 and -2 for the output sizes 4 to 9.
  const std::vector<std::int64_t> upper = {1, 1, 0, 0, -1, -1};
  const std::vector<std::int64_t> others = {2, 1, 1, 0, 0, -1};
  for (std::size_t n = 0; n < upper.size(); ++n) {
    const auto output = static_cast<std::int64_t>(n) + 4;
    EXPECT_EQ(OnnxGeometry("SAME_UPPER", output).axes[0].pads_begin, upper[n]) << output;
    for (const char* mode : {"SAME_LOWER", "VALID", "NOTSET"}) {
      EXPECT_EQ(OnnxGeometry(mode, output).axes[0].pads_begin, others[n]) << output << mode;
    }
  }
}

TEST(Onnx11, SameWithoutOutputShapeIsDataTimesStride) {
  EXPECT_EQ(OnnxGeometry("SAME_UPPER", std::nullopt).axes[0].output, 6);
  EXPECT_EQ(OnnxGeometry("SAME_UPPER", std::nullopt).axes[0].pads_begin, 0);
  EXPECT_EQ(OnnxGeometry("SAME_LOWER", std::nullopt).axes[0].pads_begin, 1);
  EXPECT_EQ(OnnxGeometry("SAME_UPPER", std::nullopt, 1).axes[0].output, 6);
  EXPECT_EQ(OnnxGeometry("SAME_UPPER", std::nullopt, 1).axes[0].pads_begin, 1);
  EXPECT_EQ(OnnxGeometry("VALID", std::nullopt, 1).axes[0].output, 8);
}

TEST(Onnx11, PadsAreIgnoredBesideOutputShape) {
  Operator op = AsConvTranspose(Line(3, 3, 2));
  op.pads_begin = Dims{5};
  op.output_shape_attribute = Dims{6};
  EXPECT_EQ(Resolved(op, Dialect::kOnnx11).axes[0].pads_begin, 1);
}

TEST(Onnx1, OutputShapeSplitsTheTotalTheOtherWay) {
  // The total of the pads is 3, 2, 1, 0, -1 and -2 for the output sizes 4 to 9.
  const std::vector<std::int64_t> upper = {2, 1, 1, 0, 0, -1};
  const std::vector<std::int64_t> others = {1, 1, 0, 0, -1, -1};
  for (std::size_t n = 0; n < upper.size(); ++n) {
    const auto output = static_cast<std::int64_t>(n) + 4;
    EXPECT_EQ(OnnxGeometry("SAME_UPPER", output, 0, Dialect::kOnnx1).axes[0].pads_begin, upper[n]) << output;
    for (const char* mode : {"SAME_LOWER", "VALID", "NOTSET"}) {
      EXPECT_EQ(OnnxGeometry(mode, output, 0, Dialect::kOnnx1).axes[0].pads_begin, others[n]) << output << mode;
    }
  }
  EXPECT_EQ(OnnxGeometry("VALID", std::nullopt, 1, Dialect::kOnnx1).axes[0].output, 8);
  EXPECT_EQ(OnnxGeometry("NOTSET", std::nullopt, 3, Dialect::kOnnx1).axes[0].output, 10);
}

}  // namespace
}  // namespace oracle
