// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts which combinations of classes occur in a list of cases. Numbers all combinations of each group of parameters,
// and stores a bit for each number that occurred.

#include "conformance/suite/measured_coverage/combinations.h"

#include <algorithm>
#include <array>
#include <utility>

namespace conformance {
namespace {

// The counter does not use the list of core_array.h, because it must be independent of the code that it checks.
constexpr std::array kCore = {Property::kAutoPad, Property::kOutputShape, Property::kOutputPadding, Property::kGroups};

std::size_t NumberOf(const ClassRow& row, const std::vector<Property>& parameters) {
  std::size_t number = 0;
  for (const Property parameter : parameters) number = number * ClassNames(parameter).size() + row[parameter];
  return number;
}

// Calls `visit` with every combination of classes of parameters[at..], feasible or not.
template <typename Visit>
void ForEach(const Model& model, const std::vector<Property>& parameters, std::size_t at, ClassRow& row,
             const Visit& visit) {
  if (at == parameters.size()) return visit(row);
  for (const std::uint8_t value : model.classes(parameters[at])) {
    row[parameters[at]] = value;
    ForEach(model, parameters, at + 1, row, visit);
  }
}

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
    ForEach(model_, group.parameters, 0, start, [&](const ClassRow& row) {
      if (group.seen[NumberOf(row, group.parameters)]) {
        ++coverage.covered;
      } else if (model_.Feasible(row)) {
        coverage.missing.push_back(row);
      }
    });
  }
  return coverage;
}

}  // namespace conformance
