// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts an operator to the C structs of the interface to backends, which point into the operator. Converts such a
// description back to an operator, and refuses malformed fields, such as a negative count of values. Whether the
// operator is valid is not checked here; the resolver (oracle/resolve.h) does that.

#include "conformance/interface/describe_operator.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "oracle/element_type.h"
#include "oracle/wide_integer.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::OperatorKind;

// The enumerators are converted by tables, not by casts: the interface's numbers never change, but the oracle's may.
constexpr std::array kElementTypes = {
    std::pair{ElementType::kF64, DECONV_ID_F64},         std::pair{ElementType::kF32, DECONV_ID_F32},
    std::pair{ElementType::kF16, DECONV_ID_F16},         std::pair{ElementType::kBf16, DECONV_ID_BF16},
    std::pair{ElementType::kI8, DECONV_ID_I8},           std::pair{ElementType::kI16, DECONV_ID_I16},
    std::pair{ElementType::kI32, DECONV_ID_I32},         std::pair{ElementType::kI64, DECONV_ID_I64},
    std::pair{ElementType::kU8, DECONV_ID_U8},           std::pair{ElementType::kU16, DECONV_ID_U16},
    std::pair{ElementType::kU32, DECONV_ID_U32},         std::pair{ElementType::kU64, DECONV_ID_U64},
    std::pair{ElementType::kBoolean, DECONV_ID_BOOLEAN}, std::pair{ElementType::kString, DECONV_ID_STRING}};

constexpr std::array kOperators = {
    std::pair{OperatorKind::kConvolutionBackpropData, DECONV_ID_CONVOLUTION_BACKPROP_DATA},
    std::pair{OperatorKind::kGroupConvolutionBackpropData, DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA},
    std::pair{OperatorKind::kConvolutionBackwardData, DECONV_ID_CONVOLUTION_BACKWARD_DATA},
    std::pair{OperatorKind::kConvTranspose, DECONV_ID_CONV_TRANSPOSE}};

// An empty list points to this number. A NULL pointer would mean an absent attribute.
constexpr std::int64_t kEmpty = 0;

deconv_id_list ListToC(const Dims& values) {
  return {values.empty() ? &kEmpty : values.data(), static_cast<std::int64_t>(values.size())};
}

deconv_id_list ListToC(const std::optional<Dims>& values) {
  return values ? ListToC(*values) : deconv_id_list{nullptr, 0};
}

const char* TextToC(const std::optional<std::string>& text) { return text ? text->c_str() : nullptr; }

// Reads a description field by field, and keeps the first error.
class Reader {
 public:
  const std::string& complaint() const { return complaint_; }

  std::optional<Dims> ReadList(const char* name, const deconv_id_list& list) {
    // A wrong length is not an error here, because the resolver refuses it. But no real operator has a list of more
    // than 2^20 values, so a larger count comes from a broken description.
    constexpr std::int64_t kMaxCount = 1 << 20;
    if (list.count < 0 || list.count > kMaxCount || (list.values == nullptr && list.count != 0)) {
      Complain(fmt::format("{}: a list of {} values at {}", name, list.count, static_cast<const void*>(list.values)));
      return std::nullopt;
    }
    if (list.values == nullptr) return std::nullopt;
    return Dims(list.values, list.values + list.count);
  }

  ElementType ReadType(const char* name, std::int32_t id) {
    for (const auto& [type, type_id] : kElementTypes) {
      if (id == type_id) return type;
    }
    Complain(fmt::format("{}: element type {}, expected 0 to {}", name, id, kElementTypes.size() - 1));
    return ElementType::kF32;
  }

  oracle::TensorType ReadTensor(const char* name, const deconv_tensor_description& tensor) {
    std::optional<Dims> dims = ReadList(name, tensor.dims);
    if (!dims) Complain(fmt::format("{}: no dims", name));
    return {ReadType(name, tensor.element_type), std::move(dims).value_or(Dims{})};
  }

  void Complain(std::string complaint) {
    if (complaint_.empty()) complaint_ = std::move(complaint);
  }

 private:
  std::string complaint_;
};

std::optional<std::string> ReadText(const char* text) {
  return text == nullptr ? std::nullopt : std::optional<std::string>(text);
}

}  // namespace

deconv_element_type_id ElementTypeId(ElementType type) {
  for (const auto& [known, id] : kElementTypes) {
    if (known == type) return id;
  }
  return DECONV_ID_STRING;  // not reached, because the table has all types
}

deconv_operator_id OperatorId(OperatorKind kind) {
  for (const auto& [known, id] : kOperators) {
    if (known == kind) return id;
  }
  return DECONV_ID_CONVOLUTION_BACKPROP_DATA;  // not reached, because the table has all kinds
}

