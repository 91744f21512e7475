// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds formats by name, and sends a case to the exporter of its format.

#include "conformance/formats/export_case.h"

namespace conformance::formats {

std::optional<Format> ParseFormat(std::string_view name) { return FindNamed(kFormats, name); }

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

}  // namespace conformance::formats
