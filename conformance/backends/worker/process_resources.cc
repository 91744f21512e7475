// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures memory from /proc/PID/statm, which counts resident pages and the shared pages among them. The size of the
// heap comes from the allocator: the sanitizer's if the program has one, else the C library's. Open files and threads
// are entries of folders of /proc/self.

#include "conformance/backends/worker/process_resources.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

namespace conformance {
namespace {

// The depth to which children of children are counted: a backend may start processes without end.
constexpr int kMostGenerations = 8;

/// The bytes of shared memory, such as memory files, that the process has touched.
std::uint64_t SharedMemoryBytesOf(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  constexpr std::string_view kMember = "RssShmem:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kMember)) return std::strtoull(line.c_str() + kMember.size(), nullptr, 10) * 1024;
  }
  return 0;
}

/// Bytes in memory of the process and so many generations of its descendants. Shared memory counts in each process only
/// beyond `uncounted` bytes.
std::uint64_t BytesOf(pid_t process, int generations, std::uint64_t uncounted) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared_pages = 0;
  if (!(statm >> size >> resident >> shared_pages)) return 0;  // the process has ended
  std::uint64_t bytes =
      (resident - std::min(resident, shared_pages)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (const std::uint64_t shared_memory = SharedMemoryBytesOf(process); shared_memory > uncounted)
    bytes += shared_memory - uncounted;
  if (generations == 0) return bytes;
  std::error_code gone;  // the process may end meanwhile
  for (std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), gone), end;
       !gone && thread != end; thread.increment(gone)) {
    std::ifstream children(thread->path() / "children");
    for (pid_t child = 0; children >> child;) bytes += BytesOf(child, generations - 1, uncounted);
  }
  return bytes;
}

std::uint64_t EntriesOf(const char* folder) {
  std::uint64_t count = 0;
  std::error_code unreadable;  // without /proc the count is 0, which never grows
  for (std::filesystem::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    ++count;
  }
  return count;
}

void MeasureHeap(HeldResources& held) {
  using AllocatedBytes = std::size_t (*)();
  static const auto of_sanitizer =
      reinterpret_cast<AllocatedBytes>(dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes"));
  if (of_sanitizer != nullptr) {
    held.heap_bytes = of_sanitizer();
    return;
  }
  const struct mallinfo2 heap = mallinfo2();
  held.heap_bytes = heap.uordblks + heap.hblkhd;
  held.private_bytes = BytesOf(getpid(), 0, UINT64_MAX);
}

}  // namespace

std::uint64_t HeldBytesOf(pid_t process, std::uint64_t shared) { return BytesOf(process, kMostGenerations, shared); }

HeldResources ResourcesOfThisProcess() {
  HeldResources held;
  MeasureHeap(held);
  held.open_files = EntriesOf("/proc/self/fd");
  held.threads = EntriesOf("/proc/self/task");
  return held;
}

}  // namespace conformance
