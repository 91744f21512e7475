// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the memory of a process and its children, and the open files and threads of this process.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_
