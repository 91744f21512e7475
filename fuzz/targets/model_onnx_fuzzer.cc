// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the importer of ONNX models, files that come from strangers. The importer must refuse the bytes, or
// import each ConvTranspose as a case (an operator and its values). Written as a line of text, the case must parse to
// the same case. The target does not infer shapes, because ONNX's own code does that in a separate process.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/formats/import_model.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::ImportedModel;
  conformance::formats::ImportOptions options;
  // The weights are imported only from inputs of an even size, so that both ways are tested.
  options.weights = size % 2 == 0;
  options.infer_shapes = false;
  const auto imported =
      conformance::formats::ImportOnnx({reinterpret_cast<const char*>(bytes), size}, "fuzz.onnx", options);
  if (const auto* model = std::get_if<ImportedModel>(&imported)) {
    for (const auto& layer : model->layers) fuzz::RequireLineParsesBack(layer.test_case);
  }
  return 0;
}
