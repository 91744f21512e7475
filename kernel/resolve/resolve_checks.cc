// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the checks and formulas that the resolvers of all dialects share. A dialect is one reading of an
// operator's attributes, such as that of a document or of a library. A check fails with a message that names the
// argument and the rule. (The documents call the element types T1 and T2; the messages cite these names.)
#include <cinttypes>

#include "kernel/resolve/resolve_internal.h"

namespace deconv {

const char* DocumentName(deconv_kind kind) {
  switch (kind) {
    case DECONV_CONVOLUTION_BACKPROP_DATA:
      return "ConvolutionBackpropData-1";
    case DECONV_GROUP_CONVOLUTION_BACKPROP_DATA:
      return "GroupConvolutionBackpropData-1";
    case DECONV_CONVOLUTION_BACKWARD_DATA:
      return "ConvolutionBackwardData";
    default:
      return "ConvTranspose";
  }
}

const char* TypeName(deconv_type type) {
  static constexpr const char* names[] = {"undefined", "f64", "f32", "f16", "bf16", "i8",      "i16",   "i32",
                                          "i64",       "u8",  "u16", "u32", "u64",  "boolean", "string"};
  return type >= 0 && type <= DECONV_STRING ? names[type] : "an unknown type";
}

Status CheckTensors(const deconv_operator& op, int filter_extra_rank, Geometry& geometry) {
  const char* document = DocumentName(op.kind);
  if (ElementBytes(op.data.type) == 0) {
    return Fail(DECONV_INVALID_OPERATOR, "data: element type is %s (%" PRId32 "), expected a numeric type (%s, T1)",
                TypeName(op.data.type), op.data.type, document);
  }
  if (op.filter.type != op.data.type) {
    return Fail(DECONV_INVALID_OPERATOR, "filter: element type is %s, expected that of data, %s (%s, T1)",
                TypeName(op.filter.type), TypeName(op.data.type), document);
  }
  const size_t rank = op.data.dims.count;
  if (rank < 3 || rank > DECONV_MAX_RANK) {
    return Fail(DECONV_INVALID_OPERATOR, "data: rank is %zu, expected 3 to %d (%s, inputs)", rank, DECONV_MAX_RANK,
                document);
  }
  const size_t filter_rank = rank + static_cast<size_t>(filter_extra_rank);
  if (op.filter.dims.count != filter_rank) {
    return Fail(DECONV_INVALID_OPERATOR, "filter: rank is %zu, expected %zu for data of rank %zu (%s, inputs)",
                op.filter.dims.count, filter_rank, rank, document);
  }
  for (const auto* tensor : {&op.data, &op.filter}) {
    for (size_t i = 0; i < tensor->dims.count; ++i) {
      if (tensor->dims.values[i] < 0) {
        return Fail(DECONV_INVALID_OPERATOR, "%s: dimension %zu is %" PRId64 ", expected 0 or more (%s, inputs)",
                    tensor == &op.data ? "data" : "filter", i, tensor->dims.values[i], document);
      }
    }
  }
  geometry.type = op.data.type;
  geometry.axis_count = static_cast<int>(rank) - 2;
  return {};
}

Status CheckGroups(const deconv_operator& op, const char* name, int64_t channels, Geometry& geometry) {
  geometry.groups = op.has_groups != 0 ? op.groups : 1;
  if (geometry.groups < 1) {
    return Fail(DECONV_INVALID_OPERATOR, "%s: is %" PRId64 ", expected a positive integer (%s, attributes)", name,
                geometry.groups, DocumentName(op.kind));
  }
  if (channels % geometry.groups != 0) {
    return Fail(DECONV_INVALID_OPERATOR,
                "%s: %" PRId64 " does not divide the %" PRId64 " input channels, expected a divisor (%s, attributes)",
                name, geometry.groups, channels, DocumentName(op.kind));
  }
  return {};
}

Status CheckList(const deconv_operator& op, const deconv_list& list, const char* name, int count, int64_t least,
                 const char* range) {
  if (list.count != static_cast<size_t>(count)) {
    return Fail(DECONV_INVALID_OPERATOR, "%s: has %zu values, expected %d, one per spatial axis (%s, attributes)", name,
                list.count, count, DocumentName(op.kind));
  }
  for (size_t i = 0; i < list.count; ++i) {
    if (list.values[i] < least) {
      return Fail(DECONV_INVALID_OPERATOR, "%s[%zu] is %" PRId64 ", expected %s (%s, attributes)", name, i,
                  list.values[i], range, DocumentName(op.kind));
    }
  }
  return {};
}

Status CheckAttributes(const deconv_operator& op, bool required, Geometry& geometry, int64_t* output_padding) {
  struct Entry {
    const deconv_list& list;
    const char* name;
    int64_t least;           // the least valid value
    const char* range;       // the valid values, in words
    int64_t Axis::* member;  // null for output_padding, which is no member of Axis
  };
  const Entry entries[] = {
      {op.strides, "strides", 1, "positive integers", &Axis::stride},
      {op.dilations, "dilations", 1, "positive integers", &Axis::dilation},
      {op.pads_begin, "pads_begin", 0, "non-negative integers", &Axis::pads_begin},
      {op.pads_end, "pads_end", 0, "non-negative integers", &Axis::pads_end},
      {op.output_padding, "output_padding", 0, "non-negative integers", nullptr},
  };
  for (const Entry& entry : entries) {
    if (entry.list.values == nullptr) {
      if (required && entry.member != nullptr) {
        return Fail(DECONV_INVALID_OPERATOR, "%s: is absent, expected %d %s (%s, required attribute)", entry.name,
                    geometry.axis_count, entry.range, DocumentName(op.kind));
      }
      continue;
    }
    // oneDNN's library declares output_padding but never reads it. OpenVINO's library treats an empty list as absent,
    // and sets no lower bound for output_padding and pads_end.
    if (op.dialect == DECONV_ONEDNN_RUNTIME && entry.member == nullptr) continue;
    if (op.dialect == DECONV_OPENVINO_RUNTIME && entry.list.count == 0) continue;
    const bool is_padding_of_end = entry.member == nullptr || entry.member == &Axis::pads_end;
    const bool may_be_negative = op.dialect == DECONV_OPENVINO_RUNTIME && is_padding_of_end;
    if (Status s = CheckList(op, entry.list, entry.name, geometry.axis_count, may_be_negative ? INT64_MIN : entry.least,
                             may_be_negative ? "integers" : entry.range);
        !s.Ok()) {
      return s;
    }
    for (int a = 0; a < geometry.axis_count; ++a) {
      if (entry.member != nullptr) {
        geometry.axes[a].*entry.member = entry.list.values[a];
      } else {
        output_padding[a] = entry.list.values[a];
      }
    }
  }
  return {};
}

Status CheckShapeInput(const deconv_operator& op, const char* name, int count) {
  const char* document = DocumentName(op.kind);
  const deconv_type type = op.output_shape.type;
  const bool integral = type >= DECONV_I8 && type <= DECONV_U64;
  if (!integral) {
    return Fail(DECONV_INVALID_OPERATOR, "%s: element type is %s, expected an integer type (%s, T2)", name,
                TypeName(type), document);
  }
  const deconv_list& dims = op.output_shape.dims;
  if (dims.count != 1) {
    return Fail(DECONV_INVALID_OPERATOR, "%s: rank is %zu, expected 1 (%s, inputs)", name, dims.count, document);
  }
  if (dims.values[0] != count) {
    return Fail(DECONV_INVALID_OPERATOR, "%s: has %" PRId64 " elements, expected %d (%s, inputs)", name, dims.values[0],
                count, document);
  }
  if (op.output_shape_values.values == nullptr || op.output_shape_values.count != static_cast<size_t>(count)) {
    return Fail(DECONV_INVALID_ARGUMENT, "%s: %zu values are given for a tensor of %d elements, expected all of them",
                name, op.output_shape_values.values == nullptr ? 0 : op.output_shape_values.count, count);
  }
  // A value of u64 above INT64_MAX is negative in output_shape_values.
  for (int i = 0; type == DECONV_U64 && i < count; ++i) {
    if (op.output_shape_values.values[i] >= 0) continue;
    return Fail(DECONV_OVERFLOW, "%s[%d] is %" PRIu64 ", expected at most %" PRId64 " (%s, inputs)", name, i,
                static_cast<uint64_t>(op.output_shape_values.values[i]), INT64_MAX, document);
  }
  return {};
}

Status CheckTaps(const deconv_operator& op, const Geometry& geometry) {
  for (int a = 0; a < geometry.axis_count; ++a) {
    if (geometry.axes[a].kernel == 0) {
      return Fail(DECONV_INVALID_OPERATOR, "filter: spatial axis %d has size 0, expected 1 or more (%s, inputs)", a,
                  DocumentName(op.kind));
    }
  }
  return {};
}

Checked Extent(const Axis& axis) { return Checked(axis.dilation) * (Checked(axis.kernel) - 1) + 1; }

namespace {

// Returns the number of data elements that the size formula uses. For OpenVINO's library, 0 elements count as one.
int64_t CountedData(const deconv_operator& op, const Axis& axis) {
  return op.dialect == DECONV_OPENVINO_RUNTIME && axis.data == 0 ? 1 : axis.data;
}

}  // namespace

Checked NaturalSize(const deconv_operator& op, const Axis& axis, int64_t output_padding) {
  return Checked(axis.stride) * (Checked(CountedData(op, axis)) - 1) + Extent(axis) + output_padding;
}

Status SizeFromPads(const deconv_operator& op, int index, int64_t output_padding, Axis& axis) {
  const Checked size = NaturalSize(op, axis, output_padding) - axis.pads_begin - axis.pads_end;
  if (!size.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "output: the size of spatial axis %d does not fit 64 bits, expected strides, dilations, pads and "
                "dimensions whose size formula does (%s, output shape)",
                index, DocumentName(op.kind));
  }
  if (size.Value() < 1) {
    return Fail(DECONV_INVALID_OPERATOR,
                "output: the size of spatial axis %d is %" PRId64 "*(%" PRId64 "-1) + %" PRId64 "*(%" PRId64
                "-1)+1 - %" PRId64 " - %" PRId64 " + %" PRId64 " = %" PRId64 ", expected 1 or more (%s, output shape)",
                index, axis.stride, CountedData(op, axis), axis.dilation, axis.kernel, axis.pads_begin, axis.pads_end,
                output_padding, size.Value(), DocumentName(op.kind));
  }
  axis.output = size.Value();
  return {};
}

