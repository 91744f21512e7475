// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The exit codes of deconv-cts, on which scripts of users rely, and the exit code of a run.

#ifndef DECONV_CONFORMANCE_CLI_EXIT_CODE_H_
#define DECONV_CONFORMANCE_CLI_EXIT_CODE_H_

#include <span>
#include <string>

#include "conformance/run/runner.h"

namespace conformance {

enum ExitCode : int {
  kExitConforms = 0,
  kExitFailures = 1,
  kExitUsage = 2,          ///< a wrong command line, unreadable input, a report that cannot be written
  kExitBackend = 3,        ///< the backend could not be loaded, or broke the protocol
  kExitExpectations = 4,   ///< nothing failed that was not expected, but an expectation is stale or has expired
  kExitNothingJudged = 5,  ///< nothing failed, and no computed output was right; right refusals do not count
  kExitInternal = 6,       ///< the suite itself failed
  kExitSignal = 128,       ///< plus the signal that ended the run early: 130 after Ctrl-C
};

/// Returns the exit code for the verdicts: conforms, failures, an internal error or nothing judged. A shard (one part
/// of several of a run) never returns "nothing judged": the merged reports say whether anything was judged.
int ExitCodeOf(std::span<const RunRecord> runs);

/// Prints to standard error what is wrong with the command line or an input, and returns kExitUsage.
int UsageError(const std::string& message);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXIT_CODE_H_
