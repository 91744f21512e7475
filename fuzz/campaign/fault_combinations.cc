// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tries planted faults of the causes alone, in twos and in threes, and compares their answers with the backend's. Then
// tries each other planted fault together with a cause.
// Example: causes A and B. The combinations are A, B and A+B. A fault F is then tried as F, A+F and B+F.

#include "fuzz/campaign/fault_combinations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <ranges>
#include <utility>

#include "conformance/case/minimize_case.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/similarity.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::Hypothesis;
using conformance::Trial;

// Only the first causes are combined, which explain the most failures: each combination is tried on every case.
constexpr std::size_t kMostCauses = 8;
constexpr std::size_t kMostAtOnce = 3;
// Failures ("probes") on which each planted fault is tried together with each cause. Some six hundred faults take a
// second.
constexpr std::size_t kProbes = 8;
// Failures with wrong outputs from which the probes are chosen. Others are no probes.
constexpr std::size_t kMostProbesTried = 8 * kProbes;
// A fault must explain at least two failures, because one may have the bits of a wrong fault by chance.
constexpr std::size_t kLeastGiven = 2;
// Without a known cause, nothing else speaks for the fault. It must explain half of the probes, and so many.
constexpr std::size_t kLeastGivenAlone = 4;
// The most explained failures, and the most passing cases, on which another fault is checked for contradictions.
constexpr std::size_t kMostUntouched = 24;
// The most simpler cases that are tried instead of a large one.
constexpr std::size_t kMostReduced = 10;
// If more planted faults than this give the backend's answers, the cases are too few to tell which fault it is.
constexpr std::size_t kMostEqual = 12;

bool IsTriedHere(const conformance::faults::Fault& fault) { return !Hypothesis(fault).NeedsWorker(); }

}  // namespace

Combinations::Combinations(const std::string& backend, const conformance::JudgeLimits& limits)
    : judge_(backend, limits, std::make_shared<conformance::TrialSetup>()),
      interrupt_(limits.interrupt),
      started_(!judge_.Start()) {}

