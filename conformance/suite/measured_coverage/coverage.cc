// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures what a list of cases covers. Counts combinations of classes, clauses (numbered rules) and tap regimes (how
// many taps of an output meet data), collects the results of the counters, and formats them as text.

#include "conformance/suite/measured_coverage/coverage.h"

#include <vector>

#include <fmt/format.h>

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

namespace {

std::string ClauseText(std::string_view id) {
  const oracle::Clause* clause = oracle::FindClause(id);
  return clause != nullptr ? fmt::format("{} ({})", id, clause->title) : std::string(id);
}

std::string OperatorInDialect(oracle::OperatorKind kind, oracle::Dialect dialect) {
  return fmt::format("{} in {}", oracle::OperatorKindName(kind), oracle::DialectName(dialect));
}

std::vector<std::string> MissingRegimes(const TapRegimes& regimes) {
  std::vector<std::string> missing;
  for (std::size_t p = 0; p < kPhaseClassNames.size(); ++p) {
    for (std::size_t r = 0; r < kTapRegimeNames.size(); ++r) {
      const auto phase = static_cast<PhaseClass>(p);
      const auto regime = static_cast<TapRegime>(r);
      if (Exists(phase, regime) && regimes.count(phase, regime) == 0) {
        missing.push_back(fmt::format("phase {}, {}", kPhaseClassNames[p], kTapRegimeNames[r]));
      }
    }
  }
  return missing;
}

}  // namespace

std::string CoverageSummary(const Coverage& coverage) {
  std::string text;
  for (const OperatorCoverage& entry : coverage.operators) {
    const auto share = [](const auto& counted) {
      return counted.complete() ? "all" : fmt::format("{}/{}", counted.covered, counted.feasible());
    };
    text += fmt::format("{}{} triples of classes {}, pairs of axes {}\n", text.empty() ? "coverage: " : "          ",
                        OperatorInDialect(entry.kind, entry.dialect), share(entry.triples), share(entry.axes));
  }
  return text + fmt::format("{}clauses {}/{}, tap regimes {}/{}\n", text.empty() ? "coverage: " : "          ",
                            coverage.clauses_within - coverage.missing_clauses.size(), coverage.clauses_within,
                            coverage.regimes.met(), coverage.regimes.existing());
}

std::string CoverageList(const Coverage& coverage) {
  std::string text;
  for (const OperatorCoverage& entry : coverage.operators) {
    const std::string name = OperatorInDialect(entry.kind, entry.dialect);
    text += fmt::format(
        "{}: {} valid cases, {} of them inside the model; pairs {}/{}, triples {}/{}, core with one more {}/{}, pairs "
        "of "
        "axes {}/{}\n",
        name, entry.cases, entry.classified, entry.pairs.covered, entry.pairs.feasible(), entry.triples.covered,
        entry.triples.feasible(), entry.core.covered, entry.core.feasible(), entry.axes.covered, entry.axes.feasible());
    for (const ClassRow& row : entry.pairs.missing) text += fmt::format("{}: uncovered {}\n", name, ToText(row));
    for (const ClassRow& row : TriplesOfCoveredPairs(entry.pairs, entry.triples)) {
      text += fmt::format("{}: uncovered {}\n", name, ToText(row));
    }
    for (const AxisPair& pair : entry.axes.missing) text += fmt::format("{}: uncovered {}\n", name, ToText(pair));
    for (const Constraint& constraint : ModelOf(entry.kind, entry.dialect).constraints()) {
      text += fmt::format("{}: infeasible by {}: {}\n", name,
                          constraint.clause.empty() ? "definition" : fmt::format("clause {}", constraint.clause),
                          constraint.reason);
    }
  }
  for (const std::string_view clause : coverage.missing_clauses) {
    text += fmt::format("uncovered clause {}\n", ClauseText(clause));
  }
  for (const std::string& regime : MissingRegimes(coverage.regimes)) text += fmt::format("uncovered {}\n", regime);
  return text;
}

}  // namespace conformance
