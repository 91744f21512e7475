// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the pairs of refusal_test.cc, which tests that the oracle refuses invalid operators. A pair is a valid
// operator and one change that makes it invalid, with the reason and the clause that forbids it. A clause is a numbered
// rule of oracle/clauses.md. The file also has the changes and the valid operators from which the tables of pairs are
// made. open_point_test.cc uses them, too.

#ifndef DECONV_ORACLE_TESTING_REFUSAL_PAIRS_H_
#define DECONV_ORACLE_TESTING_REFUSAL_PAIRS_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "oracle/dialect.h"
#include "oracle/testing/test_operators.h"

namespace oracle {

inline constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();

/// One change to an operator.
using Change = std::function<void(Operator&)>;

/// A valid operator, and a change after which the oracle refuses it.
struct RefusalPair {
  std::string clause;              ///< id of the clause that the refusal must cite, "A2"
  std::string reason;              ///< why the changed operator is invalid
  std::vector<std::string> words;  ///< words that the message must contain: argument, what was found, what was expected
  Operator valid;
  Change change;
  /// The dialects (readings of the attributes) that refuse; empty: all dialects of the operator.
  std::vector<Dialect> dialects = {};
};

/// A change that sets a member: With(&Operator::strides, Dims{0, 1}).
template <class Member, class Value>
Change With(Member Operator::* member, Value value) {
  return [member, value](Operator& op) { op.*member = value; };
}

/// A change that sets pads_begin and pads_end.
inline Change WithPads(const Dims& pads) {
  return [pads](Operator& op) { op.pads_begin = op.pads_end = pads; };
}
/// A change that makes pads_begin and pads_end absent.
inline Change WithoutPads() {
  return [](Operator& op) { op.pads_begin = op.pads_end = std::nullopt; };
}

/// A change of the element type of data and filter.
inline Change WithTypes(ElementType type) {
  return [type](Operator& op) { op.data.type = op.filter.type = type; };
}
inline Change WithFilterType(ElementType type) {
  return [type](Operator& op) { op.filter.type = type; };
}

// Changes of one dimension, or of the whole shape, of data or filter.
inline Change WithDataDim(std::size_t at, std::int64_t dim) {
  return [=](Operator& op) { op.data.dims[at] = dim; };
}
inline Change WithDataDims(const Dims& dims) {
  return [dims](Operator& op) { op.data.dims = dims; };
}
inline Change WithFilterDim(std::size_t at, std::int64_t dim) {
  return [=](Operator& op) { op.filter.dims[at] = dim; };
}
inline Change WithFilterDims(const Dims& dims) {
  return [dims](Operator& op) { op.filter.dims = dims; };
}

// Changes of the third input, the shape tensor; the operator must have one.
inline Change WithShapeType(ElementType type) {
  return [type](Operator& op) { op.output_shape->type = type; };
}
inline Change WithShapeDims(const Dims& dims) {
  return [dims](Operator& op) { op.output_shape->dims = dims; };
}
inline Change WithShapeValues(const Dims& values) {
  return [values](Operator& op) { op.output_shape->values = values; };
}

/// Returns `op` after the changes.
inline Operator After(Operator op, const std::vector<Change>& changes) {
  for (const Change& change : changes) change(op);
  return op;
}

/// A valid GroupConvolutionBackpropData. Its two spatial axes differ in every attribute. It has two groups, each with 3
/// input and 2 output channels.
inline Operator Group() {
  Operator op;
  op.kind = OperatorKind::kGroupConvolutionBackpropData;
  op.data.dims = {2, 6, 4, 5};
  op.filter.dims = {2, 3, 2, 3, 2};
  op.strides = Dims{2, 1};
  op.dilations = Dims{1, 2};
  op.pads_begin = Dims{1, 0};
  op.pads_end = Dims{0, 1};
  return op;
}

/// Group() as a ConvolutionBackpropData, which has no groups.
inline Operator Backprop() {
  Operator op = Group();
  op.kind = OperatorKind::kConvolutionBackpropData;
  op.filter.dims = {6, 4, 3, 2};
  return op;
}

/// Backprop() with an output_shape.
inline Operator Shaped(const Dims& shape) {
  Operator op = Backprop();
  op.output_shape = ShapeOf(shape);
  return op;
}

/// Backprop() as oneDNN's ConvolutionBackwardData with two groups. The output shape {2, 8, 8, 6} fits the attributes.
inline Operator Onednn() {
  Operator op = AsBackwardData(Backprop(), {2, 8, 8, 6});
  op.groups = 2;
  return op;
}

/// Backprop() as ONNX's ConvTranspose with two groups.
inline Operator Onnx() {
  Operator op = AsConvTranspose(Backprop());
  op.groups = 2;
  return op;
}

/// Onnx() without pads and with this auto_pad.
inline Operator OnnxAuto(const std::string& auto_pad) {
  return After(Onnx(), {WithoutPads(), With(&Operator::auto_pad, auto_pad)});
}

/// An operator with one batch, one channel and one axis, so that a change can make a size of the axis huge.
inline Operator LineForHugeSizes() { return Line(2, 2, 1); }

// Operators that the documents forbid. Each function has the pairs of one chapter of oracle/clauses.md.

/// Forbidden by the clauses of operators and types (D, T).
std::vector<RefusalPair> TypePairs();
/// Forbidden by the clauses of shapes (S).
std::vector<RefusalPair> ShapePairs();
/// Forbidden by the clauses of attributes (A).
std::vector<RefusalPair> AttributePairs();
/// Forbidden by the clauses of output sizes (P).
std::vector<RefusalPair> SizePairs();
/// Forbidden by the clauses of numbers that exceed their range (O).
std::vector<RefusalPair> OverflowPairs();
/// Operators that the dialects of libraries refuse beyond the documents.
std::vector<RefusalPair> LibraryPairs();

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_REFUSAL_PAIRS_H_
