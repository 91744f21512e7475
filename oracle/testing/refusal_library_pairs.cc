// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The refusals of onednn-runtime and onnxruntime that their documents do not have.

#include <cstdint>
#include <limits>

#include "oracle/testing/refusal_pairs.h"

namespace oracle {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Operator OnednnAuto(const std::string& auto_pad) {
  Operator op = AsBackwardData(Line(3, 3, 2), {1, 1, 6});
  op.auto_pad = auto_pad;
  return op;
}

Operator Ones(std::size_t rank) {
  Operator op;
  op.data.dims = op.filter.dims = Dims(rank, 1);
  op.strides = op.dilations = Dims(rank - 2, 1);
  op.pads_begin = op.pads_end = Dims(rank - 2, 0);
  return op;
}

}  // namespace

std::vector<Pair> LibraryPairs() {
  return {
      {"A17",
       {"auto_pad", "none", "None"},
       AsBackwardData(Line(3, 3, 2), {1, 1, 7}),
       [](Operator& op) { op.auto_pad = "none"; },
       {Dialect::kOnednnRuntime}},
      {"A17",
       {"auto_pad", "same_lower", "SAME_LOWER"},
       OnednnAuto("SAME_LOWER"),
       [](Operator& op) { op.auto_pad = "same_lower"; },
       {Dialect::kOnednnRuntime}},
      {"S16",
       {"data", "rank 6", "3 to 5"},
       AsBackwardData(Ones(5), Dims(5, 1)),
       [](Operator& op) { op = AsBackwardData(Ones(6), Dims(6, 1)); },
       {Dialect::kOnednnRuntime}},
      {"S17",
       {"filter", "[1, 0, 3]", "element"},
       AsBackwardData(Line(3, 3, 2), {1, 1, 7}),
       [](Operator& op) {
         op.filter.dims[1] = 0;
         op.dst_shape = Dims{1, 0, 7};
       },
       {Dialect::kOnednnRuntime}},
      {"S17",
       {"filter", "[0, 1, 3]", "element"},
       AsBackwardData(Line(3, 3, 2), {1, 1, 7}),
       [](Operator& op) { op.data.dims[1] = op.filter.dims[0] = 0; },
       {Dialect::kOnednnRuntime}},
      {"P21",
       {"dst_shape", "axis 0", "(9 - 3 + 0 + 0) / 2 + 1 = 4", "3"},
       AsBackwardData(Line(3, 3, 2), {1, 1, 8}),
       [](Operator& op) { op.dst_shape = Dims{1, 1, 9}; },
       {Dialect::kOnednnRuntime}},
      {"P21",
       {"dst_shape", "= 2", "3"},
       OnednnAuto("SAME_UPPER"),
       [](Operator& op) { op.dst_shape = Dims{1, 1, 4}; },
       {Dialect::kOnednnRuntime}},
      {"A19",
       {"output_padding", "2", "axis 0", "less than the stride 2"},
       [] {
         Operator op = Onnx();
         op.output_padding = Dims{1, 0};
         return op;
       }(),
       [](Operator& op) { (*op.output_padding)[0] = 2; },
       {Dialect::kOnnxruntime}},
      {"S18",
       {"output_shape", "size 0"},
       [] {
         Operator op = AsConvTranspose(Line(1, 3, 2));
         op.output_shape_attribute = Dims{3};
         return op;
       }(),
       [](Operator& op) { op.data.dims[2] = 0; },
       {Dialect::kOnnxruntime}},
      {"P26",
       {"output_shape", "floor((9 + 0 - 3) / 2) + 1 = 4", "3"},
       [] {
         Operator op = AsConvTranspose(Line(3, 3, 2));
         op.output_shape_attribute = Dims{8};
         return op;
       }(),
       [](Operator& op) { op.output_shape_attribute = Dims{9}; },
       {Dialect::kOnnxruntime}},
      {"O2",
       {"(5 - 3 + ", "64 bits"},
       AsBackwardData(Line(3, 3, 1), {1, 1, 5}),
       [](Operator& op) { op.pads_begin = op.pads_end = Dims{kMax}; },
       {Dialect::kOnednnRuntime}},
  };
}

}  // namespace oracle
