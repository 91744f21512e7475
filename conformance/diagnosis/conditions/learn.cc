// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns by beam search which conjunction of statements, such as "kernel >= 4 and stride == 2", is true of failing
// cases only. A row is the features of one case. A statement has one bit for each row: whether it is true of the row.
// So the conjunction of two statements is an AND of bits, and thousands of conjunctions are tried in milliseconds.
// Example:
//   rows 1 to 4                   1 fails (kernel 5, stride 2), 2 fails (4, 2), 3 passes (5, 1), 4 passes (3, 2)
//   kernel >= 4                   1 1 1 0
//   stride == 2                   1 1 0 1
//   kernel >= 4 and stride == 2   1 1 0 0   both failures, and no pass

#include "conformance/diagnosis/conditions/learn.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

namespace conformance {
namespace {

using Bits = std::vector<std::uint64_t>;
constexpr std::size_t kMostAxes = 4;         // further axes get no statements of their own
constexpr std::size_t kMostEqualities = 24;  // numbers of a feature that statements with == try, the most frequent ones
constexpr std::size_t kThresholds = 10;      // thresholds that each measure of AddThresholds chooses
// With the last one a number is 0 in 16 bits.
constexpr std::array<std::int64_t, 9> kModuli = {2, 3, 4, 8, 16, 32, 64, 128, 65536};
constexpr double kCostOfPass = 6;      // a pass for which a conjunction is true costs as much as 6 missed failures
constexpr double kCostOfTerm = 0.004;  // a further term costs this part of all failures
// At most one failure in kLeastLeft may stay uncovered. A further alternative must cover one failure in kLeastCovered.
constexpr std::size_t kLeastLeft = 400, kLeastCovered = 150;

/// A statement, and the rows for which it is true. For a statement about axes, the rows for each axis separately.
struct Candidate {
  Term term;
  double cost = 0;
  std::vector<Bits> true_for;
};

struct State {
  std::vector<std::size_t> candidates;  ///< indices of the statements of this conjunction
  Bits whole;                           ///< rows for which the statements about the whole case are true
  std::vector<Bits> axes;               ///< for each axis: rows for which the statements about axes are true
  Bits rows;                            ///< rows for which the conjunction is true
  double cost = 0;
};

class Learner {
 public:
  Learner(std::span<const LabelledRow> rows, const FeatureTable& names, const LearnLimits& limits)
      : rows_(rows), limits_(limits), words_((rows.size() + 63) / 64), fails_(words_), passes_(words_) {
    for (std::size_t i = 0; i < rows.size(); ++i) Set(rows[i].fails ? fails_ : passes_, i);
    column_.resize(kMostAxes * rows.size());
    for (const LabelledRow& row : rows_) axes_ = std::max(axes_, std::min(kMostAxes, row.row->axes.size()));
    for (std::size_t f = 0; f < names.whole.size(); ++f) {
      if (!limits.without_values || !names.whole[f].of_values) AddTerms(false, f, names.whole[f]);
    }
    for (std::size_t f = 0; f < names.axis.size() && axes_ > 0; ++f) AddTerms(true, f, names.axis[f]);
    OrderByCost();
  }

  /// The best conjunction, and the rows for which it is true. Nothing if none separates failures from passes.
  std::optional<std::pair<Conjunction, Bits>> Run() const {
    State best = Best();
    if (best.candidates.empty()) return std::nullopt;
    Conjunction conjunction;
    for (const std::size_t c : best.candidates) conjunction.terms.push_back(candidates_[c].term);
    return std::pair(std::move(conjunction), std::move(best.rows));
  }

 private:
  /// Sorts the statements by cost. Of statements that are true of the same rows, only the cheapest is kept.
  void OrderByCost() {
    std::vector<std::size_t> all(candidates_.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    std::ranges::sort(all, {}, [&](std::size_t c) { return std::pair(candidates_[c].cost, c); });
    std::set<std::pair<std::uint64_t, std::size_t>> known;
    for (const std::size_t c : all) {
      std::uint64_t hash = 0xCBF29CE484222325;
      for (const Bits& bits : candidates_[c].true_for) {
        for (const std::uint64_t word : bits) hash = (hash ^ word) * 0x9E3779B97F4A7C15 + (hash >> 29);
      }
      if (known.emplace(hash, candidates_[c].true_for.size()).second) order_.push_back(c);
    }
  }

  static void Set(Bits& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
  static std::size_t Count(const Bits& bits) {
    std::size_t count = 0;
    for (const std::uint64_t word : bits) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  std::size_t CountBoth(const Bits& one, const Bits& other) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words_; ++w) count += static_cast<std::size_t>(std::popcount(one[w] & other[w]));
    return count;
  }

  /// The numbers of one feature, one axis after the other, side by side in memory.
  void ReadColumn(bool of_axis, std::size_t feature) {
    for (std::size_t axis = 0; axis < (of_axis ? axes_ : 1); ++axis) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const FeatureRow& from = *rows_[i].row;
        column_[axis * rows_.size() + i] = !of_axis                  ? from.whole[feature]
                                           : axis < from.axes.size() ? from.axes[axis][feature]
                                                                     : kNoValue;
      }
    }
  }
  std::int64_t ValueAt(std::size_t row, std::size_t axis) const { return column_[axis * rows_.size() + row]; }

