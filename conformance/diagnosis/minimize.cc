// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes a failing case. It simplifies the operator, the data set and the data elements in turn, until none of them
// gets simpler. Hypotheses (planted faults that give the same answers), or a learned condition, make sure that the
// smaller case still shows the same defect.

#include "conformance/diagnosis/minimize.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>

#include "conformance/case/minimize_case.h"
#include "conformance/case/text/elapsed.h"
#include "conformance/diagnosis/failure_signature.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

// A case that hangs costs the whole time limit at every step, so the limit is short.
constexpr double kSecondsOfHang = 0.5;
// A larger data tensor is not minimized element by element, because a case line holds no more elements.
constexpr std::int64_t kMostElementsToTry = 4096;

// A condition that is not settled is trusted if at least 8 new cases failed as predicted, and if for each 8 of them at
// most one new case passed.
constexpr std::size_t kFewToTrust = 8;

// Cases whose buffers together have at most this size are always run: they cost no noticeable time or memory.
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20;

class Minimization {
 public:
  Minimization(const MinimizeOptions& options, const std::function<void(const CaseResult&, std::size_t)>& on_step)
      : options_(options), on_step_(on_step), start_(steady_clock::now()) {}

  std::variant<Minimized, BackendError> Run(const SuiteCase& failing) {
    JudgeLimits limits = options_.limits;
    if (auto error = Start(limits)) return *error;
    found_.smallest = failing;
    if (failing.test_case.law) {
      // If the case also fails without its law, minimize it without the law, because wrong values are easier to
      // understand.
      SuiteCase plain = failing;
      plain.test_case.law.reset();
      if (Observe(plain).verdict.verdict.status == Status::kFail) found_.smallest = plain;
    }
    Behaviour behaviour = Observe(found_.smallest);
    found_.result = behaviour.verdict;
    if (!found_.failed()) return Finish(true);
    // A sweep's failure names the one case that fails.
    if (found_.smallest.test_case.sweep) {
      if (found_.result.IsSweep()) return Finish(false);
      found_.smallest.test_case = *found_.result.judged.test_case;
      behaviour = Observe(found_.smallest);
      found_.result = behaviour.verdict;
      if (!found_.failed()) return Finish(false);
    }
    if (found_.result.verdict.failure == FailureClass::kHang) {
      limits.base_seconds = std::min(limits.base_seconds, kSecondsOfHang);
      if (auto error = Start(limits)) return *error;
    }
    FindHypotheses(found_.smallest.test_case, std::move(behaviour));
    if (alive_.empty()) LearnCondition();

    for (std::size_t steps = 0; !Late();) {
      const bool complete = MinimizeOperator();
      FewerAxes();
      SimplifyValues();
      FewerElements();
      if (steps == found_.steps) return Finish(complete && !Late());
      steps = found_.steps;
    }
    return Finish(false);
  }

 private:
  std::optional<BackendError> Start(JudgeLimits limits) {
    observer_ = std::make_unique<ObservingJudge>(options_.backend, std::move(limits), std::make_shared<TrialSetup>());
    return observer_->Start();
  }
  double Seconds() const { return SecondsSince(start_); }
  bool Interrupted() const { return options_.limits.interrupt != nullptr && *options_.limits.interrupt != 0; }
  bool Late() const { return Interrupted() || Seconds() > options_.seconds; }

  Minimized Finish(bool complete) {
    for (const std::size_t h : alive_) found_.hypotheses.push_back(&hypotheses_[h].fault());
    if (condition_) found_.condition = condition_->alternatives.front().conjunction.Text();
    found_.complete = complete;
    found_.seconds = Seconds();
    return std::move(found_);
  }

  Behaviour Observe(const SuiteCase& suite_case) { return observer_->Observe(suite_case); }

