// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the largest needed tolerances of a run's cases together, and puts them into words.

#include "conformance/report/needed_text.h"

#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/verdict/needed_tolerance.h"

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

std::string ToText(const NeededOfType& entry) {
  const NeededTolerance& needed = entry.needed;
  std::string text = fmt::format("{} needed rtol {} ({:.4g} ulp)", oracle::ElementTypeName(needed.type),
                                 ToleranceText(needed.rtol), needed.ulps);
  if (needed.cancelling != 0) {
    const std::int64_t others = needed.outputs - needed.cancelling;
    text += fmt::format(
        " for the {:.2g} % of outputs that neither cancel by half nor underflow; rtol {} with atol {} of the case's "
        "largest output is enough for all",
        100 * static_cast<double>(others) / static_cast<double>(needed.outputs), ToleranceText(RtolBeside(needed.type)),
        ToleranceText(needed.atol_beside));
  }
  return text + (entry.right ? "" : ", in cases that failed");
}

}  // namespace conformance
