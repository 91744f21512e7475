// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves oneDNN's ConvolutionBackwardData, by the formulas of its document (dialect onednn-spec) or as the library
// computes it (onednn-runtime). Names follow the forward convolution: diff_dst is the data of this operator, and dst is
// its output. dst_shape is the whole shape of dst. The default layouts are NXC for data (batch, spatial axes, channels)
// and XIO for the filter (spatial axes, output channels, input channels of this operator). The types are f32, bf16 and
// f16.
#include <algorithm>
#include <cinttypes>
#include <string_view>

#include "kernel/resolve/resolve_internal.h"

namespace deconv {
namespace {

// The library computes at most three spatial axes.
constexpr int kMostRuntimeAxes = 3;

bool IsRuntime(const deconv_operator& op) { return op.dialect == DECONV_ONEDNN_RUNTIME; }

// Reads auto_pad. The library accepts only None, SAME_UPPER, SAME_LOWER and VALID. The document writes lower case.
Status ParseAutoPad(const deconv_operator& op, AutoPad& auto_pad) {
  const std::string_view text = op.auto_pad == nullptr ? "None" : op.auto_pad;
  if (IsRuntime(op) && text != "None" && text != "SAME_UPPER" && text != "SAME_LOWER" && text != "VALID") {
    return Fail(DECONV_INVALID_OPERATOR,
                "auto_pad: is \"%.64s\", expected None, SAME_UPPER, SAME_LOWER or VALID (oneDNN's schema of %s)",
                op.auto_pad, DocumentName(op.kind));
  }
  if (text == "none" || text == "None" || text == "NONE") {
    auto_pad = AutoPad::kExplicit;
  } else if (text == "same_upper" || text == "SAME_UPPER") {
    auto_pad = AutoPad::kSameUpper;
  } else if (text == "same_lower" || text == "SAME_LOWER") {
    auto_pad = AutoPad::kSameLower;
  } else if (text == "valid" || text == "VALID") {
    auto_pad = AutoPad::kValid;
  } else {
    return Fail(DECONV_INVALID_OPERATOR,
                "auto_pad: is \"%.64s\", expected none, same_upper, same_lower or valid (%s, attributes)", op.auto_pad,
                DocumentName(op.kind));
  }
  return {};
}

// Reads the attribute `name` with the value `text`, which is `standard` or `other`. An absent text stands for
// `standard`.
Status ParseFormat(const deconv_operator& op, const char* name, const char* text, const char* standard,
                   const char* other, bool& is_other) {
  if (text != nullptr && std::string_view(text) != standard && std::string_view(text) != other) {
    return Fail(DECONV_INVALID_OPERATOR, "%s: is \"%.64s\", expected %s or %s (%s, attributes)", name, text, other,
                standard, DocumentName(op.kind));
  }
  is_other = text != nullptr && std::string_view(text) == other;
  return {};
}

// Checks the channels of data and filter, and sets batch, groups, channels, data sizes and kernel sizes. `ncx` and
// `oix` say that data and filter have these layouts instead of the default ones.
Status CheckChannels(const deconv_operator& op, bool ncx, bool oix, Geometry& geometry) {
  const int axes = geometry.axis_count;
  const int64_t* data = op.data.dims.values;
  const int64_t* filter = op.filter.dims.values;
  const int64_t channels = ncx ? data[1] : data[1 + axes];
  // Names follow the forward convolution. Its output channels are the channels of diff_dst, this operator's data.
  const int64_t forward_out = oix ? filter[0] : filter[axes + 1];
  const int64_t forward_in = oix ? filter[1] : filter[axes];
  geometry.batch = data[0];
  if (Status s = CheckGroups(op, "groups", channels, geometry); !s.Ok()) return s;
  if (forward_out != channels) {
    return Fail(DECONV_INVALID_OPERATOR,
                "filter: out_channels is %" PRId64 ", expected the %" PRId64 " channels of diff_dst (%s, inputs)",
                forward_out, channels, DocumentName(op.kind));
  }
  geometry.in_channels = channels / geometry.groups;
  geometry.out_channels = forward_in;
  for (int a = 0; a < axes; ++a) {
    geometry.axes[a].data = data[(ncx ? 2 : 1) + a];
    geometry.axes[a].kernel = filter[(oix ? 2 : 0) + a];
  }
  return CheckTaps(op, geometry);
}

// Checks the attribute dst_shape: its length, and that its spatial sizes are positive.
Status CheckDstAttribute(const deconv_list& shape, int rank, bool ncx) {
  if (shape.count != static_cast<size_t>(rank)) {
    return Fail(DECONV_INVALID_OPERATOR,
                "dst_shape: has %zu values, expected %d: the full shape of dst (ConvolutionBackwardData, attributes)",
                shape.count, rank);
  }
  for (int i = 1; i < rank; ++i) {
    if (i != (ncx ? 1 : rank - 1) && shape.values[i] < 1) {
      return Fail(DECONV_INVALID_OPERATOR,
                  "dst_shape[%d] is %" PRId64 ", expected positive values (ConvolutionBackwardData, attributes)", i,
                  shape.values[i]);
    }
  }
  return {};
}

// Checks dst_shape, the full shape of the output, and sets the output sizes of the axes.
Status CheckDstShape(const deconv_operator& op, bool ncx, Geometry& geometry) {
  const int rank = geometry.axis_count + 2;
  const char* document = DocumentName(op.kind);
  if (op.has_output_shape == 0 && op.dst_shape.values == nullptr) {
    return Fail(DECONV_INVALID_OPERATOR,
                "dst_shape: is absent, expected it as third input or as attribute (%s, inputs)", document);
  }
  if (op.has_output_shape != 0) {
    // The input overrules the attribute, which must still have a valid length and range.
    if (op.dst_shape.values != nullptr) {
      if (Status s = CheckDstAttribute(op.dst_shape, rank, ncx); !s.Ok()) return s;
    }
    if (Status s = CheckShapeInput(op, "dst_shape input", rank); !s.Ok()) return s;
  }
  const deconv_list& shape = op.has_output_shape != 0 ? op.output_shape_values : op.dst_shape;
  if (shape.count != static_cast<size_t>(rank)) {
    return Fail(DECONV_INVALID_OPERATOR,
                "dst_shape: has %zu values, expected %d: the full shape of dst (%s, attributes)", shape.count, rank,
                document);
  }
  const int channel_index = ncx ? 1 : rank - 1;
  const Checked channels = Checked(geometry.groups) * geometry.out_channels;
  if (!channels.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "filter: groups times in_channels does not fit 64 bits, expected a product that does (%s, inputs)",
                document);
  }
  for (int i = 0; i < rank; ++i) {
    if (i == 0 || i == channel_index) {
      const int64_t expected = i == 0 ? geometry.batch : channels.Value();
      if (shape.values[i] != expected) {
        return Fail(DECONV_INVALID_OPERATOR, "dst_shape[%d] (%s) is %" PRId64 ", expected %" PRId64 " (%s, inputs)", i,
                    i == 0 ? "N" : "C", shape.values[i], expected, document);
      }
    } else if (shape.values[i] < 1) {
      return Fail(DECONV_INVALID_OPERATOR, "dst_shape[%d] is %" PRId64 ", expected positive values (%s, attributes)", i,
                  shape.values[i], document);
    }
  }
  for (int a = 0; a < geometry.axis_count; ++a) geometry.axes[a].output = shape.values[(ncx ? 2 : 1) + a];
  return {};
}

// Refuses more axes than the library computes.
Status CheckRuntimeRank(const Geometry& geometry) {
  if (geometry.axis_count > kMostRuntimeAxes) {
    return Fail(DECONV_INVALID_OPERATOR, "data: rank is %d, expected 3 to %d (oneDNN's convolution)",
                geometry.axis_count + 2, kMostRuntimeAxes + 2);
  }
  return {};
}

// Sets the pads of an axis by the document's formulas, which start from the size of the data. SAME_UPPER puts an odd
// pad at the beginning. (The library puts it at the end, see PadsByLibrary.)
Status PadsBySpecification(const deconv_operator& op, AutoPad auto_pad, int index, int64_t output_padding, Axis& axis) {
  int64_t total = 0;
  if (Status s = TotalPadding(op, index, output_padding, axis.output, axis, total); !s.Ok()) return s;
  switch (auto_pad) {
    case AutoPad::kSameLower:
      SplitFloorAtBegin(total, axis);
      return {};
    case AutoPad::kSameUpper:
      SplitFloorAtEnd(total, axis);
      return {};
    case AutoPad::kValid:
      axis.pads_begin = 0;
      return SetPadsEndFromTotal(op, index, total, axis);
    case AutoPad::kExplicit:
      // The document does not relate explicit pads to dst_shape. So pads_begin is as given, and the size is dst_shape.
      return SetPadsEndFromTotal(op, index, total, axis);
  }
  return {};
}

// Sets the pads of an axis by the library's formulas. They start from the size of the output and ignore the size of
// diff_dst (the data). So the library checks afterwards that the forward convolution of this output gives that size.
// Example: output 6, kernel 3, stride 2, SAME_UPPER. The last window of the forward convolution covers last_step = 2
// outputs and 3 - 2 = 1 pad, which goes to the end. The forward convolution has (6 - 3 + 1) / 2 + 1 = 3 elements.
Status PadsByLibrary(const deconv_operator& op, AutoPad auto_pad, int index, Axis& axis) {
  int64_t total = 0;
  if (Status s = TotalPadding(op, index, 0, axis.output, axis, total); !s.Ok()) return s;
  const Checked window = Extent(axis);
  if (!window.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "filter: %" PRId64 " taps of dilation %" PRId64
                " along spatial axis %d, expected a length that fits 64 bits (oneDNN's convolution)",
                axis.kernel, axis.dilation, index);
  }
  if (auto_pad == AutoPad::kValid) {
    axis.pads_begin = axis.pads_end = 0;
  } else if (auto_pad != AutoPad::kExplicit) {
    const int64_t last_step = (axis.output - 1) % axis.stride + 1;  // 1 to stride
    const int64_t pads = std::max<int64_t>(window.Value() - last_step, 0);
    if (auto_pad == AutoPad::kSameUpper) {
      SplitFloorAtBegin(pads, axis);
    } else {
      SplitFloorAtEnd(pads, axis);
    }
  }
  const Checked slack = Checked(axis.output) - window + axis.pads_begin + axis.pads_end;
  if (!slack.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "pads: %" PRId64 " and %" PRId64
                " of spatial axis %d, expected a sum with the output size that fits "
                "64 bits (oneDNN's convolution)",
                axis.pads_begin, axis.pads_end, index);
  }
  // The library's division rounds towards 0.
  const Checked steps = Checked(slack.Value() / axis.stride) + 1;
  if (!steps.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "dst_shape: spatial axis %d of size %" PRId64 " has a forward convolution of size %" PRId64
                " / %" PRId64 " + 1, expected a number that fits 64 bits (oneDNN's convolution)",
                index, axis.output, slack.Value(), axis.stride);
  }
  const int64_t forward = steps.Value();
  if (forward != axis.data) {
    return Fail(DECONV_INVALID_OPERATOR,
                "dst_shape: spatial axis %d of size %" PRId64 " has a forward convolution of size (%" PRId64
                " - %" PRId64 " + %" PRId64 " + %" PRId64 ") / %" PRId64 " + 1 = %" PRId64 ", expected %" PRId64
                ", the size of diff_dst (oneDNN's convolution)",
                index, axis.output, axis.output, window.Value(), axis.pads_begin, axis.pads_end, axis.stride, forward,
                axis.data);
  }
  return SetPadsEndFromTotal(op, index, total, axis);
}

}  // namespace

