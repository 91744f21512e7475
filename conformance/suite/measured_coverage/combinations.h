// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts which combinations of classes occur in a list of cases, and which pairs of classes two axes of one operator
// have. A class is a set of values of a parameter that should behave alike. Example: "strides=equal pads=zero" is a
// pair of classes. A combination is feasible if some valid operator has it. The counters know the feasible combinations
// of an operator in a dialect, so that they can also list the missing ones. They are independent of the builders of
// covering arrays (array.h), which they check.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// How many parameters a combination has: two, three, or five. The five are the core and one other parameter. The core
/// are auto_pad, output shape, output_padding and groups, which decide pads and sizes together.
enum class Strength { kPairs, kTriples, kCore };

/// The number of feasible combinations that have occurred, and the combinations that have not.
struct CombinationCoverage {
  std::size_t covered = 0;
  std::vector<ClassRow> missing;  ///< feasible and not covered; a row has only the classes of the combination

  std::size_t feasible() const { return covered + missing.size(); }
  bool complete() const { return missing.empty(); }
};

/// The missing triples that contain no missing pair. (A triple with a missing pair is missing too, so that a report of
/// it would repeat the pair.)
std::vector<ClassRow> TriplesOfCoveredPairs(const CombinationCoverage& pairs, const CombinationCoverage& triples);

/// Counts combinations in rows of classes. A row has the classes of one operator.
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

// Counts which pairs of classes two axes of one operator have. Example: one axis has pads at its beginning, the other
// at its end. If all axes of an operator are equal, a backend that takes an attribute of the wrong axis is still right.

/// The classes of one parameter on two axes of an operator, and the context in which they are counted. Classes of
/// kOutputShape are counted for each auto_pad; with two axes also for one group and for several groups. Classes of
/// other parameters are counted with and without an output shape, and with an auto_pad that uses pads or ignores them.
struct AxisPair {
  std::uint8_t axes = 2;
  std::uint8_t first = 0;
  std::uint8_t second = 1;
  Property parameter = Property::kOutputShape;
  std::uint8_t auto_pad = 0;  ///< of kOutputShape: an AutoPadClass; of others: kExplicit if pads are used, else kValid
  bool grouped = false;       ///< several groups; only for kOutputShape with two axes
  bool shaped = true;         ///< whether the operator has an output shape
  std::uint8_t first_class = 0;
  std::uint8_t second_class = 0;

  auto operator<=>(const AxisPair&) const = default;
};

/// "axes 0 and 1 of 2, auto_pad=valid groups=one: output_shape=total-odd,total-zero".
std::string ToText(const AxisPair& pair);

struct AxisPairCoverage {
  std::size_t covered = 0;
  std::vector<AxisPair> missing;  ///< feasible and not covered

  std::size_t feasible() const { return covered + missing.size(); }
  bool complete() const { return missing.empty(); }
};

/// Counts pairs of classes of two axes.
class AxisPairCounter {
 public:
  AxisPairCounter(oracle::OperatorKind kind, oracle::Dialect dialect) : model_(ModelOf(kind, dialect)) {}

  /// Counts an operator by its results of Classify and ClassifyAxes. Operators with one axis or with more than three
  /// are ignored.
  void Add(const ClassRow& row, const std::vector<ClassRow>& axes);
  AxisPairCoverage Count() const;

 private:
  bool Feasible(const AxisPair& pair) const;
  bool AxisIsFeasible(const AxisPair& pair, std::uint8_t auto_pad, std::uint8_t value) const;

  const Model& model_;
  std::set<AxisPair> seen_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_COMBINATIONS_H_
