// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// ConvTranspose, opset 11 as its text stands since 2021: SAME_* gives input * stride, the odd element goes to the
// beginning unless SAME_UPPER, a negative total leaves the data first (the standard's own test
// convtranspose_output_shape).
#include <algorithm>
#include <cinttypes>
#include <string_view>

#include "kernel/resolve_internal.h"

namespace deconv {
namespace {

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
                "auto_pad: is \"%.64s\", expected NOTSET, SAME_UPPER, SAME_LOWER or VALID (%s-11, attributes)",
                op.auto_pad, DocumentName(op.kind));
  }
  if (auto_pad != AutoPad::kExplicit && (op.pads_begin.values != nullptr || op.pads_end.values != nullptr)) {
    return Fail(DECONV_INVALID_OPERATOR,
                "pads: given together with auto_pad %s, expected only one of them (%s-11, attribute pads)", op.auto_pad,
                DocumentName(op.kind));
  }
  return {};
}

Status CheckChannels(const deconv_operator& op, Geometry& geometry) {
  const int64_t* data = op.data.dims.values;
  const int64_t* filter = op.filter.dims.values;
  geometry.batch = data[0];
  if (Status s = CheckGroups(op, "group", data[1], geometry); !s.Ok()) return s;
  if (filter[0] != data[1]) {
    return Fail(DECONV_INVALID_OPERATOR,
                "filter: C (dimension 0) is %" PRId64 ", expected the %" PRId64 " channels of data (%s-11, inputs)",
                filter[0], data[1], DocumentName(op.kind));
  }
  geometry.in_channels = data[1] / geometry.groups;
  geometry.out_channels = filter[1];
  for (int a = 0; a < geometry.axis_count; ++a) {
    geometry.axes[a].data = data[2 + a];
    geometry.axes[a].kernel = filter[2 + a];
  }
  if (op.kernel_shape.values == nullptr) return {};
  if (Status s = CheckList(op, op.kernel_shape, "kernel_shape", geometry.axis_count, 1, "positive integers"); !s.Ok()) {
    return s;
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    if (op.kernel_shape.values[a] != geometry.axes[a].kernel) {
      return Fail(DECONV_INVALID_OPERATOR,
                  "kernel_shape: value %d is %" PRId64 ", expected the filter's %" PRId64 " (%s-11, attributes)", a,
                  op.kernel_shape.values[a], geometry.axes[a].kernel, DocumentName(op.kind));
    }
  }
  return {};
}

Status ResolveAxis(const deconv_operator& op, AutoPad auto_pad, int index, int64_t output_padding, Axis& axis) {
  const bool same = auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower;
  if (op.output_shape_attribute.values != nullptr) {
    axis.output = op.output_shape_attribute.values[index];
  } else if (same) {
    const Checked size = Checked(axis.data) * axis.stride;
    if (!size.Valid() || size.Value() < 1) {
      return Fail(size.Valid() ? DECONV_INVALID_OPERATOR : DECONV_OVERFLOW,
                  "output: the size of spatial axis %d is %" PRId64 " * stride %" PRId64
                  ", expected 1 or more and within 64 bits (%s-11, auto_pad)",
                  index, axis.data, axis.stride, DocumentName(op.kind));
    }
    axis.output = size.Value();
  } else {
    return SizeFromPads(op, index, output_padding, axis);
  }
  int64_t total = 0;
  if (Status s = TotalPadding(op, index, output_padding, axis.output, axis, total); !s.Ok()) return s;
  // A negative total is halved downwards, too: of the literal readings of "/" the one that gives ONNX's own test
  // vectors.
  if (auto_pad == AutoPad::kSameUpper) {
    SplitFloorAtBegin(total, axis);
  } else {
    SplitFloorAtEnd(total, axis);
  }
  return RestAtEnd(op, index, total, axis);
}

}  // namespace

Status ResolveOnnx(const deconv_operator& op, Geometry& geometry) {
  AutoPad auto_pad = AutoPad::kExplicit;
  int64_t output_padding[kMaxAxes] = {};
  if (Status s = CheckTensors(op, 0, geometry); !s.Ok()) return s;
  if (op.data.type != DECONV_F16 && op.data.type != DECONV_F32 && op.data.type != DECONV_F64) {
    return Fail(DECONV_INVALID_OPERATOR,
                "data: element type is %s, expected f16, f32 or f64 (%s-11, type constraint T)", TypeName(op.data.type),
                DocumentName(op.kind));
  }
  if (op.has_output_shape != 0) {
    return Fail(DECONV_INVALID_OPERATOR, "output_shape: given as an input, expected the attribute (%s-11, inputs)",
                DocumentName(op.kind));
  }
  if (Status s = CheckChannels(op, geometry); !s.Ok()) return s;
  if (Status s = ParseAutoPad(op, auto_pad); !s.Ok()) return s;
  if (Status s = CheckAttributes(op, false, geometry, output_padding); !s.Ok()) return s;
  if (op.output_shape_attribute.values != nullptr) {
    if (Status s =
            CheckList(op, op.output_shape_attribute, "output_shape", geometry.axis_count, 1, "positive integers");
        !s.Ok()) {
      return s;
    }
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    if (Status s = ResolveAxis(op, auto_pad, a, output_padding[a], geometry.axes[a]); !s.Ok()) return s;
  }
  return {};
}

}  // namespace deconv
