// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the importer of lines of source code and of logs, such as "nn.ConvTranspose2d(4, 8, 3)". The importer
// must refuse the text with a message of one line, or return cases (operators and their values). Written as a line of
// text, each case must parse to the same case.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/formats/lines/import_line.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::ImportedModel;
  conformance::formats::ImportOptions options;
  // The shapes of the tensors that a line of source may name. The empty name stands for the data tensor.
  options.shapes = {{"", {1, 4, 8, 8}}, {"x", {1, 8, 8, 4}}, {"w", {4, 3, 3, 3}}, {"s", {2, 4, 9}}};
  const auto imported = conformance::formats::ImportLine({reinterpret_cast<const char*>(bytes), size}, options);
  if (const auto* error = std::get_if<conformance::ReadError>(&imported)) {
    fuzz::Require(error->message.find('\n') == std::string::npos, "a message has two lines");
    return 0;
  }
  for (const auto& layer : std::get<ImportedModel>(imported).layers) fuzz::RequireLineParsesBack(layer.test_case);
  return 0;
}
