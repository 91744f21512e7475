// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates conditions of failures on the features of a case, and writes conditions as text, such as "kernel >= 4 and
// stride == 2".

#include "conformance/diagnosis/conditions/condition.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace conformance {
namespace {

std::string_view RelationText(Relation relation) {
  switch (relation) {
    case Relation::kEqual:
      return "==";
    case Relation::kNotEqual:
      return "!=";
    case Relation::kAtLeast:
      return ">=";
    case Relation::kAtMost:
      return "<=";
    default:
      return "";
  }
}

std::int64_t Remainder(std::int64_t number, std::int64_t modulus) { return ((number % modulus) + modulus) % modulus; }

/// The name of a flag is a statement. Returns this statement, or its opposite: "kernel < stride" becomes "kernel >=
/// stride".
std::string FlagText(const std::string& name, bool holds) {
  if (holds) return name;
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr Pair kOpposites[] = {{" >= ", " < "},  {" <= ", " > "}, {" == ", " != "},
                                 {" != ", " == "}, {" < ", " >= "}, {" > ", " <= "}};
  constexpr Pair kAxes[] = {{"on some axis ", "on every axis "},
                            {"on every axis ", "on some axis "},
                            {"on the last axis ", "on the last axis "},
                            {"on the first axis ", "on the first axis "}};
  for (const auto& [of, opposite] : kAxes) {
    if (name.starts_with(of)) return std::string(opposite) + FlagText(name.substr(of.size()), false);
  }
  if (!name.starts_with("on ")) {
    for (const auto& [from, to] : kOpposites) {
      const std::size_t at = name.find(from);
      if (at != std::string::npos) return name.substr(0, at) + std::string(to) + name.substr(at + from.size());
    }
  }
  return fmt::format("not ({})", name);
}

/// Whether a threshold is no large number, or is a limit of integers: a power of two, or the number beside one. Of
/// other large thresholds too few new cases lie on both sides.
bool IsExactThreshold(const Term& term) {
  if (term.relation != Relation::kAtLeast && term.relation != Relation::kAtMost) return true;
  if (-kLargeNumber < term.value && term.value < kLargeNumber) return true;
  const auto bits = static_cast<std::uint64_t>(term.value);
  const std::uint64_t number = term.value < 0 ? 0 - bits : bits;
  return std::has_single_bit(number) || std::has_single_bit(number + 1) || std::has_single_bit(number - 1);
}

}  // namespace

bool Term::Holds(std::int64_t number) const {
  if (number == kNoValue) return false;
  switch (relation) {
    case Relation::kEqual:
      return number == value;
    case Relation::kNotEqual:
      return number != value;
    case Relation::kAtLeast:
      return number >= value;
    case Relation::kAtMost:
      return number <= value;
    case Relation::kRemainder:
      return Remainder(number, modulus) == value;
    case Relation::kOtherRemainder:
      return Remainder(number, modulus) != value;
  }
  return false;
}

std::string Term::Text(const std::vector<Feature>& names) const {
  const Feature& about = names[feature];
  if (about.kind == FeatureKind::kFlag) return FlagText(about.name, (relation == Relation::kEqual) == (value == 1));
  if (relation == Relation::kRemainder) return fmt::format("{} % {} == {}", about.name, modulus, value);
  if (relation == Relation::kOtherRemainder) return fmt::format("{} % {} != {}", about.name, modulus, value);
  const std::string word = about.word != nullptr ? about.word(value) : fmt::format("{}", value);
  return fmt::format("{} {} {}", about.name, RelationText(relation), word);
}

bool Term::OfValues() const { return (of_axis ? Features().axis : Features().whole)[feature].of_values; }

bool Conjunction::Holds(const FeatureRow& row) const {
  bool of_axis = false;
  for (const Term& term : terms) {
    of_axis = of_axis || term.of_axis;
    if (!term.of_axis && !term.Holds(row.whole[term.feature])) return false;
  }
  return !of_axis || std::ranges::any_of(row.axes, [&](const std::vector<std::int64_t>& axis) {
    return std::ranges::all_of(terms,
                               [&](const Term& term) { return !term.of_axis || term.Holds(axis[term.feature]); });
  });
}

std::vector<std::size_t> Conjunction::FalseTerms(const FeatureRow& row) const {
  const auto violated = [&](bool of_axis, const std::vector<std::int64_t>& numbers) {
    std::vector<std::size_t> found;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (terms[t].of_axis == of_axis && !terms[t].Holds(numbers[terms[t].feature])) found.push_back(t);
    }
    return found;
  };
  std::vector<std::size_t> least = violated(true, row.axes.front());
  for (const std::vector<std::int64_t>& axis : row.axes) {
    std::vector<std::size_t> here = violated(true, axis);
    if (here.size() < least.size()) least = std::move(here);
  }
  const std::vector<std::size_t> of_whole = violated(false, row.whole);
  least.insert(least.end(), of_whole.begin(), of_whole.end());
  return least;
}

