// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the search for causes of findings, the failing cases of a campaign. It chooses findings of every kind and
// judges them again. A failure is explained by a planted fault: a known defect of a test backend that gives the same
// wrong answers. If no fault alone does, a combination of faults is tried. Failures without explanation are grouped by
// the features of a minimized case.
//
// A case fails "behind" another case if it passes alone, but fails after that case in the same process.

#include "fuzz/campaign/campaign_causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/failure_signature.h"
#include "conformance/diagnosis/minimize.h"
#include "fuzz/campaign/cause_time.h"
#include "fuzz/campaign/chosen_findings.h"
#include "fuzz/campaign/earlier_cases.h"
#include "fuzz/campaign/fault_combinations.h"
#include "fuzz/campaign/judged_findings.h"
#include "fuzz/findings/minimal_features.h"

namespace fuzz {
namespace {

using conformance::BackendError;
using conformance::CaseResult;
using conformance::Cause;
using conformance::SuiteCase;
using conformance::faults::Fault;

// The most failures of one unexplained cause that are minimized before combinations are tried on them.
constexpr std::size_t kMostMinimized = 8;
// Failures of one class without explanation are divided into at most so many causes. A hang takes its whole time limit
// at each run, so there are fewer parts of hangs.
constexpr std::size_t kMostParts = 6;
constexpr std::size_t kMostPartsOfHangs = 2;
constexpr const char* kBehindOthers = "fails only behind another case in the same process; alone it passes";
constexpr std::size_t kMostBehindOthers = 4;  // failures that are tried behind earlier cases

std::string ClassOf(const CaseResult& result) { return std::string(FailureClassNameOf(result.verdict.failure)); }

/// Makes the causes of judged findings one after the other, and reports each at once.
class CauseMaker {
 public:
  CauseMaker(const CauseOptions& options, const CauseTime& time, const CauseEvents& events,
             const JudgedFindings& judged, std::vector<CampaignCause>& causes)
      : options_(options),
        time_(time),
        events_(events),
        judged_(judged),
        causes_(causes),
        combinations_(options.backend, options.limits) {}

  /// Tries findings that passed when they were judged again behind the cases that ran before them. A finding that then
  /// fails becomes a cause, and is removed from `unconfirmed`.
  void AddBehindOthers(std::vector<FoundCase>& unconfirmed, const std::vector<FoundCase>& chosen) {
    std::size_t tried = 0;
    for (std::size_t i = 0; i < chosen.size() && tried < kMostBehindOthers && time_.left() > 0; ++i) {
      const auto at = std::ranges::find(unconfirmed, chosen[i].line, &FoundCase::line);
      if (at == unconfirmed.end() || options_.earlier_cases(chosen[i].line).empty()) continue;
      ++tried;
      const auto pair = BehindOthers(i);
      if (!pair) continue;
      Cause cause;
      cause.title = kBehindOthers;
      Add(cause, {i}, i, *pair);
      unconfirmed.erase(at);
    }
    // A damaged heap fails most cases that come after the damage.
    std::erase_if(unconfirmed, [&](const FoundCase& found) {
      const auto fails = [&](const CampaignCause& cause) {
        return !cause.before.empty() && FailsAfter(cause.before, found.line, options_, time_.left());
      };
      const auto cause = std::ranges::find_if(causes_, fails);
      if (cause != causes_.end()) ++cause->findings;
      return cause != causes_.end();
    });
  }

  /// Makes all other causes: first those that a planted fault explains, then the rest.
  void Make() {
    const std::vector<Cause> all = judged_.causes();
    left_ = all.size();
    for (const Cause& cause : all) {
      if (!cause.hypotheses.empty()) AddExplained(cause);
    }
    for (const Cause& cause : all) {
      if (!cause.hypotheses.empty()) continue;
      std::vector<std::size_t> left = LeftOf(cause.failures);
      while (time_.left() > 0 && AddBeside(cause, left)) left = LeftOf(left);
      Divide(cause, std::move(left));
      if (left_ > 1) --left_;
    }
  }

 private:
  /// The result of minimizing the failing case of a cause.
  struct Smallest {
    std::string line;
    CaseResult result;
    std::vector<std::string> before = {};
  };

