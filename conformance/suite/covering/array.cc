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
class CombinationMarks {
 public:
  CombinationMarks(const Model& model, int strength) : model_(model), count_(model.parameters().size()) {
    for (const Property parameter : model.parameters()) {
      positions_.emplace_back(ClassNames(parameter).size(), std::uint8_t{0});
      for (std::size_t i = 0; i < model.classes(parameter).size(); ++i) {
        positions_.back()[model.classes(parameter)[i]] = static_cast<std::uint8_t>(i);
      }
    }
    std::size_t size = 0;
    for (std::size_t first = 0; first < count_; ++first) {
      for (std::size_t second = first + 1; second < count_; ++second) {
        for (std::size_t third = strength == 2 ? count_ : second + 1; third < count_ + (strength == 2 ? 1 : 0);
             ++third) {
          groups_.push_back({first, second, third});
          offsets_[first][second][third] = size;
          size += Classes(first) * Classes(second) * Classes(third);
        }
      }
    }
    marked_.assign(size, 0);
  }

  // Three parameters, by index, whose combinations of classes are numbered together. The number of a combination is the
  // offset of its group plus (class of first * classes of second + class of second) * classes of third + class of
  // third.
  struct Group {
    std::size_t first, second, third;
  };
  const std::vector<Group>& groups() const { return groups_; }

  std::size_t Classes(std::size_t at) const { return at == count_ ? 1 : model_.classes(ParameterAt(at)).size(); }
  Property ParameterAt(std::size_t at) const { return model_.parameters()[at]; }

  /// Marks all combinations of a whole row.
  void Mark(const ClassRow& row) {
    for (const Group& group : groups_) marked_[Index(row, group.first, group.second, group.third)] = 1;
  }
  bool IsMarked(const Group& group, std::size_t first_class, std::size_t second_class, std::size_t third_class) const {
    return marked_[offsets_[group.first][group.second][group.third] +
                   (first_class * Classes(group.second) + second_class) * Classes(group.third) + third_class] != 0;
  }
  /// The number of unmarked combinations of parameter `at` with parameters whose class the row has.
  std::size_t CountNew(const ClassRow& row, std::size_t at, bool pairs) const {
    std::array<std::size_t, kParameters + 1> chosen{};
    std::size_t chosen_count = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i != at && row.Has(ParameterAt(i))) chosen[chosen_count++] = i;
    }
    std::size_t new_combinations = 0;
    for (std::size_t i = 0; i < chosen_count; ++i) {
      if (pairs) {
        new_combinations += marked_[Index(row, std::min(at, chosen[i]), std::max(at, chosen[i]), count_)] == 0 ? 1 : 0;
        continue;
      }
      for (std::size_t k = i + 1; k < chosen_count; ++k) {
        const std::size_t first = std::min(at, chosen[i]);
        const std::size_t third = std::max(at, chosen[k]);
        // The parameter between them.
        const std::size_t second = at + chosen[i] + chosen[k] - first - third;
        new_combinations += marked_[Index(row, first, second, third)] == 0 ? 1 : 0;
      }
    }
    return new_combinations;
  }

 private:
  std::size_t PositionOf(const ClassRow& row, std::size_t at) const {
    return at == count_ ? 0 : positions_[at][row[ParameterAt(at)]];
  }
  std::size_t Index(const ClassRow& row, std::size_t first, std::size_t second, std::size_t third) const {
    return offsets_[first][second][third] +
           (PositionOf(row, first) * Classes(second) + PositionOf(row, second)) * Classes(third) +
           PositionOf(row, third);
  }

  const Model& model_;
  std::size_t count_;
  std::vector<std::vector<std::uint8_t>> positions_;  ///< position of a class in the model's list of classes
  std::vector<Group> groups_;
  std::array<std::array<std::array<std::size_t, kParameters + 1>, kParameters>, kParameters> offsets_{};
  std::vector<std::uint8_t> marked_;
};

// Chooses the missing classes of a row. `round` rotates the order of parameters and classes from row to row.
void ChooseMissingClasses(const Model& model, const CombinationMarks& combinations, bool pairs, std::size_t round,
                          ClassRow& row) {
  constexpr std::size_t kLargestGain = ~std::size_t{0};
  const std::size_t count = model.parameters().size();
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t at = (step + round) % count;
    const Property parameter = combinations.ParameterAt(at);
    if (row.Has(parameter)) continue;
    const std::vector<std::uint8_t>& classes = model.classes(parameter);
    struct Choice {
      std::size_t new_combinations, order;
      std::uint8_t value;
    };
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::uint8_t value = classes[(i + round) % classes.size()];
      row[parameter] = value;
      std::size_t new_combinations = combinations.CountNew(row, at, pairs);
      // The default layout is preferred. In arrays of pairs, another layout occurs only in rows that start from it. In
      // arrays of triples this rule would double the number of rows, so that the gain is only doubled.
      const bool format = parameter == Property::kDataFormat || parameter == Property::kFilterFormat;
      if (format && row.Is(parameter, FormatClass::kChannelsLast))
        new_combinations = pairs ? kLargestGain : 2 * new_combinations;
      choices.push_back({new_combinations, i, value});
    }
    std::ranges::sort(choices, [](const Choice& one, const Choice& other) {
      return one.new_combinations != other.new_combinations ? one.new_combinations > other.new_combinations
                                                            : one.order < other.order;
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
  CombinationMarks combinations(model, strength);
  std::vector<ClassRow> rows = std::move(begin);
  for (const ClassRow& row : rows) combinations.Mark(row);
  for (const CombinationMarks::Group& group : combinations.groups()) {
    for (std::size_t first_class = 0; first_class < combinations.Classes(group.first); ++first_class) {
      for (std::size_t second_class = 0; second_class < combinations.Classes(group.second); ++second_class) {
        for (std::size_t third_class = 0; third_class < combinations.Classes(group.third); ++third_class) {
          if (combinations.IsMarked(group, first_class, second_class, third_class)) continue;
          ClassRow row;
          const auto take = [&](std::size_t at, std::size_t position) {
            const Property parameter = combinations.ParameterAt(at);
            row[parameter] = model.classes(parameter)[position];
          };
          take(group.first, first_class);
          take(group.second, second_class);
          if (!pairs) take(group.third, third_class);
          if (!model.Feasible(row)) continue;
          ChooseMissingClasses(model, combinations, pairs, rows.size(), row);
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