Status TotalPadding(const deconv_operator& op, int index, int64_t output_padding, int64_t output, const Axis& axis,
                    int64_t& total) {
  const Checked sum = NaturalSize(op, axis, output_padding) - output;
  if (!sum.Valid()) {
    return Fail(DECONV_OVERFLOW,
                "output: the total padding of spatial axis %d does not fit 64 bits, expected strides, dilations and "
                "dimensions whose formula does (%s, total_padding)",
                index, DocumentName(op.kind));
  }
  total = sum.Value();
  return {};
}

void SplitFloorAtBegin(int64_t total, Axis& axis) {
  axis.pads_begin = FloorDiv(total, 2);
  axis.pads_end = total - axis.pads_begin;
}

void SplitFloorAtEnd(int64_t total, Axis& axis) {
  axis.pads_end = FloorDiv(total, 2);
  axis.pads_begin = total - axis.pads_end;
}

Status SetPadsEndFromTotal(const deconv_operator& op, int index, int64_t total, Axis& axis) {
  const Checked rest = Checked(total) - axis.pads_begin;
  // A coordinate (an output index plus pads_begin) must fit 64 bits, too.
  if (!rest.Valid() || !(Checked(axis.output) + axis.pads_begin).Valid()) {
    return Fail(DECONV_OVERFLOW,
                "pads_begin[%d] is %" PRId64 ", expected one whose difference to the total padding %" PRId64
                " and sum with the output size fit 64 bits (%s, total_padding)",
                index, axis.pads_begin, total, DocumentName(op.kind));
  }
  axis.pads_end = rest.Value();
  return {};
}

}  // namespace deconv
