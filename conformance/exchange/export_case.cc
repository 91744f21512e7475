// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends a case to the exporter of its format, and prepares what all exporters need.

#include "conformance/exchange/export_case.h"

namespace conformance::exchange {

std::optional<Format> ParseFormat(std::string_view name) {
  for (const auto& [format, known] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

Export ExportCase(Format format, const std::string& name, const Case& test_case) {
  switch (format) {
    case Format::kIr:
      return ExportIr(name, test_case);
    case Format::kOnnx:
      return ExportOnnx(name, test_case);
    case Format::kBenchdnn:
      return ExportBenchdnn(name, test_case);
    case Format::kGraphJson:
      return ExportGraphJson(name, test_case);
    case Format::kCpp:
      break;
  }
  return ExportCpp(name, test_case);
}

}  // namespace conformance::exchange
