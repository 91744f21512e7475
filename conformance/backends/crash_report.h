// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a process that runs a backend (the library under test) report its own crash on standard error: the signal that
// ended it, and its call stack. The runner sends SIGABRT to a process that hangs, to get its stack. Python and Go print
// a stack at this signal, too.

#ifndef DECONV_CONFORMANCE_BACKENDS_CRASH_REPORT_H_
#define DECONV_CONFORMANCE_BACKENDS_CRASH_REPORT_H_

#include <csignal>
#include <string_view>

#include <sys/types.h>

namespace conformance {

/// Starts the line on stderr that names the signal or the bad access. The stack follows, with one frame on each line.
inline constexpr std::string_view kCrashPrefix = "deconv-cts worker: ";

/// Starts the line if the crash is a write to data or filter while their pages are read-only. The text goes on with
/// "byte 4 of 16 of the filter (address 0x...)".
inline constexpr std::string_view kInputWritePrefix = "deconv-cts worker: write to ";

/// The line before the stack of each further thread.
inline constexpr std::string_view kThreadPrefix = "another thread that computes:";

/// A function that writes the first line of a report to stderr, with prefix and newline. Signal handlers call it.
using DescribeCrash = void (*)(int signal, const siginfo_t& info);

/// Reports SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on stderr from now on, before they end the process. A stack
/// overflow is reported in this thread alone. Signals that already have a handler, such as a sanitizer's, keep it.
/// A frame is "FILE +0xADDRESS SYMBOL": FILE is the library or program, ADDRESS is within that file and in the
/// instruction that was executed or that called, SYMBOL may be missing. `describe` may be null: then the line names the
/// signal.
void ReportCrashes(DescribeCrash describe);

/// Sends later requests for the stack to all processes of this group, which run the backend. 0: keeps them here.
void PassStackRequests(pid_t group);

/// Passes SIGABRT on to the child, which runs the backend. For a process without threads.
void PassStackRequestsToChild(pid_t child);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_CRASH_REPORT_H_
