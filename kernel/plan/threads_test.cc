// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests runs on the caller's threads: results have the same bits for any number of threads, and a parallel_for that
// calls wrong tasks is refused.
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

using ::testing::HasSubstr;

// Runs the tasks backwards on several threads.
void Backwards(void* context, size_t count, deconv_task task, void* argument) {
  const size_t workers = *static_cast<const size_t*>(context);
  std::atomic<size_t> left = count;
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (size_t worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      for (size_t i = left.fetch_sub(1); i > 0 && i <= count; i = left.fetch_sub(1)) task(argument, i - 1, worker);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, RefusesMoreWorkersThanCanBeAddressed) {
  const Session session(Plane());
  ASSERT_TRUE(session.plan) << session.status.message;
  size_t context = 1;
  const Plan::Threads threads = {&Backwards, &context, SIZE_MAX};
  std::vector<std::byte> output(session.output.size());
  auto status = Tagged<deconv_status>();
  EXPECT_EQ(session.plan->Run({session.data, session.packed, output, {}}, threads, &status), DECONV_OVERFLOW);
  EXPECT_THAT(status.message, HasSubstr("workers: is 18446744073709551615, whose workspace"));
}

// Several threads give the bits of one.
void CheckThreads(const TestOperator& op, const char* algorithm) {
  Session session(op, algorithm);
  ASSERT_TRUE(session.plan) << session.status.message;
  // Thirds are not exact: another order of summation would show.
  for (size_t i = 0; i + 4 <= session.data.size(); i += 4) {
    const float value = 1.0f / static_cast<float>(3 + i % 101);
    std::memcpy(session.data.data() + i, &value, 4);
  }
  ASSERT_EQ(session.Run(), DECONV_OK);
  const std::vector<std::byte> serial = session.output;
  for (const size_t workers : {size_t{1}, size_t{2}, size_t{3}, size_t{7}}) {
    std::vector<std::byte> output(serial.size(), std::byte{0xCB});
    std::vector<std::byte> workspace(session.plan->WorkspaceBytes(workers));
    size_t context = workers;
    const Plan::Threads threads = {&Backwards, &context, workers};
    ASSERT_EQ(session.plan->Run({session.data, session.packed, output, workspace}, threads, &session.status), DECONV_OK)
        << session.status.message;
    EXPECT_EQ(output, serial) << op.ToString() << " by " << algorithm << ", workers " << workers;
  }
}

TEST(Threads, DoNotChangeABit) {
  for (const char* algorithm : kAlgorithmNames) {
    for (const bool channels_last : {false, true}) {
      TestOperator op = Plane();
      op.channels_last = channels_last;
      CheckThreads(op, algorithm);
    }
  }
}

TEST(Threads, ShareAPlan) {
  Session session(Plane());
  ASSERT_TRUE(session.plan) << session.status.message;
  ASSERT_EQ(session.Run(), DECONV_OK);
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::atomic<int> right = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      std::vector<std::byte> output(session.output.size());
      std::vector<std::byte> workspace(session.workspace.size());
      for (int run = 0; run < 3; ++run) {
        const bool ok = session.plan->Run({session.data, session.packed, output, workspace}) == DECONV_OK;
        right += ok && output == session.output ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 12);
}

TEST(Threads, WorkerOutOfRangeIsAnError) {
  Session session(Plane());
  ASSERT_TRUE(session.plan) << session.status.message;
  const auto wrong = [](void*, size_t count, deconv_task task, void* argument) {
    for (size_t i = 0; i < count; ++i) task(argument, i, 1);
  };
  const Plan::Threads threads = {wrong, nullptr, 1};
  EXPECT_EQ(
      session.plan->Run({session.data, session.packed, session.output, session.workspace}, threads, &session.status),
      DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(session.status.message, HasSubstr("worker"));
}

TEST(Threads, AnotherNumberOfTasksIsAnError) {
  Session session(Plane());
  ASSERT_TRUE(session.plan) << session.status.message;
  const Plan::Threads none = {[](void*, size_t, deconv_task, void*) {}, nullptr, 1};
  const deconv_parallel_for one_again = [](void*, size_t count, deconv_task task, void* argument) {
    for (size_t i = 0; i <= count; ++i) task(argument, i % count, 0);
  };
  for (const Plan::Threads& threads : {none, Plan::Threads{one_again, nullptr, 1}}) {
    EXPECT_EQ(
        session.plan->Run({session.data, session.packed, session.output, session.workspace}, threads, &session.status),
        DECONV_INVALID_ARGUMENT);
    EXPECT_THAT(session.status.message, HasSubstr("expected each of the"));
  }
}

}  // namespace
}  // namespace deconv::testing
