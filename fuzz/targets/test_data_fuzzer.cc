// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the readers of other projects' test data: .npy files with tensors, and oneDNN graphs in JSON. A reader
// must refuse the bytes with a message, or read them. A tensor must be smaller than its file, which also has a header.
// Each layer of a graph must become a case (an operator and its values). Written as a line of text, the case must parse
// to the same case. An input that begins with '{' is a graph, any other one an .npy file.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/case/npy_file.h"
#include "conformance/formats/import_data.h"
#include "fuzz/cases/require.h"

namespace {

using conformance::formats::ImportedModel;

void ReadGraph(std::string_view text) {
  const auto imported = conformance::formats::ImportGraphJson(text, "graph.json", {});
  const auto* model = std::get_if<ImportedModel>(&imported);
  if (model == nullptr) return;
  for (const auto& layer : model->layers) fuzz::RequireLineParsesBack(layer.test_case);
}

void ReadNpy(std::string_view bytes) {
  const auto parsed = conformance::ParseNpy(bytes);
  if (const auto* tensor = std::get_if<conformance::NpyTensor>(&parsed)) {
    fuzz::Require(tensor->bytes.size() < bytes.size(), "a tensor has more bytes than its file");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  if (input.starts_with('{')) {
    ReadGraph(input);
  } else {
    ReadNpy(input);
  }
  return 0;
}
