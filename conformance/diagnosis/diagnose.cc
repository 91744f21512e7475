// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Works in rounds. Each round finds the hypothesis that explains most of the failures that are left. Failures that no
// hypothesis reproduces get the hypothesis that comes nearest.

#include "conformance/diagnosis/diagnose.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "conformance/case/text/elapsed.h"
#include "conformance/diagnosis/class_evidence.h"
#include "conformance/diagnosis/class_support.h"
#include "conformance/diagnosis/conditions_of_run.h"
#include "conformance/diagnosis/evidence.h"
#include "conformance/diagnosis/ranking.h"

namespace conformance {
namespace {

using std::chrono::steady_clock;

// A hypothesis that reproduces none of this many failures, of every sort, is dropped.
constexpr std::size_t kProbes = 12;
// The hypotheses that reproduce most of them are tried on all failures, and the best of these on the passes.
constexpr std::size_t kCandidates = 48;
constexpr std::size_t kFinalists = 12;
// All hypotheses are ranked by this many failures, and by kRankedPasses passes.
constexpr std::size_t kRankedFailures = 48;
constexpr std::size_t kNearestShown = 3;
// A fault that is less similar than this misleads more often than it helps.
constexpr double kLeastLikenessShown = 0.5;
// From fewer cases no condition is learned: a replay of one case should be quick.
constexpr std::size_t kLeastCases = 20;
constexpr std::size_t kLeastFailures = 3;

struct Score {
  std::size_t hypothesis = 0;
  std::vector<std::size_t> reproduced;  ///< trials
  std::size_t same = 0;                 ///< how many of them bit for bit
  std::vector<std::size_t> contradicted;
  double value = 0;
};

}  // namespace

class Diagnoser::Work {
 public:
  Work(std::span<const CaseResult> results, DiagnosisOptions options)
      : results_(results), options_(std::move(options)), start_(steady_clock::now()) {
    options_.limits.on_run = nullptr;
  }

  std::optional<BackendError> Observe() {
    judge_ = std::make_unique<ObservingJudge>(options_.backend, options_.limits, std::make_shared<TrialSetup>());
    if (auto error = judge_->Start()) return error;
    evidence_ = std::make_unique<Evidence>(judge_->capabilities());
    sample_ = SampleOf(results_, judge_->capabilities(), options_.sample);
    large_ = sample_.large_failures;
    // In the order of the run: a failure may depend on earlier cases.
    std::vector<const SampledCase*> order;
    for (const SampledCase& sampled : sample_.passes) order.push_back(&sampled);
    for (const SampledCase& sampled : sample_.failures) order.push_back(&sampled);
    std::ranges::sort(order, {}, [](const SampledCase* sampled) { return sampled->result; });
    for (const SampledCase* sampled : order) {
      if (Late(0.4)) break;
      Try(sampled->result, sampled->suite_case);
    }
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
    std::vector<std::size_t> left = failures_;
    while (!left.empty() && !Late(1)) {
      std::optional<Score> best = Best(left, without);
      // Some forty hypotheses need a worker each. They run only if the others leave something open.
      const bool open = !best || best->reproduced.size() < left.size() || !best->contradicted.empty();
      if (open && !workers_ran_) {
        workers_ran_ = true;
        evidence_->RunWorkers(options_.backend, options_.limits, DeadlineAt(0.8));
        best = Best(left, without);
      }
      if (!best) break;
      const bool whole = best->reproduced.size() == left.size() && best->contradicted.empty();
      Explanation explanation = ExplanationOf(*best, left, without);
      explanation.mutant_class = explanation.hypotheses.front()->mutant_class;
      // The fault is not exactly this hypothesis, and may belong to another class.
      if (!whole) explanation.mutant_class = ClassOf(Ranking(left, without), left);
      std::erase_if(left,
                    [&](std::size_t t) { return std::ranges::find(best->reproduced, t) != best->reproduced.end(); });
      diagnosis.explanations.push_back(std::move(explanation));
    }
    if (!left.empty() && !Late(1)) {
      const std::vector<Ranked> ranking = Ranking(left, without);
      const std::string_view mutant_class = ClassOf(ranking, left);
      if (ranking.empty() || ranking.front().likeness <= kLeastLikenessShown) {
        diagnosis.unexplained_class = mutant_class;
      } else {
        diagnosis.explanations.push_back(Nearest(ranking, left));
        diagnosis.explanations.back().mutant_class = mutant_class;
        left.clear();
      }
    }
    // If all failures are too large to be tried and all else is right, the backend fails on sizes.
    if (failures_.empty() && !passes_.empty() && 2 * large_ > sample_.all_failures) diagnosis.unexplained_class = "I1";
    for (const std::size_t t : left) diagnosis.unexplained.push_back(evidence_->trial(t).result);
    diagnosis.out_of_time = Late(1);
    diagnosis.seconds = SecondsSince(start_);
    return diagnosis;
  }

