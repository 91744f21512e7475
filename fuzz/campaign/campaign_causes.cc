// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the search for causes of findings, the failing cases of a campaign. It chooses findings of every kind and
// judges them again. A failure is explained by a planted fault: a known defect of a test backend that gives the same
// wrong answers. If no fault alone does, a combination of faults is tried. Failures without explanation form families
// that fail in the same way (failure_family.h). A family is divided into causes by cases that are made as small as
// possible: failures that have all that such a case needs have its cause.

#include "fuzz/campaign/campaign_causes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/verdict/judge/judge.h"
#include "fuzz/campaign/cause_time.h"
#include "fuzz/campaign/failure_family.h"
#include "fuzz/campaign/fault_combinations.h"
#include "fuzz/campaign/judged_findings.h"
#include "fuzz/campaign/minimized_findings.h"
#include "fuzz/findings/minimal_features.h"

namespace fuzz {
namespace {

using conformance::BackendError;
using conformance::CaseResult;
using conformance::Cause;
using conformance::SuiteCase;
using conformance::faults::Fault;

// Failures of one family without explanation are divided into at most so many causes. A hang takes its whole time limit
// at each run, so hangs get fewer causes.
constexpr std::size_t kMostCausesOfFamily = 6;
constexpr std::size_t kMostCausesOfHangs = 2;
// The search for earlier cases that failures need may take a third of the time: most failures need none.
constexpr double kShareOfEarlierCases = 1.0 / 3;
// Trying combinations of known causes on the other failures may take this share of the time that is left. Reducing
// large ones for this may take the same share again, and so may each search for a fault beside the causes.
constexpr double kShareOfCombinations = 1.0 / 4;
constexpr const char* kAfterOthers = "fails only after another case in the same process; alone it passes";
// The most failures that are tried after the cases that ran before them.
constexpr std::size_t kMostSearches = 4;

std::string ClassOf(const CaseResult& result) { return std::string(FailureClassNameOf(result.verdict.failure)); }

bool HaveSameType(const CaseResult& one, const CaseResult& other) {
  const auto& case_of_one = one.judged.test_case;
  const auto& case_of_other = other.judged.test_case;
  return case_of_one && case_of_other && case_of_one->op.data.type == case_of_other->op.data.type;
}

/// Makes the causes of judged findings one after the other, and reports each at once. Failures are given by the
/// indices of their cases in `judged`.
class CauseMaker {
 public:
  CauseMaker(const CauseOptions& options, const CauseTime& time, const CauseEvents& events,
             const JudgedFindings& judged, std::vector<CampaignCause>& causes)
      : options_(options),
        time_(time),
        events_(events),
        judged_(judged),
        causes_(causes),
        combinations_(options.backend, options.limits),
        minimized_(options, time, events, judged, combinations_) {}

  /// Tries the findings that passed when they were judged again. Each runs once more, after the cases that ran before
  /// it. A finding that then fails becomes a cause, and is removed from `unconfirmed`.
  void AddFailuresAfterOthers(std::vector<FoundCase>& unconfirmed, const std::vector<FoundCase>& chosen) {
    std::size_t tried = 0;
    const double least_left = (1 - kShareOfEarlierCases) * time_.SecondsLeft();
    for (std::size_t i = 0; i < chosen.size() && tried < kMostSearches && time_.SecondsLeft() > least_left; ++i) {
      const auto at = std::ranges::find(unconfirmed, chosen[i].line, &FoundCase::line);
      // Of an open operator, which a backend may refuse, outputs may be memory that was never written. Then chance
      // decides whether they are wrong.
      if (judged_.ResultOf(i) != nullptr && !judged_.ResultOf(i)->answer.choices.empty()) continue;
      if (at == unconfirmed.end() || options_.earlier_cases(chosen[i].line).empty()) continue;
      ++tried;
      const auto pair = minimized_.WithEarlierCases(i);
      if (!pair) continue;
      Cause cause;
      cause.title = kAfterOthers;
      AddCause(cause, {i}, i, *pair);
      unconfirmed.erase(at);
    }
    // A damaged heap fails most cases that come after the damage.
    std::erase_if(unconfirmed, [&](const FoundCase& found) {
      const auto fails = [&](const CampaignCause& cause) {
        return !cause.before.empty() && FailsAfter(cause.before, found.line, options_, time_.SecondsLeft());
      };
      const auto cause = std::ranges::find_if(causes_, fails);
      if (cause != causes_.end()) ++cause->findings;
      return cause != causes_.end();
    });
  }

