// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the conditions of each planted fault in turn, and lets them predict new cases.

#include "conformance/diagnosis/condition_power.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/diagnosis/conditions_of_run.h"
#include "conformance/diagnosis/core_clock.h"
#include "conformance/diagnosis/measure.h"

namespace conformance {
namespace {

constexpr double kSecondsOfPrediction = 60;
// Of the new cases that are predicted: other ones than the search made.
constexpr std::uint64_t kSeedOfPrediction = 4711;

/// Asks some of the failures again: what depends on earlier cases or on chance need not fail once more.
void CountRepeated(MeasuredCondition& measured, const std::vector<KnownCase>& known,
                   const std::function<std::optional<bool>(const Case&)>& ask) {
  constexpr std::size_t kMostRepeated = 20;
  const std::size_t step = std::max<std::size_t>(1, measured.failures / kMostRepeated);
  std::size_t failures = 0;
  for (const KnownCase& one : known) {
    if (!one.fails || failures++ % step != 0 || measured.repeated == kMostRepeated) continue;
    const auto fails = ask(one.test_case);
    if (!fails) continue;
    ++measured.repeated;
    measured.repeated_pass += *fails ? 0 : 1;
  }
}

std::optional<BackendError> MeasureFault(MeasuredCondition& measured, const std::vector<SuiteCase>& case_list,
                                         const JudgeLimits& limits, double seconds) {
  auto results = ResultsOfFault(case_list, *measured.fault, limits);
  if (auto* error = std::get_if<BackendError>(&results)) return *error;
  const std::vector<KnownCase> known = KnownCasesOf(std::get<std::vector<CaseResult>>(results));
  measured.failures = static_cast<std::size_t>(std::ranges::count_if(known, &KnownCase::fails));
  if (measured.failures == 0) return std::nullopt;
  Judge judge(fmt::format("fault:{}", measured.fault->name), LimitsOfQuestions(limits));
  if (auto error = judge.Start()) return error;
  const auto ask = [&](const Case& test_case) -> std::optional<bool> {
    SuiteCase suite_case;
    suite_case.test_case = test_case;
    return FailsOf(judge.JudgeCase(suite_case));
  };
  CoreClock searching;
  measured.conditions = ConditionsOfRun(
      known,
      {.declared = judge.capabilities(), .ask = ask, .seconds = seconds, .interrupt = limits.interrupt, .clock = [&] {
         return searching.Seconds();
       }});
  measured.seconds = searching.Seconds();
  if (!measured.conditions.empty()) {
    CoreClock predicting;
    const ConditionSearch search{.declared = judge.capabilities(),
                                 .ask = ask,
                                 .late = [&] { return predicting.Seconds() > kSecondsOfPrediction; },
                                 .seed = kSeedOfPrediction};
    measured.prediction = PredictNewCases(measured.conditions.front(), known, kNewCasesEachSide, search);
  }
  if (!measured.good()) CountRepeated(measured, known, ask);
  return std::nullopt;
}

}  // namespace

bool MeasuredCondition::good() const {
  const bool no_outside = !conditions.empty() && conditions.front().Always();
  return prediction.inside == kNewCasesEachSide && (no_outside || prediction.outside == kNewCasesEachSide) &&
         prediction.wrong() <= kMostWrong && seconds < kSecondsOfCondition;
}

std::string MeasuredCondition::Reason() const {
  if (good()) return {};
  std::vector<std::string> reasons;
  if (conditions.empty()) reasons.push_back("no condition was found");
  if (repeated_pass > 0) {
    reasons.push_back(
        fmt::format("{} of {} failing cases passed when they ran again, so they depend on earlier cases "
                    "or on chance",
                    repeated_pass, repeated));
  }
  if (seconds >= kSecondsOfCondition) reasons.push_back(fmt::format("the search took {:.1f} s", seconds));
  if (!conditions.empty()) {
    if (!conditions.front().settled()) reasons.emplace_back(SearchEndText(conditions.front().end));
    if (prediction.inside < kNewCasesEachSide) {
      reasons.push_back(fmt::format("only {} new cases could be made inside", prediction.inside));
    }
    if (prediction.outside < kNewCasesEachSide && !conditions.front().Always()) {
      reasons.push_back(fmt::format("only {} new cases could be made outside", prediction.outside));
    }
    reasons.push_back(fmt::format("{} of {} passed inside, {} of {} failed outside",
                                  prediction.inside - prediction.inside_right, prediction.inside,
                                  prediction.outside - prediction.outside_right, prediction.outside));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::string MeasuredCondition::Text() const {
  std::string text;
  for (const Condition& condition : conditions) {
    for (const Alternative& alternative : condition.alternatives) {
      text += (text.empty() ? "" : "; or ") + alternative.conjunction.Text();
    }
  }
  return text.empty() ? "no condition" : text;
}

std::variant<std::vector<MeasuredCondition>, BackendError> MeasureConditions(
    const std::vector<SuiteCase>& case_list, const std::vector<const faults::Fault*>& faults, int jobs,
    const JudgeLimits& limits, double seconds, const std::function<void(const MeasuredCondition&)>& on_measured) {
  const std::vector<SuiteCase> plain = PlainCases(case_list);
  std::vector<MeasuredCondition> measured;
  for (const faults::Fault* fault : faults) measured.emplace_back().fault = fault;
  std::mutex mutex;
  auto error = ForEachFault(
      faults.size(), jobs,
      [&](std::size_t at) {
        auto failed = MeasureFault(measured[at], plain, limits, seconds);
        const std::lock_guard lock(mutex);
        if (!failed) on_measured(measured[at]);
        return failed;
      },
      [](std::size_t) {});
  if (error) return *std::move(error);
  return measured;
}

}  // namespace conformance
