// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves the pads of ConvTranspose as TensorFlow does. TensorFlow's operator is the gradient of a convolution. So an
// output size is valid if the convolution of an output of this size gives the size of the data. The output size must be
// given. TensorFlow's SAME is SAME_UPPER here.
#include <algorithm>
#include <cinttypes>

#include "kernel/resolve/resolve_internal.h"

namespace deconv {
namespace {

constexpr int kMostAxes = 3;  // TensorFlow has conv1d_transpose, conv2d_transpose and conv3d_transpose

// Returns the output size of a convolution whose first tap can stand at `positions` positions. Example: 5 positions and
// stride 2 give 3 outputs, at the positions 0, 2 and 4.
int64_t ForwardSize(int64_t positions, int64_t stride) { return FloorDiv(positions - 1, stride) + 1; }

}  // namespace

Status CheckTensorFlow(const deconv_operator& op, AutoPad auto_pad, const Geometry& geometry,
                       const int64_t* output_padding) {
  if (geometry.axis_count > kMostAxes) {
    return Fail(DECONV_INVALID_OPERATOR, "data: rank is %d, expected 3 to %d (conv_transpose of TensorFlow)",
                geometry.axis_count + 2, kMostAxes + 2);
  }
  if (auto_pad == AutoPad::kSameLower) {
    return Fail(DECONV_INVALID_OPERATOR,
                "auto_pad: is SAME_LOWER, expected SAME_UPPER, VALID or NOTSET (conv_transpose of TensorFlow)");
  }
  if (op.output_shape_attribute.values == nullptr) {
    return Fail(DECONV_INVALID_OPERATOR, "output_shape: is absent, expected %d sizes (conv_transpose of TensorFlow)",
                geometry.axis_count);
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    if (output_padding[a] == 0) continue;
    return Fail(DECONV_INVALID_OPERATOR, "output_padding[%d] is %" PRId64 ", expected 0 (conv_transpose of TensorFlow)",
                a, output_padding[a]);
  }
  return {};
}

Status ResolveTensorFlowAxis(const deconv_operator& op, AutoPad auto_pad, int index, Axis& axis) {
  axis.output = op.output_shape_attribute.values[index];
  int64_t total = 0;
  if (Status s = TotalPadding(op, index, 0, axis.output, axis, total); !s.Ok()) return s;
  // Where the first tap of the convolution can stand: with SAME at each element of the output, otherwise where the
  // whole filter fits. Example: an output of 7 elements without pads and a filter of 3 taps give 5 positions.
  Checked positions = axis.output;
  if (auto_pad == AutoPad::kSameUpper) {
    SplitFloorAtBegin(std::max<int64_t>(total, 0), axis);
  } else {
    if (auto_pad == AutoPad::kValid) axis.pads_begin = axis.pads_end = 0;
    positions = positions + axis.pads_begin + axis.pads_end - Extent(axis) + 1;
  }
  if (!positions.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "output_shape[%d] is %" PRId64
                ", expected one whose sum with the pads fits 64 bits (conv_transpose of TensorFlow)",
                index, axis.output);
  }
  if (axis.data != 0 && ForwardSize(positions.Value(), axis.stride) != axis.data) {
    return Fail(DECONV_INVALID_OPERATOR,
                "output_shape[%d] is %" PRId64 ", expected one whose convolution has the %" PRId64
                " elements of data (conv_transpose of TensorFlow)",
                index, axis.output, axis.data);
  }
  return SetPadsEndFromTotal(op, index, total, axis);
}

}  // namespace deconv