OperatorDescription::OperatorDescription(const oracle::Operator& op, oracle::Dialect dialect)
    : dialect_(DialectName(dialect)) {
  deconv_operator_description& to = description_;
  to.size = sizeof(to);
  to.kind = OperatorId(op.kind);
  to.dialect = dialect_.c_str();
  to.data = {ElementTypeId(op.data.type), ListToC(op.data.dims)};
  to.filter = {ElementTypeId(op.filter.type), ListToC(op.filter.dims)};
  if (op.output_shape) {
    to.output_shape = {ElementTypeId(op.output_shape->type), ListToC(op.output_shape->dims)};
    to.output_shape_values = ListToC(op.output_shape->values);
  }
  to.strides = ListToC(op.strides);
  to.dilations = ListToC(op.dilations);
  to.pads_begin = ListToC(op.pads_begin);
  to.pads_end = ListToC(op.pads_end);
  to.output_padding = ListToC(op.output_padding);
  to.auto_pad = TextToC(op.auto_pad);
  to.data_format = TextToC(op.data_format);
  to.weights_format = TextToC(op.weights_format);
  to.dst_shape = ListToC(op.dst_shape);
  if (op.groups) to.groups = {&*op.groups, 1};
  to.kernel_shape = ListToC(op.kernel_shape);
  to.output_shape_attribute = ListToC(op.output_shape_attribute);
}

std::variant<oracle::Operator, std::string> ReadOperator(const deconv_operator_description& from) {
  if (from.size < sizeof(from)) {
    return fmt::format("an operator description of {} bytes, expected at least {}", from.size, sizeof(from));
  }
  Reader reader;
  oracle::Operator op;
  bool known = false;
  for (const auto& [kind, id] : kOperators) {
    if (from.kind == id) {
      op.kind = kind;
      known = true;
    }
  }
  if (!known) reader.Complain(fmt::format("operator {}, expected 0 to {}", from.kind, kOperators.size() - 1));
  op.data = reader.ReadTensor("data", from.data);
  op.filter = reader.ReadTensor("filter", from.filter);
  if (from.output_shape.dims.values != nullptr || from.output_shape_values.values != nullptr) {
    oracle::TensorType tensor = reader.ReadTensor("output_shape", from.output_shape);
    op.output_shape = {tensor.type, std::move(tensor.dims),
                       reader.ReadList("output_shape values", from.output_shape_values).value_or(Dims{})};
    for (const std::int64_t value : op.output_shape->values) {
      if (oracle::HoldsInteger(op.output_shape->type, value)) continue;
      reader.Complain(fmt::format("output_shape: value {}, expected a value of type {}", value,
                                  ElementTypeName(op.output_shape->type)));
    }
  }
  op.strides = reader.ReadList("strides", from.strides);
  op.dilations = reader.ReadList("dilations", from.dilations);
  op.pads_begin = reader.ReadList("pads_begin", from.pads_begin);
  op.pads_end = reader.ReadList("pads_end", from.pads_end);
  op.output_padding = reader.ReadList("output_padding", from.output_padding);
  op.auto_pad = ReadText(from.auto_pad);
  op.data_format = ReadText(from.data_format);
  op.weights_format = ReadText(from.weights_format);
  op.dst_shape = reader.ReadList("dst_shape", from.dst_shape);
  if (const std::optional<Dims> groups = reader.ReadList("groups", from.groups)) {
    if (groups->size() == 1) {
      op.groups = groups->front();
    } else {
      reader.Complain(fmt::format("groups: {} values, expected 1", groups->size()));
    }
  }
  op.kernel_shape = reader.ReadList("kernel_shape", from.kernel_shape);
  op.output_shape_attribute = reader.ReadList("output_shape attribute", from.output_shape_attribute);
  if (!reader.complaint().empty()) return reader.complaint();
  return op;
}

std::uint64_t TensorBytes(const oracle::TensorType& tensor) {
  // 128 bits hold each product of two 64-bit numbers. It is then cut to UINT64_MAX, so the next product fits, too.
  using Wide = oracle::U128;
  Wide bytes = oracle::ElementBytes(tensor.type);
  for (const std::int64_t dim : tensor.dims) {
    if (dim <= 0) return 0;
    bytes = std::min<Wide>(bytes * static_cast<std::uint64_t>(dim), UINT64_MAX);
  }
  return static_cast<std::uint64_t>(bytes);
}

std::variant<oracle::Dialect, std::string> ReadDialect(const deconv_operator_description& description) {
  if (description.dialect == nullptr) return std::string("no dialect");
  if (const std::optional<oracle::Dialect> dialect = oracle::ParseDialect(description.dialect)) return *dialect;
  return fmt::format("dialect '{}' is unknown", description.dialect);
}

}  // namespace conformance
