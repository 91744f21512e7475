// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats the coverage of a list of cases as text: a summary of a few lines, and a list of missing combinations.

#include "conformance/suite/measured_coverage/coverage_text.h"

#include <vector>

#include <fmt/format.h>

#include "oracle/clause.h"

namespace conformance {
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
