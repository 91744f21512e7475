// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds operators from sizes, with the attributes that each operator kind requires. Pads are 0.

#include "conformance/cli/doctor/plain_operator.h"

#include <cstddef>
#include <utility>

namespace conformance {

using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

namespace {

Dims Join(Dims head, const Dims& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

}  // namespace

Operator PlainOperator(OperatorKind kind, oracle::ElementType type, const PlainSizes& sizes) {
  const std::size_t axes = sizes.data.size();
  const bool grouped = kind == OperatorKind::kGroupConvolutionBackpropData;
  const std::int64_t channels = sizes.groups * sizes.in;
  Operator op;
  op.kind = kind;
  op.data = {type, Join({sizes.batch, channels}, sizes.data)};
  op.filter = {type, Join(grouped ? Dims{sizes.groups, sizes.in, sizes.out} : Dims{channels, sizes.out}, sizes.kernel)};
  op.strides = Dims(axes, sizes.stride);
  op.dilations = Dims(axes, sizes.dilation);
  op.pads_begin = Dims(axes, 0);
  op.pads_end = Dims(axes, 0);
  if (sizes.groups != 1 && !grouped) op.groups = sizes.groups;
  return op;
}

Operator WithDstShape(Operator op) {
  if (op.kind != OperatorKind::kConvolutionBackwardData) return op;
  op.data_format = "NCX";
  op.weights_format = "OIX";
  if (op.dst_shape) return op;
  Dims shape = {op.data.dims[0], op.groups.value_or(1) * op.filter.dims[1]};
  for (std::size_t j = 0; j < op.strides->size(); ++j) {
    const std::int64_t padding = op.output_padding ? (*op.output_padding)[j] : 0;
    shape.push_back((*op.strides)[j] * (op.data.dims[j + 2] - 1) + (*op.dilations)[j] * (op.filter.dims[j + 2] - 1) +
                    1 - (*op.pads_begin)[j] - (*op.pads_end)[j] + padding);
  }
  op.dst_shape = shape;
  return op;
}

SuiteCase DoctorCase(std::string name, Operator op) {
  SuiteCase suite_case;
  suite_case.suite = "doctor";
  suite_case.name = std::move(name);
  suite_case.test_case.op = std::move(op);
  return suite_case;
}

}  // namespace conformance