  /// Makes all other causes: first those that a planted fault explains, then the rest.
  void MakeOtherCauses() {
    const std::vector<Cause> diagnosed = judged_.causes();
    std::vector<std::size_t> failures;
    for (const Cause& cause : diagnosed) {
      if (cause.hypotheses.empty()) failures.insert(failures.end(), cause.failures.begin(), cause.failures.end());
      if (cause.vanished) vanished_.insert(cause.failures.begin(), cause.failures.end());
    }
    std::erase_if(failures, [&](std::size_t at) { return !IsNewFailure(at); });
    causes_left_ =
        ByFamily(failures).families() + static_cast<std::size_t>(std::ranges::count_if(
                                            diagnosed, [](const Cause& cause) { return !cause.hypotheses.empty(); }));
    for (const Cause& cause : diagnosed) {
      if (!cause.hypotheses.empty()) AddExplained(cause);
    }
    std::vector<std::size_t> unexplained = UnexplainedAmong(failures);
    while (time_.SecondsLeft() > 0 && AddCauseBesideOthers(unexplained)) unexplained = UnexplainedAmong(unexplained);
    DivideFamilies(unexplained);
  }

  const FaultCombinations& combinations() const { return combinations_; }

 private:
  /// Whether the case failed when it was judged again, and is no known failure.
  bool IsNewFailure(std::size_t case_index) const {
    const CaseResult* const result = judged_.ResultOf(case_index);
    return result != nullptr && JudgedFindings::IsFailure(*result);
  }

  /// The turn of the cause that is made next.
  CauseTurn Turn() const { return {causes_.size() + 1, causes_left_}; }

  /// Adds a cause of these failures and returns its index. `case_index` is the failure that was minimized to
  /// `smallest`. If an equal cause exists (AreSameCause), adds the findings to that one instead.
  std::size_t AddCause(const Cause& cause, const std::vector<std::size_t>& failures, std::size_t case_index,
                       const MinimizedFinding& smallest) {
    const auto is_found = [&](std::size_t at) { return judged_.CaseAt(at).suite == kFoundSuite; };
    CampaignCause made{.title = smallest.before.empty() || !cause.hypotheses.empty() ? cause.title : kAfterOthers,
                       .hypotheses = cause.hypotheses,
                       .findings = static_cast<std::size_t>(std::ranges::count_if(failures, is_found)),
                       .failure = ClassOf(smallest.result),
                       .message = smallest.result.verdict.message,
                       .line = judged_.ResultOf(case_index)->judged.line,
                       .smallest = smallest.line,
                       .before = smallest.before,
                       .minimized = smallest.minimized,
                       .replay_options = smallest.result.trace.replay_options,
                       .result = smallest.result,
                       .kind = conformance::CauseKindOf(smallest.result.verdict.failure)};
    const auto same =
        std::ranges::find_if(causes_, [&](const CampaignCause& other) { return AreSameCause(other, made); });
    if (same != causes_.end()) {
      same->findings += made.findings;
      return static_cast<std::size_t>(same - causes_.begin());
    }
    causes_.push_back(std::move(made));
    events_.on_cause(causes_.back());
    return causes_.size() - 1;
  }

  /// Two causes are the same if their smallest cases are equal, or their failure classes and messages. Messages of dead
  /// processes do not count: few different ones exist, whatever the cause is. Two causes of one type are also the same
  /// if one declaration of arithmetic, such as "sums in f32", would excuse both. Then at most one may have planted
  /// faults.
  static bool AreSameCause(const CampaignCause& one, const CampaignCause& other) {
    if (one.smallest == other.smallest && one.before == other.before) return true;
    const auto& excuse = one.result.verdict.facts.excusing_word;
    const auto& of_other = other.result.verdict.facts.excusing_word;
    if (excuse && of_other && excuse->meaning == of_other->meaning && HaveSameType(one.result, other.result) &&
        (one.hypotheses.empty() || other.hypotheses.empty())) {
      return true;
    }
    return one.failure == other.failure && one.message == other.message && one.kind != conformance::CauseKind::kDeath;
  }

