// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the operator of a case field by field. The oracle and the kernel share no code, not even enumerations, so
// that a bug in shared code cannot hide. Each enumerator is therefore converted by a switch.

#include "fuzz/cases/kernel_operator.h"

#include <optional>
#include <string>

namespace fuzz {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;

deconv_kind KindOf(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kConvolutionBackpropData:
      return DECONV_CONVOLUTION_BACKPROP_DATA;
    case OperatorKind::kGroupConvolutionBackpropData:
      return DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
    case OperatorKind::kConvolutionBackwardData:
      return DECONV_CONVOLUTION_BACKWARD_DATA;
    case OperatorKind::kConvTranspose:
      return DECONV_CONV_TRANSPOSE;
  }
  return 0;
}

deconv_dialect DialectOf(Dialect dialect) {
  switch (dialect) {
    case Dialect::kOpenvinoSpec:
      return DECONV_OPENVINO_SPEC;
    case Dialect::kOpenvinoRuntime:
      return DECONV_OPENVINO_RUNTIME;
    case Dialect::kOnednnSpec:
      return DECONV_ONEDNN_SPEC;
    case Dialect::kOnednnRuntime:
      return DECONV_ONEDNN_RUNTIME;
    case Dialect::kOnnx1:
      return DECONV_ONNX_1;
    case Dialect::kOnnx11:
      return DECONV_ONNX_11;
    case Dialect::kOnnxruntime:
      return DECONV_ONNXRUNTIME;
    case Dialect::kOnnx22:
      return DECONV_ONNX_22;
    case Dialect::kTensorflow:
      return DECONV_TENSORFLOW;
  }
  return 0;
}

deconv_type TypeOf(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return DECONV_F64;
    case ElementType::kF32:
      return DECONV_F32;
    case ElementType::kF16:
      return DECONV_F16;
    case ElementType::kBf16:
      return DECONV_BF16;
    case ElementType::kI8:
      return DECONV_I8;
    case ElementType::kI16:
      return DECONV_I16;
    case ElementType::kI32:
      return DECONV_I32;
    case ElementType::kI64:
      return DECONV_I64;
    case ElementType::kU8:
      return DECONV_U8;
    case ElementType::kU16:
      return DECONV_U16;
    case ElementType::kU32:
      return DECONV_U32;
    case ElementType::kU64:
      return DECONV_U64;
    case ElementType::kBoolean:
      return DECONV_BOOLEAN;
    case ElementType::kString:
      return DECONV_STRING;
  }
  return DECONV_UNDEFINED;
}

// A null pointer means that the list is absent, so an empty list gets a pointer to a dummy.
deconv_list ListOf(const oracle::Dims& values) {
  static constexpr std::int64_t kDummy = 0;
  return {values.empty() ? &kDummy : values.data(), values.size()};
}

deconv_list ListOf(const std::optional<oracle::Dims>& values) { return values ? ListOf(*values) : deconv_list{}; }

const char* TextOf(const std::optional<std::string>& text) { return text ? text->c_str() : nullptr; }

}  // namespace

deconv_operator KernelOperator(const conformance::Case& test_case) {
  const oracle::Operator& from = test_case.op;
  deconv_operator to = {};
  to.struct_bytes = sizeof to;
  to.kind = KindOf(from.kind);
  to.dialect = DialectOf(test_case.EffectiveDialect());
  to.data = {TypeOf(from.data.type), 0, ListOf(from.data.dims)};
  to.filter = {TypeOf(from.filter.type), 0, ListOf(from.filter.dims)};
  to.has_output_shape = from.output_shape ? 1 : 0;
  if (from.output_shape) {
    to.output_shape = {TypeOf(from.output_shape->type), 0, ListOf(from.output_shape->dims)};
    to.output_shape_values = ListOf(from.output_shape->values);
  }
  to.strides = ListOf(from.strides);
  to.dilations = ListOf(from.dilations);
  to.pads_begin = ListOf(from.pads_begin);
  to.pads_end = ListOf(from.pads_end);
  to.output_padding = ListOf(from.output_padding);
  to.auto_pad = TextOf(from.auto_pad);
  to.has_groups = from.groups ? 1 : 0;
  to.groups = from.groups.value_or(0);
  to.data_format = TextOf(from.data_format);
  to.weights_format = TextOf(from.weights_format);
  to.dst_shape = ListOf(from.dst_shape);
  to.kernel_shape = ListOf(from.kernel_shape);
  to.output_shape_attribute = ListOf(from.output_shape_attribute);
  return to;
}

}  // namespace fuzz