  /// Whether the case failed when it was judged again, and is no known failure.
  bool Fails(std::size_t case_index) const {
    const CaseResult* const result = judged_.At(case_index);
    return result != nullptr && JudgedFindings::IsFailure(*result);
  }

  /// Minimizes a case. Returns the case unchanged if the time is over.
  Smallest MinimizedOf(std::size_t case_index) {
    const CaseResult& result = *judged_.At(case_index);
    const double seconds = time_.ToMinimize(left_);
    if (seconds <= 0) return {result.judged.line, result};
    events_.on_progress(fmt::format("minimizing a case of cause {}, {} to go", causes_.size() + 1, left_));
    const auto minimized = Minimize(judged_.CaseAt(case_index),
                                    {.backend = options_.backend, .limits = options_.limits, .seconds = seconds},
                                    [](const CaseResult&, std::size_t) {});
    const auto* const found = std::get_if<conformance::Minimized>(&minimized);
    if (found != nullptr && found->failed()) return {found->result.judged.line, found->result};
    // The case passes alone, so it may need a case that ran before it.
    if (auto pair = BehindOthers(case_index)) return *std::move(pair);
    return {result.judged.line, result};
  }

  /// Minimizes a case, but keeps only simpler cases that no known cause explains. A simpler case that a known cause
  /// explains says nothing about the unknown one.
  Smallest UnexplainedOf(std::size_t case_index, const Fault* additional = nullptr) {
    const double seconds = time_.ToMinimize(left_);
    if (!explained_.empty() && seconds > 0) {
      events_.on_progress(fmt::format("minimizing a case of cause {}, {} to go", causes_.size() + 1, left_));
      auto minimized = combinations_.Minimized(judged_.CaseAt(case_index).test_case, additional, seconds);
      if (minimized) return {ToLine(minimized->first), std::move(minimized->second)};
    }
    return MinimizedOf(case_index);
  }

  /// Finds the earlier cases that a case needs to fail. Candidates are the cases that ran before it in the engine, or,
  /// if these are unknown, the findings before it in the list.
  std::optional<Smallest> BehindOthers(std::size_t case_index) {
    const std::string line = ToLine(judged_.CaseAt(case_index).test_case);
    std::vector<std::string> earlier = options_.earlier_cases(line);
    for (std::size_t i = 0; earlier.empty() && i < case_index; ++i)
      earlier.push_back(ToLine(judged_.CaseAt(i).test_case));
    events_.on_progress(fmt::format("looking for the case that a failure needs before it, among {}", earlier.size()));
    auto found = FindEarlierCases(line, earlier, options_, time_.left() / 2);
    if (!found) return std::nullopt;
    return Smallest{std::move(found->line), std::move(found->result), std::move(found->before)};
  }

  /// Adds a cause and returns its index. If an equal cause exists (IsSame), adds the findings to that one instead.
  std::size_t Add(const Cause& cause, const std::vector<std::size_t>& failures, std::size_t case_index,
                  const Smallest& smallest) {
    const auto is_found = [&](std::size_t at) { return judged_.CaseAt(at).suite == kFoundSuite; };
    CampaignCause made{.title = smallest.before.empty() || !cause.hypotheses.empty() ? cause.title : kBehindOthers,
                       .hypotheses = cause.hypotheses,
                       .findings = static_cast<std::size_t>(std::ranges::count_if(failures, is_found)),
                       .failure = ClassOf(smallest.result),
                       .message = smallest.result.verdict.message,
                       .line = judged_.At(case_index)->judged.line,
                       .smallest = smallest.line,
                       .before = smallest.before,
                       .replay_options = smallest.result.trace.replay_options,
                       .result = smallest.result,
                       .kind = conformance::CauseKindOf(smallest.result.verdict.failure)};
    const auto same = std::ranges::find_if(causes_, [&](const CampaignCause& other) { return IsSame(other, made); });
    if (same != causes_.end()) {
      same->findings += made.findings;
      return static_cast<std::size_t>(same - causes_.begin());
    }
    causes_.push_back(std::move(made));
    events_.on_cause(causes_.back());
    return causes_.size() - 1;
  }

  /// Two causes are the same if their smallest cases are equal, or their failure classes and messages. Messages of dead
  /// processes do not count: few different ones exist, whatever the cause is.
  static bool IsSame(const CampaignCause& one, const CampaignCause& other) {
    if (one.smallest == other.smallest && one.before == other.before) return true;
    return one.failure == other.failure && one.message == other.message && one.kind != conformance::CauseKind::kDeath;
  }

