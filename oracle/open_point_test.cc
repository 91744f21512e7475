// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the open points of open_point.h. An open point is a property of an operator, such as a batch of 0. A backend
// (the library under test) may refuse such an operator or compute it. A row of the table holds a plain operator that a
// backend must compute, and one change. The change makes it open in some dialects (readings of the attributes). Every
// open point has a row.

#include "oracle/open_point.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/resolve.h"
#include "oracle/testing/refusal_pairs.h"

namespace oracle {
namespace {

using enum Dialect;

/// An operator that a backend must compute, and a change that makes it open in some dialects.
struct OpenRow {
  std::string point;  ///< the phrase of kOpenPoints
  Operator plain;
  Change change;
  std::vector<Dialect> open;      ///< dialects that leave the changed operator open
  std::vector<Dialect> required;  ///< dialects that require a computation of it
  std::vector<Dialect> refused;   ///< dialects that refuse it; dialects in none of the three lists are not tested
  Dims output = {};               ///< output shape of the changed operator in the open dialects
};

const std::vector<Dialect> kOpenvino = {kOpenvinoSpec, kOpenvinoRuntime};
const std::vector<Dialect> kOnnx = {kOnnx1, kOnnx11, kOnnx22};

/// Onednn() whose dst_shape, the output shape, is an input instead of an attribute. It has the type that the document
/// names (s32).
Operator OnednnWithInput() {
  Operator op = Onednn();
  op.output_shape = ShapeOf(*op.dst_shape, ElementType::kI32);
  op.dst_shape = std::nullopt;
  return op;
}

/// An operator whose data are empty: the batch is 0. The data have one channel and two axes of `size` elements.
Operator EmptyBatch(std::int64_t size) { return Plain2d({0, 1, size, size}, {1, 1, 3, 3}); }

// Columns of the rows below: point, plain, change, open, required, refused, output (OpenRow).
// Plain operators (refusal_pairs.h, test_operators.h):
//   - Backprop() of OpenVINO has data {2,6,4,5}, kernel 3x2, strides 2 and 1, and output {2,4,8,6}.
//   - Shaped(dims) is Backprop() with an output_shape.
//   - Onednn() and Onnx() are Backprop() in their dialects with two groups, so with 8 output channels.
//   - Line(x, k, s) has one batch, one channel and one axis: x data elements, kernel k, stride s and no pads.
//   - After(op, changes) is `op` after the changes.

std::vector<OpenRow> TypeAndShapeRows() {
  return {
      {"bf16 data of ConvTranspose",
       Onnx(),
       WithTypes(ElementType::kBf16),
       {kOnnx1, kOnnx11, kOnnxruntime},
       {kOnnx22},
       {},
       {2, 8, 8, 6}},
      {"i32 data of TensorFlow",
       After(Onnx(), {With(&Operator::output_shape_attribute, Dims{8, 6})}),
       WithTypes(ElementType::kI32),
       {kTensorflow},
       {},
       kOnnx,
       {2, 8, 8, 6}},
      {"a dst_shape input of another type than s32",
       OnednnWithInput(),
       [](Operator& op) { op.output_shape->type = ElementType::kI64; },
       {kOnednnSpec},
       {},
       {},
       {2, 8, 8, 6}},
      {"a batch of 0", Backprop(), WithDataDim(0, 0), kOpenvino, {}, {}, {0, 4, 8, 6}},
      {"0 input channels",
       Backprop(),
       [](Operator& op) { op.data.dims[1] = op.filter.dims[0] = 0; },
       kOpenvino,
       {},
       {},
       {2, 4, 8, 6}},
      {"0 output channels", Backprop(), WithFilterDim(1, 0), kOpenvino, {}, {}, {2, 0, 8, 6}},
      {"a filter without elements in oneDNN's library",
       AsBackwardData(Line(3, 3, 2), {1, 1, 7}),
       [](Operator& op) {
         op.filter.dims[1] = 0;
         op.dst_shape = Dims{1, 0, 7};
       },
       {kOnednnRuntime},
       {},
       {},
       {1, 0, 7}},
      {"0 data elements along an axis", Line(3, 5, 2), WithDataDim(2, 0), {kOpenvinoSpec}, {}, {}, {1, 1, 3}},
      {"an output_shape of ONNX Runtime with batch and channels",
       After(AsConvTranspose(Line(3, 3, 2)), {With(&Operator::output_shape_attribute, Dims{7})}),
       With(&Operator::output_shape_attribute, Dims{1, 1, 7}),
       {kOnnxruntime},
       {},
       {kOnnx1, kOnnx11, kOnnx22, kTensorflow},
       {1, 1, 7}},
      {"a size of 0 in output_shape", Shaped({8, 6}), WithShapeValues({8, 0}), kOpenvino, {}, {}, {2, 4, 8, 0}},
      {"a size of 0 in a dst_shape attribute that the input overrules",
       After(OnednnWithInput(), {With(&Operator::dst_shape, Dims{2, 8, 8, 6})}),
       With(&Operator::dst_shape, Dims{2, 8, 0, 6}),
       {kOnednnSpec},
       {},
       {},
       {2, 8, 8, 6}},
  };
}

std::vector<OpenRow> AttributeRows() {
  const auto absent = std::nullopt;
  const Operator same_upper = After(Backprop(), {With(&Operator::auto_pad, "same_upper")});
  return {
      {"an output_padding of at least the stride",
       Onnx(),
       With(&Operator::output_padding, Dims{2, 0}),
       kOnnx,
       {},
       {kOnnxruntime},
       {2, 8, 10, 6}},
      {"absent strides",
       Backprop(),
       With(&Operator::strides, absent),
       {kOpenvinoSpec},
       {kOpenvinoRuntime},
       {},
       {2, 4, 5, 6}},
      {"absent dilations",
       Backprop(),
       With(&Operator::dilations, absent),
       {kOpenvinoSpec},
       {kOpenvinoRuntime},
       {},
       {2, 4, 8, 5}},
      {"absent pads that nothing calculates",
       Backprop(),
       WithoutPads(),
       {kOpenvinoSpec},
       {kOpenvinoRuntime},
       {},
       {2, 4, 9, 7}},
      {"auto_pad of OpenVINO in upper or mixed case",
       same_upper,
       With(&Operator::auto_pad, "Same_Upper"),
       {kOpenvinoSpec},
       {kOpenvinoRuntime},
       {},
       {2, 4, 9, 7}},
      {"auto_pad none of OpenVINO",
       Backprop(),
       With(&Operator::auto_pad, "none"),
       {kOpenvinoSpec},
       {},
       {kOpenvinoRuntime},
       {2, 4, 8, 6}},
      {"auto_pad of oneDNN in upper or mixed case",
       Onednn(),
       With(&Operator::auto_pad, "NONE"),
       {kOnednnSpec},
       {},
       {kOnednnRuntime},
       {2, 8, 8, 6}},
      {"absent strides of ConvolutionBackwardData",
       After(Onednn(), {With(&Operator::strides, Dims{1, 1}), With(&Operator::dst_shape, Dims{2, 8, 5, 6})}),
       With(&Operator::strides, absent),
       {kOnednnSpec},
       {},
       {kOnednnRuntime},
       {2, 8, 5, 6}},
      {"absent dilations of ConvolutionBackwardData",
       After(Onednn(), {With(&Operator::dilations, Dims{1, 1}), With(&Operator::dst_shape, Dims{2, 8, 8, 5})}),
       With(&Operator::dilations, absent),
       {kOnednnSpec},
       {},
       {kOnednnRuntime},
       {2, 8, 8, 5}},
      {"absent pads of ConvolutionBackwardData",
       After(Onednn(), {WithPads({0, 0}), With(&Operator::dst_shape, Dims{2, 8, 9, 7})}),
       WithoutPads(),
       {kOnednnSpec},
       {},
       {kOnednnRuntime},
       {2, 8, 9, 7}},
      {"negative pads that are ignored",
       same_upper,
       With(&Operator::pads_begin, Dims{-1, 0}),
       kOpenvino,
       {},
       {},
       {2, 4, 9, 7}},
  };
}

std::vector<OpenRow> SizeRows() {
  return {
      {"a dst_shape that contradicts the given pads",
       Onednn(),
       With(&Operator::dst_shape, Dims{2, 8, 10, 6}),
       {kOnednnSpec},
       {},
       {kOnednnRuntime},
       {2, 8, 10, 6}},
      {"a dst_shape that contradicts pads of 0",
       After(Onednn(), {With(&Operator::auto_pad, "valid"), With(&Operator::dst_shape, Dims{2, 8, 9, 7})}),
       With(&Operator::dst_shape, Dims{2, 8, 8, 7}),
       {kOnednnSpec},
       {},
       {},
       {2, 8, 8, 7}},
      {"a calculated output size of 0",
       After(Line(3, 3, 1), {WithPads({2})}),
       With(&Operator::pads_end, Dims{3}),
       kOpenvino,
       {},
       {},
       {1, 1, 0}},
      {"an output of TensorFlow that ends before a kernel on one data element does",
       AsConvTransposeWithAutoPad(Line(1, 3, 2), "VALID", 3),
       With(&Operator::output_shape_attribute, Dims{2}),
       {kTensorflow},
       {},
       {},
       {1, 1, 2}},
      {"an empty tensor with sizes whose product exceeds 63 bits",
       Backprop(),
       [](Operator& op) { op = EmptyBatch(std::int64_t{1} << 32); },
       kOpenvino,
       {},
       {},
       {0, 1, std::int64_t{1} << 32, std::int64_t{1} << 32}},
  };
}

std::vector<OpenRow> Rows() {
  std::vector<OpenRow> rows = TypeAndShapeRows();
  for (const auto& more : {AttributeRows(), SizeRows()}) rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

bool HasPoint(const Resolution& resolution, std::string_view point) {
  return std::ranges::find(resolution.open, point, &OpenPoint::point) != resolution.open.end();
}

TEST(OpenPoints, OneChangeOpensAnOperator) {
  for (const OpenRow& row : Rows()) {
    const Operator changed = After(row.plain, {row.change});
    for (const Dialect dialect : row.open) {
      SCOPED_TRACE(row.point + " " + std::string(DialectName(dialect)));
      const Resolution before = Resolve(row.plain, dialect);
      EXPECT_EQ(before.required_answer(), RequiredAnswer::kComputed) << Outcome(before);
      const Resolution resolution = Resolve(changed, dialect);
      ASSERT_EQ(resolution.required_answer(), RequiredAnswer::kOpen) << Outcome(resolution);
      EXPECT_TRUE(HasPoint(resolution, row.point)) << resolution.open.front().point;
      EXPECT_EQ(resolution.geometry->OutputDims(), row.output);
    }
  }
}

TEST(OpenPoints, OtherDialectsRequireOrRefuse) {
  for (const OpenRow& row : Rows()) {
    const Operator changed = After(row.plain, {row.change});
    for (const Dialect dialect : row.required) {
      SCOPED_TRACE(row.point + " " + std::string(DialectName(dialect)));
      EXPECT_EQ(Resolve(changed, dialect).required_answer(), RequiredAnswer::kComputed);
    }
    for (const Dialect dialect : row.refused) {
      SCOPED_TRACE(row.point + " " + std::string(DialectName(dialect)));
      const Resolution resolution = Resolve(changed, dialect);
      EXPECT_EQ(resolution.required_answer(), RequiredAnswer::kRefused);
      EXPECT_TRUE(resolution.open.empty());
    }
  }
}

TEST(OpenPoints, EveryRegisteredPointHasARow) {
  std::set<std::string_view> registered;
  for (const OpenPointName& name : kOpenPoints) EXPECT_TRUE(registered.insert(name.phrase).second) << name.phrase;
  // These four points make an operator undefined: every answer is right. AnUndefinedOperatorNamesItsPoint tests them.
  std::set<std::string_view> shown = {"data without spatial axes", "a kernel of size 0 in TensorFlow",
                                      "pads_begin of OpenVINO's library beyond 63 bits",
                                      "same_upper and same_lower of ConvTranspose-1 without an output shape"};
  const std::vector<OpenRow> rows = Rows();
  for (const OpenRow& row : rows) shown.insert(row.point);
  EXPECT_EQ(shown, registered);
}

// An undefined operator is refused with an open point; every answer of a backend is right.
TEST(OpenPoints, AnUndefinedOperatorNamesItsPoint) {
  Operator rank_2 = Onnx();
  rank_2.data.dims = {2, 6};
  rank_2.filter.dims = {6, 4};
  rank_2.groups = 1;
  for (const Dialect dialect : kOnnx) {
    const Resolution resolution = Resolve(rank_2, dialect);
    EXPECT_EQ(resolution.required_answer(), RequiredAnswer::kUndefined);
    EXPECT_TRUE(HasPoint(resolution, "data without spatial axes"));
  }
  EXPECT_EQ(Resolve(rank_2, kOnnxruntime).required_answer(), RequiredAnswer::kRefused);
  const Resolution kernel = Resolve(After(Onnx(), {WithFilterDim(2, 0)}), kTensorflow);
  EXPECT_EQ(kernel.required_answer(), RequiredAnswer::kUndefined);
  EXPECT_TRUE(HasPoint(kernel, "a kernel of size 0 in TensorFlow"));
  Operator far = After(Line(3, 3, 1), {With(&Operator::output_shape, ShapeOf({3}))});
  far.pads_begin = Dims{std::numeric_limits<std::int64_t>::max() - 1};
  EXPECT_EQ(Resolve(far, kOpenvinoRuntime).required_answer(), RequiredAnswer::kUndefined);
  EXPECT_TRUE(HasPoint(Resolve(far, kOpenvinoRuntime), "pads_begin of OpenVINO's library beyond 63 bits"));
  const Resolution same_upper = Resolve(OnnxAuto("SAME_UPPER"), kOnnx1);
  EXPECT_EQ(same_upper.required_answer(), RequiredAnswer::kUndefined);
  EXPECT_TRUE(HasPoint(same_upper, "same_upper and same_lower of ConvTranspose-1 without an output shape"));
}

// A batch of 0 is open, but a stride of 0 is forbidden.
TEST(OpenPoints, ARefusalClosesThem) {
  Operator op = Backprop();
  op.data.dims[0] = 0;
  op.strides = Dims{0, 1};
  const Resolution resolution = Resolve(op, kOpenvinoSpec);
  EXPECT_EQ(resolution.required_answer(), RequiredAnswer::kRefused);
  EXPECT_TRUE(resolution.open.empty());
}

TEST(OpenPoints, ADstShapeLargerByLessThanTheStrideIsAllowed) {
  // The first axis has data 4, kernel 3 and stride 2, so the output without pads has 2 * (4 - 1) + 3 = 9 elements. A
  // forward convolution gives the data size of 4 for the output sizes 9 and 10.
  Operator op = After(Onednn(), {With(&Operator::auto_pad, "valid"), With(&Operator::dst_shape, Dims{2, 8, 10, 7})});
  EXPECT_EQ(Resolve(op, kOnednnSpec).required_answer(), RequiredAnswer::kComputed);
  op.dst_shape = Dims{2, 8, 11, 7};
  EXPECT_EQ(Resolve(op, kOnednnSpec).required_answer(), RequiredAnswer::kOpen);
  op.output_padding = Dims{2, 0};  // with it, the formula of the output size gives 11
  EXPECT_EQ(Resolve(op, kOnednnSpec).required_answer(), RequiredAnswer::kComputed);
}

}  // namespace
}  // namespace oracle
