// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a case list on one backend, with several worker processes at once. Callbacks get each result as soon as it is
// known.

#ifndef DECONV_CONFORMANCE_RUN_RUNNER_H_
#define DECONV_CONFORMANCE_RUN_RUNNER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/run/run_record.h"
#include "conformance/run/shard.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

struct RunOptions {
  std::string backend;
  int jobs = 1;
  JudgeLimits limits = {};
  Shard shard = {};  ///< the shard of the case list to run
  /// The limit of unexpected hangs. Beyond it, cases like those that hung are left out (hang_limit.h); 0: never. It is
  /// also the most cases that get a second look: a second try with a longer time limit, if the backend still computed
  /// at the usual limit; 0: all such cases.
  std::size_t max_hangs = 10;
  /// Whether a case that failed behind others is run again several times, to name the earlier case that it needs.
  bool finds_culprits = true;
  /// Seconds after which no further case is begun; the rest is not run. 0: no limit.
  double budget_seconds = 0;
  /// Returns the indices of all cases in the order in which a run with a budget judges them, for a backend with these
  /// capabilities. Such a run uses one process for many cases, because a backend may need seconds to start.
  std::function<std::vector<std::size_t>(const Capabilities&)> budget_order = nullptr;
  /// Verdicts of an earlier run of the same case list. Case batches that they cover completely are not run again.
  std::vector<CaseResult> known = {};
};

struct RunEvents {
  /// Called after the backend has loaded, before any case. `cases` is the number of cases of the shard.
  std::function<void(const RunRecord&, std::size_t cases)> on_start = [](const RunRecord&, std::size_t) {};
  /// Called before a case that keeps the oracle busy for seconds, with a text that says so; by several threads at once.
  std::function<void(const SuiteCase&, const std::string&)> on_long_case = [](const SuiteCase&, const std::string&) {};
  /// Called once for each case before its verdict is used, also for known ones; by several threads at once.
  std::function<void(CaseResult&)> on_judged = [](CaseResult&) {};
  /// Called once for each case that was run, by one thread at a time, with the number of cases done so far.
  std::function<void(const CaseResult&, std::size_t)> on_result = [](const CaseResult&, std::size_t) {};
};

/// Judges every case of the shard, unless the run is interrupted. Returns an error if the backend cannot be started.
std::variant<RunRecord, BackendError> RunCases(const std::vector<SuiteCase>& case_list, const RunOptions& options,
                                               const RunEvents& events = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_RUNNER_H_
