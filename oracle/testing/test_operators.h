// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the operators (transposed convolutions) that several tests start from, shape inputs, buffers of bytes, and the
// text of a refusal.

#ifndef DECONV_ORACLE_TESTING_TEST_OPERATORS_H_
#define DECONV_ORACLE_TESTING_TEST_OPERATORS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace oracle {

/// An operator with one batch, one channel and one axis: `x` data elements, kernel `k`, stride `s`, dilation `d`, no
/// pads.
inline Operator Line(std::int64_t x, std::int64_t k, std::int64_t s, std::int64_t d = 1) {
  Operator op;
  op.data = {.type = ElementType::kF32, .dims = {1, 1, x}};
  op.filter = {.type = ElementType::kF32, .dims = {1, 1, k}};
  op.strides = Dims{s};
  op.dilations = Dims{d};
  op.pads_begin = Dims{0};
  op.pads_end = Dims{0};
  return op;
}

/// An operator with two axes. Strides, dilations and pads are 1.
inline Operator Plain2d(const Dims& data, const Dims& filter) {
  Operator op;
  op.data.dims = data;
  op.filter.dims = filter;
  op.strides = op.pads_begin = op.pads_end = op.dilations = Dims{1, 1};
  return op;
}

/// `op` as oneDNN's ConvolutionBackwardData, in the formats NCX and OIX. `dst_shape` is the whole output shape, given
/// as an attribute.
inline Operator AsBackwardData(Operator op, const Dims& dst_shape) {
  op.kind = OperatorKind::kConvolutionBackwardData;
  op.data_format = "NCX";
  op.weights_format = "OIX";
  op.dst_shape = dst_shape;
  return op;
}

/// `op` as ONNX's ConvTranspose.
inline Operator AsConvTranspose(Operator op) {
  op.kind = OperatorKind::kConvTranspose;
  return op;
}

/// `op` as ConvTranspose without pads, and with `auto_pad`. `op` has one axis; if `output` is given, it is the size
/// that the attribute output_shape asks for.
inline Operator AsConvTransposeWithAutoPad(Operator op, const std::string& auto_pad,
                                           std::optional<std::int64_t> output = std::nullopt) {
  op = AsConvTranspose(op);
  op.pads_begin = op.pads_end = std::nullopt;
  op.auto_pad = auto_pad;
  if (output.has_value()) op.output_shape_attribute = Dims{*output};
  return op;
}

/// A shape input: a tensor of rank 1 with these values.
inline ShapeInput ShapeOf(const Dims& values, ElementType type = ElementType::kI64) {
  return {.type = type, .dims = {static_cast<std::int64_t>(values.size())}, .values = values};
}

/// The memory of the values.
template <class T>
std::vector<std::byte> Bytes(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// The refusal as text, "A2: strides: 0 ...", or "accepted".
inline std::string Outcome(const Resolution& resolution) {
  if (!resolution.refusal.has_value()) return "accepted";
  return std::string(resolution.refusal->clause) + ": " + resolution.refusal->message;
}

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_TEST_OPERATORS_H_
