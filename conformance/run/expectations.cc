// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the entries of a file of known failures with the results of runs. Marks the failures that an entry expects,
// and finds the entries that no longer hold. A case meets an entry if it fails as the entry expects. An entry that no
// case meets is stale.

#include "conformance/run/expectations.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/names.h"
#include "conformance/suite/case_lists/case_lists.h"

namespace conformance {
namespace {

/// The case indices of the failures with a cause that the glob names: by its title, or by a hypothesis that explains
/// it.
std::set<std::size_t> CaseIndicesOfCause(const std::string& glob, const RunRecord& run) {
  std::set<std::size_t> case_indices;
  if (!run.causes) return case_indices;
  const auto is_named = [&](const std::string& text) { return GlobMatches(glob, text); };
  for (const Cause& cause : run.causes->causes) {
    const bool names_hypothesis = std::ranges::any_of(cause.hypotheses, is_named);
    if (names_hypothesis || is_named(cause.title)) case_indices.insert(cause.failures.begin(), cause.failures.end());
  }
  return case_indices;
}

/// Says how the failure differs from the one that the entry expects, in class or size of the error. Empty if it does
/// not differ.
std::string DifferenceInFailure(const Expectation& expectation, const CaseResult& result) {
  if (result.verdict.failure != expectation.failure) {
    return fmt::format("expected {} (line {})", FailureClassNameOf(expectation.failure), expectation.line);
  }
  if (std::isfinite(expectation.largest_error) && !(result.outputs.largest_error <= expectation.largest_error)) {
    return fmt::format("expected an error of at most {:g} (line {})", expectation.largest_error, expectation.line);
  }
  return "";
}

/// The start of each complaint about an entry: its line in the file, and its owner if it has one.
std::string PlaceOf(const Expectation& expectation) {
  return expectation.owner.empty() ? fmt::format("line {}", expectation.line)
                                   : fmt::format("line {} (owner {})", expectation.line, expectation.owner);
}

/// The cases of an entry, for a message.
std::string CasesOf(const Expectation& expectation) {
  std::string text = expectation.pattern.empty() ? "" : fmt::format("'{}'", expectation.pattern);
  if (!expectation.clause.empty()) text += fmt::format("{}clause {}", text.empty() ? "" : ", ", expectation.clause);
  if (!expectation.cause.empty()) text += fmt::format(", cause '{}'", expectation.cause);
  return text;
}

}  // namespace

bool MatchesCase(const std::string& glob, const CaseResult& result) {
  return GlobMatches(glob, result.id()) || GlobMatches(glob, result.judged.line) ||
         GlobMatches(glob, result.judged.line + ":");
}

bool MatchesEntry(const Expectation& entry, const CaseResult& result) {
  const std::vector<std::string>& clauses = result.judged.clauses;
  return (entry.clause.empty() || std::ranges::find(clauses, entry.clause) != clauses.end()) &&
         (entry.pattern.empty() || MatchesCase(entry.pattern, result));
}

bool CanHaveFailure(const CaseResult& result, FailureClass failure) {
  switch (failure) {
    case FailureClass::kAcceptedInvalid:
      return result.verdict.status == Status::kFail || result.answer.refused;
    case FailureClass::kWrongValue:
    case FailureClass::kWrongNan:
    case FailureClass::kStructuralNan:
    case FailureClass::kGapNotZero:
    case FailureClass::kUnwritten:
    case FailureClass::kWrongShape:
    case FailureClass::kWrongPads:
    case FailureClass::kWrongRefusal:
    case FailureClass::kCannotDo:
    case FailureClass::kAccumulator:
    case FailureClass::kBrokenLaw:
      return !result.answer.refused;
    default:
      return true;
  }
}

bool IsCompleteFor(const Expectation& expectation, const RunRecord& run) {
  if (run.shard.count != 1 || run.unjudged != 0 || run.results.size() != run.case_list_size) return false;
  return std::ranges::any_of(BuiltInFrozenLists().lists, [&](const CaseList& list) {
    const bool has_all = list.suite == kAllSuites || expectation.pattern.starts_with(list.suite + "/");
    return has_all && list.level == expectation.level && list.hash == run.case_list_hash;
  });
}

void MarkExpected(std::span<const Expectation> expectations, CaseResult& result) {
  const std::string reason_before = std::exchange(result.verdict.known_failure, "");  // from a shard of the run
  if (result.verdict.status != Status::kFail) return;
  const auto meets = [&](const Expectation& entry) {
    return (entry.cause.empty() || entry.reason == reason_before) && MatchesEntry(entry, result) &&
           DifferenceInFailure(entry, result).empty();
  };
  if (const auto at = std::ranges::find_if(expectations, meets); at != expectations.end())
    result.verdict.known_failure = at->reason;
}

void MarkExpectedByCause(std::span<const Expectation> expectations, RunRecord& run) {
  for (const Expectation& entry : expectations) {
    if (entry.cause.empty()) continue;
    const std::set<std::size_t> case_indices = CaseIndicesOfCause(entry.cause, run);
    for (CaseResult& result : run.results) {
      if (!result.verdict.IsNewFailure() || !case_indices.contains(result.origin.case_index)) continue;
      if (MatchesEntry(entry, result) && DifferenceInFailure(entry, result).empty())
        result.verdict.known_failure = entry.reason;
    }
  }
}

namespace {

/// Compares runs with one file of expectations: AddRun() for each run, then Finish().
class Reconciliation {
 public:
  explicit Reconciliation(std::span<const Expectation> expectations)
      : expectations_(expectations), counts_(expectations.size()) {}

