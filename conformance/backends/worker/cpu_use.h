// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether a backend computes or sleeps, from the CPU time and the states of its processes.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_CPU_USE_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_CPU_USE_H_

#include <chrono>

#include <sys/types.h>

namespace conformance {

/// The CPU use of a process, its descendants and all processes in their process groups. A member of a group need not be
/// a descendant: a server may have forked it.
struct CpuUse {
  /// The CPU time in steps of the kernel's clock tick (10 ms on most systems). The time of a descendant that has ended
  /// counts once its parent has waited for it: a compiler that an adapter calls, for example.
  std::chrono::milliseconds time{0};
  bool can_run = false;  ///< a thread runs, waits for a CPU or waits for a disk
};

/// The CPU use of the process. Its process group must hold no processes but its own. Time 0 if it has ended.
CpuUse CpuUseOf(pid_t process);

/// The number of processes that CpuUseOf() counts. 0 if the process has ended.
int ProcessesOf(pid_t process);

/// All processes and threads of the machine, from a file that is cheap to read.
int TasksOfMachine();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_CPU_USE_H_