  void AddTerms(bool of_axis, std::size_t feature, const Feature& about) {
    ReadColumn(of_axis, feature);
    std::map<std::int64_t, std::pair<std::size_t, std::size_t>> seen;  // number: {failures, passes} that have it
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t axis = 0; axis < (of_axis ? axes_ : 1); ++axis) {
        const std::int64_t value = ValueAt(i, axis);
        if (value != kNoValue) ++(rows_[i].fails ? seen[value].first : seen[value].second);
      }
    }
    if (seen.size() < 2) return;
    const auto add = [&](Relation relation, std::int64_t value, std::int64_t modulus = 0) {
      // If the largest number fails, larger ones may fail too. So a threshold is preferred to an equality, and tested.
      const bool is_largest = relation == Relation::kEqual && value > 1 && value == seen.rbegin()->first;
      Add({.of_axis = of_axis, .feature = feature, .relation = relation, .value = value, .modulus = modulus}, about,
          about.kind != FeatureKind::kCategory && is_largest ? 0.01 : 0);
    };
    if (about.kind == FeatureKind::kFlag) {
      add(Relation::kEqual, 1);
      add(Relation::kEqual, 0);
      return;
    }
    std::vector<std::pair<std::size_t, std::int64_t>> frequent;
    for (const auto& [value, counts] : seen) frequent.emplace_back(counts.first, value);
    std::ranges::sort(frequent, std::greater());
    if (frequent.size() > kMostEqualities) frequent.resize(kMostEqualities);
    for (const auto& [count, value] : frequent) {
      if (count != 0) add(Relation::kEqual, value);
      const bool may_differ = about.kind == FeatureKind::kCategory || value == 0 || value == 1 || seen.size() <= 3;
      if (may_differ) add(Relation::kNotEqual, value);  // backends have other code for 1, 2 and 3 spatial axes
    }
    if (about.kind == FeatureKind::kCategory) return;
    AddThresholds(seen, add);
    if (about.kind != FeatureKind::kSize) return;
    for (const std::int64_t modulus : kModuli) {
      const bool may_be_negative = seen.begin()->first < 0;  // a total of pads, which no vector of 16 divides
      if (seen.rbegin()->first < modulus || (modulus > 4 && may_be_negative)) break;
      for (std::int64_t r = 0; r < modulus; ++r) {
        if (modulus > 8 && r != 0 && r != 1 && r != modulus - 1) continue;
        add(Relation::kRemainder, r, modulus);
      }
      const auto is_tried = [modulus](const auto& one) {  // a pass with 0 has another reason
        return one.first != 0 && one.first % modulus == 0 && one.second.second > 0;
      };
      if (std::ranges::any_of(seen, is_tried)) add(Relation::kOtherRemainder, 0, modulus);
    }
  }

  /// Adds thresholds by three measures: where the share of failures changes most from one number to the next; which
  /// separate failures from passes best; and beyond which no failure, or no pass, lies.
  template <class AddTerm>
  void AddThresholds(const std::map<std::int64_t, std::pair<std::size_t, std::size_t>>& seen, const AddTerm& add) {
    std::vector<std::pair<double, std::int64_t>> steps, falls, above, below;
    std::set<std::int64_t> least, most;
    const auto share = [](const auto& counts) {
      return static_cast<double>(counts.first) / static_cast<double>(counts.first + counts.second);
    };
    std::pair<double, double> all;
    for (const auto& [value, counts] : seen) {
      all.first += static_cast<double>(counts.first);
      all.second += static_cast<double>(counts.second);
    }
    if (all.first == 0 || all.second == 0) return;
    std::pair<double, double> sum;
    std::optional<std::int64_t> last_pass, last_failure;
    for (auto at = seen.begin(); at != seen.end(); ++at) {
      if (at->second.first > 0) {
        if (!last_failure && at != seen.begin()) least.insert(at->first);
        last_failure = at->first;
      }
      if (at->second.second > 0) {
        if (!last_pass && at != seen.begin()) most.insert(std::prev(at)->first);
        last_pass = at->first;
      }
      const auto next = std::next(at);
      if (next == seen.end()) break;
      steps.emplace_back(share(next->second) - share(at->second), next->first);
      falls.emplace_back(share(at->second) - share(next->second), at->first);
      sum.first += static_cast<double>(at->second.first);
      sum.second += static_cast<double>(at->second.second);
      const double gain = sum.first / all.first - sum.second / all.second;
      above.emplace_back(-gain, next->first);
      below.emplace_back(gain, at->first);
    }
    const std::int64_t largest = seen.rbegin()->first;
    if (last_failure && *last_failure != largest) most.insert(*last_failure);
    if (last_pass && *last_pass != largest) least.insert(std::next(seen.find(*last_pass))->first);
    const auto choose = [](std::vector<std::pair<double, std::int64_t>>& from, std::set<std::int64_t>& to) {
      const std::size_t count = std::min(kThresholds, from.size());
      std::ranges::partial_sort(from, from.begin() + static_cast<std::ptrdiff_t>(count), std::greater());
      for (std::size_t i = 0; i < count; ++i) to.insert(from[i].second);
    };
    choose(steps, least);
    choose(above, least);
    choose(falls, most);
    choose(below, most);
    // The narrowest threshold comes first, because of equally good conjunctions the first one is taken.
    for (const std::int64_t value : std::views::reverse(least)) add(Relation::kAtLeast, value);
    for (const std::int64_t value : most) add(Relation::kAtMost, value);
  }

  void Add(const Term& term, const Feature& about, double extra_cost) {
    Candidate candidate{.term = term, .cost = 0, .true_for = {}};
    const bool remainder = term.relation == Relation::kRemainder || term.relation == Relation::kOtherRemainder;
    candidate.cost =
        about.cost + extra_cost + (remainder ? 0.12 : 0) + (term.relation == Relation::kNotEqual ? 0.05 : 0);
    const std::size_t axes = term.of_axis ? axes_ : 1;
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      Bits& bits = candidate.true_for.emplace_back(words_);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::uint64_t holds = term.Holds(ValueAt(i, axis)) ? 1 : 0;
        bits[i / 64] |= holds << (i % 64);
        count += holds;
      }
    }
    if (count != 0 && count != axes * rows_.size()) candidates_.push_back(std::move(candidate));
  }

  State With(const State& state, std::size_t c) const {
    State next = state;
    const Candidate& candidate = candidates_[c];
    next.candidates.push_back(c);
    next.cost += candidate.cost;
    if (candidate.term.of_axis) {
      if (next.axes.empty()) next.axes = candidate.true_for;
      for (std::size_t axis = 0; axis < axes_; ++axis) And(next.axes[axis], candidate.true_for[axis]);
    } else {
      And(next.whole, candidate.true_for.front());
    }
    next.rows = next.whole;
    if (!next.axes.empty()) {
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t any = 0;
        for (const Bits& axis : next.axes) any |= axis[w];
        next.rows[w] &= any;
      }
    }
    return next;
  }
  static void And(Bits& bits, const Bits& other) {
    for (std::size_t w = 0; w < bits.size(); ++w) bits[w] &= other[w];
  }

  /// Counts failures and passes for which the conjunction stays true if statement `c` is added to it.
  std::pair<std::size_t, std::size_t> CountsWith(const State& state, std::size_t c) const {
    const Candidate& candidate = candidates_[c];
    std::size_t failures = 0, passes = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t word = state.rows[w];
      if (word == 0) continue;
      if (!candidate.term.of_axis) {
        word &= candidate.true_for.front()[w];
      } else {
        std::uint64_t any = 0;
        for (std::size_t axis = 0; axis < axes_; ++axis) {
          any |= candidate.true_for[axis][w] & (state.axes.empty() ? ~std::uint64_t{0} : state.axes[axis][w]);
        }
        word &= any;
      }
      failures += static_cast<std::size_t>(std::popcount(word & fails_[w]));
      passes += static_cast<std::size_t>(std::popcount(word & passes_[w]));
    }
    return {failures, passes};
  }

  double Score(std::size_t failures, std::size_t passes, double cost, double total) const {
    return static_cast<double>(failures) - kCostOfPass * static_cast<double>(passes) -
           cost * (kCostOfTerm * total + 0.3);
  }

  /// Each round extends every conjunction of the beam by one statement. Three measures choose the next beam: `scored`
  /// is the measure of the result. It is low for a conjunction that separates only together with a further statement.
  /// `balanced` (the share of failures minus the share of passes) and `pure` (how much rarer passes become) keep those.
  State Best() const {
    struct Extension {
      double measure;
      std::size_t state;
      std::size_t candidate;
    };
    State root;
    root.whole.assign(words_, ~std::uint64_t{0});
    if (rows_.size() % 64 != 0) root.whole.back() = (std::uint64_t{1} << (rows_.size() % 64)) - 1;
    root.rows = root.whole;
    const auto all_failures = static_cast<double>(Count(fails_));
    const auto all_passes = static_cast<double>(std::max<std::size_t>(Count(passes_), 1));
    State best;
    double best_score = -1e18;
    std::vector<State> beam = {root};
    for (std::size_t depth = 0; depth < limits_.terms && !beam.empty(); ++depth) {
      std::vector<Extension> balanced, pure, scored;
      for (std::size_t s = 0; s < beam.size(); ++s) {
        const auto before_f = static_cast<double>(std::max<std::size_t>(CountBoth(beam[s].rows, fails_), 1));
        const auto before_p = static_cast<double>(CountBoth(beam[s].rows, passes_));
        if (before_p == 0) continue;
        const double before = std::log2(before_f / (before_f + before_p));
        for (const std::size_t c : order_) {
          const auto [failures, passes] = CountsWith(beam[s], c);
          if (failures == 0 || static_cast<double>(passes) >= before_p) continue;
          const auto f = static_cast<double>(failures);
          const auto p = static_cast<double>(passes);
          const double cost = beam[s].cost + candidates_[c].cost;
          balanced.push_back({f / all_failures - p / all_passes - 1e-4 * cost, s, c});
          pure.push_back({f * (std::log2(f / (f + p)) - before) - 1e-4 * all_failures * cost, s, c});
          // A conjunction that is true of more passes than this does not separate failures from passes.
          if (f > kCostOfPass * p) scored.push_back({Score(failures, passes, cost, all_failures), s, c});
        }
      }
      const auto top = [&](std::vector<Extension>& from, std::size_t count) {
        const std::size_t most = std::min(from.size(), count);
        std::ranges::partial_sort(from, from.begin() + static_cast<std::ptrdiff_t>(most), {}, [](const Extension& one) {
          return std::tuple(-one.measure, one.state, one.candidate);
        });
        from.resize(most);
      };
      top(scored, 4);
      if (!scored.empty() && scored.front().measure > best_score) {
        best = With(beam[scored.front().state], scored.front().candidate);
        best_score = scored.front().measure;
      }
      // The best conjunction is true of all failures and of no pass, so a longer one cannot be better.
      if (best.rows == fails_) break;
      top(balanced, 6 * limits_.beam);
      top(pure, 6 * limits_.beam);
      std::vector<State> next;
      std::set<Bits> known;
      for (const auto* list : {&scored, &balanced, &pure}) {
        std::size_t taken = 0;
        for (const Extension& extension : *list) {
          if (taken == limits_.beam) break;
          State state = With(beam[extension.state], extension.candidate);
          // Several statements may be true of the same rows, on each axis too. Then only the cheapest is followed.
          Bits key = state.rows;
          for (const Bits& axis : state.axes) key.insert(key.end(), axis.begin(), axis.end());
          if (!known.insert(std::move(key)).second) continue;
          next.push_back(std::move(state));
          ++taken;
        }
      }
      beam = std::move(next);
    }
    return best;
  }

  std::span<const LabelledRow> rows_;
  const LearnLimits& limits_;
  std::size_t words_;
  Bits fails_, passes_;
  std::size_t axes_ = 0;
  std::vector<std::int64_t> column_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> order_;  ///< the cheapest first
};

}  // namespace

std::vector<Conjunction> Learn(std::span<const LabelledRow> rows, const FeatureTable& names,
                               const LearnLimits& limits) {
  std::vector<Conjunction> found;
  std::vector<LabelledRow> open(rows.begin(), rows.end());
  const auto all = static_cast<std::size_t>(std::ranges::count_if(rows, &LabelledRow::fails));
  std::size_t left = all;
  // Each conjunction is learned from the failures that earlier ones do not cover, so that its thresholds fit these.
  while (found.size() < limits.alternatives && left > all / kLeastLeft) {
    auto best = Learner(open, names, limits).Run();
    if (!best) break;
    std::vector<LabelledRow> rest;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const bool covered = (best->second[i / 64] >> (i % 64) & 1) != 0;
      if (!covered || !open[i].fails) rest.push_back(open[i]);
    }
    const std::size_t covered = open.size() - rest.size();
    if (covered == 0 || (!found.empty() && (covered * kLeastCovered < all || covered < 3))) break;
    found.push_back(std::move(best->first));
    left -= covered;
    open = std::move(rest);
  }
  return found;
}

}  // namespace conformance
