// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns the arguments of a command line into cases: parses case lines, reads files, and finds cases by their ids.
// Parses whole words as numbers and rejects NaN, wrong signs and numbers out of range.

#include "conformance/cli/input.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/names.h"
#include "conformance/suite/regression_file.h"

namespace conformance {
namespace {

using Cases = std::variant<std::vector<SuiteCase>, ReadError>;

constexpr std::string_view kCommandLineSuite = "command-line";

/// Makes a name for a case: lower case, with '-' for every character but letters, digits, '-', '.' and '_'.
std::string SafeName(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' ? static_cast<char>(std::tolower(byte)) : '-';
  }
  return name;
}

/// Reads the layers of an XML file of OpenVINO.
Cases CasesFromXml(const std::string& path) {
  auto read = ReadLayerXml(path);
  if (auto* error = std::get_if<ReadError>(&read)) return *error;
  std::vector<SuiteCase> cases;
  for (LayerCase& layer : std::get<std::vector<LayerCase>>(read)) {
    const std::string name = SafeName(std::filesystem::path(path).stem().string() + "." + layer.name);
    cases.push_back({.suite = std::string(kCommandLineSuite),
                     .name = name,
                     .test_case = std::move(layer.test_case),
                     .reason = path,
                     .declared_output = std::move(layer.declared_output),
                     .file = path});
  }
  return cases;
}

/// Reads a file of corpus/regressions, or a file that a fuzzing campaign wrote.
Cases CasesFromRegressions(const std::string& path) {
  auto read = ReadRegressionFile(path);
  if (auto* error = std::get_if<ReadError>(&read)) return *error;
  std::vector<SuiteCase> cases;
  for (Regression& regression : std::get<RegressionFile>(read).cases) {
    cases.push_back({.suite = std::string(kCommandLineSuite),
                     .name = SafeName(std::filesystem::path(path).stem().string() + "." + regression.name),
                     .test_case = std::move(regression.test_case),
                     .reason = std::move(regression.why),
                     .declared_output = {},
                     .file = path});
  }
  return cases;
}

/// Completes relative paths of files with values. A path is first tried from the folder of the list, so that a folder
/// with cases and values can be moved. If no file exists there, the path stays relative to the current folder.
void FindValuesBeside(const std::filesystem::path& list, Case& test_case) {
  const auto find = [&](std::string& path) {
    std::error_code ignored;
    const std::filesystem::path beside = list.parent_path() / path;
    if (std::filesystem::exists(beside, ignored)) path = beside.string();
  };
  if (test_case.filter_values) find(test_case.filter_values->path);
  for (auto* values : {&test_case.given_data, &test_case.given_filter, &test_case.recorded}) {
    auto* file = *values ? std::get_if<NpyValues>(&**values) : nullptr;
    if (file != nullptr) find(file->path);
  }
}

/// Reads a file with one case line on each line.
Cases CasesFromLines(const std::string& path) {
  // The file is read as a whole. It has room for a thousand lines of the greatest length.
  constexpr std::uintmax_t kLargestFile = 64u << 20;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestFile) {
    return ReadError{
        fmt::format("{}: has {} bytes; a file of case lines may have at most {}", path, size, kLargestFile)};
  }
  std::ifstream file(path);
  if (!file) return ReadError{fmt::format("{}: cannot be opened: {}", path, std::strerror(errno))};
  std::vector<SuiteCase> cases;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (cases.empty() && line.starts_with("defect: ")) return CasesFromRegressions(path);
    line.erase(std::ranges::find(line, '#'), line.end());
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.pop_back();
    if (line.empty()) continue;
    auto parsed = ParseCaseLine(line);
    if (auto* parse_error = std::get_if<ParseError>(&parsed)) {
      return ReadError{fmt::format("{}:{}: {}", path, number, parse_error->message)};
    }
    FindValuesBeside(path, std::get<Case>(parsed));
    cases.push_back({.suite = std::string(kCommandLineSuite),
                     .name = fmt::format("{}.{}", SafeName(std::filesystem::path(path).stem().string()), number),
                     .test_case = std::get<Case>(std::move(parsed)),
                     .reason = path,
                     .declared_output = {},
                     .file = path,
                     .file_line = number});
  }
  if (cases.empty()) return ReadError{fmt::format("{}: contains no case line", path)};
  return cases;
}

bool LooksLikeCaseLine(const std::string& argument) {
  const std::string word = argument.substr(0, argument.find(':'));
  return word == kSweepWord || oracle::ParseOperatorKind(word).has_value();
}

/// Returns the cases of a suite at a level. They are generated once, because a command line may name hundreds of ids.
const Cases& CasesOfSuite(std::string_view suite, Level level) {
  static std::map<std::pair<std::string, Level>, Cases> known;
  const auto [at, is_new] = known.try_emplace(std::pair(std::string(suite), level));
  if (is_new) at->second = SuiteCases(suite, level, 0);
  return at->second;
}

std::vector<std::string> SuiteNames() {
  std::vector<std::string> names;
  for (const Suite& suite : Suites()) names.emplace_back(suite.name);
  return names;
}

/// Whether the argument has the name of a suite before its first slash, so that it is the id of a case, perhaps
/// misspelt.
bool LooksLikeId(const std::string& argument) {
  const std::size_t slash = argument.find('/');
  if (slash == std::string::npos) return false;
  return std::ranges::any_of(Suites(), [&](const Suite& suite) { return suite.name == argument.substr(0, slash); });
}