  /// Adds a cause that a planted fault explains. It explains other failures from now on.
  void AddExplained(const Cause& cause) {
    std::vector<std::size_t> failures = cause.failures;
    std::erase_if(failures, [&](std::size_t at) { return !IsNewFailure(at); });
    if (failures.empty()) return;
    const std::size_t smallest = IsNewFailure(cause.smallest) ? cause.smallest : failures.front();
    const std::size_t before = causes_.size();
    explained_failures_.insert(explained_failures_.end(), failures.begin(), failures.end());
    const std::size_t at = AddCause(cause, failures, smallest, minimized_.Minimized(smallest, Turn()));
    if (at == before) UseToExplain(at);
    if (causes_left_ > 1) --causes_left_;
  }

  /// Uses the cause from now on to explain failures, alone and together with other causes.
  void UseToExplain(std::size_t cause) {
    explained_.push_back(cause);
    combinations_.AddCause(causes_[cause].hypotheses.front());
  }

  /// Looks for a planted fault that acts only together with a known cause, and makes it a cause. Returns whether one
  /// was added. If many failures show several defects at once, the diagnosis may have named none. Then the fault that
  /// explains the most of the smallest failures alone is the first cause. Refusals and deaths are not run again here.
  bool AddCauseBesideOthers(const std::vector<std::size_t>& unexplained) {
    std::vector<std::size_t> with_wrong_outputs;
    std::ranges::copy_if(unexplained, std::back_inserter(with_wrong_outputs), [&](std::size_t at) {
      return FailureFamilyOf(*judged_.ResultOf(at)).kind == conformance::CauseKind::kWrongOutput;
    });
    if (with_wrong_outputs.size() < 2) return false;
    events_.on_progress(fmt::format("looking for a fault beside {} others", explained_.size()));
    const auto cases_of = [&](const std::vector<std::size_t>& indices) {
      std::vector<conformance::Case> cases;
      for (const std::size_t at : indices) cases.push_back(judged_.CaseAt(at).test_case);
      return cases;
    };
    const auto additional = combinations_.FindAdditionalFaults(
        cases_of(with_wrong_outputs), cases_of(explained_failures_), cases_of(judged_.passes()),
        [this, least_left = SecondsLeftAfterShare()] { return time_.SecondsLeft() > least_left; });
    if (!additional) return false;
    Cause cause;
    for (const Fault* fault : additional->faults) cause.hypotheses.emplace_back(fault->name);
    const std::size_t case_index = with_wrong_outputs[additional->smallest];
    std::string failure = ClassOf(*judged_.ResultOf(case_index));
    std::ranges::replace(failure, '-', ' ');
    cause.title = fmt::format("{}: {}the backend answers like one that {}", failure,
                              explained_.empty() ? "" : "beside another cause, ", additional->faults.front()->sentence);
    const std::size_t before = causes_.size();
    // The others are counted when they are compared with the causes again.
    const std::size_t at = AddCause(cause, {}, case_index,
                                    minimized_.MinimizedUnexplained(case_index, Turn(), additional->faults.front()));
    if (at != before) return false;
    UseToExplain(at);
    return true;
  }

