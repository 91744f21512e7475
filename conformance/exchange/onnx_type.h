// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts between element types and ONNX's numbers for them.

#ifndef DECONV_CONFORMANCE_EXCHANGE_ONNX_TYPE_H_
#define DECONV_CONFORMANCE_EXCHANGE_ONNX_TYPE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include <onnx/onnx_pb.h>

#include "oracle/element_type.h"

namespace conformance::exchange {

inline constexpr std::array kOnnxTypes = {std::pair{oracle::ElementType::kF64, onnx::TensorProto_DataType_DOUBLE},
                                          std::pair{oracle::ElementType::kF32, onnx::TensorProto_DataType_FLOAT},
                                          std::pair{oracle::ElementType::kF16, onnx::TensorProto_DataType_FLOAT16},
                                          std::pair{oracle::ElementType::kBf16, onnx::TensorProto_DataType_BFLOAT16},
                                          std::pair{oracle::ElementType::kI8, onnx::TensorProto_DataType_INT8},
                                          std::pair{oracle::ElementType::kI16, onnx::TensorProto_DataType_INT16},
                                          std::pair{oracle::ElementType::kI32, onnx::TensorProto_DataType_INT32},
                                          std::pair{oracle::ElementType::kI64, onnx::TensorProto_DataType_INT64},
                                          std::pair{oracle::ElementType::kU8, onnx::TensorProto_DataType_UINT8},
                                          std::pair{oracle::ElementType::kU16, onnx::TensorProto_DataType_UINT16},
                                          std::pair{oracle::ElementType::kU32, onnx::TensorProto_DataType_UINT32},
                                          std::pair{oracle::ElementType::kU64, onnx::TensorProto_DataType_UINT64},
                                          std::pair{oracle::ElementType::kBoolean, onnx::TensorProto_DataType_BOOL},
                                          std::pair{oracle::ElementType::kString, onnx::TensorProto_DataType_STRING}};

/// Nothing for the types of quantised and complex tensors.
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
  return onnx::TensorProto_DataType_UNDEFINED;
}

}  // namespace conformance::exchange

#endif  // DECONV_CONFORMANCE_EXCHANGE_ONNX_TYPE_H_
