// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts which combinations of classes occur in a list of cases, and which pairs of classes two axes have. Numbers all
// combinations of each group of parameters, and stores a bit for each number that occurred.

#include "conformance/suite/measured_coverage/combinations.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace conformance {
namespace {

// The counter does not use the list of array.h, because it must be independent of the code that it checks.
constexpr std::array kCore = {Property::kAutoPad, Property::kOutputShape, Property::kOutputPadding, Property::kGroups};

// The number of the row's combination of these parameters: their classes as the digits of a number.
std::size_t NumberOf(const ClassRow& row, const std::vector<Property>& parameters) {
  std::size_t number = 0;
  for (const Property parameter : parameters) number = number * ClassNames(parameter).size() + row[parameter];
  return number;
}

// Calls `visit` with every combination of classes of parameters[at..], feasible or not.
template <typename Visit>
void ForEachCombination(const Model& model, const std::vector<Property>& parameters, std::size_t at, ClassRow& row,
                        const Visit& visit) {
  if (at == parameters.size()) return visit(row);
  for (const std::uint8_t value : model.classes(parameters[at])) {
    row[parameters[at]] = value;
    ForEachCombination(model, parameters, at + 1, row, visit);
  }
}

// Whether the row has all classes of `part`.
bool Holds(const ClassRow& row, const ClassRow& part) {
  for (std::size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Property>(i);
    if (part.Has(parameter) && row[parameter] != part[parameter]) return false;
  }
  return true;
}

}  // namespace

std::vector<ClassRow> TriplesOfCoveredPairs(const CombinationCoverage& pairs, const CombinationCoverage& triples) {
  std::vector<ClassRow> found = triples.missing;
  std::erase_if(found, [&](const ClassRow& triple) {
    return std::ranges::any_of(pairs.missing, [&](const ClassRow& pair) { return Holds(triple, pair); });
  });
  return found;
}

CombinationCounter::CombinationCounter(oracle::OperatorKind kind, oracle::Dialect dialect)
    : model_(ModelOf(kind, dialect)) {
  const auto add = [&](Strength strength, std::vector<Property> parameters) {
    std::size_t numbers = 1;
    for (const Property parameter : parameters) numbers *= ClassNames(parameter).size();
    groups_.push_back({strength, std::move(parameters), std::vector<bool>(numbers)});
  };
  const std::vector<Property>& all = model_.parameters();
  for (std::size_t p = 0; p < all.size(); ++p) {
    for (std::size_t q = p + 1; q < all.size(); ++q) {
      add(Strength::kPairs, {all[p], all[q]});
      for (std::size_t r = q + 1; r < all.size(); ++r) add(Strength::kTriples, {all[p], all[q], all[r]});
    }
    if (std::ranges::find(kCore, all[p]) != kCore.end()) continue;
    std::vector<Property> core(kCore.begin(), kCore.end());
    core.push_back(all[p]);
    add(Strength::kCore, std::move(core));
  }
}

void CombinationCounter::Add(const ClassRow& row) {
  for (Group& group : groups_) {
    const bool whole = std::ranges::all_of(group.parameters, [&](Property parameter) { return row.Has(parameter); });
    if (whole) group.seen[NumberOf(row, group.parameters)] = true;
  }
}

CombinationCoverage CombinationCounter::Count(Strength strength) const {
  CombinationCoverage coverage;
  for (const Group& group : groups_) {
    if (group.strength != strength) continue;
    ClassRow start;
    ForEachCombination(model_, group.parameters, 0, start, [&](const ClassRow& row) {
      if (group.seen[NumberOf(row, group.parameters)]) {
        ++coverage.covered;
      } else if (model_.Feasible(row)) {
        coverage.missing.push_back(row);
      }
    });
  }
  return coverage;
}

// Counts which pairs of classes two axes of one operator have, among all possible pairs. A pair is feasible if the
// model has an operator for each of the two axes alone, because every dialect treats the axes separately.

namespace {

constexpr std::size_t kMostAxes = 3;

bool UsesPads(const ClassRow& row) {
  return row.Is(Property::kAutoPad, AutoPadClass::kAbsent, AutoPadClass::kExplicit);
}

constexpr std::uint8_t Number(AutoPadClass value) { return static_cast<std::uint8_t>(value); }

}  // namespace

std::string ToText(const AxisPair& pair) {
  std::string text = "axes " + std::to_string(pair.first) + " and " + std::to_string(pair.second) + " of " +
                     std::to_string(pair.axes) + ", ";
  const auto add = [&](std::string_view more) { text += more; };
  if (pair.parameter == Property::kOutputShape) {
    add("auto_pad=");
    add(ClassNames(Property::kAutoPad)[pair.auto_pad]);
    if (pair.axes == 2) add(pair.grouped ? " groups=several" : " groups=one");
  } else {
    add(pair.shaped ? "with output shape, " : "without output shape, ");
    add(pair.auto_pad == Number(AutoPadClass::kExplicit) ? "pads used" : "pads ignored");
  }
  add(": ");
  add(PropertyName(pair.parameter));
  add("=");
  add(ClassNames(pair.parameter)[pair.first_class]);
  add(",");
  add(ClassNames(pair.parameter)[pair.second_class]);
  return text;
}

