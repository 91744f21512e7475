// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the exit code of a run from its results, and sets the signal handlers, which only store the signal's number.

#include "conformance/cli/exit_code.h"

#include <csignal>
#include <cstdio>
#include <initializer_list>

#include <fmt/format.h>

namespace conformance {

int ExitCodeOf(std::span<const RunRecord> runs) {
  ExitCode exit_code = kExitConforms;
  for (const RunRecord& run : runs) {
    const Tally tally = TallyOf(run);
    if (tally.failed != tally.suite_errors + tally.expected || tally.skipped_after_hangs != 0) return kExitFailures;
    if (tally.suite_errors != 0) exit_code = kExitInternal;
    const bool is_shard = run.case_list_size != 0 && run.shard.count > 1;
    if (tally.answers + tally.expected == 0 && exit_code == kExitConforms && !is_shard) exit_code = kExitNothingJudged;
  }
  return exit_code;
}

int UsageError(const std::string& message) {
  fmt::print(stderr, "deconv-cts: {}\n", message);
  return kExitUsage;
}

namespace {

std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may take no lock");

}  // namespace

const std::atomic<int>& CatchInterrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action = {};
    action.sa_handler = [](int signal_number) { caught_signal = signal_number; };
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
  return caught_signal;
}

}  // namespace conformance