  /// Returns the failures that no combination of known causes explains. The other failures are counted for each cause
  /// of their combination. Planted faults cannot be tried on a large case, but on a simpler one that fails, too.
  std::vector<std::size_t> UnexplainedAmong(const std::vector<std::size_t>& failures) {
    if (explained_.empty()) return failures;
    std::vector<std::size_t> unexplained;
    std::vector<std::size_t> large;
    double least_left = SecondsLeftAfterShare();
    for (const std::size_t case_index : failures) {
      const conformance::Case& test_case = judged_.CaseAt(case_index).test_case;
      if (time_.SecondsLeft() > least_left && IsExplained(case_index, test_case)) continue;
      (time_.SecondsLeft() > least_left && !combinations_.IsSmall(test_case) ? large : unexplained)
          .push_back(case_index);
    }
    least_left = SecondsLeftAfterShare();
    for (const std::size_t case_index : large) {
      const auto small = time_.SecondsLeft() > least_left
                             ? combinations_.SmallFailingCaseLike(judged_.CaseAt(case_index).test_case,
                                                                  FailureFamilyOf(*judged_.ResultOf(case_index)).kind)
                             : std::nullopt;
      if (!small || !IsExplained(case_index, *small)) unexplained.push_back(case_index);
    }
    return unexplained;
  }

  /// The seconds that will be left of the search when kShareOfCombinations of the time that is left now is used.
  double SecondsLeftAfterShare() const { return std::max(0.0, (1 - kShareOfCombinations) * time_.SecondsLeft()); }

  /// Whether a combination of known causes explains the failure. `test_case` is the failing case or a simpler form of
  /// it. Counts an explained finding for each of these causes.
  bool IsExplained(std::size_t case_index, const conformance::Case& test_case) {
    const std::vector<std::size_t> combined = combinations_.CausesExplaining(test_case);
    if (combined.empty()) return false;
    explained_failures_.push_back(case_index);
    if (judged_.CaseAt(case_index).suite != kFoundSuite) return true;
    for (const std::size_t number : combined) ++causes_[explained_[number]].findings;
    return true;
  }

  FailuresByFamily ByFamily(const std::vector<std::size_t>& failures) const {
    FailuresByFamily by_family;
    for (const std::size_t at : failures) by_family.Add(at, *judged_.ResultOf(at), vanished_.contains(at));
    return by_family;
  }

  /// Makes causes of failures that nothing explains. The first failure of each family is minimized, the worst family
  /// first. Its cause has the failures of the family with all features of the minimized case, if the defect acts on
  /// them. This is repeated with the failures that are left. Example: four cases have wrong values. The shortest one is
  /// minimized, and still needs a stride of 3. Two others have a stride of 3, too: these three are one cause. The
  /// fourth case is minimized on its own, and is another cause.
  void DivideFamilies(const std::vector<std::size_t>& failures) {
    FailuresByFamily by_family = ByFamily(failures);
    for (causes_left_ = by_family.families(); causes_left_ > 0; causes_left_ = by_family.families()) {
      const FailuresByFamily::Next next = by_family.RemoveNext();
      const MinimizedFinding smallest = minimized_.MinimizedUnexplained(next.case_index, Turn());
      const auto minimized = SuiteCaseOf(kFoundSuite, 0, smallest.line);
      if (minimized && time_.SecondsLeft() > 0 && smallest.before.empty() &&
          IsExplained(next.case_index, minimized->test_case)) {
        continue;
      }
      SmallestCase of_cause(minimized ? minimized->test_case : judged_.CaseAt(next.case_index).test_case);
      const bool is_last = IsLast(next);
      std::vector<std::size_t> alike = by_family.AddCauseAndRemoveAlike(next.family, [&](std::size_t other) {
        return is_last ? FailureFamilyOf(*judged_.ResultOf(other)).type == next.family.type
                       : HasCause(next.family, of_cause, smallest.before.empty(), judged_.CaseAt(other).test_case);
      });
      alike.push_back(next.case_index);
      Cause cause;
      cause.title = judged_.TitleOf(alike, next.family.vanished);
      AddCause(cause, alike, next.case_index, smallest);
    }
  }

  /// Whether the cause of this failure is the last one of its family: it gets all failures of its type that are left.
  /// That is so if the family has enough causes, or if there is no time. It is also so if the failures did not happen
  /// again, or if a declaration excuses them, because it excuses all failures of a family.
  bool IsLast(const FailuresByFamily::Next& next) const {
    const bool hangs = next.family.signature.failure == conformance::FailureClass::kHang;
    return next.causes + 1 >= (hangs ? kMostCausesOfHangs : kMostCausesOfFamily) || time_.SecondsLeft() <= 0 ||
           next.family.vanished || !next.family.excuse.empty();
  }

