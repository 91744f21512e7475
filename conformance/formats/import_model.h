// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports the transposed convolutions of models as cases (operators to test): from OpenVINO IR, a bare layer.xml, or
// ONNX. Models may be hostile, so no model may crash the reader, hang it or use up memory. Every layer that cannot be
// imported is named with its reason.

#ifndef DECONV_CONFORMANCE_FORMATS_IMPORT_MODEL_H_
#define DECONV_CONFORMANCE_FORMATS_IMPORT_MODEL_H_

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/xml/layer.h"
#include "oracle/resolve.h"

namespace conformance::formats {

/// Dims that the user gives: those of a tensor of the model, or the size of a symbol in its shapes.
struct ShapeHint {
  std::string name;
  oracle::Dims dims;
};

struct ImportOptions {
  /// The dialect (one reading of the attributes) of the cases, if it defines the operator. Absent: the format and
  /// version of the model decide.
  std::optional<oracle::Dialect> dialect = {};
  bool weights = false;  ///< whether cases read the filter's values from the model's file, if that is possible
  std::vector<ShapeHint> shapes = {};  ///< ONNX and IR
  /// ONNX: whether ONNX's own library infers missing shapes, in a process of its own.
  bool infer_shapes = true;
  std::string values_folder = {};  ///< folder for new .npy files with values that do not fit in a line; empty: none
};

/// A layer that became a case.
struct ImportedLayer {
  std::string name;
  Case test_case;
  std::vector<std::string> notes;  ///< parts of the layer that the case lacks, and contradictions in the model
};

/// A layer that could not become a case.
struct SkippedLayer {
  std::string name;
  std::string reason;
  std::string advice = {};  ///< values or steps with which the user can help, if shapes are missing; begins with "; "
};

struct ImportedModel {
  std::vector<ImportedLayer> layers;
  std::vector<SkippedLayer> skipped;
};

/// The result of an import. conformance/formats/import_data.h imports test data of other tools.
using Import = std::variant<ImportedModel, ReadError>;

/// Reads the layers of a file or folder. The content of a file decides the format: XML, the JSON of a oneDNN graph, or
/// ONNX. A folder has ONNX test data. For a known format that import does not read, the error says what to do.
Import ImportModel(const std::filesystem::path& file, const ImportOptions& options);

// Import a model from its text or bytes. `file`: its path, for messages and for cases that read weights from it.
Import ImportXml(std::string text, const std::filesystem::path& file, const ImportOptions& options);
Import ImportOnnx(std::string_view bytes, const std::filesystem::path& file, const ImportOptions& options);

/// Completes an imported layer. Sets the dialect of `options` if it defines the operator. Adds a note if the oracle
/// refuses the case, or if its output dims differ from `declared`, those of the model (empty if unknown). Returns the
/// resolved geometry; nullopt if the case is refused.
std::optional<oracle::Geometry> CompleteLayer(ImportedLayer& layer, const oracle::Dims& declared,
                                              const ImportOptions& options);

// Imported layers as a file of case lines. Layers with equal cases share one line. Its comment names the first four of
// them.

/// The cases of all imported models.
class CaseList {
 public:
  /// Adds the layers of a model. `origin`: the model's name in comments.
  void Add(const ImportedModel& model, const std::string& origin);

  std::size_t layers() const { return layers_; }
  std::size_t cases() const { return entries_.size(); }
  /// The text of the file: one case for each line, in the order of their first layers. Every command can read it.
  std::string Text() const;

 private:
  struct Entry {
    std::string line;
    std::vector<std::string> names;
  };
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> indices_;  ///< index of each line in entries_
  std::size_t layers_ = 0;
};

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_IMPORT_MODEL_H_
