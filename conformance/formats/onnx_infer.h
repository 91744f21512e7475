// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Infers shapes inside an ONNX model with ONNX's own library. This library was not written for hostile files. So it
// runs in a separate program, deconv-onnx-shapes, whose crash, hang or memory use does not harm this process.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/xml/layer.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// The bytes of the model with all shapes that could be inferred, and without its large tensors; or why inference
/// failed. `graph`: the graph of the model, with the known shapes. `file`: the path of the model.
std::variant<std::string, ReadError> InferShapes(std::string_view model, const OnnxGraph& graph,
                                                 const std::filesystem::path& file);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_
