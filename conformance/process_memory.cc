// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See process_memory.h: /proc/PID/statm counts pages, resident and shared among them.

#include "conformance/process_memory.h"

#include <algorithm>
#include <fstream>

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
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child = 0; children >> child;) bytes += BytesOf(child, generations - 1);
  return bytes;
}

}  // namespace

std::uint64_t PrivateBytesOf(pid_t process) { return BytesOf(process, kMostGenerations); }

}  // namespace conformance
