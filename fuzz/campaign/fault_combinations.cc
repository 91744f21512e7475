// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains failing cases by combinations of planted faults, defects that a test backend has on purpose. Tries the
// faults of the known causes alone, in twos, in threes and all together, and compares their answers with the backend's.
// Then tries each other planted fault alone and together with each cause. Example: causes A and B. The combinations are
// A, B and A+B. A fault F is then tried as F, A+F and B+F.

#include "fuzz/campaign/fault_combinations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "conformance/case/minimize_case.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/similarity.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::Hypothesis;
using conformance::Trial;

// Only the first causes are combined, because each combination is tried on every case.
constexpr std::size_t kMostCauses = 8;
// The most causes of a combination.
constexpr std::size_t kMostAtOnce = 3;
// The most failures on which each planted fault is tried together with each cause. These failures are called probes
// below. Some six hundred faults take a second.
constexpr std::size_t kProbes = 8;
// The most failures with wrong outputs from which the probes are chosen. Failures without outputs cannot be probes: two
// such answers agree if they are of the same kind, such as a refusal, and many faults give the same kind.
constexpr std::size_t kMostProbesTried = 8 * kProbes;
// A fault must explain at least two failures, because a single failure may agree with an unrelated fault by chance.
constexpr std::size_t kLeastExplained = 2;
// If no cause is known, the evidence is weaker. Then the fault must explain at least half of the probes, and at least
// four.
constexpr std::size_t kLeastExplainedWithoutCause = 4;
// The most explained failures, and the most passing cases, with which another fault is checked: it must contradict none
// of them.
constexpr std::size_t kMostChecked = 24;
// A large case is replaced by a simpler one that is small enough, after this many changes. A case with two large
// numbers needs two, such as data of 8,000 elements with a stride of 5.
constexpr int kMostChanges = 2;
// The most cases that are still too large after the first change and are changed again. The most small cases that are
// run in place of a large one. No measurement chose these two.
constexpr std::size_t kMostStillLarge = 16;
constexpr std::size_t kMostSmallCases = 20;
// If more planted faults than this give the backend's answers equally often, the cases are too few to tell which fault
// it is.
constexpr std::size_t kMostEqual = 12;

/// Whether the fault can run in this process.
bool RunsInThisProcess(const conformance::faults::Fault& fault) { return !Hypothesis(fault).NeedsWorker(); }

}  // namespace

FaultCombinations::FaultCombinations(const std::string& backend, const conformance::JudgeLimits& limits)
    : judge_(backend, limits, std::make_shared<conformance::TrialSetup>()),
      interrupt_(limits.interrupt),
      started_(!judge_.Start()) {}

void FaultCombinations::AddCause(std::string_view fault_name) {
  const std::size_t number = causes_.size();  // of the new cause
  causes_.push_back(conformance::faults::FindFault(fault_name));
  JoinAll();
  if (number >= kMostCauses || !RunsInThisProcess(*causes_.back())) return;
  const std::size_t before = combinations_.size();
  AddCombination({number}, {causes_.back()});
  for (std::size_t i = 0; i < before; ++i) {
    std::vector<std::size_t> causes = combinations_[i].causes;
    if (causes.size() == kMostAtOnce) continue;
    causes.push_back(number);
    std::vector<const Fault*> faults = combinations_[i].faults;
    faults.push_back(causes_.back());
    AddCombination(std::move(causes), std::move(faults));
  }
  std::ranges::sort(combinations_, {}, [](const Combination& one) { return std::pair(one.causes.size(), one.causes); });
}

/// Joins all causes that run in this process, as far as possible, to all_. Does so only if they are more than
/// kMostAtOnce, because fewer form a combination anyway.
void FaultCombinations::JoinAll() {
  Combination all{.causes = {}, .faults = {}, .joined = JoinedFaults(causes_)};
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    if (!all.joined.Has(*causes_[i])) continue;
    all.causes.push_back(i);
    all.faults.push_back(causes_[i]);
  }
  if (all.causes.size() > kMostAtOnce) all_.emplace(std::move(all));
}

