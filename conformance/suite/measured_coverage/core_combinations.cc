// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts combinations of the core by a number for each: the four classes, the fifth parameter and its class.

#include "conformance/suite/measured_coverage/core_combinations.h"

#include <algorithm>
#include <array>

namespace conformance {
namespace {

constexpr std::array kCore = {Property::kAutoPad, Property::kOutputShape, Property::kOutputPadding, Property::kGroups};

bool InCore(Property parameter) { return std::ranges::find(kCore, parameter) != kCore.end(); }

std::uint64_t NumberOf(const ClassRow& row, Property fifth) {
  std::uint64_t number = static_cast<std::uint64_t>(fifth);
  for (const Property parameter : kCore) number = number << 8 | row[parameter];
  return number << 8 | row[fifth];
}

}  // namespace

void CoreCounter::Add(const ClassRow& row) {
  if (!std::ranges::all_of(kCore, [&](Property parameter) { return row.Has(parameter); })) return;
  for (const Property parameter : model_.parameters()) {
    if (!InCore(parameter) && row.Has(parameter)) seen_.insert(NumberOf(row, parameter));
  }
}

CombinationCoverage CoreCounter::Count() const {
  CombinationCoverage coverage;
  ClassRow row;
  const auto count_fifth = [&] {
    for (const Property fifth : model_.parameters()) {
      if (InCore(fifth)) continue;
      for (const std::uint8_t value : model_.classes(fifth)) {
        row[fifth] = value;
        const bool covered = seen_.contains(NumberOf(row, fifth));
        const bool feasible = covered || model_.Feasible(row);
        coverage.covered += covered ? 1 : 0;
        ++(feasible ? coverage.feasible : coverage.infeasible);
        if (feasible && !covered) coverage.missing.push_back(row);
      }
      row[fifth] = ClassRow::kNone;
    }
  };
  const auto choose = [&](const auto& self, std::size_t at) -> void {
    if (at == kCore.size()) return count_fifth();
    for (const std::uint8_t value : model_.classes(kCore[at])) {
      row[kCore[at]] = value;
      self(self, at + 1);
    }
    row[kCore[at]] = ClassRow::kNone;
  };
  choose(choose, 0);
  return coverage;
}

}  // namespace conformance
