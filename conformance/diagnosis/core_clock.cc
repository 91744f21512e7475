// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads from /proc how long a thread and its processes were ready to run and had no core.

#include "conformance/diagnosis/core_clock.h"

#include <fstream>
#include <string>

#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

// The second number of schedstat, in nanoseconds.
std::int64_t WaitOf(const std::string& folder) {
  std::ifstream file("/proc/" + folder + "/schedstat");
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  return file >> ran >> waited ? waited : 0;
}

}  // namespace

CoreClock::CoreClock() {
  ReadWaits();
  first_ = last_;
  before_ = processes_;
}

void CoreClock::ReadWaits() {
  last_ = WaitOf("thread-self");
  std::ifstream children("/proc/thread-self/children");
  for (int process = 0; children >> process;) {
    // 0 is read of one that has just ended.
    if (const std::int64_t wait = WaitOf(std::to_string(process)); wait != 0) processes_[process] = wait;
  }
}

double CoreClock::Seconds() {
  constexpr std::chrono::milliseconds kFresh(20);
  const auto now = std::chrono::steady_clock::now();
  if (now - read_ > kFresh) {
    ReadWaits();
    read_ = now;
  }
  std::int64_t waited = last_ - first_;
  for (const auto& [process, wait] : processes_) {
    const auto before = before_.find(process);
    waited += wait - (before == before_.end() ? 0 : before->second);
  }
  return SecondsSince(start_) - 1e-9 * static_cast<double>(waited);
}

}  // namespace conformance
