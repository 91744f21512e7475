// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes questions at random from known cases. Thresholds, simple values and large numbers get their share of them.

#include "conformance/diagnosis/conditions/question_maker.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <span>

#include "conformance/case/checked.h"

namespace conformance {
namespace {

// Each round makes this many new cases on each side of the condition's boundary, or fewer if the budget is small. It
// adds half as many cases that violate several statements.
constexpr std::size_t kOfRound = 24;
constexpr std::size_t kLeastOfRound = 4;
constexpr std::size_t kRoundsOfBudget = 32;
// Each statement gets its share of the round's cases. After so many tries the cases may violate any one statement.
constexpr std::size_t kTriesOfStatement = 1000;
constexpr std::size_t kMostTries = 4000;
constexpr std::size_t kPartForProbes = 8;
// So many cases are made in each round to find one inside that has a simple value.
constexpr std::size_t kTriesOfField = 8;

/// Whether a number of the row lies just beyond the statement's threshold. Flags and categories have none.
bool IsNextTo(const Term& term, const FeatureRow& row) {
  const FeatureKind kind = (term.of_axis ? Features().axis : Features().whole)[term.feature].kind;
  if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory || term.modulus != 0) return true;
  const auto is_next = [&](std::int64_t number) {
    return !term.Holds(number) && (number == ClampedSum(term.value, 1) || number == ClampedDifference(term.value, 1));
  };
  if (!term.of_axis) return is_next(row.whole[term.feature]);
  return std::ranges::any_of(row.axes, [&](const auto& axis) { return is_next(axis[term.feature]); });
}

}  // namespace

QuestionMaker::QuestionMaker(TrainingSet& training_set, const Condition& condition, std::size_t questions,
                             const std::function<bool()>& late)
    : training_set_(training_set),
      condition_(condition),
      late_(late),
      of_round_(std::clamp(questions / kRoundsOfBudget, kLeastOfRound, kOfRound)),
      most_probes_(questions / kPartForProbes) {}

void QuestionMaker::PreferNumbersOfStatements() {
  std::vector<std::int64_t> numbers;
  for (const Alternative& alternative : condition_.alternatives) {
    for (const Term& term : alternative.conjunction.terms) AddNumbers(term, numbers);
  }
  training_set_.changer().PreferNumbers(std::move(numbers));
}

/// Adds the numbers at which new cases test a statement. For a threshold, one of these numbers lies half way to the
/// nearest known number for which the statement is false. So bisection finds the exact threshold in a few rounds.
void QuestionMaker::AddNumbers(const Term& term, std::vector<std::int64_t>& numbers) const {
  // A guess: operators with larger numbers are mostly too large to be run as questions, unless the run has them.
  constexpr std::int64_t kLargest = 100'000;
  const auto is_small = [](std::int64_t number) { return -kLargest < number && number < kLargest; };
  const FeatureKind kind = (term.of_axis ? Features().axis : Features().whole)[term.feature].kind;
  if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory) return;
  if (term.modulus != 0) {
    for (int k = 1; k < 4; ++k) numbers.push_back(k * term.modulus + term.value);
    return;
  }
  if (kind == FeatureKind::kSize && (term.value <= 0 || !is_small(term.value))) return;
  numbers.push_back(term.value);
  if (!is_small(term.value)) return;
  if (term.relation != Relation::kAtLeast && term.relation != Relation::kAtMost) return;
  const bool upward = term.relation == Relation::kAtMost;
  std::optional<std::int64_t> nearest;
  const auto observe = [&](std::int64_t number) {
    if (term.Holds(number) || !is_small(number)) return;
    nearest = !nearest ? number : upward ? std::min(*nearest, number) : std::max(*nearest, number);
  };
  for (const TrainingRow& row : training_set_.rows()) {
    if (!term.of_axis) observe(row.features.whole[term.feature]);
    if (!term.of_axis) continue;
    for (const auto& axis : row.features.axes) observe(axis[term.feature]);
  }
  if (nearest && std::abs(*nearest - term.value) > 2) numbers.push_back((*nearest + term.value) / 2);
}

