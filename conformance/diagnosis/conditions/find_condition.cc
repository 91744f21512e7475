// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns a condition, asks the backend about new cases, and learns again. Each round asks about cases inside of the
// condition (for which it is true), cases for which exactly one statement is false, and some others. The search ends
// when the condition has predicted enough new cases correctly.

#include "conformance/diagnosis/conditions/find_condition.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/checked.h"
#include "conformance/diagnosis/conditions/learn.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {
namespace {

// Each round makes this many new cases on each side of the condition's boundary, or fewer if the budget is small. It
// adds half as many cases that violate several statements.
constexpr std::size_t kOfRound = 24;
constexpr std::size_t kLeastOfRound = 4;
constexpr std::size_t kRoundsOfBudget = 32;
// The condition is settled after this many correct predictions in a row, or after a fifth of the budget.
constexpr std::size_t kToSettle = 400;
constexpr std::size_t kLeastToSettle = 24;
// It is also settled if at most two of this many predictions were wrong, because values may hide a failure by chance.
constexpr std::size_t kToSettleWithChance = 600;
constexpr std::size_t kMostByChance = 2;
// The condition is learned again if wrong predictions come more often than one in so many answers. A single wrong
// prediction may be chance, and a changed condition must be tested anew.
constexpr std::size_t kAnswersForError = 50;
// A condition gets one statement for each so many failures: from two to five, or to six if very many fail. Few failures
// fit many statements by chance.
constexpr std::size_t kFailuresOfTerm = 6;
constexpr std::size_t kFailuresOfLongCondition = 100;
// The most rows from which one condition is learned. A row holds the features of a case and its verdict.
constexpr std::size_t kMostRows = 2000;
constexpr std::size_t kMostTries = 4000;
// Each statement gets its share of the round's cases. After so many tries the cases may violate any one statement.
constexpr std::size_t kTriesOfStatement = 1000;

/// A new case, and whether it fails by the condition.
struct Question {
  TrainingRow row;
  bool predicted = false;
};

class Search {
 public:
  Search(std::span<const ResolvedCase> cases, const ConditionSearch& search)
      : search_(search),
        plain_(PlainDataSuffice(cases)),
        of_round_(std::clamp(search.questions / kRoundsOfBudget, kLeastOfRound, kOfRound)),
        training_set_(cases, {.plain = plain_, .declared = search.declared, .seed = search.seed}) {
    condition_.declared = search.declared;
    condition_.plain = plain_;
  }

  std::optional<Condition> Run() {
    if (std::ranges::none_of(training_set_.rows(), &TrainingRow::fails)) return std::nullopt;
    ReplaceBy(Learned());
    for (bool ended = false; !ended;) {
      std::vector<Question> questions = NextCases();
      const bool surprised = AskRound(questions);
      ended = Ends(questions.empty());
      // A settled condition is not learned again: no new case would have tested the change.
      if (surprised && !condition_.settled()) LearnAgain(ended);
    }
    LeaveOutUnsupported();
    CountCases();
    if (condition_.alternatives.empty()) return std::nullopt;
    return std::move(condition_);
  }

 private:
  /// Asks the backend about each case, and stores its answers. Returns whether the condition predicted one of them
  /// wrongly.
  bool AskRound(std::vector<Question>& questions) {
    const std::size_t before = training_set_.rows().size();
    for (Question& question : questions) {
      if (search_.late() || asked_ == search_.questions || without_verdict_ == kMostWithoutVerdict) break;
      ++asked_;
      const auto fails = search_.ask(question.row.test_case);
      condition_.asked_lines.push_back(ToLine(question.row.test_case));
      ++without_verdict_;
      if (!fails) continue;
      without_verdict_ = 0;
      NoteAnswer(std::move(question), *fails);
    }
    return std::any_of(training_set_.rows().begin() + static_cast<std::ptrdiff_t>(before), training_set_.rows().end(),
                       [](const TrainingRow& row) { return row.surprising; });
  }

