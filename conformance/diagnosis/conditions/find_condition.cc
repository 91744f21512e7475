// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns a condition, asks the backend about new cases, and learns again. Each round asks about cases inside of the
// condition (for which it is true), cases for which exactly one statement is false, and some others. The search ends
// when the condition has predicted enough new cases correctly.

#include "conformance/diagnosis/conditions/find_condition.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "conformance/diagnosis/conditions/learn.h"
#include "conformance/diagnosis/conditions/question_maker.h"
#include "conformance/diagnosis/conditions/support.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {
namespace {

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
// A conjunction gets one statement for each so many failures: from two to five, or to six if very many fail. Few
// failures fit many statements by chance.
constexpr std::size_t kFailuresOfTerm = 6;
constexpr std::size_t kFailuresOfLongCondition = 100;
// Conjunctions that can be told come first. Longer ones are learned after so many questions, or after a third of them.
constexpr std::size_t kQuestionsOfShort = 600;
constexpr std::size_t kPartOfShort = 3;
// The most rows from which one condition is learned. A row holds the features of a case and its verdict.
constexpr std::size_t kMostRows = 2000;
// So many cases are made at the end of the search to find one inside that has a simple value.
constexpr std::size_t kTriesAtEnd = 60;

class Search {
 public:
  Search(std::span<const ResolvedCase> cases, const ConditionSearch& search)
      : search_(search),
        plain_(PlainDataSuffice(cases)),
        training_set_(cases, {.plain = plain_, .declared = search.declared, .seed = search.seed}),
        questions_(training_set_, condition_, search.questions, search.late) {
    condition_.declared = search.declared;
    condition_.plain = plain_;
  }

  std::optional<Condition> Run() {
    if (std::ranges::none_of(training_set_.rows(), &TrainingRow::fails)) return std::nullopt;
    ReplaceBy(Learned());
    for (bool ended = false; !ended;) {
      std::vector<Question> questions = questions_.UntriedCases();
      const bool has_untried = !questions.empty();
      std::ranges::move(questions_.NextCases(), std::back_inserter(questions));
      const bool surprised = AskRound(questions);
      ended = Ends(questions.empty(), has_untried);
      // No new case tests what is learned at the end.
      if (surprised && !ended) LearnAgain();
      if (NeedsProbes(ended) && IsRefutedByProbes()) {
        ended = false;
        condition_.end = SearchEnd::kInterrupted;  // what it is until the search ends for another reason
      }
    }
    CountCases(condition_);
    LeaveOutUnsupported(training_set_.rows(), condition_);
    for (Alternative& alternative : condition_.alternatives) {
      for (UntriedCase& untried : training_set_.Untried(alternative.conjunction, condition_.OfValues(), kTriesAtEnd)) {
        alternative.tried_only.push_back(std::move(untried.known));
      }
    }
    AskContradictionsAgain();
    TestAlternatives();
    if (condition_.alternatives.empty()) return std::nullopt;
    return std::move(condition_);
  }

 private:
  /// Whether the condition predicts so well that its probes are worth their questions, and they were not asked yet.
  bool NeedsProbes(bool ended) const {
    constexpr std::size_t kMostTimes = 4;
    if (probed_ || times_probed_ == kMostTimes) return false;
    return ended ? condition_.settled() : LastAgree(kLeastToSettle);
  }

  /// Asks the backend about the probes. Returns whether the condition is another one after that.
  bool IsRefutedByProbes() {
    probed_ = true;
    ++times_probed_;
    std::vector<Question> probes = questions_.Probes();
    return AskRound(probes) && LearnAgain();
  }

  bool LastAgree(std::size_t count) const {
    return agreed_.size() >= count && std::all_of(agreed_.end() - static_cast<std::ptrdiff_t>(count), agreed_.end(),
                                                  [](bool right) { return right; });
  }

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
      if (!fails || (!*fails && !question.row.pass_proves)) continue;  // a pass of so small a case proves nothing
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

  /// Whether too many answers since the condition was learned were predicted wrongly.
  bool IsOftenWrong() const {
    const auto wrong = static_cast<std::size_t>(std::ranges::count(agreed_, false));
    return wrong > kMostByChance || wrong * kAnswersForError > agreed_.size();
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
    if (LastAgree(enough)) {
      agreed_.erase(agreed_.begin(), agreed_.end() - static_cast<std::ptrdiff_t>(enough));
      return true;
    }
    return agreed_.size() == kToSettleWithChance &&
           static_cast<std::size_t>(std::ranges::count(agreed_, false)) <= kMostByChance;
  }

