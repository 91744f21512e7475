// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns, asks and learns again. Each round asks about cases inside of the condition, about cases that violate one of
// its statements, and about some others.

#include "conformance/conditions/find_condition.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <utility>

#include "conformance/conditions/learn.h"
#include "conformance/conditions/pool.h"
#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

// New cases of one round, on each side.
constexpr std::size_t kOfRound = 24;
constexpr std::size_t kFarOfRound = 12;  // that violate several statements
// The condition is settled if it was right about all of so many new cases in a row.
constexpr std::size_t kToSettle = 400;
// Or right about all but two of so many: values hide a few failures by chance.
constexpr std::size_t kToSettleWithChance = 600;
constexpr std::size_t kMostByChance = 2;
// Rows from which is learned at once.
constexpr std::size_t kMostRows = 2000;
constexpr std::size_t kMostTries = 4000;

class Search {
 public:
  Search(std::span<const KnownCase> known, bool invalid, const ConditionSearch& search)
      : search_(search),
        plain_(PlainIsEnough(known, invalid)),
        pool_(known, invalid, plain_, search.declared, search.seed) {
    condition_.invalid = invalid;
    condition_.declared = search.declared;
    condition_.plain = plain_;
    for (const KnownCase& one : known) {
      if (IsRefused(one) == invalid) ++(one.fails ? condition_.failures : condition_.passes);
    }
  }

  std::optional<Condition> Run() {
    const auto start = std::chrono::steady_clock::now();
    std::deque<bool> agreed;
    bool learned = false;
    if (std::ranges::none_of(pool_.rows(), &PoolRow::fails)) return std::nullopt;
    bool stale = true;
    while (!search_.late() || !learned) {
      if (stale) {
        LearnAgain();
        learned = true;
      }
      stale = false;
      std::vector<std::pair<PoolRow, bool>> asked = NextCases();
      if (asked.empty()) break;
      for (auto& [row, predicted] : asked) {
        if (search_.late()) break;
        const auto fails = search_.ask(row.test_case);
        if (!fails) continue;
        ++condition_.asked;
        row.fails = *fails;
        agreed.push_back(*fails == predicted);
        if (agreed.size() > kToSettleWithChance) agreed.pop_front();
        row.surprising = *fails != predicted;
        stale = stale || row.surprising;
        AddValueFeatures(row.test_case, row.dialect, row.features);
        pool_.rows().push_back(std::move(row));
      }
      condition_.checked = agreed.size();
      condition_.agreed = static_cast<std::size_t>(std::ranges::count(agreed, true));
      condition_.settled = IsSettled(agreed);
      if (condition_.settled) break;
    }
    if (stale) LearnAgain();
    CountCases();
    condition_.seconds = SecondsSince(start);
    if (condition_.alternatives.empty()) return std::nullopt;
    return std::move(condition_);
  }

 private:
  static bool IsSettled(const std::deque<bool>& agreed) {
    if (agreed.size() < kToSettle) return false;
    const auto last = agreed.end() - static_cast<std::ptrdiff_t>(kToSettle);
    if (std::all_of(last, agreed.end(), [](bool right) { return right; })) return true;
    return agreed.size() == kToSettleWithChance &&
           static_cast<std::size_t>(std::ranges::count(agreed, false)) <= kMostByChance;
  }

  void LearnAgain() {
    const std::vector<LabelledRow> rows = RowsToLearnFrom(pool_.rows(), kMostRows);
    condition_.alternatives.clear();
    if (std::ranges::all_of(rows, &LabelledRow::fails)) {
      condition_.alternatives.emplace_back();  // it fails always, as far as is known
      return;
    }
    for (Conjunction& conjunction : Learn(rows, Features(), {.without_values = plain_})) {
      condition_.alternatives.push_back({.conjunction = std::move(conjunction)});
    }
    std::vector<std::int64_t> numbers;
    for (const Alternative& alternative : condition_.alternatives) {
      for (const Term& term : alternative.conjunction.terms) AddNumbers(term, numbers);
    }
    pool_.varier().Prefer(std::move(numbers));
  }

