// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Infers shapes inside an ONNX model with ONNX's own library. That library was not written for hostile files, so it is
// in a program of its own, deconv-onnx-shapes, which may crash, hang or grow without harm.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/xml/layer.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// The bytes of the model with all shapes that could be inferred and without its large tensors; or why there are none.
/// `graph` is the model's, with the shapes that are known; `file` is where it lies.
std::variant<std::string, ReadError> InferShapes(std::string_view model, const OnnxGraph& graph,
                                                 const std::filesystem::path& file);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_
