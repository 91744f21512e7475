// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The record of a run: its results, and the other facts that reports, exit codes and comparisons need.

#ifndef DECONV_CONFORMANCE_RUN_RUN_RECORD_H_
#define DECONV_CONFORMANCE_RUN_RUN_RECORD_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/run/failure_causes.h"
#include "conformance/run/shard.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// One run of a case list on one backend.
struct RunRecord {
  std::string backend;  ///< name on the command line
  Capabilities declared;
  /// The protections that the sandbox gave, and those that it could not give. Empty if the run had no sandbox.
  std::string sandbox = {};
  Shard shard;                      ///< the part of the case list that this run covers
  std::size_t case_list_size = 0;   ///< cases of the whole case list, with those of other shards
  std::string case_list_hash;       ///< HashOf(the whole case list)
  std::vector<CaseResult> results;  ///< one for every case of the shard that was judged, in the order of the case list
  std::size_t unjudged = 0;         ///< cases of the shard that an interruption left without a verdict
  /// Entries of the file of known failures that are stale (no case fails as they expect) or have expired. 0 if several
  /// backends share the file: then all their runs are compared with it together. A merge of reports without the file
  /// sets 1 if a shard had such entries.
  std::size_t stale_expectations = 0;
  bool replay = false;  ///< a replay of given cases, in which a right refusal counts as an answer
  double seconds = 0;
  std::optional<FailureCauses> causes = std::nullopt;  ///< set if the run has failures, and causes were looked for
};

/// The counts from which exit code and summaries follow. The first ones are the cases of each status (status.h). A
/// vacuous case is right, but it could not have failed. The later ones are parts of these counts.
struct Tally {
  std::size_t passed = 0, imprecise = 0, vacuous = 0, failed = 0, undeclared = 0, too_large = 0, undefined = 0;
  std::size_t unsupported = 0;  ///< supports() of the backend answered no
  std::size_t inapplicable = 0, not_judged = 0, skipped_after_hangs = 0;
  std::size_t suite_errors = 0;  ///< failed cases that are the suite's errors
  std::size_t expected = 0;      ///< failed cases that were expected to fail
  /// Right answers that show conformance: computed outputs that could have been wrong. Refusals alone prove nothing. In
  /// a replay all right answers count.
  std::size_t answers = 0;
};
Tally TallyOf(const RunRecord& record);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_RUN_RECORD_H_