  /// Learns from all rows again, and replaces the condition if the new one is better. Returns whether it did so.
  bool LearnAgain() {
    std::vector<Conjunction> learned = Learned();
    std::vector<Conjunction> old;
    for (const Alternative& alternative : condition_.alternatives) old.push_back(alternative.conjunction);
    // A new condition that is wrong as often as the old one is no better, and would have to be tested anew.
    const std::size_t wrong = WrongOf(learned);
    const bool is_better = wrong < WrongOf(old) && (wrong == 0 || IsOftenWrong());
    if (is_better) ReplaceBy(std::move(learned));
    return is_better;
  }

  /// Replaces the condition by these alternatives.
  void ReplaceBy(std::vector<Conjunction> learned) {
    // Answers that came before the new condition was learned do not test it.
    agreed_.clear();
    probed_ = false;
    condition_.tested = {};
    std::vector<Alternative> alternatives;
    for (Conjunction& conjunction : learned) {
      const auto known = std::ranges::find(condition_.alternatives, conjunction, &Alternative::conjunction);
      const bool is_new = known == condition_.alternatives.end();
      const std::size_t learned_at = is_new ? training_set_.rows().size() : known->learned_at;
      alternatives.push_back({.conjunction = std::move(conjunction), .learned_at = learned_at});
    }
    condition_.alternatives = std::move(alternatives);
    questions_.PreferNumbersOfStatements();
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
    const bool is_short =
        search_.told != ToldAs::kNothing && asked_ < std::min(kQuestionsOfShort, search_.questions / kPartOfShort);
    const std::size_t most = is_short ? kMostStatements : failures >= kFailuresOfLongCondition ? 6 : 5;
    const std::size_t terms = std::clamp<std::size_t>(failures / kFailuresOfTerm, 2, most);
    return Learn(rows, Features(), {.terms = terms, .without_values = plain_});
  }

  /// Asks again about new cases that contradict the condition. A backend may fail by chance, or after another case.
  void AskContradictionsAgain() {
    constexpr std::size_t kMostAgain = 16;
    std::size_t again = 0;
    for (TrainingRow& row : training_set_.rows()) {
      if (row.of_run || row.fails == condition_.Holds(row.features)) continue;
      if (++again > kMostAgain || search_.late()) return;
      row.fails = search_.ask(row.test_case).value_or(row.fails);
    }
  }

  /// Counts the cases that test each alternative. A failure for which another alternative is true does not count
  /// against it only if the reader learns of that other one: it will be told, or it becomes a cause of its own.
  void TestAlternatives() {
    CountCases(condition_);
    Condition explaining = condition_;
    std::erase_if(explaining.alternatives, [&](const Alternative& other) { return explaining.IsRefuted(other); });
    for (bool changed = true; changed;) {
      CountCases(explaining);
      NoteSupport(training_set_.rows(), explaining, condition_);
      const auto erased = std::erase_if(explaining.alternatives, [&](const Alternative& other) {
        const bool is_told =
            IsConfirmed(other.conjunction) || (search_.told == ToldAs::kCauses && IsRestOfRun(other.conjunction));
        return search_.told != ToldAs::kNothing && !is_told;
      });
      changed = erased > 0;
    }
  }

  bool IsConfirmed(const Conjunction& conjunction) const {
    return condition_.IsConfirmed(*std::ranges::find(condition_.alternatives, conjunction, &Alternative::conjunction));
  }

  /// Whether the conjunction is true of a failure of the run for which no confirmed alternative is true.
  bool IsRestOfRun(const Conjunction& conjunction) {
    return std::ranges::any_of(training_set_.rows(), [&](const TrainingRow& row) {
      return row.of_run && row.fails && conjunction.Holds(row.features) &&
             std::ranges::none_of(condition_.alternatives, [&](const Alternative& other) {
               return condition_.IsConfirmed(other) && other.conjunction.Holds(row.features);
             });
    });
  }