  static bool HasExcuse(const CaseResult& result) { return result.verdict.facts.excusing_word.has_value(); }

  /// Whether the same declaration of the backend would excuse both failures.
  static bool HasSameExcuse(const CaseResult& one, const CaseResult& other) {
    const auto& excuse = one.verdict.facts.excusing_word;
    const auto& of_other = other.verdict.facts.excusing_word;
    return excuse && of_other && excuse->meaning == of_other->meaning;
  }

  /// Adds a cause that a planted fault explains. It explains other failures from now on.
  void AddExplained(const Cause& cause) {
    std::vector<std::size_t> failures = cause.failures;
    std::erase_if(failures, [&](std::size_t at) { return !Fails(at); });
    if (failures.empty()) return;
    const std::size_t smallest = Fails(cause.smallest) ? cause.smallest : failures.front();
    const std::size_t before = causes_.size();
    explained_failures_.insert(explained_failures_.end(), failures.begin(), failures.end());
    const std::size_t at = Add(cause, failures, smallest, MinimizedOf(smallest));
    if (at == before) Explain(at);
    if (left_ > 1) --left_;
  }

  /// Uses the cause from now on to explain failures, alone and together with other causes.
  void Explain(std::size_t cause) {
    explained_.push_back(cause);
    combinations_.Add(causes_[cause].hypotheses.front());
  }

  /// Looks for a planted fault that acts only together with a known cause, and makes it a cause. Returns whether one
  /// was added.
  bool AddBeside(const Cause& from, const std::vector<std::size_t>& left) {
    if (explained_.empty() || left.size() < 2) return false;
    events_.on_progress(fmt::format("looking for a fault beside {} others", explained_.size()));
    const auto cases_of = [&](const std::vector<std::size_t>& indices) {
      std::vector<conformance::Case> cases;
      for (const std::size_t at : indices) cases.push_back(judged_.CaseAt(at).test_case);
      return cases;
    };
    const auto additional =
        combinations_.FindAdditionalFaults(cases_of(left), cases_of(explained_failures_), cases_of(judged_.passes()));
    if (!additional) return false;
    Cause cause = from;
    cause.hypotheses.clear();
    for (const Fault* fault : additional->faults) cause.hypotheses.emplace_back(fault->name);
    const std::size_t case_index = left[additional->smallest];
    std::string failure = ClassOf(*judged_.At(case_index));
    std::ranges::replace(failure, '-', ' ');
    cause.title = fmt::format("{}: beside another cause, the backend answers like one that {}", failure,
                              additional->faults.front()->sentence);
    const std::size_t before = causes_.size();
    // The others are counted when they are compared with the causes again.
    const std::size_t at = Add(cause, {}, case_index, UnexplainedOf(case_index, additional->faults.front()));
    if (at != before) return false;
    Explain(at);
    return true;
  }

  /// Returns the failures that no combination of known causes explains. The other failures are counted for each cause
  /// of their combination.
  std::vector<std::size_t> LeftOf(const std::vector<std::size_t>& failures) {
    std::vector<std::size_t> left;
    for (const std::size_t case_index : failures) {
      if (!Fails(case_index)) continue;
      std::vector<std::size_t> together;
      if (!explained_.empty() && time_.left() > 0) {
        together = combinations_.Explaining(judged_.CaseAt(case_index).test_case);
        // A large case cannot be tried with planted faults, but its minimized case can. A small case is not minimized,
        // because a simpler case may fail by another cause.
        if (left.size() < kMostMinimized && !combinations_.IsSmall(judged_.CaseAt(case_index).test_case)) {
          const auto smallest = SuiteCaseOf(kFoundSuite, 0, MinimizedOf(case_index).line);
          if (smallest) together = combinations_.Explaining(smallest->test_case);
        }
      }
      if (together.empty()) left.push_back(case_index);
      if (judged_.CaseAt(case_index).suite != kFoundSuite) continue;
      for (const std::size_t part : together) ++causes_[explained_[part]].findings;
    }
    return left;
  }

