// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-fuzz-seed: it prints the case lines of fuzz inputs, and makes fuzz inputs from case lines.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/codec/codec.h"

namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kUsage = 2;

int Usage() {
  std::fputs(
      "usage: deconv-fuzz-seed decode FILE|DIRECTORY...   prints the case line of each input\n"
      "       deconv-fuzz-seed encode DIRECTORY LINE...  writes an input for each case line; '-' reads lines from "
      "stdin\n"
      "Exit codes: 0 all done, 1 a case is too large for a fuzzer, 2 usage or a file that cannot be read or written\n",
      stderr);
  return kUsage;
}

// Files, and the files in folders.
int Decode(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      std::vector<std::string> files;
      for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator();
           entry.increment(error)) {
        files.push_back(entry->path().string());
      }
      std::sort(files.begin(), files.end());
      if (const int result = error ? kUsage : Decode(files); result != 0) return result;
      continue;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open()) {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      return kUsage;
    }
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::printf("%s\n", ToLine(conformance::DecodeCase(bytes)).c_str());
  }
  return 0;
}

// `number` names the file; engines rename by content when they merge.
int EncodeLine(const std::string& directory, const std::string& line, std::size_t number) {
  const auto parsed = conformance::ParseCaseLine(line);
  if (const auto* error = std::get_if<conformance::ParseError>(&parsed)) {
    std::fprintf(stderr, "%s\n", error->message.c_str());
    return kUsage;
  }
  const auto bytes = conformance::EncodeCase(std::get<conformance::Case>(parsed));
  if (!bytes) {
    std::fprintf(stderr, "beyond the codec's limits, expected a smaller case: %s\n", line.c_str());
    return kFailed;
  }
  const std::string path = directory + "/seed-" + std::to_string(number);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  file.close();
  if (!file) {
    std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
    return kUsage;
  }
  return 0;
}

int Encode(const std::string& directory, const std::vector<std::string>& arguments) {
  std::vector<std::string> lines;
  for (const std::string& argument : arguments) {
    if (argument != "-") {
      lines.push_back(argument);
      continue;
    }
    for (std::string line; std::getline(std::cin, line);) {
      if (!line.empty()) lines.push_back(line);
    }
  }
  int worst = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int result = EncodeLine(directory, lines[i], i);
    if (result == kUsage) return kUsage;
    if (result != 0) worst = result;
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
    Usage();
    return 0;
  }
  if (arguments.size() >= 2 && arguments[0] == "decode") return Decode({arguments.begin() + 1, arguments.end()});
  if (arguments.size() >= 3 && arguments[0] == "encode") {
    return Encode(arguments[1], {arguments.begin() + 2, arguments.end()});
  }
  return Usage();
}
