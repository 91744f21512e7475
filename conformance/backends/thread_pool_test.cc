// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that each part of a shared loop runs once, that parts at the same time have different workers, and that loops
// can follow each other.

#include "conformance/backends/thread_pool.h"

#include <atomic>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(ThreadPool, RunsEachPartOnce) {
  ThreadPool pool;
  for (const std::size_t workers : {1, 3, 2, 7}) {
    for (const std::size_t count : {0, 1, 2, 5, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      std::vector<std::atomic<int>> busy(workers);
      std::atomic<bool> shared = false;
      pool.Run(count, workers, [&](std::size_t index, std::size_t worker) {
        ASSERT_LT(worker, workers);
        if (busy[worker].fetch_add(1) != 0) shared = true;
        ++runs[index];
        --busy[worker];
      });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(runs[i], 1) << i << " of " << count << ", " << workers;
      EXPECT_FALSE(shared) << "two parts ran as one worker at a time, " << workers << " workers";
    }
  }
}

TEST(ThreadPool, ACallerAloneStartsNoThread) {
  ThreadPool pool;
  std::set<std::thread::id> threads;
  pool.Run(20, 1, [&](std::size_t, std::size_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

// Parts that wait for each other end only if they run at the same time.
TEST(ThreadPool, WorkersRunAtTheSameTime) {
  constexpr std::size_t kWorkers = 4;
  ThreadPool pool;
  std::atomic<std::size_t> arrived = 0;
  pool.Run(kWorkers, kWorkers, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived < kWorkers) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, kWorkers);
}

}  // namespace
}  // namespace conformance
