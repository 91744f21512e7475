// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves an operator: checks that its dialect and attributes belong to its kind, and calls the resolver for OpenVINO,
// oneDNN or ONNX. Then derives strides and sizes in bytes from the resolved axes. A dialect is one reading of the
// attributes, such as that of a document or of a library.
#include "kernel/resolve/resolve.h"

#include <cinttypes>
#include <cstddef>
#include <cstdint>

#include "kernel/base/checked.h"
#include "kernel/base/tagged_struct.h"
#include "kernel/resolve/resolve_internal.h"

namespace deconv {
namespace {

// Refuses structs, layouts and lists that no caller may pass, whatever the operator is.
Status CheckArguments(const deconv_operator& op, deconv_layout layout) {
  // This struct has not grown since the first version. ReadTagged() is for structs that have grown.
  if (Status s = CheckTagged("operator", &op, sizeof(op), sizeof(op)); !s.Ok()) return s;
  if (layout != DECONV_NCX && layout != DECONV_NXC) {
    return Fail(DECONV_INVALID_ARGUMENT, "layout: is %" PRId32 ", expected DECONV_NCX or DECONV_NXC", layout);
  }
  const deconv_tensor* const tensors[] = {&op.data, &op.filter, &op.output_shape};
  const char* const names[] = {"data", "filter", "output_shape"};
  for (size_t i = 0; i < 3; ++i) {
    if (tensors[i]->reserved != 0) {
      return Fail(DECONV_INVALID_ARGUMENT, "%s: reserved is %" PRId32 ", expected 0", names[i], tensors[i]->reserved);
    }
    if (tensors[i]->dims.count > 0 && tensors[i]->dims.values == nullptr) {
      return Fail(DECONV_INVALID_ARGUMENT, "%s: dims has %zu values behind a null pointer, expected a pointer to them",
                  names[i], tensors[i]->dims.count);
    }
  }
  struct {
    const char* name;
    const deconv_list& list;
  } const lists[] = {
      {"output_shape_values", op.output_shape_values},
      {"strides", op.strides},
      {"dilations", op.dilations},
      {"pads_begin", op.pads_begin},
      {"pads_end", op.pads_end},
      {"output_padding", op.output_padding},
      {"dst_shape", op.dst_shape},
      {"kernel_shape", op.kernel_shape},
      {"output_shape_attribute", op.output_shape_attribute},
  };
  for (const auto& [name, list] : lists) {
    if (list.values != nullptr || list.count == 0) continue;
    return Fail(DECONV_INVALID_ARGUMENT,
                "%s: has %zu values behind a null pointer, expected a pointer to them, or a count of 0 if it is absent",
                name, list.count);
  }
  return {};
}

// Refuses a dialect that does not define operators of this kind.
Status CheckKindAndDialect(const deconv_operator& op) {
  bool fits = false;
  const char* expected = "";
  switch (op.kind) {
    case DECONV_CONVOLUTION_BACKPROP_DATA:
    case DECONV_GROUP_CONVOLUTION_BACKPROP_DATA:
      expected = "DECONV_OPENVINO_SPEC (1) or DECONV_OPENVINO_RUNTIME (2)";
      fits = op.dialect == DECONV_OPENVINO_SPEC || op.dialect == DECONV_OPENVINO_RUNTIME;
      break;
    case DECONV_CONVOLUTION_BACKWARD_DATA:
      expected = "DECONV_ONEDNN_SPEC (3) or DECONV_ONEDNN_RUNTIME (4)";
      fits = op.dialect == DECONV_ONEDNN_SPEC || op.dialect == DECONV_ONEDNN_RUNTIME;
      break;
    case DECONV_CONV_TRANSPOSE:
      expected =
          "DECONV_ONNX_1 (5), DECONV_ONNX_11 (6), DECONV_ONNXRUNTIME (7), DECONV_ONNX_22 (8) or DECONV_TENSORFLOW (9)";
      fits = op.dialect >= DECONV_ONNX_1 && op.dialect <= DECONV_TENSORFLOW;
      break;
    default:
      return Fail(DECONV_INVALID_ARGUMENT, "kind: is %" PRId32 ", expected 1 to 4, a value of deconv_kind", op.kind);
  }
  if (!fits) {
    return Fail(DECONV_INVALID_ARGUMENT, "dialect: is %" PRId32 ", expected %s for %s", op.dialect, expected,
                DocumentName(op.kind));
  }
  return {};
}

// Refuses attributes that the operator does not have. They are a mistake of the caller, which must not be hidden.
Status CheckForeignAttributes(const deconv_operator& op) {
  const bool onednn = op.kind == DECONV_CONVOLUTION_BACKWARD_DATA;
  const bool onnx = op.kind == DECONV_CONV_TRANSPOSE;
  const char* foreign = nullptr;
  if (!onednn && op.data_format != nullptr) foreign = "data_format";
  if (!onednn && op.weights_format != nullptr) foreign = "weights_format";
  if (!onednn && op.dst_shape.values != nullptr) foreign = "dst_shape";
  if (!onnx && op.kernel_shape.values != nullptr) foreign = "kernel_shape";
  if (!onnx && op.output_shape_attribute.values != nullptr) foreign = "output_shape_attribute";
  if (!onednn && !onnx && op.has_groups != 0) foreign = "groups";
  if (foreign == nullptr) return {};
  return Fail(DECONV_INVALID_OPERATOR, "%s: is given, expected it to be absent: not an attribute of %s", foreign,
              DocumentName(op.kind));
}

// Sets the strides, positions and bytes of the data or of the output, [N, C, spatial] or [N, spatial, C]. C counts the
// channels of all groups. `size` is the member of Axis with the elements of the tensor. Returns false if a size does
// not fit.
bool DescribeTensor(const Geometry& geometry, int64_t channels_per_group, int64_t Axis::* size, TensorStrides& strides,
                    int64_t& positions, size_t& bytes) {
  // `all_bytes` takes sizes of 0 as 1. So the product of any sizes of the tensor fits 64 bits in later code, even if
  // the tensor is empty.
  const auto at_least_one = [](int64_t value) { return value == 0 ? 1 : value; };
  Checked count = 1;
  Checked all_bytes = Checked(geometry.groups) * at_least_one(channels_per_group) * at_least_one(geometry.batch) *
                      static_cast<int64_t>(ElementBytes(geometry.type));
  for (int a = 0; a < geometry.axis_count; ++a) {
    count = count * (geometry.axes[a].*size);
    all_bytes = all_bytes * at_least_one(geometry.axes[a].*size);
  }
  if (!count.Valid() || !all_bytes.Valid() || all_bytes.Value() > PTRDIFF_MAX) return false;
  const int64_t channels = geometry.groups * channels_per_group;
  positions = count.Value();
  strides.batch = channels * positions;
  strides.channel = geometry.channels_last ? 1 : positions;
  strides.position = geometry.channels_last ? channels : 1;
  bytes = static_cast<size_t>(geometry.batch * channels * positions) * ElementBytes(geometry.type);
  return true;
}

// Sets taps, bytes and strides of the filter. Returns false if its size does not fit. Its order in memory, from the
// slowest to the fastest index, is [group, input channel, output channel, tap]. For oneDNN's XIO it is [tap, output
// channel, group, input channel]: oneDNN names channels after the forward convolution, so O are the input channels
// here.
bool DescribeFilter(const deconv_operator& op, Geometry& geometry) {
  Checked taps = 1;
  for (int a = 0; a < geometry.axis_count; ++a) taps = taps * geometry.axes[a].kernel;
  const int64_t in = geometry.in_channels;
  const int64_t out = geometry.out_channels;
  const Checked all_bytes = taps * (in == 0 ? 1 : in) * (out == 0 ? 1 : out) * geometry.groups *
                            static_cast<int64_t>(ElementBytes(geometry.type));
  if (!all_bytes.Valid() || all_bytes.Value() > PTRDIFF_MAX) return false;
  geometry.taps = taps.Value();
  geometry.filter_bytes = static_cast<size_t>(geometry.groups * in * out * taps.Value()) * ElementBytes(geometry.type);
  const bool is_xio =
      op.kind == DECONV_CONVOLUTION_BACKWARD_DATA && (op.weights_format == nullptr || op.weights_format[0] == 'X');
  if (is_xio) {
    geometry.filter_strides = {in, 1, geometry.groups * in, out * geometry.groups * in};
  } else {
    geometry.filter_strides = {in * out * taps.Value(), out * taps.Value(), taps.Value(), 1};
  }
  return true;
}

// Derives strides, sizes in bytes and the shape of the output. Fails if a tensor does not fit the address space.
Status Complete(const deconv_operator& op, Geometry& geometry) {
  const char* too_large = nullptr;
  if (!DescribeTensor(geometry, geometry.in_channels, &Axis::data, geometry.data_strides, geometry.data_positions,
                      geometry.data_bytes)) {
    too_large = "data";
  } else if (!DescribeFilter(op, geometry)) {
    too_large = "filter";
  } else if (!DescribeTensor(geometry, geometry.out_channels, &Axis::output, geometry.output_strides,
                             geometry.output_positions, geometry.output_bytes)) {
    too_large = "output";
  }
  if (too_large != nullptr) {
    return Fail(DECONV_OVERFLOW, "%s: its bytes do not fit this machine's address space, expected at most %td",
                too_large, PTRDIFF_MAX);
  }
  // Only oneDNN describes shapes in the order of memory. All others have the channels behind the batch in any layout.
  const bool channels_are_last = op.kind == DECONV_CONVOLUTION_BACKWARD_DATA && geometry.channels_last;
  geometry.output_dims[0] = geometry.batch;
  geometry.output_dims[channels_are_last ? static_cast<size_t>(geometry.axis_count) + 1 : 1] =
      geometry.groups * geometry.out_channels;
  for (int a = 0; a < geometry.axis_count; ++a) {
    geometry.output_dims[static_cast<size_t>(a) + (channels_are_last ? 1 : 2)] = geometry.axes[a].output;
  }
  return {};
}

}  // namespace

Status Resolve(const deconv_operator& op, deconv_layout layout, Geometry& geometry) {
  geometry = Geometry();
  if (Status s = CheckArguments(op, layout); !s.Ok()) return s;
  if (Status s = CheckKindAndDialect(op); !s.Ok()) return s;
  if (Status s = CheckForeignAttributes(op); !s.Ok()) return s;
  Status resolved;
  switch (op.kind) {
    case DECONV_CONVOLUTION_BACKWARD_DATA:
      resolved = ResolveOneDnn(op, geometry);
      break;
    case DECONV_CONV_TRANSPOSE:
      geometry.channels_last = layout == DECONV_NXC;
      resolved = ResolveOnnx(op, geometry);
      break;
    default:
      geometry.channels_last = layout == DECONV_NXC;
      resolved = ResolveOpenVino(op, geometry);
      break;
  }
  if (!resolved.Ok()) return resolved;
  return Complete(op, geometry);
}

}  // namespace deconv
