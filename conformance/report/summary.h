// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The outcome of a run in a few words and counts, the same in every report for people.

#ifndef DECONV_CONFORMANCE_REPORT_SUMMARY_H_
#define DECONV_CONFORMANCE_REPORT_SUMMARY_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/run_description.h"
#include "conformance/run/runner.h"

namespace conformance {

/// Right answers that a verdict can rest on: outputs that could have been wrong, of a replay any.
std::size_t AnswersOf(const RunRecord& run);

enum class Verdict {
  kConforms,
  kMeetsExpectations,  ///< it fails, as it is expected to
  kFails,
  kStale,
  kNotJudged,
  kEmptyShard,
  kShardNotJudged,
  kInterrupted
};

/// Whether nothing unexpected happened in the whole run.
inline bool IsGood(Verdict verdict) { return verdict == Verdict::kConforms || verdict == Verdict::kMeetsExpectations; }

Verdict VerdictOf(const RunRecord& run);
/// "conforms", "does not conform", ...: what the backend does.
std::string_view VerdictWords(Verdict verdict);

/// The words, and of a backend that supports a part of the cases which part: "conforms on the 61 % of cases that it
/// supports", "meets its expectations on the 61 % of cases that it supports".
std::string VerdictText(const RunRecord& run);

/// "12 passed, 1 loose, 3 failed (1 of them expected), 4 not run".
std::string CountsText(const RunRecord& run);

/// "2987 of the 3015 cases of the case list (99.1 %)": those with an answer that was right or wrong.
std::string JudgedText(const RunRecord& run);

struct SuiteCounts {
  std::string_view suite;
  std::size_t passed = 0, warned = 0, failed = 0, not_run = 0;
  std::size_t expected = 0;  ///< of the failed
  double worst_ratio = 0;    ///< largest error over bound

  std::size_t cases() const { return passed + warned + failed + not_run; }
};

/// In the order of the case list.
std::vector<SuiteCounts> CountsBySuite(const RunRecord& run);

/// Failure classes that the run has, with the number of failures, in the order of kFailureClasses.
std::vector<std::pair<FailureClassName, std::size_t>> CountsByClass(const RunRecord& run);

/// Why cases were not run, the most frequent reason first.
struct ReasonWithoutVerdict {
  std::size_t cases = 0;
  std::string_view word;    ///< "not run", or "not judged" of refusals that prove nothing
  std::string_view reason;  ///< the cases' message
};
std::vector<ReasonWithoutVerdict> ReasonsWithoutVerdict(const RunRecord& run);

/// "219252 operators, 113487 outputs": what the run's sweeps judged, and how many operators they skipped because the
/// backend cannot do them. Empty for a run without sweeps.
std::string SweepsText(const RunRecord& run);

/// Those that nobody expected before the others, each in the order of the case list.
std::vector<const CaseResult*> FailuresOf(const RunRecord& run);

/// What every report says of a backend that takes resolved geometry.
inline constexpr std::string_view kResolutionNotJudged = "the resolution was the suite's and was not judged";

struct Fact {
  std::string name;
  std::string value;
};

/// Declarations that few backends have: types with an arithmetic of their own, and known deviations with the number of
/// outputs that they excuse.
std::vector<Fact> OwnArithmeticOf(const RunRecord& run);

/// What the verdicts rest on: backend and what it declares, suite, level, case list, seed, shard. For a table.
std::vector<Fact> FactsOf(const RunRecord& run, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUMMARY_H_
