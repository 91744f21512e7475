// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A run: every planned case on one backend, by several workers at once, each result handed on as it comes.

#ifndef DECONV_CONFORMANCE_RUN_RUNNER_H_
#define DECONV_CONFORMANCE_RUN_RUNNER_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/measured_coverage/coverage.h"
#include "conformance/run/failure_causes.h"
#include "conformance/run/shard.h"

namespace conformance {

struct RunOptions {
  std::string backend;
  int jobs = 1;
  JudgeLimits limits = {};
  Shard shard = {};  ///< of the case list's case batches
  /// Verdicts of an earlier run of the same case list, at any places. Case batches that they cover are not run again.
  std::vector<CaseResult> known = {};
};

/// Everything that reports need to know of a run besides its results.
struct RunRecord {
  std::string backend;  ///< as named on the command line
  Capabilities declared;
  Shard shard;
  std::size_t case_list_size = 0;   ///< cases of the whole case list, other shards' too
  std::string case_list_hash;       ///< HashOf(the whole case list)
  std::vector<CaseResult> results;  ///< one for every case of the shard that was judged, in the order of the case list
  std::size_t unjudged = 0;         ///< of the shard, but an interruption came first
  std::size_t stale_expectations = 0;  ///< or expired ones, where they are held against this run alone
  bool replay = false;  ///< of cases given by hand, to see whether they fail: a right refusal is an answer
  double seconds = 0;
  std::optional<Coverage> coverage = std::nullopt;     ///< where the whole run is asked for it
  std::optional<FailureCauses> causes = std::nullopt;  ///< of a run with failures that were looked into
};

/// Counts that exit code and summaries are made of.
struct Tally {
  std::size_t passed = 0, loose = 0, powerless = 0, failed = 0, undeclared = 0, too_large = 0, undefined = 0;
  std::size_t inapplicable = 0;
  std::size_t suite_errors = 0;  ///< of the failed
  std::size_t expected = 0;      ///< likewise
  std::size_t computed = 0;      ///< right, with an output that could have been wrong: refusals alone prove nothing
};
Tally TallyOf(const RunRecord& record);

struct RunEvents {
  /// Called once the backend has loaded, before any case; `cases` are those of the shard.
  std::function<void(const RunRecord&, std::size_t cases)> on_start = [](const RunRecord&, std::size_t) {};
  /// Called once a case before anything is made of its verdict, by several threads at once, of what is known too.
  std::function<void(CaseResult&)> on_judged = [](CaseResult&) {};
  /// Called once a case, by one thread at a time, with the number of cases done so far; not for what is known.
  std::function<void(const CaseResult&, std::size_t)> on_result = [](const CaseResult&, std::size_t) {};
};

/// Every case of the shard gets a verdict, unless the run is interrupted.
std::variant<RunRecord, BackendError> RunCases(const std::vector<SuiteCase>& case_list, const RunOptions& options,
                                               const RunEvents& events = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_RUNNER_H_
