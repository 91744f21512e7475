// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists operators that the documents forbid, for refusal_test.cc. Each is one change of a valid operator. The clause is
// the numbered rule of oracle/clauses.md by which the oracle must refuse it.
//
// Valid operators (refusal_pairs.h, test_operators.h):
// - Group() is a GroupConvolutionBackpropData with data {2,6,4,5}, two groups, kernel 3x2 and strides 2 and 1.
// - Backprop() is the same as ConvolutionBackpropData; Shaped(dims) also has an output_shape.
// - Onednn() and Onnx() are Backprop() as ConvolutionBackwardData and ConvTranspose, with two groups.
// - Line(x, k, s) has one batch, one channel and one axis: x data elements, kernel k, stride s and no pads.

#include <cstdint>
#include <optional>

#include "oracle/testing/refusal_pairs.h"

namespace oracle {
namespace {

using enum ElementType;

constexpr std::int64_t kTwo61 = std::int64_t{1} << 61;
constexpr std::int64_t kTwo62 = std::int64_t{1} << 62;

/// The dialects (readings of the attributes) that follow ConvTranspose-11 or later.
const std::vector<Dialect> kSinceOnnx11 = {Dialect::kOnnx11, Dialect::kOnnxruntime, Dialect::kOnnx22};

}  // namespace

// Columns of the pairs in this file: clause, reason, words that the message must contain, valid operator, the change
// that makes it invalid, and dialects if not all refuse it.
std::vector<RefusalPair> TypePairs() {
  const Change shape_input = With(&Operator::output_shape, ShapeOf({8, 6}));
  return {
      {"D1",
       "an operator of ONNX in a dialect of OpenVINO",
       {"operator", "ConvTranspose", "openvino-spec"},
       Backprop(),
       With(&Operator::kind, OperatorKind::kConvTranspose)},
      {"D1",
       "an operator of OpenVINO in a dialect of ONNX",
       {"ConvolutionBackpropData", "onnx-11"},
       Onnx(),
       With(&Operator::kind, OperatorKind::kConvolutionBackpropData)},
      {"D3", "a third input of ConvTranspose", {"3", "2"}, Onnx(), shape_input},

      {"T2", "data and filter of booleans", {"data", "boolean"}, Backprop(), WithTypes(kBoolean)},
      {"T2", "data and filter of strings", {"data", "string"}, Onednn(), WithTypes(kString)},
      {"T2", "a filter of booleans", {"filter", "boolean"}, Group(), WithFilterType(kBoolean)},
      {"T3", "a filter of a narrower type", {"filter", "f16", "f32"}, Backprop(), WithFilterType(kF16)},
      {"T3", "a filter of a type that ConvTranspose lacks", {"filter", "bf16", "f32"}, Onnx(), WithFilterType(kBf16)},
      {"T4", "oneDNN has no f64", {"f64", "f32"}, Onednn(), WithTypes(kF64)},
      {"T4", "oneDNN has no integers", {"i8"}, Onednn(), WithTypes(kI8)},
      {"T5", "ONNX has no integers", {"i32"}, Onnx(), WithTypes(ElementType::kI32)},
      {"T6",
       "a shape of floating-point numbers",
       {"output_shape", "f32", "integer"},
       Shaped({8, 6}),
       WithShapeType(kF32)},
      {"T6", "a shape of booleans", {"output_shape", "boolean"}, Shaped({8, 6}), WithShapeType(kBoolean)},
  };
}

std::vector<RefusalPair> ShapePairs() {
  const Change dst_negative = [](Operator& op) { (*op.dst_shape)[2] = -8; };
  const Change dst_batch = [](Operator& op) { (*op.dst_shape)[0] = 3; };
  const Change dst_channels = [](Operator& op) { (*op.dst_shape)[1] = 9; };
  // The input of this name replaces the attribute, but S11 still refuses a negative size in the attribute.
  const Change ignored_negative = [](Operator& op) { (*op.dst_shape)[3] = -6; };
  return {
      {"S1", "no spatial axis", {"data", "rank 2"}, Line(3, 3, 2), WithDataDims({1, 3})},
      {"S1",
       "nine spatial axes",
       {"data", "rank 11", "3 to 10"},
       Line(3, 3, 2),
       WithDataDims({1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1})},
      {"S2", "a dimension too many", {"filter", "rank 5", "4"}, Backprop(), WithFilterDims({6, 4, 3, 2, 1})},
      {"S2", "a dimension too few", {"filter", "rank 4", "5"}, Group(), WithFilterDims({2, 3, 2, 3})},
      {"S3", "a dynamic dimension of data", {"data", "-1"}, Backprop(), WithDataDim(2, -1)},
      {"S3", "a negative dimension of the filter", {"filter", "-3"}, Group(), WithFilterDim(3, -3)},
      {"S5", "one input channel too many", {"filter", "7", "6"}, Backprop(), WithFilterDim(0, 7)},
      {"S5", "groups with one channel too many", {"filter", "2 groups of 4", "6"}, Group(), WithFilterDim(1, 4)},
      {"S5", "the channels of one group only", {"filter", "3", "6"}, Onnx(), WithFilterDim(0, 3)},
      {"S6", "a filter without groups", {"groups 0"}, Group(), WithFilterDim(0, 0)},
      {"S6", "no groups", {"groups", "0"}, Onednn(), With(&Operator::groups, 0)},
      {"S6", "a negative number of groups", {"groups", "-1"}, Onnx(), With(&Operator::groups, -1)},
      {"S6", "4 does not divide 6", {"groups", "4", "divisor", "6"}, Onednn(), With(&Operator::groups, 4)},
      {"S7", "no tap along the last axis", {"filter", "axis 1", "0"}, Backprop(), WithFilterDim(3, 0)},
      {"S7", "no tap along the first axis", {"filter", "axis 0"}, Group(), WithFilterDim(3, 0)},
      {"S9", "a matrix", {"output_shape", "rank 2"}, Shaped({8, 6}), WithShapeDims({1, 2})},
      {"S9", "a scalar", {"output_shape", "rank 0"}, Shaped({8, 6}), WithShapeDims({})},
      {"S10",
       "the whole shape instead of its spatial part",
       {"output_shape", "4", "2"},
       Shaped({8, 6}),
       With(&Operator::output_shape, ShapeOf({2, 4, 8, 6}))},
      {"S10",
       "a tensor with fewer values than its shape says",
       {"output_shape", "1 values", "2"},
       Shaped({8, 6}),
       WithShapeValues({8})},
      {"S10",
       "the spatial part instead of the whole shape",
       {"dst_shape", "[8, 6]", "4"},
       Onednn(),
       With(&Operator::dst_shape, Dims{8, 6})},
      {"S10",
       "one value for two axes",
       {"output_shape", "[8]", "2"},
       Onnx(),
       With(&Operator::output_shape_attribute, Dims{8})},
      {"S11",
       "a negative size along the last axis",
       {"output_shape", "-2", "axis 1"},
       Shaped({8, 1}),
       WithShapeValues({8, -2})},
      {"S11", "a negative size", {"output_shape", "-1"}, Shaped({8, 6}), WithShapeValues({-1, 6})},
      {"S11", "a negative size in dst_shape", {"dst_shape", "-8"}, Onednn(), dst_negative},
      {"S11",
       "a negative size in the attribute that the input replaces",
       {"dst_shape", "-6", "attribute"},
       After(Onednn(), {With(&Operator::output_shape, ShapeOf({2, 8, 8, 6}))}),
       ignored_negative},
      {"S12", "another batch than that of data", {"dst_shape", "batch 3", "2"}, Onednn(), dst_batch},
      {"S12", "more channels than the filter gives", {"dst_shape", "9 channels", "8"}, Onednn(), dst_channels},
      {"S13",
       "another kernel than the filter's",
       {"kernel_shape", "4", "3"},
       Onnx(),
       With(&Operator::kernel_shape, Dims{4, 2})},
      {"S14", "no dst_shape at all", {"dst_shape", "neither"}, Onednn(), With(&Operator::dst_shape, std::nullopt)},
  };
}

std::vector<RefusalPair> AttributePairs() {
  const auto absent = std::nullopt;
  return {
      {"A1", "one stride for two axes", {"strides", "[2]", "2 values"}, Backprop(), With(&Operator::strides, Dims{2})},
      {"A1", "three dilations for two axes", {"dilations"}, Group(), With(&Operator::dilations, Dims{1, 2, 1})},
      {"A1", "an empty list", {"pads_begin"}, Onednn(), With(&Operator::pads_begin, Dims{})},
      {"A1", "one pad for two axes", {"pads_end"}, Backprop(), With(&Operator::pads_end, Dims{0})},
      {"A1", "one value for two axes", {"output_padding"}, Onnx(), With(&Operator::output_padding, Dims{1})},
      {"A1", "one size for two axes", {"kernel_shape"}, Onnx(), With(&Operator::kernel_shape, Dims{3})},
      {"A2",
       "a stride of 0",
       {"strides", "0", "axis 0", "at least 1"},
       Backprop(),
       With(&Operator::strides, Dims{0, 1})},
      {"A2", "a negative stride", {"strides", "-2"}, Onednn(), With(&Operator::strides, Dims{-2, 1})},
      {"A3", "a dilation of 0", {"dilations", "0", "axis 1"}, Onnx(), With(&Operator::dilations, Dims{1, 0})},
      {"A4",
       "a negative pad at the beginning",
       {"pads_begin", "-1"},
       Backprop(),
       With(&Operator::pads_begin, Dims{-1, 0})},
      {"A4",
       "a negative pad at the end",
       {"pads_end", "-1", "axis 1"},
       Onednn(),
       With(&Operator::pads_end, Dims{0, -1})},
      {"A1",
       "A15: pads that auto_pad ignores still have one value for each axis",
       {"pads_begin", "[1]"},
       After(Backprop(), {With(&Operator::auto_pad, "same_upper")}),
       With(&Operator::pads_begin, Dims{1})},
      {"A4",
       "A15: OpenVINO's library uses the pads of explicit beside an output shape",
       {"pads_begin", "-1"},
       Shaped({8, 6}),
       With(&Operator::pads_begin, Dims{-1, 0}),
       {Dialect::kOpenvinoRuntime}},
      {"A5",
       "a negative output_padding",
       {"output_padding", "-1"},
       Backprop(),
       With(&Operator::output_padding, Dims{0, -1}),
       {Dialect::kOpenvinoSpec}},
      {"A9",
       "oneDNN's word",
       {"auto_pad", "none", "explicit"},
       Backprop(),
       With(&Operator::auto_pad, "none"),
       {Dialect::kOpenvinoRuntime}},
      {"A9", "ONNX's word", {"auto_pad", "notset"}, Group(), With(&Operator::auto_pad, "notset")},
      {"A9", "the empty word", {"auto_pad", "\"\""}, Group(), With(&Operator::auto_pad, "")},
      {"A10",
       "OpenVINO's word",
       {"auto_pad", "explicit", "none"},
       Onednn(),
       With(&Operator::auto_pad, "explicit"),
       {Dialect::kOnednnSpec}},
      {"A11",
       "ONNX has upper case only",
       {"auto_pad", "same_upper", "SAME_UPPER"},
       OnnxAuto("SAME_UPPER"),
       With(&Operator::auto_pad, "same_upper"),
       kSinceOnnx11},
      {"A13",
       "oneDNN requires strides",
       {"strides", "absent"},
       Onednn(),
       With(&Operator::strides, absent),
       {Dialect::kOnednnRuntime}},
      {"A13",
       "oneDNN requires dilations",
       {"dilations", "absent"},
       Onednn(),
       With(&Operator::dilations, absent),
       {Dialect::kOnednnRuntime}},
      {"A13",
       "oneDNN requires pads_begin",
       {"pads_begin", "absent"},
       Onednn(),
       With(&Operator::pads_begin, absent),
       {Dialect::kOnednnRuntime}},
      {"A13",
       "oneDNN requires pads_end",
       {"pads_end", "absent"},
       Onednn(),
       With(&Operator::pads_end, absent),
       {Dialect::kOnednnRuntime}},
      {"A14",
       "ONNX takes pads or auto_pad, not both",
       {"pads", "VALID"},
       OnnxAuto("VALID"),
       With(&Operator::pads_end, Dims{0, 0})},
      {"A16",
       "letters of axes instead of X",
       {"data_format", "NHWC", "NXC"},
       Onednn(),
       With(&Operator::data_format, "NHWC")},
      {"A16",
       "input before output channels",
       {"weights_format", "IOX", "OIX"},
       Onednn(),
       With(&Operator::weights_format, "IOX")},
  };
}

std::vector<RefusalPair> SizePairs() {
  return {
      {"P16",
       "the pads crop one element more than there is",
       {"output", "= -1", "axis 0"},
       After(Line(3, 3, 1), {WithPads({2})}),
       With(&Operator::pads_end, Dims{4})},
      {"P16",
       "the pads crop more than there is",
       {"output", "-1"},
       Line(1, 1, 1),
       With(&Operator::pads_begin, Dims{2})},
      {"P23",
       "onnx-1 has no formula for the size",
       {"auto_pad", "SAME_UPPER"},
       After(OnnxAuto("SAME_UPPER"), {With(&Operator::output_shape_attribute, Dims{8, 6})}),
       With(&Operator::output_shape_attribute, std::nullopt),
       {Dialect::kOnnx1}},
  };
}

std::vector<RefusalPair> OverflowPairs() {
  const Operator asked_for_two =
      After(Line(0, 2, 1), {With(&Operator::auto_pad, "same_upper"), With(&Operator::output_shape, ShapeOf({2}))});
  return {
      {"O1",
       "2^61 outputs of 4 bytes",
       {"output", "bytes"},
       LineForHugeSizes(),
       With(&Operator::output_shape, ShapeOf({kTwo61})),
       {Dialect::kOpenvinoRuntime}},
      {"O1", "data of 2^62 elements", {"data", "bytes"}, LineForHugeSizes(), WithDataDim(2, kTwo62)},
      {"O1",
       "2 groups of 2^62 channels",
       {"output", "channels"},
       After(Group(), {WithFilterDims({2, 3, 1, 3, 2})}),
       WithFilterDim(2, kTwo62)},
      {"O2",
       "stride * (X - 1) is too large",
       {"natural"},
       LineForHugeSizes(),
       With(&Operator::strides, Dims{kMaxInt64})},
      {"O2",
       "dilation * (K - 1) is too large",
       {"natural"},
       LineForHugeSizes(),
       With(&Operator::dilations, Dims{kMaxInt64})},
      {"O2",
       "natural + output_padding is too large",
       {"natural", "output_padding"},
       LineForHugeSizes(),
       With(&Operator::output_padding, Dims{kMaxInt64})},
      {"O2", "natural - pads is too small", {"output"}, LineForHugeSizes(), WithPads({kMaxInt64})},
      {"O2",
       "natural - output is too small",
       {"total"},
       asked_for_two,
       [](Operator& op) {
         op.strides = Dims{kMaxInt64};
         op.output_shape->values[0] = kMaxInt64;
       },
       {Dialect::kOpenvinoSpec}},
      {"O2",
       "the output that is asked for in u64 is 2^64 - 1",
       {"output_shape", "18446744073709551615"},
       asked_for_two,
       [](Operator& op) {
         op.output_shape->type = ElementType::kU64;
         op.output_shape->values[0] = -1;
       }},
      {"O2",
       "output + pads_begin is too large",
       {"pads_begin", "coordinates"},
       AsBackwardData(Line(3, 3, 1), {1, 1, 3}),
       With(&Operator::pads_begin, Dims{kMaxInt64}),
       {Dialect::kOnednnSpec}},
      {"O2",
       "SAME pads: X * stride is too large",
       {"output"},
       AsConvTransposeWithAutoPad(Line(2, 2, 1), "SAME_UPPER"),
       With(&Operator::strides, Dims{kMaxInt64}),
       kSinceOnnx11},
  };
}

}  // namespace oracle
