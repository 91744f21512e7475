// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Works in rounds. Each round finds the hypothesis that reproduces most of the failures that are left and contradicts
// no pass. Then new cases test it: a hypothesis that fits the run by chance fails them.

#include "conformance/diagnosis/diagnose.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "conformance/diagnosis/evidence.h"
#include "conformance/diagnosis/failure_sort.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/diagnosis/test_hypotheses.h"

namespace conformance {
namespace {

// A hypothesis that reproduces none of this many failures, of every sort, is dropped.
constexpr std::size_t kProbes = 12;
// The hypotheses that reproduce most of them are tried on all failures.
constexpr std::size_t kCandidates = 48;
// Hypotheses that are tested on new cases.
constexpr std::size_t kMostTested = 24;
// The part of the budget that hypotheses may take; conditions need the rest.
constexpr std::size_t kPartOfHypotheses = 4;
// Passing cases around which new cases are made.
constexpr std::size_t kPassesOfPool = 200;

struct Score {
  std::size_t hypothesis = 0;
  std::vector<std::size_t> reproduced;  ///< trials
  std::size_t same = 0;                 ///< how many of them bit for bit
};

/// Failures for which a hypothesis must be right about all of the same sort: they are alike whatever causes them.
bool LooksAlike(const FailureSort& sort) {
  return sort.family == FailureFamily::kDeclined || sort.family == FailureFamily::kAccepted ||
         sort.failure == FailureClass::kHang;
}

SampleLimits Scaled(SampleLimits limits, std::size_t questions) {
  const auto most = [&](std::size_t& limit, std::size_t share, std::size_t least) {
    limit = std::min(limit, std::max(least, questions / share));
  };
  most(limits.failures, 5, 12);
  most(limits.computed, 8, 8);
  most(limits.refused, 16, 4);
  most(limits.before, 16, 4);
  return limits;
}

}  // namespace

class Diagnoser::Work {
 public:
  Work(std::span<const CaseResult> results, DiagnosisOptions options)
      : results_(results), options_(std::move(options)) {
    options_.limits.on_run = nullptr;
  }

  std::optional<BackendError> Observe() {
    judge_ = std::make_unique<ObservingJudge>(options_.backend, options_.limits, std::make_shared<TrialSetup>());
    if (auto error = judge_->Start()) return error;
    evidence_ = std::make_unique<Evidence>(judge_->capabilities());
    sample_ = SampleOf(results_, judge_->capabilities(), Scaled(options_.sample, options_.budget.questions));
    // In the order of the run: a failure may depend on earlier cases.
    std::vector<const SampledCase*> order;
    for (const SampledCase& sampled : sample_.passes) order.push_back(&sampled);
    for (const SampledCase& sampled : sample_.failures) order.push_back(&sampled);
    std::ranges::sort(order, {}, [](const SampledCase* sampled) { return sampled->result; });
    for (const SampledCase* sampled : order) {
      if (budget().left() == 0) {
        budget().cut = true;
        break;
      }
      Try(sampled->result, sampled->suite_case);
    }
    observed_ = budget().asked;
    // Each round looks at the first failures first, which are of every sort.
    std::vector<std::size_t> place(results_.size());
    for (std::size_t i = 0; i < sample_.failures.size(); ++i) place[sample_.failures[i].result] = i;
    probes_ = failures_;
    std::ranges::sort(probes_, {}, [&](std::size_t t) { return place[evidence_->trial(t).result]; });
    return std::nullopt;
  }

  Diagnosis Explain(const std::set<std::string_view>& without) {
    Diagnosis diagnosis;
    diagnosis.failures = sample_.all_failures;
    diagnosis.vanished = vanished_;
    diagnosis.tried = failures_.size() + vanished_.size();
    std::set<std::string_view> excluded = without;
    told_.clear();
    std::vector<std::size_t> left = failures_;
    std::size_t tested = 0;
    while (!left.empty() && !budget().late()) {
      std::optional<Score> best = Best(left, excluded);
      if ((!best || best->reproduced.size() < left.size()) && RunWorkersFor(left)) best = Best(left, excluded);
      if (!best) break;
      if (tested++ == kMostTested || budget().asked > observed_ + budget().questions / kPartOfHypotheses) {
        budget().cut = true;
        break;
      }
      Explanation explanation = ExplanationOf(*best, left, excluded);
      for (const faults::Fault* fault : explanation.hypotheses) excluded.insert(fault->name);
      if (!Confirm(*best, left, explanation)) continue;
      for (std::size_t h = 0; h < evidence_->hypotheses(); ++h) {
        const bool is_first = &evidence_->hypothesis(h).fault() == explanation.hypotheses.front();
        if (is_first && !IsForWorker(h)) told_.push_back(h);
      }
      std::erase_if(left,
                    [&](std::size_t t) { return std::ranges::find(best->reproduced, t) != best->reproduced.end(); });
      diagnosis.explanations.push_back(std::move(explanation));
    }
    for (const std::size_t t : left) diagnosis.unexplained.push_back(evidence_->trial(t).result);
    return diagnosis;
  }