std::string Conjunction::Text() const { return Text(Features()); }

std::string Conjunction::Text(const FeatureTable& names) const {
  if (terms.empty()) return "every operator fails";
  std::string text;
  std::string of_axis;
  for (const Term& term : terms) {
    std::string& part = term.of_axis ? of_axis : text;
    part += (part.empty() ? "" : " and ") + term.Text(term.of_axis ? names.axis : names.whole);
  }
  if (of_axis.empty()) return text;
  const auto count = std::ranges::count_if(terms, &Term::of_axis);
  const std::string_view where = count == 1 ? "on an axis" : "on one and the same axis";
  return text.empty() ? fmt::format("{}, {}", where, of_axis) : fmt::format("{} and, {}, {}", text, where, of_axis);
}

bool Conjunction::OfValues() const {
  return std::ranges::any_of(terms, [](const Term& term) { return term.OfValues(); });
}

std::string Alternative::Text() const {
  std::string text = conjunction.Text() + not_tried;
  for (const std::string& words : tried_only) {
    text += (&words == &tried_only.front() ? " (tried only with " : ", ") + words;
  }
  return tried_only.empty() ? text : text + ")";
}

NewCases Condition::TestsOf(const Alternative& alternative) const {
  return {.inside = alternative.confirmed + alternative.refuted,
          .inside_failed = alternative.confirmed,
          .outside = alternative.outside,
          .outside_failed = alternative.outside_failed};
}

std::size_t LeastInside(const Conjunction& conjunction) {
  // A guess. Each further statement doubles the conditions that fit the same failures by chance, and so the number.
  constexpr std::size_t kLeastOfOne = 10;
  const std::size_t more = std::max<std::size_t>(conjunction.terms.size(), 1) - 1;
  return kLeastOfOne << more;
}

bool Condition::IsRefuted(const Alternative& alternative) const {
  // Values may hide a failure by chance, unless they are plain. Any other pass inside contradicts the condition.
  constexpr std::size_t kCasesForPass = 40;
  return plain ? alternative.refuted > 0 : kCasesForPass * alternative.refuted > TestsOf(alternative).inside;
}

bool Condition::IsConfirmed(const Alternative& alternative) const {
  // A condition that was tried only beside several other facts is not known to be the reason.
  constexpr std::size_t kMostTriedOnly = 2;
  constexpr std::size_t kLeastOutside = 10;
  constexpr std::size_t kCasesForFailure = 150;  // outside: a process may die of what an earlier case did to its memory
  const NewCases of_alternative = TestsOf(alternative);
  const bool has_outside = !alternative.conjunction.terms.empty();
  const std::vector<Term>& statements = alternative.conjunction.terms;
  return statements.size() <= kMostStatements && std::ranges::all_of(statements, IsExactThreshold) &&
         of_alternative.IsConfirmed(has_outside) && (!has_outside || of_alternative.outside >= kLeastOutside) &&
         kCasesForFailure * of_alternative.outside_failed <= of_alternative.outside &&
         of_alternative.inside >= LeastInside(alternative.conjunction) && !IsRefuted(alternative) &&
         alternative.supported && !alternative.has_wide_gap && alternative.tried_only.size() <= kMostTriedOnly;
}

bool Condition::Holds(const FeatureRow& row) const {
  return row.valid() && std::ranges::any_of(alternatives, [&](const Alternative& alternative) {
           return alternative.conjunction.Holds(row);
         });
}

bool Condition::Always() const {
  return std::ranges::any_of(alternatives,
                             [](const Alternative& alternative) { return alternative.conjunction.terms.empty(); });
}

bool Condition::OfValues() const {
  return std::ranges::any_of(alternatives,
                             [](const Alternative& alternative) { return alternative.conjunction.OfValues(); });
}

Condition Condition::Only(std::vector<Alternative> some) const {
  Condition only = *this;
  only.alternatives = std::move(some);
  return only;
}

FeatureRow FeaturesIn(const Condition& condition, const Case& test_case, oracle::Dialect dialect) {
  FeatureRow row = FeaturesOf(test_case, dialect, &condition.declared);
  if (condition.OfValues()) AddValueFeatures(test_case, row);
  return row;
}

}  // namespace conformance