Status ResolveOneDnn(const deconv_operator& op, Geometry& geometry) {
  AutoPad auto_pad = AutoPad::kExplicit;
  bool ncx = false;
  bool oix = false;
  int64_t output_padding[kMaxAxes] = {};
  if (Status s = CheckTensors(op, 0, geometry); !s.Ok()) return s;
  if (op.data.type != DECONV_F32 && op.data.type != DECONV_BF16 && op.data.type != DECONV_F16) {
    return Fail(DECONV_INVALID_OPERATOR,
                "data: element type is %s, expected f32, bf16 or f16 (%s, supported data types)",
                TypeName(op.data.type), DocumentName(op.kind));
  }
  if (Status s = ParseFormat(op, "data_format", op.data_format, "NXC", "NCX", ncx); !s.Ok()) return s;
  if (Status s = ParseFormat(op, "weights_format", op.weights_format, "XIO", "OIX", oix); !s.Ok()) return s;
  if (Status s = CheckChannels(op, ncx, oix, geometry); !s.Ok()) return s;
  if (Status s = ParseAutoPad(op, auto_pad); !s.Ok()) return s;
  if (Status s = CheckAttributes(op, true, geometry, output_padding); !s.Ok()) return s;
  if (Status s = CheckDstShape(op, ncx, geometry); !s.Ok()) return s;
  if (IsRuntime(op)) {
    if (Status s = CheckRuntimeRank(geometry); !s.Ok()) return s;
  }
  geometry.channels_last = !ncx;
  for (int a = 0; a < geometry.axis_count; ++a) {
    Axis& axis = geometry.axes[a];
    // The library's schema has output_padding, but its code ignores it.
    if (Status s = IsRuntime(op) ? PadsByLibrary(op, auto_pad, a, axis)
                                 : PadsBySpecification(op, auto_pad, a, output_padding[a], axis);
        !s.Ok()) {
      return s;
    }
  }
  return {};
}

}  // namespace deconv
