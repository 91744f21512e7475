// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a backend's declaration that the suite can judge: operator kinds with a dialect, ranks, and element
// types. `deconv-cts doctor` builds its cases from this scope, and warns of declarations that do not fit together.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_DECLARED_SCOPE_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_DECLARED_SCOPE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"
#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

/// Answers questions about a declaration, which must outlive it. A dialect is one reading of the operators' attributes.
class DeclaredScope {
 public:
  explicit DeclaredScope(const Capabilities& declared) : declared_(declared) {}

  /// Declared kinds that one of the declared dialects defines.
  std::vector<oracle::OperatorKind> Kinds() const;
  /// Declared ranks from 3 to 10, the ranks that the oracle knows.
  std::vector<std::size_t> Ranks() const;
  /// Declared types on which the kind is defined.
  std::vector<oracle::ElementType> Types(oracle::OperatorKind kind) const;

  using MakeCases =
      std::function<std::vector<SuiteCase>(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type)>;
  /// A plain case of every kind, rank and type. Then a case without strides of each kind, as in CasesOfEachKind().
  std::vector<SuiteCase> PlainCases() const;
  /// The cases that `make` gives for each kind, on UsualRank() and the first of Types(). Their names begin with the
  /// kind. Each is changed by AcceptedCase().
  std::vector<SuiteCase> CasesOfEachKind(const MakeCases& make) const;
  /// The rank for steps that need only one rank: the second one, mostly 4. Precondition: Ranks() is not empty.
  std::size_t UsualRank() const { return Ranks().size() > 1 ? Ranks()[1] : Ranks()[0]; }

  struct KindRankType {
    oracle::OperatorKind kind;
    std::size_t rank;
    oracle::ElementType type;
  };
  /// Returns each type of each kind on UsualRank(), and each type of the first kind on every rank up to 5. A backend
  /// that takes resolved geometry sees no kinds, so it gets only the first kind. Combinations whose plain case is among
  /// the `wrong` operators would only fail again. They are left out, unless all are wrong.
  std::vector<KindRankType> KindRankTypes(std::span<const oracle::Operator> wrong) const;
  /// For each kind with a type: a sweep, one case that stands for many operators, of 200 geometries.
  std::vector<SuiteCase> ResolveSweeps() const;
  /// The operator's geometry in the dialect that judges the case. Absent if that dialect refuses the operator, or if no
  /// declared dialect defines its kind.
  std::optional<oracle::Geometry> GeometryOf(const SuiteCase& suite_case) const;
  /// Returns the case. If the dialect that judges it requires an output shape, adds one (WithRequiredShape()).
  SuiteCase AcceptedCase(SuiteCase suite_case) const;
  /// Whether the operator has a geometry in the dialect that judges the case.
  bool IsDefined(const SuiteCase& suite_case) const { return GeometryOf(suite_case).has_value(); }

 private:
  const Capabilities& declared_;
};

/// A warning about a declaration, and the advice.
struct DeclarationWarning {
  std::string text;
  std::string advice;
  bool may_be_meant = false;  ///< the declaration may be intended: it is right for some libraries
};

/// Declarations that make cases impossible to judge, or that make their verdicts weak.
std::vector<DeclarationWarning> WarningsOf(const Capabilities& declared);

/// The declared operators, types, ranks and dialects.
std::string ScopeText(const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_DECLARED_SCOPE_H_
