// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a covering array: a few rows of classes that contain every possible combination of two or three classes.
// Builds it greedily, one row at a time, like the algorithm AETG (Cohen, Dalal, Fredman and Patton, 1997). A row starts
// from the first combination that no row has yet. Each other parameter then gets the class that adds the most new
// combinations with the classes chosen so far, if the row can still be completed.

#include "conformance/suite/covering/array.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

namespace conformance {
namespace {

// The set of all combinations, with a mark for those that some row has. A combination has three parameters, named by
// their index in the model's list. In a combination of two, the third is a placeholder with one class, index `count_`.
class Combinations {
 public:
  Combinations(const Model& model, int strength) : model_(model), count_(model.parameters().size()) {
    for (const Property parameter : model.parameters()) {
      positions_.emplace_back(ClassNames(parameter).size(), std::uint8_t{0});
      for (std::size_t i = 0; i < model.classes(parameter).size(); ++i) {
        positions_.back()[model.classes(parameter)[i]] = static_cast<std::uint8_t>(i);
      }
    }
    std::size_t size = 0;
    for (std::size_t p = 0; p < count_; ++p) {
      for (std::size_t q = p + 1; q < count_; ++q) {
        for (std::size_t r = strength == 2 ? count_ : q + 1; r < count_ + (strength == 2 ? 1 : 0); ++r) {
          groups_.push_back({p, q, r});
          offsets_[p][q][r] = size;
          size += Classes(p) * Classes(q) * Classes(r);
        }
      }
    }
    done_.assign(size, 0);
  }

  // Three parameters whose combinations are numbered together.
  struct Group {
    std::size_t p, q, r;
  };
  const std::vector<Group>& groups() const { return groups_; }

  std::size_t Classes(std::size_t at) const { return at == count_ ? 1 : model_.classes(ParameterAt(at)).size(); }
  Property ParameterAt(std::size_t at) const { return model_.parameters()[at]; }

  /// Marks all combinations of a whole row.
  void Mark(const ClassRow& row) {
    for (const Group& group : groups_) done_[Index(row, group.p, group.q, group.r)] = 1;
  }
  bool IsDone(const Group& group, std::size_t a, std::size_t b, std::size_t c) const {
    return done_[offsets_[group.p][group.q][group.r] + (a * Classes(group.q) + b) * Classes(group.r) + c] != 0;
  }
  /// The number of unmarked combinations of parameter `at` with parameters whose class the row has.
  std::size_t Gain(const ClassRow& row, std::size_t at, bool pairs) const {
    std::array<std::size_t, kParameters + 1> chosen{};
    std::size_t chosen_count = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i != at && row.Has(ParameterAt(i))) chosen[chosen_count++] = i;
    }
    std::size_t gain = 0;
    for (std::size_t i = 0; i < chosen_count; ++i) {
      if (pairs) {
        gain += done_[Index(row, std::min(at, chosen[i]), std::max(at, chosen[i]), count_)] == 0 ? 1 : 0;
        continue;
      }
      for (std::size_t k = i + 1; k < chosen_count; ++k) {
        const std::size_t p = std::min(at, chosen[i]);
        const std::size_t r = std::max(at, chosen[k]);
        const std::size_t q = at + chosen[i] + chosen[k] - p - r;
        gain += done_[Index(row, p, q, r)] == 0 ? 1 : 0;
      }
    }
    return gain;
  }

 private:
  std::size_t PositionOf(const ClassRow& row, std::size_t at) const {
    return at == count_ ? 0 : positions_[at][row[ParameterAt(at)]];
  }
  std::size_t Index(const ClassRow& row, std::size_t p, std::size_t q, std::size_t r) const {
    return offsets_[p][q][r] + (PositionOf(row, p) * Classes(q) + PositionOf(row, q)) * Classes(r) + PositionOf(row, r);
  }