  std::unique_ptr<WrongOutputs> WrongOutputsOf(std::size_t result) const {
    for (const std::size_t t : failures_) {
      const Trial& trial = evidence_->trial(t);
      if (trial.result != result || trial.wrong.empty()) continue;
      return std::make_unique<WrongOutputs>(WrongOutputs{.geometry = trial.prepared->geometry(), .wrong = trial.wrong});
    }
    return nullptr;
  }

  QuestionBudget& budget() { return options_.budget; }

 private:
  /// Runs the case again, and keeps what it did.
  void Try(std::size_t result, const SuiteCase& suite_case) {
    auto prepared = PrepareCase(suite_case.test_case, evidence_->declared());
    if (!prepared || !budget().Ask()) return;
    Behaviour behaviour = judge_->Observe(suite_case);
    if (budget().interrupted()) return;  // the verdict may be due to the interruption
    const Status status = behaviour.verdict.status;
    if (status != Status::kFail && !IsRight(status)) return;
    if (status != Status::kFail && results_[result].status == Status::kFail) {
      // A law compares several operators. The one that the verdict names may fail by itself.
      if (const auto& related = results_[result].facts.related) {
        SuiteCase alone = suite_case;
        alone.test_case = *related;
        if (alone.test_case != suite_case.test_case) Try(result, alone);
        return;
      }
      if (!results_[result].BreaksLaw()) vanished_.push_back(result);
      return;
    }
    const std::size_t t =
        evidence_->Add(TrialOf(result, std::move(prepared), std::move(behaviour), evidence_->declared()));
    (evidence_->trial(t).failed ? failures_ : passes_).push_back(t);
  }

  bool Explains(std::size_t h, std::size_t t) { return evidence_->LikenessOf(h, t) != Likeness::kNone; }

  bool ContradictsAPass(std::size_t h) {
    return std::ranges::any_of(passes_, [&](std::size_t t) { return evidence_->Contradicts(h, t); });
  }

  FailureSort SortOfTrial(std::size_t t) const { return SortOf(evidence_->trial(t).behaviour.verdict); }

  /// At most this many of the failures, of every sort.
  std::vector<std::size_t> SomeOf(const std::vector<std::size_t>& failures, std::size_t most) const {
    std::vector<std::size_t> some;
    for (const std::size_t t : probes_) {
      if (some.size() < most && std::ranges::binary_search(failures, t)) some.push_back(t);
    }
    return some;
  }

  /// The hypothesis that reproduces most of the failures, as far as they count for it, and contradicts no pass.
  std::optional<Score> Best(const std::vector<std::size_t>& failures, const std::set<std::string_view>& without) {
    std::vector<Score> scores;
    const std::vector<std::size_t> probes = SomeOf(failures, kProbes);
    for (std::size_t h = 0; h < evidence_->hypotheses(); ++h) {
      if (without.contains(evidence_->hypothesis(h).fault().name)) continue;
      Score score;
      score.hypothesis = h;
      for (const std::size_t t : probes) {
        if (Explains(h, t)) score.reproduced.push_back(t);
      }
      if (!score.reproduced.empty()) scores.push_back(std::move(score));
    }
    const auto most_first = [](const Score& one, const Score& other) {
      return std::tuple(other.reproduced.size(), other.same, one.hypothesis) <
             std::tuple(one.reproduced.size(), one.same, other.hypothesis);
    };
    std::ranges::sort(scores, most_first);
    scores.resize(std::min(scores.size(), kCandidates));
    for (Score& score : scores) {
      score.reproduced = ReproducedOf(score.hypothesis, failures);
      score.same = static_cast<std::size_t>(std::ranges::count_if(score.reproduced, [&](std::size_t t) {
        return evidence_->LikenessOf(score.hypothesis, t) == Likeness::kSame;
      }));
    }
    std::ranges::sort(scores, most_first);
    for (Score& score : scores) {
      if (!score.reproduced.empty() && !ContradictsAPass(score.hypothesis)) return std::move(score);
    }
    return std::nullopt;
  }

