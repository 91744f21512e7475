// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests runs on the caller's threads: outputs have the same bits for any number of threads, threads can share a
// plan, and a parallel_for that calls wrong tasks is refused. A task is the part of a run that one thread, called a
// worker, computes. A parallel_for is the caller's function that runs all tasks. For more than four workers, some
// algorithms cut a run into more tasks.
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

using ::testing::HasSubstr;

// A deconv_parallel_for that runs the tasks on several threads, from the last task to the first. `context` is their
// number.
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
  const Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  size_t context = 1;
  const Plan::Threads threads = {&Backwards, &context, SIZE_MAX};
  std::vector<std::byte> output(session.output.size());
  auto status = Tagged<deconv_status>();
  EXPECT_EQ(session.plan->Run({session.data, session.packed, output, {}}, threads, &status), DECONV_OVERFLOW);
  EXPECT_THAT(status.message, HasSubstr("workers: is 18446744073709551615, whose workspace"));
}

// A value that kernels may handle by other code: a NaN in the data, with bits of its own, or an infinite weight. The
// products of an infinite weight with padding must not count.
enum class Special { kNone, kNanOfData, kInfinityOfFilter };

// Writes a special value in the middle of the buffer: Inf, or a NaN whose mantissa has the quiet bit (the uppermost
// one) and one more bit. Types: f32, f16, bf16.
void PutSpecial(deconv_type type, bool nan, std::span<std::byte> memory) {
  const uint32_t infinity = type == DECONV_F32 ? 0x7f800000 : type == DECONV_F16 ? 0x7c00 : 0x7f80;
  const uint32_t nan_mantissa = type == DECONV_F32 ? 0x402000 : type == DECONV_F16 ? 0x201 : 0x41;
  const uint32_t bits = infinity | (nan ? nan_mantissa : 0);
  const auto half = static_cast<uint16_t>(bits);
  const size_t bytes = BytesOf(type);
  std::byte* const at = memory.data() + memory.size() / bytes / 2 * bytes;
  if (bytes == sizeof(half))
    std::memcpy(at, &half, bytes);
  else
    std::memcpy(at, &bits, bytes);
}

// Checks that runs with 1 to 16 workers have the same bits as a run without parallel_for.
void CheckThreads(const TestOperator& op, const char* algorithm, const char* target = nullptr,
                  Special special = Special::kNone) {
  Session session(op, algorithm, target);
  ASSERT_TRUE(session.plan) << session.status.message;
  // Fractions are not exact: another order of summation would show.
  if (Roundoff(op.type) != 0 || op.type == DECONV_F32) {
    std::vector<double> fractions(session.data.size() / BytesOf(op.type));
    for (size_t i = 0; i < fractions.size(); ++i) fractions[i] = 1.0 / static_cast<double>(3 + i % 101);
    EncodeData(op, fractions, session.data);
  }
  if (special == Special::kNanOfData) PutSpecial(op.type, true, session.data);
  if (special == Special::kInfinityOfFilter) {
    PutSpecial(op.type, false, session.filter);
    ASSERT_EQ(session.plan->PackFilter(session.filter, session.packed), DECONV_OK);
  }
  ASSERT_EQ(session.Run(), DECONV_OK);
  const std::vector<std::byte> serial = session.output;
  for (const size_t workers : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{16}}) {
    std::vector<std::byte> output(serial.size(), std::byte{0xCB});
    std::vector<std::byte> workspace(session.plan->WorkspaceBytes(workers));
    size_t context = workers;
    const Plan::Threads threads = {&Backwards, &context, workers};
    ASSERT_EQ(session.plan->Run({session.data, session.packed, output, workspace}, threads, &session.status), DECONV_OK)
        << session.status.message;
    EXPECT_TRUE(output == serial) << op.ToString() << " by " << algorithm << ", workers " << workers;
  }
}

TEST(Threads, DoNotChangeABit) {
  for (const char* algorithm : kAlgorithmNames) {
    for (const bool channels_last : {false, true}) {
      TestOperator op = TwoAxisOperator();
      op.channels_last = channels_last;
      CheckThreads(op, algorithm);
    }
  }
}

// Returns the number of tasks of a run by `workers` workers.
size_t TasksOf(Session& session, size_t workers) {
  size_t tasks = 0;
  const auto count_tasks = [](void* context, size_t count, deconv_task task, void* argument) {
    *static_cast<size_t*>(context) = count;
    for (size_t i = 0; i < count; ++i) task(argument, i, 0);
  };
  std::vector<std::byte> workspace(session.plan->WorkspaceBytes(workers));
  const Plan::Threads threads = {count_tasks, &tasks, workers};
  EXPECT_EQ(session.plan->Run({session.data, session.packed, session.output, workspace}, threads), DECONV_OK);
  return tasks;
}

// Returns a layer of few outputs and many output channels. The algorithm "channels" cuts it into ranges of channels.
TestOperator ManyChannels() {
  TestOperator op = PlainOperator(DECONV_F32, {2, 1}, {4, 4}, {2, 2});
  op.in_channels = 65;
  op.out_channels = 1030;
  op.pads_begin = op.pads_end = {1, 1};
  return op;
}