/// Finds a case of a suite by "suite/name".
Cases CaseFromId(const std::string& id) {
  const std::size_t slash = id.find('/');
  const std::string suite = id.substr(0, slash);
  const std::string name = id.substr(slash + 1);
  std::vector<std::string> names;
  // Each level contains the one before, and takes longer to make.
  for (const Level level : {Level::kSmoke, Level::kGate, Level::kFull}) {
    const Cases& cases = CasesOfSuite(suite, level);
    if (const auto* error = std::get_if<ReadError>(&cases)) return *error;
    const auto& known = std::get<std::vector<SuiteCase>>(cases);
    const auto at = std::ranges::find(known, name, &SuiteCase::name);
    if (at != known.end()) return std::vector<SuiteCase>{*at};
    if (level != Level::kFull) continue;
    for (const SuiteCase& suite_case : known) names.push_back(suite_case.suite + "/" + suite_case.name);
  }
  return ReadError{
      fmt::format("{}: there is no such file, and suite {} has no such case{}", id, suite, DidYouMean(id, names))};
}

}  // namespace

Cases CasesOf(const std::string& argument) {
  if (LooksLikeCaseLine(argument)) {
    auto parsed = ParseCaseLine(argument);
    if (auto* parse_error = std::get_if<ParseError>(&parsed)) return ReadError{parse_error->message};
    std::vector<SuiteCase> cases;
    cases.push_back({std::string(kCommandLineSuite), "case", std::get<Case>(std::move(parsed)), "", {}});
    return cases;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(argument, ignored)) {
    if (LooksLikeId(argument)) return CaseFromId(argument);
    const std::string suite = argument.substr(0, argument.find('/'));
    const bool may_be_id = suite != argument && !argument.ends_with(".xml") && !std::filesystem::exists(suite, ignored);
    return ReadError{
        fmt::format("{}: is not a file, not a case line (which starts with an operator's name, such as "
                    "\"ConvolutionBackpropData:data=1,20,224,224:...\"), and not the id of a case{}",
                    argument, may_be_id ? DidYouMean(suite, SuiteNames()) : "")};
  }
  if (std::filesystem::is_directory(argument, ignored)) {
    return ReadError{fmt::format("{}: is a directory; expected an XML file or a file of case lines", argument)};
  }
  if (argument.ends_with(".onnx")) {
    return ReadError{
        fmt::format("{0}: is an ONNX model, not a case; 'deconv-cts import {0}' prints its layers as cases", argument)};
  }
  return argument.ends_with(".xml") ? CasesFromXml(argument) : CasesFromLines(argument);
}

Cases SelectCases(const Selection& selection) {
  const std::vector<std::string> known = SuiteNames();
  std::vector<SuiteCase> selected;
  for (const std::string& suite : selection.suites.empty() ? known : selection.suites) {
    if (std::ranges::find(known, suite) == known.end()) {
      return ReadError{fmt::format("--suite {}: unknown suite{}; the suites are {}", suite, DidYouMean(suite, known),
                                   fmt::join(known, ", "))};
    }
    auto cases = SuiteCases(suite, selection.level, selection.seed);
    if (auto* error = std::get_if<ReadError>(&cases)) return *error;
    for (SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      const std::string id = suite_case.suite + "/" + suite_case.name;
      const auto matches = [&](const std::string& glob) { return GlobMatches(glob, id); };
      if (selection.filters.empty() || std::ranges::any_of(selection.filters, matches)) {
        selected.push_back(std::move(suite_case));
      }
    }
  }
  return selected;
}

std::variant<oracle::Dialect, std::string> DialectOf(const std::string& name) {
  if (const auto dialect = oracle::ParseDialect(name)) return *dialect;
  std::vector<std::string> known;
  for (const oracle::Dialect dialect : oracle::kDialects) known.emplace_back(oracle::DialectName(dialect));
  return fmt::format("--dialect {}: unknown{}; the dialects are {}", name, DidYouMean(name, known),
                     fmt::join(known, ", "));
}

namespace {

/// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> Parsed(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

CLI::Validator NumberBetween(double least, double most) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto value = Parsed<double>(text);
        const bool fits = value && *value >= least && *value <= most;
        return fits ? "" : fmt::format("found '{}', expected a number from {} to {}", text, least, most);
      },
      "", "amount");
}

CLI::AsNumberWithUnit Duration() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}},
                               CLI::AsNumberWithUnit::CASE_SENSITIVE);
}

CLI::Validator CountWithUnit() {
  return CLI::Validator(
      [](std::string& text) {
        constexpr std::string_view kUnits = "KMGT";
        std::string number = text;
        double factor = 1;
        if (const std::size_t unit = text.empty() ? std::string::npos : kUnits.find(text.back());
            unit != std::string::npos) {
          number.pop_back();
          factor = std::pow(1000, static_cast<double>(unit + 1));
        }
        const auto value = Parsed<double>(number);
        if (!value || !(*value * factor >= 1) || !(*value * factor <= 1e30)) {
          return fmt::format("found '{}', expected a number from 1 to 1e30, such as 500M or 2.5T", text);
        }
        text = fmt::format("{:.17g}", *value * factor);
        return std::string();
      },
      "", "count");
}

CLI::Validator WholeNumber() {
  return CLI::Validator(
      [](const std::string& text) {
        return Parsed<std::uint64_t>(text) ? "" : fmt::format("found '{}', expected a whole number below 2^64", text);
      },
      "", "whole number");
}

}  // namespace conformance
