// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/PID/statm, which counts pages: resident pages, and the shared ones among them.

#include "conformance/worker/process_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace conformance {
namespace {

// A backend starts a process or two; what starts more, and they more, is not followed for ever.
constexpr int kMostGenerations = 4;

std::uint64_t BytesOf(pid_t process, int generations) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  if (!(statm >> size >> resident >> shared)) return 0;  // it has ended
  std::uint64_t bytes = (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (generations == 0) return bytes;
  std::error_code gone;  // the process may end meanwhile
  for (std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), gone), end;
       !gone && thread != end; thread.increment(gone)) {
    std::ifstream children(thread->path() / "children");
    for (pid_t child = 0; children >> child;) bytes += BytesOf(child, generations - 1);
  }
  return bytes;
}

}  // namespace

std::uint64_t PrivateBytesOf(pid_t process) { return BytesOf(process, kMostGenerations); }

}  // namespace conformance
