// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the operator kinds, ranks and types that a backend declares and that the suite can judge. Warns of declarations
// that do not fit together.

#include "conformance/cli/doctor/declared_scope.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/doctor/declaration_words.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/interface/describe_operator.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

// Below this size of the largest tensor, a backend can run no layer of a real network.
constexpr std::uint64_t kFewBytes = 64 * 1024;

/// The dialects that define the operator: "onnx-1, onnx-11".
std::string DialectList(OperatorKind kind) {
  std::vector<std::string_view> names;
  for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) names.push_back(DialectName(dialect));
  return fmt::format("{}", fmt::join(names, ", "));
}

bool DeclaresKind(const Capabilities& declared, OperatorKind kind) {
  return (declared.operators >> OperatorId(kind) & 1) != 0;
}

/// "f32, f16"
std::string TypesText(const Capabilities& declared) {
  const std::vector<std::string_view> types = TypeNames(declared.element_types);
  return types.empty() ? "none" : fmt::format("{}", fmt::join(types, ", "));
}

/// Warns of operators without a dialect or type that defines them, and of dialects without operators.
void WarnOfOperators(const Capabilities& declared, std::vector<DeclarationWarning>& warnings) {
  const DeclaredScope scope(declared);
  const std::vector<OperatorKind> kinds = scope.Kinds();
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    const bool judged = std::ranges::find(kinds, kind) != kinds.end();
    if (DeclaresKind(declared, kind) && !judged) {
      warnings.push_back({fmt::format("operator {} has no declared dialect that defines it, so it is never judged",
                                      OperatorKindName(kind)),
                          fmt::format("declare one of the dialects {}, or remove the operator", DialectList(kind))});
    }
    if (judged && scope.Types(kind).empty()) {
      warnings.push_back(
          {fmt::format("operator {} has no declared type on which it is defined", OperatorKindName(kind)),
           "declare its types, or remove the operator"});
    }
  }
  for (const oracle::Dialect dialect : declared.dialects) {
    if (std::ranges::any_of(kinds, [&](OperatorKind kind) { return Defines(dialect, kind); })) continue;
    warnings.push_back({fmt::format("dialect {} defines none of the declared operators", DialectName(dialect)),
                        "declare the operators of the dialect, or remove the dialect"});
  }
}

/// Warns of limits that leave out most cases.
void WarnOfSizes(const Capabilities& declared, std::vector<DeclarationWarning>& warnings) {
  if (declared.min_rank == declared.max_rank) {
    warnings.push_back(
        {fmt::format("only rank {} is declared, so cases of other ranks are not run", declared.min_rank),
         fmt::format("that is right for a library of {} spatial ax{} only; the rank counts batch and channels",
                     declared.min_rank - 2, declared.min_rank == 3 ? "is" : "es"),
         true});
  }
  if (declared.max_bytes != 0 && declared.max_bytes < kFewBytes) {
    warnings.push_back({fmt::format("max_bytes is {}, so no layer of a real network is run", declared.max_bytes),
                        "raise max_bytes, or leave it out"});
  }
}

/// Warns of arithmetic whose error bounds are wide, so that the verdicts prove less.
void WarnOfArithmetic(const Capabilities& declared, std::vector<DeclarationWarning>& warnings) {
  if (declared.fast_algorithm) {
    warnings.push_back({"a fast algorithm is declared: outputs are judged by norms, which proves less",
                        "declare a direct algorithm if the backend sums products directly"});
  }
  const auto keeps_sums_in = [&](ElementType type) {
    return (declared.element_types >> ElementTypeId(type) & 1) != 0 &&
           declared.ArithmeticFor(type).accumulator == DECONV_ACCUMULATOR_STORAGE;
  };
  if (declared.accumulator == DECONV_ACCUMULATOR_STORAGE || keeps_sums_in(ElementType::kF16) ||
      keeps_sums_in(ElementType::kBf16)) {
    warnings.push_back(
        {"sums are declared to be kept in the element type: the error bound for f16 and bf16 is then wide and finds "
         "less",
         "declare f32 if the backend keeps sums in f32"});
  }
  if ((declared.known_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) {
    warnings.push_back(
        {"structural NaN is declared as a known deviation: NaN is excused where an inserted zero can "
         "meet NaN or an infinity",
         "skip the zeros of strides, dilations and pads, and remove the declaration"});
  }
}

}  // namespace

