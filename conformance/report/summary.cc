// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Summarizes a run: counts its results, reaches the verdict on the backend (the library under test), and puts it into
// words.

#include "conformance/report/summary.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/report/facts.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

/// The verdict as the predicate of a sentence: "conforms", "does not conform".
std::string_view VerdictWords(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::kConforms:
      return "conforms";
    case RunVerdict::kMeetsExpectations:
      return "meets its expectations";
    case RunVerdict::kFails:
      return "does not conform";
    case RunVerdict::kNotJudged:
      return "was not judged";
    case RunVerdict::kEmptyShard:
      return "has no cases in this shard";
    case RunVerdict::kInterrupted:
      return "has not failed so far";
    case RunVerdict::kShardNotJudged:
      return "was not judged in this shard";
    case RunVerdict::kStale:
      return "has no unexpected failure, but its expectations are stale or expired";
  }
  return "";
}

RunVerdict VerdictOf(const RunRecord& run, const Tally& tally) {
  // A shard, one machine's part of a run, need not judge any case.
  const bool is_complete_shard = run.shard.count > 1 && run.unjudged == 0;
  if (is_complete_shard && run.results.empty()) return RunVerdict::kEmptyShard;
  if (tally.failed + tally.answers == 0)
    return is_complete_shard ? RunVerdict::kShardNotJudged : RunVerdict::kNotJudged;
  if (tally.failed != tally.expected || tally.skipped_after_hangs != 0) return RunVerdict::kFails;
  if (run.stale_expectations != 0) return RunVerdict::kStale;
  if (run.unjudged != 0) return RunVerdict::kInterrupted;
  return tally.expected != 0 ? RunVerdict::kMeetsExpectations : RunVerdict::kConforms;
}

/// The counts of each suite, in the order of the case list.
std::vector<SuiteCounts> CountsBySuite(const RunRecord& run) {
  std::vector<SuiteCounts> suites;
  std::map<std::string_view, std::size_t> positions;
  for (const CaseResult& result : run.results) {
    const auto [at, is_new] = positions.try_emplace(result.origin.suite, suites.size());
    if (is_new) suites.push_back({.suite = result.origin.suite});
    SuiteCounts& counts = suites[at->second];
    counts.worst_ratio = std::max(counts.worst_ratio, result.outputs.worst_ratio);
    if (result.verdict.status == Status::kPass) {
      ++counts.passed;
    } else if (IsRight(result.verdict.status)) {
      ++counts.warned;
    } else if (result.verdict.status == Status::kFail) {
      ++counts.failed;
      counts.expected += result.verdict.IsKnownFailure() ? 1 : 0;
    } else if (result.verdict.status != Status::kUndefined && result.verdict.status != Status::kNotJudged) {
      ++counts.not_run;
    }
  }
  return suites;
}

/// The failures that no expectation covers, and then those that one does.
std::vector<const CaseResult*> FailuresOf(const RunRecord& run) {
  std::vector<const CaseResult*> failures;
  for (const bool expected : {false, true}) {
    for (const CaseResult& result : run.results) {
      if (result.verdict.status == Status::kFail && result.verdict.IsKnownFailure() == expected)
        failures.push_back(&result);
    }
  }
  return failures;
}

Tone ToneOf(RunVerdict verdict) {
  if (IsGood(verdict)) return Tone::kGood;
  return verdict == RunVerdict::kFails ? Tone::kBad : Tone::kOpen;
}

std::string VerdictText(const RunSummary& summary) {
  const std::string_view words = VerdictWords(summary.verdict);
  const SupportCount& support = summary.support.all;
  if (!IsGood(summary.verdict) || support.whole()) return std::string(words);
  return fmt::format("{} on the {} of cases that it supports", words, ShareText(support));
}

