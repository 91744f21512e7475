// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads from a backend's answers to open operators what the backend chose, and counts the choices of a run. An open
// operator is one that the backend may refuse or compute.

#include "conformance/verdict/open_choice.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "oracle/open_point.h"

namespace conformance {

std::vector<OpenChoice> ChoicesShown(std::span<const oracle::OpenPoint> open, bool computed) {
  std::vector<OpenChoice> choices;
  if (!computed && open.size() != 1) return choices;
  for (const oracle::OpenPoint& point : open) {
    choices.push_back({.clause = std::string(point.clause), .point = std::string(point.point), .computed = computed});
  }
  return choices;
}

std::string OpenPointsText(std::span<const oracle::OpenPoint> open) {
  std::string text;
  for (const oracle::OpenPoint& point : open) {
    fmt::format_to(std::back_inserter(text), "{}{} ({})", text.empty() ? "" : ", ", point.clause, point.point);
  }
  return text;
}

std::string ChoiceCount::Verb() const {
  if (refused == 0) return "computes";
  if (computed == 0) return "refuses";
  return fmt::format("in {} of {} cases computes", computed, computed + refused);
}

std::vector<ChoiceCount> ChoicesOf(std::span<const CaseResult> results) {
  std::vector<ChoiceCount> counts;
  for (const oracle::OpenPointName& name : oracle::kOpenPoints) {
    ChoiceCount count{.clause = std::string(name.clause), .point = std::string(name.phrase)};
    for (const CaseResult& result : results) {
      for (const OpenChoice& choice : result.answer.choices) {
        if (choice.point != name.phrase) continue;
        ++(choice.computed ? count.computed : count.refused);
      }
    }
    if (count.computed + count.refused != 0) counts.push_back(std::move(count));
  }
  const auto minus_zero = std::ranges::count_if(results, [](const CaseResult& result) {
    return IsRight(result.verdict.status) && result.outputs.negative_zero_gaps != 0;
  });
  if (minus_zero != 0) {
    counts.push_back({.clause = "V3",
                      .point = std::string(kMinusZeroPoint),
                      .computed = static_cast<std::size_t>(minus_zero),
                      .refused = 0});
  }
  return counts;
}

}  // namespace conformance
