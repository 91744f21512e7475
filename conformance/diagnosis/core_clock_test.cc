// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the clock that stands still while its thread waits for a core.

#include "conformance/diagnosis/core_clock.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

void WorkFor(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(CoreClock, CountsSleep) {
  CoreClock clock;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_GE(clock.Seconds(), 0.05);
}

// Three threads share a core, so each of them waits most of the time.
TEST(CoreClock, StandsStillWithoutACore) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &before)) continue;
    CPU_SET(core, &one);
    break;
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  std::atomic<bool> done = false;
  std::vector<std::jthread> others;
  for (int i = 0; i < 2; ++i) {
    others.emplace_back([&] {
      while (!done) {
      }
    });
  }
  const auto start = std::chrono::steady_clock::now();
  CoreClock clock;
  WorkFor(std::chrono::milliseconds(400));
  const double elapsed = SecondsSince(start);
  const double seconds = clock.Seconds();
  done = true;
  (void)sched_setaffinity(0, sizeof(before), &before);
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 0.7 * elapsed);
}

}  // namespace
}  // namespace conformance
