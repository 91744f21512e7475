// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the translation of OpenVINO's operators to ConvTranspose.

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

}  // namespace conformance
