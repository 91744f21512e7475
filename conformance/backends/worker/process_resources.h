// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the memory of a process and its children, the open files and threads of this process, and whether a backend
// computes or sleeps.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_

#include <chrono>
#include <cstdint>

#include <sys/types.h>

namespace conformance {

/// Returns the bytes in memory of the process and its descendants, without up to `shared` bytes of shared memory in
/// each process: the buffers of a case. A limit on address space would be simpler, but sanitizers and JavaScript
/// reserve more address space than they use.
std::uint64_t HeldBytesOf(pid_t process, std::uint64_t shared);

/// The resources that the calling process holds, for a comparison with those that it held before.
struct HeldResources {
  std::uint64_t heap_bytes = 0;  ///< allocated and not freed, to the byte
  /// Bytes in memory in whole pages, with memory of other allocators. 0 under a sanitizer, which keeps freed memory.
  std::uint64_t private_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t threads = 0;
};
HeldResources ResourcesOfThisProcess();

// CPU time and the states of processes: does a backend compute or sleep?

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

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_
