// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns, asks and learns again. Each round asks about cases inside of the condition, about cases that violate one of
// its statements, and about some others.

#include "conformance/conditions/find_condition.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <set>
#include <utility>

#include "conformance/conditions/learn.h"
#include "conformance/conditions/vary.h"
#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

// Many cases are asked about, so each must be small.
constexpr double kMostProducts = 20'000;
constexpr std::int64_t kMostElements = 20'000;
// Cases of the run that are learned from.
constexpr std::size_t kMostFailures = 300;
constexpr std::size_t kMostPasses = 500;
// New cases of one round, on each side.
constexpr std::size_t kOfRound = 24;
// The condition is settled if it was right about all of so many new cases in a row.
constexpr std::size_t kToSettle = 240;
// Or right about all but two of so many: values hide a few failures by chance.
constexpr std::size_t kToSettleWithChance = 480;
constexpr std::size_t kMostByChance = 2;
// Rows from which is learned at once; of more, the passes of the run and the oldest questions are left out.
constexpr std::size_t kMostRows = 1800;
constexpr std::size_t kMostTries = 4000;

struct Row {
  Case test_case;
  oracle::Dialect dialect;
  std::optional<Sketch> sketch;
  FeatureRow features;
  bool fails = false;
  bool of_run = true;
};

bool IsPlain(const Case& test_case) {
  return (test_case.values == DataSet::kIntegers || test_case.values == DataSet::kTaps) && !test_case.data_only &&
         !test_case.filter_values;
}

// Of integers, this many products hide no wrong index by chance.
constexpr double kManyProducts = 64;
constexpr std::int64_t kManyElements = 12;