  std::optional<Trial> TrialOn(const Case& test_case, Behaviour behaviour) const {
    auto prepared = PrepareCase(test_case, observer_->capabilities());
    if (!prepared) return std::nullopt;
    return TrialOf(0, std::move(prepared), std::move(behaviour), observer_->capabilities());
  }

  /// Finds the hypotheses that reproduce the failure. If the case is too large for that, nothing happens, and Fails
  /// calls this function for the next smaller case.
  void FindHypotheses(const Case& test_case, Behaviour behaviour) {
    const auto trial = TrialOn(test_case, std::move(behaviour));
    if (!trial) return;
    asked_ = true;
    for (const faults::Fault& fault : faults::Faults()) {
      Hypothesis hypothesis(fault);
      if (hypothesis.NeedsWorker()) continue;
      if (ReproductionOf(*trial, hypothesis, observer_->capabilities()) == Similarity::kNone) continue;
      alive_.push_back(hypotheses_.size());
      hypotheses_.push_back(std::move(hypothesis));
    }
  }

  /// Learns the condition of the failure, if no planted fault reproduces it. The condition then keeps the search at one
  /// defect.
  void LearnCondition() {
    // The share of the time that the condition may take. The search for a smaller case gets the rest. 0.4 is a guess.
    constexpr double kShare = 0.4;
    const Case& test_case = found_.smallest.test_case;
    const auto dialect = oracle::ParseDialect(found_.result.judged.dialect);
    if (!dialect || test_case.law || test_case.sweep || found_.result.verdict.failure == FailureClass::kHang) return;
    const FailureSignature signature = SignatureOf(found_.result);
    Judge judge(options_.backend, LimitsOfQuestions(options_.limits, found_.result.seconds.total));
    if (judge.Start()) return;
    const auto ask = [&](const Case& other) -> std::optional<bool> {
      SuiteCase suite_case;
      suite_case.test_case = other;
      const CaseResult result = judge.JudgeCase(suite_case);
      if (Interrupted()) return std::nullopt;  // the verdict may be due to the interruption
      // A failure of another signature probably has another defect, so the answer is unknown.
      if (result.verdict.status == Status::kFail && SignatureOf(result) != signature) return std::nullopt;
      return HasFailed(result);
    };
    const std::vector<KnownCase> known = {{.test_case = test_case, .dialect = *dialect, .fails = true}};
    dialect_ = *dialect;
    const auto until = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                                 std::chrono::duration<double>(kShare * options_.seconds));
    auto condition = FindCondition(known, {.declared = judge.capabilities(), .ask = ask, .late = [&] {
                                             return Interrupted() || steady_clock::now() > until;
                                           }});
    if (!condition || !condition->Holds(FeaturesIn(*condition, test_case, *dialect))) return;
    // The alternatives that are false for this case describe other defects.
    const bool settled = condition->settled();
    condition_ = std::move(condition);
    condition_->alternatives = HeldAlternatives(test_case);
    std::erase_if(condition_->alternatives, [&](const Alternative& alternative) {
      if (alternative.conjunction.terms.empty()) return true;
      return !settled && !IsKnownWell(alternative) && !PassesTest(alternative, known, judge.capabilities(), ask);
    });
    if (condition_->alternatives.empty()) condition_.reset();
  }

  /// Whether many new cases confirm an alternative, although the time was up before the condition was settled: many
  /// cases inside of it failed, and hardly any passed.
  static bool IsKnownWell(const Alternative& alternative) {
    return alternative.confirmed >= kFewToTrust && alternative.refuted * kFewToTrust <= alternative.confirmed;
  }

  /// Tests an alternative on new cases. It was learned when the time was up, so that no new case had tested it.
  bool PassesTest(Alternative alternative, const std::vector<KnownCase>& known, const Capabilities& declared,
                  const std::function<std::optional<bool>(const Case&)>& ask) const {
    // The time to minimize is used up. This test may take a share of it again: a guess, half of LearnCondition's share.
    constexpr double kShare = 0.2;
    const auto start = steady_clock::now();
    Condition alone = *condition_;
    alone.alternatives = {alternative};
    const Prediction prediction = PredictNewCases(
        alone, known, 2 * kFewToTrust, {.declared = declared, .ask = ask, .late = [&] {
                                          return Interrupted() || SecondsSince(start) > kShare * options_.seconds;
                                        }});
    alternative.confirmed = prediction.inside_right;
    alternative.refuted = prediction.inside - prediction.inside_right;
    return IsKnownWell(alternative);
  }

  /// The alternatives of the condition that are true of this case.
  std::vector<Alternative> HeldAlternatives(const Case& test_case) const {
    std::vector<Alternative> held;
    const FeatureRow row = FeaturesIn(*condition_, test_case, dialect_);
    if (!row.valid()) return held;
    for (const Alternative& alternative : condition_->alternatives) {
      if (alternative.conjunction.Holds(row)) held.push_back(alternative);
    }
    return held;
  }

  /// Whether a case needs much more memory than the smallest one. Such a case is not simpler: without its pads an
  /// operator may have gigabytes of output.
  bool CostsMore(const Case& test_case) const {
    const std::uint64_t bytes = EstimateResources(found_.smallest.test_case, observer_->capabilities()).bytes;
    return EstimateResources(test_case, observer_->capabilities()).bytes > std::max(bytes, kFreeBytes);
  }

  /// Runs the case. If it fails in the same way, makes it the next starting case and returns true.
  bool Fails(const Case& test_case) {
    if (Late() || CostsMore(test_case)) return false;
    ++found_.runs;
    SuiteCase suite_case = found_.smallest;
    suite_case.declared_output.clear();
    suite_case.test_case = test_case;
    Behaviour behaviour = Observe(suite_case);
    CaseResult result = behaviour.verdict;
    if (result.verdict.status != Status::kFail || SignatureOf(result) != SignatureOf(found_.result)) return false;
    if (!options_.is_alike(result)) return false;
    std::vector<Alternative> held;
    if (condition_) {
      held = HeldAlternatives(test_case);
      if (held.empty()) return false;
    }
    if (!asked_) {
      FindHypotheses(test_case, std::move(behaviour));
    } else if (!alive_.empty()) {
      const auto trial = TrialOn(test_case, std::move(behaviour));
      if (!trial) return false;
      std::vector<std::size_t> stand;
      for (const std::size_t h : alive_) {
        if (ReproductionOf(*trial, hypotheses_[h], observer_->capabilities()) != Similarity::kNone) stand.push_back(h);
      }
      if (stand.empty()) return false;
      alive_ = std::move(stand);
    }
    ++found_.steps;
    if (condition_) condition_->alternatives = std::move(held);
    found_.smallest = std::move(suite_case);
    found_.result = std::move(result);
    on_step_(found_.result, found_.runs);
    return true;
  }

  /// Simplifies the operator. Returns true if no simpler operator fails in the same way.
  bool MinimizeOperator() {
    MinimizeCaseLimits limits;
    limits.time = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(std::max(0.0, options_.seconds - Seconds())));
    const Case from = found_.smallest.test_case;
    return MinimizeCase(from, [this](const Case& simpler) { return Fails(simpler); }, limits).complete;
  }

  /// Removes axes. This changes the values of the tensors, on which the failure may depend. So several seeds are tried.
  void FewerAxes() {
    // Eight seeds are a guess: each is a run of the backend. Four dims are two axes, which people can still follow.
    constexpr std::uint64_t kSeeds = 8;
    constexpr std::size_t kFewDims = 4;
    const auto fewer = [&] {
      const Case now = found_.smallest.test_case;
      for (Case& simpler : SimplerCases(now)) {
        if (simpler.op.data.dims.size() >= now.op.data.dims.size()) continue;
        simpler.data_only.reset();
        for (simpler.seed = 0; simpler.seed < kSeeds; ++simpler.seed) {
          if (Fails(simpler)) return true;
        }
      }
      return false;
    };
    if (found_.smallest.test_case.values == DataSet::kIntegers) return;
    while (found_.smallest.test_case.op.data.dims.size() > kFewDims && !Late() && fewer()) {
    }
  }

  void SimplifyValues() {
    const Case& now = found_.smallest.test_case;
    if (now.law) return;
    const auto attempt = [&](const auto& change) {
      Case simpler = found_.smallest.test_case;
      change(simpler);
      if (!(simpler == found_.smallest.test_case)) (void)Fails(simpler);
    };
    attempt([](Case& simpler) { simpler.recorded.reset(); });
    attempt([](Case& simpler) {
      simpler.filter_values.reset();
      simpler.given_filter.reset();
    });
    attempt([](Case& simpler) { simpler.given_data.reset(); });
    attempt([](Case& simpler) { simpler.values = DataSet::kIntegers; });
    attempt([](Case& simpler) { simpler.seed = 0; });
  }

  /// Leaves out half of the data elements, then quarters, and so on. Example: of the elements 0 to 3, element 2 alone
  /// shows the failure. Without 0,1 the case still fails; without 2,3 too it passes; without 2 it passes; without 3 it
  /// still fails. Element 2 is left.
  void FewerElements() {
    if (found_.smallest.test_case.law || found_.result.judged.output_dims.empty()) return;
    const oracle::Dims& dims = found_.smallest.test_case.op.data.dims;
    std::int64_t count = 1;
    for (const std::int64_t size : dims)
      count = size > kMostElementsToTry ? 0 : std::min(count * size, kMostElementsToTry + 1);
    if (count == 0 || count > kMostElementsToTry) return;
    oracle::Dims kept(static_cast<std::size_t>(count));
    std::iota(kept.begin(), kept.end(), 0);
    if (const auto& only = found_.smallest.test_case.data_only) {
      kept = *only;
      std::erase_if(kept, [&](std::int64_t index) { return index >= count; });
    }
    for (std::size_t part = std::max<std::size_t>(kept.size() / 2, 1); part > 0; part /= 2) {
      for (std::size_t begin = 0; begin < kept.size() && !Late();) {
        oracle::Dims fewer = kept;
        const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
        fewer.erase(from, fewer.begin() + static_cast<std::ptrdiff_t>(std::min(begin + part, kept.size())));
        Case simpler = found_.smallest.test_case;
        simpler.data_only = fewer;
        if (Fails(simpler)) {
          kept = std::move(fewer);
        } else {
          begin += part;
        }
      }
    }
  }

  const MinimizeOptions& options_;
  const std::function<void(const CaseResult&, std::size_t)>& on_step_;
  steady_clock::time_point start_;
  std::unique_ptr<ObservingJudge> observer_;
  std::vector<Hypothesis> hypotheses_;
  std::vector<std::size_t> alive_;
  std::optional<Condition> condition_;
  oracle::Dialect dialect_ = oracle::Dialect::kOpenvinoSpec;
  bool asked_ = false;  ///< the hypotheses have been tried
  Minimized found_;
};

}  // namespace

std::variant<Minimized, BackendError> Minimize(
    const SuiteCase& failing, const MinimizeOptions& options,
    const std::function<void(const CaseResult&, std::size_t runs)>& on_step) {
  return Minimization(options, on_step).Run(failing);
}

std::int64_t NonZeroData(const Case& test_case, const CaseResult& result) {
  if (result.judged.output_dims.empty()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t size : test_case.op.data.dims) count *= std::max<std::int64_t>(size, 0);
  if (test_case.data_only) {
    const auto inside = std::ranges::count_if(*test_case.data_only, [&](std::int64_t index) { return index < count; });
    return static_cast<std::int64_t>(inside);
  }
  return count;
}

}  // namespace conformance
