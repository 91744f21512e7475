// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts which combinations of classes occur in a list of cases. Example: "strides=equal pads=zero" is a pair of
// classes. A combination is feasible if some valid operator has it. The counter knows the feasible combinations of an
// operator in a dialect, so that it can also list the missing ones. It is independent of the builders of arrays.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_

#include <cstddef>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// How many parameters a combination has: two, three, or five. The five are the core and one other parameter. The core
/// are auto_pad, output shape, output_padding and groups, which decide pads and sizes together.
enum class Strength { kPairs, kTriples, kCore };

struct CombinationCoverage {
  std::size_t covered = 0;
  std::vector<ClassRow> missing;  ///< feasible and not covered; a row has only the classes of the combination

  std::size_t feasible() const { return covered + missing.size(); }
  bool complete() const { return missing.empty(); }
};

/// The missing triples that contain no missing pair. (A triple with a missing pair is missing too, so that a report of
/// it would repeat the pair.)
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