std::size_t QuestionMaker::Statements() const {
  std::size_t count = 0;
  for (const Alternative& alternative : condition_.alternatives) count += alternative.conjunction.terms.size();
  return count;
}

/// Returns {alternative, statement} if exactly one statement of an alternative is false for the row: the first such
/// pair.
std::optional<std::pair<std::size_t, std::size_t>> QuestionMaker::OnlyViolated(const FeatureRow& row) const {
  for (std::size_t a = 0; a < condition_.alternatives.size(); ++a) {
    const std::vector<std::size_t> violated = condition_.alternatives[a].conjunction.FalseTerms(row);
    if (violated.size() == 1) return std::pair(a, violated.front());
  }
  return std::nullopt;
}

std::vector<Question> QuestionMaker::UntriedCases() {
  std::vector<Question> questions;
  for (const Alternative& alternative : condition_.alternatives) {
    for (UntriedCase& untried : training_set_.Untried(alternative.conjunction, condition_.OfValues(), kTriesOfField)) {
      questions.push_back({.row = std::move(untried.row), .predicted = true});
    }
  }
  return questions;
}

std::vector<Question> QuestionMaker::Probes() {
  std::vector<Question> questions;
  const std::size_t of_alternative = most_probes_ / std::max<std::size_t>(condition_.alternatives.size(), 1);
  for (const Alternative& alternative : condition_.alternatives) {
    for (TrainingRow& row : training_set_.Probes(alternative.conjunction, condition_.OfValues(), of_alternative)) {
      const bool holds = condition_.Holds(row.features);
      // Where it should fail, a case whose pass proves nothing could confirm the condition, and never refute it.
      if (holds && !row.pass_proves) continue;
      questions.push_back({.row = std::move(row), .predicted = holds});
    }
  }
  AddCoincidences(questions);
  return questions;
}

/// Adds cases that differ from cases inside of the condition by a coincidence.
void QuestionMaker::AddCoincidences(std::vector<Question>& questions) {
  constexpr std::size_t kTriesOfCase = 12;
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < training_set_.rows().size(); ++i) {
    if (condition_.Holds(training_set_.rows()[i].features)) inside.push_back(i);
  }
  const std::size_t most = questions.size() + most_probes_ / 4;
  for (std::size_t tries = 0; tries < kTriesOfCase * most_probes_ && questions.size() < most; ++tries) {
    if (inside.empty() || late_()) return;
    auto row = training_set_.MakeWithCoincidence(training_set_.Parent(inside), condition_.OfValues());
    if (!row) continue;
    const bool holds = condition_.Holds(row->features);
    if (holds || OnlyViolated(row->features)) questions.push_back({.row = *std::move(row), .predicted = holds});
  }
}

/// Cases with half, twice and 3/2 of each large number of a statement, because few cases of a run have large numbers.
/// 3/2 of a power of two is none.
std::vector<Question> QuestionMaker::CasesOfLargeNumbers(const std::vector<std::size_t>& inside, bool of_values) {
  constexpr std::size_t kMostOfNumber = 4, kTries = 8;
  std::vector<Question> made;
  for (const Alternative& alternative : condition_.alternatives) {
    for (const Term& term : alternative.conjunction.terms) {
      if (std::max(term.value, ClampedDifference(0, term.value)) < kLargeNumber) continue;
      const std::int64_t half = term.value / 2;
      for (const std::int64_t number : {half, ClampedSum(term.value, term.value), ClampedSum(term.value, half)}) {
        for (std::size_t i = 0; i < kTries && !inside.empty() && of_large_number_[number] < kMostOfNumber; ++i) {
          auto row = training_set_.MakeWithNumber(training_set_.Parent(inside), term.value, number, of_values);
          if (!row) continue;
          ++of_large_number_[number];
          const bool holds = condition_.Holds(row->features);
          made.push_back({.row = *std::move(row), .predicted = holds});
        }
      }
    }
  }
  return made;
}

