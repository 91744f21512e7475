// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the cases of one shard. Each thread owns a judge, and with it a worker process, and takes the next case batch
// until none is left. Some cases need a further step before they have a verdict:
//   - A backend that still computed at the time limit is asked again, with a longer limit (SetAside, LookAgain).
//   - A case that failed after others is run again, to name the earlier case that it needs to fail (CulpritText).
//   - A case that no worker judged fails, unless the run was interrupted or its budget was used up (Finish).

#include "conformance/run/runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/run/case_batch.h"
#include "conformance/run/hang_limit.h"
#include "conformance/run/latest_start.h"
#include "conformance/suite/case_lists/case_lists.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

/// The memory that all running cases share, in bytes. Reserve() waits until the bytes are free. A case that needs more
/// than all bytes runs alone.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}

  void Reserve(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return reserved_ == 0 || reserved_ + bytes <= bytes_; });
    reserved_ += bytes;
  }
  void Release(std::uint64_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      reserved_ -= bytes;
    }
    freed_.notify_all();
  }

 private:
  std::uint64_t bytes_;
  std::uint64_t reserved_ = 0;
  std::mutex mutex_;
  std::condition_variable freed_;
};

/// One run of a case list on one backend, while it lasts.
class RunInProgress {
 public:
  RunInProgress(const std::vector<SuiteCase>& case_list, const RunOptions& options, const RunEvents& events)
      : case_list_(case_list),
        options_(options),
        events_(events),
        memory_(options.limits.bytes),
        hang_limit_(options.max_hangs),
        state_(case_list.size()) {}

  std::variant<RunRecord, BackendError> Execute() {
    // The first judge learns what the backend declares. The others start in their threads.
    auto first = std::make_unique<Judge>(options_.backend, options_.limits);
    if (auto error = first->Start()) return *error;
    record_.backend = options_.backend;
    record_.declared = first->capabilities();
    if (first->sandbox()) record_.sandbox = first->sandbox()->Text();
    record_.shard = options_.shard;
    record_.case_list_size = case_list_.size();
    record_.case_list_hash = HashOf(case_list_);
    record_.results.resize(case_list_.size());
    ChooseBatches();
    events_.on_start(record_, cases_);
    first_case_ = std::chrono::steady_clock::now();

    std::vector<std::unique_ptr<Judge>> judges;
    judges.push_back(std::move(first));
    const auto jobs = static_cast<std::size_t>(std::clamp(options_.jobs, 1, 256));
    while (judges.size() < std::min(jobs, case_batches_.size())) {
      judges.push_back(std::make_unique<Judge>(options_.backend, options_.limits));
    }
    {
      std::vector<std::jthread> threads;
      for (const auto& judge : judges) threads.emplace_back([this, &judge] { JudgeBatches(*judge); });
    }
    judges.clear();  // ends the other workers, so that second looks run alone
    JudgeSetAside();
    Finish();
    record_.seconds = SecondsSince(start_);
    return std::move(record_);
  }

 private:
  enum class State : std::uint8_t { kNotOurs, kToJudge, kJudged };  // kNotOurs: a case of another shard
  struct Failed {
    std::size_t at = 0;  ///< position in the running order of its batch
    CaseResult result;
  };

  bool has_budget() const { return options_.budget_seconds > 0; }
  bool budget_is_used() const { return has_budget() && SecondsSince(first_case_) >= options_.budget_seconds; }
  bool interrupted() const { return options_.limits.interrupt != nullptr && *options_.limits.interrupt != 0; }

