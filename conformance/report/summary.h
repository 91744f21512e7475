// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The outcome of a run in a few words and counts, the same in every report for people.

#ifndef DECONV_CONFORMANCE_REPORT_SUMMARY_H_
#define DECONV_CONFORMANCE_REPORT_SUMMARY_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/runner.h"

namespace conformance {

/// Right answers that a verdict can rest on: outputs that could have been wrong, of a replay any.
std::size_t AnswersOf(const RunRecord& run);

enum class RunVerdict {
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
inline bool IsGood(RunVerdict verdict) {
  return verdict == RunVerdict::kConforms || verdict == RunVerdict::kMeetsExpectations;
}

RunVerdict VerdictOf(const RunRecord& run);
/// How a report shows a verdict by a colour or a mark.
enum class Tone { kGood, kBad, kOpen };
Tone ToneOf(RunVerdict verdict);

/// The words, and of a backend that supports a part of the cases which part: "conforms on the 61 % of cases that it
/// supports", "meets its expectations on the 61 % of cases that it supports".
std::string VerdictText(const RunRecord& run);

/// The verdict on all runs together: "kernel 0.1.0 conforms", or "1 of 3 backends conforms, 1 meets its expectations".
std::string Headline(std::span<const RunRecord> runs);

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

/// Those that nobody expected before the others, each in the order of the case list.
std::vector<const CaseResult*> FailuresOf(const RunRecord& run);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUMMARY_H_
