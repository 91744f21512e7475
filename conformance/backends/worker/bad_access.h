// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says where a worker that dies of a signal touched memory, relative to the buffers.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_BAD_ACCESS_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_BAD_ACCESS_H_

#include "conformance/backends/worker/arena.h"

namespace conformance {

/// Reports crashes (conformance/backends/crash_report.h) and their place in these buffers. `view` outlives the
/// process's work.
void ReportCrashesIn(const GuardedView& view);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_BAD_ACCESS_H_