  /// Chooses the batches of this shard: every `count`-th one. Batches whose results are all known are not run again.
  void ChooseBatches() {
    // Batches depend only on the case list. So machines whose backends declare different capabilities divide the list
    // in the same way.
    std::vector<ResourceEstimate> estimates_for_any_backend;
    for (const SuiteCase& suite_case : case_list_) {
      estimates_.push_back(EstimateResources(suite_case.test_case, record_.declared));
      estimates_for_any_backend.push_back(EstimateResources(suite_case.test_case));
    }
    std::vector<const CaseResult*> known(case_list_.size(), nullptr);
    for (const CaseResult& result : options_.known) {
      if (result.origin.case_index < known.size() && IsVerdictOf(result, case_list_[result.origin.case_index]))
        known[result.origin.case_index] = &result;
    }
    const std::vector<CaseBatch> all = CaseBatchesOf(case_list_, estimates_for_any_backend);
    for (std::size_t number = 0; number < all.size(); ++number) {
      if (number % options_.shard.count != options_.shard.index) continue;
      const CaseBatch& case_batch = all[number];
      cases_ += case_batch.end - case_batch.begin;
      const auto part = std::span(known).subspan(case_batch.begin, case_batch.end - case_batch.begin);
      const bool all_known = std::ranges::find(part, nullptr) == part.end();
      if (!all_known) case_batches_.push_back(case_batch);
      for (std::size_t case_index = case_batch.begin; case_index < case_batch.end; ++case_index) {
        state_[case_index] = all_known ? State::kJudged : State::kToJudge;
        if (!all_known) continue;
        record_.results[case_index] = *known[case_index];
        events_.on_judged(record_.results[case_index]);
        CountHang(record_.results[case_index]);
      }
      done_ += all_known ? part.size() : 0;
    }
    if (has_budget()) return OrderByBudget();
    // Run the batches with the most work first, so that no worker ends with a long batch while the others wait. Reports
    // keep the order of the case list.
    std::ranges::sort(case_batches_, {},
                      [](const CaseBatch& case_batch) { return std::pair(-case_batch.Work(), case_batch.begin); });
  }

  /// Makes each case that is to be judged a batch, in the order for a run with a budget.
  void OrderByBudget() {
    case_batches_.clear();
    for (const std::size_t case_index : options_.budget_order(record_.declared)) {
      if (state_[case_index] == State::kToJudge) case_batches_.push_back({case_index, case_index + 1});
    }
  }

  /// Judges batches in one thread until none is left, or the run was interrupted or has used up its budget.
  void JudgeBatches(Judge& judge) {
    // If a worker cannot be started, the other workers take its cases. The first worker has started already.
    if (judge.Start()) return;
    for (;;) {
      const std::size_t at = next_.fetch_add(1);
      // Even if the budget is used up, the first batch is judged.
      if (at >= case_batches_.size() || interrupted() || (at != 0 && budget_is_used())) return;
      JudgeBatch(judge, case_batches_[at]);
    }
  }

  /// Judges the cases of a batch in one process, and then searches for the culprits of a few failures.
  void JudgeBatch(Judge& judge, const CaseBatch& case_batch) {
    if (!has_budget()) judge.RequireNewProcess();
    const std::vector<std::size_t> order = RunningOrderOf(case_list_, case_batch);
    std::vector<Failed> failed;
    bool hangs = false;
    for (std::size_t at = 0; at < order.size() && !interrupted(); ++at) {
      const std::size_t case_index = order[at];
      if (hang_limit_.ShouldSkip(case_list_[case_index])) {
        Report(LeftOut(case_index));
        continue;
      }
      if (is_slow_) judge.SetPatience(LimitsOfSecondLook(options_.limits).patience);
      CaseResult result = JudgeCase(judge, case_index);
      if (interrupted()) break;  // the verdict may be due to the interruption
      const bool hung = result.verdict.failure == FailureClass::kHang;
      hangs = hangs || hung;
      if (NeedsSecondLook(result, hang_limit_)) {
        SetAside(std::move(result));
      } else if (result.verdict.status == Status::kFail && !hung) {  // hangs are reported at once and counted
        failed.push_back({at, std::move(result)});
      } else {
        Report(std::move(result));
      }
    }
    std::size_t searches = 0;
    for (auto& [at, result] : failed) {
      const std::size_t case_index = result.origin.case_index;
      if (has_budget()) result.verdict.message += TextIfItPassesAlone(judge, case_index);
      // Search for the culprit (the earlier case that a failure needs) of a few failures only. Do not search if a case
      // hung, because each rerun could take the whole time limit.
      if (options_.finds_culprits && !hangs && searches < kMostCulpritSearches &&
          !case_list_[case_index].test_case.sweep && at != 0) {
        ++searches;
        result.verdict.message += CulpritText(judge, std::span(order).first(at), case_index);
      }
      Report(std::move(result));
    }
  }

