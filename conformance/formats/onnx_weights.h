// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the place of an ONNX tensor's bytes in a file, so that a case can name it; reads the elements of a tensor, and
// applies DequantizeLinear to constants.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/case.h"
#include "conformance/formats/onnx_model.h"
#include "oracle/operator.h"

namespace conformance::formats {

/// The place in `file`, whose bytes are `bytes`, or in the file beside it that the tensor names; or why there is none.
std::variant<FileValues, std::string> PlaceOf(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                              std::string_view bytes, const std::filesystem::path& file);

/// A tensor with its elements, little-endian. Its dims fit the number of bytes.
struct OnnxElements {
  oracle::ElementType type = oracle::ElementType::kF32;
  oracle::Dims dims;
  std::string bytes;
};

/// The elements of a tensor that lie in the model, or the end of a sentence: "has the element type 16, expected a
/// number".
std::variant<OnnxElements, std::string> ReadElements(const OnnxTensor& tensor);

/// Attributes of DequantizeLinear. If the size is not 0, that many elements along the axis share a scale.
struct Blocks {
  std::int64_t axis = 1;
  std::int64_t size = 0;
};

/// (quantized - zero_point) * scale, rounded once to the scale's type, as DequantizeLinear says. Scale and zero point
/// are one number, or one for each index of the axis, or one for each block. Or the end of a sentence. `zero_point` may
/// be null.
std::variant<OnnxElements, std::string> Dequantized(const OnnxElements& quantized, const OnnxElements& scale,
                                                    const OnnxElements* zero_point, const Blocks& blocks);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_
