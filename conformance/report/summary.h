// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The summary of a run: the settings that make the run repeatable, counts of its results, and the verdict on the
// backend in a few words. It is computed once, and every report format prints it.

#ifndef DECONV_CONFORMANCE_REPORT_SUMMARY_H_
#define DECONV_CONFORMANCE_REPORT_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/support/support_map.h"
#include "conformance/report/table.h"
#include "conformance/run/run_record.h"
#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/open_choice.h"

namespace conformance {

/// The settings that make a run repeatable, such as level and seed. Every report records them.
struct RunDescription {
  std::string suite_version;
  std::string level;
  std::vector<std::string> suites;  ///< chosen suites; empty: all
  std::uint64_t seed = 0;
  std::string case_list;  ///< origin of the list of cases (CaseListOrigin); its hash is in the run's record
  std::string key;        ///< hash of all other settings that decide verdicts: shard, limits, the programs on disk
  int exit_code = 0;
  std::vector<std::string> errors;  ///< backends that could not be loaded, and why
};

/// The verdict on a backend. An expectation is an entry for a known failure. A shard is one machine's part of a run.
enum class RunVerdict {
  kConforms,
  kMeetsExpectations,  ///< the backend fails only as expected
  kFails,              ///< a failure is unexpected, or cases were skipped after hangs
  kStale,              ///< no failure is unexpected, but expectations match no failure or are expired
  kNotJudged,          ///< no case of the run was judged
  kEmptyShard,         ///< the shard has no cases
  kShardNotJudged,     ///< no case of the shard was judged
  kInterrupted         ///< nothing has failed unexpectedly, but the run ended early
};

/// Whether nothing unexpected happened in the whole run.
inline bool IsGood(RunVerdict verdict) {
  return verdict == RunVerdict::kConforms || verdict == RunVerdict::kMeetsExpectations;
}

/// The colour or mark of a verdict in a report. kOpen: neither good nor bad, such as an interrupted run.
enum class Tone { kGood, kBad, kOpen };

struct SuiteCounts {
  std::string_view suite;
  std::size_t passed = 0, warned = 0, failed = 0, not_run = 0;
  std::size_t expected = 0;  ///< failed cases that were expected to fail
  double worst_ratio = 0;    ///< largest error over bound

  std::size_t cases() const { return passed + warned + failed + not_run; }
};

/// The largest tolerance that outputs of a type would have needed in a test without error bounds.
struct ToleranceOfType {
  bool right = true;  ///< true: cases whose outputs are all right; false: cases with wrong values
  NeededTolerance needed;
};

/// The types that have outputs, those of right cases first.
std::vector<ToleranceOfType> NeededByType(const RunRecord& run);

struct RunSummary {
  const RunRecord* run = nullptr;  ///< must outlive the summary
  Tally tally;
  RunVerdict verdict = RunVerdict::kNotJudged;
  Tone tone = Tone::kOpen;
  std::vector<SuiteCounts> suites;  ///< suites in the order of the case list
  SupportMap support;
  std::vector<DialectFit> fits;
  std::vector<ChoiceCount> choices;
  std::vector<ToleranceOfType> needed;
  std::vector<const CaseResult*> failures;  ///< unexpected ones first, each in the order of the case list

  /// The verdict in words. If the backend supports a part of the cases, they say which part: "conforms on the 61 % of
  /// cases that it supports", "meets its expectations on the 61 % of cases that it supports".
  std::string verdict_text;
  std::string counts_text;  ///< "12 passed, 1 imprecise, 3 failed (1 of them expected), 4 not run"
  /// The cases whose answer was right or wrong: "2987 of the 3015 cases of the case list (99.1 %)".
  std::string judged_text;
  std::string replay;           ///< the command that replays a case, up to the case
  Table backend;                ///< BackendTable() of the run
  std::vector<Table> facts;     ///< FactsOf() this summary
  std::string causes_headline;  ///< CausesHeadline() of the run
  std::vector<Table> causes;    ///< CauseTables() of the run
};

RunSummary SummaryOf(const RunRecord& run);
std::vector<RunSummary> SummariesOf(std::span<const RunRecord> runs);

/// The verdict on all runs together: "kernel 0.1.0 conforms", or "1 of 3 backends conforms, 1 meets its expectations".
std::string Headline(std::span<const RunSummary> summaries);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUMMARY_H_
