// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures what a list of cases covers, for `deconv-cts list --coverage`: combinations of classes of each operator in
// each dialect (reading of its attributes), clauses (numbered rules), and tap regimes. A tap is one element of the
// filter; a regime says how many taps of an output meet data. It looks at the cases, not at their suite.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/suite/measured_coverage/combinations.h"
#include "conformance/suite/measured_coverage/tap_regimes.h"

namespace conformance {

/// What the cases of one operator in one dialect cover.
struct OperatorCoverage {
  oracle::OperatorKind kind;
  oracle::Dialect dialect;
  std::size_t cases = 0;       ///< valid cases
  std::size_t classified = 0;  ///< valid cases for which Classify returns classes
  CombinationCoverage pairs;
  CombinationCoverage triples;
  CombinationCoverage core;  ///< combinations of five parameters: the core's four and one other
  AxisPairCoverage axes;     ///< pairs of classes of two axes
};

/// What a list of cases covers.
struct Coverage {
  std::vector<OperatorCoverage> operators;          ///< each operator in each dialect that judges a valid case
  std::map<std::string_view, std::size_t> clauses;  ///< number of cases for each clause
  std::vector<std::string_view> missing_clauses;    ///< in the order of clauses.md; without those of IsUntestable
  std::size_t clauses_within = 0;                   ///< number of clauses that some case can test
  TapRegimes regimes;
};

/// Counts one case after the other.
class CoverageCounter {
 public:
  /// Counts a case that is judged by this dialect.
  void Add(const Case& test_case, oracle::Dialect dialect);
  Coverage Count() const;

 private:
  struct Counts {
    Counts(oracle::OperatorKind kind, oracle::Dialect dialect) : combinations(kind, dialect), axes(kind, dialect) {}

    std::size_t cases = 0, classified = 0;
    CombinationCounter combinations;
    AxisPairCounter axes;
  };
  std::map<std::pair<oracle::OperatorKind, oracle::Dialect>, Counts> operators_;
  std::map<std::string_view, std::size_t> clauses_;
  TapRegimes regimes_;
};

/// One line for each operator and dialect with cases, and one line for clauses and tap regimes.
std::string CoverageSummary(const Coverage& coverage);

/// One line for each missing combination, clause or tap regime, and one for each impossible one with its reason.
std::string CoverageList(const Coverage& coverage);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COVERAGE_H_
