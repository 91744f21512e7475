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

#include "conformance/judge/judge.h"
#include "conformance/run/run_record.h"
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
