// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Translates operators to another kind or layout, by moving dimensions and changing the spelling of attributes.

#include "conformance/suite/suite_translation.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace conformance {

using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

std::optional<Operator> AsConvTranspose(const Operator& op) {
  const bool has_groups = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  if (!has_groups && op.kind != OperatorKind::kConvolutionBackpropData) return std::nullopt;
  constexpr std::array kTypes = {ElementType::kF16, ElementType::kF32, ElementType::kF64};
  if (std::ranges::find(kTypes, op.data.type) == kTypes.end()) return std::nullopt;
  if (has_groups && op.filter.dims.size() < 2) return std::nullopt;

  Operator transpose = op;
  transpose.kind = OperatorKind::kConvTranspose;
  if (has_groups) {
    transpose.groups = op.filter.dims[0];
    transpose.filter.dims.erase(transpose.filter.dims.begin());
    transpose.filter.dims[0] *= *transpose.groups;
  }
  if (op.output_shape) transpose.output_shape_attribute = op.output_shape->values;
  transpose.output_shape = std::nullopt;
  if (op.auto_pad) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords = {
        {{"explicit", "NOTSET"}, {"same_upper", "SAME_UPPER"}, {"same_lower", "SAME_LOWER"}, {"valid", "VALID"}}};
    const auto* const word = std::ranges::find(kWords, *op.auto_pad, &decltype(kWords)::value_type::first);
    if (word == kWords.end()) return std::nullopt;
    transpose.auto_pad = word->second;
    if (word != kWords.begin()) transpose.pads_begin = transpose.pads_end = std::nullopt;
  }
  return transpose;
}

namespace {

/// [N, C, spatial] becomes [N, spatial, C].
void PutChannelsLast(oracle::Dims& dims) { std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end()); }

}  // namespace

std::optional<Operator> InDefaultLayout(const Operator& op) {
  if (op.kind != OperatorKind::kConvolutionBackwardData) return std::nullopt;
  const std::size_t rank = op.data.dims.size();
  const std::string data = op.data_format.value_or("NXC");
  const std::string weights = op.weights_format.value_or("XIO");
  const bool is_ncx = data == "NCX";
  const bool is_oix = weights == "OIX";
  if (rank < 3 || op.filter.dims.size() != rank || (!is_ncx && data != "NXC") || (!is_oix && weights != "XIO") ||
      (!is_ncx && !is_oix)) {
    return std::nullopt;
  }
  Operator other = op;
  other.data_format = other.weights_format = std::nullopt;
  if (is_ncx) {
    PutChannelsLast(other.data.dims);
    if (other.dst_shape && other.dst_shape->size() == rank) PutChannelsLast(*other.dst_shape);
    if (other.output_shape && other.output_shape->values.size() == rank) PutChannelsLast(other.output_shape->values);
  }
  if (is_oix) {
    // [I, O, spatial] becomes [spatial, O, I].
    oracle::Dims& filter = other.filter.dims;
    std::rotate(filter.begin(), filter.begin() + 2, filter.end());
    std::swap(filter[rank - 2], filter[rank - 1]);
  }
  return other;
}

}  // namespace conformance