  std::vector<std::size_t> ReproducedOf(std::size_t h, const std::vector<std::size_t>& failures) {
    std::vector<std::size_t> reproduced;
    std::set<FailureSort> missed;
    for (const std::size_t t : failures) {
      if (Explains(h, t)) {
        reproduced.push_back(t);
      } else {
        missed.insert(SortOfTrial(t));
      }
    }
    std::erase_if(reproduced, [&](std::size_t t) {
      const FailureSort sort = SortOfTrial(t);
      return LooksAlike(sort) && missed.contains(sort);
    });
    return reproduced;
  }

  /// The best hypothesis and all that equal it.
  Explanation ExplanationOf(const Score& best, const std::vector<std::size_t>& failures,
                            const std::set<std::string_view>& without) {
    std::vector<std::size_t> group = {best.hypothesis};
    for (std::size_t h = 0; h < evidence_->hypotheses(); ++h) {
      if (h == best.hypothesis || without.contains(evidence_->hypothesis(h).fault().name)) continue;
      if (IsEqual(h, best, failures)) group.push_back(h);
    }
    Explanation explanation;
    explanation.compared = passes_.size() + failures_.size();
    std::erase_if(group, [&](std::size_t h) { return IsForWorker(h) != IsForWorker(best.hypothesis); });
    for (const std::size_t h : group) explanation.hypotheses.push_back(&evidence_->hypothesis(h).fault());
    for (const std::size_t t : best.reproduced) explanation.failures.push_back(evidence_->trial(t).result);
    explanation.passes = passes_.size();
    return explanation;
  }

  bool IsEqual(std::size_t h, const Score& best, const std::vector<std::size_t>& failures) {
    std::size_t same = 0;
    for (const std::size_t t : failures) {
      const bool reproduced = std::ranges::binary_search(best.reproduced, t);
      if (reproduced && !Explains(h, t)) return false;
      same += reproduced && evidence_->LikenessOf(h, t) == Likeness::kSame ? 1 : 0;
    }
    return same == best.same && ReproducedOf(h, failures) == best.reproduced && !ContradictsAPass(h);
  }

  /// Leaves only hypotheses that new cases confirm; false if there are none. Where few new cases can be made, the
  /// hypotheses must reproduce all failures of their sorts.
  bool Confirm(const Score& best, const std::vector<std::size_t>& left, Explanation& explanation) {
    if (IsForWorker(best.hypothesis)) return IsAllOfItsSorts(best);
    if (FailsOtherwise(best, left)) return false;
    std::vector<TestedHypothesis> candidates;
    for (std::size_t h = 0; h < evidence_->hypotheses(); ++h) {
      const faults::Fault* fault = &evidence_->hypothesis(h).fault();
      const auto place = std::ranges::find(explanation.hypotheses, fault) - explanation.hypotheses.begin();
      if (place == std::ssize(explanation.hypotheses)) continue;
      TestedHypothesis& candidate = candidates.emplace_back();
      candidate.hypothesis = h;
      candidate.place = static_cast<std::size_t>(place);
    }
    std::ranges::sort(candidates, {}, &TestedHypothesis::place);
    // Where other failures are left, other defects may change the answers inside, and fail some cases outside.
    const bool explains_all = best.reproduced.size() == left.size();
    TestOnNewCases(KnownOf(best),
                   {.evidence = *evidence_,
                    .judge = *judge_,
                    .budget = budget(),
                    .told = told_,
                    .most_otherwise = explains_all ? 1U : 8U},
                   candidates);
    const std::size_t one_of = explains_all ? 10 : 2;
    std::erase_if(candidates, [&](const TestedHypothesis& candidate) {
      const NewCases& tested = candidate.counts;
      if (candidate.refuted) return true;
      if (tested.inside < 3) return !IsAllOfItsSorts(best);
      return one_of * tested.outside_failed > tested.outside;
    });
    if (candidates.empty()) return false;
    explanation.hypotheses.clear();
    for (const TestedHypothesis& candidate : candidates) {
      explanation.hypotheses.push_back(&evidence_->hypothesis(candidate.hypothesis).fault());
    }
    explanation.tested = candidates.front().counts;
    explanation.compared += explanation.tested.total();
    return true;
  }

