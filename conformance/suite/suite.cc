// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry of suites (named lists of cases). To add a suite, write its generator in a file of its own and add a row
// to kEntries.

#include "conformance/suite/suite.h"

#include <array>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/names.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

struct Entry {
  Suite suite;
  SuiteResult (*generate)(Level level);
};

constexpr std::array kEntries = {
    Entry{{"spec-examples",
           "Every XML example of the specification has the output shape printed beside it and the values of the "
           "formula."},
          SpecExampleCases},
    Entry{{"layers", "The transposed convolutions of well-known networks are computed correctly at their real sizes."},
          LayerSuiteCases},
    Entry{
        {"common",
         "The geometries that networks use are computed correctly with every type, batch, grouping, layout and number "
         "of channels."},
        CommonCases},
    Entry{{"attributes",
           "Every attribute, alone and combined with others, means what its dialect says, on every operator, rank, "
           "grouping, layout and element type."},
          AttributeCases},
    Entry{{"invalid",
           "Operators that the specification forbids are refused, and their simplest valid neighbours are not."},
          InvalidCases},
    Entry{{"open",
           "Operators on which the specification is silent or contradicts itself are refused, or computed as the "
           "clause says; the report lists the choices."},
          OpenCases},
    Entry{{"properties",
           "The outputs of related operators obey their laws, also at sizes where no expected value is computed."},
          PropertyCases},
    Entry{{"regressions",
           "The cases of bugs that real libraries had, or the smallest cases like them, are computed correctly."},
          RegressionCases},
    Entry{{"numerics", "Sums are as accurate as declared, special values follow IEEE 754, and integers wrap."},
          NumericsCases},
    Entry{{"limits",
           "Empty tensors, very long axes and very large offsets are computed correctly, and sizes beyond 63 bits are "
           "refused."},
          LimitsCases},
    Entry{{"dense",
           "Some 200,000 small operators around the kernels and strides of networks have the right values: all "
           "combinations of type, batch, groups, channels, layout and size."},
          DenseCases},
    Entry{{"exhaustive",
           "Within small bounds, every operator of one axis resolves as its dialect says, and every resolved axis and "
           "every pair of them has the right values."},
          ExhaustiveCases},
};

constexpr std::array kSuites = [] {
  std::array<Suite, kEntries.size()> suites{};
  for (std::size_t i = 0; i < kEntries.size(); ++i) suites[i] = kEntries[i].suite;
  return suites;
}();

constexpr std::array<Named<Level>, 3> kLevelNames = {
    {{Level::kSmoke, "smoke"}, {Level::kGate, "gate"}, {Level::kFull, "full"}}};

}  // namespace

std::string_view LevelName(Level level) { return NameOf(kLevelNames, level); }

std::optional<Level> ParseLevel(std::string_view name) { return FindNamed(kLevelNames, name); }

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
    SuiteResult result = entry.generate(level);
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
