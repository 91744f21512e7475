// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnoses and minimizes each planted fault in turn, on several threads.

#include "conformance/diagnosis/measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/minimize.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/sample.h"
#include "conformance/judge/demand.h"
#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

// A hang takes its whole time limit, a crash a new process: so many say enough.
constexpr int kMostHangs = 2;
constexpr int kMostCrashes = 100;

std::string WorkerName(const faults::Fault& fault) { return fmt::format("fault:{}", fault.name); }

std::optional<BackendError> DiagnoseFault(DiagnosedFault& diagnosed, const std::vector<SuiteCase>& case_list,
                                          const JudgeLimits& limits) {
  const faults::Fault& fault = *diagnosed.fault;
  auto results = ResultsOfFault(case_list, fault, limits);
  if (auto* error = std::get_if<BackendError>(&results)) return *error;
  const auto& judged = std::get<std::vector<CaseResult>>(results);
  diagnosed.failures = static_cast<std::size_t>(
      std::ranges::count_if(judged, [](const CaseResult& result) { return result.status == Status::kFail; }));
  if (diagnosed.failures == 0) return std::nullopt;
  const auto start = steady_clock::now();
  constexpr double kSeconds = 60;
  Diagnoser diagnoser(judged, {.backend = WorkerName(fault), .limits = limits, .sample = {}, .seconds = kSeconds});
  if (auto error = diagnoser.Observe()) return error;
  const Diagnosis whole = diagnoser.Explain();
  if (!whole.explanations.empty()) {
    const std::vector<const faults::Fault*>& first = whole.explanations.front().hypotheses;
    diagnosed.named = whole.explanations.front().reproduces && std::ranges::find(first, &fault) != first.end();
    diagnosed.equals = first.size();
    diagnosed.first = first.front()->name;
  }
  const Diagnosis without = diagnoser.Explain({fault.name});
  if (!without.explanations.empty()) {
    diagnosed.class_without = without.explanations.front().mutant_class;
    diagnosed.first_without = without.explanations.front().hypotheses.front()->name;
    diagnosed.nearest_without = !without.explanations.front().reproduces;
  } else {
    diagnosed.class_without = without.unexplained_class;
  }
  diagnosed.class_named = diagnosed.class_without == fault.mutant_class;
  diagnosed.seconds = SecondsSince(start);
  return std::nullopt;
}

std::optional<BackendError> MinimizeFault(MinimizedFault& minimized, const std::vector<SuiteCase>& case_list,
                                          const JudgeLimits& limits) {
  auto results = ResultsOfFault(case_list, *minimized.fault, limits);
  if (auto* error = std::get_if<BackendError>(&results)) return *error;
  const CaseResult* largest = nullptr;
  const auto size = [](const CaseResult& result) {
    double products = 1;
    const oracle::Operator op = SuiteCaseOf(result).test_case.op;
    for (const std::int64_t dim : op.data.dims) products *= static_cast<double>(std::max<std::int64_t>(dim, 1));
    for (const std::int64_t dim : op.filter.dims) products *= static_cast<double>(std::max<std::int64_t>(dim, 1));
    return products;
  };
  for (const CaseResult& result : std::get<std::vector<CaseResult>>(results)) {
    if (result.status == Status::kFail && (largest == nullptr || size(result) > size(*largest))) largest = &result;
  }
  if (largest == nullptr) return std::nullopt;
  minimized.line = largest->line;
  MinimizeOptions options;
  options.backend = WorkerName(*minimized.fault);
  options.limits = limits;
  auto found = Minimize(SuiteCaseOf(*largest), options, [](const CaseResult&, std::size_t) {});
  if (auto* error = std::get_if<BackendError>(&found)) return *error;
  const auto& smallest = std::get<Minimized>(found);
  minimized.smallest = smallest.result.line;
  minimized.axes = std::max<std::size_t>(smallest.smallest.test_case.op.data.dims.size(), 2) - 2;
  minimized.non_zero_data = NonZeroData(smallest.smallest.test_case, smallest.result);
  minimized.seconds = smallest.seconds;
  minimized.complete = smallest.complete;
  return std::nullopt;
}

