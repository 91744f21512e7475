// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a case list on one backend, with several workers at once. Each result is passed on as soon as it is there.

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
  /// The most hangs that were not expected. After them, cases like those that hung are left out; 0: never. At the end
  /// of the run, so many cases are judged again with a longer limit; 0: all. They are cases whose backend still
  /// computed at the time limit.
  std::size_t max_hangs = 10;
  /// Seconds after which no further case is begun; the rest is not run. 0: no limit.
  double budget_seconds = 0;
  /// The indices of all cases, in the order in which a run with a budget takes them on a backend that declares this.
  /// Such a run does not begin a process for each case batch, because a process that loads a compiler takes seconds.
  std::function<std::vector<std::size_t>(const Capabilities&)> budget_order = nullptr;
  /// Verdicts of an earlier run of the same case list. Case batches that they cover completely are not run again.
  std::vector<CaseResult> known = {};
};

struct RunEvents {
  /// Called after the backend has loaded, before any case. `cases`: how many the shard has.
  std::function<void(const RunRecord&, std::size_t cases)> on_start = [](const RunRecord&, std::size_t) {};
  /// Called before a case that keeps the oracle busy for seconds, with a text that says so; by several threads at once.
  std::function<void(const SuiteCase&, const std::string&)> on_long_case = [](const SuiteCase&, const std::string&) {};
  /// Called once for each case before its verdict is used, also for known ones; by several threads at once.
  std::function<void(CaseResult&)> on_judged = [](CaseResult&) {};
  /// Called once for each case that was run, by one thread at a time, with the number of cases done so far.
  std::function<void(const CaseResult&, std::size_t)> on_result = [](const CaseResult&, std::size_t) {};
};

/// Gives every case of the shard a verdict, unless the run is interrupted.
std::variant<RunRecord, BackendError> RunCases(const std::vector<SuiteCase>& case_list, const RunOptions& options,
                                               const RunEvents& events = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_RUNNER_H_
