// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures diagnoses: runs the cases on each planted fault, diagnoses its failures with and without this fault among
// the hypotheses, and predicts new cases by the condition. Several threads share the faults.

#include "conformance/diagnosis/measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

// The most hangs of a fault, because each takes the whole time limit.
constexpr int kMostHangs = 2;
constexpr int kMostCrashes = 100;  // a guess: each crash costs the start of a process

// For all new cases of one fault: a guess that only bounds the time of a measurement.
constexpr double kSecondsOfPrediction = 60;
// The seed of the new cases that are predicted. It differs from the seed of the search, so the cases differ too.
constexpr std::uint64_t kSeedOfPrediction = 4711;

std::string WorkerName(const faults::Fault& fault) { return fmt::format("fault:{}", fault.name); }

/// Runs those cases of the list on which hypotheses are tried, one after the other. Ends early if so many cases hang or
/// crash that more of them would show nothing new.
std::variant<std::vector<CaseResult>, BackendError> ResultsOfFault(const std::vector<SuiteCase>& case_list,
                                                                   const faults::Fault& fault,
                                                                   const JudgeLimits& limits) {
  Judge judge(WorkerName(fault), limits);
  if (auto error = judge.Start()) return *error;
  std::vector<CaseResult> results;
  int hangs = 0;
  int crashes = 0;
  for (const SuiteCase& suite_case : case_list) {
    if (suite_case.test_case.sweep || suite_case.test_case.law) continue;
    if (EstimateResources(suite_case.test_case, judge.capabilities()).products > kMostPreparedProducts) continue;
    results.push_back(judge.JudgeCase(suite_case));
    hangs += results.back().verdict.failure == FailureClass::kHang ? 1 : 0;
    crashes += results.back().verdict.failure == FailureClass::kCrash ? 1 : 0;
    if (hangs == kMostHangs || crashes == kMostCrashes) break;
  }
  return results;
}

/// Diagnoses the failures twice: with the fault among the hypotheses, and without it.
std::optional<BackendError> NameFault(DiagnosedFault& diagnosed, const std::vector<CaseResult>& results,
                                      const JudgeLimits& limits) {
  const faults::Fault& fault = *diagnosed.fault;
  const auto start = steady_clock::now();
  Diagnoser diagnoser(
      results,
      {.backend = WorkerName(fault), .limits = limits, .sample = {}, .budget = {.interrupt = limits.interrupt}});
  if (auto error = diagnoser.Observe()) return error;
  const Diagnosis whole = diagnoser.Explain();
  std::vector<const faults::Fault*> equal;
  if (!whole.explanations.empty()) {
    equal = whole.explanations.front().hypotheses;
    diagnosed.named = std::ranges::find(equal, &fault) != equal.end();
    diagnosed.equals = equal.size();
    diagnosed.first = equal.front()->name;
  }
  const Diagnosis without = diagnoser.Explain({fault.name});
  if (!without.explanations.empty()) {
    const faults::Fault* first = without.explanations.front().hypotheses.front();
    diagnosed.first_without = first->name;
    diagnosed.misled = std::ranges::find(equal, first) == equal.end();
  }
  diagnosed.seconds = SecondsSince(start);
  return std::nullopt;
}

std::string TextOf(const Condition& condition) {
  std::string text;
  for (const Alternative& alternative : condition.alternatives) {
    text += (text.empty() ? "" : "; or ") + alternative.conjunction.Text();
  }
  return text;
}

/// Finds the condition of the failures, and lets it predict new cases.
std::optional<BackendError> PredictByCondition(DiagnosedFault& diagnosed, const std::vector<CaseResult>& results,
                                               const JudgeLimits& limits) {
  const std::vector<KnownCase> known = KnownCasesOf(results);
  // Conditions are about operators that the dialect computes, so that refused operators do not count.
  diagnosed.learned_from = static_cast<std::size_t>(std::ranges::count_if(known, [](const KnownCase& one) {
    return one.fails && oracle::Resolve(one.test_case.op, one.dialect, oracle::StepTexts::kLeftOut).ok();
  }));
  if (diagnosed.learned_from == 0) return std::nullopt;
  Judge judge(WorkerName(*diagnosed.fault), LimitsOfQuestions(limits, SecondsOfCase(results)));
  if (auto error = judge.Start()) return error;
  const auto ask = [&](const Case& test_case) -> std::optional<bool> {
    SuiteCase suite_case;
    suite_case.test_case = test_case;
    return HasFailed(judge.JudgeCase(suite_case));
  };
  const auto condition =
      FindCondition(known, {.declared = judge.capabilities(),
                            .ask = ask,
                            .late = [&] { return limits.interrupt != nullptr && *limits.interrupt != 0; },
                            .questions = QuestionBudget::kMost});
  if (!condition) return std::nullopt;
  diagnosed.condition = TextOf(*condition);
  const auto start = steady_clock::now();
  const ConditionSearch search{.declared = judge.capabilities(),
                               .ask = ask,
                               .late = [&] { return SecondsSince(start) > kSecondsOfPrediction; },
                               .seed = kSeedOfPrediction};
  diagnosed.prediction = PredictNewCases(*condition, known, kNewCasesEachSide, search);
  diagnosed.predicted = Predicts(*condition, diagnosed.prediction);
  return std::nullopt;
}

