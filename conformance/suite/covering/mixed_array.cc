// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array over numbered factors greedily, as array.cc does over classes. A row starts from a
// combination that no row has yet. Each other factor then gets the value that adds the most new combinations.
// Constraints are pairs of values here, not rules over whole rows as in array.cc: pairs can be checked fast enough for
// combinations of four factors.

#include "conformance/suite/covering/mixed_array.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace conformance {

FactorModel::FactorModel(const std::vector<std::size_t>& sizes) : sizes_(sizes), allowed_(sizes.size()) {
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    assert(sizes[f] > 0 && sizes[f] <= 64);
    allowed_[f].assign(sizes[f], std::vector<std::uint64_t>(sizes.size()));
    for (std::size_t value = 0; value < sizes[f]; ++value) {
      // All values are allowed: the lowest sizes[other] bits are 1.
      for (std::size_t other = 0; other < sizes.size(); ++other) {
        allowed_[f][value][other] = ~std::uint64_t{0} >> (64 - sizes[other]);
      }
    }
  }
}

void FactorModel::Exclude(std::size_t factor, std::size_t value, std::size_t other_factor, std::size_t other_value) {
  assert(factor != other_factor);
  allowed_[factor][value][other_factor] &= ~(std::uint64_t{1} << other_value);
  allowed_[other_factor][other_value][factor] &= ~(std::uint64_t{1} << value);
}

std::uint64_t FactorModel::Allowed(const FactorRow& row, std::size_t factor) const {
  std::uint64_t allowed = ~std::uint64_t{0} >> (64 - sizes_[factor]);
  for (std::size_t f = 0; f < sizes_.size(); ++f) {
    if (f != factor && row[f] != kUnknown) allowed &= allowed_[f][row[f]][factor];
  }
  return allowed;
}

bool FactorModel::Complete(FactorRow& row) const {
  // The factor with the fewest remaining values is next: the search finds a dead end early.
  std::size_t next = sizes_.size();
  std::uint64_t values = 0;
  for (std::size_t f = 0; f < sizes_.size(); ++f) {
    const std::uint64_t allowed = Allowed(row, f);
    if (row[f] != kUnknown) {
      if ((allowed >> row[f] & 1) == 0) return false;
      continue;
    }
    if (next == sizes_.size() || std::popcount(allowed) < std::popcount(values)) {
      next = f;
      values = allowed;
    }
  }
  if (next == sizes_.size()) return true;
  for (; values != 0; values &= values - 1) {  // removes the lowest bit, whose value was tried
    row[next] = static_cast<std::uint8_t>(std::countr_zero(values));
    if (Complete(row)) return true;
  }
  row[next] = kUnknown;
  return false;
}