/// Adds a combination of causes if all their faults can be joined.
void FaultCombinations::AddCombination(std::vector<std::size_t> causes, std::vector<const Fault*> faults) {
  JoinedFaults joined(faults);
  for (const auto& [one, other] : joined.conflicts()) conflicts_.emplace(one, other);
  if (joined.is_complete()) combinations_.push_back({std::move(causes), std::move(faults), std::move(joined)});
}

/// Runs the backend on the case. Returns nothing if the case is too large for planted faults, if the backend did not
/// start, or after an interruption.
std::optional<Trial> FaultCombinations::ObserveTrial(const Case& test_case) {
  const bool interrupted = interrupt_ != nullptr && *interrupt_ != 0;  // a verdict after that is uncertain
  auto prepared = started_ && !interrupted ? conformance::PrepareCase(test_case, judge_.capabilities()) : nullptr;
  if (prepared == nullptr) return std::nullopt;
  auto behaviour =
      judge_.Observe({.suite = "found", .name = "case", .test_case = test_case, .reason = {}, .declared_output = {}});
  return TrialOf(0, std::move(prepared), std::move(behaviour), judge_.capabilities());
}

/// ObserveTrial() with a cache: each case runs once. Returns null if there is no trial.
const Trial* FaultCombinations::TrialOn(const Case& test_case) {
  const auto [entry, is_new] = trials_.try_emplace(ToLine(test_case));
  if (is_new) entry->second = ObserveTrial(test_case);
  return entry->second ? &*entry->second : nullptr;
}

/// At most `most` trials for which `is_chosen` is true, those on the smallest cases first. Cases that are too large
/// have no trial.
std::vector<const Trial*> FaultCombinations::TrialsOnSmallest(std::vector<Case> cases, std::size_t most,
                                                              const std::function<bool()>& has_time,
                                                              bool (*is_chosen)(const Trial&)) {
  std::ranges::sort(cases, {}, [](const Case& one) {
    const auto elements = [](const oracle::Dims& dims) {
      double count = 1;
      for (const std::int64_t dim : dims) count *= std::max<double>(1, static_cast<double>(dim));
      return count;
    };
    return elements(one.op.data.dims) * elements(one.op.filter.dims);
  });
  std::vector<const Trial*> trials;
  for (const Case& test_case : cases) {
    if (trials.size() == most || !has_time()) break;
    if (const Trial* const trial = TrialOn(test_case); trial != nullptr && is_chosen(*trial)) trials.push_back(trial);
  }
  return trials;
}

/// Returns the first combination of causes that gives the answer of the trial, or null. If more causes act on a case
/// than a combination holds, all causes together (all_) give its answer.
const FaultCombinations::Combination* FaultCombinations::FirstCombinationFor(const Trial& trial) {
  const auto explains = [&](Combination& combination) {
    return combination.joined.GivesAnswerOf(trial, judge_.capabilities());
  };
  const auto found = std::ranges::find_if(combinations_, explains);
  if (found != combinations_.end()) return &*found;
  return all_ && explains(*all_) ? &*all_ : nullptr;
}

/// Returns the causes of all_ that act on the case, if all_ gives its answer: leaves out each cause without which the
/// others still give the answer.
std::vector<std::size_t> FaultCombinations::ActingCauses(const Trial& trial) const {
  std::vector<std::size_t> causes = all_->causes;
  for (const std::size_t cause : all_->causes) {
    std::vector<const Fault*> others;
    for (const std::size_t other : causes) {
      if (other != cause) others.push_back(causes_[other]);
    }
    if (JoinedFaults(others).GivesAnswerOf(trial, judge_.capabilities())) std::erase(causes, cause);
  }
  return causes;
}

