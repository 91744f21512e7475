// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The exit codes that users script against.

#ifndef DECONV_CONFORMANCE_CLI_EXIT_CODE_H_
#define DECONV_CONFORMANCE_CLI_EXIT_CODE_H_

namespace conformance {

enum ExitCode : int {
  kExitConforms = 0,
  kExitFailures = 1,
  kExitUsage = 2,         ///< a wrong command line, unreadable input, a report that cannot be written
  kExitBackend = 3,       ///< could not be loaded, or broke the protocol
  kExitExpectations = 4,  ///< nothing failed that was not expected, but an expectation is stale or has expired
  kExitNothingJudged = 5,
  kExitInternal = 6,
  kExitSignal = 128,  ///< plus the signal that ended the run early: 130 after Ctrl-C
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXIT_CODE_H_