void AxisPairCounter::Add(const ClassRow& row, const std::vector<ClassRow>& axes) {
  if (axes.size() < 2 || axes.size() > kMostAxes || !row.Has(Property::kAutoPad)) return;
  const bool shaped = !axes.front().Is(Property::kOutputShape, OutputShapeClass::kAbsent);
  for (const Property parameter : kAxisParameters) {
    const bool is_output_shape = parameter == Property::kOutputShape;
    if (is_output_shape && !shaped) continue;
    AxisPair pair{.axes = static_cast<std::uint8_t>(axes.size()), .parameter = parameter, .shaped = shaped};
    pair.auto_pad = is_output_shape ? row[Property::kAutoPad]
                    : UsesPads(row) ? Number(AutoPadClass::kExplicit)
                                    : Number(AutoPadClass::kValid);
    pair.grouped = is_output_shape && axes.size() == 2 && !row.Is(Property::kGroups, GroupsClass::kOne);
    for (std::size_t first = 0; first < axes.size(); ++first) {
      for (std::size_t second = first + 1; second < axes.size(); ++second) {
        pair.first = static_cast<std::uint8_t>(first);
        pair.second = static_cast<std::uint8_t>(second);
        pair.first_class = axes[first][parameter];
        pair.second_class = axes[second][parameter];
        seen_.insert(pair);
      }
    }
  }
}

// Whether the model has an operator with this axis alone, in the context of the pair.
bool AxisPairCounter::AxisIsFeasible(const AxisPair& pair, std::uint8_t auto_pad, std::uint8_t value) const {
  ClassRow axis;
  axis.Set(Property::kRank, RankClass::k3);
  axis[Property::kAutoPad] = auto_pad;
  axis[pair.parameter] = value;
  if (pair.grouped) axis.Set(Property::kGroups, GroupsClass::kSeveral);
  if (pair.parameter == Property::kOutputShape) return model_.Feasible(axis);
  for (const std::uint8_t shape : model_.classes(Property::kOutputShape)) {
    axis[Property::kOutputShape] = shape;
    const bool absent = axis.Is(Property::kOutputShape, OutputShapeClass::kAbsent);
    if (absent != pair.shaped && model_.Feasible(axis)) return true;
  }
  return false;
}

bool AxisPairCounter::Feasible(const AxisPair& pair) const {
  for (const std::uint8_t auto_pad : model_.classes(Property::kAutoPad)) {
    ClassRow row;
    row[Property::kAutoPad] = auto_pad;
    const bool is_output_shape = pair.parameter == Property::kOutputShape;
    const bool fits = is_output_shape ? auto_pad == pair.auto_pad
                                      : UsesPads(row) == (pair.auto_pad == Number(AutoPadClass::kExplicit));
    if (fits && AxisIsFeasible(pair, auto_pad, pair.first_class) && AxisIsFeasible(pair, auto_pad, pair.second_class)) {
      return true;
    }
  }
  return false;
}

AxisPairCoverage AxisPairCounter::Count() const {
  AxisPairCoverage coverage;
  const auto count_classes = [&](AxisPair pair) {
    for (const std::uint8_t first_class : model_.classes(pair.parameter)) {
      for (const std::uint8_t second_class : model_.classes(pair.parameter)) {
        pair.first_class = first_class;
        pair.second_class = second_class;
        constexpr auto absent = static_cast<std::uint8_t>(OutputShapeClass::kAbsent);
        const bool is_output_shape = pair.parameter == Property::kOutputShape;
        if (is_output_shape && (first_class == absent || second_class == absent)) continue;
        if (seen_.contains(pair)) {
          ++coverage.covered;
        } else if (Feasible(pair)) {
          coverage.missing.push_back(pair);
        }
      }
    }
  };
  const auto count_contexts = [&](AxisPair pair) {
    if (pair.parameter == Property::kOutputShape) {
      for (const std::uint8_t auto_pad : model_.classes(Property::kAutoPad)) {
        pair.auto_pad = auto_pad;
        pair.grouped = false;
        count_classes(pair);
        pair.grouped = true;
        if (pair.axes == 2) count_classes(pair);
      }
      return;
    }
    for (const AutoPadClass auto_pad : {AutoPadClass::kExplicit, AutoPadClass::kValid}) {
      for (const bool shaped : {true, false}) {
        pair.auto_pad = Number(auto_pad);
        pair.shaped = shaped;
        count_classes(pair);
      }
    }
  };
  for (std::uint8_t axes = 2; axes <= kMostAxes; ++axes) {
    for (std::uint8_t first = 0; first < axes; ++first) {
      for (auto second = static_cast<std::uint8_t>(first + 1); second < axes; ++second) {
        for (const Property parameter : kAxisParameters) {
          count_contexts({.axes = axes, .first = first, .second = second, .parameter = parameter});
        }
      }
    }
  }
  return coverage;
}

}  // namespace conformance