std::optional<Case> FaultCombinations::SmallFailingCaseLike(const Case& test_case, conformance::CauseKind kind) {
  if (test_case.sweep || test_case.law || test_case.repeats) return std::nullopt;  // no simpler case is small
  std::size_t tried = 0;
  std::set<std::string> seen_lines;  // two changes in either order give one case
  std::vector<Case> large = {test_case};
  for (int changes = 1; changes <= kMostChanges; ++changes) {
    std::vector<Case> still_large;
    for (const Case& one : large) {
      for (Case& simpler : conformance::SimplerCases(one)) {
        if (!seen_lines.insert(ToLine(simpler)).second) continue;
        if (conformance::PrepareCase(simpler, judge_.capabilities()) == nullptr) {
          if (still_large.size() < kMostStillLarge) still_large.push_back(std::move(simpler));
          continue;
        }
        if (++tried > kMostSmallCases) return std::nullopt;
        const Trial* const trial = TrialOn(simpler);
        if (trial != nullptr && trial->failed && CauseKindOf(trial->behaviour.verdict.verdict.failure) == kind)
          return std::move(simpler);
      }
    }
    large = std::move(still_large);
  }
  return std::nullopt;
}

std::vector<std::size_t> FaultCombinations::CausesExplaining(const Case& test_case) {
  const Trial* const trial = combinations_.empty() ? nullptr : TrialOn(test_case);
  const Combination* const found = trial != nullptr && trial->failed ? FirstCombinationFor(*trial) : nullptr;
  if (found == nullptr) return {};
  return all_ && found == &*all_ ? ActingCauses(*trial) : found->causes;
}

/// Test backends with the fault alone, and with the fault and each cause with which it can be joined.
std::vector<JoinedFaults> FaultCombinations::WithEachCause(const Fault& additional) const {
  std::vector<JoinedFaults> backends;
  backends.emplace_back(std::array<const Fault*, 1>{&additional});
  for (const Fault* const cause : causes_) {
    JoinedFaults both(std::array<const Fault*, 2>{cause, &additional});
    if (both.is_complete()) backends.push_back(std::move(both));
  }
  return backends;
}

/// Whether one of these test backends gives the answer of the backend under test in the trial.
bool FaultCombinations::AnyGivesAnswer(const Trial& trial, std::vector<JoinedFaults>& joined) const {
  return std::ranges::any_of(joined,
                             [&](JoinedFaults& one) { return one.GivesAnswerOf(trial, judge_.capabilities()); });
}

/// Whether the fault contradicts other cases: a passing case fails with it, or an explained failure gets another
/// answer.
bool FaultCombinations::Contradicts(const Fault& additional, const std::vector<const Trial*>& explained,
                                    const std::vector<const Trial*>& passes) {
  // The output is filled with kFirstPoison before the run, so that an output that the fault does not write is wrong.
  Hypothesis alone(additional);
  const auto fails = [&](const Trial* pass) {
    return !IsRight(*pass->prepared, alone.Run(*pass->prepared, conformance::kFirstPoison), judge_.capabilities());
  };
  if (std::ranges::any_of(passes, fails)) return true;
  return std::ranges::any_of(explained, [&](const Trial* trial) {
    const Combination* const by = FirstCombinationFor(*trial);
    if (by == nullptr) return false;
    std::vector<const Fault*> faults = by->faults;
    faults.push_back(&additional);
    JoinedFaults joined(faults);
    return joined.is_complete() && !joined.GivesAnswerOf(*trial, judge_.capabilities());
  });
}

/// Keeps those of equally good faults that explain the most of `failures`.
void FaultCombinations::KeepThoseThatExplainMost(std::vector<const Fault*>& faults,
                                                 const std::vector<const Trial*>& failures) const {
  std::map<const Fault*, std::ptrdiff_t> explained;
  for (const Fault* const fault : faults) {
    std::vector<JoinedFaults> joined = WithEachCause(*fault);
    explained[fault] =
        std::ranges::count_if(failures, [&](const Trial* failure) { return AnyGivesAnswer(*failure, joined); });
  }
  const std::ptrdiff_t most = std::ranges::max(explained | std::views::values);
  std::erase_if(faults, [&](const Fault* fault) { return explained[fault] < most; });
}

