// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the verdict and the counts of a run that all reports share.

#include "conformance/report/summary.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "conformance/report/support/support_map.h"

namespace conformance {
namespace {

bool WasExpected(const CaseResult& result) { return !result.verdict.known_failure.empty(); }

/// "conforms", "does not conform", ...: what the backend does.
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

}  // namespace

std::size_t AnswersOf(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  return run.replay ? tally.passed + tally.loose + tally.powerless : tally.computed;
}

RunVerdict VerdictOf(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  // A single shard need not judge any case.
  const bool part = run.shard.count > 1 && run.unjudged == 0;
  if (part && run.results.empty()) return RunVerdict::kEmptyShard;
  if (tally.failed + AnswersOf(run) == 0) return part ? RunVerdict::kShardNotJudged : RunVerdict::kNotJudged;
  if (tally.failed != tally.expected || tally.skipped_after_hangs != 0) return RunVerdict::kFails;
  if (run.stale_expectations != 0) return RunVerdict::kStale;
  if (run.unjudged != 0) return RunVerdict::kInterrupted;
  return tally.expected != 0 ? RunVerdict::kMeetsExpectations : RunVerdict::kConforms;
}

Tone ToneOf(RunVerdict verdict) {
  if (IsGood(verdict)) return Tone::kGood;
  return verdict == RunVerdict::kFails ? Tone::kBad : Tone::kOpen;
}

std::string VerdictText(const RunRecord& run) {
  const RunVerdict verdict = VerdictOf(run);
  const SupportCount support = SupportedCasesOf(run.results, run.declared);
  if (!IsGood(verdict) || support.whole()) return std::string(VerdictWords(verdict));
  return fmt::format("{} on the {} of cases that it supports", VerdictWords(verdict), ShareText(support));
}

std::string Headline(std::span<const RunRecord> runs) {
  if (runs.empty()) return "No backend was judged";
  if (runs.size() == 1) {
    const Capabilities& declared = runs.front().declared;
    // The name on the command line may be a long command.
    const std::string own = fmt::format("{} {}", declared.name, declared.version);
    return fmt::format("{} {}", declared.name.empty() ? runs.front().backend : own, VerdictText(runs.front()));
  }
  const auto conforming = std::ranges::count(runs, RunVerdict::kConforms, VerdictOf);
  const auto meeting = std::ranges::count(runs, RunVerdict::kMeetsExpectations, VerdictOf);
  const std::string known = meeting == 0   ? ""
                            : meeting == 1 ? ", 1 meets its expectations"
                                           : fmt::format(", {} meet their expectations", meeting);
  return fmt::format("{} of {} backends conform{}{}", conforming, runs.size(), conforming == 1 ? "s" : "", known);
}

std::string CountsText(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  std::string warned;
  if (tally.loose != 0) warned += fmt::format("{} loose, ", tally.loose);
  if (tally.powerless != 0) warned += fmt::format("{} powerless, ", tally.powerless);
  const std::string known = tally.expected == 0 ? "" : fmt::format(" ({} of them expected)", tally.expected);
  const std::string skipped =
      tally.skipped_after_hangs == 0 ? "" : fmt::format(" ({} of them because of hangs)", tally.skipped_after_hangs);
  const std::size_t unjudged = tally.undefined + tally.not_judged;
  return fmt::format(
      "{} passed, {}{} failed{}, {} not run{}{}", tally.passed, warned, tally.failed, known,
      tally.undeclared + tally.unsupported + tally.too_large + tally.inapplicable + tally.skipped_after_hangs, skipped,
      unjudged == 0 ? "" : fmt::format(", {} not judged", unjudged));
}

std::string JudgedText(const RunRecord& run) {
  const Tally tally = TallyOf(run);
  const std::size_t judged = tally.passed + tally.loose + tally.powerless + tally.failed - tally.suite_errors;
  return fmt::format("{} of the {} cases of the case list ({})", judged, run.case_list_size,
                     ShareText({.supported = judged, .total = run.case_list_size}));
}

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
      counts.expected += WasExpected(result) ? 1 : 0;
    } else if (result.verdict.status != Status::kUndefined && result.verdict.status != Status::kNotJudged) {
      ++counts.not_run;
    }
  }
  return suites;
}

std::vector<const CaseResult*> FailuresOf(const RunRecord& run) {
  std::vector<const CaseResult*> failures;
  for (const bool expected : {false, true}) {
    for (const CaseResult& result : run.results) {
      if (result.verdict.status == Status::kFail && WasExpected(result) == expected) failures.push_back(&result);
    }
  }
  return failures;
}

}  // namespace conformance
