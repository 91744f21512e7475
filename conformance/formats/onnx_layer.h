// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the ConvTranspose nodes of an ONNX model as cases. Names the nodes that cannot become cases, with the reasons.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_LAYER_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_LAYER_H_

#include <filesystem>
#include <string_view>

#include "conformance/formats/import_model.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {

/// The imported and the skipped layers of a model.
struct OnnxLayers {
  ImportedModel model;
  bool shapes_missing = false;  ///< some layer was skipped because the model does not state a shape
};

/// Reads the layers of a model. `bytes`: the content of its file, to find the positions of weights.
OnnxLayers ReadLayers(const OnnxModel& model, std::string_view bytes, const std::filesystem::path& file,
                      const ImportOptions& options);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_LAYER_H_
