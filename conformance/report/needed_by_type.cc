// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the largest needed tolerances of a run's cases together.

#include "conformance/report/needed_by_type.h"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace conformance {

std::vector<NeededOfType> NeededByType(const RunRecord& run) {
  std::map<std::pair<bool, oracle::ElementType>, NeededTolerance> sums;
  for (const CaseResult& result : run.results) {
    if (!result.needed) continue;
    const bool wrong = result.status == Status::kFail;
    const auto [at, is_new] = sums.try_emplace({wrong, result.needed->type}, *result.needed);
    if (!is_new) at->second.Include(*result.needed);
  }
  std::vector<NeededOfType> entries;
  for (const auto& [key, needed] : sums) entries.push_back({!key.first, needed});
  return entries;
}

std::string ToleranceText(double value) { return value == 0 ? "0" : fmt::format("{:.2g}", value); }

}  // namespace conformance
