// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Infers the shapes of values inside an ONNX model with ONNX's own library. That library was not written for hostile
// files, so it runs in a separate program, deconv-onnx-shapes. A crash, a hang or the memory use of that program does
// not harm this process. The program gets a copy of the model without its weights.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/xml/layer.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// Returns the bytes of the model with all shapes that could be inferred, and without its large tensors; or an error
/// that says why inference failed. `model`: the bytes of the file. `graph`: the graph of the model, with the shapes
/// that the user gave. `file`: the path of the model.
std::variant<std::string, ReadError> InferShapes(std::string_view model, const OnnxGraph& graph,
                                                 const std::filesystem::path& file);

/// Copies an ONNX model for shape inference: without its large tensors, which inference does not need, and with the
/// sizes that a user gave. Returns the bytes of the copy. `bytes`: the model. `graph`: its graph with the sizes to
/// write. `file`: its path. Small tensors in external files are put into the copy, because shapes may depend on their
/// values.
std::string CopyWithoutWeights(std::string_view bytes, const OnnxGraph& graph, const std::filesystem::path& file);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_INFER_H_
