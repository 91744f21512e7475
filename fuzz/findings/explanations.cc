// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the failing cases of a campaign with the known causes, the defects of the backend that were recognized so
// far. A planted fault (a known defect of a test backend) describes a cause if it gives the same wrong answers; without
// one, the smallest failing case does. The comparisons run the backend on more cases in the middle of the search, so
// they may take only a share of its time.

#include "fuzz/findings/explanations.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "conformance/case/minimize_case.h"
#include "fuzz/cases/case_input.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::FailureClass;
using conformance::Hypothesis;
using conformance::PreparedCase;
using conformance::Similarity;
using conformance::Trial;
using conformance::faults::Fault;

// The comparisons may take this time, and a share of the time of the search (kShareOfTime).
constexpr std::chrono::seconds kTimeAtStart(5);
// If more planted faults than this give the answer, the case is too small to tell which fault it is.
constexpr std::size_t kMostEqual = 12;
// Passing cases with which hypotheses (planted faults that may be the cause) are checked. Every 16th passing case is
// remembered, and only the last 12 of these.
constexpr std::size_t kRememberedPasses = 12;
constexpr std::size_t kPassesApart = 16;
// The most runs to minimize a case. A case in a worker takes about a millisecond; a crash also costs a new process.
constexpr std::size_t kMostRuns = 250;
constexpr std::size_t kMostRunsOfCrash = 40;
constexpr std::chrono::seconds kMostTimeToMinimize(2);
// The most combinations of faults that are kept, each with an open backend.
constexpr std::size_t kMostJoined = 64;
// The most simpler cases that are tried in one search for a simpler failing case.
constexpr std::size_t kMostSimplerCases = 10;

/// Whether the failure may end or damage the process, so that there is no output to compare.
bool MayEndProcess(FailureClass failure) {
  return failure == FailureClass::kCrash || failure == FailureClass::kOutOfBounds || failure == FailureClass::kMemory ||
         failure == FailureClass::kModifiedInput;
}

/// Whether one defect may give both failure classes. A defect may give wrong values, values at outputs to which no
/// product belongs ("gaps", which must be 0), outputs that were not written, and NaN.
bool MayHaveOneDefect(FailureClass one, FailureClass other) {
  const auto is_value = [](FailureClass failure) {
    return failure == FailureClass::kWrongValue || failure == FailureClass::kGapNotZero ||
           failure == FailureClass::kUnwritten || failure == FailureClass::kWrongNan;
  };
  return one == other || (is_value(one) && is_value(other));
}

}  // namespace

/// Whether there is time for another comparison.
bool Explanations::HasTime() const {
  const auto share = std::chrono::duration<double>(Clock::now() - start_) * share_of_time_;
  return spent_ < kTimeAtStart + std::chrono::duration_cast<Clock::duration>(share);
}

Explanations::Answer Explanations::ExplainOrLearn(const Case& test_case, const JudgedInput& judged,
                                                  std::optional<Case>& smaller) {
  if (!HasTime()) return Answer::kNoTime;
  const auto begin = Clock::now();
  if (IsExplainedBySettledCause(test_case, judged)) {
    spent_ += Clock::now() - begin;
    return Answer::kExplained;
  }
  const auto trial = TrialOn(test_case, judged);
  if (!trial) {
    // The case is too large for planted faults. They can be tried on a smaller case that fails in the same class.
    const auto small = SmallFailingCaseLike(test_case, judged.finding->failure);
    if (small) {
      if (const JudgedInput of_small = judge_.JudgeAgain(*small); of_small.finding) {
        spent_ += Clock::now() - begin;
        const Answer answer = ExplainOrLearn(*small, of_small, smaller);
        if (answer == Answer::kNew && !smaller) smaller = small;
        return answer;
      }
    }
  }
  KnownCause* known = trial ? FindByHypothesis(*trial) : nullptr;
  if (known == nullptr) known = FindBySmallest(test_case, judged.finding->failure);
  // The case may also have a second defect, which the known one hides. A simpler case without the features of the known
  // cause then still fails.
  const auto hidden = known != nullptr && known->smallest ? FailingCaseWithout(test_case, *known) : std::nullopt;
  bool is_new = true;
  if (hidden) {
    smaller = hidden;
    if (const JudgedInput of_hidden = judge_.JudgeAgain(*hidden); of_hidden.finding) {
      Learn(*hidden, of_hidden, smaller);
    }
  } else if (known != nullptr) {
    is_new = ++known->explained <= kExamples;
  } else {
    Learn(test_case, judged, smaller);
  }
  spent_ += Clock::now() - begin;
  return is_new ? Answer::kNew : Answer::kExplained;
}

