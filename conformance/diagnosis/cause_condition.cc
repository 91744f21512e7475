// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts for each cause which alternatives of a condition are true of its failures and of passing cases.

#include "conformance/diagnosis/cause_condition.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions_of_run.h"

namespace conformance {
namespace {

// An alternative that is true of fewer of a cause's failures is not about this cause.
constexpr double kLeastShareOfAlternative = 0.1;
constexpr double kLeastShare = 0.8;
// A condition that is true of more of the passing cases separates nothing.
constexpr double kMostShareOfPasses = 0.02;
// Cases that are checked, spread over all of them. The counts do not depend on the speed of the machine.
constexpr std::size_t kMostPasses = 3000;
constexpr std::size_t kMostFailures = 2000;

/// Alternatives of a condition, one bit each.
using Alternatives = std::uint32_t;

/// Those that are true of a case. Nothing if no condition is learned from such a case, for example from a law.
std::optional<Alternatives> HeldBy(const CaseResult& result, const Condition& condition) {
  const auto known = KnownCasesOf({&result, 1});
  if (known.empty()) return std::nullopt;
  const FeatureRow row = FeaturesIn(condition, known.front().test_case, known.front().dialect);
  Alternatives held = 0;
  for (std::size_t a = 0; a < condition.alternatives.size(); ++a) {
    if (row.valid() != condition.invalid && condition.alternatives[a].conjunction.Holds(row))
      held |= Alternatives{1} << a;
  }
  return held;
}

/// Of at most `most` of the results, spread over all of them.
std::vector<Alternatives> HeldBySome(std::span<const CaseResult> results, const std::vector<std::size_t>& among,
                                     std::size_t most, const Condition& condition) {
  std::vector<Alternatives> held;
  const std::size_t count = std::min(most, among.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto one = HeldBy(results[among[i * among.size() / count]], condition)) held.push_back(*one);
  }
  return held;
}

std::size_t CountOf(const std::vector<Alternatives>& cases, Alternatives among) {
  return static_cast<std::size_t>(std::ranges::count_if(cases, [&](Alternatives held) { return (held & among) != 0; }));
}

/// The alternatives that are about the cause with these failures.
Alternatives AlternativesOf(const Condition& condition, const std::vector<Alternatives>& failures) {
  Alternatives about = 0;
  for (std::size_t a = 0; a < condition.alternatives.size(); ++a) {
    const Alternatives bit = Alternatives{1} << a;
    const auto count = static_cast<double>(CountOf(failures, bit));
    if (count > 0 && count >= kLeastShareOfAlternative * static_cast<double>(failures.size())) about |= bit;
  }
  return about;
}

/// Thousands are separated: 8,012.
std::string Count(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// The sentence on how the new cases of the search agree with these alternatives.
std::string TestsText(const Condition& condition, Alternatives about) {
  std::size_t confirmed = 0;
  std::size_t refuted = 0;
  for (std::size_t a = 0; a < condition.alternatives.size(); ++a) {
    if ((about >> a & 1) == 0) continue;
    confirmed += condition.alternatives[a].confirmed;
    refuted += condition.alternatives[a].refuted;
  }
  const std::string end = condition.settled() ? fmt::format("{} of the last {} new cases agreed with it",
                                                            Count(condition.agreed), Count(condition.checked))
                                              : fmt::format("{}, so it may not be exact", SearchEndText(condition.end));
  return fmt::format(
      "{} new cases were run to find the condition; after it was found, {} failed and {} passed where "
      "it is true; {}",
      Count(condition.asked), Count(confirmed), Count(refuted), end);
}

class Describer {
 public:
  Describer(std::span<const CaseResult> results, const RunConditions& conditions)
      : results_(results), conditions_(conditions), passes_(conditions.conditions.size()) {}

  void Describe(Cause& cause) {
    for (std::size_t c = 0; c < conditions_.conditions.size(); ++c) {
      const Condition& condition = conditions_.conditions[c];
      const auto failures = HeldBySome(results_, cause.failures, kMostFailures, condition);
      if (failures.empty()) continue;
      const Alternatives about = AlternativesOf(condition, failures);
      const std::size_t inside = CountOf(failures, about);
      if (static_cast<double>(inside) < kLeastShare * static_cast<double>(failures.size())) continue;
      const std::vector<Alternatives>& passes = Passes(c);
      const std::size_t passes_inside = CountOf(passes, about);
      if (static_cast<double>(passes_inside) > kMostShareOfPasses * static_cast<double>(passes.size())) continue;
      const std::string counts =
          fmt::format("{} of the {} failures and {} of the {} passing cases that were checked", Count(inside),
                      Count(failures.size()), passes_inside == 0 ? "none" : Count(passes_inside), Count(passes.size()));
      return Fill(condition, about, passes.empty(), counts, cause);
    }
  }

 private:
  void Fill(const Condition& condition, Alternatives about, bool nothing_passes, const std::string& counts,
            Cause& cause) const {
    const std::string_view kind = condition.invalid ? "refuses" : "computes";
    cause.place = PlaceOf(cause);
    if (condition.Always()) {
      cause.condition = fmt::format("the dialect {} the operator", kind);
    } else {
      for (std::size_t a = 0; a < condition.alternatives.size(); ++a) {
        if ((about >> a & 1) == 0) continue;
        cause.condition +=
            (cause.condition.empty() ? "" : ", or where ") + condition.alternatives[a].conjunction.Text();
      }
    }
    if (condition.Always() && nothing_passes) {  // a condition says nothing if no case passes
      cause.title += fmt::format("; every case that the dialect {} fails", kind);
      return;
    }
    cause.details.insert(cause.details.begin(), cause.title);
    cause.title = fmt::format("fails where {} ({})", cause.condition, counts);
    if (!cause.place.empty()) cause.title += "; " + cause.place;
    cause.details.push_back(TestsText(condition, about));
  }

  std::string PlaceOf(const Cause& cause) const {
    std::vector<WrongOutputs> wrong;
    for (const std::size_t i : cause.failures) {
      const auto found = conditions_.wrong.find(i);
      if (found != conditions_.wrong.end()) wrong.push_back(found->second);
    }
    return wrong.empty() ? std::string() : PlaceText(wrong);
  }

  /// Of passing cases that are computed, or refused, as those of the condition.
  const std::vector<Alternatives>& Passes(std::size_t c) {
    auto& passes = passes_[c];
    if (passes) return *passes;
    const Condition& condition = conditions_.conditions[c];
    std::vector<std::size_t> right;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (FailsOf(results_[i]) == std::optional(false) && results_[i].output_dims.empty() == condition.invalid)
        right.push_back(i);
    }
    return passes.emplace(HeldBySome(results_, right, kMostPasses, condition));
  }

  std::span<const CaseResult> results_;
  const RunConditions& conditions_;
  std::vector<std::optional<std::vector<Alternatives>>> passes_;  ///< of each condition, found when first needed
};

}  // namespace

void AddConditions(std::span<const CaseResult> results, const RunConditions& conditions, std::vector<Cause>& causes) {
  Describer describer(results, conditions);
  for (Cause& cause : causes) describer.Describe(cause);
}

}  // namespace conformance
