// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses findings kind by kind, and within a kind by size and by age in turn.

#include "fuzz/campaign/chosen_findings.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "conformance/case/case.h"

namespace fuzz {
namespace {

/// A finding that may be chosen, and an estimate of the work of its case (SizeOf).
struct Candidate {
  const FoundCase* found = nullptr;
  double size = 0;
};

/// The most findings of a failure class that are chosen, if at most `most` are chosen in all.
std::size_t MostOf(const std::string& failure, std::size_t most) {
  if (failure == "hang") return kMostHangs;
  return failure == "crash" ? kMostCrashes : most;
}

/// An estimate of the work of a case, for comparisons only.
double SizeOf(const conformance::Case& test_case) {
  double size = 1;
  for (const auto* dims : {&test_case.op.data.dims, &test_case.op.filter.dims}) {
    for (const auto dim : *dims) size *= std::max<double>(1, static_cast<double>(dim));
  }
  return size;
}

/// Returns the smallest finding, the newest, the second smallest, and so on. `newest` is sorted, the newest first.
std::vector<const FoundCase*> SmallAndNew(const std::vector<Candidate>& newest) {
  std::vector<Candidate> smallest = newest;
  std::ranges::sort(smallest, [](const Candidate& one, const Candidate& other) {
    return std::pair(one.size, one.found) < std::pair(other.size, other.found);
  });
  std::vector<const FoundCase*> order;
  std::set<const FoundCase*> taken;
  for (std::size_t i = 0; i < newest.size(); ++i) {
    for (const std::vector<Candidate>* list : {&std::as_const(smallest), &newest}) {
      if (taken.insert((*list)[i].found).second) order.push_back((*list)[i].found);
    }
  }
  return order;
}

}  // namespace

ChosenFindings ChooseFindings(const std::vector<FoundCase>& findings, std::size_t most) {
  using Kind = std::tuple<std::string, oracle::OperatorKind, oracle::ElementType>;
  struct Kinds {
    std::map<Kind, std::size_t> numbers;             // the index of each kind in `candidates`
    std::vector<std::vector<Candidate>> candidates;  // by kind; the kind of the newest finding comes first
  };
  Kinds unexplained;
  Kinds all;
  std::set<std::string> lines;
  ChosenFindings chosen;
  for (const FoundCase& found : std::views::reverse(findings)) {
    const auto parsed = conformance::ParseCaseLine(found.line);
    const auto* const test_case = std::get_if<conformance::Case>(&parsed);
    if (test_case == nullptr) {
      ++chosen.unreadable;
      continue;
    }
    if (!lines.insert(found.line).second) continue;
    for (Kinds* kinds : {&all, &unexplained}) {
      if (kinds == &unexplained && !found.unexplained) continue;
      const Kind kind(found.failure, test_case->op.kind, test_case->op.data.type);
      const std::size_t number = kinds->numbers.try_emplace(kind, kinds->candidates.size()).first->second;
      if (number == kinds->candidates.size()) kinds->candidates.emplace_back();
      kinds->candidates[number].push_back({&found, SizeOf(*test_case)});
    }
  }
  std::map<std::string, std::size_t> chosen_of_class;
  std::set<const FoundCase*> taken;
  // Takes the first finding of each kind, then the second of each, and so on, until `until` findings are chosen.
  const auto take = [&](const Kinds& kinds, std::size_t until) {
    std::vector<std::vector<const FoundCase*>> orders;
    for (const auto& candidates : kinds.candidates) orders.push_back(SmallAndNew(candidates));
    for (std::size_t nth = 0; nth < lines.size() && chosen.findings.size() < until; ++nth) {
      for (const auto& order : orders) {
        if (nth >= order.size() || chosen.findings.size() == until) continue;
        const FoundCase& found = *order[nth];
        if (chosen_of_class[found.failure] == MostOf(found.failure, most) || !taken.insert(&found).second) continue;
        ++chosen_of_class[found.failure];
        chosen.findings.push_back(found);
      }
    }
  };
  chosen.different = lines.size();
  take(unexplained, most / 2);
  take(all, most);
  return chosen;
}

}  // namespace fuzz