/// Whether a settled cause gives the same bits as the backend, alone or together with the other settled causes. A cause
/// is settled if it has one planted fault left and enough examples. Most failing cases are answered here, so the checks
/// are ordered by their cost.
bool Explanations::IsExplainedBySettledCause(const Case& test_case, const JudgedInput& judged) {
  const std::vector<conformance::Call>& calls = judged.behaviour.calls;
  std::vector<Hypothesis*> settled;
  std::vector<const Fault*> faults;
  for (KnownCause& known : known_) {
    if (known.hypotheses.size() != 1 || known.explained <= kExamples) continue;
    settled.push_back(&known.hypotheses.front());
    faults.push_back(&settled.back()->fault());
  }
  if (MayEndProcess(judged.finding->failure) || calls.size() != 1 || settled.empty()) return false;
  const auto prepared = conformance::PrepareCase(test_case, judge_.declared());
  if (prepared == nullptr || !prepared->valid()) return false;
  const conformance::Call& call = calls.front();
  const auto gives_answer = [&](Hypothesis& hypothesis) {
    const conformance::Call of_fault = hypothesis.Run(*prepared, call.poison);
    return of_fault.answer.answer == call.answer.answer && of_fault.answer.output_dims == call.answer.output_dims &&
           of_fault.output == call.output;
  };
  if (std::ranges::any_of(settled, [&](Hypothesis* hypothesis) { return gives_answer(*hypothesis); })) return true;
  // If not all faults can be joined, each is joined with as many others as possible.
  for (std::size_t i = 0; faults.size() > 1 && i < faults.size(); ++i) {
    JoinedFaults& together = Joined(faults);
    if (gives_answer(together.hypothesis())) return true;
    if (together.is_complete()) break;
    std::ranges::rotate(faults, faults.begin() + 1);
  }
  return false;
}

/// Returns the first planted fault of each cause that has one, without the cause `besides`.
std::vector<const Fault*> Explanations::NamedFaults(const KnownCause* besides) const {
  std::vector<const Fault*> faults;
  for (const KnownCause& known : known_) {
    if (&known != besides && !known.hypotheses.empty()) faults.push_back(&known.hypotheses.front().fault());
  }
  return faults;
}

/// Returns the backend with those of `faults` that can be joined. The first one is always among them, unless it needs a
/// process of its own. The reference is valid until the next call.
JoinedFaults& Explanations::Joined(const std::vector<const Fault*>& faults) {
  if (joined_.size() >= kMostJoined) joined_.clear();
  return joined_.try_emplace(faults, faults).first->second;
}

/// Whether the fault gives the answer of the trial: alone if `others` is empty, otherwise together with those of them
/// that can be joined with it.
bool Explanations::GivesAnswer(const Trial& trial, Hypothesis& hypothesis, std::vector<const Fault*> others) {
  if (others.empty()) return ReproductionOf(trial, hypothesis, judge_.declared()) != Similarity::kNone;
  others.insert(others.begin(), &hypothesis.fault());
  JoinedFaults& together = Joined(others);
  return together.Has(*others.front()) && together.GivesAnswerOf(trial, judge_.declared());
}

/// Returns a simpler case that fails in the same class and is small enough for planted faults, or nothing.
std::optional<Case> Explanations::SmallFailingCaseLike(const Case& test_case, FailureClass failure) {
  std::size_t tried = 0;
  for (Case& simpler : conformance::SimplerCases(test_case)) {
    if (conformance::PrepareCase(simpler, judge_.declared()) == nullptr) continue;
    if (++tried > kMostSimplerCases) break;
    const JudgedInput judged = judge_.JudgeAgain(simpler);
    if (judged.finding && judged.finding->failure == failure) return std::move(simpler);
  }
  return std::nullopt;
}

