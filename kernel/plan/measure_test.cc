// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests deconv_measure, which times all algorithms: it returns the fastest one, uses the caller's threads, and refuses
// the arguments that deconv_run refuses. It measures the estimated algorithm first, which a plan chooses by itself.
// Some tests make the first or the later runs slow by a parallel_for that waits, so that they know which algorithm must
// win.
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

using ::testing::HasSubstr;

constexpr double kShortest = 1e-9;     // seconds: so short that each algorithm has the fewest runs
constexpr int kRunsOfAnAlgorithm = 4;  // the first run, which meets cold caches, and three that are timed

// A deconv_parallel_for that waits 20 ms before the runs from number `first_slow` to `end_slow` - 1.
struct SlowRuns {
  int first_slow = 0;
  int end_slow = 0;
  int runs = 0;           // calls so far
  size_t most_tasks = 0;  // of a call

  static void ParallelFor(void* context, size_t count, deconv_task task, void* argument) {
    SlowRuns& self = *static_cast<SlowRuns*>(context);
    const int run = self.runs++;
    self.most_tasks = std::max(self.most_tasks, count);
    if (run >= self.first_slow && run < self.end_slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (size_t i = 0; i < count; ++i) task(argument, i, i % 2);
  }
};

// Takes microseconds, far less than a slow run.
TestOperator Small() {
  TestOperator op = TwoAxisOperator();
  op.batch = 1;
  op.data = {5, 7};
  return op;
}

// An operator with its buffers. `session` has the plan that the kernel chooses by itself.
struct Fixture {
  explicit Fixture(const TestOperator& op = TwoAxisOperator()) : session(op), request(op) {}

  std::optional<deconv_measurement> Measure(const Plan::Threads& threads = {}) {
    return deconv::Measure(request.Op(), &request.Options(),
                           {.data = session.data, .filter = session.filter, .output = session.output}, threads,
                           kShortest, &status);
  }

