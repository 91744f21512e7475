// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures what a list of cases covers. Counts combinations of classes, clauses (numbered rules) and tap regimes (how
// many taps of an output meet data), and collects the results of the counters.

#include "conformance/suite/measured_coverage/coverage.h"

#include "conformance/case/property/property.h"
#include "conformance/suite/measured_coverage/tested_clauses.h"
#include "oracle/clause.h"

namespace conformance {

void CoverageCounter::Add(const Case& test_case, oracle::Dialect dialect) {
  if (test_case.law) return;  // a law compares outputs with each other, not with the oracle
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  if (test_case.sweep && test_case.sweep->resolves()) {
    // This sweep compares geometries only, so that it tests no values and no tap regimes.
    for (const oracle::Step& step : resolution.steps) ++clauses_[step.clause];
    return;
  }
  for (const std::string_view clause : TestedClauses(test_case, resolution)) ++clauses_[clause];
  if (!resolution.ok()) return;
  const oracle::OperatorKind kind = test_case.op.kind;
  Counts& counts = operators_.try_emplace({kind, dialect}, kind, dialect).first->second;
  ++counts.cases;
  regimes_.Add(*resolution.geometry);
  if (const auto row = Classify(test_case.op, *resolution.geometry)) {
    ++counts.classified;
    counts.combinations.Add(*row);
    counts.axes.Add(*row, ClassifyAxes(test_case.op, *resolution.geometry));
  }
}

Coverage CoverageCounter::Count() const {
  Coverage coverage;
  for (const auto& [key, counts] : operators_) {
    coverage.operators.push_back({.kind = key.first,
                                  .dialect = key.second,
                                  .cases = counts.cases,
                                  .classified = counts.classified,
                                  .pairs = counts.combinations.Count(Strength::kPairs),
                                  .triples = counts.combinations.Count(Strength::kTriples),
                                  .core = counts.combinations.Count(Strength::kCore),
                                  .axes = counts.axes.Count()});
  }
  coverage.clauses = clauses_;
  for (const oracle::Clause& clause : oracle::Clauses()) {
    if (IsUntestable(clause.id)) continue;
    ++coverage.clauses_within;
    if (!clauses_.contains(clause.id)) coverage.missing_clauses.push_back(clause.id);
  }
  coverage.regimes = regimes_;
  return coverage;
}

}  // namespace conformance
