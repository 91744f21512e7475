// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that each own a judge (and so a worker process) and take the next unit of the plan.

#include "conformance/runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "conformance/unit.h"

namespace conformance {
namespace {

/// What the cases in flight may hold together.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}

  void Take(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return taken_ == 0 || taken_ + bytes <= bytes_; });
    taken_ += bytes;
  }
  void Give(std::uint64_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      taken_ -= bytes;
    }
    freed_.notify_all();
  }

 private:
  std::uint64_t bytes_;
  std::uint64_t taken_ = 0;
  std::mutex mutex_;
  std::condition_variable freed_;
};

}  // namespace

Tally TallyOf(const RunRecord& record) {
  Tally tally;
  for (const CaseResult& result : record.results) {
    switch (result.status) {
      case Status::kPass:
        ++tally.passed;
        tally.computed += result.refused || result.outputs == 0 ? 0 : 1;
        break;
      case Status::kLoose:
        ++tally.loose;
        ++tally.computed;
        break;
      case Status::kPowerless:
        ++tally.powerless;
        break;
      case Status::kFail:
        ++tally.failed;
        tally.suite_errors += result.failure == FailureClass::kSuiteError ? 1 : 0;
        break;
      case Status::kUndeclared:
        ++tally.undeclared;
        break;
      case Status::kTooLarge:
        ++tally.too_large;
        break;
      case Status::kUndefined:
        ++tally.undefined;
        break;
      case Status::kInapplicable:
        ++tally.inapplicable;
        break;
    }
  }
  return tally;
}

std::variant<RunRecord, BackendError> RunCases(const std::vector<SuiteCase>& plan, const RunOptions& options,
                                               const std::function<void(const CaseResult&, std::size_t)>& on_result) {
  const auto start = std::chrono::steady_clock::now();
  const auto jobs = static_cast<std::size_t>(std::clamp(options.jobs, 1, 256));
  std::vector<std::unique_ptr<Judge>> judges;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, std::min(jobs, plan.size())); ++i) {
    judges.push_back(std::make_unique<Judge>(options.backend, options.limits));
  }
  // The first one learns what the backend declares; the others start when they get their first case.
  if (auto error = judges.front()->Start()) return *error;

  RunRecord record;
  record.backend = options.backend;
  record.declared = judges.front()->capabilities();
  record.results.resize(plan.size());

  std::vector<CaseDemand> demands;
  demands.reserve(plan.size());
  for (const SuiteCase& planned : plan) demands.push_back(DemandOf(planned.test_case, record.declared));
  // Those with the most work first, so that no worker is left alone with one at the end; reports keep the plan's order.
  std::vector<Unit> units = UnitsOf(plan, demands);
  std::ranges::sort(units, {}, [](const Unit& unit) { return std::pair(-unit.products, unit.begin); });

  MemoryBudget memory(options.limits.bytes);
  std::atomic<std::size_t> next = 0;
  std::mutex reporting;
  std::size_t done = 0;
  std::vector<bool> judged(plan.size());
  const auto interrupted = [&] { return options.limits.interrupt != nullptr && *options.limits.interrupt != 0; };
  const auto judge_one = [&](Judge& judge, std::size_t index) {
    // What is too large is not run, and needs nothing.
    const std::uint64_t bytes = demands[index].bytes <= options.limits.bytes ? demands[index].bytes : 0;
    memory.Take(bytes);
    CaseResult result;
    try {
      result = judge.JudgeCase(plan[index]);
    } catch (const std::exception& error) {  // memory, most likely; the run goes on
      result.suite = plan[index].suite;
      result.name = plan[index].name;
      result.line = ToLine(plan[index].test_case);
      result.status = Status::kFail;
      result.failure = FailureClass::kSuiteError;
      result.message = std::string("the runner itself failed: ") + error.what();
    }
    memory.Give(bytes);
    if (interrupted()) return;  // whatever was made of the case
    const std::lock_guard lock(reporting);
    record.results[index] = std::move(result);
    judged[index] = true;
    on_result(record.results[index], ++done);
  };
  const auto work = [&](Judge& judge) {
    // A worker that cannot be started leaves the cases to the others; the first one has started already.
    if (judge.Start()) return;
    for (;;) {
      const std::size_t at = next.fetch_add(1);
      if (at >= units.size()) return;
      judge.StartAfresh();
      for (std::size_t index = units[at].begin; index < units[at].end; ++index) {
        if (interrupted()) return;
        judge_one(judge, index);
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (const auto& judge : judges) threads.emplace_back(work, std::ref(*judge));
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!judged[i]) continue;
    if (kept != i) record.results[kept] = std::move(record.results[i]);
    ++kept;
  }
  record.unjudged = plan.size() - kept;
  record.results.resize(kept);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace conformance
