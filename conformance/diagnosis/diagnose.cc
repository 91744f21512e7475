// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains failures by hypotheses. A hypothesis is a planted fault: a backend with one known defect. Each round finds
// the hypothesis that gives the same answers as the backend on most remaining failures, and fails no passing case. New
// cases then refute hypotheses that fit the run only by chance. A trial is a case that the backend ran once more here.

#include "conformance/diagnosis/diagnose.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "conformance/diagnosis/evidence.h"
#include "conformance/diagnosis/explanation_steps.h"
#include "conformance/diagnosis/failure_signature.h"
#include "conformance/diagnosis/known_cases.h"

namespace conformance {
namespace {

// The probes are some failures of every signature. A hypothesis that reproduces no probe is dropped. The hypotheses
// that reproduce the most probes, kCandidates of them, are tried on all failures.
constexpr std::size_t kProbes = 12;
constexpr std::size_t kCandidates = 48;
constexpr std::size_t kMostTested = 24;       // hypotheses that are tested on new cases
constexpr std::size_t kPartOfHypotheses = 4;  // they may take a quarter of the budget; conditions need the rest
constexpr std::size_t kPartOfLeftOut = 8;     // a fault that is confirmed is tried on failures that were left out
constexpr std::size_t kPassesOfPool = 200;    // passing cases around which new cases are made
// New cases that a hypothesis may fail in another way than the backend. Eight of 40 if another defect may interfere.
constexpr std::size_t kMostOtherwise = 1;
constexpr std::size_t kMostOtherwiseBesideOthers = 8;
constexpr std::size_t kRareOtherwise = 5;  // a second defect is rare if it changes one of so many failures
// The backend may fail one in this many of the new cases that the hypothesis passes. If other failures remain, it may
// fail more of them, because of another defect. If more than a quarter fails, the hypothesis probably covers only a
// part of the defect: the fault is "at stride 1", but the defect is at every stride.
constexpr std::size_t kOneOutsideOf = 10;
constexpr std::size_t kOneOutsideOfBesideOthers = 4;

struct Score {
  std::size_t hypothesis = 0;
  std::vector<std::size_t> reproduced;  ///< indices of trials
  std::size_t same = 0;                 ///< how many of these trials it reproduces bit for bit
};

}  // namespace

class Diagnoser::Work {
 public:
  Work(std::span<const CaseResult> results, DiagnosisOptions options)
      : results_(results), options_(std::move(options)) {
    options_.limits.on_run = nullptr;
  }

  std::optional<BackendError> Observe() {
    judge_ = options_.recorded
                 ? std::make_unique<ObservingJudge>(*options_.recorded, options_.limits)
                 : std::make_unique<ObservingJudge>(options_.backend, options_.limits, std::make_shared<TrialSetup>());
    if (auto error = judge_->Start()) return error;
    evidence_ = std::make_unique<Evidence>(judge_->capabilities());
    sample_ = SampleOf(results_, judge_->capabilities(), Scaled(options_.sample, options_.budget.questions));
    // Keep the order of the run, because a failure may depend on earlier cases.
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
    // The probes are in the order of the sample, in which the signatures of failures take turns.
    std::vector<std::size_t> sample_order(results_.size());
    for (std::size_t i = 0; i < sample_.failures.size(); ++i) sample_order[sample_.failures[i].result] = i;
    probes_ = failures_;
    std::ranges::sort(probes_, {}, [&](std::size_t t) { return sample_order[evidence_->trial(t).result]; });
    return std::nullopt;
  }