  /// Postpones the verdict on a case that may only be slow. The first such case of a run is judged again at once. If it
  /// gets an answer then, the backend is slow, and the rest of the run has the longer time limit.
  void SetAside(CaseResult first) {
    if (budget_is_used() || has_looked_again_.exchange(true)) {
      const std::lock_guard lock(reporting_);
      set_aside_.push_back(std::move(first));
      return;
    }
    Judge patient(options_.backend, LimitsOfSecondLook(options_.limits));
    LookAgain(patient, std::move(first));
  }

  /// Judges a case again. An interruption leaves it without a result.
  void LookAgain(Judge& patient, CaseResult first) {
    patient.RequireNewProcess();
    const bool starts = !patient.Start();
    CaseResult result =
        starts ? VerdictOfSecondLook(first, JudgeCase(patient, first.origin.case_index)) : std::move(first);
    if (interrupted()) return;
    if (result.verdict.failure != FailureClass::kHang) is_slow_ = true;
    Report(std::move(result));
  }

  /// Judges the cases that were set aside again, one at a time.
  void JudgeSetAside() {
    if (set_aside_.empty()) return;
    std::ranges::sort(set_aside_, {}, CaseIndexOf);
    Judge patient(options_.backend, LimitsOfSecondLook(options_.limits));
    for (CaseResult& first : set_aside_) {
      if (interrupted()) return;
      if (!budget_is_used()) {
        LookAgain(patient, std::move(first));
      } else {
        first.verdict.message += "; the budget was used up before a second look with a longer time limit";
        Report(std::move(first));
      }
    }
  }

  /// Judges a failed case again in a new process. Returns a text if the case passes there, else an empty string.
  std::string TextIfItPassesAlone(Judge& judge, std::size_t case_index) {
    judge.RequireNewProcess();
    if (interrupted() || JudgeCase(judge, case_index).verdict.status == Status::kFail) return "";
    return "; alone it passes: the process had run other cases before";
  }

  /// Finds out whether a failure depends on an earlier case of its process. Returns the text that names this case, or
  /// an empty string. `before` are the cases that ran before it.
  std::string CulpritText(Judge& judge, std::span<const std::size_t> before, std::size_t case_index) {
    const auto fails_after = [&](std::size_t from, std::size_t to) {
      judge.RequireNewProcess();
      for (std::size_t at = from; at < to && !interrupted(); ++at) JudgeCase(judge, before[at]);
      return JudgeCase(judge, case_index).verdict.status == Status::kFail;
    };
    if (interrupted() || fails_after(0, 0)) return "";
    if (!fails_after(0, before.size())) return "; in new processes it passes, both alone and after the cases before it";
    const std::size_t fails = LatestStart(
        before.size(), [&](std::size_t from) { return fails_after(from, before.size()); },
        [&] { return interrupted(); });
    const SuiteCase& culprit = case_list_[before[fails]];
    const bool culprit_is_enough = fails_after(fails, fails + 1);
    if (interrupted()) return "";
    return fmt::format("; alone it passes, after {}/{}{} it fails: {}", culprit.suite, culprit.name,
                       culprit_is_enough ? "" : " and the cases that follow that one", ToLine(culprit.test_case));
  }

  static bool IsVerdictOf(const CaseResult& result, const SuiteCase& suite_case) {
    return result.origin.suite == suite_case.suite && result.origin.name == suite_case.name &&
           result.judged.test_case != nullptr && *result.judged.test_case == suite_case.test_case;
  }

  CaseResult JudgeCase(Judge& judge, std::size_t case_index) {
    // A case that is too large is not run and needs no memory.
    const std::uint64_t bytes =
        estimates_[case_index].bytes <= options_.limits.bytes ? estimates_[case_index].bytes : 0;
    memory_.Reserve(bytes);
    const SuiteCase& suite_case = case_list_[case_index];
    if (const std::string text = LongWorkText(suite_case.test_case, estimates_[case_index]); !text.empty()) {
      events_.on_long_case(suite_case, text);
    }
    CaseResult result;
    try {
      result = judge.JudgeCase(suite_case);
    } catch (const std::exception& error) {  // most likely out of memory; the run goes on
      result = Unjudged(case_index, std::string("the suite itself failed on this case: ") + error.what());
    }
    memory_.Release(bytes);
    result.origin.case_index = case_index;
    return result;
  }