  Session session;
  PlanRequest request;
  deconv_status status = Tagged<deconv_status>();
};

TEST(Measure, ReturnsAnAlgorithmThatFits) {
  Fixture fixture;
  const auto measurement = fixture.Measure();
  ASSERT_TRUE(measurement) << fixture.status.message;
  EXPECT_STREQ(measurement->estimated, fixture.session.plan->AlgorithmName());
  EXPECT_GT(measurement->ns, 0);
  EXPECT_LE(measurement->ns, measurement->estimated_ns);
  // The output is that of some run.
  Session stored(TwoAxisOperator(), measurement->algorithm);
  ASSERT_TRUE(stored.plan) << stored.status.message;
  EXPECT_STREQ(stored.plan->AlgorithmName(), measurement->algorithm);
}

TEST(Measure, ReplacesTheEstimatedAlgorithmOnlyByAFasterOne) {
  Fixture fixture(Small());
  SlowRuns estimate_is_slow = {.first_slow = 0, .end_slow = kRunsOfAnAlgorithm};
  auto measurement = fixture.Measure({&SlowRuns::ParallelFor, &estimate_is_slow, 2});
  ASSERT_TRUE(measurement) << fixture.status.message;
  EXPECT_STRNE(measurement->algorithm, measurement->estimated);
  EXPECT_GT(measurement->estimated_ns, 20e6);  // SlowRuns waits 20 ms
  EXPECT_LT(measurement->ns, measurement->estimated_ns);

  SlowRuns others_are_slow = {.first_slow = kRunsOfAnAlgorithm, .end_slow = std::numeric_limits<int>::max()};
  measurement = fixture.Measure({&SlowRuns::ParallelFor, &others_are_slow, 2});
  ASSERT_TRUE(measurement) << fixture.status.message;
  EXPECT_STREQ(measurement->algorithm, measurement->estimated);
  EXPECT_EQ(measurement->ns, measurement->estimated_ns);
}

// The four algorithms with vectors fit the plane, and "direct" is left out. Each has one to four runs: an algorithm
// whose first run is very slow runs only once.
TEST(Measure, RunsOnTheCallersThreads) {
  Fixture fixture;
  SlowRuns threads;
  ASSERT_TRUE(fixture.Measure({&SlowRuns::ParallelFor, &threads, 2})) << fixture.status.message;
  EXPECT_GE(threads.runs, kRunsOfAnAlgorithm + 3);
  EXPECT_LE(threads.runs, 4 * kRunsOfAnAlgorithm);
  EXPECT_GT(threads.most_tasks, 1u);

  Fixture small(Small());
  SlowRuns hopeless = {.first_slow = kRunsOfAnAlgorithm, .end_slow = std::numeric_limits<int>::max()};
  ASSERT_TRUE(small.Measure({&SlowRuns::ParallelFor, &hopeless, 2})) << small.status.message;
  EXPECT_EQ(hopeless.runs, kRunsOfAnAlgorithm + 3);
}

TEST(Measure, AnEmptyOutputTakesNoTime) {
  TestOperator op = TwoAxisOperator();
  op.batch = 0;
  Fixture fixture(op);
  const auto measurement = fixture.Measure();
  ASSERT_TRUE(measurement) << fixture.status.message;
  EXPECT_EQ(measurement->ns, 0);
  EXPECT_EQ(measurement->estimated_ns, 0);
  EXPECT_STREQ(measurement->algorithm, measurement->estimated);
}

// A call with one mistake, which `spoil` makes: its code, and a part of its message.
struct Refusal {
  const char* name;
  void (*spoil)(deconv_measure_args& args, deconv_options& options);
  deconv_code code;
  const char* message;
};
constexpr Refusal kRefusals[] = {
    {"short data", [](auto& args, auto& /*options*/) { --args.data_bytes; }, DECONV_BUFFER_TOO_SMALL, "data"},
    {"short filter", [](auto& args, auto& /*options*/) { --args.filter_bytes; }, DECONV_BUFFER_TOO_SMALL, "filter"},
    {"short output", [](auto& args, auto& /*options*/) { --args.output_bytes; }, DECONV_BUFFER_TOO_SMALL, "output"},
    {"no data", [](auto& args, auto& /*options*/) { args.data = nullptr; }, DECONV_INVALID_ARGUMENT, "data"},
    {"data is output", [](auto& args, auto& /*options*/) { args.data = args.output; }, DECONV_INVALID_ARGUMENT,
     "bytes with data, expected"},
    {"filter is output", [](auto& args, auto& /*options*/) { args.filter = args.output; }, DECONV_INVALID_ARGUMENT,
     "bytes with filter, expected"},
    {"batch", [](auto& args, auto& /*options*/) { args.batch = -1; }, DECONV_INVALID_ARGUMENT, "batch"},
    {"seconds", [](auto& args, auto& /*options*/) { args.seconds = -1; }, DECONV_INVALID_ARGUMENT, "seconds: is -1"},
    {"NaN", [](auto& args, auto& /*options*/) { args.seconds = std::nan(""); }, DECONV_INVALID_ARGUMENT, "seconds"},
    {"struct", [](auto& args, auto& /*options*/) { args.struct_bytes = 8; }, DECONV_INVALID_ARGUMENT, "struct_bytes"},
    {"algorithm", [](auto& /*args*/, auto& options) { options.algorithm = "rows"; }, DECONV_INVALID_ARGUMENT,
     "algorithm: is \"rows\", expected NULL"},
    {"target", [](auto& /*args*/, auto& options) { options.target = "Z80"; }, DECONV_INVALID_ARGUMENT, "target"},
    {"cpu", [](auto& /*args*/, auto& options) { options.cpu = "Z80"; }, DECONV_INVALID_ARGUMENT, "cpu"},
};

TEST(Measure, RefusedCallsDoNotChangeTheMeasurement) {
  Fixture fixture;
  for (const Refusal& refusal : kRefusals) {
    deconv_options options = fixture.request.Options();
    auto args = Tagged<deconv_measure_args>();
    args.data = fixture.session.data.data();
    args.data_bytes = fixture.session.data.size();
    args.filter = fixture.session.filter.data();
    args.filter_bytes = fixture.session.filter.size();
    args.output = fixture.session.output.data();
    args.output_bytes = fixture.session.output.size();
    args.seconds = kShortest;
    refusal.spoil(args, options);
    auto measurement = Tagged<deconv_measurement>();
    EXPECT_EQ(deconv_measure(&fixture.request.Op(), &options, &args, &measurement, &fixture.status), refusal.code)
        << refusal.name;
    EXPECT_THAT(fixture.status.message, HasSubstr(refusal.message)) << refusal.name;
    EXPECT_EQ(measurement.algorithm, nullptr) << refusal.name;
  }
  const auto args = Tagged<deconv_measure_args>();
  auto measurement = Tagged<deconv_measurement>();
  const deconv_operator& op = fixture.request.Op();
  EXPECT_EQ(deconv_measure(nullptr, nullptr, &args, &measurement, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_measure(&op, nullptr, nullptr, &measurement, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_measure(&op, nullptr, &args, nullptr, nullptr), DECONV_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace deconv::testing