  /// Divides failures that nothing explains into parts, and makes a cause of each. The shortest failure is minimized.
  /// Its part has the failures of the same class with all features of the minimized case, and those that the same
  /// declaration excuses. This is repeated with the rest.
  /// Example: four cases have wrong values. The shortest one is minimized, and still needs a stride of 3. Two others
  /// have a stride of 3, too: these three are one cause. The fourth case is minimized on its own, and is another cause.
  void Divide(const Cause& cause, std::vector<std::size_t> failures) {
    const auto shorter = [&](std::size_t one, std::size_t other) {
      return judged_.At(one)->judged.line.size() < judged_.At(other)->judged.line.size();
    };
    std::map<conformance::FailureClass, std::size_t> parts_of;
    while (!failures.empty()) {
      const std::size_t case_index = *std::ranges::min_element(failures, shorter);
      const conformance::FailureClass failure = judged_.At(case_index)->verdict.failure;
      const bool hangs = failure == conformance::FailureClass::kHang;
      // The last part of a class gets all failures that are left. Without time, the first part is the last.
      const bool last = ++parts_of[failure] == (hangs ? kMostPartsOfHangs : kMostParts) || time_.left() <= 0;
      const Smallest smallest = UnexplainedOf(case_index);
      const auto minimized = SuiteCaseOf(kFoundSuite, 0, smallest.line);
      std::vector<std::size_t> alike;
      std::erase_if(failures, [&](std::size_t other) {
        const CaseResult& result = *judged_.At(other);
        const bool is_excused = HasExcuse(result) || HasExcuse(smallest.result);
        const bool is_alike =
            other == case_index || HasSameExcuse(result, smallest.result) ||
            (result.verdict.failure == failure && (last || !is_excused) &&
             (last || !minimized || HasFeaturesOf(minimized->test_case, judged_.CaseAt(other).test_case)));
        if (is_alike) alike.push_back(other);
        return is_alike;
      });
      Add(cause, alike, case_index, smallest);
    }
  }

  const CauseOptions& options_;
  const CauseTime& time_;
  const CauseEvents& events_;
  const JudgedFindings& judged_;
  std::vector<CampaignCause>& causes_;
  std::vector<std::size_t> explained_;           ///< indices of the causes with a planted fault
  std::vector<std::size_t> explained_failures_;  ///< failures with such a cause
  Combinations combinations_;
  std::size_t left_ = 0;  ///< causes to be made
};

}  // namespace

std::variant<CampaignCauses, BackendError> FindCampaignCauses(const std::vector<FoundCase>& findings,
                                                              const std::vector<std::string>& passing,
                                                              const CauseOptions& options, const CauseEvents& events) {
  const CauseTime time(options);
  const ChosenFindings chosen = ChooseFindings(findings, options.most_findings);
  JudgedFindings judged(options, time, events, chosen.findings, passing);
  if (judged.error()) return *judged.error();

  CampaignCauses causes;
  causes.unreadable = chosen.unreadable;
  std::set<std::string> judged_lines;
  for (std::size_t i = 0; i < chosen.findings.size(); ++i) {
    const CaseResult* const result = judged.At(i);  // every chosen line is a case, so the indices agree
    if (result == nullptr) continue;                // it was not judged, for lack of time or by an interruption
    judged_lines.insert(chosen.findings[i].line);
    if (result->verdict.status != conformance::Status::kFail) {
      causes.unconfirmed.push_back(chosen.findings[i]);
    } else if (!result->verdict.known_failure.empty()) {
      causes.expected.push_back(chosen.findings[i].line);
    }
  }
  causes.different = chosen.different;
  causes.judged = judged_lines.size();
  CauseMaker maker(options, time, events, judged, causes.causes);
  maker.AddBehindOthers(causes.unconfirmed, chosen.findings);
  maker.Make();
  std::erase_if(causes.causes, [](const CampaignCause& cause) { return cause.findings == 0; });
  // The sort is not std::stable_sort: libstdc++ 12 allocates its buffer in a way that clang 19 warns of.
  std::ranges::sort(causes.causes, [](const CampaignCause& one, const CampaignCause& other) {
    return std::tie(one.kind, other.findings, one.smallest) < std::tie(other.kind, one.findings, other.smallest);
  });
  causes.complete = !time.interrupted();
  causes.out_of_time = judged.out_of_time() || time.left() <= 0;
  causes.run = std::move(judged.record());
  return causes;
}

}  // namespace fuzz
