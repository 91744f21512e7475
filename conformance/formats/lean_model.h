// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes an ONNX model for shape inference: without its large tensors, and with the sizes that a user gave.

#ifndef DECONV_CONFORMANCE_FORMATS_LEAN_MODEL_H_
#define DECONV_CONFORMANCE_FORMATS_LEAN_MODEL_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// `bytes` are the model's, and `graph` is its graph with the sizes to write. Small tensors that lie in files beside
/// the model, `file`, are written into the answer, because shapes may depend on their values.
std::string LeanModel(std::string_view bytes, const OnnxGraph& graph, const std::filesystem::path& file);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LEAN_MODEL_H_
