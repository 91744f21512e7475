// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the place of an ONNX tensor's bytes in a file, so that a case can name it.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/case.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// The place in `file`, whose bytes are `bytes`, or in the file beside it that the tensor names; or why there is none.
std::variant<FileValues, std::string> PlaceOf(const OnnxTensor& tensor, const oracle::TensorType& filter,
                                              std::string_view bytes, const std::filesystem::path& file);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_WEIGHTS_H_
