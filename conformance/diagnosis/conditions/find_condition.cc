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
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/checked.h"
#include "conformance/diagnosis/conditions/learn.h"
#include "conformance/diagnosis/conditions/support.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {
namespace {

// Each round makes this many new cases on each side of the condition's boundary, or fewer if the budget is small. It
// adds half as many cases that violate several statements.
constexpr std::size_t kOfRound = 24;
constexpr std::size_t kLeastOfRound = 4;
constexpr std::size_t kRoundsOfBudget = 32;
// The condition is settled after this many correct predictions in a row, or after a third of the budget.
constexpr std::size_t kToSettle = 500;
constexpr std::size_t kLeastToSettle = 48;
constexpr std::size_t kPartToSettle = 3;
// It is also settled if at most two of this many predictions were wrong, because values may hide a failure by chance.
constexpr std::size_t kToSettleWithChance = 750;
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
// So many cases are made to find one inside that has a simple value, in each round and at the end of the search.
constexpr std::size_t kTriesOfField = 8, kTriesAtEnd = 60;

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
      std::vector<Question> questions = UntriedCases();
      const bool has_untried = !questions.empty();
      std::ranges::move(NextCases(), std::back_inserter(questions));
      const bool surprised = AskRound(questions);
      ended = Ends(questions.empty(), has_untried);
      // A settled condition is not learned again: no new case would have tested the change.
      if (surprised && !condition_.settled()) LearnAgain(ended);
    }
    CountCases();
    LeaveOutUnsupported(training_set_.rows(), condition_);
    CountCases();
    NoteSupport(training_set_.rows(), condition_);
    for (Alternative& alternative : condition_.alternatives) {
      for (UntriedCase& untried : training_set_.Untried(alternative.conjunction, condition_.OfValues(), kTriesAtEnd)) {
        alternative.tried_only.push_back(std::move(untried.known));
      }
    }
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

  /// Whether the search ends after a round, and why. `empty`: the round had no new case. `has_untried`: cases inside
  /// were untried in some way before this round. A few more rounds try them, although other cases were predicted well.
  bool Ends(bool empty, bool has_untried) {
    constexpr std::size_t kMostMoreRounds = 8;
    if ((!has_untried || more_rounds_ == kMostMoreRounds) && IsSettled()) {
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
      more_rounds_ += has_untried ? 1 : 0;
      return false;
    }
    return true;
  }

  bool IsSettled() {
    const std::size_t enough = std::clamp(search_.questions / kPartToSettle, kLeastToSettle, kToSettle);
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
    for (Conjunction& conjunction : learned) {
      const auto known = std::ranges::find(condition_.alternatives, conjunction, &Alternative::conjunction);
      const bool is_new = known == condition_.alternatives.end();
      const std::size_t learned_at = is_new ? training_set_.rows().size() : known->learned_at;
      alternatives.push_back({.conjunction = std::move(conjunction), .learned_at = learned_at});
    }
    condition_.alternatives = std::move(alternatives);
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
  void AddNumbers(const Term& term, std::vector<std::int64_t>& numbers) {
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

  /// Whether a number of the row lies just beyond the statement's threshold. Flags and categories have none.
  static bool IsNextTo(const Term& term, const FeatureRow& row) {
    const FeatureKind kind = (term.of_axis ? Features().axis : Features().whole)[term.feature].kind;
    if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory || term.modulus != 0) return true;
    const auto is_next = [&](std::int64_t number) {
      return !term.Holds(number) && (number == ClampedSum(term.value, 1) || number == ClampedDifference(term.value, 1));
    };
    if (!term.of_axis) return is_next(row.whole[term.feature]);
    return std::ranges::any_of(row.axes, [&](const auto& axis) { return is_next(axis[term.feature]); });
  }

  /// Cases inside of an alternative that have a simple value which no known case inside has, or lack one that all have.
  /// Nothing else shows whether this value matters.
  std::vector<Question> UntriedCases() {
    std::vector<Question> questions;
    for (const Alternative& alternative : condition_.alternatives) {
      for (UntriedCase& untried :
           training_set_.Untried(alternative.conjunction, condition_.OfValues(), kTriesOfField)) {
        questions.push_back({.row = std::move(untried.row), .predicted = true});
      }
    }
    return questions;
  }

  /// Cases with half and with twice each large number of a statement, because few cases of a run have large numbers.
  std::vector<Question> CasesOfLargeNumbers(const std::vector<std::size_t>& inside, bool of_values) {
    constexpr std::int64_t kLarge = 4096;  // a guess: random changes reach smaller numbers
    constexpr std::size_t kMostOfNumber = 4, kTries = 8;
    std::vector<Question> made;
    for (const Alternative& alternative : condition_.alternatives) {
      for (const Term& term : alternative.conjunction.terms) {
        if (std::max(term.value, -term.value) < kLarge) continue;
        for (const std::int64_t number : {term.value / 2, ClampedSum(term.value, term.value)}) {
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
  std::vector<Question> CasesOfSimpleFields(const std::vector<std::size_t>& inside, bool of_values) {
    constexpr std::size_t kTriesOfCase = 12;
    const std::span<const SimpleField> fields = SimpleFields();
    std::vector<Question> made;
    for (std::size_t tries = 0; tries < kTriesOfCase * of_round_ && made.size() < of_round_ / 4; ++tries) {
      if (inside.empty() || search_.late()) break;
      const std::size_t change = next_change_++ % (2 * fields.size());
      auto row = training_set_.MakeWith(training_set_.Parent(inside), fields[change / 2], change % 2 == 0, of_values);
      if (!row) continue;
      const bool holds = condition_.Holds(row->features);
      if (holds || OnlyViolated(row->features)) made.push_back({.row = *std::move(row), .predicted = holds});
    }
    return made;
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

  /// Counts the cases that test the condition: only cases that were made after it was learned.
  void CountCases() {
    condition_.checked = agreed_.size();
    condition_.agreed = static_cast<std::size_t>(std::ranges::count(agreed_, true));
    for (Alternative& alternative : condition_.alternatives) {
      alternative.confirmed = alternative.refuted = alternative.outside = alternative.outside_failed = 0;
      UntriedNumbers untried = training_set_.NotTried(alternative.conjunction);
      alternative.not_tried = std::move(untried.text);
      alternative.has_wide_gap = untried.is_wide;
      for (std::size_t i = alternative.learned_at; i < training_set_.rows().size(); ++i) {
        const TrainingRow& row = training_set_.rows()[i];
        if (row.of_run) continue;
        if (alternative.conjunction.Holds(row.features)) {
          ++(row.fails ? alternative.confirmed : alternative.refuted);
        } else if (!condition_.Holds(row.features)) {
          ++alternative.outside;
          alternative.outside_failed += row.fails ? 1 : 0;
        }
      }
    }
  }

  const ConditionSearch& search_;
  bool plain_;
  std::size_t of_round_;
  TrainingSet training_set_;
  Condition condition_;
  std::deque<bool> agreed_;  ///< for each of the last answers: whether the condition had predicted it
  std::size_t asked_ = 0;    ///< questions
  std::map<std::int64_t, std::size_t> of_large_number_;  ///< questions with this number
  std::size_t next_change_ = 0;                          ///< the change of a simple field that is tried next
  std::size_t more_rounds_ = 0;                          ///< rounds that tried what was untried
  std::size_t without_verdict_ = 0;                      ///< of the last answers: how many in a row had no verdict
};

}  // namespace

std::optional<Condition> FindCondition(std::span<const KnownCase> known, const ConditionSearch& search) {
  return Search(ResolvedCases(known, search.late), search).Run();
}

}  // namespace conformance