  void AddRun(const RunRecord& run) {
    case_indices_.clear();
    for (const Expectation& entry : expectations_) {
      case_indices_.push_back(entry.cause.empty() ? std::set<std::size_t>() : CaseIndicesOfCause(entry.cause, run));
    }
    const auto fails = [](const CaseResult& result) {
      return result.verdict.status == Status::kFail && result.verdict.failure != FailureClass::kSuiteError;
    };
    // Causes are unknown if no diagnosis ran, as when entries expect all failures. A run without failures has no
    // causes, which is known too.
    causes_known_ = (run.causes && run.causes->not_looked_for.empty()) || std::ranges::none_of(run.results, fails);
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
      counts_[i].is_complete = expectations_[i].failures && IsCompleteFor(expectations_[i], run);
    }
    for (const CaseResult& result : run.results) AddResult(result);
  }

  /// Returns the result. `today` decides which entries have expired.
  Reconciled Finish(std::chrono::year_month_day today, bool one_backend) {
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
      const Expectation& expectation = expectations_[i];
      Counts& counts = counts_[i];
      if (one_backend) CompareNumberOfFailures(i);
      if (counts.run == 0) continue;
      // A file may serve several backends. Then an entry holds if the run of one backend meets it.
      const bool partly = counts.met != 0 && counts.met < counts.run && one_backend;
      if (counts.met == 0) reconciled_.stale.push_back(i);
      // An entry with `sometimes` is not divided, because its other cases may fail in another run.
      if (partly && !expectation.sometimes) reconciled_.partly_met.push_back({i, std::move(counts.cases)});
      if (counts.met == 0 || partly) {
        reconciled_.complaints.push_back(
            fmt::format("{}: {} of the {} cases of {} do not fail as expected, the first is {}", PlaceOf(expectation),
                        counts.run - counts.met, counts.run, CasesOf(expectation), counts.first_unmet->id()));
      }
      if (expectation.expires && *expectation.expires < today) {
        const auto& day = *expectation.expires;
        reconciled_.complaints.push_back(fmt::format(
            "{}: {} expired on {:04}-{:02}-{:02}", PlaceOf(expectation), CasesOf(expectation),
            static_cast<int>(day.year()), static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day())));
      }
    }
    return std::move(reconciled_);
  }

 private:
  /// The cases of the runs that one entry matches.
  struct Counts {
    std::size_t run = 0;       ///< cases that the entry matches and that ran; see CountCase() for entries with a cause
    std::size_t met = 0;       ///< those of them that meet the entry
    bool is_complete = false;  ///< the run judged all cases that the entry's number of failures counts
    const CaseResult* first_unmet = nullptr;
    std::vector<const CaseResult*> cases;  ///< the failures that meet the entry
  };

  /// Says how the verdict differs from the one that the entry expects. Empty if it does not.
  std::string DifferenceFromEntry(std::size_t i, const CaseResult& result) const {
    const Expectation& entry = expectations_[i];
    if (result.verdict.status != Status::kFail) return entry.sometimes ? "" : "passes";
    std::string difference = DifferenceInFailure(entry, result);
    if (!difference.empty() || entry.cause.empty()) return difference;
    if (case_indices_[i].contains(result.origin.case_index) || result.verdict.known_failure == entry.reason) return "";
    return fmt::format("expected it from the cause '{}' (line {})", entry.cause, entry.line);
  }

  /// Complains if the entry states a number of failures and the run, which had all its cases, has a different one.
  void CompareNumberOfFailures(std::size_t i) {
    const Expectation& expectation = expectations_[i];
    const auto failures = static_cast<std::int64_t>(counts_[i].cases.size());
    if (!counts_[i].is_complete || failures == expectation.failures) return;
    reconciled_.recounted.push_back({i, failures});
    reconciled_.complaints.push_back(fmt::format("{}: {} cases of {} fail, expected {}", PlaceOf(expectation), failures,
                                                 CasesOf(expectation), *expectation.failures));
  }

  /// If the run left the case out, the number of failures is unknown for each entry that matches the case.
  void NoteLeftOut(const CaseResult& result) {
    if (result.verdict.status != Status::kTooLarge && result.verdict.status != Status::kSkippedAfterHangs &&
        result.verdict.failure != FailureClass::kSuiteError) {
      return;
    }
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
      // A case that was left out may name no clauses, so the pattern alone decides.
      const std::string& pattern = expectations_[i].pattern;
      if (pattern.empty() || MatchesCase(pattern, result)) counts_[i].is_complete = false;
    }
  }

  /// Compares a case with each entry that matches it.
  void AddResult(const CaseResult& result) {
    NoteLeftOut(result);
    const bool fails = result.verdict.status == Status::kFail;
    if (!fails && !IsRight(result.verdict.status)) return;
    const bool is_unexpected = result.verdict.IsNewFailure() && result.verdict.failure != FailureClass::kSuiteError;
    if (is_unexpected) reconciled_.unexpected.push_back(&result);
    struct Match {
      std::size_t entry;       // its position in the file
      std::string difference;  // empty if the case meets the entry
    };
    std::vector<Match> matches;
    // Whether the case meets an entry with `sometimes`. Such a case is known to vary, so it breaks no other entry.
    // Example: the case crashes or gives wrong values, and an entry with `sometimes` expects each of the two.
    bool met_sometimes = false;
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
      if (!CanHaveFailure(result, expectations_[i].failure) || !MatchesEntry(expectations_[i], result)) continue;
      matches.push_back({i, DifferenceFromEntry(i, result)});
      met_sometimes = met_sometimes || (fails && expectations_[i].sometimes && matches.back().difference.empty());
    }
    for (const auto& [i, difference] : matches) {
      CountCase(i, difference, met_sometimes, result);
      if (is_unexpected) {
        reconciled_.differences.push_back(
            fmt::format("{}: {}, {}", result.id(), FailureClassNameOf(result.verdict.failure), difference));
      }
    }
  }

  /// Counts a case that entry `i` matches. `difference` is empty if the case meets the entry.
  void CountCase(std::size_t i, const std::string& difference, bool met_sometimes, const CaseResult& result) {
    const Expectation& entry = expectations_[i];
    Counts& counts = counts_[i];
    if (!difference.empty()) {
      if (met_sometimes || (entry.sometimes && result.verdict.IsKnownFailure())) return;
      if (counts.first_unmet == nullptr) counts.first_unmet = &result;
      // An entry with a cause matches many cases that fail for other causes or pass. No single one of them breaks the
      // entry, but the entry is stale if no case meets it. So `run` is 1, which means "stale" while `met` is 0. The
      // first case that meets the entry sets it back to 0.
      if (!entry.cause.empty()) {
        if (counts.met == 0 && causes_known_) counts.run = 1;
        return;
      }
    } else {
      if (!entry.cause.empty() && counts.met == 0) counts.run = 0;
      ++counts.met;
      if (result.verdict.status == Status::kFail) counts.cases.push_back(&result);
    }
    ++counts.run;
  }

  std::span<const Expectation> expectations_;
  std::vector<Counts> counts_;
  std::vector<std::set<std::size_t>> case_indices_;  ///< case indices of the entries' causes in the run
  bool causes_known_ = false;
  Reconciled reconciled_;
};

}  // namespace

Reconciled Reconcile(std::span<const Expectation> expectations, std::chrono::year_month_day today,
                     std::span<const RunRecord> runs) {
  Reconciliation reconciliation(expectations);
  for (const RunRecord& run : runs) reconciliation.AddRun(run);
  return reconciliation.Finish(today, runs.size() == 1);
}

}  // namespace conformance
