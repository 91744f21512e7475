// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves ConvTranspose in the dialects of ONNX, and the part that TensorFlow's dialect shares with them. A dialect is
// one reading of the attributes:
// - onnx-11: the text since 2021. SAME_* gives the output size input * stride. The odd element of the pads goes to the
//   beginning unless SAME_UPPER. Negative pads shift the data (ONNX's own test convtranspose_output_shape).
// - onnx-1: the text before 2021. The odd element goes to the beginning only for SAME_UPPER.
// - onnx-22: onnx-11 with bf16.
// - onnxruntime: what that library computes. Like onnx-11, but pads are never negative, and an output size that does
//   not fit is refused.
#include <algorithm>
#include <cinttypes>
#include <string_view>

#include "kernel/resolve/resolve_internal.h"

namespace deconv {
namespace {

// Returns the name of the document or library that a refusal cites.
const char* Source(const deconv_operator& op) {
  switch (op.dialect) {
    case DECONV_ONNX_1:
      return "ConvTranspose-1";
    case DECONV_ONNXRUNTIME:
      return "ConvTranspose of ONNX Runtime";
    case DECONV_ONNX_22:
      return "ConvTranspose-22";
    case DECONV_TENSORFLOW:
      return "conv_transpose of TensorFlow";
    default:
      return "ConvTranspose-11";
  }
}

// Returns the attribute output_shape, one size for each spatial axis. ONNX Runtime also takes the whole shape [N, C,
// spatial], and ignores N and C.
deconv_list SpatialSizes(const deconv_operator& op, int axes) {
  const deconv_list& list = op.output_shape_attribute;
  const auto count = static_cast<size_t>(axes);
  if (op.dialect != DECONV_ONNXRUNTIME || list.values == nullptr || list.count != count + 2) return list;
  return {list.values + 2, count};
}

// Reads auto_pad. Refuses an unknown value, and pads beside a value other than NOTSET.
Status ParseAutoPad(const deconv_operator& op, AutoPad& auto_pad) {
  const std::string_view text = op.auto_pad == nullptr ? "NOTSET" : op.auto_pad;
  if (text == "NOTSET") {
    auto_pad = AutoPad::kExplicit;
  } else if (text == "SAME_UPPER") {
    auto_pad = AutoPad::kSameUpper;
  } else if (text == "SAME_LOWER") {
    auto_pad = AutoPad::kSameLower;
  } else if (text == "VALID") {
    auto_pad = AutoPad::kValid;
  } else {
    return Fail(DECONV_INVALID_OPERATOR,
                "auto_pad: is \"%.64s\", expected NOTSET, SAME_UPPER, SAME_LOWER or VALID (%s, attributes)",
                op.auto_pad, Source(op));
  }
  if (auto_pad != AutoPad::kExplicit && (op.pads_begin.values != nullptr || op.pads_end.values != nullptr)) {
    return Fail(DECONV_INVALID_OPERATOR,
                "pads: are given together with auto_pad %s, expected only one of them (%s, attribute pads)",
                op.auto_pad, Source(op));
  }
  return {};
}

// Checks the channels of data and filter, and kernel_shape. Sets batch, groups, channels, data sizes and kernel sizes.
Status CheckChannels(const deconv_operator& op, Geometry& geometry) {
  const int64_t* data = op.data.dims.values;
  const int64_t* filter = op.filter.dims.values;
  geometry.batch = data[0];
  if (Status s = CheckGroups(op, "group", data[1], geometry); !s.Ok()) return s;
  if (filter[0] != data[1]) {
    return Fail(DECONV_INVALID_OPERATOR,
                "filter: C (dimension 0) is %" PRId64 ", expected the %" PRId64 " channels of data (%s, inputs)",
                filter[0], data[1], Source(op));
  }
  geometry.in_channels = data[1] / geometry.groups;
  geometry.out_channels = filter[1];
  for (int a = 0; a < geometry.axis_count; ++a) {
    geometry.axes[a].data = data[2 + a];
    geometry.axes[a].kernel = filter[2 + a];
  }
  if (Status s = CheckTaps(op, geometry); !s.Ok()) return s;
  // TensorFlow has no such attribute.
  if (op.kernel_shape.values == nullptr || op.dialect == DECONV_TENSORFLOW) return {};
  if (Status s = CheckList(op, op.kernel_shape, "kernel_shape", geometry.axis_count, 1, "positive integers"); !s.Ok()) {
    return s;
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    if (op.kernel_shape.values[a] != geometry.axes[a].kernel) {
      return Fail(DECONV_INVALID_OPERATOR,
                  "kernel_shape[%d] is %" PRId64 ", expected the filter's %" PRId64 " (%s, attributes)", a,
                  op.kernel_shape.values[a], geometry.axes[a].kernel, Source(op));
    }
  }
  return {};
}

// Sets output = data * stride, for SAME_* without an output shape.
Status SizeFromStride(const deconv_operator& op, int index, Axis& axis) {
  const Checked size = Checked(axis.data) * axis.stride;
  if (!size.Valid() || size.Value() < 1) {
    return Fail(size.Valid() ? DECONV_INVALID_OPERATOR : DECONV_OVERFLOW,
                "output: the size of spatial axis %d is %" PRId64 " * stride %" PRId64
                ", expected 1 or more and within 64 bits (%s, auto_pad)",
                index, axis.data, axis.stride, Source(op));
  }
  axis.output = size.Value();
  return {};
}

// Returns whether the version of the operator has the element type. TensorFlow's operator has i32 only on some devices;
// this library computes it.
bool HasType(const deconv_operator& op) {
  const bool has_bf16 = op.dialect == DECONV_ONNX_22 || op.dialect == DECONV_TENSORFLOW;
  switch (op.data.type) {
    case DECONV_F16:
    case DECONV_F32:
    case DECONV_F64:
      return true;
    case DECONV_BF16:
      return has_bf16;
    case DECONV_I32:
      return op.dialect == DECONV_TENSORFLOW;
    default:
      return false;
  }
}

// Sets output size and pads of an axis by the texts of ONNX.
Status ResolveAxisByText(const deconv_operator& op, AutoPad auto_pad, int index, int64_t output_padding, Axis& axis) {
  const bool is_same = auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower;
  const bool is_first_text = op.dialect == DECONV_ONNX_1;
  if (op.output_shape_attribute.values != nullptr) {
    axis.output = op.output_shape_attribute.values[index];
  } else if (is_same && is_first_text) {
    return Fail(DECONV_INVALID_OPERATOR,
                "auto_pad: is %s without output_shape, expected an output_shape: the text gives no size (%s, auto_pad)",
                op.auto_pad, Source(op));
  } else if (is_same) {
    if (Status s = SizeFromStride(op, index, axis); !s.Ok()) return s;
  } else {
    return SizeFromPads(op, index, output_padding, axis);
  }
  int64_t total = 0;
  if (Status s = TotalPadding(op, index, output_padding, axis.output, axis, total); !s.Ok()) return s;
  // A negative total is also halved downwards. Of the possible readings of "/", only this one gives ONNX's own test
  // vectors. The first text puts the odd element on the other side than the later ones (see the top of this file).
  if ((auto_pad == AutoPad::kSameUpper) != is_first_text) {
    SplitFloorAtBegin(total, axis);
  } else {
    SplitFloorAtEnd(total, axis);
  }
  return SetPadsEndFromTotal(op, index, total, axis);
}

// Checks, like the library, that a forward convolution of the output with these pads gives the size of the data.
Status CheckInverse(const deconv_operator& op, int index, int64_t pads, const Axis& axis) {
  const Checked steps = Checked(axis.output) + pads - Extent(axis);
  if (!steps.Valid()) {
    return Fail(DECONV_OVERFLOW, "output_shape[%d] is %" PRId64 ", expected a sum with the pads that fits 64 bits (%s)",
                index, axis.output, Source(op));
  }
  if (axis.data == 0 || FloorDiv(steps.Value(), axis.stride) != axis.data - 1) {
    return Fail(DECONV_INVALID_OPERATOR,
                "output_shape[%d] is %" PRId64 ", expected one whose convolution has the %" PRId64
                " elements of data, and those not 0 (%s)",
                index, axis.output, axis.data, Source(op));
  }
  return {};
}

// Sets output size and pads of an axis as ONNX Runtime does. `axes` is the number of spatial axes.
Status ResolveAxisByLibrary(const deconv_operator& op, AutoPad auto_pad, int axes, int index, int64_t output_padding,
                            Axis& axis) {
  const bool has_output_shape = op.output_shape_attribute.values != nullptr;
  if (output_padding >= axis.stride) {
    return Fail(DECONV_INVALID_OPERATOR,
                "output_padding[%d] is %" PRId64 ", expected less than the stride %" PRId64 " (%s)", index,
                output_padding, axis.stride, Source(op));
  }
  if (!has_output_shape && (auto_pad == AutoPad::kExplicit || auto_pad == AutoPad::kValid)) {
    return SizeFromPads(op, index, output_padding, axis);
  }
  const deconv_list sizes = SpatialSizes(op, axes);
  const Checked wanted = has_output_shape ? Checked(sizes.values[index]) : Checked(axis.data) * axis.stride;
  const Checked excess = NaturalSize(op, axis, output_padding) - (wanted.Valid() ? wanted.Value() : 0);
  if (!wanted.Valid() || !excess.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "output: the total padding of spatial axis %d does not fit 64 bits, expected strides, dilations and "
                "dimensions whose formula does (%s)",
                index, Source(op));
  }
  const int64_t pads = std::max<int64_t>(excess.Value(), 0);
  // Without an output shape, the pads crop the natural size. If the pads are 0, the output has the natural size.
  axis.output = has_output_shape ? wanted.Value() : (NaturalSize(op, axis, output_padding) - pads).Value();
  if (axis.output < 1) {
    return Fail(DECONV_INVALID_OPERATOR, "output: the size of spatial axis %d is %" PRId64 ", expected 1 or more (%s)",
                index, axis.output, Source(op));
  }
  if (has_output_shape) {
    if (Status s = CheckInverse(op, index, pads, axis); !s.Ok()) return s;
  }
  if (auto_pad == AutoPad::kSameUpper) {
    SplitFloorAtBegin(pads, axis);
  } else {
    SplitFloorAtEnd(pads, axis);
  }
  int64_t total = 0;
  if (Status s = TotalPadding(op, index, output_padding, axis.output, axis, total); !s.Ok()) return s;
  return SetPadsEndFromTotal(op, index, total, axis);
}

}  // namespace

