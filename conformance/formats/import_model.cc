// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the reader of a file, reads XML models, and gives each layer the dialect that the user names and the notes
// that it needs.

#include "conformance/formats/import_model.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/xml/model.h"
#include "conformance/formats/import_data.h"
#include "conformance/formats/load_file.h"
#include "oracle/resolve.h"

namespace conformance::formats {

std::optional<oracle::Geometry> Finish(ImportedLayer& layer, const oracle::Dims& declared,
                                       const ImportOptions& options) {
  Case& test_case = layer.test_case;
  if (options.dialect && oracle::Speaks(*options.dialect, test_case.op.kind)) {
    test_case.dialect.reset();
    if (test_case.EffectiveDialect() != *options.dialect) test_case.dialect = options.dialect;
  }
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  if (!resolution.ok()) {
    layer.notes.push_back(fmt::format("{} {} by {}: {}", oracle::DialectName(dialect),
                                      resolution.refusal->undefined ? "leaves it undefined" : "refuses it",
                                      resolution.refusal->clause, resolution.refusal->message));
  } else if (!declared.empty() && resolution.geometry->OutputDims() != declared) {
    std::string others;
    for (const oracle::Dialect other : oracle::DialectsOf(test_case.op.kind)) {
      const oracle::Resolution by_other = oracle::Resolve(test_case.op, other);
      if (by_other.ok() && by_other.geometry->OutputDims() == declared) {
        others += fmt::format("{}{}", others.empty() ? "; the model's are those of " : ", ", DialectName(other));
      }
    }
    layer.notes.push_back(fmt::format("the model declares output dims [{}], {} gives [{}]{}", fmt::join(declared, ","),
                                      oracle::DialectName(dialect), fmt::join(resolution.geometry->OutputDims(), ","),
                                      others));
  }
  return std::move(resolution.geometry);
}

Import ImportXml(std::string text, const std::filesystem::path& file, const ImportOptions& options) {
  auto read = ParseModelXml(std::move(text), file, options.weights);
  if (auto* error = std::get_if<ReadError>(&read)) return std::move(*error);
  auto& model = std::get<ModelLayers>(read);
  ImportedModel imported;
  for (LayerCase& layer : model.layers) {
    imported.layers.push_back({std::move(layer.name), std::move(layer.test_case), {}});
    Finish(imported.layers.back(), layer.declared_output, options);
  }
  for (UnreadLayer& layer : model.unread) {
    imported.skipped.push_back({std::move(layer.name), std::move(layer.reason)});
  }
  return imported;
}

Import ImportModel(const std::filesystem::path& file, const ImportOptions& options) {
  // The largest file that protobuf can address; layer XML has its own, smaller limit.
  constexpr std::uintmax_t kLargestFile = (std::uintmax_t{1} << 31) - 1;
  std::error_code error_code;
  if (std::filesystem::is_directory(file, error_code)) return ImportTestData(file, options);
  // A parsed JSON text takes many times its own size.
  constexpr std::uintmax_t kLargestJson = std::uintmax_t{64} << 20;
  auto loaded = LoadFile(file, file.extension() == ".json" ? kLargestJson : kLargestFile);
  if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
  auto& content = std::get<std::string>(loaded);
  if (file.extension() == ".onnx") return ImportOnnx(content, file, options);
  if (!options.shapes.empty()) {
    return ReadError{fmt::format("{}: --shape is for ONNX; an IR of dynamic shapes must be reshaped by OpenVINO first",
                                 file.string())};
  }
  if (file.extension() == ".json") return ImportGraphJson(content, file, options);
  return ImportXml(std::move(content), file, options);
}

}  // namespace conformance::formats
