// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/PID/statm, which counts pages: resident pages, and the shared ones among them. CPU times and parents are
// in /proc/PID/stat. The heap is asked of the
// allocator: of the sanitizer's if the program has one, else of the C library's. Open files and threads are entries of
// folders of /proc/self.

#include "conformance/backends/worker/process_resources.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
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

/// The numbers of /proc/PID/stat that this file uses; the times are in clock ticks.
struct ProcessTimes {
  pid_t process = 0;
  pid_t parent = 0;
  std::int64_t ticks = 0;
};

/// Nothing if the process has ended.
std::optional<ProcessTimes> TimesOf(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  ProcessTimes times;
  const std::size_t name_end = text.rfind(')');  // the name may hold anything, also spaces and parentheses
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream(text) >> times.process;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  constexpr int kParent = 4;  // fields as proc(5) numbers them
  constexpr int kFirstTime = 14;
  constexpr int kLastTime = 17;  // utime, stime, cutime, cstime
  for (int number = 3; number <= kLastTime && fields >> field; ++number) {
    if (number == kParent) times.parent = static_cast<pid_t>(std::strtol(field.c_str(), nullptr, 10));
    if (number >= kFirstTime) times.ticks += std::strtoll(field.c_str(), nullptr, 10);
  }
  return times;
}

std::vector<ProcessTimes> TimesOfAll() {
  std::vector<ProcessTimes> all;
  std::error_code gone;
  for (std::filesystem::directory_iterator entry("/proc", gone), end; !gone && entry != end; entry.increment(gone)) {
    if (std::isdigit(static_cast<unsigned char>(entry->path().filename().native().front())) == 0) continue;
    if (const auto times = TimesOf(entry->path())) all.push_back(*times);
  }
  return all;
}

std::uint64_t EntriesOf(const char* folder) {
  std::uint64_t count = 0;
  std::error_code unreadable;  // as without /proc: 0, which never grows
  for (std::filesystem::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    ++count;
  }
  return count;
}

void AskForHeap(HeldResources& held) {
  using AllocatedBytes = std::size_t (*)();
  static const auto of_sanitizer =
      reinterpret_cast<AllocatedBytes>(dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes"));
  if (of_sanitizer != nullptr) {
    held.heap_bytes = of_sanitizer();
    return;
  }
  const struct mallinfo2 heap = mallinfo2();
  held.heap_bytes = heap.uordblks + heap.hblkhd;
  held.private_bytes = BytesOf(getpid(), 0);
}

}  // namespace

std::uint64_t PrivateBytesOf(pid_t process) { return BytesOf(process, kMostGenerations); }

std::chrono::milliseconds CpuTimeOf(pid_t process) {
  // Not every kernel lists the children of a process, but every process names its parent.
  const std::vector<ProcessTimes> all = TimesOfAll();
  std::vector<pid_t> family = {process};
  std::int64_t ticks = 0;
  for (std::size_t i = 0; i < family.size(); ++i) {
    for (const ProcessTimes& times : all) {
      if (times.process == family[i]) ticks += times.ticks;
      if (times.parent == family[i]) family.push_back(times.process);
    }
  }
  return std::chrono::milliseconds(ticks * 1000 / sysconf(_SC_CLK_TCK));
}

HeldResources OwnResources() {
  HeldResources held;
  AskForHeap(held);
  held.open_files = EntriesOf("/proc/self/fd");
  held.threads = EntriesOf("/proc/self/task");
  return held;
}

}  // namespace conformance