void Combinations::Add(std::string_view cause) {
  const std::size_t number = causes_.size();
  causes_.push_back(conformance::faults::FindFault(cause));
  if (number >= kMostCauses || !IsTriedHere(*causes_.back())) return;
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

/// Adds a combination if all its faults can be joined. If not, its parts are combinations already.
void Combinations::AddCombination(std::vector<std::size_t> causes, std::vector<const Fault*> faults) {
  JoinedFaults joined(faults);
  for (const auto& [one, other] : joined.apart()) apart_.emplace(one, other);
  if (joined.complete()) combinations_.push_back({std::move(causes), std::move(faults), std::move(joined)});
}

/// Runs the backend on the case. Returns nothing if the case is too large for planted faults.
std::optional<Trial> Combinations::Ask(const Case& test_case) {
  const bool over = interrupt_ != nullptr && *interrupt_ != 0;  // a verdict after an interruption is uncertain
  auto prepared = started_ && !over ? conformance::PrepareCase(test_case, judge_.capabilities()) : nullptr;
  if (prepared == nullptr) return std::nullopt;
  auto behaviour =
      judge_.Observe({.suite = "found", .name = "case", .test_case = test_case, .reason = {}, .declared_output = {}});
  return TrialOf(0, std::move(prepared), std::move(behaviour), judge_.capabilities());
}

/// Ask() with a cache: each case runs once.
const Trial* Combinations::TrialOn(const Case& test_case) {
  const auto [entry, is_new] = trials_.try_emplace(ToLine(test_case));
  if (is_new) entry->second = Ask(test_case);
  return entry->second ? &*entry->second : nullptr;
}

/// At most `most` trials for which `is_chosen` is true, those on the smallest cases first. Cases that are too large
/// have no trial.
std::vector<const Trial*> Combinations::SmallestOf(std::vector<Case> cases, std::size_t most,
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

/// The first combination of causes that gives the answer of the trial; null if none does.
const Combinations::Combination* Combinations::Explaining(const Trial& trial) {
  const auto explains = [&](Combination& combination) { return combination.joined.Give(trial, judge_.capabilities()); };
  const auto found = std::ranges::find_if(combinations_, explains);
  return found == combinations_.end() ? nullptr : &*found;
}

std::optional<Case> Combinations::Reduced(const Case& test_case, conformance::FailureClass failure) {
  std::size_t tried = 0;
  for (Case& simpler : conformance::SimplerCases(test_case)) {
    if (conformance::PrepareCase(simpler, judge_.capabilities()) == nullptr) continue;
    if (++tried > kMostReduced) break;
    const Trial* const trial = TrialOn(simpler);
    if (trial != nullptr && trial->failed && trial->behaviour.verdict.verdict.failure == failure)
      return std::move(simpler);
  }
  return std::nullopt;
}

std::vector<std::size_t> Combinations::Explaining(const Case& test_case) {
  const Trial* const trial = combinations_.empty() ? nullptr : TrialOn(test_case);
  const Combination* const found = trial != nullptr && trial->failed ? Explaining(*trial) : nullptr;
  return found == nullptr ? std::vector<std::size_t>() : found->causes;
}

/// The fault alone, and together with each cause with which it can be joined. Each opens its backend once.
std::vector<JoinedFaults> Combinations::WithEachCause(const Fault& additional) const {
  std::vector<JoinedFaults> joined;
  joined.emplace_back(std::array<const Fault*, 1>{&additional});
  for (const Fault* const cause : causes_) {
    JoinedFaults both(std::array<const Fault*, 2>{cause, &additional});
    if (both.complete()) joined.push_back(std::move(both));
  }
  return joined;
}

/// Whether one of these gives the backend's answer.
bool Combinations::GiveAnswer(const Trial& trial, std::vector<JoinedFaults>& joined) const {
  return std::ranges::any_of(joined, [&](JoinedFaults& one) { return one.Give(trial, judge_.capabilities()); });
}

/// Whether the fault contradicts other cases: a passing case fails with it, or an explained failure gets another
/// answer.
bool Combinations::Contradicts(const Fault& additional, const std::vector<const Trial*>& explained,
                               const std::vector<const Trial*>& passes) {
  Hypothesis alone(additional);
  const auto fails = [&](const Trial* pass) {
    return !IsRight(*pass->prepared, alone.Run(*pass->prepared, conformance::kFirstPoison), judge_.capabilities());
  };
  if (std::ranges::any_of(passes, fails)) return true;
  return std::ranges::any_of(explained, [&](const Trial* trial) {
    const Combination* const by = Explaining(*trial);
    if (by == nullptr) return false;
    std::vector<const Fault*> faults = by->faults;
    faults.push_back(&additional);
    JoinedFaults joined(faults);
    return joined.complete() && !joined.Give(*trial, judge_.capabilities());
  });
}

/// Keeps those of equally good faults that explain the most of all failures.
void Combinations::KeepBest(std::vector<const Fault*>& faults, const std::vector<const Trial*>& failures) const {
  std::map<const Fault*, std::ptrdiff_t> explained;
  for (const Fault* const fault : faults) {
    std::vector<JoinedFaults> joined = WithEachCause(*fault);
    explained[fault] =
        std::ranges::count_if(failures, [&](const Trial* failure) { return GiveAnswer(*failure, joined); });
  }
  const std::ptrdiff_t most = std::ranges::max(explained | std::views::values);
  std::erase_if(faults, [&](const Fault* fault) { return explained[fault] < most; });
}

std::optional<Combinations::AdditionalFaults> Combinations::FindAdditionalFaults(
    const std::vector<Case>& failures, const std::vector<Case>& explained, const std::vector<Case>& passes,
    const std::function<bool()>& has_time) {
  const std::vector<const Trial*> all =
      SmallestOf(failures, kMostProbesTried, has_time, [](const Trial& trial) { return !trial.wrong.empty(); });
  std::vector<const Trial*> probes = all;
  probes.resize(std::min(probes.size(), kProbes));
  const std::size_t least = causes_.empty() ? std::max(kLeastGivenAlone, (probes.size() + 1) / 2) : kLeastGiven;
  if (probes.size() < least) return std::nullopt;
  std::map<std::vector<std::size_t>, std::vector<const Fault*>> by_given;  // faults by the probes that they give
  for (const Fault& fault : conformance::faults::Faults()) {
    if (!has_time()) return std::nullopt;
    if (!IsTriedHere(fault) || std::ranges::find(causes_, &fault) != causes_.end()) continue;
    std::vector<JoinedFaults> joined = WithEachCause(fault);
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < probes.size(); ++i) {
      if (GiveAnswer(*probes[i], joined)) given.push_back(i);
    }
    if (given.size() >= least) by_given[std::move(given)].push_back(&fault);
  }
  std::vector<std::pair<std::vector<std::size_t>, std::vector<const Fault*>>> candidates(by_given.begin(),
                                                                                         by_given.end());
  std::ranges::sort(candidates, [](const auto& one, const auto& other) {
    return std::pair(other.first.size(), one.first) < std::pair(one.first.size(), other.first);
  });
  if (candidates.empty()) return std::nullopt;
  const std::vector<const Trial*> untouched =
      SmallestOf(explained, kMostUntouched, has_time, [](const Trial& /*trial*/) { return true; });
  const std::vector<const Trial*> right =
      SmallestOf(passes, kMostUntouched, has_time, [](const Trial& trial) { return !trial.failed; });
  for (auto& [given, faults] : candidates) {
    if (!has_time()) return std::nullopt;
    std::erase_if(faults, [&](const Fault* fault) { return Contradicts(*fault, untouched, right); });
    if (faults.empty() || faults.size() > kMostEqual) continue;
    KeepBest(faults, all);
    const Trial* const first = probes[given.front()];
    const auto smallest = std::ranges::find_if(failures, [&](const Case& one) { return TrialOn(one) == first; });
    return AdditionalFaults{.faults = std::move(faults),
                            .smallest = static_cast<std::size_t>(smallest - failures.begin())};
  }
  return std::nullopt;
}

std::optional<Combinations::MinimizedTrial> Combinations::Minimized(
    const Case& test_case, const Fault* additional, double seconds,
    const std::function<bool(const conformance::CaseResult&)>& is_alike) {
  std::vector<JoinedFaults> joined = additional == nullptr ? std::vector<JoinedFaults>() : WithEachCause(*additional);
  const auto fails = [&](const Case& simpler) {
    const std::optional<Trial> trial = Ask(simpler);
    return trial && trial->failed && is_alike(trial->behaviour.verdict) && Explaining(*trial) == nullptr &&
           (additional == nullptr || GiveAnswer(*trial, joined));
  };
  if (!fails(test_case)) return std::nullopt;
  const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  conformance::MinimizedCase minimized = MinimizeCase(test_case, fails, {.time = time});
  std::optional<Trial> trial = Ask(minimized.smallest);
  if (!trial) return std::nullopt;
  return MinimizedTrial{.smallest = std::move(minimized.smallest),
                        .result = std::move(trial->behaviour.verdict),
                        .complete = minimized.complete};
}

}  // namespace fuzz
