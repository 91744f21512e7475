// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a file of real bugs with their cases, line by line: each line is "key: value", and an empty line ends a case.

#include "conformance/suite/regression_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace conformance {
namespace {

class RegressionReader {
 public:
  explicit RegressionReader(const std::filesystem::path& path) : path_(path) {}

  std::variant<RegressionFile, ReadError> Read() {
    std::ifstream stream(path_);
    if (!stream) return ReadError{fmt::format("{}: {}", path_.string(), std::strerror(errno))};
    for (std::string line; !error_ && std::getline(stream, line);) {
      ++line_number_;
      if (line.starts_with('#')) continue;
      if (line.empty()) {
        EndCase();
        continue;
      }
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) {
        Fail(fmt::format("found '{}', expected KEY: VALUE", line));
      } else {
        ReadField(line.substr(0, colon), line.substr(colon + 2));
      }
    }
    EndCase();
    if (!error_ && file_.defect.empty()) Fail("found no defect, expected one at the top");
    if (!error_ && file_.cases.empty()) Fail("found no case, expected at least one");
    if (error_) return std::move(*error_);
    return std::move(file_);
  }

 private:
  /// Stores the error, unless there was one before.
  void Fail(const std::string& message) {
    if (!error_) error_ = ReadError{fmt::format("{}:{}: {}", path_.string(), line_number_, message)};
  }

  Regression& CurrentCase() {
    if (!current_case_) current_case_.emplace();
    return *current_case_;
  }

  /// Sets a field that a case or file has once.
  void SetOnce(std::string& field, const std::string& key, std::string value) {
    if (!field.empty()) return Fail(fmt::format("found a second {}, expected one (an empty line ends a case)", key));
    field = std::move(value);
  }

  void ReadField(const std::string& key, std::string value) {
    if (key == "defect") return SetOnce(file_.defect, key, std::move(value));
    if (key == "name") return SetOnce(CurrentCase().name, key, std::move(value));
    if (key == "why") return SetOnce(CurrentCase().why, key, std::move(value));
    if (key == "refused") return SetOnce(CurrentCase().refused, key, std::move(value));
    if (key == "seen") return CurrentCase().seen.push_back(std::move(value));
    if (key == "level") {
      const std::optional<Level> level = ParseLevel(value);
      if (!level) return Fail(fmt::format("level: found '{}', expected smoke, gate or full", value));
      CurrentCase().level = *level;
      return;
    }
    if (key == "case") {
      if (has_case_) return Fail("found a second case, expected one (an empty line ends a case)");
      auto parsed = ParseCaseLine(value);
      if (auto* error = std::get_if<ParseError>(&parsed)) return Fail("case: " + error->message);
      CurrentCase().test_case = std::move(std::get<Case>(parsed));
      has_case_ = true;
      return;
    }
    Fail(fmt::format("found key '{}', expected defect, name, case, seen, why, level or refused", key));
  }

  /// Checks the current case, if there is one, and adds it to the file's cases.
  void EndCase() {
    if (!current_case_ || error_) return;
    const auto lacks = [&](std::string_view key) {
      Fail(fmt::format("the case that ends here ('{}') has no {}", current_case_->name, key));
    };
    if (current_case_->name.empty()) return lacks("name");
    if (!has_case_) return lacks("case");
    if (current_case_->seen.empty()) return lacks("seen");
    if (current_case_->why.empty()) return lacks("why");
    const bool is_taken =
        std::ranges::any_of(file_.cases, [&](const Regression& other) { return other.name == current_case_->name; });
    if (is_taken) return Fail(fmt::format("found a second case '{}', expected a name of its own", current_case_->name));
    file_.cases.push_back(std::move(*current_case_));
    current_case_.reset();
    has_case_ = false;
  }

  const std::filesystem::path& path_;
  int line_number_ = 0;
  RegressionFile file_;
  std::optional<Regression> current_case_;
  bool has_case_ = false;
  std::optional<ReadError> error_;
};

}  // namespace

std::variant<RegressionFile, ReadError> ReadRegressionFile(const std::filesystem::path& path) {
  return RegressionReader(path).Read();
}

}  // namespace conformance
