// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of an operator in a dialect (reading of its attributes), for the builders of covering arrays (array.h). It
// has the classes of each parameter, such as stride 1 or equal strides, and the constraints, that is the combinations
// of classes which no valid operator has. Example: stride 1 and a kernel between 1 and the stride. A combination of
// classes is feasible if a search can extend it to a complete row that no constraint forbids.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_MODEL_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_MODEL_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "conformance/case/property/property.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// A claim that no valid operator has certain classes together.
struct Constraint {
  std::string_view clause;  ///< a clause of oracle/clauses.md; empty: it follows from the definition of the classes
  std::string_view reason;
  std::uint32_t reads;  ///< bit p: `forbids` reads Property p, and is called only for rows with all these properties
  bool (*forbids)(const ClassRow& row);
};

/// The classes and constraints of one operator in one dialect.
class Model {
 public:
  Model(oracle::OperatorKind kind, oracle::Dialect dialect);

  oracle::OperatorKind kind() const { return kind_; }
  oracle::Dialect dialect() const { return dialect_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  /// The classes of a parameter that the operator can have; empty if it does not have this parameter.
  const std::vector<std::uint8_t>& classes(Property parameter) const {
    return classes_[static_cast<std::size_t>(parameter)];
  }
  /// The parameters with more than one class. Only these are combined.
  const std::vector<Property>& parameters() const { return parameters_; }

  /// The first constraint that forbids the classes which the row has so far; nullptr if there is none.
  const Constraint* Forbidden(const ClassRow& row) const;
  /// Chooses the missing classes of the row so that no constraint forbids it. Returns false if that is impossible,
  /// which an exhaustive search shows.
  bool Complete(ClassRow& row) const;
  /// Whether some valid operator may have these classes.
  bool Feasible(ClassRow row) const { return Complete(row); }

 private:
  /// Completes the parameters order_[at], order_[at + 1], ...
  bool CompleteFrom(ClassRow& row, std::size_t at) const;
  /// Whether a constraint that reads `parameter` forbids the row.
  bool ForbiddenAt(const ClassRow& row, Property parameter) const;

  oracle::OperatorKind kind_;
  oracle::Dialect dialect_;
  std::array<std::vector<std::uint8_t>, kParameters> classes_;
  std::vector<Property> parameters_;
  std::vector<Property> order_;  ///< order of the search
  std::vector<Constraint> constraints_;
  std::array<std::vector<std::size_t>, kParameters>
      reading_;  ///< for each parameter the indices of constraints that read it
};

/// One model for each operator and dialect, made once.
const Model& ModelOf(oracle::OperatorKind kind, oracle::Dialect dialect);

/// The constraints of an operator in a dialect. Those that follow from the definition of the classes come first.
std::vector<Constraint> ConstraintsOf(oracle::OperatorKind kind, oracle::Dialect dialect);

/// Bits of Constraint::reads.
constexpr std::uint32_t Reads(std::initializer_list<Property> parameters) {
  std::uint32_t bits = 0;
  for (const Property parameter : parameters) bits |= std::uint32_t{1} << static_cast<unsigned>(parameter);
  return bits;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_MODEL_H_
