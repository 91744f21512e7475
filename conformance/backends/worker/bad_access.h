// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports where a worker (the process that runs a backend) touched memory that it may not, relative to the buffers of
// the run: "access to address 0x7f2a8000, 4 byte(s) past the data buffer".

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_BAD_ACCESS_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_BAD_ACCESS_H_

#include "conformance/backends/worker/arena.h"

namespace conformance {

/// Reports crashes (conformance/backends/crash_report.h) from now on, with the position of the bad access relative to
/// these buffers. `view` must outlive all later calls of the backend.
void ReportCrashesIn(const GuardedView& view);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_BAD_ACCESS_H_