/// "12 passed, 1 imprecise, 3 failed (1 of them expected), 4 not run".
std::string CountsText(const Tally& tally) {
  std::string warned;
  if (tally.imprecise != 0) warned += fmt::format("{} imprecise, ", tally.imprecise);
  if (tally.vacuous != 0) warned += fmt::format("{} vacuous, ", tally.vacuous);
  const std::string known = tally.expected == 0 ? "" : fmt::format(" ({} of them expected)", tally.expected);
  const std::string skipped =
      tally.skipped_after_hangs == 0 ? "" : fmt::format(" ({} of them because of hangs)", tally.skipped_after_hangs);
  const std::size_t unjudged = tally.undefined + tally.not_judged;
  return fmt::format(
      "{} passed, {}{} failed{}, {} not run{}{}", tally.passed, warned, tally.failed, known,
      tally.undeclared + tally.unsupported + tally.too_large + tally.inapplicable + tally.skipped_after_hangs, skipped,
      unjudged == 0 ? "" : fmt::format(", {} not judged", unjudged));
}

std::string JudgedText(const RunSummary& summary) {
  const Tally& tally = summary.tally;
  const std::size_t listed = summary.run->case_list_size;
  const std::size_t judged = tally.passed + tally.imprecise + tally.vacuous + tally.failed - tally.suite_errors;
  return fmt::format("{} of the {} cases of the case list ({})", judged, listed,
                     ShareText({.supported = judged, .total = listed}));
}

}  // namespace

std::vector<ToleranceOfType> NeededByType(const RunRecord& run) {
  std::map<std::pair<bool, oracle::ElementType>, NeededTolerance> sums;
  for (const CaseResult& result : run.results) {
    if (!result.outputs.needed) continue;
    const bool wrong = result.verdict.status == Status::kFail;
    const auto [at, is_new] = sums.try_emplace({wrong, result.outputs.needed->type}, *result.outputs.needed);
    if (!is_new) at->second.Include(*result.outputs.needed);
  }
  std::vector<ToleranceOfType> entries;
  for (const auto& [key, needed] : sums) entries.push_back({!key.first, needed});
  return entries;
}

RunSummary SummaryOf(const RunRecord& run) {
  RunSummary summary;
  summary.run = &run;
  summary.tally = TallyOf(run);
  summary.verdict = VerdictOf(run, summary.tally);
  summary.suites = CountsBySuite(run);
  summary.support = SupportMapOf(run.results, run.declared);
  summary.fits = FitsOf(run.results);
  summary.choices = ChoicesOf(run.results);
  summary.needed = NeededByType(run);
  summary.failures = FailuresOf(run);
  summary.tone = ToneOf(summary.verdict);
  summary.verdict_text = VerdictText(summary);
  summary.counts_text = CountsText(summary.tally);
  summary.judged_text = JudgedText(summary);
  summary.replay = ReplayCommand(run.backend, "");
  summary.backend = BackendTable(run);
  summary.facts = FactsOf(summary);
  summary.causes_headline = CausesHeadline(run);
  summary.causes = CauseTables(run);
  return summary;
}

std::vector<RunSummary> SummariesOf(std::span<const RunRecord> runs) {
  std::vector<RunSummary> summaries;
  for (const RunRecord& run : runs) summaries.push_back(SummaryOf(run));
  return summaries;
}

std::string Headline(std::span<const RunSummary> summaries) {
  if (summaries.empty()) return "No backend was judged";
  if (summaries.size() == 1) {
    const RunRecord& run = *summaries.front().run;
    const Capabilities& declared = run.declared;
    // The declared name is preferred: the one on the command line may be a long command.
    return fmt::format("{} {}", declared.name.empty() ? run.backend : declared.NameAndVersion(),
                       summaries.front().verdict_text);
  }
  const auto conforming = std::ranges::count(summaries, RunVerdict::kConforms, &RunSummary::verdict);
  const auto meeting = std::ranges::count(summaries, RunVerdict::kMeetsExpectations, &RunSummary::verdict);
  const std::string known = meeting == 0   ? ""
                            : meeting == 1 ? ", 1 meets its expectations"
                                           : fmt::format(", {} meet their expectations", meeting);
  return fmt::format("{} of {} backends conform{}{}", conforming, summaries.size(), conforming == 1 ? "s" : "", known);
}

}  // namespace conformance