// Returns a layer of few channels and long filters. The algorithm "rows" cuts it into rows of outputs; each task copies
// many rows of data that other tasks copy, too.
TestOperator LongFilter() {
  TestOperator op = ManyChannels();
  op.in_channels = op.out_channels = 6;
  op.data = {20, 9};
  op.kernel = {16, 5};
  op.strides = {8, 2};
  return op;
}

// A layer and an algorithm that cuts it into more tasks for more than four workers.
struct OtherTasks {
  TestOperator op;
  const char* algorithm;
};
std::vector<OtherTasks> LayersWithOtherTasks() { return {{ManyChannels(), "channels"}, {LongFilter(), "rows"}}; }

// The limit is kFewWorkers, 4: the tasks for 1 and 4 workers are the same, and those for 5 and 16.
TEST(Threads, ManyHaveMoreTasksWithTheSameBits) {
  for (const auto& [layer, algorithm] : LayersWithOtherTasks()) {
    for (const deconv_type type : {DECONV_F32, DECONV_BF16, DECONV_I8}) {
      for (const bool channels_last : {false, true}) {
        TestOperator op = layer;
        op.type = type;
        op.channels_last = channels_last;
        if (!Fits(op, algorithm)) continue;
        for (const std::string& target : Targets()) {
          Session session(op, algorithm, target.c_str());
          ASSERT_TRUE(session.plan) << session.status.message;
          const std::string name = op.ToString() + " by " + algorithm + " on " + target;
          EXPECT_EQ(TasksOf(session, 1), TasksOf(session, 4)) << name;
          EXPECT_GE(TasksOf(session, 5), TasksOf(session, 4)) << name;
          // Channels last, "channels" copies few data, so that few workers may have as many tasks.
          const bool as_many = channels_last && std::string_view(algorithm) == "channels";
          if (!as_many) {
            EXPECT_GT(TasksOf(session, 5), TasksOf(session, 4)) << name;
          }
          EXPECT_EQ(TasksOf(session, 5), TasksOf(session, 16)) << name;
          CheckThreads(op, algorithm, target.c_str());
        }
      }
    }
  }
}

// Returns a layer that may have other tasks for many workers: it has long filters, or many output channels.
TestOperator RandomLayer(std::mt19937& random) {
  const auto pick = [&](int64_t from, int64_t to) { return std::uniform_int_distribution<int64_t>(from, to)(random); };
  TestOperator op = ManyChannels();
  op.type = std::array{DECONV_F32, DECONV_F16, DECONV_BF16}[static_cast<size_t>(pick(0, 2))];
  op.channels_last = pick(0, 1) == 1;
  op.in_channels = pick(1, 20);
  op.out_channels = pick(0, 1) == 0 ? pick(1, 12) : pick(100, 600);
  const bool few_channels = op.out_channels <= 12;
  op.data = few_channels ? Dims{pick(4, 40), pick(1, 24)} : Dims{pick(1, 5), pick(1, 5)};
  op.kernel = few_channels ? Dims{pick(2, 16), pick(1, 5)} : Dims{pick(1, 4), pick(1, 4)};
  op.strides = {pick(1, 8), pick(1, 3)};
  op.dilations = {pick(1, 2), pick(1, 2)};
  op.pads_begin = op.pads_end = {0, 0};
  if (pick(0, 3) == 0) {
    op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
    op.groups = pick(2, 3);
  }
  return op;
}

TEST(Threads, ManyKeepTheBitsOfRandomLayers) {
  std::mt19937 random(7);
  const std::vector<std::string> targets = Targets();
  std::map<std::string, int> others;  // layers with other tasks for many workers, by algorithm
  for (int i = 0; i < 150; ++i) {
    const TestOperator op = RandomLayer(random);
    for (const char* algorithm : {"channels", "rows"}) {
      if (!Fits(op, algorithm)) continue;
      for (const std::string& target : {targets.front(), targets.back()}) {
        Session session(op, algorithm, target.c_str());
        ASSERT_TRUE(session.plan) << session.status.message;
        if (TasksOf(session, 8) == TasksOf(session, 4)) continue;
        ++others[algorithm];
        for (const Special special : {Special::kNone, Special::kNanOfData, Special::kInfinityOfFilter}) {
          CheckThreads(op, algorithm, target.c_str(), special);
        }
      }
    }
  }
  // A floor: enough layers must have other tasks, so that the test means something.
  EXPECT_GE(others["channels"], 20);
  EXPECT_GE(others["rows"], 20);
}

// A workspace for many workers is large enough for few.
TEST(Threads, NeedNoMoreWorkspaceForFewerWorkers) {
  for (const auto& [op, algorithm] : LayersWithOtherTasks()) {
    Session session(op, algorithm);
    ASSERT_TRUE(session.plan) << session.status.message;
    EXPECT_GT(TasksOf(session, 8), TasksOf(session, 4));
    for (size_t workers = 2; workers < 20; ++workers) {
      EXPECT_GE(session.plan->WorkspaceBytes(workers), session.plan->WorkspaceBytes(workers - 1)) << workers;
    }
  }
}

TEST(Threads, ShareAPlanAtTheSameTime) {
  Session session(TwoAxisOperator());
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
  EXPECT_EQ(right, 4 * 3);  // threads times runs
}

TEST(Threads, WorkerOutOfRangeIsAnError) {
  Session session(TwoAxisOperator());
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
  Session session(TwoAxisOperator());
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
