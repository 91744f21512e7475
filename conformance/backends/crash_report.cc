// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports a crash of a backend (the library under test) from a signal handler. The handler has its own stack, because
// the backend's stack may have overflowed, and allocates no memory. It writes only addresses. The program deconv-frames
// finds functions and lines.

#include "conformance/backends/crash_report.h"

#include <atomic>

#if defined(__linux__) && __has_include(<execinfo.h>)
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#endif

namespace conformance {
namespace {

// The process, or the negative number of a group, to which this process passes requests for the stack; 0: none.
std::atomic<pid_t> asked_instead = 0;

#if defined(__linux__) && __has_include(<execinfo.h>)

// Guesses on which no result depends. A deeper stack mostly repeats frames of a recursion, and further threads are
// mostly idle workers of the same pool.
constexpr int kMostFrames = 32;
constexpr int kMostThreads = 8;

DescribeCrash describe_crash = nullptr;
std::array<char, 4096> program{};            // the path of this program, which the loader may know by another name
std::atomic<pid_t> thread_that_reports = 0;  // another thread, asked by the one that got the request

void Write(const char* text, std::size_t size) {
  // Ignore a failed write: the handler has no other way to report.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, size);
}

/// The address of the instruction that caused the signal, or 0 on a machine for which this file cannot read it.
std::uintptr_t AddressOf(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return registers.pc;
#else
  (void)registers;
  return 0;
#endif
}

/// Writes "FILE +0xADDRESS SYMBOL" for the address of an instruction.
void WriteFrame(std::uintptr_t address) {
  std::array<char, 4608> line{};  // room for two names of at most 2000 bytes, and an address
  Dl_info found{};
  link_map* file = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &found, reinterpret_cast<void**>(&file), RTLD_DL_LINKMAP) == 0 ||
      file == nullptr) {
    std::snprintf(line.data(), line.size(), "? +%#zx\n", address);
  } else {
    const bool is_program = file->l_name == nullptr || *file->l_name == '\0';
    std::snprintf(line.data(), line.size(), "%.2000s +%#zx %.2000s\n", is_program ? program.data() : file->l_name,
                  address - file->l_addr, found.dli_sname == nullptr ? "" : found.dli_sname);
  }
  Write(line.data(), std::strlen(line.data()));
}

/// Writes the stack, without the frames of this handler.
void WriteStack(const void* context) {
  std::array<void*, kMostFrames> frames{};
  const int count = backtrace(frames.data(), kMostFrames);
  void** const end = frames.data() + count;
  void** const top = std::find(frames.data(), end, reinterpret_cast<void*>(AddressOf(context)));
  void** const first = top == end ? frames.data() : top;
  for (void** frame = first; frame != end; ++frame) {
    // All frames but the top one hold the address after their call, which may belong to the next source line.
    // Subtract 1.
    WriteFrame(reinterpret_cast<std::uintptr_t>(*frame) - (frame == top ? 0 : 1));
  }
}

/// Whether the thread runs or waits for a CPU.
bool Computes(const char* thread) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%.20s/stat", thread);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 256> text{};
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  if (size <= 0) return false;
  const char* const name_end = std::strrchr(text.data(), ')');  // the file begins with "ID (NAME) STATE"
  return name_end != nullptr && std::strlen(name_end) > 2 && name_end[2] == 'R';
}

/// Makes another thread write its stack, and waits a short time until it has done so.
void ReportThread(pid_t thread) {
  // Waits of 1 ms. A thread that has not answered in 0.1 s, a guess, has blocked the signal.
  constexpr int kMostWaits = 100;
  Write(kThreadPrefix.data(), kThreadPrefix.size());
  Write("\n", 1);
  thread_that_reports = thread;
  if (syscall(SYS_tgkill, getpid(), thread, SIGABRT) != 0) return;
  for (int i = 0; i < kMostWaits && thread_that_reports != 0; ++i) usleep(1000);
}

/// Reports the other threads that compute. In a hang, this thread may only wait for another thread of the backend.
void ReportOtherThreads() {
  struct Entry {  // of a folder, as getdents64 writes it; readdir() would allocate memory
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t size;
    std::uint8_t type;
    char name[1];
  };
  const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  alignas(Entry) std::array<char, 4096> entries{};
  int reported = 0;
  for (;;) {
    const long size = syscall(SYS_getdents64, folder, entries.data(), entries.size());
    if (size <= 0) break;
    for (long at = 0; at < size && reported < kMostThreads;) {
      const auto* const entry = reinterpret_cast<const Entry*>(entries.data() + at);
      const pid_t thread = std::atoi(entry->name);
      if (thread > 0 && thread != self && Computes(entry->name)) {
        ReportThread(thread);
        ++reported;
      }
      at += entry->size;
    }
  }
  close(folder);
}

/// The signal handler. It reports a crash, or answers a request for the stack; both end the process.
void Report(int signal, siginfo_t* info, void* context) {
  if (signal == SIGABRT && thread_that_reports == static_cast<pid_t>(syscall(SYS_gettid))) {
    WriteStack(context);
    thread_that_reports = 0;
    for (;;) pause();
  }
  // SIGABRT from another process is a request for the stack. abort() sends the signal from this process.
  const bool is_request = signal == SIGABRT && info->si_code == SI_USER && info->si_pid != getpid();
  if (is_request && asked_instead != 0) {
    constexpr int kMicrosecondsToAnswer = 200'000;
    kill(asked_instead, SIGABRT);
    usleep(kMicrosecondsToAnswer);  // a shell ends at once, and this process, which sees it, ends what it has started
    return;
  }
  // Let the next signal end the process, even if reading the stack crashes. The runner sees the signal's number.
  if (!is_request) std::signal(signal, SIG_DFL);
  if (describe_crash != nullptr) {
    describe_crash(signal, *info);
  } else {
    std::array<char, 128> line{};
    std::snprintf(line.data(), line.size(), "%s%s\n", kCrashPrefix.data(), strsignal(signal));
    Write(line.data(), std::strlen(line.data()));
  }
  WriteStack(context);
  if (is_request) ReportOtherThreads();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void PassOn(int signal) { kill(asked_instead, signal); }

#endif

}  // namespace

#if defined(__linux__) && __has_include(<execinfo.h>)

void ReportCrashes(DescribeCrash describe) {
  describe_crash = describe;
  const ssize_t size = readlink("/proc/self/exe", program.data(), program.size() - 1);
  if (size <= 0) program[0] = '?';
  // The first call of backtrace() loads a library, which is not allowed in a signal handler. So call it here.
  std::array<void*, 1> frame{};
  backtrace(frame.data(), 1);
  static std::array<std::byte, 64 * 1024> alternative;
  stack_t stack{};
  stack.ss_sp = alternative.data();
  stack.ss_size = alternative.size();
  sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction present{};
    sigaction(signal, nullptr, &present);
    if ((present.sa_flags & SA_SIGINFO) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_sigaction = Report;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

void PassStackRequestsToChild(pid_t child) {
  asked_instead = child;
  struct sigaction action{};
  action.sa_handler = PassOn;
  action.sa_flags = SA_RESTART;
  sigaction(SIGABRT, &action, nullptr);
}

#else  // other systems have no processes, or no way to read a stack

void ReportCrashes(DescribeCrash /*describe*/) {}
void PassStackRequestsToChild(pid_t /*child*/) {}

#endif

void PassStackRequests(pid_t group) { asked_instead = -group; }

}  // namespace conformance