std::optional<BackendError> DiagnoseFault(DiagnosedFault& diagnosed, const std::vector<SuiteCase>& case_list,
                                          const JudgeLimits& limits) {
  auto judged = ResultsOfFault(case_list, *diagnosed.fault, limits);
  if (auto* error = std::get_if<BackendError>(&judged)) return *error;
  const auto& results = std::get<std::vector<CaseResult>>(judged);
  diagnosed.failures = static_cast<std::size_t>(std::ranges::count(results, Status::kFail, StatusOf));
  if (diagnosed.failures == 0) return std::nullopt;
  if (auto error = NameFault(diagnosed, results, limits)) return error;
  return PredictByCondition(diagnosed, results, limits);
}

/// Calls `work` for 0 to count - 1 on some threads, until one of them returns an error.
std::optional<BackendError> ForEachFault(std::size_t count, int jobs,
                                         const std::function<std::optional<BackendError>(std::size_t)>& work,
                                         const std::function<void(std::size_t)>& on_progress) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // protects the variables below
  std::size_t done = 0;
  std::optional<BackendError> error;
  const auto serve = [&] {
    for (std::size_t at = next.fetch_add(1); at < count; at = next.fetch_add(1)) {
      std::optional<BackendError> failed;
      try {
        failed = work(at);
      } catch (const std::exception& thrown) {
        failed = BackendError{false, std::string("the measurement itself failed: ") + thrown.what()};
      }
      const std::lock_guard lock(mutex);
      if (failed) {
        next = count;
        if (!error) error = std::move(failed);
      }
      on_progress(++done);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < std::max(1, jobs); ++i) threads.emplace_back(serve);
  }
  return error;
}

/// The percentage of faults with `good` set, among the faults that have a nonzero `failures`.
double Percent(const std::vector<DiagnosedFault>& faults, std::size_t DiagnosedFault::* failures,
               bool DiagnosedFault::* good) {
  std::size_t failing = 0;
  std::size_t hits = 0;
  for (const DiagnosedFault& diagnosed : faults) {
    if (diagnosed.*failures == 0) continue;
    ++failing;
    hits += diagnosed.*good ? 1 : 0;
  }
  return failing == 0 ? 100 : 100 * static_cast<double>(hits) / static_cast<double>(failing);
}

}  // namespace

std::size_t DiagnosisPower::Failing() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(faults, [](const DiagnosedFault& diagnosed) { return diagnosed.failures != 0; }));
}

double DiagnosisPower::NamedPercent() const {
  return Percent(faults, &DiagnosedFault::failures, &DiagnosedFault::named);
}
double DiagnosisPower::WrongCausePercent() const {
  return Percent(faults, &DiagnosedFault::failures, &DiagnosedFault::misled);
}
double DiagnosisPower::PredictedPercent() const {
  return Percent(faults, &DiagnosedFault::learned_from, &DiagnosedFault::predicted);
}

bool Predicts(const Condition& condition, const Prediction& prediction) {
  return prediction.inside == kNewCasesEachSide && (condition.Always() || prediction.outside == kNewCasesEachSide) &&
         prediction.wrong() <= kMostWrong;
}

std::variant<DiagnosisPower, BackendError> MeasureDiagnosis(const std::vector<SuiteCase>& case_list,
                                                            const std::vector<const faults::Fault*>& faults, int jobs,
                                                            const JudgeLimits& limits,
                                                            const std::function<void(std::size_t)>& on_progress) {
  const auto start = steady_clock::now();
  DiagnosisPower power;
  for (const faults::Fault* fault : faults) power.faults.emplace_back().fault = fault;
  auto error = ForEachFault(
      faults.size(), jobs, [&](std::size_t at) { return DiagnoseFault(power.faults[at], case_list, limits); },
      on_progress);
  if (error) return *std::move(error);
  power.seconds = SecondsSince(start);
  return power;
}

}  // namespace conformance