  const Model& model_;
  std::size_t count_;
  std::vector<std::vector<std::uint8_t>> positions_;  ///< position of a class in the model's list of classes
  std::vector<Group> groups_;
  std::array<std::array<std::array<std::size_t, kParameters + 1>, kParameters>, kParameters> offsets_{};
  std::vector<std::uint8_t> done_;
};

// Chooses the missing classes of a row. `round` rotates the order of parameters and classes from row to row.
void Fill(const Model& model, const Combinations& combinations, bool pairs, std::size_t round, ClassRow& row) {
  constexpr std::size_t kLargestGain = ~std::size_t{0};
  const std::size_t count = model.parameters().size();
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t at = (step + round) % count;
    const Property parameter = combinations.ParameterAt(at);
    if (row.Has(parameter)) continue;
    const std::vector<std::uint8_t>& classes = model.classes(parameter);
    struct Choice {
      std::size_t gain, order;
      std::uint8_t value;
    };
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::uint8_t value = classes[(i + round) % classes.size()];
      row[parameter] = value;
      std::size_t gain = combinations.Gain(row, at, pairs);
      // The default layout is preferred. In arrays of pairs, another layout occurs only in rows that start from it. In
      // arrays of triples this rule would double the number of rows, so that the gain is only doubled.
      const bool format = parameter == Property::kDataFormat || parameter == Property::kFilterFormat;
      if (format && row.Is(parameter, FormatClass::kChannelsLast)) gain = pairs ? kLargestGain : 2 * gain;
      choices.push_back({gain, i, value});
    }
    std::ranges::sort(choices, [](const Choice& one, const Choice& other) {
      return one.gain != other.gain ? one.gain > other.gain : one.order < other.order;
    });
    for (const Choice& choice : choices) {
      row[parameter] = choice.value;
      if (model.Feasible(row)) break;  // some class succeeds, because the row could be completed before
    }
  }
  model.Complete(row);  // parameters with a single class
}

}  // namespace

std::vector<ClassRow> CoveringArray(const Model& model, int strength, std::vector<ClassRow> begin) {
  const bool pairs = strength == 2;
  Combinations combinations(model, strength);
  std::vector<ClassRow> rows = std::move(begin);
  for (const ClassRow& row : rows) combinations.Mark(row);
  for (const Combinations::Group& group : combinations.groups()) {
    for (std::size_t a = 0; a < combinations.Classes(group.p); ++a) {
      for (std::size_t b = 0; b < combinations.Classes(group.q); ++b) {
        for (std::size_t c = 0; c < combinations.Classes(group.r); ++c) {
          if (combinations.IsDone(group, a, b, c)) continue;
          ClassRow row;
          const auto take = [&](std::size_t at, std::size_t position) {
            const Property parameter = combinations.ParameterAt(at);
            row[parameter] = model.classes(parameter)[position];
          };
          take(group.p, a);
          take(group.q, b);
          if (!pairs) take(group.r, c);
          if (!model.Feasible(row)) continue;
          Fill(model, combinations, pairs, rows.size(), row);
          combinations.Mark(row);
          rows.push_back(row);
        }
      }
    }
  }
  return rows;
}

const std::vector<ClassRow>& PairsOf(oracle::OperatorKind kind, oracle::Dialect dialect) {
  static std::mutex mutex;
  static std::map<std::pair<oracle::OperatorKind, oracle::Dialect>, std::vector<ClassRow>> arrays;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = arrays.try_emplace({kind, dialect});
  if (is_new) at->second = CoveringArray(ModelOf(kind, dialect), 2);
  return at->second;
}

const std::vector<ClassRow>& TriplesOf(oracle::OperatorKind kind, oracle::Dialect dialect) {
  static std::mutex mutex;
  static std::map<std::pair<oracle::OperatorKind, oracle::Dialect>, std::vector<ClassRow>> arrays;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = arrays.try_emplace({kind, dialect});
  if (is_new) at->second = CoveringArray(ModelOf(kind, dialect), 3, PairsOf(kind, dialect));
  return at->second;
}

}  // namespace conformance
