// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves OpenVINO's ConvolutionBackpropData-1 and GroupConvolutionBackpropData-1, by the formulas of the
// specification or as the runtime (the library) computes them. If an output_shape is given, both compute pads from it.
// The runtime differs: total pads below 0 count as 0, explicit pads are kept, and auto_pad "valid" has no pads at the
// beginning.
#include <algorithm>
#include <cinttypes>
#include <string_view>

#include "kernel/resolve/resolve_internal.h"

namespace deconv {
namespace {

// The runtime's shape inference accepts at most three spatial axes.
constexpr int kMostRuntimeAxes = 3;

// Returns whether `text` is `lower_case`, apart from the case of its letters.
bool EqualsIgnoringCase(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

Status ParseAutoPad(const deconv_operator& op, AutoPad& auto_pad) {
  auto_pad = AutoPad::kExplicit;
  if (op.auto_pad == nullptr || EqualsIgnoringCase(op.auto_pad, "explicit")) return {};
  if (EqualsIgnoringCase(op.auto_pad, "same_upper")) {
    auto_pad = AutoPad::kSameUpper;
  } else if (EqualsIgnoringCase(op.auto_pad, "same_lower")) {
    auto_pad = AutoPad::kSameLower;
  } else if (EqualsIgnoringCase(op.auto_pad, "valid")) {
    auto_pad = AutoPad::kValid;
  } else {
    return Fail(DECONV_INVALID_OPERATOR,
                "auto_pad: is \"%.64s\", expected explicit, same_upper, same_lower or valid (%s, attributes)",
                op.auto_pad, DocumentName(op.kind));
  }
  return {};
}

// Checks the channels of data and filter, and sets batch, groups, channels, data sizes and kernel sizes.
Status CheckChannels(const deconv_operator& op, Geometry& geometry) {
  const int64_t* data = op.data.dims.values;
  const int64_t* filter = op.filter.dims.values;
  geometry.batch = data[0];
  if (op.kind == DECONV_GROUP_CONVOLUTION_BACKPROP_DATA) {
    geometry.groups = *filter++;  // a filter of groups has one more dimension in front
    if (geometry.groups < 1) {
      return Fail(DECONV_INVALID_OPERATOR,
                  "filter: GROUPS (dimension 0) is %" PRId64 ", expected 1 or more (%s, inputs)", geometry.groups,
                  DocumentName(op.kind));
    }
  }
  geometry.in_channels = filter[0];
  geometry.out_channels = filter[1];
  const Checked expected = Checked(geometry.groups) * geometry.in_channels;
  if (!expected.Valid() || expected.Value() != data[1]) {
    return Fail(DECONV_INVALID_OPERATOR,
                "data: has %" PRId64 " channels, expected %" PRId64 " group(s) of %" PRId64
                " as the filter says (%s, inputs)",
                data[1], geometry.groups, geometry.in_channels, DocumentName(op.kind));
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    geometry.axes[a].data = data[2 + a];
    geometry.axes[a].kernel = filter[2 + a];
  }
  return CheckTaps(op, geometry);
}

// Splits the total padding by the specification: pads_begin = total // 2, but for SAME_UPPER pads_end = total // 2.
void SplitBySpecification(int64_t total, AutoPad auto_pad, Axis& axis) {
  if (auto_pad == AutoPad::kSameUpper) {
    SplitFloorAtEnd(total, axis);
  } else {
    SplitFloorAtBegin(total, axis);
  }
}

// Sets the pads of an axis with an output_shape, as the runtime's shape inference does.
Status SplitByRuntime(const deconv_operator& op, int index, int64_t total, AutoPad auto_pad, Axis& axis) {
  if (auto_pad == AutoPad::kValid) {
    axis.pads_begin = 0;
  } else if (auto_pad != AutoPad::kExplicit) {
    SplitBySpecification(std::max<int64_t>(total, 0), auto_pad, axis);
  }
  return SetPadsEndFromTotal(op, index, total, axis);
}

}  // namespace

Status ResolveOpenVino(const deconv_operator& op, Geometry& geometry) {
  const int extra_rank_of_filter = op.kind == DECONV_GROUP_CONVOLUTION_BACKPROP_DATA ? 1 : 0;
  AutoPad auto_pad = AutoPad::kExplicit;
  int64_t output_padding[kMaxAxes] = {};
  if (Status s = CheckTensors(op, extra_rank_of_filter, geometry); !s.Ok()) return s;
  if (op.dialect == DECONV_OPENVINO_RUNTIME && geometry.axis_count > kMostRuntimeAxes) {
    return Fail(DECONV_INVALID_OPERATOR, "data: rank is %d, expected 3 to %d (OpenVINO's shape inference of %s)",
                geometry.axis_count + 2, kMostRuntimeAxes + 2, DocumentName(op.kind));
  }
  if (Status s = CheckChannels(op, geometry); !s.Ok()) return s;
  if (Status s = ParseAutoPad(op, auto_pad); !s.Ok()) return s;
  // The table of the specification says that strides, dilations and pads are required. The text says that they may be
  // omitted, with the defaults 1 and 0. They are optional here.
  if (Status s = CheckAttributes(op, false, geometry, output_padding); !s.Ok()) return s;
  if (op.has_output_shape != 0) {
    if (Status s = CheckShapeInput(op, "output_shape", geometry.axis_count); !s.Ok()) return s;
    if (Status s = CheckList(op, op.output_shape_values, "output_shape", geometry.axis_count, 1, "positive integers");
        !s.Ok()) {
      return s;
    }
  }
  for (int a = 0; a < geometry.axis_count; ++a) {
    Axis& axis = geometry.axes[a];
    if (op.has_output_shape == 0) {
      if (auto_pad != AutoPad::kExplicit) axis.pads_begin = axis.pads_end = 0;
      if (Status s = SizeFromPads(op, a, output_padding[a], axis); !s.Ok()) return s;
      continue;
    }
    axis.output = op.output_shape_values.values[a];
    int64_t total = 0;
    if (Status s = TotalPadding(op, a, output_padding[a], axis.output, axis, total); !s.Ok()) return s;
    if (op.dialect == DECONV_OPENVINO_RUNTIME) {
      if (Status s = SplitByRuntime(op, a, total, auto_pad, axis); !s.Ok()) return s;
    } else {
      SplitBySpecification(total, auto_pad, axis);
    }
  }
  return {};
}

}  // namespace deconv
