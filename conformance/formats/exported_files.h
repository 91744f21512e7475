// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the tests of exports: cases to export, access to exported files by name, and a temporary folder for them.
// The functions throw if a case cannot be exported or a file is missing, so that the test fails.

#ifndef DECONV_CONFORMANCE_FORMATS_EXPORTED_FILES_H_
#define DECONV_CONFORMANCE_FORMATS_EXPORTED_FILES_H_

#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <sys/wait.h>

#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"

namespace conformance::formats {

namespace fs = std::filesystem;

/// Parses a case line, the text of a case.
inline Case CaseOf(const std::string& line) {
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) throw std::runtime_error(error->message);
  return std::get<Case>(std::move(parsed));
}

/// Exports a case under the name "case".
inline std::vector<ExportedFile> FilesOf(Format format, const std::string& line) {
  Export exported = ExportCase(format, "case", CaseOf(line));
  if (const auto* sentence = std::get_if<std::string>(&exported)) throw std::runtime_error(line + ": " + *sentence);
  return std::get<std::vector<ExportedFile>>(std::move(exported));
}

/// The reason why a case cannot be exported, or "exported".
inline std::string SentenceOf(Format format, const std::string& line) {
  const Export exported = ExportCase(format, "case", CaseOf(line));
  const auto* sentence = std::get_if<std::string>(&exported);
  return sentence == nullptr ? "exported" : *sentence;
}

inline std::string ContentOf(const std::vector<ExportedFile>& files, const std::string& path) {
  for (const ExportedFile& file : files) {
    if (file.path == path) return file.content;
  }
  throw std::runtime_error("no file " + path);
}

inline ComputedCase Computed(const std::string& line) {
  auto computed = ComputeCase(CaseOf(line), kFolderLimits);
  if (const auto* sentence = std::get_if<std::string>(&computed)) throw std::runtime_error(*sentence);
  return std::get<ComputedCase>(std::move(computed));
}

inline std::string BytesAsText(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A temporary folder, to write exported files to and to run programs in.
class TestFolder {
 protected:
  explicit TestFolder(const std::string& name) : folder_(fs::temp_directory_path() / ("export_test_" + name)) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TestFolder() { fs::remove_all(folder_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  void Write(const std::vector<ExportedFile>& files) const {
    for (const ExportedFile& file : files) {
      fs::create_directories((folder_ / file.path).parent_path());
      std::ofstream(folder_ / file.path, std::ios::binary) << file.content;
    }
  }
  struct ShellRun {
    int code = -1;       ///< exit code; -1 if the program did not exit by itself
    std::string output;  ///< stdout and stderr
  };
  static ShellRun Shell(const std::string& command) {
    ShellRun run;
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return run;
    std::array<char, 4096> chunk{};
    while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) run.output += chunk.data();
    const int status = pclose(pipe);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
  }

  fs::path folder_;
};

// Cases of OpenVINO's operators: f32 with strides, dilations and pads; an output shape; groups and output_padding with
// integers; and bf16 in three dimensions.
inline constexpr std::array kOpenvinoLines = {
    "ConvolutionBackpropData:data=1,2,5,4:filter=2,3,3,2:strides=2,3:dilations=1,2:pads_begin=1,0:pads_end=0,1",
    "ConvolutionBackpropData:data=2,1,3:filter=1,1,4:type=f16:output_shape=9:strides=2:auto_pad=same_lower",
    "GroupConvolutionBackpropData:data=1,4,3,3:filter=2,2,1,2,2:type=i8:output_shape=7,6:output_shape_type=i32:"
    "strides=2,2:output_padding=1,1",
    "ConvolutionBackpropData:data=1,1,2,2,2:filter=1,2,1,2,3:type=bf16:values=reals:seed=7"};

// Cases of ConvTranspose: explicit pads; groups with SAME_UPPER; an output shape; another dialect; and f64.
inline constexpr std::array kOnnxLines = {
    "ConvTranspose:data=1,2,5,4:filter=2,3,3,2:strides=2,3:dilations=1,2:pads_begin=1,0:pads_end=0,1",
    "ConvTranspose:data=1,4,3:filter=4,2,3:type=f16:strides=2:output_padding=1:auto_pad=SAME_UPPER:groups=2",
    "ConvTranspose:data=1,1,3,3:filter=1,2,3,3:strides=3,2:kernel_shape=3,3:output_shape_attribute=10,8",
    "ConvTranspose:data=1,1,3,3:filter=1,2,3,3:strides=3,2:output_shape_attribute=10,8:auto_pad=SAME_LOWER:"
    "dialect=onnx-1",
    "ConvTranspose:data=1,1,3,3:filter=1,2,3,3:type=f64:values=reals:seed=3"};

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_EXPORTED_FILES_H_