double Percent(const std::vector<DiagnosedFault>& faults, bool DiagnosedFault::* good) {
  std::size_t failing = 0;
  std::size_t hits = 0;
  for (const DiagnosedFault& diagnosed : faults) {
    if (diagnosed.failures == 0) continue;
    ++failing;
    hits += diagnosed.*good ? 1 : 0;
  }
  return failing == 0 ? 100 : 100 * static_cast<double>(hits) / static_cast<double>(failing);
}

}  // namespace

std::vector<SuiteCase> PlainCases(const std::vector<SuiteCase>& case_list) {
  std::vector<SuiteCase> plain;
  for (const SuiteCase& suite_case : case_list) {
    if (!suite_case.test_case.sweep && !suite_case.test_case.law) plain.push_back(suite_case);
  }
  return plain;
}

std::optional<BackendError> ForEachFault(std::size_t count, int jobs,
                                         const std::function<std::optional<BackendError>(std::size_t)>& work,
                                         const std::function<void(std::size_t)>& on_progress) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of what follows
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

std::size_t DiagnosisPower::Failing() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(faults, [](const DiagnosedFault& diagnosed) { return diagnosed.failures != 0; }));
}

double DiagnosisPower::NamedPercent() const { return Percent(faults, &DiagnosedFault::named); }
double DiagnosisPower::ClassPercent() const { return Percent(faults, &DiagnosedFault::class_named); }

std::variant<std::vector<CaseResult>, BackendError> ResultsOfFault(const std::vector<SuiteCase>& case_list,
                                                                   const faults::Fault& fault,
                                                                   const JudgeLimits& limits) {
  Judge judge(WorkerName(fault), limits);
  if (auto error = judge.Start()) return *error;
  std::vector<CaseResult> results;
  int hangs = 0;
  int crashes = 0;
  for (const SuiteCase& suite_case : case_list) {
    if (DemandOf(suite_case.test_case, judge.capabilities()).products > kMostPreparedProducts) continue;
    results.push_back(judge.JudgeCase(suite_case));
    hangs += results.back().failure == FailureClass::kHang ? 1 : 0;
    crashes += results.back().failure == FailureClass::kCrash ? 1 : 0;
    if (hangs == kMostHangs || crashes == kMostCrashes) break;
  }
  return results;
}

bool MinimizedFault::good() const {
  constexpr std::size_t kAxes = 2;
  constexpr std::int64_t kNonZero = 4;
  constexpr double kSeconds = 10;
  return axes <= kAxes && non_zero_data <= kNonZero && seconds < kSeconds;
}

std::variant<DiagnosisPower, BackendError> MeasureDiagnosis(const std::vector<SuiteCase>& case_list,
                                                            const std::vector<const faults::Fault*>& faults, int jobs,
                                                            const JudgeLimits& limits,
                                                            const std::function<void(std::size_t)>& on_progress) {
  const auto start = steady_clock::now();
  const std::vector<SuiteCase> plain = PlainCases(case_list);
  DiagnosisPower power;
  for (const faults::Fault* fault : faults) power.faults.emplace_back().fault = fault;
  auto error = ForEachFault(
      faults.size(), jobs, [&](std::size_t at) { return DiagnoseFault(power.faults[at], plain, limits); }, on_progress);
  if (error) return *std::move(error);
  power.seconds = SecondsSince(start);
  return power;
}

std::variant<std::vector<MinimizedFault>, BackendError> MeasureMinimize(
    const std::vector<SuiteCase>& case_list, const std::vector<const faults::Fault*>& faults, int jobs,
    const JudgeLimits& limits, const std::function<void(std::size_t)>& on_progress) {
  const std::vector<SuiteCase> plain = PlainCases(case_list);
  std::vector<MinimizedFault> minimized(faults.size());
  auto error = ForEachFault(
      faults.size(), jobs,
      [&](std::size_t at) {
        minimized[at].fault = faults[at];
        return MinimizeFault(minimized[at], plain, limits);
      },
      on_progress);
  if (error) return *std::move(error);
  std::erase_if(minimized, [](const MinimizedFault& one) { return one.line.empty(); });
  return minimized;
}

}  // namespace conformance
