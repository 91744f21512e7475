// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes an operator for tests of the resolver, which turns attributes into sizes and pads. A Description owns the
// lists to which a deconv_operator only points. A test makes a valid description, changes one member, and looks at the
// result.
#ifndef DECONV_KERNEL_TESTING_DESCRIPTION_H_
#define DECONV_KERNEL_TESTING_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "deconv/cxx.h"

namespace deconv::testing {

struct Description {
  using Dims = std::vector<int64_t>;
  using Maybe = std::optional<Dims>;  // empty: the attribute is absent

  deconv_kind kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  deconv_dialect dialect = DECONV_OPENVINO_SPEC;
  deconv_type data_type = DECONV_F32;
  deconv_type filter_type = DECONV_F32;
  Dims data, filter;
  Maybe output_shape;  // the third input
  deconv_type output_shape_type = DECONV_I64;
  Maybe output_shape_dims;  // the shape of the output_shape tensor; by default {number of values}
  Maybe strides, dilations, pads_begin, pads_end, output_padding;
  const char* auto_pad = nullptr;
  std::optional<int64_t> groups;
  const char* data_format = nullptr;
  const char* weights_format = nullptr;
  Maybe dst_shape, kernel_shape, output_shape_attribute;

  // Returns an operator with 3 data elements, kernel 3, stride 2 and pads of 1 at both ends.
  static Description Line() {
    Description d;
    d.data = {1, 1, 3};
    d.filter = {1, 1, 3};
    d.strides = {{2}};
    d.dilations = {{1}};
    d.pads_begin = d.pads_end = {{1}};
    return d;
  }

  // The operator, which points into this object.
  deconv_operator Op() const {
    auto op = Tagged<deconv_operator>();
    op.kind = kind;
    op.dialect = dialect;
    op.data = Tensor(data_type, data);
    op.filter = Tensor(filter_type, filter);
    if (output_shape) {
      op.has_output_shape = 1;
      shape_dims_ = output_shape_dims ? *output_shape_dims : Dims{static_cast<int64_t>(output_shape->size())};
      op.output_shape = Tensor(output_shape_type, shape_dims_);
      op.output_shape_values = List(*output_shape);
    }
    const auto set = [](const Maybe& from, deconv_list& to) {
      if (from) to = List(*from);
    };
    set(strides, op.strides);
    set(dilations, op.dilations);
    set(pads_begin, op.pads_begin);
    set(pads_end, op.pads_end);
    set(output_padding, op.output_padding);
    set(dst_shape, op.dst_shape);
    set(kernel_shape, op.kernel_shape);
    set(output_shape_attribute, op.output_shape_attribute);
    op.auto_pad = auto_pad;
    op.data_format = data_format;
    op.weights_format = weights_format;
    if (groups) {
      op.has_groups = 1;
      op.groups = *groups;
    }
    return op;
  }

 private:
  mutable Dims shape_dims_;
};

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_DESCRIPTION_H_