/// Whether plain values of a case show every wrong index: where they do not, a pass says nothing.
bool ShowsIndices(const Case& test_case, oracle::Dialect dialect) {
  const auto resolution = oracle::Resolve(test_case.op, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return true;
  const oracle::Geometry& geometry = *resolution.geometry;
  if (test_case.values == DataSet::kTaps) {
    return TapsFit(geometry.DataCount(), geometry.FilterCount(), geometry.type);
  }
  return geometry.FilterCount() >= kManyElements && geometry.DataCount() >= kManyElements &&
         static_cast<double>(geometry.OutputCount()) >= kManyProducts / 2;
}

bool IsRefused(const KnownCase& one) {
  return !oracle::Resolve(one.test_case.op, one.dialect, oracle::StepTexts::kLeftOut).ok();
}

/// Whether plain values show the failures as well as others do: then others would only hide some.
bool PlainIsEnough(std::span<const KnownCase> known, bool invalid) {
  std::size_t plain = 0;
  std::size_t all = 0;
  std::size_t plain_cases = 0;
  std::size_t cases = 0;
  for (const KnownCase& one : known) {
    if (IsRefused(one) != invalid) continue;
    ++cases;
    plain_cases += IsPlain(one.test_case) ? 1 : 0;
    if (!one.fails) continue;
    ++all;
    plain += IsPlain(one.test_case) ? 1 : 0;
  }
  return invalid || (plain > 0 && 2 * plain * cases > all * plain_cases);
}

/// New cases around known ones.
class Pool {
 public:
  Pool(std::span<const KnownCase> known, bool invalid, bool plain, const Capabilities& declared, std::uint64_t seed)
      : invalid_(invalid), plain_(plain), declared_(declared), varier_(declared, seed) {
    if (plain) varier_.KeepPlain();
    std::vector<const KnownCase*> failures;
    std::vector<const KnownCase*> passes;
    for (const KnownCase& one : known) {
      if (!plain || (IsPlain(one.test_case) && (one.fails || ShowsIndices(one.test_case, one.dialect))))
        (one.fails ? failures : passes).push_back(&one);
    }
    AddSome(failures, kMostFailures);
    AddSome(passes, kMostPasses);
    for (const KnownCase& one : known) lines_.insert(ToLine(one.test_case));
  }

  std::deque<Row>& rows() { return rows_; }
  Varier& varier() { return varier_; }

  /// A new case. `from`: index of the row that it was made from.
  std::optional<Row> Make(std::size_t from, bool of_values) {
    const Row& parent = rows_[from];
    const Row& other = rows_[varier_.Below(rows_.size())];
    Row row;
    row.of_run = false;
    if (!parent.sketch || (invalid_ && varier_.Below(3) == 0)) {
      if (!invalid_) return std::nullopt;
      row.test_case = varier_.VaryRaw(parent.test_case);
      row.sketch = SketchOf(row.test_case);
    } else {
      row.sketch = varier_.Vary(*parent.sketch, other.sketch ? *other.sketch : *parent.sketch);
      row.test_case = CaseOf(*row.sketch);
    }
    const auto dialect = declared_.JudgedBy(row.test_case.op, row.test_case.EffectiveDialect());
    if (!dialect) return std::nullopt;
    row.dialect = *dialect;
    row.test_case.dialect.reset();
    if (row.test_case.EffectiveDialect() != *dialect) row.test_case.dialect = *dialect;
    if (row.sketch) row.sketch->rest.dialect = row.test_case.dialect;
    row.features = FeaturesOf(row.test_case, row.dialect);
    if (row.features.valid == invalid_) return std::nullopt;
    if (row.features.valid && !Fits(row)) return std::nullopt;
    if (plain_ && !ShowsIndices(row.test_case, row.dialect)) return std::nullopt;
    if (!lines_.insert(ToLine(row.test_case)).second) return std::nullopt;
    if (of_values) AddValueFeatures(row.test_case, row.dialect, row.features);
    return row;
  }

  /// A row with this verdict or prediction that new cases can be made from.
  std::size_t Parent(const std::vector<std::size_t>& among) {
    return among.empty() ? varier_.Below(rows_.size()) : among[varier_.Below(among.size())];
  }

 private:
  void AddSome(const std::vector<const KnownCase*>& from, std::size_t most) {
    std::size_t added = 0;
    // Spread over all of them.
    const std::size_t step = std::max<std::size_t>(1, from.size() / (2 * most));
    for (std::size_t i = 0; i < from.size() && added < most; i += step) {
      Row row{.test_case = from[i]->test_case,
              .dialect = from[i]->dialect,
              .sketch = SketchOf(from[i]->test_case),
              .features = FeaturesOf(from[i]->test_case, from[i]->dialect),
              .fails = from[i]->fails};
      if (row.features.valid == invalid_ || (!row.sketch && !invalid_) || row.features.products > kMostProducts)
        continue;
      AddValueFeatures(row.test_case, row.dialect, row.features);
      rows_.push_back(std::move(row));
      ++added;
    }
  }

  bool Fits(const Row& row) const {
    if (row.features.products > kMostProducts || !declared_.Lacks(row.test_case.op).empty()) return false;
    const auto resolution = oracle::Resolve(row.test_case.op, row.dialect, oracle::StepTexts::kLeftOut);
    const oracle::Geometry& geometry = *resolution.geometry;
    // Operators that have nothing to be wrong tell nothing.
    if (geometry.OutputCount() > kMostElements || geometry.DataCount() > kMostElements ||
        geometry.FilterCount() > kMostElements) {
      return false;
    }
    double positions = 1;
    for (const oracle::Axis& axis : geometry.axes) {
      positions = std::max(positions, static_cast<double>(axis.stride) * static_cast<double>(axis.data) +
                                          static_cast<double>(axis.dilation) * static_cast<double>(axis.kernel));
    }
    return positions * static_cast<double>(geometry.OutputCount()) < 5e6;
  }

  bool invalid_;
  bool plain_;
  const Capabilities& declared_;
  Varier varier_;
  std::deque<Row> rows_;
  std::set<std::string> lines_;
};

class Search {
 public:
  Search(std::span<const KnownCase> known, bool invalid, const ConditionSearch& search)
      : search_(search),
        plain_(PlainIsEnough(known, invalid)),
        pool_(known, invalid, plain_, search.declared, search.seed) {
    condition_.invalid = invalid;
    condition_.plain = plain_;
    for (const KnownCase& one : known) {
      if (IsRefused(one) == invalid) ++(one.fails ? condition_.failures : condition_.passes);
    }
  }

  std::optional<Condition> Run() {
    const auto start = std::chrono::steady_clock::now();
    std::deque<bool> agreed;
    bool learned = false;
    if (std::ranges::none_of(pool_.rows(), &Row::fails)) return std::nullopt;
    bool stale = true;
    while (!search_.late() || !learned) {
      if (stale) {
        LearnAgain();
        learned = true;
      }
      stale = false;
      std::vector<std::pair<Row, bool>> asked = NextCases();
      if (asked.empty()) break;
      for (auto& [row, predicted] : asked) {
        if (search_.late()) break;
        const auto fails = search_.ask(row.test_case);
        if (!fails) continue;
        ++condition_.asked;
        row.fails = *fails;
        agreed.push_back(*fails == predicted);
        if (agreed.size() > kToSettleWithChance) agreed.pop_front();
        stale = stale || *fails != predicted;
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
    std::vector<LabelledRow> rows;
    std::size_t over = pool_.rows().size() > kMostRows ? pool_.rows().size() - kMostRows : 0;
    for (const Row& row : pool_.rows()) {
      if (over > 0 && !row.fails) {
        --over;
        continue;
      }
      rows.push_back({&row.features, row.fails});
    }
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
      for (const Term& term : alternative.conjunction.terms) {
        const auto& names = term.of_axis ? Features().axis : Features().whole;
        const FeatureKind kind = names[term.feature].kind;
        if (kind == FeatureKind::kFlag || kind == FeatureKind::kCategory) continue;
        if (term.modulus != 0) {
          for (int k = 1; k < 4; ++k) numbers.push_back(k * term.modulus + term.value);
        } else if (term.value > 0 && term.value < 5000) {
          numbers.push_back(term.value);
        }
      }
    }
    pool_.varier().Prefer(std::move(numbers));
  }

  /// New cases with the condition's prediction: some inside, some that violate one statement, some others.
  std::vector<std::pair<Row, bool>> NextCases() {
    std::vector<std::size_t> inside;
    std::vector<std::size_t> failing;
    for (std::size_t i = 0; i < pool_.rows().size(); ++i) {
      if (condition_.Holds(pool_.rows()[i].features)) inside.push_back(i);
      if (pool_.rows()[i].fails) failing.push_back(i);
    }
    std::vector<Row> held;
    std::vector<Row> near;
    std::vector<Row> far;
    const bool of_values = condition_.OfValues();
    for (std::size_t tries = 0; tries < kMostTries; ++tries) {
      if (held.size() >= kOfRound && near.size() >= kOfRound && far.size() >= kOfRound / 3) break;
      if (search_.late() || (held.size() >= kOfRound && condition_.Always())) break;
      const std::size_t turn = tries % 4;
      const std::size_t parent = pool_.Parent(turn == 0 ? failing : turn == 3 ? std::vector<std::size_t>() : inside);
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
      } else if (!is_near && far.size() < kOfRound / 3) {
        far.push_back(*std::move(row));
      }
    }
    std::vector<std::pair<Row, bool>> cases;
    for (Row& row : held) cases.emplace_back(std::move(row), true);
    for (Row& row : near) cases.emplace_back(std::move(row), false);
    for (Row& row : far) cases.emplace_back(std::move(row), false);
    return cases;
  }

  void CountCases() {
    for (Alternative& alternative : condition_.alternatives) {
      for (const Row& row : pool_.rows()) {
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