  void NoteAnswer(Question question, bool fails) {
    TrainingRow& row = question.row;
    row.fails = fails;
    row.surprising = fails != question.predicted;
    ++condition_.asked;
    condition_.tested.Add(question.predicted, fails);
    agreed_.push_back(!row.surprising);
    if (agreed_.size() > kToSettleWithChance) agreed_.pop_front();
    if (!plain_) AddValueFeatures(row.test_case, row.features);
    training_set_.rows().push_back(std::move(row));
  }

  /// Whether too many answers since the condition was learned were predicted wrongly. `ended`: no more answers will
  /// come.
  bool IsOftenWrong(bool ended) const {
    const auto wrong = static_cast<std::size_t>(std::ranges::count(agreed_, false));
    return wrong > (ended ? 0 : kMostByChance) || wrong * kAnswersForError > agreed_.size();
  }

  /// Whether the search ends after a round, and why. `empty`: the round had no new case.
  bool Ends(bool empty) {
    if (IsSettled()) {
      condition_.end = SearchEnd::kSettled;
    } else if (search_.late()) {
      condition_.end = SearchEnd::kInterrupted;
    } else if (asked_ == search_.questions) {
      condition_.end = SearchEnd::kBudget;
    } else if (empty) {
      condition_.end = SearchEnd::kNoNewCases;
    } else if (without_verdict_ == kMostWithoutVerdict) {
      condition_.end = SearchEnd::kNoVerdicts;
    } else {
      return false;
    }
    return true;
  }

  bool IsSettled() {
    const std::size_t enough = std::clamp(search_.questions / 5, kLeastToSettle, kToSettle);
    if (agreed_.size() < enough) return false;
    const auto last = agreed_.end() - static_cast<std::ptrdiff_t>(enough);
    if (std::all_of(last, agreed_.end(), [](bool right) { return right; })) {
      agreed_.erase(agreed_.begin(), last);
      return true;
    }
    return agreed_.size() == kToSettleWithChance &&
           static_cast<std::size_t>(std::ranges::count(agreed_, false)) <= kMostByChance;
  }

  /// Learns from all rows again, and replaces the condition if the new one is better. `ended`: no more answers will
  /// come.
  void LearnAgain(bool ended) {
    std::vector<Conjunction> learned = Learned();
    std::vector<Conjunction> old;
    for (const Alternative& alternative : condition_.alternatives) old.push_back(alternative.conjunction);
    // A new condition that is wrong as often as the old one is no better, and would have to be tested anew.
    const std::size_t wrong = WrongOf(learned);
    if (wrong < WrongOf(old) && (wrong == 0 || IsOftenWrong(ended))) ReplaceBy(std::move(learned));
  }

  /// Replaces the condition by these alternatives.
  void ReplaceBy(std::vector<Conjunction> learned) {
    // Answers that came before the new condition was learned do not test it.
    agreed_.clear();
    condition_.tested = {};
    std::vector<Alternative> alternatives;
    std::vector<std::size_t> learned_at;
    for (Conjunction& conjunction : learned) {
      const auto known = std::ranges::find(condition_.alternatives, conjunction, &Alternative::conjunction);
      const auto at = static_cast<std::size_t>(known - condition_.alternatives.begin());
      learned_at.push_back(known == condition_.alternatives.end() ? training_set_.rows().size() : learned_at_[at]);
      alternatives.push_back({.conjunction = std::move(conjunction)});
    }
    condition_.alternatives = std::move(alternatives);
    learned_at_ = std::move(learned_at);
    std::vector<std::int64_t> numbers;
    for (const Alternative& alternative : condition_.alternatives) {
      for (const Term& term : alternative.conjunction.terms) AddNumbers(term, numbers);
    }
    training_set_.changer().PreferNumbers(std::move(numbers));
  }

  /// The number of rows that these alternatives predict wrongly.
  std::size_t WrongOf(const std::vector<Conjunction>& alternatives) {
    return static_cast<std::size_t>(std::ranges::count_if(training_set_.rows(), [&](const TrainingRow& row) {
      return row.fails != std::ranges::any_of(alternatives, [&](const Conjunction& conjunction) {
               return conjunction.Holds(row.features);
             });
    }));
  }

