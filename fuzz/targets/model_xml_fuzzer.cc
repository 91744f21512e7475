// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Every text must be refused as a layer or net in OpenVINO's XML, or every layer that is imported from it is a case
// with a line; both by the reader of models and by the reader of the suite's own files. The .bin file holds 64 bytes,
// so that weights may lie within it or beyond.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "conformance/case/xml/layer.h"
#include "conformance/formats/import_model.h"
#include "fuzz/cases/require.h"

namespace {

// A folder of this process, which goes with it.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "deconv-fuzz-XXXXXX") {
    fuzz::Require(mkdtemp(path_.data()) != nullptr, "no folder for the weights can be made: " + path_);
    std::ofstream(path_ + "/net.bin", std::ios::binary) << std::string(64, '\x3c');
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path Net() const { return std::filesystem::path(path_) / "net.xml"; }

 private:
  std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::ImportedModel;
  static const Folder folder;
  conformance::formats::ImportOptions options;
  options.weights = size % 2 == 0;
  const auto imported =
      conformance::formats::ImportXml({reinterpret_cast<const char*>(bytes), size}, folder.Net(), options);
  if (const auto* model = std::get_if<ImportedModel>(&imported)) {
    for (const auto& layer : model->layers) fuzz::RequireLine(layer.test_case);
  }
  // The reader of the suite's own files, which asks for more and takes output shapes out of the .bin.
  std::ofstream(folder.Net(), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  const auto read = conformance::ReadLayerXml(folder.Net());
  if (const auto* layers = std::get_if<std::vector<conformance::LayerCase>>(&read)) {
    for (const conformance::LayerCase& layer : *layers) fuzz::RequireLine(layer.test_case);
  }
  return 0;
}