namespace {

// Numbers every combination of `strength` factors and their values, and marks those that some row holds.
class CombinationSet {
 public:
  CombinationSet(const FactorModel& model, std::size_t strength) : model_(model), strength_(strength) {
    std::vector<std::size_t> factors(strength);
    for (std::size_t i = 0; i < strength; ++i) factors[i] = i;
    std::size_t size = 0;
    do {
      Group group{.factors = factors, .begin = size};
      std::size_t combinations = 1;
      for (const std::size_t f : factors) combinations *= model.values(f);
      groups_.push_back(std::move(group));
      size += combinations;
    } while (NextSubset(factors));
    marked_.assign(size, false);
    of_factor_.resize(model.factors());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const std::size_t f : groups_[g].factors) of_factor_[f].push_back(g);
    }
  }

  struct Group {
    std::vector<std::size_t> factors;  ///< ascending
    std::size_t begin = 0;             ///< index of its first combination
  };
  const std::vector<Group>& groups() const { return groups_; }

  std::size_t IndexOf(const Group& group, const FactorRow& row) const {
    std::size_t index = 0;
    for (const std::size_t f : group.factors) index = index * model_.values(f) + row[f];
    return group.begin + index;
  }
  bool IsMarked(std::size_t index) const { return marked_[index]; }

  void Mark(const FactorRow& row) {
    for (const Group& group : groups_) marked_[IndexOf(group, row)] = true;
  }

  /// The number of new combinations that a value of `factor` forms with the known values of the row.
  std::size_t CountNew(FactorRow& row, std::size_t factor, std::uint8_t value) const {
    row[factor] = value;
    std::size_t gain = 0;
    for (const std::size_t g : of_factor_[factor]) {
      const Group& group = groups_[g];
      const bool known =
          std::ranges::all_of(group.factors, [&row](std::size_t f) { return row[f] != FactorModel::kUnknown; });
      if (known && !marked_[IndexOf(group, row)]) ++gain;
    }
    row[factor] = FactorModel::kUnknown;
    return gain;
  }

 private:
  /// Replaces an ascending list of factors by the next one: 0 1, 0 2, ..., 1 2, ... False after the last list.
  bool NextSubset(std::vector<std::size_t>& factors) const {
    for (std::size_t i = strength_; i-- > 0;) {
      if (factors[i] + strength_ - i >= model_.factors()) continue;
      ++factors[i];
      for (std::size_t k = i + 1; k < strength_; ++k) factors[k] = factors[k - 1] + 1;
      return true;
    }
    return false;
  }

  const FactorModel& model_;
  std::size_t strength_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::size_t>> of_factor_;  ///< groups that hold a factor
  std::vector<bool> marked_;
};

// Chooses the values of the row's unknown factors. Each round begins with another factor and another value, so that
// ties are not always decided in the same way.
void ChooseUnknownValues(const FactorModel& model, const CombinationSet& combinations, std::size_t round,
                         FactorRow& row) {
  for (std::size_t step = 0; step < model.factors(); ++step) {
    const std::size_t factor = (step + round) % model.factors();
    if (row[factor] != FactorModel::kUnknown) continue;
    struct Choice {
      std::size_t gain, order;
      std::uint8_t value;
    };
    std::vector<Choice> choices;
    const std::uint64_t allowed = model.Allowed(row, factor);
    for (std::size_t i = 0; i < model.values(factor); ++i) {
      const auto value = static_cast<std::uint8_t>((i + round) % model.values(factor));
      if ((allowed >> value & 1) != 0) choices.push_back({combinations.CountNew(row, factor, value), i, value});
    }
    std::ranges::sort(choices, [](const Choice& one, const Choice& other) {
      return one.gain != other.gain ? one.gain > other.gain : one.order < other.order;
    });
    for (const Choice& choice : choices) {
      row[factor] = choice.value;
      FactorRow rest = row;
      if (model.Complete(rest)) break;  // some value succeeds, because the row could be completed before
    }
  }
}

}  // namespace

std::vector<FactorRow> CoveringRows(const FactorModel& model, std::size_t strength, std::vector<FactorRow> begin) {
  CombinationSet combinations(model, strength);
  std::vector<FactorRow> rows = std::move(begin);
  for (const FactorRow& row : rows) combinations.Mark(row);
  for (const CombinationSet::Group& group : combinations.groups()) {
    std::size_t count = 1;
    for (const std::size_t f : group.factors) count *= model.values(f);
    for (std::size_t index = 0; index < count; ++index) {
      if (combinations.IsMarked(group.begin + index)) continue;
      FactorRow row(model.factors(), FactorModel::kUnknown);
      std::size_t rest = index;
      for (std::size_t i = strength; i-- > 0; rest /= model.values(group.factors[i])) {
        row[group.factors[i]] = static_cast<std::uint8_t>(rest % model.values(group.factors[i]));
      }
      FactorRow whole = row;
      if (!model.Complete(whole)) continue;
      ChooseUnknownValues(model, combinations, rows.size(), row);
      combinations.Mark(row);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace conformance
