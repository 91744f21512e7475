// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the two readers of OpenVINO's XML: the importer of models, and the reader of the suite's own files.
// Each must refuse the text, or read every layer as a case (an operator and its values). Written as a line of text, the
// case must parse to the same case. The .bin file with the weights has 64 bytes, so that an offset in the XML may lie
// inside or outside of it.

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

// A temporary folder with net.bin, the weights of a model net.xml. It is removed at the end of the process.
class ModelFolder {
 public:
  ModelFolder() : path_(std::filesystem::temp_directory_path() / "deconv-fuzz-XXXXXX") {
    fuzz::Require(mkdtemp(path_.data()) != nullptr, "no folder for the weights can be made: " + path_);
    std::ofstream(path_ + "/net.bin", std::ios::binary) << std::string(64, '\x3c');  // 0x3c3c: about 1.06 in f16
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;
  ~ModelFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path Xml() const { return std::filesystem::path(path_) / "net.xml"; }

 private:
  std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::ImportedModel;
  static const ModelFolder folder;
  conformance::formats::ImportOptions options;
  // The weights are imported only from inputs of an even size, so that both ways are tested.
  options.weights = size % 2 == 0;
  const auto imported =
      conformance::formats::ImportXml({reinterpret_cast<const char*>(bytes), size}, folder.Xml(), options);
  if (const auto* model = std::get_if<ImportedModel>(&imported)) {
    for (const auto& layer : model->layers) fuzz::RequireLineParsesBack(layer.test_case);
  }
  // The reader of the suite's own files is stricter, and reads output shapes from the .bin file.
  std::ofstream(folder.Xml(), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  const auto read = conformance::ReadLayerXml(folder.Xml());
  if (const auto* layers = std::get_if<std::vector<conformance::LayerCase>>(&read)) {
    for (const conformance::LayerCase& layer : *layers) fuzz::RequireLineParsesBack(layer.test_case);
  }
  return 0;
}