  RunConditions FindConditions(double seconds) {
    RunConditions found;
    if (!judge_ || seconds <= 0) return found;
    const std::vector<KnownCase> known = KnownCasesOf(results_);
    const auto failures = static_cast<std::size_t>(std::ranges::count_if(known, &KnownCase::fails));
    if (known.size() < kLeastCases || failures < kLeastFailures) return found;
    Judge judge(options_.backend, LimitsOfQuestions(options_.limits));
    if (judge.Start()) return found;
    const auto ask = [&](const Case& test_case) -> std::optional<bool> {
      SuiteCase suite_case;
      suite_case.test_case = test_case;
      const CaseResult result = judge.JudgeCase(suite_case);
      if (Interrupted()) return std::nullopt;  // the verdict may be due to the interruption
      return FailsOf(result);
    };
    found.conditions = ConditionsOfRun(
        known,
        {.declared = judge.capabilities(), .ask = ask, .seconds = seconds, .interrupt = options_.limits.interrupt});
    for (const std::size_t t : failures_) {
      const Trial& trial = evidence_->trial(t);
      if (!trial.wrong.empty()) {
        found.wrong[trial.result] = {.geometry = trial.prepared->geometry(), .wrong = trial.wrong};
      }
    }
    return found;
  }

 private:
  steady_clock::time_point DeadlineAt(double share) const {
    return start_ +
           std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(share * options_.seconds));
  }
  bool Interrupted() const { return options_.limits.interrupt != nullptr && *options_.limits.interrupt != 0; }
  bool Late(double share) const { return Interrupted() || steady_clock::now() > DeadlineAt(share); }

  /// Runs the case again. Returns the index of its trial, if it became one.
  std::optional<std::size_t> Try(std::size_t result, const SuiteCase& suite_case) {
    auto prepared = PrepareCase(suite_case.test_case, evidence_->declared());
    if (!prepared) {
      // A related operator was not what the sample counted.
      if (results_[result].BreaksLaw()) return std::nullopt;
      large_ += results_[result].status == Status::kFail ? 1 : 0;
      return std::nullopt;
    }
    Behaviour behaviour = judge_->Observe(suite_case);
    if (Interrupted()) return std::nullopt;  // the verdict may be due to the interruption
    const Status status = behaviour.verdict.status;
    if (status != Status::kFail && !IsRight(status)) return std::nullopt;
    if (status != Status::kFail && results_[result].status == Status::kFail) {
      // A law compares several operators. The one that the verdict names may fail by itself.
      if (const auto& related = results_[result].facts.related) {
        SuiteCase alone = suite_case;
        alone.test_case = *related;
        return alone.test_case == suite_case.test_case ? std::nullopt : Try(result, alone);
      }
      if (!results_[result].BreaksLaw()) vanished_.push_back(result);
      return std::nullopt;
    }
    const std::size_t t =
        evidence_->Add(TrialOf(result, std::move(prepared), std::move(behaviour), evidence_->declared()));
    (evidence_->trial(t).failed ? failures_ : passes_).push_back(t);
    return t;
  }

  bool Explains(std::size_t h, std::size_t t) { return evidence_->LikenessOf(h, t) != Likeness::kNone; }

  void CountContradictions(Score& score, std::size_t tried) {
    score.contradicted.clear();
    for (const std::size_t t : passes_) {
      if (evidence_->Contradicts(score.hypothesis, t)) score.contradicted.push_back(t);
    }
    // Of two equal hypotheses the one with equal bits wins; a single contradiction weighs more than that.
    const double share = static_cast<double>(score.reproduced.size()) / static_cast<double>(tried);
    const double exact = static_cast<double>(score.same) / static_cast<double>(tried);
    const double against =
        passes_.empty() ? 0 : static_cast<double>(score.contradicted.size()) / static_cast<double>(passes_.size());
    score.value = (share + 1e-3 * exact) * (1 - against) * (1 - against);
  }

