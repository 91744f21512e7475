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
  const bool grouped = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  if (!grouped && op.kind != OperatorKind::kConvolutionBackpropData) return std::nullopt;
  constexpr std::array kTypes = {ElementType::kF16, ElementType::kF32, ElementType::kF64};
  if (std::ranges::find(kTypes, op.data.type) == kTypes.end()) return std::nullopt;
  if (grouped && op.filter.dims.size() < 2) return std::nullopt;

  Operator onnx = op;
  onnx.kind = OperatorKind::kConvTranspose;
  if (grouped) {
    onnx.groups = op.filter.dims[0];
    onnx.filter.dims.erase(onnx.filter.dims.begin());
    onnx.filter.dims[0] *= *onnx.groups;
  }
  if (op.output_shape) onnx.output_shape_attribute = op.output_shape->values;
  onnx.output_shape = std::nullopt;
  if (op.auto_pad) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords = {
        {{"explicit", "NOTSET"}, {"same_upper", "SAME_UPPER"}, {"same_lower", "SAME_LOWER"}, {"valid", "VALID"}}};
    const auto* const word = std::ranges::find(kWords, *op.auto_pad, &decltype(kWords)::value_type::first);
    if (word == kWords.end()) return std::nullopt;
    onnx.auto_pad = word->second;
    if (word != kWords.begin()) onnx.pads_begin = onnx.pads_end = std::nullopt;
  }
  return onnx;
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
  const bool planar = data == "NCX";
  const bool oix = weights == "OIX";
  if (rank < 3 || op.filter.dims.size() != rank || (!planar && data != "NXC") || (!oix && weights != "XIO") ||
      (!planar && !oix)) {
    return std::nullopt;
  }
  Operator other = op;
  other.data_format = other.weights_format = std::nullopt;
  if (planar) {
    PutChannelsLast(other.data.dims);
    if (other.dst_shape && other.dst_shape->size() == rank) PutChannelsLast(*other.dst_shape);
    if (other.output_shape && other.output_shape->values.size() == rank) PutChannelsLast(other.output_shape->values);
  }
  if (oix) {
    // [I, O, spatial] becomes [spatial, O, I].
    oracle::Dims& filter = other.filter.dims;
    std::rotate(filter.begin(), filter.begin() + 2, filter.end());
    std::swap(filter[rank - 2], filter[rank - 1]);
  }
  return other;
}

}  // namespace conformance
