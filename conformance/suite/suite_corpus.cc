// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the files of the corpus (the folder with the data of the suites), and reads its layers of networks and the
// origins of the specification's examples, for suites and for the program corpus_lint.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

/// The text without blanks at its ends.
std::string Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

}  // namespace

std::variant<std::vector<std::filesystem::path>, ReadError> CorpusFiles(const std::filesystem::path& folder,
                                                                        const std::string& extension) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  if (error) {
    return ReadError{fmt::format("{}: {}; expected a folder of the corpus (DECONV_CORPUS names its root)",
                                 folder.string(), error.message())};
  }
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::directory_entry& entry : entries) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::variant<std::vector<NetworkLayer>, ReadError> NetworkLayers(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) {
    return ReadError{fmt::format("{}: {}; expected the layers of networks (DECONV_CORPUS names the corpus's root)",
                                 file.string(), std::strerror(errno))};
  }
  std::vector<NetworkLayer> layers;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const auto error = [&](std::string_view message) {
      return ReadError{fmt::format("{}:{}: {}", file.string(), number, message)};
    };
    // "CASE  # NAME: ORIGIN": `end` is behind the colon of the name.
    const std::size_t comment = line.find("  # ");
    const std::size_t end = comment == std::string::npos ? comment : line.find(' ', comment + 4);
    if (end == std::string::npos || line[end - 1] != ':') {
      return error(fmt::format("found '{}', expected CASE  # NAME: ORIGIN", line));
    }
    auto test_case = ParseCaseLine(line.substr(0, comment));
    if (const auto* wrong = std::get_if<ParseError>(&test_case)) return error(wrong->message);
    NetworkLayer layer{.name = line.substr(comment + 4, end - 1 - comment - 4),
                       .test_case = std::move(std::get<Case>(test_case)),
                       .origin = line.substr(end + 1)};
    if (std::ranges::any_of(layers, [&](const NetworkLayer& other) { return other.name == layer.name; })) {
      return error(fmt::format("found a second layer '{}', expected a name of its own", layer.name));
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::variant<std::vector<FragmentOrigin>, ReadError> FragmentOrigins(const std::filesystem::path& spec_folder) {
  const std::filesystem::path manifest = spec_folder / "ORIGINS.txt";
  std::ifstream stream(manifest);
  if (!stream) {
    return ReadError{
        fmt::format("{}: {}; expected the origins of the fragments (DECONV_CORPUS names the corpus's root)",
                    manifest.string(), std::strerror(errno))};
  }
  std::vector<FragmentOrigin> origins;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t first_bar = line.find('|');
    const std::size_t second_bar = first_bar == std::string::npos ? first_bar : line.find('|', first_bar + 1);
    if (second_bar == std::string::npos) {
      return ReadError{
          fmt::format("{}:{}: found '{}', expected FRAGMENT | NET | ORIGIN", manifest.string(), number, line)};
    }
    const std::string_view text = line;
    origins.push_back({.fragment = spec_folder / Trim(text.substr(0, first_bar)),
                       .net = spec_folder / Trim(text.substr(first_bar + 1, second_bar - first_bar - 1)),
                       .origin = Trim(text.substr(second_bar + 1))});
  }
  return origins;
}

}  // namespace conformance
