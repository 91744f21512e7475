// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts which pairs of classes two axes of one operator have. An operator whose axes are all in one class does not
// show that a backend takes each attribute from its own axis.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_AXIS_PAIRS_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_AXIS_PAIRS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// Two axes of an operator of `axes` spatial axes, and the class of each. Totals (kOutputShape) are counted under each
/// auto_pad, in two axes also with one group and with several. The others are counted with and without an output
/// shape, and with an auto_pad that uses pads or ignores them.
struct AxisPair {
  std::uint8_t axes = 2;
  std::uint8_t first = 0;
  std::uint8_t second = 1;
  Property parameter = Property::kOutputShape;
  std::uint8_t auto_pad = 0;  ///< mode of totals; other properties: kExplicit if pads count, else kValid
  bool grouped = false;       ///< totals in two axes alone: several groups
  bool shaped = true;
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

class AxisPairCounter {
 public:
  AxisPairCounter(oracle::OperatorKind kind, oracle::Dialect dialect) : model_(ModelOf(kind, dialect)) {}

  /// `row` and `axes` are an operator's classes (classify.h). Operators of one axis or of more than three do not count.
  void Add(const ClassRow& row, const std::vector<ClassRow>& axes);
  AxisPairCoverage Count() const;

 private:
  bool Feasible(const AxisPair& pair) const;
  bool AxisIsFeasible(const AxisPair& pair, std::uint8_t auto_pad, std::uint8_t value) const;

  const Model& model_;
  std::set<AxisPair> seen_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_AXIS_PAIRS_H_
