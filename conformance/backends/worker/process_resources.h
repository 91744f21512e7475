// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory a process and its children hold, and what else a process holds: open files and threads.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_

#include <cstdint>

#include <sys/types.h>

namespace conformance {

/// Bytes in memory that are the process's own, and those of its children and theirs. Of memory that it shares, as the
/// buffers of a case, `shared` bytes are not counted. A limit on address space
/// would end sanitizers and JavaScript; a count of bytes in memory does not.
std::uint64_t HeldBytesOf(pid_t process, std::uint64_t shared);

/// The resources that the calling process holds, for a comparison with those that it held before.
struct HeldResources {
  std::uint64_t heap_bytes = 0;  ///< allocated and not freed, to the byte
  /// Bytes in memory, in whole pages: also those that other allocators hold. 0 under a sanitizer, which keeps freed
  /// memory.
  std::uint64_t private_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t threads = 0;
};
HeldResources OwnResources();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_PROCESS_RESOURCES_H_
