// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case in the formats of other tools. conformance/exchange/formats.md says what each format can express and
// what it loses.

#ifndef DECONV_CONFORMANCE_EXCHANGE_EXPORT_CASE_H_
#define DECONV_CONFORMANCE_EXCHANGE_EXPORT_CASE_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/case/case.h"

namespace conformance::exchange {

enum class Format { kIr, kOnnx, kBenchdnn, kGraphJson, kCpp };

inline constexpr std::array kFormats = {
    std::pair{Format::kIr, std::string_view("ir")}, std::pair{Format::kOnnx, std::string_view("onnx")},
    std::pair{Format::kBenchdnn, std::string_view("benchdnn")},
    std::pair{Format::kGraphJson, std::string_view("graph-json")}, std::pair{Format::kCpp, std::string_view("cpp")}};

std::optional<Format> ParseFormat(std::string_view name);

struct ExportedFile {
  std::string path;  ///< relative to the folder of the export
  std::string content;
};

/// The files of one case, or a sentence: why the format cannot say it.
using Export = std::variant<std::vector<ExportedFile>, std::string>;

/// `name`: of the folder, the file or the model; unique among the cases of an export.
Export ExportCase(Format format, const std::string& name, const Case& test_case);

// One each; a name in its own file.
Export ExportIr(const std::string& name, const Case& test_case);
Export ExportOnnx(const std::string& name, const Case& test_case);
Export ExportBenchdnn(const std::string& name, const Case& test_case);
Export ExportGraphJson(const std::string& name, const Case& test_case);
Export ExportCpp(const std::string& name, const Case& test_case);

}  // namespace conformance::exchange

#endif  // DECONV_CONFORMANCE_EXCHANGE_EXPORT_CASE_H_
