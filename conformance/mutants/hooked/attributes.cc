// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies the description of an operator out of the structs of the C interface. Also computes its hash, by which some
// planted faults (backends that are wrong on purpose) choose the cases that they spoil.

#include "conformance/mutants/hooked/attributes.h"

namespace conformance::faults {
namespace {

std::optional<List> Copy(const deconv_id_list& list) {
  if (list.values == nullptr) return std::nullopt;
  return List(list.values, list.values + list.count);
}

std::optional<std::string> Copy(const char* text) {
  return text == nullptr ? std::nullopt : std::optional<std::string>(text);
}

// The 64-bit hash FNV-1a of a sequence of numbers, lists and texts, with its usual prime and start value.
class Hash {
 public:
  void Add(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) hash_ = (hash_ ^ (value >> (8 * i) & 0xffU)) * 0x100000001b3U;
  }
  void Add(const List& list) {
    Add(list.size());
    for (const std::int64_t value : list) Add(static_cast<std::uint64_t>(value));
  }
  void Add(const std::string& text) {
    Add(text.size());
    for (const char c : text) Add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  template <typename T>
  void Add(const std::optional<T>& value) {
    Add(static_cast<std::uint64_t>(value.has_value()));
    if (value) Add(*value);
  }
  // The low bits of FNV are weak, and "one case in N" uses the remainder by N. So the bits are mixed once more.
  std::uint64_t value() const { return (hash_ ^ hash_ >> 32) * 0x9e3779b97f4a7c15U >> 16; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace

Attributes ReadAttributes(const deconv_operator_description& from) {
  Attributes attributes;
  attributes.kind = from.kind;
  attributes.dialect = from.dialect;
  attributes.data_type = from.data.element_type;
  attributes.data = Copy(from.data.dims).value_or(List{});
  attributes.filter_type = from.filter.element_type;
  attributes.filter = Copy(from.filter.dims).value_or(List{});
  attributes.has_shape = from.output_shape.dims.values != nullptr || from.output_shape_values.values != nullptr;
  attributes.shape_type = from.output_shape.element_type;
  attributes.shape_dims = Copy(from.output_shape.dims).value_or(List{});
  attributes.shape = Copy(from.output_shape_values).value_or(List{});
  attributes.strides = Copy(from.strides);
  attributes.dilations = Copy(from.dilations);
  attributes.pads_begin = Copy(from.pads_begin);
  attributes.pads_end = Copy(from.pads_end);
  attributes.output_padding = Copy(from.output_padding);
  attributes.auto_pad = Copy(from.auto_pad);
  attributes.data_format = Copy(from.data_format);
  attributes.weights_format = Copy(from.weights_format);
  attributes.dst_shape = Copy(from.dst_shape);
  attributes.groups = Copy(from.groups);
  attributes.kernel_shape = Copy(from.kernel_shape);
  attributes.output_shape_attribute = Copy(from.output_shape_attribute);
  return attributes;
}

std::uint64_t CaseHash(const Attributes& attributes) {
  Hash hash;
  hash.Add(static_cast<std::uint64_t>(attributes.kind));
  hash.Add(attributes.dialect);
  hash.Add(static_cast<std::uint64_t>(attributes.data_type));
  hash.Add(attributes.data);
  hash.Add(attributes.filter);
  hash.Add(attributes.shape);
  for (const auto& list :
       {attributes.strides, attributes.dilations, attributes.pads_begin, attributes.pads_end, attributes.output_padding,
        attributes.dst_shape, attributes.groups, attributes.kernel_shape, attributes.output_shape_attribute}) {
    hash.Add(list);
  }
  for (const auto& text : {attributes.auto_pad, attributes.data_format, attributes.weights_format}) hash.Add(text);
  return hash.value();
}

}  // namespace conformance::faults
