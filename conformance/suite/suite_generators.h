// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the generators of the suites, which are named lists of cases (operators to test). A generator returns the
// cases of a level (smoke, gate or full) and of all levels below, in a stable order. SuiteCases then adds the suite's
// name and the seed of the run.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_GENERATORS_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_GENERATORS_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

/// Collects the cases of a suite at one level. Generators use it to skip cases of higher levels and duplicates.
class SuiteBuilder {
 public:
  explicit SuiteBuilder(Level level) : level_(level) {}

  /// Whether the level contains cases whose lowest level is `least`.
  bool Includes(Level least) const { return level_ >= least; }

  /// Adds a case. `neighbour`: for invalid and open operators, see SuiteCase::neighbour.
  void Add(std::string name, std::string reason, Case test_case,
           std::optional<oracle::Operator> neighbour = std::nullopt) {
    cases_.push_back({.suite = {},
                      .name = std::move(name),
                      .test_case = std::move(test_case),
                      .reason = std::move(reason),
                      .declared_output = {},
                      .neighbour = std::move(neighbour)});
  }
  /// Adds the case unless a case with the same line has been added before.
  void AddUnlessKnown(std::string name, std::string reason, Case test_case,
                      std::optional<oracle::Operator> neighbour = std::nullopt) {
    for (; known_ < cases_.size(); ++known_) lines_.insert(ToLine(cases_[known_].test_case));
    if (!lines_.insert(ToLine(test_case)).second) return;
    Add(std::move(name), std::move(reason), std::move(test_case), std::move(neighbour));
    known_ = cases_.size();
  }

  const std::vector<SuiteCase>& cases() const { return cases_; }
  std::vector<SuiteCase> Build() { return std::move(cases_); }

 private:
  Level level_;
  std::vector<SuiteCase> cases_;
  std::set<std::string> lines_;
  std::size_t known_ = 0;  ///< the lines of the first `known_` cases are in lines_
};

/// Layers with more multiply-adds run from level gate on, because all cases of level smoke must take less than 10 s.
inline constexpr double kSmokeMultiplyAdds = 20e6;

using SuiteResult = std::variant<std::vector<SuiteCase>, ReadError>;

SuiteResult SpecExampleCases(Level level);
SuiteResult LayerSuiteCases(Level level);
SuiteResult CommonCases(Level level);
SuiteResult AttributeCases(Level level);
SuiteResult InvalidCases(Level level);
SuiteResult OpenCases(Level level);
SuiteResult PropertyCases(Level level);
SuiteResult RegressionCases(Level level);
SuiteResult NumericsCases(Level level);
SuiteResult LimitsCases(Level level);
SuiteResult DenseCases(Level level);       ///< conformance/suite/suite_exhaustive.cc
SuiteResult ExhaustiveCases(Level level);  ///< conformance/suite/suite_exhaustive.cc

/// The files of a corpus folder with this extension, sorted by name.
std::variant<std::vector<std::filesystem::path>, ReadError> CorpusFiles(const std::filesystem::path& folder,
                                                                        const std::string& extension);

/// One line of layers.txt: "CASE  # NAME: ORIGIN".
struct NetworkLayer {
  std::string name;  ///< unique within the file
  Case test_case;
  std::string origin;
};
std::variant<std::vector<NetworkLayer>, ReadError> NetworkLayers(const std::filesystem::path& file);

/// One line of spec/ORIGINS.txt: an XML fragment of the specification, the net that describes the same case, and where
/// the specification has the fragment.
struct FragmentOrigin {
  std::filesystem::path fragment;
  std::filesystem::path net;
  std::string origin;
};
std::variant<std::vector<FragmentOrigin>, ReadError> FragmentOrigins(const std::filesystem::path& spec_folder);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_GENERATORS_H_
