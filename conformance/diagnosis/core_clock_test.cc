// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the clock that stands still while its thread waits for a core, and the reasons of conditions that miss.

#include "conformance/diagnosis/core_clock.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "conformance/diagnosis/condition_power.h"
#include "conformance/text/elapsed.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

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

MeasuredCondition Good() {
  MeasuredCondition measured;
  measured.failures = 10;
  Condition condition;
  condition.settled = true;
  condition.alternatives.push_back({.conjunction = {.terms = {Term()}}});
  measured.conditions.push_back(condition);
  measured.prediction = {.inside = 100, .inside_right = 99, .outside = 100, .outside_right = 99, .errors = {}};
  measured.seconds = 2;
  return measured;
}

TEST(MeasuredCondition, SaysWhyItMisses) {
  EXPECT_THAT(Good().Reason(), IsEmpty());
  MeasuredCondition wrong = Good();
  wrong.prediction.inside_right = 97;
  EXPECT_THAT(wrong.Reason(), HasSubstr("3 of 100 passed inside, 1 of 100 failed outside"));
  MeasuredCondition late = Good();
  late.seconds = 31;
  EXPECT_THAT(late.Reason(), HasSubstr("the search took 31.0 s"));
  MeasuredCondition few = Good();
  few.prediction.inside = few.prediction.inside_right = 12;
  EXPECT_THAT(few.Reason(), HasSubstr("only 12 new cases could be made inside"));
  MeasuredCondition none = Good();
  none.conditions.clear();
  none.prediction = {};
  EXPECT_THAT(none.Reason(), HasSubstr("no condition was found"));
  none.repeated = 20;
  none.repeated_pass = 4;
  EXPECT_THAT(none.Reason(), HasSubstr("4 of 20 failing cases passed when they ran again"));
}

}  // namespace
}  // namespace conformance