  /// Whether the hypothesis fails many of the other failing cases too, but not as the backend does: more than it
  /// reproduces, or most of the others. Where two defects meet in a case, neither of them alone gives its
  /// answer, but a backend with two defects fails many cases by the other one alone.
  bool FailsOtherwise(const Score& best, const std::vector<std::size_t>& left) {
    std::size_t otherwise = 0;
    for (const std::size_t t : left) {
      if (std::ranges::binary_search(best.reproduced, t) || evidence_->trial(t).wrong.empty()) continue;
      // What was told before is a defect of its own.
      if (AnyFails(told_, *evidence_->trial(t).prepared, *evidence_)) continue;
      otherwise += evidence_->Contradicts(best.hypothesis, t) ? 1 : 0;
    }
    return otherwise > best.reproduced.size() || 2 * otherwise > left.size() - best.reproduced.size();
  }

  bool IsAllOfItsSorts(const Score& best) const {
    std::set<FailureSort> sorts;
    for (const std::size_t t : best.reproduced) sorts.insert(SortOfTrial(t));
    return std::ranges::all_of(failures_, [&](std::size_t t) {
      return !sorts.contains(SortOfTrial(t)) || std::ranges::binary_search(best.reproduced, t);
    });
  }

  /// The failures that it reproduces, and some passes.
  std::vector<KnownCase> KnownOf(const Score& best) const {
    std::vector<KnownCase> known;
    const auto add = [&](std::size_t result) {
      for (KnownCase& one : KnownCasesOf(results_.subspan(result, 1))) known.push_back(std::move(one));
    };
    for (const std::size_t t : best.reproduced) add(evidence_->trial(t).result);
    for (std::size_t i = 0; i < std::min(kPassesOfPool, sample_.others.size()); ++i) add(sample_.others[i]);
    return known;
  }

  /// Some forty hypotheses need a worker each, and the backend meets all cases again beside them. Returns whether they
  /// ran now: once, if something is left that they can explain.
  bool RunWorkersFor(const std::vector<std::size_t>& left) {
    const bool open = std::ranges::any_of(left, [&](std::size_t t) { return !LooksAlike(SortOfTrial(t)); });
    const std::size_t trials = passes_.size() + failures_.size();
    if (workers_ran_ || !open || budget().left() < trials) return false;
    workers_ran_ = true;
    budget().asked += trials;
    return evidence_->RunWorkers(options_.backend, options_.limits, budget());
  }

  bool IsForWorker(std::size_t h) { return evidence_->hypothesis(h).NeedsWorker(); }

  std::span<const CaseResult> results_;
  DiagnosisOptions options_;
  Sample sample_;
  std::unique_ptr<ObservingJudge> judge_;
  std::unique_ptr<Evidence> evidence_;
  std::vector<std::size_t> failures_;  ///< trials
  std::vector<std::size_t> probes_;    ///< the same trials, every sort of failure in turn
  std::vector<std::size_t> passes_;
  std::vector<std::size_t> vanished_;  ///< results
  std::size_t observed_ = 0;           ///< questions until all cases were observed
  std::vector<std::size_t> told_;      ///< hypotheses in this process
  bool workers_ran_ = false;
};

Diagnoser::Diagnoser(std::span<const CaseResult> results, DiagnosisOptions options)
    : work_(std::make_unique<Work>(results, std::move(options))) {}
Diagnoser::~Diagnoser() = default;

std::optional<BackendError> Diagnoser::Observe() { return work_->Observe(); }
Diagnosis Diagnoser::Explain(const std::set<std::string_view>& without) { return work_->Explain(without); }
std::unique_ptr<WrongOutputs> Diagnoser::WrongOutputsOf(std::size_t result) const {
  return work_->WrongOutputsOf(result);
}
QuestionBudget& Diagnoser::budget() { return work_->budget(); }

}  // namespace conformance
