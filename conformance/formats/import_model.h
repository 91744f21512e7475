// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports transposed convolutions from real models: OpenVINO IR, a bare layer.xml, or ONNX. Models come from anywhere:
// no model may crash the reader, hang it or use up memory, and every layer that cannot be imported is named with its
// reason.

#ifndef DECONV_CONFORMANCE_FORMATS_IMPORT_MODEL_H_
#define DECONV_CONFORMANCE_FORMATS_IMPORT_MODEL_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/xml/layer.h"
#include "oracle/resolve.h"

namespace conformance::formats {

/// The dims of a value that the model leaves open, or the one size that a symbol of the model stands for.
struct ShapeHint {
  std::string name;
  oracle::Dims dims;
};

struct ImportOptions {
  /// Asked for where the operator's pairs allow it; absent: what the model's format and version say.
  std::optional<oracle::Dialect> dialect = {};
  bool weights = false;  ///< cases take the filter's values from the model's file, where they lie there bare
  std::vector<ShapeHint> shapes = {};  ///< ONNX and IR
  /// ONNX: shapes that the file does not say are inferred by ONNX's own library, in a process of its own.
  bool infer_shapes = true;
  std::string values_folder = {};  ///< folder for values of test data that do not fit in a line; empty: none
};

struct ImportedLayer {
  std::string name;
  Case test_case;
  std::vector<std::string> notes;  ///< parts of the layer that the case lacks, and what is odd about it
};

struct SkippedLayer {
  std::string name;
  std::string reason;
  std::string advice = {};  ///< values or steps with which the user can help, if shapes are missing; begins with "; "
};

struct ImportedModel {
  std::vector<ImportedLayer> layers;
  std::vector<SkippedLayer> skipped;
};

/// A file of another tool's vectors may be a folder with a model.onnx and its test data, or the JSON of a oneDNN graph:
/// conformance/formats/import_data.h.
using Import = std::variant<ImportedModel, ReadError>;

/// Reads the layers of a file. Its content decides the format: XML, the JSON of a oneDNN graph, or ONNX. A folder has
/// ONNX test data. For a known format that import does not read, the error says what to do.
Import ImportModel(const std::filesystem::path& file, const ImportOptions& options);

// Import a model from its text or bytes. `file` stands in messages and in the places of weights.
Import ImportXml(std::string text, const std::filesystem::path& file, const ImportOptions& options);
Import ImportOnnx(std::string_view bytes, const std::filesystem::path& file, const ImportOptions& options);

/// Sets the dialect that is asked for, if it speaks the operator, and notes what an oracle's reading says of the case:
/// a refusal, or output dims other than the model's (`declared`, empty if unknown). Returns what the case resolves to;
/// nothing if it is refused.
std::optional<oracle::Geometry> Finish(ImportedLayer& layer, const oracle::Dims& declared,
                                       const ImportOptions& options);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_IMPORT_MODEL_H_
