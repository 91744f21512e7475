// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The last report of a worker that dies of a signal: where it touched memory, relative to the buffers, and its call
// stack.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_CRASH_REPORT_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_CRASH_REPORT_H_

#include <string_view>

#include "conformance/backends/worker/arena.h"

namespace conformance {

/// Starts the line on stderr that says what happened; the stack follows, a frame a line.
inline constexpr std::string_view kCrashPrefix = "deconv-cts worker: ";

/// Starts the line if the crash is a write to data or filter while their pages are read-only. The text goes on with
/// "byte 4 of 16 of the filter (address 0x...)".
inline constexpr std::string_view kInputWritePrefix = "deconv-cts worker: write to ";

/// Reports SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on stderr from now on, before they end the process. A stack
/// overflow is reported in this thread alone. Signals that something else handles already (a sanitizer) are left to it.
/// `view` outlives the process's work.
void ReportCrashes(const GuardedView& view);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_CRASH_REPORT_H_
