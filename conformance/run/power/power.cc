// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the strength of the suite with planted faults, backends that are wrong on purpose. A case that fails such a
// backend kills it: it has found the fault. Each thread has one setup and a judge for every backend, and tries case
// after case on all of them.

#include "conformance/run/power/power.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include <sys/resource.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/run/case_batch.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

// After so many crashes or hangs in one thread, a backend is retired: it is clearly faulty, and runs no more cases. A
// new worker process takes some ten milliseconds, a hang its whole time limit.
constexpr int kMostDeaths = 200;
constexpr int kMostHangs = 2;

/// Raises the limit of open files. There is a worker for each backend and thread, and each needs three descriptors.
void AllowManyFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

JudgeLimits LimitsOf(const PowerOptions& options, bool faulty) {
  JudgeLimits limits = options.limits;
  // Planted faults may hang, so they keep the short limit. A correct backend that is slow on a busy machine gets a
  // minute.
  if (!faulty) limits.base_seconds = std::max(limits.base_seconds, 60.0);
  limits.finds_dialects = false;  // the measurement does not use them, and finding them takes as long as the verdict
  return limits;
}

/// Whether the failure is the backend's. Errors of the suite, and wrong expected outputs in a file, are not.
bool BlamesTheBackend(FailureClass failure) {
  return failure != FailureClass::kSuiteError && failure != FailureClass::kWrongDeclaredOutput;
}

/// One backend in one thread: its judge, and how often it died or hung there. PowerOptions explains the booleans.
struct Contender {
  Contender(const std::string& name, bool is_faulty, std::size_t its_index, const PowerOptions& options,
            const std::shared_ptr<TrialSetup>& setup)
      : judge(name, LimitsOf(options, is_faulty), setup),
        faulty(is_faulty),
        fast(std::ranges::find(options.fast, name) != options.fast.end()),
        stateful(std::ranges::find(options.stateful, name) != options.stateful.end()),
        first_seed_only(std::ranges::find(options.first_seed_only, name) != options.first_seed_only.end()),
        index(its_index) {}

  Judge judge;
  bool faulty;
  bool fast;
  bool stateful;
  bool first_seed_only;
  std::size_t index;  ///< index in its list of the record
  int deaths = 0;
  int hangs = 0;

  bool retired() const { return deaths >= kMostDeaths || hangs >= kMostHangs; }
};

/// One measurement. Its threads share everything below the mutex; each has its own judges.
class Measurement {
 public:
  Measurement(const std::vector<SuiteCase>& case_list, const PowerOptions& options,
              const std::function<void(const PowerProgress&)>& on_progress)
      : case_list_(case_list), options_(options), on_progress_(on_progress) {
    for (const std::string& name : options.faulty) record_.faulty.emplace_back().backend = name;
    for (const std::string& name : options.correct) record_.correct.emplace_back().backend = name;
    record_.kills.resize(case_list.size());
    record_.tried.resize(case_list.size());
    seeds_ = options.correct.empty() ? 1 : std::max<std::uint64_t>(1, options.seeds);
    progress_.alive = options.faulty.size();
    estimates_.reserve(case_list.size());
    for (const SuiteCase& suite_case : case_list) estimates_.push_back(EstimateResources(suite_case.test_case));
    for (std::size_t case_index = 0; case_index < estimates_.size(); ++case_index) {
      const double products = estimates_[case_index].products;
      const bool large = products > options.most_products && products <= options.most_products_of_survivors;
      if (large && !case_list[case_index].test_case.sweep && !options.faulty.empty()) large_.push_back(case_index);
    }
    progress_.total = case_list.size() * seeds_ + large_.size();
    case_batches_ = CaseBatchesOf(case_list, estimates_);
    std::ranges::sort(case_batches_, {}, [&](const CaseBatch& case_batch) {
      const bool sweep = case_list[case_batch.begin].test_case.sweep.has_value();
      return std::tuple(sweep, MeanProducts(case_batch), case_batch.begin);
    });
  }