  /// At most this many of the failures, of every sort.
  std::vector<std::size_t> SomeOf(const std::vector<std::size_t>& failures, std::size_t most) const {
    std::vector<std::size_t> some;
    for (const std::size_t t : probes_) {
      if (some.size() < most && std::ranges::binary_search(failures, t)) some.push_back(t);
    }
    // A case that passed in the run may become a failure here.
    return some.empty() ? std::vector(failures.begin(), failures.begin() + 1) : some;
  }

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
      const std::size_t count = one.reproduced.size();
      return count != other.reproduced.size() ? count > other.reproduced.size() : one.hypothesis < other.hypothesis;
    };
    std::ranges::sort(scores, most_first);
    scores.resize(std::min(scores.size(), kCandidates));
    for (Score& score : scores) {
      score.reproduced.clear();
      for (const std::size_t t : failures) {
        if (Late(0.9)) break;
        if (!Explains(score.hypothesis, t)) continue;
        score.reproduced.push_back(t);
        score.same += evidence_->LikenessOf(score.hypothesis, t) == Likeness::kSame ? 1 : 0;
      }
    }
    std::ranges::sort(scores, most_first);
    scores.resize(std::min(scores.size(), kFinalists));
    for (Score& score : scores) CountContradictions(score, failures.size());
    const auto best = std::ranges::max_element(scores, {}, &Score::value);
    if (best == scores.end() || best->value <= 0 || best->reproduced.empty()) return std::nullopt;
    return *best;
  }

  /// The best hypothesis and all that equal it. Further cases are run until none tells them apart.
  Explanation ExplanationOf(Score& best, const std::vector<std::size_t>& failures,
                            const std::set<std::string_view>& without) {
    std::vector<std::size_t> group = {best.hypothesis};
    for (std::size_t h = 0; h < evidence_->hypotheses(); ++h) {
      if (h == best.hypothesis || without.contains(evidence_->hypothesis(h).fault().name)) continue;
      if (IsEqual(h, best, failures)) group.push_back(h);
    }
    Explanation explanation;
    explanation.compared = Separate(group);
    // Among equal ones, a hypothesis of the class to which the failures point goes first.
    if (const auto evidence = ClassEvidenceOf(TrialsOf(failures), TrialsOf(passes_))) {
      const auto first = std::ranges::find_if(group, [&](std::size_t h) {
        return evidence_->hypothesis(h).fault().mutant_class == evidence->mutant_class;
      });
      if (first != group.end()) std::iter_swap(group.begin(), first);
    }
    for (const std::size_t h : group) explanation.hypotheses.push_back(&evidence_->hypothesis(h).fault());
    best.hypothesis = group.front();
    // Further cases that pass may speak against it, too.
    CountContradictions(best, failures.size());
    for (const std::size_t t : best.reproduced) explanation.failures.push_back(evidence_->trial(t).result);
    explanation.tried = failures.size();
    explanation.contradictions = best.contradicted.size();
    explanation.passes = passes_.size();
    return explanation;
  }

  std::vector<const Trial*> TrialsOf(const std::vector<std::size_t>& indices) const {
    std::vector<const Trial*> trials;
    for (const std::size_t t : indices) trials.push_back(&evidence_->trial(t));
    return trials;
  }

  bool IsEqual(std::size_t h, const Score& best, const std::vector<std::size_t>& failures) {
    std::size_t same = 0;
    for (const std::size_t t : failures) {
      const bool reproduced = std::ranges::binary_search(best.reproduced, t);
      if (Explains(h, t) != reproduced) return false;
      same += reproduced && evidence_->LikenessOf(h, t) == Likeness::kSame ? 1 : 0;
    }
    if (same != best.same) return false;
    return std::ranges::all_of(passes_, [&](std::size_t t) {
      return evidence_->Contradicts(h, t) == std::ranges::binary_search(best.contradicted, t);
    });
  }

  /// Runs the backend on cases on which the hypotheses differ, and drops the hypotheses that it proves wrong. Returns
  /// the number of cases on which the remaining ones give the same answer.
  std::size_t Separate(std::vector<std::size_t>& group) {
    std::erase_if(group, [&](std::size_t h) { return h != group.front() && IsForWorker(h) != IsForWorker(group[0]); });
    std::size_t compared = passes_.size() + failures_.size();
    if (group.size() < 2 || IsForWorker(group.front())) return compared;
    for (const std::size_t other : sample_.others) {
      if (group.size() < 2 || Late(0.95)) break;
      const SuiteCase suite_case = SuiteCaseOf(results_[other]);
      const auto prepared = PrepareCase(suite_case.test_case, evidence_->declared());
      if (!prepared) continue;
      bool agree = Agree(group, *prepared);
      if (!agree) {
        DropWrong(group, other, suite_case);
        agree = Agree(group, *prepared);
      }
      compared += agree ? 1 : 0;
    }
    return compared;
  }

  /// Whether these hypotheses give the same answer.
  bool Agree(const std::vector<std::size_t>& group, const PreparedCase& prepared) {
    const Call first = evidence_->hypothesis(group.front()).Run(prepared, kFirstPoison);
    return std::ranges::all_of(group, [&](std::size_t h) {
      return h == group.front() || SameCalls(prepared, first, evidence_->hypothesis(h).Run(prepared, kFirstPoison));
    });
  }

  /// Runs the backend on a case, and drops the hypotheses that do not do what it does.
  void DropWrong(std::vector<std::size_t>& group, std::size_t result, const SuiteCase& suite_case) {
    const auto t = Try(result, suite_case);
    if (!t) return;
    std::vector<std::size_t> stand;
    for (const std::size_t h : group) {
      if (evidence_->trial(*t).failed ? Explains(h, *t) : !evidence_->Contradicts(h, *t)) stand.push_back(h);
    }
    // If none of them does what the backend does, none is better than the others.
    if (!stand.empty()) group = std::move(stand);
  }

  bool IsForWorker(std::size_t h) { return evidence_->hypothesis(h).NeedsWorker(); }

  std::vector<Ranked> Ranking(const std::vector<std::size_t>& failures, const std::set<std::string_view>& without) {
    return RankHypotheses(*evidence_, {.failures = SomeOf(failures, kRankedFailures),
                                       .passes = passes_,
                                       .without = without,
                                       .late = [this] { return Late(1); }});
  }

  std::string_view ClassOf(const std::vector<Ranked>& ranking, const std::vector<std::size_t>& failures) {
    if (rows_of_passes_.empty()) rows_of_passes_ = RowsOfPasses(results_);
    const ClassSupport support = SupportOfClasses(RowsOfTrials(TrialsOf(failures)), rows_of_passes_);
    return LikeliestClass(*evidence_, ranking, TrialsOf(failures), TrialsOf(passes_), support);
  }

  Explanation Nearest(const std::vector<Ranked>& ranking, const std::vector<std::size_t>& failures) const {
    Explanation explanation;
    explanation.reproduces = false;
    explanation.likeness = ranking.front().likeness;
    for (std::size_t i = 0; i < std::min(kNearestShown, ranking.size()); ++i) {
      explanation.hypotheses.push_back(&evidence_->hypothesis(ranking[i].hypothesis).fault());
    }
    for (const std::size_t t : failures) explanation.failures.push_back(evidence_->trial(t).result);
    explanation.tried = std::min(kRankedFailures, failures.size());
    explanation.passes = std::min(kRankedPasses, passes_.size());
    return explanation;
  }

  std::span<const CaseResult> results_;
  DiagnosisOptions options_;
  steady_clock::time_point start_;
  Sample sample_;
  std::unique_ptr<ObservingJudge> judge_;
  std::unique_ptr<Evidence> evidence_;
  std::vector<std::size_t> failures_;  ///< trials
  std::vector<std::size_t> probes_;    ///< the same trials, every sort of failure in turn
  std::vector<std::size_t> passes_;
  std::vector<std::size_t> vanished_;  ///< results
  std::vector<FeatureRow> rows_of_passes_;
  std::size_t large_ = 0;  ///< failures that are too large to be tried
  bool workers_ran_ = false;
};

Diagnoser::Diagnoser(std::span<const CaseResult> results, DiagnosisOptions options)
    : work_(std::make_unique<Work>(results, std::move(options))) {}
Diagnoser::~Diagnoser() = default;

std::optional<BackendError> Diagnoser::Observe() { return work_->Observe(); }
RunConditions Diagnoser::FindConditions(double seconds) { return work_->FindConditions(seconds); }
Diagnosis Diagnoser::Explain(const std::set<std::string_view>& without) { return work_->Explain(without); }

}  // namespace conformance