void Explanations::NotePassed(const Case& test_case) {
  if (passed_++ % kPassesApart != 0) return;
  auto prepared = conformance::PrepareCase(test_case, judge_.declared());
  if (prepared == nullptr) return;
  passes_.push_back(std::move(prepared));
  if (passes_.size() > kRememberedPasses) passes_.pop_front();
}

/// Makes a trial: the case with the backend's answer, on which planted faults are tried. Returns nothing if the case is
/// too large for planted faults.
std::optional<Trial> Explanations::TrialOn(const Case& test_case, const JudgedInput& judged) const {
  auto prepared = conformance::PrepareCase(test_case, judge_.declared());
  if (prepared == nullptr) return std::nullopt;
  return conformance::TrialOf(0, std::move(prepared), judged.behaviour, judge_.declared());
}

/// Returns the first cause with a planted fault that gives this answer alone. If there is none, returns the last cause
/// with a fault that gives the answer together with the faults of the other causes. These must not give it without that
/// fault. Otherwise returns null. Removes those planted faults of the returned cause that do not give the answer: they
/// are not its defect.
Explanations::KnownCause* Explanations::FindByHypothesis(const Trial& trial) {
  const auto explains = [&](KnownCause& known, const std::vector<const Fault*>& others) {
    const auto gives_answer = [&](Hypothesis& hypothesis) { return GivesAnswer(trial, hypothesis, others); };
    const auto contradicted = std::ranges::partition(known.hypotheses, gives_answer);
    if (contradicted.begin() == known.hypotheses.begin()) return false;
    known.hypotheses.erase(contradicted.begin(), contradicted.end());
    return true;
  };
  const auto alone = std::ranges::find_if(known_, [&](KnownCause& known) { return explains(known, {}); });
  if (alone != known_.end()) return &*alone;
  // The causes that were learnt last come first, because they lack examples.
  const auto latest_first = known_ | std::views::reverse;
  const auto together = std::ranges::find_if(latest_first, [&](KnownCause& known) {
    const std::vector<const Fault*> others = NamedFaults(&known);
    return !others.empty() && !Joined(others).GivesAnswerOf(trial, judge_.declared()) && explains(known, others);
  });
  return together == latest_first.end() ? nullptr : &*together;
}

/// Returns the first cause whose smallest case explains this case, or null.
Explanations::KnownCause* Explanations::FindBySmallest(const Case& test_case, FailureClass failure) {
  const auto explains = [&](KnownCause& known) {
    return known.smallest && MayHaveOneDefect(known.failure, failure) &&
           HasFeaturesOf(known.smallest->test_case(), test_case) &&
           (MayEndProcess(known.failure) ||
            known.smallest->HasEffectOn(test_case, [this](const Case& changed) { return StillFails(changed); }));
  };
  const auto known = std::ranges::find_if(known_, explains);
  return known == known_.end() ? nullptr : &*known;
}

/// Whether a smallest case still fails after one of its fields got another value, and not by another cause with a
/// planted fault. `changed` is the case after the change. A case that cannot be judged counts as a failure.
bool Explanations::StillFails(const Case& changed) {
  if (!judge_.IsValid(changed) || IsTooLarge(changed)) return true;
  const JudgedInput judged = judge_.JudgeAgain(changed);
  const auto trial = judged.finding ? TrialOn(changed, judged) : std::nullopt;
  return judged.finding && (!trial || FindByHypothesis(*trial) == nullptr);
}

/// Returns a simpler case that lacks a feature of the known cause and still fails, or nothing.
std::optional<Case> Explanations::FailingCaseWithout(const Case& test_case, const KnownCause& known) {
  std::size_t tried = 0;
  for (Case& simpler : conformance::SimplerCases(test_case)) {
    if (HasFeaturesOf(known.smallest->test_case(), simpler)) continue;
    if (++tried > kMostSimplerCases) break;
    if (FailsUnexplained(simpler, known.failure)) return std::move(simpler);
  }
  return std::nullopt;
}

