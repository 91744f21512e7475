// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Recognizes the format of a model file and calls its reader. Completes each layer with the dialect (one reading of the
// operator's attributes) that the user chose, and with notes if the oracle refuses it or finds another output shape.

#include "conformance/formats/import_model.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/xml/model.h"
#include "conformance/formats/import_data.h"
#include "conformance/formats/load_file.h"
#include "oracle/resolve.h"

namespace conformance::formats {
namespace {

/// For a known format that import does not read: a sentence with the format's name and what to do. Otherwise empty.
std::string ForeignFormat(std::string_view bytes) {
  /// The bytes `begin` at `offset` identify the format.
  struct Format {
    std::size_t offset;
    std::string_view begin;
    const char* sentence;
  };
  static constexpr std::array<Format, 12> kFormats = {{
      {4, "TFL3", "is a LiteRT model; deconv-capture records its layers"},
      {4, "ORTM", "is a model in ONNX Runtime's own format; import the .onnx that it was made of"},
      {0, "PK\x03\x04",
       "is a zip, as of TorchScript, .pt2 or .keras; deconv-capture records the layers of such models"},
      {0, "\x89HDF\r\n",
       "is an HDF5 file, as of Keras; load it in a script, and record the layers with deconv-capture"},
      {0, "7767517\n", "is an ncnn model; import the model that it was converted from"},
      {0, "{\"base_code\"", "is a PaddlePaddle model; deconv-capture records its layers"},
      {0, "GGUF", "is a GGUF file, whose operators have no attributes; import the model that it was converted from"},
      {0, "\x93NUMPY",
       "is an array of NumPy; three arrays make a case: import --case CASE DATA.npy FILTER.npy OUTPUT.npy"},
      {0, "version https://git-lfs", "is a pointer of Git LFS in the model's place; fetch the model with git lfs pull"},
      {0, "<!DOCTYPE html", "is a web page; download the model itself"},
      {0, "<!doctype html", "is a web page; download the model itself"},
      {0, "<html", "is a web page; download the model itself"},
  }};
  for (const Format& format : kFormats) {
    if (bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.begin)) return format.sentence;
  }
  return {};
}

/// The first byte that is no blank and no byte order mark; 0 if there is none. XML begins with '<', JSON with '{'.
char FirstCharacter(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : bytes[first];
}

}  // namespace

std::optional<oracle::Geometry> CompleteLayer(ImportedLayer& layer, const oracle::Dims& declared,
                                              const ImportOptions& options) {
  Case& test_case = layer.test_case;
  if (options.dialect && oracle::Defines(*options.dialect, test_case.op.kind)) {
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
  GivenShapes shapes;
  for (const ShapeHint& hint : options.shapes) shapes[hint.name] = hint.dims;
  auto read = ParseModelXml(std::move(text), file, options.weights, shapes);
  if (auto* error = std::get_if<ReadError>(&read)) return std::move(*error);
  auto& model = std::get<ModelLayers>(read);
  ImportedModel imported;
  for (LayerCase& layer : model.layers) {
    imported.layers.push_back({std::move(layer.name), std::move(layer.test_case), {}});
    if (!layer.filter_note.empty()) {
      imported.layers.back().notes.push_back("a data set fills its filter: " + layer.filter_note);
    }
    CompleteLayer(imported.layers.back(), layer.declared_output, options);
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
  if (std::filesystem::exists(file / "saved_model.pb", error_code)) {
    return ReadError{file.string() + ": is a SavedModel of TensorFlow; deconv-capture records its layers"};
  }
  if (std::filesystem::is_directory(file, error_code)) return ImportTestData(file, options);
  // A parsed JSON text takes many times its own size.
  constexpr std::uintmax_t kLargestJson = std::uintmax_t{64} << 20;
  auto loaded = LoadFile(file, file.extension() == ".json" ? kLargestJson : kLargestFile);
  if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
  auto& content = std::get<std::string>(loaded);
  if (content.empty()) return ReadError{file.string() + ": is empty"};
  if (const std::string foreign = ForeignFormat(content); !foreign.empty()) {
    return ReadError{fmt::format("{}: {}", file.string(), foreign)};
  }
  // The content decides the format. If it is not recognized, the extension of the file decides.
  const char first = FirstCharacter(content);
  // Exporters begin an ONNX file with field 1 of its protobuf message, the version of the format. In protobuf, the key
  // of a field with an integer is 8 times its number.
  constexpr char kVersionOfOnnx = 1 * 8;
  const bool is_text = first == '<' || first == '{';
  if (!is_text && (file.extension() == ".onnx" || content.starts_with(kVersionOfOnnx))) {
    return ImportOnnx(content, file, options);
  }
  if (first == '{' || (!is_text && file.extension() == ".json")) {
    if (!options.shapes.empty()) return ReadError{file.string() + ": --shape is for ONNX and IR; a graph has all dims"};
    if (content.size() <= kLargestJson) return ImportGraphJson(content, file, options);
    return ReadError{
        fmt::format("{}: found {} bytes of JSON, expected at most {}", file.string(), content.size(), kLargestJson)};
  }
  if (file.extension() == ".py") {
    return ReadError{file.string() + ": is a Python script; deconv-capture runs it and records its layers"};
  }
  if (first != '<' && file.extension() != ".xml") {
    return ReadError{file.string() + ": is none of ONNX, OpenVINO IR and the JSON of a oneDNN graph"};
  }
  return ImportXml(std::move(content), file, options);
}

// Groups imported layers by their case line, and prints each group as one line with the names of its layers.

void CaseList::Add(const ImportedModel& model, const std::string& origin) {
  for (const ImportedLayer& layer : model.layers) {
    ++layers_;
    std::string line = ToLine(layer.test_case);
    const auto [at, is_new] = indices_.try_emplace(line, entries_.size());
    if (is_new) entries_.push_back({std::move(line), {}});
    entries_[at->second].names.push_back(fmt::format("{}: {}", OneLine(origin), OneLine(layer.name)));
  }
}

std::string CaseList::Text() const {
  // A net of hundreds of equal blocks would make the line unreadable.
  constexpr std::size_t kMostNames = 4;
  std::string text = fmt::format("# {} layers, {} different cases\n", layers_, entries_.size());
  for (const Entry& entry : entries_) {
    text += entry.line;
    text += entry.names.size() == 1 ? "  # " : fmt::format("  # {} layers: ", entry.names.size());
    for (std::size_t i = 0; i < std::min(kMostNames, entry.names.size()); ++i) {
      text += (i == 0 ? "" : ", ") + entry.names[i];
    }
    if (entry.names.size() > kMostNames) text += ", ...";
    text += '\n';
  }
  return text;
}

}  // namespace conformance::formats
