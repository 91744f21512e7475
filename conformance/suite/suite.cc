// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry of suites. A new suite is a generator in a file of its own and a line in kEntries.

#include "conformance/suite/suite.h"

#include <array>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"
#include "conformance/text/nearest.h"

namespace conformance {
namespace {

struct Entry {
  Suite suite;
  SuiteResult (*cases)(Level level);
};

constexpr std::array kEntries = {
    Entry{{"spec-examples",
           "Every XML example that the specification prints has the output shape printed beside it, and "
           "the values of its formula."},
          SpecExampleCases},
    Entry{{"layers", "The transposed convolutions of well-known networks come out right at their real sizes."},
          LayerSuiteCases},
    Entry{{"attributes",
           "Every attribute, alone and combined, means what the dialect says, on every operator, rank, "
           "grouping, layout and element type."},
          AttributeCases},
    Entry{{"invalid", "What the specification forbids is refused, and its nearest valid neighbour is not."},
          InvalidCases},
    Entry{
        {"properties",
         "Laws that hold between the outputs of related operators hold, at sizes where no expected value is computed."},
        PropertyCases},
    Entry{{"regressions",
           "The cases that bugs of real libraries were reported on, or the smallest of their class, come out right."},
          RegressionCases},
    Entry{{"numerics",
           "Sums keep the accuracy that is declared, special values go where IEEE 754 sends them, integers wrap."},
          NumericsCases},
    Entry{{"limits", "Nothing, very long and very far come out right, and what no number can hold is refused."},
          LimitsCases},
    Entry{
        {"exhaustive",
         "Within small bounds every operator of one axis resolves as its dialect says, and every resolved axis, alone "
         "and in pairs, has the right values."},
        ExhaustiveCases},
};

constexpr std::array kSuites = [] {
  std::array<Suite, kEntries.size()> suites{};
  for (std::size_t i = 0; i < kEntries.size(); ++i) suites[i] = kEntries[i].suite;
  return suites;
}();

constexpr std::array<std::pair<Level, std::string_view>, 3> kLevels = {
    {{Level::kSmoke, "smoke"}, {Level::kGate, "gate"}, {Level::kFull, "full"}}};

}  // namespace

std::string_view LevelName(Level level) {
  for (const auto& [known, name] : kLevels) {
    if (known == level) return name;
  }
  return {};
}

std::optional<Level> ParseLevel(std::string_view name) {
  for (const auto& [level, known] : kLevels) {
    if (known == name) return level;
  }
  return std::nullopt;
}

std::span<const Suite> Suites() { return kSuites; }

std::filesystem::path CorpusRoot() {
  if (const char* root = std::getenv("DECONV_CORPUS"); root != nullptr && *root != '\0') return root;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "deconv-cts" / "corpus";
    if (std::filesystem::is_directory(installed, error)) return installed;
  }
  return DECONV_SOURCE_CORPUS;
}

SuiteResult SuiteCases(std::string_view suite, Level level, std::uint64_t seed) {
  for (const Entry& entry : kEntries) {
    if (entry.suite.name != suite) continue;
    SuiteResult result = entry.cases(level);
    if (auto* cases = std::get_if<std::vector<SuiteCase>>(&result)) {
      for (SuiteCase& suite_case : *cases) {
        suite_case.suite = suite;
        suite_case.test_case.seed += seed;
      }
    }
    return result;
  }
  std::vector<std::string> names;
  for (const Suite& known : kSuites) names.emplace_back(known.name);
  return ReadError{
      fmt::format("suite: found '{}', expected one of {}{}", suite, fmt::join(names, ", "), DidYouMean(suite, names))};
}

}  // namespace conformance
