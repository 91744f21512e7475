// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts for each cause which alternatives of a condition are true of its failures and of the cases that pass.

#include "conformance/diagnosis/cause_condition.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions_of_run.h"
#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

// An alternative that is true of fewer of a cause's failures is not about this cause.
constexpr double kLeastShareOfAlternative = 0.1;
constexpr double kLeastShare = 0.8;
// A condition that is true of more of the passing cases separates nothing.
constexpr double kMostShareOfPasses = 0.02;
// Passing cases that are looked at, and for how long.
constexpr std::size_t kMostPasses = 20'000;
constexpr double kSecondsOfPasses = 2;
constexpr std::size_t kMostFailures = 2000;

std::optional<FeatureRow> RowOf(const CaseResult& result, const Capabilities& declared, bool of_values) {
  const auto known = KnownCasesOf({&result, 1});
  if (known.empty()) return std::nullopt;
  FeatureRow row = FeaturesOf(known.front().test_case, known.front().dialect, &declared);
  if (of_values) AddValueFeatures(known.front().test_case, known.front().dialect, row);
  return row;
}

struct Match {
  std::vector<std::size_t> alternatives;
  std::size_t true_for = 0;
  std::size_t looked_at = 0;
};

Match MatchOf(const Condition& condition, const std::vector<FeatureRow>& failures) {
  Match match;
  match.looked_at = failures.size();
  for (std::size_t a = 0; a < condition.alternatives.size(); ++a) {
    const auto count = std::ranges::count_if(failures, [&](const FeatureRow& row) {
      return row.valid != condition.invalid && condition.alternatives[a].conjunction.Holds(row);
    });
    if (count != 0 && static_cast<double>(count) >= kLeastShareOfAlternative * static_cast<double>(failures.size())) {
      match.alternatives.push_back(a);
    }
  }
  for (const FeatureRow& row : failures) {
    match.true_for += row.valid != condition.invalid && std::ranges::any_of(match.alternatives, [&](std::size_t a) {
                        return condition.alternatives[a].conjunction.Holds(row);
                      });
  }
  return match;
}

/// Thousands are separated: 8,012.
std::string Count(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

class Describer {
 public:
  Describer(std::span<const CaseResult> results, const RunConditions& conditions)
      : results_(results), conditions_(conditions) {}

  void Describe(Cause& cause) {
    for (const Condition& condition : conditions_.conditions) {
      std::vector<FeatureRow> failures;
      for (const std::size_t i : cause.failures) {
        if (failures.size() == kMostFailures) break;
        if (auto row = RowOf(results_[i], condition.declared, condition.OfValues()))
          failures.push_back(*std::move(row));
      }
      if (failures.empty()) continue;
      const Match match = MatchOf(condition, failures);
      if (static_cast<double>(match.true_for) < kLeastShare * static_cast<double>(match.looked_at)) continue;
      if (Fill(condition, match, cause)) return;
    }
  }

 private:
  bool Fill(const Condition& condition, const Match& match, Cause& cause) {
    const std::vector<FeatureRow>& passes = Passes(condition);
    const auto holds = std::ranges::count_if(passes, [&](const FeatureRow& row) {
      return std::ranges::any_of(match.alternatives,
                                 [&](std::size_t a) { return condition.alternatives[a].conjunction.Holds(row); });
    });
    if (static_cast<double>(holds) > kMostShareOfPasses * static_cast<double>(passes.size())) return false;
    std::size_t confirmed = 0;
    std::size_t refuted = 0;
    for (const std::size_t a : match.alternatives) {
      cause.condition += (cause.condition.empty() ? "" : ", or where ") + condition.alternatives[a].conjunction.Text();
      confirmed += condition.alternatives[a].confirmed;
      refuted += condition.alternatives[a].refuted;
    }
    cause.place = PlaceOf(cause);
    if (condition.Always() && passes.empty()) {  // a condition says nothing if no case passes
      cause.condition = condition.invalid ? "the dialect refuses the operator" : "the dialect computes the operator";
      cause.title += fmt::format("; every case that the dialect {} fails", condition.invalid ? "refuses" : "computes");
      return true;
    }
    cause.details.insert(cause.details.begin(), cause.title);
    if (condition.Always())
      cause.condition = condition.invalid ? "the dialect refuses the operator" : "the dialect computes the operator";
    cause.title = fmt::format("fails where {} ({} of {} failures; {} of {} passing cases)", cause.condition,
                              Count(match.true_for), Count(match.looked_at), holds == 0 ? "none" : Count(holds),
                              Count(passes.size()));
    if (!cause.place.empty()) cause.title += "; " + cause.place;
    cause.details.push_back(
        fmt::format("{} new cases were made to test the condition: where it is true, {} failed and {} passed{}",
                    Count(condition.asked), Count(confirmed), Count(refuted),
                    condition.settled ? fmt::format("; the last {} agreed with it", Count(condition.checked))
                                      : "; the time limit ended the search, so the condition is not exact"));
    return true;
  }

  std::string PlaceOf(const Cause& cause) const {
    std::vector<WrongOutputs> wrong;
    for (const std::size_t i : cause.failures) {
      const auto found = conditions_.wrong.find(i);
      if (found != conditions_.wrong.end()) wrong.push_back(found->second);
    }
    return wrong.empty() ? std::string() : PlaceText(wrong);
  }

  const std::vector<FeatureRow>& Passes(const Condition& condition) {
    auto& passes = passes_[{condition.invalid, condition.OfValues()}];
    if (passes) return *passes;
    passes.emplace();
    const auto start = std::chrono::steady_clock::now();
    for (const CaseResult& result : results_) {
      if (passes->size() == kMostPasses || SecondsSince(start) > kSecondsOfPasses) break;
      if (result.status == Status::kFail) continue;
      auto row = RowOf(result, condition.declared, condition.OfValues());
      if (row && row->valid != condition.invalid) passes->push_back(*std::move(row));
    }
    return *passes;
  }

  std::span<const CaseResult> results_;
  const RunConditions& conditions_;
  std::map<std::pair<bool, bool>, std::optional<std::vector<FeatureRow>>> passes_;
};

}  // namespace

void AddConditions(std::span<const CaseResult> results, const RunConditions& conditions, std::vector<Cause>& causes) {
  Describer describer(results, conditions);
  for (Cause& cause : causes) describer.Describe(cause);
}

}  // namespace conformance