  std::vector<Conjunction> Learned() {
    const std::vector<LabelledRow> rows = RowsToLearnFrom(training_set_.rows(), kMostRows);
    // If no known case passes, the condition is always true.
    if (std::ranges::all_of(rows, &LabelledRow::fails)) return {Conjunction()};
    // With many statements a conjunction fits few failures by chance.
    const auto failures = static_cast<std::size_t>(std::ranges::count_if(rows, &LabelledRow::fails));
    const std::size_t most = failures >= kFailuresOfLongCondition ? 6 : 5;
    const std::size_t terms = std::clamp<std::size_t>(failures / kFailuresOfTerm, 2, most);
    return Learn(rows, Features(), {.terms = terms, .without_values = plain_});
  }

  /// Adds the numbers at which new cases test a statement. For a threshold, one of these numbers lies half way to the
  /// nearest known number for which the statement is false. So bisection finds the exact threshold in a few rounds.
  /// Half and twice a large number are tried, because few cases of a run have large numbers.
  void AddNumbers(const Term& term, std::vector<std::int64_t>& numbers) {
    // A guess: operators with larger numbers are mostly too large to be run as questions, unless the run has them.
    constexpr std::int64_t kLargest = 100'000;
    constexpr std::int64_t kLarge = 4096;
    const auto is_small = [](std::int64_t number) { return -kLargest < number && number < kLargest; };
    const FeatureKind kind = (term.of_axis ? Features().axis : Features().whole)[term.feature].kind;
    if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory) return;
    if (term.modulus != 0) {
      for (int k = 1; k < 4; ++k) numbers.push_back(k * term.modulus + term.value);
      return;
    }
    if (kind == FeatureKind::kSize && (term.value <= 0 || !is_small(term.value))) return;
    numbers.push_back(term.value);
    if (term.value >= kLarge || term.value <= -kLarge) {
      numbers.insert(numbers.end(), {term.value / 2, ClampedSum(term.value, term.value)});
    }
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

  std::size_t Statements() const {
    std::size_t count = 0;
    for (const Alternative& alternative : condition_.alternatives) count += alternative.conjunction.terms.size();
    return count;
  }

  /// Returns {alternative, statement} if exactly one statement of an alternative is false for the row: the first such
  /// pair.
  std::optional<std::pair<std::size_t, std::size_t>> OnlyViolated(const FeatureRow& row) const {
    for (std::size_t a = 0; a < condition_.alternatives.size(); ++a) {
      const std::vector<std::size_t> violated = condition_.alternatives[a].conjunction.FalseTerms(row);
      if (violated.size() == 1) return std::pair(a, violated.front());
    }
    return std::nullopt;
  }

  /// New cases with the condition's prediction: some inside, some that violate one statement, some others.
  std::vector<Question> NextCases() {
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
      if (search_.late() || (held.size() >= of_round_ && condition_.Always())) break;
      auto row = training_set_.Make(training_set_.Parent(parents.at(tries % parents.size())), of_values);
      if (!row) continue;
      if (condition_.Holds(row->features)) {
        if (held.size() < of_round_) held.push_back(*std::move(row));
        continue;
      }
      const auto violated = OnlyViolated(row->features);
      if (violated && near.size() < of_round_) {
        if (near_statement[*violated]++ < of_statement || tries > kTriesOfStatement) near.push_back(*std::move(row));
      } else if (!violated && far.size() < of_round_ / 2) {
        far.push_back(*std::move(row));
      }
    }
    std::vector<Question> questions;
    for (TrainingRow& row : held) questions.push_back({.row = std::move(row), .predicted = true});
    for (TrainingRow& row : near) questions.push_back({.row = std::move(row), .predicted = false});
    for (TrainingRow& row : far) questions.push_back({.row = std::move(row), .predicted = false});
    return questions;
  }

