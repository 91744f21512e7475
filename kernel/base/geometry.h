// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The geometry of an operator: the plain numbers that decide shapes, addresses and values. The resolver (resolve/)
// computes it from the attributes, such as auto_pad. Later code reads only this struct, so it knows no attributes.
#ifndef DECONV_KERNEL_BASE_GEOMETRY_H_
#define DECONV_KERNEL_BASE_GEOMETRY_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel/include/deconv/deconv.h"

namespace deconv {

inline constexpr int kMaxAxes = DECONV_MAX_RANK - 2;

// One spatial axis: output[stride * i + dilation * k - pads_begin] += data[i] * filter[k]. The members `data`, `kernel`
// and `output` are numbers of elements. An element of the filter along the axis is called a tap.
struct Axis {
  int64_t data = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pads_begin = 0;  // negative: the data are shifted towards higher coordinates
  int64_t pads_end = 0;    // reported to the caller; no output depends on it
  int64_t output = 1;
};

// The distances, in elements, between neighbours of a tensor. A spatial position is one flat index (row-major); its
// element lies at index * `position`.
struct TensorStrides {
  int64_t batch = 0;
  int64_t channel = 0;
  int64_t position = 0;
};
struct FilterStrides {
  int64_t group = 0;
  int64_t in_channel = 0;
  int64_t out_channel = 0;
  int64_t tap = 0;
};

struct Geometry {
  deconv_type type = DECONV_UNDEFINED;
  bool channels_last = false;  // data and output are [N, spatial, C], not [N, C, spatial]
  int64_t batch = 0;
  int64_t groups = 1;
  int64_t in_channels = 0;   // per group
  int64_t out_channels = 0;  // per group
  int axis_count = 0;
  std::array<Axis, kMaxAxes> axes;  // outermost first

  // Derived by Complete() in resolve.cc. Counts are elements.
  int64_t data_positions = 0;
  int64_t output_positions = 0;
  int64_t taps = 0;
  TensorStrides data_strides;
  TensorStrides output_strides;
  FilterStrides filter_strides;
  size_t data_bytes = 0;
  size_t filter_bytes = 0;
  size_t output_bytes = 0;
  std::array<int64_t, DECONV_MAX_RANK> output_dims = {};  // the output's shape in the caller's order
};

// Bytes of one element; 0 for types that are not numeric.
constexpr size_t ElementBytes(deconv_type type) {
  switch (type) {
    case DECONV_F64:
    case DECONV_I64:
    case DECONV_U64:
      return 8;
    case DECONV_F32:
    case DECONV_I32:
    case DECONV_U32:
      return 4;
    case DECONV_F16:
    case DECONV_BF16:
    case DECONV_I16:
    case DECONV_U16:
      return 2;
    case DECONV_I8:
    case DECONV_U8:
      return 1;
    default:
      return 0;
  }
}

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_GEOMETRY_H_
