// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes findings with the minimizer of `replay`, or with that of combinations of planted faults.

#include "fuzz/campaign/minimized_findings.h"

#include <functional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "conformance/diagnosis/minimize.h"
#include "fuzz/campaign/earlier_cases.h"
#include "fuzz/campaign/failure_family.h"

namespace fuzz {
namespace {

using conformance::CaseResult;

// The search for the earlier cases of one finding may take this share of the time: most findings need none.
constexpr double kShareOfOneBehindOthers = 1.0 / 4;

/// A function that tells whether a failure may have a cause in common with this one.
std::function<bool(const CaseResult&)> IsAlike(const CaseResult& failure) {
  return [family = FailureFamilyOf(failure)](const CaseResult& result) {
    return family.MayBeCauseOf(FailureFamilyOf(result));
  };
}

}  // namespace

const MinimizedFinding& MinimizedFindings::Of(std::size_t case_index, CauseTurn turn) {
  const auto [known, is_new] = minimized_.try_emplace(case_index);
  if (is_new) known->second = Minimize(case_index, turn);
  return known->second;
}

MinimizedFinding MinimizedFindings::Minimize(std::size_t case_index, CauseTurn turn) {
  const CaseResult& result = *judged_.At(case_index);
  const double seconds = time_.SecondsToMinimize(turn.left);
  if (seconds <= 0) return {.line = result.judged.line, .result = result, .minimized = false};
  Tell(turn);
  const auto minimized = conformance::Minimize(
      judged_.CaseAt(case_index),
      {.backend = options_.backend, .limits = options_.limits, .seconds = seconds, .is_alike = IsAlike(result)},
      [](const CaseResult&, std::size_t) {});
  const auto* const found = std::get_if<conformance::Minimized>(&minimized);
  if (found != nullptr && found->failed())
    return {.line = found->result.judged.line, .result = found->result, .minimized = found->complete};
  // The case passes alone, so it may need a case that ran before it.
  if (auto pair = BehindOthers(case_index)) return *std::move(pair);
  return {result.judged.line, result};
}

MinimizedFinding MinimizedFindings::UnexplainedOf(std::size_t case_index, CauseTurn turn,
                                                  const conformance::faults::Fault* additional) {
  const double seconds = time_.SecondsToMinimize(turn.left);
  if (combinations_.causes() > 0 && seconds > 0) {
    Tell(turn);
    auto minimized = combinations_.Minimized(judged_.CaseAt(case_index).test_case, additional, seconds,
                                             IsAlike(*judged_.At(case_index)));
    if (minimized) {
      return {.line = ToLine(minimized->smallest),
              .result = std::move(minimized->result),
              .minimized = minimized->complete};
    }
  }
  return Of(case_index, turn);
}

std::optional<MinimizedFinding> MinimizedFindings::BehindOthers(std::size_t case_index) {
  const std::string line = ToLine(judged_.CaseAt(case_index).test_case);
  std::vector<std::string> earlier = options_.earlier_cases(line);
  for (std::size_t i = 0; earlier.empty() && i < case_index; ++i)
    earlier.push_back(ToLine(judged_.CaseAt(i).test_case));
  events_.on_progress(fmt::format("looking for the case that a failure needs before it, among {}", earlier.size()));
  auto found = FindEarlierCases(line, earlier, options_, kShareOfOneBehindOthers * time_.left());
  if (!found) return std::nullopt;
  return MinimizedFinding{std::move(found->line), std::move(found->result), std::move(found->before)};
}

void MinimizedFindings::Tell(CauseTurn turn) const {
  events_.on_progress(fmt::format("minimizing a case of cause {}, {} to go", turn.number, turn.left));
}

}  // namespace fuzz