std::optional<FaultCombinations::AdditionalFaults> FaultCombinations::FindAdditionalFaults(
    const std::vector<Case>& failures, const std::vector<Case>& explained, const std::vector<Case>& passes,
    const std::function<bool()>& has_time) {
  // Choose the probes: the smallest failures with outputs.
  const std::vector<const Trial*> with_outputs =
      TrialsOnSmallest(failures, kMostProbesTried, has_time, [](const Trial& trial) { return !trial.wrong.empty(); });
  std::vector<const Trial*> probes = with_outputs;
  probes.resize(std::min(probes.size(), kProbes));
  const std::size_t least =
      causes_.empty() ? std::max(kLeastExplainedWithoutCause, (probes.size() + 1) / 2) : kLeastExplained;
  if (probes.size() < least) return std::nullopt;

  // Try each planted fault on the probes. Faults that explain the same probes form one candidate.
  std::map<std::vector<std::size_t>, std::vector<const Fault*>> by_explained_probes;
  for (const Fault& fault : conformance::faults::Faults()) {
    if (!has_time()) return std::nullopt;
    if (!RunsInThisProcess(fault) || std::ranges::find(causes_, &fault) != causes_.end()) continue;
    std::vector<JoinedFaults> joined = WithEachCause(fault);
    std::vector<std::size_t> explained_probes;  // indices of probes
    for (std::size_t i = 0; i < probes.size(); ++i) {
      if (AnyGivesAnswer(*probes[i], joined)) explained_probes.push_back(i);
    }
    if (explained_probes.size() >= least) by_explained_probes[std::move(explained_probes)].push_back(&fault);
  }

  // Sort the candidates: those that explain the most probes come first, then those that explain smaller probes.
  std::vector<std::pair<std::vector<std::size_t>, std::vector<const Fault*>>> candidates(by_explained_probes.begin(),
                                                                                         by_explained_probes.end());
  std::ranges::sort(candidates, [](const auto& one, const auto& other) {
    return std::pair(other.first.size(), one.first) < std::pair(one.first.size(), other.first);
  });
  if (candidates.empty()) return std::nullopt;

  // Take the first candidate with faults that contradict no other case.
  const std::vector<const Trial*> checked_failures =
      TrialsOnSmallest(explained, kMostChecked, has_time, [](const Trial& /*trial*/) { return true; });
  const std::vector<const Trial*> checked_passes =
      TrialsOnSmallest(passes, kMostChecked, has_time, [](const Trial& trial) { return !trial.failed; });
  for (auto& [explained_probes, faults] : candidates) {
    if (!has_time()) return std::nullopt;
    std::erase_if(faults, [&](const Fault* fault) { return Contradicts(*fault, checked_failures, checked_passes); });
    if (faults.empty() || faults.size() > kMostEqual) continue;
    KeepThoseThatExplainMost(faults, with_outputs);
    const Trial* const first = probes[explained_probes.front()];
    const auto smallest = std::ranges::find_if(failures, [&](const Case& one) { return TrialOn(one) == first; });
    return AdditionalFaults{.faults = std::move(faults),
                            .smallest = static_cast<std::size_t>(smallest - failures.begin())};
  }
  return std::nullopt;
}

std::optional<FaultCombinations::MinimizedTrial> FaultCombinations::Minimized(
    const Case& test_case, const Fault* additional, double seconds,
    const std::function<bool(const conformance::CaseResult&)>& is_alike) {
  std::vector<JoinedFaults> joined = additional == nullptr ? std::vector<JoinedFaults>() : WithEachCause(*additional);
  const auto fails = [&](const Case& simpler) {
    const std::optional<Trial> trial = ObserveTrial(simpler);
    return trial && trial->failed && is_alike(trial->behaviour.verdict) && FirstCombinationFor(*trial) == nullptr &&
           (additional == nullptr || AnyGivesAnswer(*trial, joined));
  };
  if (!fails(test_case)) return std::nullopt;
  const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  conformance::MinimizedCase minimized = MinimizeCase(test_case, fails, {.time = time});
  std::optional<Trial> trial = ObserveTrial(minimized.smallest);
  if (!trial) return std::nullopt;
  return MinimizedTrial{.smallest = std::move(minimized.smallest),
                        .result = std::move(trial->behaviour.verdict),
                        .complete = minimized.complete};
}

}  // namespace fuzz