/// Other cases that differ from cases inside of the condition by simple fields. All fields take turns.
std::vector<Question> QuestionMaker::CasesOfSimpleFields(const std::vector<std::size_t>& inside, bool of_values) {
  constexpr std::size_t kTriesOfCase = 12;
  const std::span<const SimpleField> fields = SimpleFields();
  std::vector<Question> made;
  for (std::size_t tries = 0; tries < kTriesOfCase * of_round_ && made.size() < of_round_ / 4; ++tries) {
    if (inside.empty() || late_()) break;
    const std::size_t change = next_change_++ % (2 * fields.size());
    auto row = training_set_.MakeWith(training_set_.Parent(inside), fields[change / 2], change % 2 == 0, of_values);
    if (!row) continue;
    const bool holds = condition_.Holds(row->features);
    if (holds || OnlyViolated(row->features)) made.push_back({.row = *std::move(row), .predicted = holds});
  }
  return made;
}

std::vector<Question> QuestionMaker::NextCases() {
  std::vector<std::size_t> inside;
  std::vector<std::size_t> of_run;  // those of `inside` that are cases of the run
  std::vector<std::size_t> failing;
  for (std::size_t i = 0; i < training_set_.rows().size(); ++i) {
    const bool holds = condition_.Holds(training_set_.rows()[i].features);
    if (holds) inside.push_back(i);
    if (holds && training_set_.rows()[i].of_run) of_run.push_back(i);
    if (training_set_.rows()[i].fails) failing.push_back(i);
  }
  const std::array<std::span<const std::size_t>, 4> parents = {failing, of_run, inside, {}};
  std::vector<TrainingRow> held;
  std::vector<TrainingRow> near;
  std::vector<TrainingRow> far;
  // Cases violate some statements far more often than others, but each statement needs tests.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> near_statement;
  const std::size_t of_statement = (of_round_ + Statements() - 1) / std::max<std::size_t>(Statements(), 1);
  const bool of_values = condition_.OfValues();
  for (std::size_t tries = 0; tries < kMostTries; ++tries) {
    if (held.size() >= of_round_ && near.size() >= of_round_ && far.size() >= of_round_ / 2) break;
    if (late_() || (held.size() >= of_round_ && condition_.Always())) break;
    auto row = training_set_.Make(training_set_.Parent(parents.at(tries % parents.size())), of_values);
    if (!row) continue;
    if (condition_.Holds(row->features)) {
      if (held.size() < of_round_) held.push_back(*std::move(row));
      continue;
    }
    const auto violated = OnlyViolated(row->features);
    if (violated && near.size() < of_round_) {
      // Half of the cases of a statement lie just beyond its threshold, so that the threshold becomes exact.
      const std::size_t so_far = near_statement[*violated];
      const Term& term = condition_.alternatives[violated->first].conjunction.terms[violated->second];
      const bool tests = so_far < (of_statement + 1) / 2 || (so_far < of_statement && IsNextTo(term, row->features));
      if (!tests && tries <= kTriesOfStatement) continue;
      ++near_statement[*violated];
      near.push_back(*std::move(row));
    } else if (!violated && far.size() < of_round_ / 2) {
      far.push_back(*std::move(row));
    }
  }
  std::vector<Question> questions = CasesOfSimpleFields(inside, of_values);
  std::ranges::move(CasesOfLargeNumbers(inside, of_values), std::back_inserter(questions));
  for (TrainingRow& row : held) questions.push_back({.row = std::move(row), .predicted = true});
  for (TrainingRow& row : near) questions.push_back({.row = std::move(row), .predicted = false});
  for (TrainingRow& row : far) questions.push_back({.row = std::move(row), .predicted = false});
  return questions;
}

}  // namespace conformance
