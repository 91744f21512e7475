// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the position of an ONNX tensor's bytes in a file, so that a case can refer to them without a copy. Also reads
// the elements of a tensor, and applies DequantizeLinear (ONNX's operator that turns quantized integers into
// floating-point numbers) to constants.

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

/// Returns the position of the tensor's bytes in `file`, whose content is `bytes`, or in the external file that the
/// tensor names. `filter`: type and dims that the tensor has as a filter. If its bytes cannot be used, returns why.
std::variant<FileValues, std::string> FileValuesOf(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                                   std::string_view bytes, const std::filesystem::path& file);

/// A tensor with its elements, little-endian. The number of bytes fits its dims.
struct OnnxElements {
  oracle::ElementType type = oracle::ElementType::kF32;
  oracle::Dims dims;
  std::string bytes;
};

/// Returns the elements of a tensor inside the model, or the rest of an error sentence, such as "has the element type
/// 16, expected a number".
std::variant<OnnxElements, std::string> ReadElements(const OnnxTensor& tensor);

/// Attributes of DequantizeLinear. If `size` is not 0, `size` consecutive elements along the axis share a scale.
struct Blocks {
  std::int64_t axis = 1;
  std::int64_t size = 0;
};

/// Computes (quantized - zero_point) * scale, rounded once to the scale's type, as DequantizeLinear defines. Scale and
/// zero point have one number, one for each index of the axis, or one for each block. A null `zero_point` means 0. If
/// types or dims do not fit, returns the rest of an error sentence.
std::variant<OnnxElements, std::string> Dequantized(const OnnxElements& quantized, const OnnxElements& scale,
                                                    const OnnxElements* zero_point, const Blocks& blocks);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_