std::vector<OperatorKind> DeclaredScope::Kinds() const {
  std::vector<OperatorKind> kinds;
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    const bool defined = std::ranges::any_of(declared_.dialects, [&](auto dialect) { return Defines(dialect, kind); });
    if (DeclaresKind(declared_, kind) && defined) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<std::size_t> DeclaredScope::Ranks() const {
  std::vector<std::size_t> ranks;
  for (int rank = std::max(3, declared_.min_rank); rank <= std::min(10, declared_.max_rank); ++rank) {
    ranks.push_back(static_cast<std::size_t>(rank));
  }
  return ranks;
}

std::vector<ElementType> DeclaredScope::Types(OperatorKind kind) const {
  std::vector<ElementType> types;
  for (const ElementType type : oracle::kNumericTypes) {
    if ((declared_.element_types >> ElementTypeId(type) & 1) == 0) continue;
    // Clauses T4 and T5 refuse the types on which the operator is not defined.
    if (!Ranks().empty() && !IsDefined(AcceptedCase(PlainCase(kind, Ranks().front(), type)))) continue;
    types.push_back(type);
  }
  return types;
}

SuiteCase DeclaredScope::AcceptedCase(SuiteCase suite_case) const {
  const auto dialect = declared_.JudgingDialect(suite_case.test_case.op, suite_case.test_case.EffectiveDialect());
  return dialect ? WithRequiredShape(*dialect, std::move(suite_case)) : suite_case;
}

std::optional<oracle::Geometry> DeclaredScope::GeometryOf(const SuiteCase& suite_case) const {
  const oracle::Operator& op = suite_case.test_case.op;
  const auto dialect = declared_.JudgingDialect(op, suite_case.test_case.EffectiveDialect());
  return dialect ? oracle::Resolve(op, *dialect, oracle::StepTexts::kLeftOut).geometry : std::nullopt;
}

std::vector<SuiteCase> DeclaredScope::PlainCases() const {
  std::vector<SuiteCase> cases;
  for (const OperatorKind kind : Kinds()) {
    for (const std::size_t rank : Ranks()) {
      for (const ElementType type : Types(kind)) cases.push_back(AcceptedCase(PlainCase(kind, rank, type)));
    }
  }
  // A library without strides computes only these cases, which shows what it lacks.
  std::ranges::move(CasesOfEachKind([](OperatorKind kind, std::size_t rank, ElementType type) {
                      return std::vector{UnstridedCase(kind, rank, type)};
                    }),
                    std::back_inserter(cases));
  return cases;
}

std::vector<SuiteCase> DeclaredScope::CasesOfEachKind(const MakeCases& make) const {
  std::vector<SuiteCase> cases;
  for (const OperatorKind kind : Kinds()) {
    if (Ranks().empty() || Types(kind).empty()) continue;
    for (SuiteCase& suite_case : make(kind, UsualRank(), Types(kind).front())) {
      suite_case.name = fmt::format("{}, {}", OperatorKindName(kind), suite_case.name);
      cases.push_back(AcceptedCase(std::move(suite_case)));
    }
  }
  return cases;
}

std::vector<DeclaredScope::KindRankType> DeclaredScope::KindRankTypes(std::span<const Operator> wrong) const {
  constexpr std::size_t kMostRank = 5;  // three spatial axes, the most of common libraries
  std::vector<KindRankType> typed;
  const std::vector<OperatorKind> kinds = Kinds();
  for (const OperatorKind kind : kinds) {
    if (declared_.takes_resolved && kind != kinds.front()) break;
    for (const std::size_t rank : Ranks()) {
      const bool every = kind == kinds.front() && rank <= kMostRank;
      if (!every && rank != UsualRank()) continue;
      for (const ElementType type : Types(kind)) typed.push_back({kind, rank, type});
    }
  }
  const auto is_wrong = [wrong](const KindRankType& one) {
    return std::ranges::find(wrong, PlainCase(one.kind, one.rank, one.type).test_case.op) != wrong.end();
  };
  if (!std::ranges::all_of(typed, is_wrong)) std::erase_if(typed, is_wrong);
  return typed;
}

std::vector<SuiteCase> DeclaredScope::ResolveSweeps() const {
  std::vector<SuiteCase> cases;
  for (const OperatorKind kind : Kinds()) {
    oracle::Operator op;
    op.kind = kind;
    const auto dialect = declared_.JudgingDialect(op, oracle::DialectsOf(kind).front());
    if (dialect && !Types(kind).empty()) cases.push_back(ResolveSweep(kind, *dialect));
  }
  return cases;
}

std::string ScopeText(const Capabilities& declared) {
  std::vector<std::string_view> dialects;
  for (const auto dialect : declared.dialects) dialects.push_back(DialectName(dialect));
  std::vector<std::string_view> kinds;
  for (const OperatorKind kind : DeclaredScope(declared).Kinds()) kinds.push_back(OperatorKindName(kind));
  return fmt::format("{}; types {}; ranks {} to {}; dialect {}", fmt::join(kinds, ", "), TypesText(declared),
                     declared.min_rank, declared.max_rank, fmt::join(dialects, ", "));
}

std::vector<DeclarationWarning> WarningsOf(const Capabilities& declared) {
  std::vector<DeclarationWarning> warnings;
  WarnOfOperators(declared, warnings);
  WarnOfSizes(declared, warnings);
  WarnOfArithmetic(declared, warnings);
  return warnings;
}

}  // namespace conformance