  std::variant<PowerRecord, BackendError> Measure() {
    const auto start = std::chrono::steady_clock::now();
    AllowManyFiles();
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < std::max(1, options_.jobs); ++i) threads.emplace_back([this] { RunThread(); });
    }
    if (error_) return *error_;
    record_.seconds = SecondsSince(start);
    return std::move(record_);
  }

 private:
  double MeanProducts(const CaseBatch& case_batch) const {
    double products = 0;
    for (std::size_t i = case_batch.begin; i < case_batch.end; ++i) products += estimates_[i].products;
    return products / static_cast<double>(std::max<std::size_t>(1, case_batch.end - case_batch.begin));
  }

  /// Tries items of work on all backends until none is left.
  void RunThread() {
    try {
      const auto setup = std::make_shared<TrialSetup>();
      std::vector<std::unique_ptr<Contender>> contenders;
      const auto add_contenders = [&](const std::vector<TriedBackend>& backends, bool faulty) {
        for (std::size_t i = 0; i < backends.size(); ++i) {
          contenders.push_back(std::make_unique<Contender>(backends[i].backend, faulty, i, options_, setup));
        }
      };
      add_contenders(record_.faulty, true);
      add_contenders(record_.correct, false);
      for (const auto& contender : contenders) {
        if (auto error = contender->judge.Start()) return Stop(std::move(*error));
      }
      // The items are numbered: all batches with seed 0, all batches with seed 1, ..., then each large case.
      for (;;) {
        const std::size_t item = next_.fetch_add(1);
        const std::size_t batches = case_batches_.size() * seeds_;
        if (item >= batches + large_.size()) return;
        for (const auto& contender : contenders) {
          if (contender->stateful) contender->judge.RequireNewProcess();
        }
        if (item >= batches) {
          TryOnSurvivors(contenders, large_[item - batches]);
          continue;
        }
        const CaseBatch& case_batch = case_batches_[item % case_batches_.size()];
        for (std::size_t case_index = case_batch.begin; case_index < case_batch.end; ++case_index) {
          TryOnAll(contenders, case_index, item / case_batches_.size());
        }
      }
    } catch (const std::exception& error) {
      Stop({false, std::string("the measurement itself failed: ") + error.what()});
    }
  }

  /// Keeps the first error, and leaves no item for the other threads.
  void Stop(BackendError error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    next_ = case_batches_.size() * seeds_ + large_.size();
  }

  /// Tries a case on the backends that still need it. `seed` is added to the seed of its random values.
  void TryOnAll(const std::vector<std::unique_ptr<Contender>>& contenders, std::size_t case_index, std::uint64_t seed) {
    SuiteCase suite_case = case_list_[case_index];
    suite_case.test_case.seed += seed;
    const ResourceEstimate& estimate = estimates_[case_index];
    const bool small = estimate.products <= options_.most_products;
    // Another seed changes only the values of tensors. Refused operators have no values, and those of a sweep are
    // fixed.
    const bool has_values = estimate.products != 0 && !suite_case.test_case.sweep;
    for (const auto& contender : contenders) {
      if (contender->retired() || (!small && !contender->fast)) continue;
      if (seed != 0 && (contender->faulty || contender->first_seed_only || !has_values)) continue;
      if (contender->faulty && IsKilledEnough(*contender, suite_case.test_case.sweep ? 1 : options_.enough_kills))
        continue;
      TryOn(*contender, suite_case, case_index);
    }
    const std::lock_guard lock(mutex_);
    const bool on_all = options_.enough_kills == 0 && !suite_case.test_case.sweep;
    if (small && seed == 0 && on_all) record_.tried[case_index] = true;
    ++progress_.done;
    on_progress_(progress_);
  }

  /// Tries a large case on the faulty backends that no case has killed.
  void TryOnSurvivors(const std::vector<std::unique_ptr<Contender>>& contenders, std::size_t case_index) {
    for (const auto& contender : contenders) {
      if (!contender->faulty || contender->retired() || IsKilledEnough(*contender, 1)) continue;
      TryOn(*contender, case_list_[case_index], case_index);
    }
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    on_progress_(progress_);
  }

  void TryOn(Contender& contender, const SuiteCase& suite_case, std::size_t case_index) {
    const CaseResult result = JudgePatiently(contender, suite_case);
    contender.deaths += result.verdict.failure == FailureClass::kCrash ? 1 : 0;
    contender.hangs += result.verdict.failure == FailureClass::kHang ? 1 : 0;
    const std::lock_guard lock(mutex_);
    CountResult(contender, result, case_index);
  }

  /// Judges the case. If a hang would be the only kill of a fault, judges it again with a longer time limit.
  CaseResult JudgePatiently(Contender& contender, const SuiteCase& suite_case) {
    CaseResult result = contender.judge.JudgeCase(suite_case);
    if (result.verdict.failure != FailureClass::kHang || !contender.faulty || IsKilledEnough(contender, 1))
      return result;
    contender.judge.SetBaseSeconds(options_.patient_seconds);
    result = contender.judge.JudgeCase(suite_case);
    contender.judge.SetBaseSeconds(LimitsOf(options_, true).base_seconds);
    return result;
  }

  bool IsKilledEnough(const Contender& contender, std::size_t enough) {
    const std::lock_guard lock(mutex_);
    return enough != 0 && record_.faulty[contender.index].failed >= enough;
  }

  /// Adds a result to the counts of its backend and its case.
  void CountResult(const Contender& contender, const CaseResult& result, std::size_t case_index) {
    TriedBackend& tried = (contender.faulty ? record_.faulty : record_.correct)[contender.index];
    tried.retired = tried.retired || contender.retired();
    if (!IsRight(result.verdict.status) && result.verdict.status != Status::kFail) return;
    ++tried.judged;
    if (result.verdict.status != Status::kFail) return;
    // An error of the suite kills no fault. On a correct backend, however, it counts as a failure.
    if (contender.faulty && !BlamesTheBackend(result.verdict.failure)) return;
    if (contender.faulty) {
      ++record_.kills[case_index];
      if (tried.failed == 0) --progress_.alive;
    }
    ++tried.failed;
    if (tried.first_position == 0 || case_index + 1 < tried.first_position) {
      tried.first_position = case_index + 1;
      tried.first_line = result.judged.line;
      tried.first_message = result.verdict.message;
      tried.first_failure = result.verdict.failure;
    }
  }

  const std::vector<SuiteCase>& case_list_;
  const PowerOptions& options_;
  const std::function<void(const PowerProgress&)>& on_progress_;
  std::uint64_t seeds_ = 1;
  std::vector<ResourceEstimate> estimates_;
  /// The batches, the cheapest first, so that most faults are killed before a case takes seconds. Sweeps (cases of
  /// thousands of operators) come last, and run only on faults that no other case has killed.
  std::vector<CaseBatch> case_batches_;
  /// Indices of the cases that are too large for most faulty backends. They run one by one, after all batches.
  std::vector<std::size_t> large_;
  std::atomic<std::size_t> next_ = 0;  ///< the next item of work: a batch with a seed, or a large case
  std::mutex mutex_;                   ///< guards everything below
  PowerRecord record_;
  PowerProgress progress_;
  std::optional<BackendError> error_;
};

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

std::size_t PowerRecord::Killed() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(faulty, [](const TriedBackend& one) { return one.failed != 0; }));
}

double PowerRecord::Score() const {
  if (faulty.empty()) return 100;
  return 100 * static_cast<double>(Killed()) / static_cast<double>(faulty.size());
}

double PowerRecord::MedianRandomDraws() const {
  std::vector<double> draws;
  for (const TriedBackend& backend : faulty) {
    if (backend.failed != 0)
      draws.push_back(static_cast<double>(backend.judged + 1) / static_cast<double>(backend.failed + 1));
  }
  return Median(std::move(draws));
}

std::size_t PowerRecord::FailuresOfCorrect() const {
  std::size_t failures = 0;
  for (const TriedBackend& backend : correct) failures += backend.failed;
  return failures;
}

std::variant<PowerRecord, BackendError> MeasurePower(const std::vector<SuiteCase>& case_list,
                                                     const PowerOptions& options,
                                                     const std::function<void(const PowerProgress&)>& on_progress) {
  return Measurement(case_list, options, on_progress).Measure();
}

}  // namespace conformance