  Diagnosis Explain(const std::set<std::string_view>& without) {
    Diagnosis diagnosis;
    diagnosis.failures = sample_.all_failures;
    std::set<std::string_view> excluded = without;
    confirmed_.clear();
    std::vector<std::size_t> left = failures_;
    std::size_t tested = 0;
    while (!left.empty() && !budget().late()) {
      std::optional<Score> best = Best(left, excluded);
      if ((!best || best->reproduced.size() < left.size()) && RunWorkersFor(left)) best = Best(left, excluded);
      if (!best) break;
      if (tested++ == kMostTested || budget().asked > observed_ + left_out_ + budget().questions / kPartOfHypotheses) {
        budget().cut = true;
        break;
      }
      std::vector<TestedHypothesis> equal = EqualTo(*best, left, excluded);
      for (const TestedHypothesis& one : equal) excluded.insert(FaultOf(one)->name);
      Confirm(*best, left, equal);
      if (equal.empty()) continue;
      if (!IsForWorker(equal.front().hypothesis)) confirmed_.push_back(equal.front().hypothesis);
      std::erase_if(left,
                    [&](std::size_t t) { return std::ranges::find(best->reproduced, t) != best->reproduced.end(); });
      AddLeftOut(*best, left, equal);
      diagnosis.explanations.push_back(ExplanationOf(*best, equal));
    }
    diagnosis.vanished = vanished_;
    diagnosis.tried = failures_.size() + vanished_.size();
    diagnosis.excuses = RemoveExcused(results_, *evidence_, left);
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

  const DiagnosisOptions& options() const { return options_; }
  QuestionBudget& budget() { return options_.budget; }

 private:
  /// Runs the case again and stores the backend's behaviour.
  void Try(std::size_t result, const SuiteCase& suite_case) {
    Case one_run = suite_case.test_case;
    one_run.repeats.reset();
    auto prepared = PrepareCase(one_run, evidence_->declared());
    if (!prepared || !budget().Ask()) return;
    prepared->test_case.repeats = suite_case.test_case.repeats;
    Behaviour behaviour = judge_->Observe(suite_case);
    if (budget().interrupted()) return;  // the verdict may be due to the interruption
    const Status status = behaviour.verdict.verdict.status;
    if (status != Status::kFail && !IsRight(status)) return;
    if (status != Status::kFail && results_[result].verdict.status == Status::kFail) {
      // A law compares several operators. The operator that the verdict names may fail alone.
      if (const auto& related = results_[result].verdict.facts.related) {
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

  bool Explains(std::size_t h, std::size_t t) { return evidence_->SimilarityOf(h, t) != Similarity::kNone; }

  /// Whether the hypothesis would have failed a passing trial. Implementations are separate code: one that ran none of
  /// the reproduced failures may be right where the others are wrong. `of_others`: ask about trials of those.
  bool ContradictsAPass(std::size_t h, const std::vector<std::size_t>& reproduced, bool of_others = false) {
    const std::set<std::string> implementations = evidence_->ImplementationsOf(reproduced);
    return std::ranges::any_of(passes_, [&](std::size_t t) {
      const std::string& name = evidence_->ImplementationOf(t);
      const bool is_other = !implementations.empty() && !name.empty() && !implementations.contains(name);
      return is_other == of_others && evidence_->Contradicts(h, t);
    });
  }

  FailureSignature SignatureOfTrial(std::size_t t) const { return SignatureOf(evidence_->trial(t).behaviour.verdict); }

  /// At most `most` of the failures; all signatures take turns.
  std::vector<std::size_t> SomeOf(const std::vector<std::size_t>& failures, std::size_t most) const {
    std::vector<std::size_t> some;
    for (const std::size_t t : probes_) {
      if (some.size() < most && std::ranges::binary_search(failures, t)) some.push_back(t);
    }
    return some;
  }

  /// The hypothesis that reproduces most of the failures (see ReproducedOf) and would fail no passing trial.
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
        return evidence_->SimilarityOf(score.hypothesis, t) == Similarity::kSame;
      }));
    }
    std::ranges::sort(scores, most_first);
    for (Score& score : scores) {
      if (!score.reproduced.empty() && !ContradictsAPass(score.hypothesis, score.reproduced)) return std::move(score);
    }
    return std::nullopt;
  }

  std::vector<std::size_t> ReproducedOf(std::size_t h, const std::vector<std::size_t>& failures) {
    std::vector<std::size_t> reproduced;
    std::set<FailureSignature> missed;
    for (const std::size_t t : failures) {
      if (Explains(h, t)) {
        reproduced.push_back(t);
      } else {
        missed.insert(SignatureOfTrial(t));
      }
    }
    std::erase_if(reproduced, [&](std::size_t t) {
      const FailureSignature signature = SignatureOfTrial(t);
      return LooksAlike(signature) && missed.contains(signature);
    });
    return reproduced;
  }

