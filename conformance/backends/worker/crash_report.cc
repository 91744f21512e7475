// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in a signal handler on a stack of its own, because the backend's stack may have overflowed. This code allocates
// no memory.

#include "conformance/backends/worker/crash_report.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <execinfo.h>
#include <unistd.h>

namespace conformance {
namespace {

constexpr int kMostFrames = 24;

const GuardedView* seen_from = nullptr;

void Write(const char* text, std::size_t size) {
  // Nothing could be done about a failure here.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, size);
}

/// Whether the system tells the address of the access. It does not for a signal that somebody sent, or for an address
/// that no pointer can have.
bool HasAddress(int signal, const siginfo_t& info) {
  return (signal == SIGSEGV || signal == SIGBUS) && info.si_code > 0 && info.si_code != SI_KERNEL;
}

/// "4 byte(s) past the data buffer", of an address on or near the pages of a buffer; else "".
void Place(std::uintptr_t address, std::array<char, 128>& text) {
  text[0] = '\0';
  if (seen_from == nullptr) return;
  // An address is near up to the page on either side, and the next one for a read that strides.
  constexpr std::uintptr_t kNear = 8192;
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    const auto buffer = seen_from->buffer(i);
    const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
    const std::uintptr_t end = begin + buffer.size();
    if (begin == 0) continue;
    if (address < begin && begin - address <= kNear) {
      std::snprintf(text.data(), text.size(), ", %zu byte(s) before the %s buffer", begin - address, kBufferNames[i]);
      return;
    }
    if (address >= end && address - end < kNear) {
      std::snprintf(text.data(), text.size(), ", %zu byte(s) past the %s buffer", address - end + 1, kBufferNames[i]);
      return;
    }
  }
}

/// Fills `line` with what follows kInputWritePrefix if the address lies in data or filter. Nothing but a write to
/// read-only pages ends in SIGSEGV there.
bool WroteToInput(int signal, const siginfo_t& info, std::array<char, 256>& line) {
  if (seen_from == nullptr || signal != SIGSEGV || info.si_code != SEGV_ACCERR) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  for (const std::size_t i : {kDataBuffer, kFilterBuffer}) {
    const auto buffer = seen_from->buffer(i);
    const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
    if (address < begin || address - begin >= buffer.size()) continue;
    std::snprintf(line.data(), line.size(), "byte %zu of %zu of the %s (address %#zx)\n", address - begin,
                  buffer.size(), kBufferNames[i], address);
    return true;
  }
  return false;
}

void DescribeCrash(int signal, const siginfo_t& info, std::array<char, 256>& line) {
  if (!HasAddress(signal, info)) {
    std::snprintf(line.data(), line.size(), "%s\n", strsignal(signal));
    return;
  }
  std::array<char, 128> place{};
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  Place(address, place);
  std::snprintf(line.data(), line.size(), "access to address %#zx%s%s\n", address, address < 4096 ? " (near NULL)" : "",
                place.data());
}

void Report(int signal, siginfo_t* info, void* /*context*/) {
  std::array<char, 256> line{};
  const bool wrote_to_input = WroteToInput(signal, *info, line);
  if (!wrote_to_input) DescribeCrash(signal, *info, line);
  const std::string_view prefix = wrote_to_input ? kInputWritePrefix : kCrashPrefix;
  Write(prefix.data(), prefix.size());
  Write(line.data(), std::strlen(line.data()));
  std::array<void*, kMostFrames> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), kMostFrames), STDERR_FILENO);
  // The handler stood for one signal: the next one has its usual effect, which tells the runner which it was.
  raise(signal);
}

}  // namespace

void ReportCrashes(const GuardedView& view) {
  seen_from = &view;
  // The first call loads a library, which a handler must not.
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
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace conformance