  /// Whether the cause of a family that `smallest` shows explains another failure of the family. If the smallest case
  /// fails only after earlier cases (`fails_alone` is false), changed ones are not run: they would pass alone too.
  bool HasCause(const FailureFamily& family, SmallestCase& smallest, bool fails_alone, const conformance::Case& other) {
    if (!HasFeaturesOf(smallest.test_case(), other)) return false;
    if (!fails_alone || family.kind != conformance::CauseKind::kWrongOutput || family.open) return true;
    return smallest.HasEffectOn(other, [&](const conformance::Case& changed) {
      // Without time, a cause explains failures of its own type.
      if (time_.SecondsLeft() <= 0) return changed.op.data.type == smallest.test_case().op.data.type;
      if (!judge_) judge_.emplace(options_.backend, options_.limits);
      if (judge_->Start()) return false;
      SuiteCase suite_case;
      suite_case.test_case = changed;
      const CaseResult result = judge_->JudgeCase(suite_case);
      return result.verdict.status == conformance::Status::kFail ? family.MayShareCauseWith(FailureFamilyOf(result))
                                                                 : !result.IsComputed();
    });
  }

  const CauseOptions& options_;
  const CauseTime& time_;
  const CauseEvents& events_;
  const JudgedFindings& judged_;
  std::vector<CampaignCause>& causes_;
  std::vector<std::size_t> explained_;           ///< indices in causes_ of those with a planted fault
  std::vector<std::size_t> explained_failures_;  ///< failures with such a cause
  FaultCombinations combinations_;               ///< combines the causes of explained_
  std::set<std::size_t> vanished_;               ///< failures that did not happen again
  MinimizedFindings minimized_;
  std::optional<conformance::Judge> judge_;  ///< judges changed smallest cases
  std::size_t causes_left_ = 0;              ///< about how many causes are still to be made, to divide the time
};

}  // namespace

std::variant<CampaignCauses, BackendError> FindCampaignCauses(const std::vector<FoundCase>& findings,
                                                              const std::vector<std::string>& passing,
                                                              const CauseOptions& options, const CauseEvents& events) {
  CauseTime time(options);
  const ChosenFindings chosen = ChooseFindings(findings, options.most_findings);
  JudgedFindings judged(options, time, events, chosen.findings, passing);
  if (judged.error()) return *judged.error();

  CampaignCauses causes;
  causes.unreadable = chosen.unreadable;
  std::set<std::string> judged_lines;
  for (std::size_t i = 0; i < chosen.findings.size(); ++i) {
    const CaseResult* const result = judged.ResultOf(i);  // every chosen line is a case, so the indices agree
    if (result == nullptr) continue;                      // it was not judged, for lack of time or by an interruption
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
  maker.AddFailuresAfterOthers(causes.unconfirmed, chosen.findings);
  maker.MakeOtherCauses();
  causes.conflicts.assign(maker.combinations().conflicts().begin(), maker.combinations().conflicts().end());
  std::erase_if(causes.causes, [](const CampaignCause& cause) { return cause.findings == 0; });
  // First come wrong outputs of plain values that nothing excuses. A cause that was not minimized may hold several
  // defects, so it comes after those that were.
  const auto order = [](const CampaignCause& cause) {
    const conformance::VerdictFacts& facts = cause.result.verdict.facts;
    return std::tuple(cause.kind, facts.excusing_word || facts.open, !conformance::HasPlainValues(cause.result),
                      !cause.minimized, -static_cast<std::int64_t>(cause.findings), cause.smallest);
  };
  // The sort is not std::stable_sort: libstdc++ 12 allocates its buffer in a way that clang 19 warns of.
  std::ranges::sort(causes.causes, {}, order);
  causes.complete = !time.interrupted();
  causes.out_of_time = judged.out_of_time() || time.SecondsLeft() <= 0;
  causes.run = std::move(judged.record());
  return causes;
}

}  // namespace fuzz
