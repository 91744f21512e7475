// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts which combinations of classes a list of cases has, of those that are feasible for their operator in their
// dialect.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_

#include <cstddef>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// Combinations of the classes of two, or of three, parameters.
struct CombinationCoverage {
  std::size_t covered = 0;
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  std::vector<ClassRow> missing;  ///< feasible and not covered; each names its two or three parameters

  bool complete() const { return missing.empty(); }
};

/// The missing triples that hold no missing pair: with the missing pairs they say everything.
std::vector<ClassRow> TriplesOfCoveredPairs(const CombinationCoverage& pairs, const CombinationCoverage& triples);

/// A combination that no operator is in.
struct Infeasible {
  ClassRow combination;
  const Constraint* constraint;  ///< the one that forbids it; nullptr where it takes several to leave nothing
};

/// All infeasible combinations of `strength` (2 or 3) parameters.
std::vector<Infeasible> InfeasibleCombinations(const Model& model, int strength);

class CombinationCounter {
 public:
  CombinationCounter(oracle::OperatorKind kind, oracle::Dialect dialect);

  const Model& model() const { return model_; }
  void Add(const ClassRow& row);
  bool Has(const ClassRow& combination) const;
  CombinationCoverage Count(int strength) const;

 private:
  std::size_t Label(const ClassRow& row, Property parameter) const;

  const Model& model_;
  std::vector<bool> seen_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_
