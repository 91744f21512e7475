// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case (one operator with its input values) in the formats of other tools, for example for a bug report.
// conformance/formats/formats.md says what each format can express and what it loses.

#ifndef DECONV_CONFORMANCE_FORMATS_EXPORT_CASE_H_
#define DECONV_CONFORMANCE_FORMATS_EXPORT_CASE_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/text/names.h"

namespace conformance::formats {

enum class Format {
  kIr,         ///< a model of OpenVINO
  kOnnx,       ///< an ONNX model with test data
  kBenchdnn,   ///< a problem of oneDNN's test program
  kGraphJson,  ///< the JSON of a oneDNN graph
  kCpp         ///< a C++ program that checks itself
};

inline constexpr std::array<Named<Format>, 5> kFormats = {{{Format::kIr, "ir"},
                                                           {Format::kOnnx, "onnx"},
                                                           {Format::kBenchdnn, "benchdnn"},
                                                           {Format::kGraphJson, "graph-json"},
                                                           {Format::kCpp, "cpp"}}};

std::optional<Format> ParseFormat(std::string_view name);

struct ExportedFile {
  std::string path;  ///< relative to the folder of the export
  std::string content;
};

/// The files of one case, or a sentence: why the format cannot express the case.
using Export = std::variant<std::vector<ExportedFile>, std::string>;

/// Exports one case. `name`: the name of the folder, file or model; it must be unique within an export.
Export ExportCase(Format format, const std::string& name, const Case& test_case);

// One function for each format, in a file of its own.
Export ExportIr(const std::string& name, const Case& test_case);
Export ExportOnnx(const std::string& name, const Case& test_case);
Export ExportBenchdnn(const std::string& name, const Case& test_case);
Export ExportGraphJson(const std::string& name, const Case& test_case);
Export ExportCpp(const std::string& name, const Case& test_case);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_EXPORT_CASE_H_