  /// Tries some wrong outputs that the sample left out and that the hypothesis fails, too. Adds those that it
  /// reproduces, and erases from `equal` the hypotheses that do not. All hypotheses share an eighth of the questions.
  void AddLeftOut(Score& best, std::vector<std::size_t>& left, std::vector<TestedHypothesis>& equal) {
    if (IsForWorker(best.hypothesis) || options_.recorded) return;
    std::set<std::size_t> tried(vanished_.begin(), vanished_.end());
    for (const std::size_t t : failures_) tried.insert(evidence_->trial(t).result);
    const std::size_t most = budget().questions / kPartOfLeftOut;
    for (std::size_t i = 0; i < results_.size() && left_out_ < most && !budget().late(); ++i) {
      const CaseResult& result = results_[i];
      if (!result.verdict.IsNewFailure() || tried.contains(i) || KnownCasesOf({&result, 1}).empty()) continue;
      if (CauseKindOf(result.verdict.failure) != CauseKind::kWrongOutput) continue;
      const auto prepared = PrepareCase(*result.judged.test_case, evidence_->declared());
      if (!prepared || !AnyFails({best.hypothesis}, *prepared, *evidence_)) continue;
      const std::size_t failures = failures_.size(), asked = budget().asked;
      Try(i, SuiteCaseOf(result));
      left_out_ += budget().asked - asked;
      if (failures_.size() == failures) continue;
      const std::size_t t = failures_.back();
      probes_.push_back(t);
      const bool reproduced = Explains(best.hypothesis, t);
      (reproduced ? best.reproduced : left).push_back(t);
      if (reproduced) std::erase_if(equal, [&](const TestedHypothesis& one) { return !Explains(one.hypothesis, t); });
    }
  }

  const faults::Fault* FaultOf(const TestedHypothesis& tested) {
    return &evidence_->hypothesis(tested.hypothesis).fault();
  }

  /// The best hypothesis, followed by all that reproduce the same failures equally well.
  std::vector<TestedHypothesis> EqualTo(const Score& best, const std::vector<std::size_t>& failures,
                                        const std::set<std::string_view>& without) {
    std::vector<TestedHypothesis> equal(1);
    equal.front().hypothesis = best.hypothesis;
    for (std::size_t h = 0; h < evidence_->hypotheses(); ++h) {
      if (h == best.hypothesis || without.contains(evidence_->hypothesis(h).fault().name)) continue;
      if (IsForWorker(h) != IsForWorker(best.hypothesis) || !IsEqual(h, best, failures)) continue;
      equal.emplace_back().hypothesis = h;
    }
    return equal;
  }

  Explanation ExplanationOf(const Score& best, const std::vector<TestedHypothesis>& equal) {
    Explanation explanation;
    for (const TestedHypothesis& one : equal) explanation.hypotheses.push_back(FaultOf(one));
    for (const std::size_t t : best.reproduced) explanation.failures.push_back(evidence_->trial(t).result);
    explanation.tested = equal.front().counts;
    if (equal.front().others_pass || ContradictsAPass(best.hypothesis, best.reproduced, true))
      explanation.implementations = evidence_->ImplementationsOf(best.reproduced);
    explanation.compared = passes_.size() + failures_.size() + explanation.tested.total();
    return explanation;
  }

  bool IsEqual(std::size_t h, const Score& best, const std::vector<std::size_t>& failures) {
    std::size_t same = 0;
    for (const std::size_t t : failures) {
      const bool reproduced = std::ranges::binary_search(best.reproduced, t);
      if (reproduced && !Explains(h, t)) return false;
      same += reproduced && evidence_->SimilarityOf(h, t) == Similarity::kSame ? 1 : 0;
    }
    return same == best.same && ReproducedOf(h, failures) == best.reproduced && !ContradictsAPass(h, best.reproduced);
  }

