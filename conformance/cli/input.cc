// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments to cases.

#include "conformance/cli/input.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "conformance/nearest.h"

namespace conformance {
namespace {

using Cases = std::variant<std::vector<SuiteCase>, ReadError>;

constexpr std::string_view kCommandLineSuite = "command-line";

std::string SafeName(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' ? static_cast<char>(std::tolower(byte)) : '-';
  }
  return name;
}

Cases FromXml(const std::string& path) {
  auto read = ReadLayerXml(path);
  if (auto* error = std::get_if<ReadError>(&read)) return *error;
  std::vector<SuiteCase> cases;
  for (LayerCase& layer : std::get<std::vector<LayerCase>>(read)) {
    const std::string name = SafeName(std::filesystem::path(path).stem().string() + "." + layer.name);
    cases.push_back(
        {std::string(kCommandLineSuite), name, std::move(layer.test_case), path, std::move(layer.declared_output)});
  }
  return cases;
}

Cases FromLines(const std::string& path) {
  constexpr std::uintmax_t kLargestFile = 64u << 20;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestFile) {
    return ReadError{fmt::format("{}: {} bytes, expected at most {} of case lines", path, size, kLargestFile)};
  }
  std::ifstream file(path);
  if (!file) return ReadError{fmt::format("{}: cannot be opened: {}", path, std::strerror(errno))};
  std::vector<SuiteCase> cases;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line.erase(std::ranges::find(line, '#'), line.end());
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.pop_back();
    if (line.empty()) continue;
    auto parsed = ParseCaseLine(line);
    if (auto* wrong = std::get_if<ParseError>(&parsed)) {
      return ReadError{fmt::format("{}:{}: {}", path, number, wrong->message)};
    }
    cases.push_back({std::string(kCommandLineSuite),
                     fmt::format("{}.{}", SafeName(std::filesystem::path(path).stem().string()), number),
                     std::get<Case>(std::move(parsed)),
                     path,
                     {}});
  }
  if (cases.empty()) return ReadError{fmt::format("{}: has no case line", path)};
  return cases;
}

bool LooksLikeCaseLine(const std::string& argument) {
  const std::string word = argument.substr(0, argument.find(':'));
  return word == kSweepWord || oracle::ParseOperatorKind(word).has_value();
}

}  // namespace

Cases CasesOf(const std::string& argument) {
  if (LooksLikeCaseLine(argument)) {
    auto parsed = ParseCaseLine(argument);
    if (auto* wrong = std::get_if<ParseError>(&parsed)) return ReadError{wrong->message};
    std::vector<SuiteCase> cases;
    cases.push_back({std::string(kCommandLineSuite), "case", std::get<Case>(std::move(parsed)), "", {}});
    return cases;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(argument, ignored)) {
    return ReadError{
        fmt::format("{}: no such file, and no case line (which starts with an operator's name, as in "
                    "\"ConvolutionBackpropData:data=1,20,224,224:...\")",
                    argument)};
  }
  if (std::filesystem::is_directory(argument, ignored)) {
    return ReadError{fmt::format("{}: is a directory, expected an XML file or a file of case lines", argument)};
  }
  return argument.ends_with(".xml") ? FromXml(argument) : FromLines(argument);
}

Cases SelectCases(const Selection& selection) {
  std::vector<std::string> known;
  for (const Suite& suite : Suites()) known.emplace_back(suite.name);
  std::vector<SuiteCase> selected;
  for (const std::string& suite : selection.suites.empty() ? known : selection.suites) {
    if (std::ranges::find(known, suite) == known.end()) {
      return ReadError{fmt::format("--suite {}: unknown suite{}; the suites are {}", suite, DidYouMean(suite, known),
                                   fmt::join(known, ", "))};
    }
    auto cases = SuiteCases(suite, selection.level, selection.seed);
    if (auto* error = std::get_if<ReadError>(&cases)) return *error;
    for (SuiteCase& planned : std::get<std::vector<SuiteCase>>(cases)) {
      const std::string id = planned.suite + "/" + planned.name;
      const auto matches = [&](const std::string& glob) { return fnmatch(glob.c_str(), id.c_str(), 0) == 0; };
      if (selection.filters.empty() || std::ranges::any_of(selection.filters, matches)) {
        selected.push_back(std::move(planned));
      }
    }
  }
  return selected;
}

}  // namespace conformance
