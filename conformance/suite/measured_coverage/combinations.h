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

/// How many parameters a combination has: two, three, or the core and one more. The core is the four that decide pads
/// and sizes together: auto_pad, output shape, output_padding and groups.
enum class Strength { kPairs, kTriples, kCore };

struct CombinationCoverage {
  std::size_t covered = 0;
  std::vector<ClassRow> missing;  ///< feasible and not covered; each has classes of its own parameters alone

  std::size_t feasible() const { return covered + missing.size(); }
  bool complete() const { return missing.empty(); }
};

/// The missing triples that hold no missing pair: with the missing pairs they say everything.
std::vector<ClassRow> TriplesOfCoveredPairs(const CombinationCoverage& pairs, const CombinationCoverage& triples);

class CombinationCounter {
 public:
  CombinationCounter(oracle::OperatorKind kind, oracle::Dialect dialect);

  void Add(const ClassRow& row);
  CombinationCoverage Count(Strength strength) const;

 private:
  /// Some parameters, and a bit for each combination of their classes.
  struct Group {
    Strength strength;
    std::vector<Property> parameters;
    std::vector<bool> seen;
  };

  const Model& model_;
  std::vector<Group> groups_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_