  /// Counts the cases that test the condition: only cases that were made after it was learned. `explaining`: a
  /// condition that gives a reason for failures outside of an alternative.
  void CountCases(const Condition& explaining) {
    condition_.checked = agreed_.size();
    // A statement may have been left out since the answers came.
    const auto last = training_set_.rows().end() - static_cast<std::ptrdiff_t>(agreed_.size());
    condition_.agreed = static_cast<std::size_t>(std::count_if(last, training_set_.rows().end(), [&](const auto& row) {
      return condition_.Holds(row.features) == row.fails;
    }));
    for (Alternative& alternative : condition_.alternatives) {
      alternative.confirmed = alternative.refuted = alternative.outside = alternative.outside_failed = 0;
      alternative.passes_inside.clear();
      UntriedNumbers untried = training_set_.NotTried(alternative.conjunction);
      alternative.not_tried = std::move(untried.text);
      alternative.has_wide_gap = untried.is_wide;
      for (std::size_t i = alternative.learned_at; i < training_set_.rows().size(); ++i) {
        const TrainingRow& row = training_set_.rows()[i];
        if (row.of_run) continue;
        if (alternative.conjunction.Holds(row.features)) {
          ++(row.fails ? alternative.confirmed : alternative.refuted);
          if (!row.fails) alternative.passes_inside = ToLine(row.test_case);
        } else if (!explaining.Holds(row.features)) {
          ++alternative.outside;
          alternative.outside_failed += row.fails ? 1 : 0;
        }
      }
    }
  }

  const ConditionSearch& search_;
  bool plain_;
  TrainingSet training_set_;
  Condition condition_;
  QuestionMaker questions_;
  std::deque<bool> agreed_;          ///< for each of the last answers: whether the condition had predicted it
  std::size_t asked_ = 0;            ///< questions
  std::size_t more_rounds_ = 0;      ///< rounds that tried what was untried
  bool probed_ = false;              ///< the probes of this condition were asked
  std::size_t times_probed_ = 0;     ///< of this and of earlier conditions
  std::size_t without_verdict_ = 0;  ///< of the last answers: how many in a row had no verdict
};

}  // namespace

std::optional<Condition> FindCondition(std::span<const KnownCase> known, const ConditionSearch& search) {
  return Search(ResolvedCases(known, search.late), search).Run();
}

Prediction PredictNewCases(const Condition& condition, std::span<const KnownCase> known, std::size_t each_side,
                           const ConditionSearch& search) {
  Prediction prediction;
  TrainingSet training_set(ResolvedCases(known),
                           {.plain = condition.plain, .declared = search.declared, .seed = search.seed});
  training_set.Exclude(condition.asked_lines);
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < training_set.rows().size(); ++i) {
    if (condition.Holds(training_set.rows()[i].features)) inside.push_back(i);
  }
  if (inside.empty()) return prediction;
  const bool of_values = condition.OfValues();
  for (std::size_t tries = 0; tries < 400 * each_side && !search.late(); ++tries) {
    if (prediction.inside == each_side && (prediction.outside == each_side || condition.Always())) break;
    // If few cases lie just beyond the boundary, every other case is made from any row.
    const bool far = tries > 20 * each_side && tries % 2 == 0;
    auto row = training_set.Make(training_set.Parent(far ? std::span<const std::size_t>() : inside), of_values);
    if (!row) continue;
    const bool holds = condition.Holds(row->features);
    if ((holds ? prediction.inside : prediction.outside) == each_side) continue;
    const auto fails = search.ask(row->test_case);
    if (!fails) continue;
    ++(holds ? prediction.inside : prediction.outside);
    if (*fails == holds) ++(holds ? prediction.inside_right : prediction.outside_right);
  }
  return prediction;
}

bool PassOutside(const Condition& condition, std::span<const KnownCase> failures, std::size_t enough,
                 const ConditionSearch& search) {
  constexpr std::size_t kTries = 1000;
  const std::vector<ResolvedCase> cases = ResolvedCases(failures);
  TrainingSet training_set(cases, {.declared = search.declared, .seed = search.seed});
  if (training_set.rows().empty()) return false;
  std::size_t passed = 0;
  std::size_t asked = 0;
  for (std::size_t tries = 0; tries < kTries && passed < enough && !search.late(); ++tries) {
    const auto row = training_set.Make(training_set.Parent({}), condition.OfValues());
    if (!row || condition.Holds(row->features)) continue;
    if (asked++ == search.questions) break;
    const auto fails = search.ask(row->test_case);
    if (fails == std::optional(true)) return false;
    passed += fails ? 1 : 0;
  }
  return passed == enough;
}

}  // namespace conformance
