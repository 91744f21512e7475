// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of an operator and its nearest invalid neighbour, for refusal_test.cc, and the operators that they start from.

#ifndef DECONV_ORACLE_TESTING_REFUSAL_PAIRS_H_
#define DECONV_ORACLE_TESTING_REFUSAL_PAIRS_H_

#include <functional>
#include <string>
#include <vector>

#include "oracle/dialect.h"
#include "oracle/testing/test_operators.h"

namespace oracle {

struct Pair {
  std::string clause;
  std::vector<std::string> words;  ///< of the message: argument, what was found, what was expected
  Operator valid;
  std::function<void(Operator&)> spoil;
  std::vector<Dialect> dialects = {};  ///< all that speak the operator if empty
};

/// Two axes with all different numbers, two groups of 3 in and 2 out channels; valid in every dialect of its kind.
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

inline Operator Backprop() {
  Operator op = Group();
  op.kind = OperatorKind::kConvolutionBackpropData;
  op.filter.dims = {6, 4, 3, 2};
  return op;
}

inline Operator Shaped(const Dims& shape) {
  Operator op = Backprop();
  op.output_shape = ShapeOf(shape);
  return op;
}

inline Operator Onednn() {
  Operator op = AsBackwardData(Backprop(), {2, 8, 8, 6});
  op.groups = 2;
  return op;
}

inline Operator Onnx() {
  Operator op = AsConvTranspose(Backprop());
  op.groups = 2;
  return op;
}

inline Operator OnnxAuto(const std::string& auto_pad) {
  Operator op = Onnx();
  op.pads_begin = op.pads_end = std::nullopt;
  op.auto_pad = auto_pad;
  return op;
}

/// One element wide, so that sizes along the axis may be huge.
inline Operator Huge() { return Line(2, 2, 1); }

/// What the dialects of libraries refuse beyond the documents.
std::vector<Pair> LibraryPairs();

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_REFUSAL_PAIRS_H_
