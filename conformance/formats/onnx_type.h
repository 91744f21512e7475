// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts between element types and ONNX's numbers for them, which are TensorProto.DataType of onnx.proto.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_TYPE_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_TYPE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "oracle/element_type.h"

namespace conformance::formats {

// Columns: element type, ONNX's number.
inline constexpr std::array kOnnxTypes = {
    std::pair{oracle::ElementType::kF64, 11},    std::pair{oracle::ElementType::kF32, 1},
    std::pair{oracle::ElementType::kF16, 10},    std::pair{oracle::ElementType::kBf16, 16},
    std::pair{oracle::ElementType::kI8, 3},      std::pair{oracle::ElementType::kI16, 5},
    std::pair{oracle::ElementType::kI32, 6},     std::pair{oracle::ElementType::kI64, 7},
    std::pair{oracle::ElementType::kU8, 2},      std::pair{oracle::ElementType::kU16, 4},
    std::pair{oracle::ElementType::kU32, 12},    std::pair{oracle::ElementType::kU64, 13},
    std::pair{oracle::ElementType::kBoolean, 9}, std::pair{oracle::ElementType::kString, 8}};

/// Returns nullopt for types of quantised and complex tensors, which cases do not have.
inline std::optional<oracle::ElementType> FromOnnxType(std::int32_t number) {
  for (const auto& [type, known] : kOnnxTypes) {
    if (known == number) return type;
  }
  return std::nullopt;
}

inline std::int32_t ToOnnxType(oracle::ElementType type) {
  for (const auto& [known, number] : kOnnxTypes) {
    if (known == type) return number;
  }
  return 0;
}

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_TYPE_H_