  CaseResult ResultOf(std::size_t case_index) const {
    CaseResult result = conformance::ResultOf(case_list_[case_index]);
    result.origin.case_index = case_index;
    return result;
  }

  CaseResult LeftOut(std::size_t case_index) const {
    CaseResult result = ResultOf(case_index);
    result.verdict.status = Status::kSkippedAfterHangs;
    result.verdict.message = hang_limit_.ReasonFor(case_list_[case_index]);
    return result;
  }

  /// Counts a hang, unless an expectation covers it: the user has accepted expected hangs.
  void CountHang(const CaseResult& result) {
    if (result.verdict.failure == FailureClass::kHang && result.verdict.IsNewFailure())
      hang_limit_.CountHang(case_list_[result.origin.case_index]);
  }

  CaseResult Unjudged(std::size_t case_index, std::string message) const {
    CaseResult result = ResultOf(case_index);
    result.verdict.status = Status::kFail;
    result.verdict.failure = FailureClass::kSuiteError;
    result.verdict.message = std::move(message);
    return result;
  }

  /// Tells the result to the callbacks, and stores it.
  void Report(CaseResult result) {
    result.origin.file = case_list_[result.origin.case_index].file;
    result.origin.file_line = case_list_[result.origin.case_index].file_line;
    events_.on_judged(result);
    CountHang(result);
    const std::lock_guard lock(reporting_);
    const std::size_t case_index = result.origin.case_index;
    record_.results[case_index] = std::move(result);
    state_[case_index] = State::kJudged;
    events_.on_result(record_.results[case_index], ++done_);
  }

  CaseResult BeyondBudget(std::size_t case_index) const {
    CaseResult result = ResultOf(case_index);
    result.verdict.status = Status::kTooLarge;
    result.verdict.message =
        fmt::format("the budget of {:g} s was used up; raise --budget to run the case", options_.budget_seconds);
    return result;
  }

  /// A case of the shard without a verdict fails, unless the run was interrupted or its budget was used up.
  void Finish() {
    std::size_t kept = 0;
    for (std::size_t case_index = 0; case_index < case_list_.size(); ++case_index) {
      if (state_[case_index] == State::kToJudge && !interrupted()) {
        Report(budget_is_used() ? BeyondBudget(case_index)
                                : Unjudged(case_index, "no worker process was left to judge this case"));
      }
      if (state_[case_index] != State::kJudged) continue;
      if (kept != case_index) record_.results[kept] = std::move(record_.results[case_index]);
      ++kept;
    }
    record_.unjudged = cases_ - kept;
    record_.results.resize(kept);
  }

  static constexpr std::size_t kMostCulpritSearches = 3;  // in a case batch; each runs the batch several times

  const std::vector<SuiteCase>& case_list_;
  const RunOptions& options_;
  const RunEvents& events_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point first_case_ = start_;
  MemoryBudget memory_;
  HangLimit hang_limit_;
  std::vector<ResourceEstimate> estimates_;
  std::vector<CaseBatch> case_batches_;  ///< case batches to be run
  std::size_t cases_ = 0;                ///< cases of the shard
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> has_looked_again_ = false;
  std::atomic<bool> is_slow_ = false;  ///< a second look had an answer
  std::mutex reporting_;               ///< guards the members below
  std::vector<CaseResult> set_aside_;  ///< hangs that get a second look before they are reported
  std::vector<State> state_;
  std::size_t done_ = 0;
  RunRecord record_;
};

}  // namespace

std::variant<RunRecord, BackendError> RunCases(const std::vector<SuiteCase>& case_list, const RunOptions& options,
                                               const RunEvents& events) {
  return RunInProgress(case_list, options, events).Execute();
}

}  // namespace conformance
