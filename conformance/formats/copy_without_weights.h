// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies an ONNX model for shape inference: without its large tensors, which inference does not need, and with the
// sizes that a user gave.

#ifndef DECONV_CONFORMANCE_FORMATS_COPY_WITHOUT_WEIGHTS_H_
#define DECONV_CONFORMANCE_FORMATS_COPY_WITHOUT_WEIGHTS_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// Returns the bytes of the copy. `bytes`: the model. `graph`: its graph with the sizes to write. `file`: its path.
/// Small tensors in external files are put into the copy, because shapes may depend on their values.
std::string CopyWithoutWeights(std::string_view bytes, const OnnxGraph& graph, const std::filesystem::path& file);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_COPY_WITHOUT_WEIGHTS_H_