/// Whether a case fails in this class or a similar one, and no known cause explains it.
bool Explanations::FailsUnexplained(const Case& test_case, FailureClass failure) {
  if (IsTooLarge(test_case)) return false;
  const JudgedInput judged = judge_.JudgeAgain(test_case);
  if (!judged.finding || !MayHaveOneDefect(judged.finding->failure, failure)) return false;
  if (FindBySmallest(test_case, failure) != nullptr) return false;
  const auto trial = TrialOn(test_case, judged);
  return !trial || FindByHypothesis(*trial) == nullptr;
}

/// Returns the planted faults that give this answer and with which all remembered passes still pass. Looks first for
/// faults that give it alone, then for faults that give it together with those of NamedFaults(). Returns none if more
/// than kMostEqual remain.
std::vector<Hypothesis> Explanations::HypothesesOf(const Trial& trial) {
  std::vector<Hypothesis> hypotheses = HypothesesWith({}, trial);
  const std::vector<const Fault*> named = NamedFaults();
  if (hypotheses.empty() && !named.empty()) hypotheses = HypothesesWith(named, trial);
  if (hypotheses.size() > kMostEqual) hypotheses.clear();
  return hypotheses;
}

/// Returns the planted faults that give this answer together with `others`, but at most one more than kMostEqual.
std::vector<Hypothesis> Explanations::HypothesesWith(const std::vector<const Fault*>& others, const Trial& trial) {
  std::vector<Hypothesis> hypotheses;
  for (const Fault& fault : conformance::faults::Faults()) {
    Hypothesis hypothesis(fault);
    if (hypothesis.NeedsWorker() || (hypothesis.OnlyChangesValues() && trial.wrong.empty())) continue;
    if (!GivesAnswer(trial, hypothesis, others)) continue;
    const bool fails_a_pass = std::ranges::any_of(passes_, [&](const auto& pass) {
      return !IsRight(*pass, hypothesis.Run(*pass, conformance::kFirstPoison), judge_.declared());
    });
    if (fails_a_pass) continue;
    hypotheses.push_back(std::move(hypothesis));
    if (hypotheses.size() > kMostEqual) break;
  }
  return hypotheses;
}

/// Adds a new cause: by planted faults if some give the answer, otherwise by the smallest case.
void Explanations::Learn(const Case& test_case, const JudgedInput& judged, std::optional<Case>& smaller) {
  KnownCause learnt;
  learnt.failure = judged.finding->failure;
  learnt.explained = 1;
  if (const auto trial = TrialOn(test_case, judged)) learnt.hypotheses = HypothesesOf(*trial);
  if (learnt.hypotheses.empty()) LearnFromSmallest(test_case, learnt, smaller);
  if (learnt.smallest || !learnt.hypotheses.empty()) known_.push_back(std::move(learnt));
}

/// Minimizes the case, and describes the cause by the smallest case. If two defects act on the case, no planted fault
/// gives its answer. The smallest case often shows one defect alone; its planted faults then describe the cause.
void Explanations::LearnFromSmallest(const Case& test_case, KnownCause& learnt, std::optional<Case>& smaller) {
  const auto fails = [&](const Case& simpler) { return FailsUnexplained(simpler, learnt.failure); };
  if (!fails(test_case)) return;  // it fails by chance, or because of earlier calls
  const conformance::MinimizeCaseLimits limits = {.time = kMostTimeToMinimize,
                                                  .runs = MayEndProcess(learnt.failure) ? kMostRunsOfCrash : kMostRuns};
  Case smallest = MinimizeCase(test_case, fails, limits).smallest;
  if (!(smallest == test_case)) smaller = smallest;
  const JudgedInput of_smallest = judge_.JudgeAgain(smallest);
  const auto trial = of_smallest.finding ? TrialOn(smallest, of_smallest) : std::nullopt;
  if (trial) learnt.hypotheses = HypothesesOf(*trial);
  if (learnt.hypotheses.empty()) learnt.smallest.emplace(std::move(smallest));
}

}  // namespace fuzz