  /// Numbers at which new cases test a statement: its own, or of a threshold one half way to the nearest known number
  /// beyond, so that the exact threshold is found in a few rounds.
  void AddNumbers(const Term& term, std::vector<std::int64_t>& numbers) {
    constexpr std::int64_t kLargest = 100'000;
    const FeatureKind kind = (term.of_axis ? Features().axis : Features().whole)[term.feature].kind;
    if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory) return;
    if (term.modulus != 0) {
      for (int k = 1; k < 4; ++k) numbers.push_back(k * term.modulus + term.value);
      return;
    }
    if (term.value <= 0 || term.value >= kLargest) return;
    numbers.push_back(term.value);
    if (term.relation != Relation::kAtLeast && term.relation != Relation::kAtMost) return;
    const bool upward = term.relation == Relation::kAtMost;
    std::optional<std::int64_t> nearest;
    const auto meet = [&](std::int64_t number) {
      if (number == kNoValue || term.Holds(number) || number >= kLargest) return;
      nearest = !nearest ? number : upward ? std::min(*nearest, number) : std::max(*nearest, number);
    };
    for (const PoolRow& row : pool_.rows()) {
      if (!term.of_axis) meet(row.features.whole[term.feature]);
      if (!term.of_axis) continue;
      for (const auto& axis : row.features.axes) meet(axis[term.feature]);
    }
    if (nearest && std::abs(*nearest - term.value) > 2) numbers.push_back((*nearest + term.value) / 2);
  }

  /// New cases with the condition's prediction: some inside, some that violate one statement, some others.
  std::vector<std::pair<PoolRow, bool>> NextCases() {
    std::vector<std::size_t> inside;
    std::vector<std::size_t> of_run;  // of them
    std::vector<std::size_t> failing;
    for (std::size_t i = 0; i < pool_.rows().size(); ++i) {
      const bool holds = condition_.Holds(pool_.rows()[i].features);
      if (holds) inside.push_back(i);
      if (holds && pool_.rows()[i].of_run) of_run.push_back(i);
      if (pool_.rows()[i].fails) failing.push_back(i);
    }
    std::vector<PoolRow> held;
    std::vector<PoolRow> near;
    std::vector<PoolRow> far;
    const bool of_values = condition_.OfValues();
    for (std::size_t tries = 0; tries < kMostTries; ++tries) {
      if (held.size() >= kOfRound && near.size() >= kOfRound && far.size() >= kFarOfRound) break;
      if (search_.late() || (held.size() >= kOfRound && condition_.Always())) break;
      const std::size_t turn = tries % 4;
      const std::size_t parent = pool_.Parent(turn == 0   ? failing
                                              : turn == 1 ? of_run
                                              : turn == 2 ? inside
                                                          : std::vector<std::size_t>());
      auto row = pool_.Make(parent, of_values);
      if (!row) continue;
      if (condition_.Holds(row->features)) {
        if (held.size() < kOfRound) held.push_back(*std::move(row));
        continue;
      }
      const bool is_near = std::ranges::any_of(condition_.alternatives, [&](const Alternative& alternative) {
        return alternative.conjunction.Violated(row->features) == 1;
      });
      if (is_near && near.size() < kOfRound) {
        near.push_back(*std::move(row));
      } else if (!is_near && far.size() < kFarOfRound) {
        far.push_back(*std::move(row));
      }
    }
    std::vector<std::pair<PoolRow, bool>> cases;
    for (PoolRow& row : held) cases.emplace_back(std::move(row), true);
    for (PoolRow& row : near) cases.emplace_back(std::move(row), false);
    for (PoolRow& row : far) cases.emplace_back(std::move(row), false);
    return cases;
  }

  void CountCases() {
    for (Alternative& alternative : condition_.alternatives) {
      for (const PoolRow& row : pool_.rows()) {
        if (!alternative.conjunction.Holds(row.features)) continue;
        if (row.of_run) {
          ++(row.fails ? alternative.failures : alternative.passes);
        } else {
          ++(row.fails ? alternative.confirmed : alternative.refuted);
        }
      }
    }
  }

  const ConditionSearch& search_;
  bool plain_;
  Pool pool_;
  Condition condition_;
};

}  // namespace

std::optional<Condition> FindCondition(std::span<const KnownCase> known, bool invalid, const ConditionSearch& search) {
  return Search(known, invalid, search).Run();
}

Prediction PredictNewCases(const Condition& condition, std::span<const KnownCase> known, std::size_t each_side,
                           const ConditionSearch& search) {
  constexpr std::size_t kErrors = 8;
  Prediction prediction;
  Pool pool(known, condition.invalid, condition.plain, search.declared, search.seed);
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < pool.rows().size(); ++i) {
    if (condition.Holds(pool.rows()[i].features)) inside.push_back(i);
  }
  if (inside.empty()) return prediction;
  const bool of_values = condition.OfValues();
  for (std::size_t tries = 0; tries < 400 * each_side && !search.late(); ++tries) {
    if (prediction.inside == each_side && (prediction.outside == each_side || condition.Always())) break;
    // Where few cases lie just beyond the boundary, others must do.
    const bool far = tries > 20 * each_side && tries % 2 == 0;
    auto row = pool.Make(far ? pool.Parent({}) : pool.Parent(inside), of_values);
    if (!row) continue;
    const bool holds = condition.Holds(row->features);
    if ((holds ? prediction.inside : prediction.outside) == each_side) continue;
    const auto fails = search.ask(row->test_case);
    if (!fails) continue;
    ++(holds ? prediction.inside : prediction.outside);
    if (*fails == holds) {
      ++(holds ? prediction.inside_right : prediction.outside_right);
    } else if (prediction.errors.size() < kErrors) {
      prediction.errors.push_back((holds ? "passes: " : "fails: ") + ToLine(row->test_case));
    }
  }
  return prediction;
}

}  // namespace conformance
