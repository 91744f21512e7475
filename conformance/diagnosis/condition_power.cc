// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the conditions of each planted fault in turn, and lets them predict new cases.

#include "conformance/diagnosis/condition_power.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/conditions_of_run.h"
#include "conformance/diagnosis/measure.h"
#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

constexpr double kSecondsOfPrediction = 60;
// Of the new cases that are predicted: other ones than the search made.
constexpr std::uint64_t kSeedOfPrediction = 4711;

std::optional<BackendError> MeasureFault(MeasuredCondition& measured, const std::vector<SuiteCase>& case_list,
                                         const JudgeLimits& limits, double seconds) {
  auto results = ResultsOfFault(case_list, *measured.fault, limits);
  if (auto* error = std::get_if<BackendError>(&results)) return *error;
  const std::vector<KnownCase> known = KnownCasesOf(std::get<std::vector<CaseResult>>(results));
  measured.failures = static_cast<std::size_t>(std::ranges::count_if(known, &KnownCase::fails));
  if (measured.failures == 0) return std::nullopt;
  JudgeLimits of_questions = limits;
  of_questions.base_seconds = std::min(limits.base_seconds, 1.0);
  of_questions.finds_dialects = false;
  Judge judge(fmt::format("fault:{}", measured.fault->name), of_questions);
  if (auto error = judge.Start()) return error;
  const auto ask = [&](const Case& test_case) -> std::optional<bool> {
    SuiteCase suite_case;
    suite_case.test_case = test_case;
    return FailsOf(judge.JudgeCase(suite_case));
  };
  const auto start = steady_clock::now();
  measured.conditions = ConditionsOfRun(known, judge.capabilities(), ask, seconds);
  measured.seconds = SecondsSince(start);
  if (measured.conditions.empty()) return std::nullopt;
  const auto predicting = steady_clock::now();
  const ConditionSearch search{.declared = judge.capabilities(),
                               .ask = ask,
                               .late = [&] { return SecondsSince(predicting) > kSecondsOfPrediction; },
                               .seed = kSeedOfPrediction};
  measured.prediction = PredictNewCases(measured.conditions.front(), known, kNewCasesEachSide, search);
  return std::nullopt;
}

}  // namespace

bool MeasuredCondition::good() const {
  const bool no_outside = !conditions.empty() && conditions.front().Always();
  return prediction.inside == kNewCasesEachSide && (no_outside || prediction.outside == kNewCasesEachSide) &&
         prediction.wrong() <= kMostWrong && seconds < kSecondsOfCondition;
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
