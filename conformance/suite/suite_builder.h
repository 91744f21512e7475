// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the cases of a suite at one level. Generators use it to skip cases of higher levels and duplicates.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_BUILDER_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_BUILDER_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_BUILDER_H_
