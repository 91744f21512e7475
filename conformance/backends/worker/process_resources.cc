// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the memory, open files, threads and CPU time of processes that run a backend (the library under test).
// Memory comes from /proc/PID/statm, which counts resident pages and the shared pages among them. The size of the heap
// comes from the allocator: the sanitizer's if the program has one, else the C library's. Open files and threads are
// entries of folders of /proc/self.

#include "conformance/backends/worker/process_resources.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

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

/// The number of entries of a folder.
std::uint64_t EntriesOf(const char* folder) {
  std::uint64_t count = 0;
  std::error_code unreadable;  // without /proc the count is 0, which never grows
  for (std::filesystem::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    ++count;
  }
  return count;
}

/// Sets the bytes of the heap, and without a sanitizer those of all private memory.
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

// The CPU time of a process and its descendants comes from /proc/PID/stat of all processes. Each of these files names
// the parent and the group of its process. Not every Linux kernel lists the children of a process.

namespace {

/// The fields of a file `stat` of a process or a thread that this file uses; the times are in clock ticks.
struct Stat {
  pid_t id = 0;
  char state = ' ';
  pid_t parent = 0;
  pid_t group = 0;
  std::int64_t ticks = 0;
};

/// Nothing if the process or thread has ended.
std::optional<Stat> ReadStat(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const std::size_t name_end = text.rfind(')');  // the name may hold anything, also spaces and parentheses
  if (name_end == std::string::npos) return std::nullopt;
  Stat stat;
  std::istringstream(text) >> stat.id;
  std::istringstream fields(text.substr(name_end + 1));
  fields >> stat.state >> stat.parent >> stat.group;
  std::string field;
  constexpr int kFirstTime = 14;  // number of the first field in proc(5): utime, stime, cutime, cstime
  constexpr int kLastTime = 17;
  for (int number = 6; number <= kLastTime && fields >> field; ++number) {  // fields 1 to 5 are read above
    if (number >= kFirstTime) stat.ticks += std::strtoll(field.c_str(), nullptr, 10);
  }
  return stat;
}

/// Reads the states of all processes (`folder` is /proc), or of all threads of one process (its folder "task").
std::vector<Stat> ReadStats(const std::filesystem::path& folder) {
  std::vector<Stat> stats;
  std::error_code gone;
  for (std::filesystem::directory_iterator entry(folder, gone), end; !gone && entry != end; entry.increment(gone)) {
    if (std::isdigit(static_cast<unsigned char>(entry->path().filename().native().front())) == 0) continue;
    if (const auto stat = ReadStat(entry->path())) stats.push_back(*stat);
  }
  return stats;
}

/// Whether a thread of the process runs or waits for a CPU ('R'), or waits for a disk ('D').
bool CanRun(pid_t process) {
  for (const Stat& thread : ReadStats(fmt::format("/proc/{}/task", process))) {
    if (thread.state == 'R' || thread.state == 'D') return true;
  }
  return false;
}

/// Returns the process, its descendants, and the members of their process groups, from the list of all processes. The
/// loop repeats until it finds no further process or group.
std::set<pid_t> FamilyOf(pid_t process, const std::vector<Stat>& all_processes) {
  std::set<pid_t> family = {process};
  std::set<pid_t> groups;
  for (std::size_t before = 0; before != family.size() + groups.size();) {
    before = family.size() + groups.size();
    for (const Stat& one : all_processes) {
      if (family.contains(one.parent) || groups.contains(one.group)) family.insert(one.id);
      if (family.contains(one.id)) groups.insert(one.group);
    }
  }
  return family;
}

}  // namespace

CpuUse CpuUseOf(pid_t process) {
  const std::vector<Stat> all = ReadStats("/proc");
  const std::set<pid_t> family = FamilyOf(process, all);
  CpuUse use;
  std::int64_t ticks = 0;
  for (const Stat& one : all) {
    if (!family.contains(one.id)) continue;
    ticks += one.ticks;
    use.can_run = use.can_run || CanRun(one.id);
  }
  use.time = std::chrono::milliseconds(ticks * 1000 / sysconf(_SC_CLK_TCK));
  return use;
}

int ProcessesOf(pid_t process) {
  const std::vector<Stat> all = ReadStats("/proc");
  const std::set<pid_t> family = FamilyOf(process, all);
  return static_cast<int>(std::ranges::count_if(all, [&](const Stat& one) { return family.contains(one.id); }));
}

int TasksOfMachine() {
  std::ifstream file("/proc/loadavg");
  std::string word;
  for (int i = 0; i < 4; ++i) file >> word;  // "0.20 0.18 0.12 1/80 11206"
  const std::size_t slash = word.find('/');
  return slash == std::string::npos ? 0 : std::atoi(word.c_str() + slash + 1);
}

}  // namespace conformance