Status ResolveOnnx(const deconv_operator& op, Geometry& geometry) {
  AutoPad auto_pad = AutoPad::kExplicit;
  int64_t output_padding[kMaxAxes] = {};
  if (Status s = CheckTensors(op, 0, geometry); !s.Ok()) return s;
  if (!HasType(op)) {
    const bool tensorflow = op.dialect == DECONV_TENSORFLOW;
    return Fail(DECONV_INVALID_OPERATOR, "data: element type is %s, expected %s (%s, type constraint T)",
                TypeName(op.data.type),
                tensorflow ? "bf16, f16, f32, f64 or i32" : "f16, f32 or f64, or bf16 from set 22 on", Source(op));
  }
  if (op.has_output_shape != 0) {
    return Fail(DECONV_INVALID_OPERATOR, "output_shape: is given as an input, expected it as an attribute (%s, inputs)",
                Source(op));
  }
  if (Status s = CheckChannels(op, geometry); !s.Ok()) return s;
  if (Status s = ParseAutoPad(op, auto_pad); !s.Ok()) return s;
  if (Status s = CheckAttributes(op, false, geometry, output_padding); !s.Ok()) return s;
  const deconv_list sizes = SpatialSizes(op, geometry.axis_count);
  if (sizes.values != nullptr) {
    if (Status s = CheckList(op, sizes, "output_shape", geometry.axis_count, 1, "positive integers"); !s.Ok()) return s;
  }
  if (op.dialect == DECONV_TENSORFLOW) {
    if (Status s = CheckTensorFlow(op, auto_pad, geometry, output_padding); !s.Ok()) return s;
    for (int a = 0; a < geometry.axis_count; ++a) {
      if (Status s = ResolveTensorFlowAxis(op, auto_pad, a, geometry.axes[a]); !s.Ok()) return s;
    }
    return {};
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    Axis& axis = geometry.axes[a];
    if (Status s = op.dialect == DECONV_ONNXRUNTIME
                       ? ResolveAxisByLibrary(op, auto_pad, geometry.axis_count, a, output_padding[a], axis)
                       : ResolveAxisByText(op, auto_pad, a, output_padding[a], axis);
        !s.Ok()) {
      return s;
    }
  }
  return {};
}

}  // namespace deconv
