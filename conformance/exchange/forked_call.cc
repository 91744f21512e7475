// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the forked call: a fork, a pipe for the answer, and limits of time and memory.

#include "conformance/exchange/forked_call.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace conformance::exchange {
namespace {

// What a shell gives for a program that could not do its work.
constexpr int kThrew = 1;

[[noreturn]] void RunChild(const std::function<std::string()>& work, int pipe) {
  // A debugger's or sanitizer's handler would write a report about what is expected here.
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE}) std::signal(signal, SIG_DFL);
  int code = 0;
  try {
    const std::string answer = work();
    std::string_view rest = answer;
    while (!rest.empty()) {
      const ssize_t written = write(pipe, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  } catch (const std::exception&) {
    code = kThrew;
  }
  _exit(code);
}

std::uint64_t ResidentBytes(pid_t child) {
  std::ifstream file(fmt::format("/proc/{}/statm", child));
  std::uint64_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Reads until the child closes its end; empty, or which limit it passed.
std::string ReadAnswer(int pipe, pid_t child, const ChildLimits& limits, std::string& answer) {
  const auto end = std::chrono::steady_clock::now() + limits.time;
  std::array<char, 65536> chunk{};
  while (true) {
    if (std::chrono::steady_clock::now() > end) return fmt::format("took more than {} s", limits.time.count());
    if (ResidentBytes(child) > limits.resident_bytes) {
      return "needed too much memory";
    }
    pollfd waited{pipe, POLLIN, 0};
    constexpr int milliseconds = 100;
    if (poll(&waited, 1, milliseconds) <= 0) continue;
    const ssize_t found = read(pipe, chunk.data(), chunk.size());
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return {};
    answer.append(chunk.data(), static_cast<std::size_t>(found));
    if (answer.size() > limits.answer_bytes) {
      return fmt::format("answered more than {} MiB", limits.answer_bytes >> 20);
    }
  }
}

}  // namespace

std::variant<std::string, ChildFailure> ForkedCall(const std::function<std::string()>& work,
                                                   const ChildLimits& limits) {
  ChildLimits whole = limits;
  whole.resident_bytes += ResidentBytes(getpid());  // a copy has that from the start
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return ChildFailure{fmt::format("no pipe: {}", std::strerror(errno))};
  const pid_t child = fork();
  if (child < 0) {
    const std::string message = fmt::format("no process: {}", std::strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return ChildFailure{message};
  }
  if (child == 0) {
    close(ends[0]);
    RunChild(work, ends[1]);
  }
  close(ends[1]);
  std::string answer;
  const std::string passed = ReadAnswer(ends[0], child, whole, answer);
  close(ends[0]);
  if (!passed.empty()) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!passed.empty()) return ChildFailure{passed};
  if (WIFSIGNALED(status)) return ChildFailure{fmt::format("died by signal {}", WTERMSIG(status))};
  if (WEXITSTATUS(status) != 0) return ChildFailure{fmt::format("ended with exit code {}", WEXITSTATUS(status))};
  return answer;
}

}  // namespace conformance::exchange
