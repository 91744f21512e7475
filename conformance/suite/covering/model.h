// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of an operator in a dialect: which classes each parameter has, and which classes contradict each other. A
// combination of classes is feasible if a search finds a whole row that no constraint forbids.

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

struct Constraint {
  std::string_view clause;  ///< a clause of oracle/clauses.md; empty: it follows from the definition of the classes
  std::string_view reason;
  std::uint32_t reads;  ///< bit p: Property p; the constraint speaks of rows that have all of these
  bool (*forbids)(const ClassRow& row);
};

class Model {
 public:
  Model(oracle::OperatorKind kind, oracle::Dialect dialect);

  oracle::OperatorKind kind() const { return kind_; }
  oracle::Dialect dialect() const { return dialect_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  /// The classes that the operator has of a parameter; empty where it has no such parameter.
  const std::vector<std::uint8_t>& classes(Property parameter) const {
    return classes_[static_cast<std::size_t>(parameter)];
  }
  /// The parameters with more than one class, of which combinations are made.
  const std::vector<Property>& parameters() const { return parameters_; }

  /// The first constraint that forbids what the row has so far; nullptr if none does.
  const Constraint* Forbidden(const ClassRow& row) const;
  /// Gives every parameter a class so that no constraint forbids the row. False if there is no such row: the search
  /// goes through all of them.
  bool Complete(ClassRow& row) const;
  bool Feasible(ClassRow row) const { return Complete(row); }

 private:
  bool CompleteFrom(ClassRow& row, std::size_t at) const;
  bool ForbiddenAt(const ClassRow& row, Property parameter) const;

  oracle::OperatorKind kind_;
  oracle::Dialect dialect_;
  std::array<std::vector<std::uint8_t>, kParameters> classes_;
  std::vector<Property> parameters_;
  std::vector<Property> order_;  ///< order of the search
  std::vector<Constraint> constraints_;
  std::array<std::vector<std::size_t>, kParameters> reading_;  ///< constraints by parameter
};

/// One model for each operator and dialect, made once.
const Model& ModelOf(oracle::OperatorKind kind, oracle::Dialect dialect);

/// The constraints of an operator in a dialect, those by definition first.
std::vector<Constraint> ConstraintsOf(oracle::OperatorKind kind, oracle::Dialect dialect);

/// Bits of Constraint::reads.
constexpr std::uint32_t Reads(std::initializer_list<Property> parameters) {
  std::uint32_t bits = 0;
  for (const Property parameter : parameters) bits |= std::uint32_t{1} << static_cast<unsigned>(parameter);
  return bits;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_MODEL_H_
