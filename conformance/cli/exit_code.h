// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How deconv-cts ends: its exit codes, on which scripts of users rely, the exit code of a run, and signals that end a
// run early.

#ifndef DECONV_CONFORMANCE_CLI_EXIT_CODE_H_
#define DECONV_CONFORMANCE_CLI_EXIT_CODE_H_

#include <atomic>
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

// Ctrl-C and SIGTERM end a run early. The reports then cover the cases that were judged before.

/// From now on, SIGINT and SIGTERM do not end the program. The result refers to 0, or to the signal that has arrived.
const std::atomic<int>& CatchInterrupts();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXIT_CODE_H_
