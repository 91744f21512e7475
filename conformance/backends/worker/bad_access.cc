// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the address at which a backend touched memory that it may not with the buffers of the run. This code runs in
// a signal handler, so it allocates no memory.

#include "conformance/backends/worker/bad_access.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include "conformance/backends/crash_report.h"

namespace conformance {
namespace {

const GuardedView* buffers_of_run = nullptr;

void Write(std::string_view text) {
  // Ignore a failed write: the handler has no other way to report.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// Whether the system knows the address of the access. It is unknown if another process sent the signal, or if no
/// pointer can have the address.
bool HasAddress(int signal, const siginfo_t& info) {
  return (signal == SIGSEGV || signal == SIGBUS) && info.si_code > 0 && info.si_code != SI_KERNEL;
}

/// Writes ", 4 byte(s) past the data buffer" for an address near a buffer, else an empty string.
void DescribeNearBuffer(std::uintptr_t address, std::array<char, 128>& text) {
  text[0] = '\0';
  if (buffers_of_run == nullptr) return;
  // An address is near a buffer if it is within two pages of 4096 bytes: the guard page, and one more for a loop with a
  // large stride.
  constexpr std::uintptr_t kNear = 8192;
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    const auto buffer = buffers_of_run->buffer(i);
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

/// Returns whether the backend wrote to data or filter, and writes the text after kInputWritePrefix to `line`. Only a
/// write to read-only pages can end in SIGSEGV at an address within these buffers.
bool WroteToInput(int signal, const siginfo_t& info, std::array<char, 256>& line) {
  if (buffers_of_run == nullptr || signal != SIGSEGV || info.si_code != SEGV_ACCERR) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  for (const std::size_t i : {kDataBuffer, kFilterBuffer}) {
    const auto buffer = buffers_of_run->buffer(i);
    const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
    if (address < begin || address - begin >= buffer.size()) continue;
    std::snprintf(line.data(), line.size(), "byte %zu of %zu of the %s (address %#zx)\n", address - begin,
                  buffer.size(), kBufferNames[i], address);
    return true;
  }
  return false;
}

void DescribeAccess(int signal, const siginfo_t& info, std::array<char, 256>& line) {
  if (!HasAddress(signal, info)) {
    std::snprintf(line.data(), line.size(), "%s\n", strsignal(signal));
    return;
  }
  std::array<char, 128> near{};
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  DescribeNearBuffer(address, near);
  std::snprintf(line.data(), line.size(), "access to address %#zx%s%s\n", address, address < 4096 ? " (near NULL)" : "",
                near.data());
}

void Describe(int signal, const siginfo_t& info) {
  std::array<char, 256> line{};
  const bool wrote_to_input = WroteToInput(signal, info, line);
  if (!wrote_to_input) DescribeAccess(signal, info, line);
  Write(wrote_to_input ? kInputWritePrefix : kCrashPrefix);
  Write(line.data());
}

}  // namespace

void ReportCrashesIn(const GuardedView& view) {
  buffers_of_run = &view;
  ReportCrashes(Describe);
}

}  // namespace conformance