  /// Leaves out the statements that new cases do not support, if hardly any pass satisfies the others. A new case tests
  /// a statement if it satisfies all others of the conjunction and not this one. It supports the statement if it
  /// passes.
  void LeaveOutUnsupported() {
    CountCases();
    for (std::size_t a = 0; a < condition_.alternatives.size(); ++a) {
      const Alternative& alternative = condition_.alternatives[a];
      if (alternative.confirmed + alternative.refuted < LeastInside(alternative.conjunction)) continue;
      for (std::size_t t = alternative.conjunction.terms.size(); t-- > 0;) LeaveOutIfUnsupported(a, t);
    }
    EraseEqualAlternatives();
  }

  /// "A and B" and "A and C" are both "A" if neither B nor C was tested.
  void EraseEqualAlternatives() {
    std::vector<Alternative>& all = condition_.alternatives;
    for (std::size_t a = all.size(); a-- > 1;) {
      const auto end = all.begin() + static_cast<std::ptrdiff_t>(a);
      const bool is_equal = std::any_of(all.begin(), end, [&](const Alternative& earlier) {
        return earlier.conjunction.Text() == all[a].conjunction.Text();
      });
      if (!is_equal) continue;
      all.erase(end);
      learned_at_.erase(learned_at_.begin() + static_cast<std::ptrdiff_t>(a));
    }
  }

  void LeaveOutIfUnsupported(std::size_t a, std::size_t t) {
    constexpr std::size_t kFailuresForPass = 20, kPassesForStatement = 3;  // a pass may have another reason
    Conjunction& conjunction = condition_.alternatives[a].conjunction;
    if (conjunction.terms.size() == 1) return;
    Conjunction others = conjunction;
    others.terms.erase(others.terms.begin() + static_cast<std::ptrdiff_t>(t));
    std::size_t failures = 0, passes = 0, failures_outside = 0, passes_outside = 0, new_outside = 0;
    for (std::size_t i = 0; i < training_set_.rows().size(); ++i) {
      const TrainingRow& row = training_set_.rows()[i];
      if (!others.Holds(row.features)) continue;
      ++(row.fails ? failures : passes);
      if (conjunction.Holds(row.features)) continue;
      ++(row.fails ? failures_outside : passes_outside);
      new_outside += i >= learned_at_[a] ? 1 : 0;
    }
    if (new_outside > 0 && passes_outside >= kPassesForStatement && passes_outside > failures_outside) return;
    if (kFailuresForPass * passes <= failures) conjunction = std::move(others);
  }

  /// Counts the cases that test the condition: only cases that were made after it was learned.
  void CountCases() {
    condition_.checked = agreed_.size();
    condition_.agreed = static_cast<std::size_t>(std::ranges::count(agreed_, true));
    for (std::size_t a = 0; a < condition_.alternatives.size(); ++a) {
      Alternative& alternative = condition_.alternatives[a];
      alternative.confirmed = alternative.refuted = 0;
      alternative.not_tried = training_set_.NotTried(alternative.conjunction);
      for (std::size_t i = learned_at_[a]; i < training_set_.rows().size(); ++i) {
        const TrainingRow& row = training_set_.rows()[i];
        if (row.of_run || !alternative.conjunction.Holds(row.features)) continue;
        ++(row.fails ? alternative.confirmed : alternative.refuted);
      }
    }
  }

  const ConditionSearch& search_;
  bool plain_;
  std::size_t of_round_;
  TrainingSet training_set_;
  Condition condition_;
  std::vector<std::size_t> learned_at_;  ///< for each alternative: the number of rows when it was first learned
  std::deque<bool> agreed_;              ///< for each of the last answers: whether the condition had predicted it
  std::size_t asked_ = 0;                ///< questions
  std::size_t without_verdict_ = 0;      ///< of the last answers: how many in a row had no verdict
};

}  // namespace

std::optional<Condition> FindCondition(std::span<const KnownCase> known, const ConditionSearch& search) {
  return Search(ResolvedCases(known, search.late), search).Run();
}

}  // namespace conformance
