// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// All bytes must be refused as an ONNX model, or every ConvTranspose that is imported from them is a case with a line.
// Shapes are not inferred: that is ONNX's own code in a process of its own.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/formats/import_model.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::ImportedModel;
  conformance::formats::ImportOptions options;
  options.weights = size % 2 == 0;
  options.infer_shapes = false;
  const auto imported =
      conformance::formats::ImportOnnx({reinterpret_cast<const char*>(bytes), size}, "fuzz.onnx", options);
  if (const auto* model = std::get_if<ImportedModel>(&imported)) {
    for (const auto& layer : model->layers) fuzz::RequireLine(layer.test_case);
  }
  return 0;
}