  /// Erases from `equal` the hypotheses that new cases do not confirm. If few new cases can be made, the hypotheses
  /// must reproduce all failures with their signatures.
  void Confirm(const Score& best, const std::vector<std::size_t>& left, std::vector<TestedHypothesis>& equal) {
    if (IsForWorker(best.hypothesis) ? !IsAllWithItsSignatures(best) : FailsOtherwise(best, left)) equal.clear();
    if (equal.empty() || IsForWorker(best.hypothesis)) return;
    if (options_.recorded && !IsAllWithItsSignatures(best)) equal.clear();
    if (options_.recorded) return;  // no new case has outputs
    // If other failures remain, other defects may change answers that the hypothesis predicts, and fail further cases.
    const bool explains_all = best.reproduced.size() == left.size();
    TestOnNewCases(RecordedResultsOf(best),
                   {.evidence = *evidence_,
                    .judge = *judge_,
                    .budget = budget(),
                    .confirmed = confirmed_,
                    .most_otherwise = explains_all ? kMostOtherwise : kMostOtherwiseBesideOthers},
                   equal);
    const std::size_t one_of = explains_all ? kOneOutsideOf : kOneOutsideOfBesideOthers;
    std::erase_if(equal, [&](const TestedHypothesis& tested) {
      if (tested.refuted || tested.counts.inside < 3) return tested.refuted || !IsAllWithItsSignatures(best);
      const bool half_differ = 2 * tested.counts.inside_failed <= tested.counts.inside;
      return half_differ || one_of * tested.counts.outside_failed > tested.counts.outside;
    });
  }

  /// Whether the hypothesis also fails many of the other failing cases, but with other answers than the backend: more
  /// cases than it reproduces, or most of the others. A few such cases are no objection: if a backend has two defects,
  /// some cases show both, and neither defect alone gives the answer. But most cases show only one defect.
  bool FailsOtherwise(const Score& best, const std::vector<std::size_t>& left) {
    std::size_t otherwise = 0;
    for (const std::size_t t : left) {
      if (std::ranges::binary_search(best.reproduced, t) || evidence_->trial(t).wrong.empty()) continue;
      // A hypothesis that an earlier round confirmed explains why this case fails.
      if (AnyFails(confirmed_, *evidence_->trial(t).prepared, *evidence_)) continue;
      otherwise += evidence_->Contradicts(best.hypothesis, t) ? 1 : 0;
    }
    const std::size_t most = best.reproduced.size();
    return otherwise > most || (kRareOtherwise * otherwise > most && 2 * otherwise > left.size() - most);
  }

  bool IsAllWithItsSignatures(const Score& best) const {
    std::set<FailureSignature> signatures;
    for (const std::size_t t : best.reproduced) signatures.insert(SignatureOfTrial(t));
    return std::ranges::all_of(failures_, [&](std::size_t t) {
      return !signatures.contains(SignatureOfTrial(t)) || std::ranges::binary_search(best.reproduced, t);
    });
  }

  /// The failures that the hypothesis reproduces, and some passes.
  std::vector<KnownCase> RecordedResultsOf(const Score& best) const {
    std::vector<KnownCase> known;
    const auto add = [&](std::size_t result) {
      for (KnownCase& one : KnownCasesOf(results_.subspan(result, 1))) known.push_back(std::move(one));
    };
    for (const std::size_t t : best.reproduced) add(evidence_->trial(t).result);
    for (std::size_t i = 0; i < std::min(kPassesOfPool, sample_.others.size()); ++i) add(sample_.others[i]);
    return known;
  }

  /// Runs the hypotheses that need a process of their own (some forty) and the backend on all trials again. Does so
  /// once at most, and only if they can explain some of the remaining failures. Returns whether they ran now.
  bool RunWorkersFor(const std::vector<std::size_t>& left) {
    const bool open = std::ranges::any_of(left, [&](std::size_t t) {
      return !LooksAlike(SignatureOfTrial(t)) && (options_.tries_state || evidence_->trial(t).wrong.empty());
    });
    const std::size_t trials = passes_.size() + failures_.size();
    if (workers_ran_ || !open || options_.recorded || budget().left() < trials) return false;
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
  std::vector<std::size_t> probes_;    ///< the same trials, ordered so that signatures alternate
  std::vector<std::size_t> passes_;
  std::vector<std::size_t> vanished_;   ///< results
  std::size_t observed_ = 0;            ///< cases that Observe ran
  std::size_t left_out_ = 0;            ///< cases that AddLeftOut ran
  std::vector<std::size_t> confirmed_;  ///< confirmed hypotheses that run in this process
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
const DiagnosisOptions& Diagnoser::options() const { return work_->options(); }
QuestionBudget& Diagnoser::budget() { return work_->budget(); }

}  // namespace conformance
