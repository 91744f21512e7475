// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists operators that libraries refuse although their documents do not forbid them, for refusal_test.cc. Each is one
// change of a valid operator. The clause is the numbered rule of oracle/clauses.md by which the oracle must refuse it.
//
// Valid operators (refusal_pairs.h, test_operators.h): Onnx() is a ConvTranspose with two axes and strides 2 and 1.
// Line(x, k, s) has one batch, one channel and one axis: x data elements, kernel k, stride s and no pads.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/testing/refusal_pairs.h"

namespace oracle {
namespace {

/// oneDNN: a kernel of 3 with stride 2 over 3 data elements. Without pads the output has 2 * (3 - 1) + 3 = 7 elements.
/// The library accepts `output` if a forward convolution of it gives 3 elements, so 7 or 8.
Operator OnednnLine(std::int64_t output) { return AsBackwardData(Line(3, 3, 2), {1, 1, output}); }

/// The same with auto_pad and 6 outputs, which SAME_UPPER and SAME_LOWER accept.
Operator OnednnAuto(const std::string& auto_pad) { return After(OnednnLine(6), {With(&Operator::auto_pad, auto_pad)}); }

/// ONNX: a kernel of 3 with stride 2, and an output shape.
Operator OnnxShaped(std::int64_t data, std::int64_t output) {
  return After(AsConvTranspose(Line(data, 3, 2)), {With(&Operator::output_shape_attribute, Dims{output})});
}

/// TensorFlow: a kernel of 3 with stride 2 over 3 data elements. With VALID it may have 7 or 8 outputs.
Operator TensorflowLine(std::int64_t output, const std::optional<std::string>& auto_pad = std::nullopt) {
  Operator op = After(OnnxShaped(3, output), {With(&Operator::auto_pad, auto_pad)});
  return auto_pad ? After(op, {WithoutPads()}) : op;
}

// Operators whose sizes are all 1. `rank` counts batch, channels and spatial axes.
Operator OnesOfOpenvino(std::size_t rank) {
  Operator op;
  op.data.dims = op.filter.dims = Dims(rank, 1);
  op.strides = op.dilations = Dims(rank - 2, 1);
  op.pads_begin = op.pads_end = Dims(rank - 2, 0);
  return op;
}

Operator OnesOfTensorflow(std::size_t rank) {
  return After(AsConvTranspose(OnesOfOpenvino(rank)), {With(&Operator::output_shape_attribute, Dims(rank - 2, 1))});
}

Operator OnesOfOnednn(std::size_t rank) { return AsBackwardData(OnesOfOpenvino(rank), Dims(rank, 1)); }

}  // namespace

std::vector<RefusalPair> LibraryPairs() {
  // The dialects (readings of the attributes) that follow a library.
  const std::vector<Dialect> onednn = {Dialect::kOnednnRuntime};
  const std::vector<Dialect> onnx = {Dialect::kOnnxruntime};
  const std::vector<Dialect> tensorflow = {Dialect::kTensorflow};
  const Change to_rank_6 = [](Operator& op) { op = OnesOfOnednn(6); };
  // Columns: clause, reason, words that the message must contain, valid operator, the change that makes it invalid, and
  // the dialects that refuse it.
  return {
      {"A17",
       "the library spells it None",
       {"auto_pad", "none", "None"},
       OnednnLine(7),
       With(&Operator::auto_pad, "none"),
       onednn},
      {"A17",
       "the library has upper case only",
       {"auto_pad", "same_lower", "SAME_LOWER"},
       OnednnAuto("SAME_LOWER"),
       With(&Operator::auto_pad, "same_lower"),
       onednn},
      {"S16", "the primitive has at most three axes", {"data", "rank 6", "3 to 5"}, OnesOfOnednn(5), to_rank_6, onednn},
      {"S19",
       "OpenVINO's library has at most three axes",
       {"data", "rank 6", "3 to 5"},
       OnesOfOpenvino(5),
       [](Operator& op) { op = OnesOfOpenvino(6); },
       {Dialect::kOpenvinoRuntime}},
      {"S10",
       "a whole shape has two values more than axes, this one has one",
       {"output_shape", "[1, 7]", "1"},
       OnnxShaped(3, 7),
       With(&Operator::output_shape_attribute, Dims{1, 7}),
       onnx},
      {"P21",
       "the forward convolution of 9 elements gives 4, not 3",
       {"dst_shape", "axis 0", "(9 - 3 + 0 + 0) / 2 + 1 = 4", "3"},
       OnednnLine(8),
       With(&Operator::dst_shape, Dims{1, 1, 9}),
       onednn},
      {"P21",
       "the forward convolution of 4 elements gives 2, not 3",
       {"dst_shape", "= 2", "3"},
       OnednnAuto("SAME_UPPER"),
       With(&Operator::dst_shape, Dims{1, 1, 4}),
       onednn},
      {"A19",
       "output_padding of a whole stride",
       {"output_padding", "2", "axis 0", "less than the stride 2"},
       After(Onnx(), {With(&Operator::output_padding, Dims{1, 0})}),
       With(&Operator::output_padding, Dims{2, 0}),
       onnx},
      {"S18",
       "a size is asked for and there are no data",
       {"output_shape", "size 0"},
       OnnxShaped(1, 3),
       WithDataDim(2, 0),
       onnx},
      {"P26",
       "the forward convolution of 9 elements gives 4, not 3",
       {"output_shape", "floor((9 + 0 - 3) / 2) + 1 = 4", "3"},
       OnnxShaped(3, 8),
       With(&Operator::output_shape_attribute, Dims{9}),
       onnx},
      {"T8",
       "TensorFlow has no i8",
       {"data", "i8", "bf16"},
       TensorflowLine(7),
       WithTypes(ElementType::kI8),
       tensorflow},
      {"S21",
       "TensorFlow has at most three axes",
       {"data", "rank 6", "3 to 5"},
       OnesOfTensorflow(5),
       [](Operator& op) { op = OnesOfTensorflow(6); },
       tensorflow},
      {"S22",
       "TensorFlow derives no size",
       {"output_shape", "absent", "1"},
       TensorflowLine(7),
       With(&Operator::output_shape_attribute, std::nullopt),
       tensorflow},
      {"A22",
       "TensorFlow has one SAME",
       {"auto_pad", "SAME_LOWER", "SAME_UPPER"},
       TensorflowLine(6, "SAME_UPPER"),
       With(&Operator::auto_pad, "SAME_LOWER"),
       tensorflow},
      {"A23",
       "TensorFlow has no output_padding",
       {"output_padding", "1", "axis 0", "0"},
       TensorflowLine(8),
       With(&Operator::output_padding, Dims{1}),
       tensorflow},
      {"P28",
       "SAME gives at most data * stride",
       {"output_shape", "7", "2*(3-1)", "2*3"},
       TensorflowLine(6, "SAME_UPPER"),
       With(&Operator::output_shape_attribute, Dims{7}),
       tensorflow},
      {"P28",
       "SAME gives more than one stride less",
       {"output_shape", "4"},
       TensorflowLine(5, "SAME_UPPER"),
       With(&Operator::output_shape_attribute, Dims{4}),
       tensorflow},
      {"P29",
       "VALID cuts nothing off",
       {"output_shape", "6", "at least 7 - 0 - 0"},
       TensorflowLine(7, "VALID"),
       With(&Operator::output_shape_attribute, Dims{6}),
       tensorflow},
      {"P29",
       "a whole stride more is the size of more data",
       {"output_shape", "9", "the stride 2"},
       TensorflowLine(8, "VALID"),
       With(&Operator::output_shape_attribute, Dims{9}),
       tensorflow},
      {"P29",
       "explicit pads of 1 leave 6 elements",
       {"output_shape", "7 - 1 - 0"},
       After(TensorflowLine(6), {With(&Operator::pads_begin, Dims{1})}),
       With(&Operator::output_shape_attribute, Dims{5}),
       tensorflow},
      {"O2",
       "the pads overflow the size of the forward convolution",
       {"(5 - 3 + ", "64 bits"},
       AsBackwardData(Line(3, 3, 1), {1, 1, 5}),
       WithPads({kMaxInt64}),
       onednn},
  };
}

}  // namespace oracle
