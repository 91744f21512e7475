// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the counting. Every class of every parameter has a number, and a combination is one bit in a cube of these
// numbers.

#include "conformance/suite/measured_coverage/combinations.h"

#include <array>
#include <set>
#include <string>

namespace conformance {
namespace {

constexpr std::size_t kLabels = 80;  // more than the classes of all parameters together, and 0 for nobody

std::array<std::size_t, kParameters> FirstLabels() {
  std::array<std::size_t, kParameters> first{};
  std::size_t next = 1;
  for (std::size_t i = 0; i < kParameters; ++i) {
    first[i] = next;
    next += ClassNames(static_cast<Property>(i)).size();
  }
  return first;
}

std::size_t Bit(std::size_t a, std::size_t b, std::size_t c) { return (a * kLabels + b) * kLabels + c; }

// Calls `visit` with every combination of the model's classes of `strength` parameters, feasible or not.
template <typename Visit>
void ForEach(const Model& model, int strength, const Visit& visit) {
  const std::vector<Property>& parameters = model.parameters();
  ClassRow row;
  const auto choose = [&](const auto& self, std::size_t from, int left) -> void {
    if (left == 0) {
      visit(row);
      return;
    }
    for (std::size_t i = from; i < parameters.size(); ++i) {
      for (const std::uint8_t value : model.classes(parameters[i])) {
        row[parameters[i]] = value;
        self(self, i + 1, left - 1);
      }
      row[parameters[i]] = ClassRow::kNone;
    }
  };
  choose(choose, 0, strength);
}

}  // namespace

std::vector<ClassRow> TriplesOfCoveredPairs(const CombinationCoverage& pairs, const CombinationCoverage& triples) {
  std::set<std::string> missing;
  for (const ClassRow& pair : pairs.missing) missing.insert(ToText(pair));
  std::vector<ClassRow> found;
  for (const ClassRow& triple : triples.missing) {
    bool whole = true;
    for (std::size_t i = 0; i < kParameters && whole; ++i) {
      const auto parameter = static_cast<Property>(i);
      if (!triple.Has(parameter)) continue;
      ClassRow pair = triple;
      pair[parameter] = ClassRow::kNone;
      whole = !missing.contains(ToText(pair));
    }
    if (whole) found.push_back(triple);
  }
  return found;
}

std::vector<Infeasible> InfeasibleCombinations(const Model& model, int strength) {
  std::vector<Infeasible> found;
  ForEach(model, strength, [&](const ClassRow& row) {
    if (!model.Feasible(row)) found.push_back({row, model.Forbidden(row)});
  });
  return found;
}

CombinationCounter::CombinationCounter(oracle::OperatorKind kind, oracle::Dialect dialect)
    : model_(ModelOf(kind, dialect)), seen_(kLabels * kLabels * kLabels) {}

std::size_t CombinationCounter::Label(const ClassRow& row, Property parameter) const {
  static const std::array<std::size_t, kParameters> first = FirstLabels();
  return first[static_cast<std::size_t>(parameter)] + row[parameter];
}

void CombinationCounter::Add(const ClassRow& row) {
  std::array<std::size_t, kParameters> labels{};
  std::size_t count = 0;
  for (const Property parameter : model_.parameters()) {
    if (row.Has(parameter)) labels[count++] = Label(row, parameter);
  }
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      seen_[Bit(labels[a], labels[b], 0)] = true;
      for (std::size_t c = b + 1; c < count; ++c) seen_[Bit(labels[a], labels[b], labels[c])] = true;
    }
  }
}

bool CombinationCounter::Has(const ClassRow& combination) const {
  std::array<std::size_t, 3> labels{};
  std::size_t count = 0;
  for (const Property parameter : model_.parameters()) {
    if (combination.Has(parameter) && count < labels.size()) labels[count++] = Label(combination, parameter);
  }
  return seen_[Bit(labels[0], labels[1], labels[2])];
}

CombinationCoverage CombinationCounter::Count(int strength) const {
  CombinationCoverage coverage;
  ForEach(model_, strength, [&](const ClassRow& row) {
    if (Has(row)) {
      ++coverage.covered;
      ++coverage.feasible;
    } else if (model_.Feasible(row)) {
      ++coverage.feasible;
      coverage.missing.push_back(row);
    } else {
      ++coverage.infeasible;
    }
  });
  return coverage;
}

}  // namespace conformance
