// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that outputs do not depend on the floating-point environment of the caller: the rounding, the flushing of
// subnormals to zero, and the traps, which end the program at an exception. The caller's environment must be the same
// after each call. The names of the tests continue the word "environment".
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/plan/packed_filter.h"
#include "kernel/plan/plan.h"
#include "kernel/testing/caller_environment.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {
namespace {

// Returns a small operator. With several groups it is depthwise: each group has one channel.
TestOperator Layer(deconv_type type, bool channels_last, int64_t groups) {
  TestOperator op = PlainOperator(type, {5, 19}, {3, 4}, {2, 2});
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = channels_last;
  op.groups = groups;
  op.in_channels = groups == 1 ? 5 : 1;
  op.out_channels = groups == 1 ? 7 : 1;
  op.pads_begin = op.pads_end = {1, 1};
  op.output_padding = {0, 1};
  return op;
}

// The data are fractions 1/n with n from 3 to 103, times one of these factors. With kOne, sums are not exact, so
// another rounding changes them. With Tiny, data are subnormal, so flushing changes sums. With Huge, sums may overflow,
// which is an exception.
constexpr double kOne = 1;
double Tiny(deconv_type type) {
  switch (type) {
    case DECONV_F64:
      return 0x1p-1060;
    case DECONV_F16:
      return 0x1p-14;
    default:
      return 0x1p-125;  // f32, and bf16, whose smallest number is 2^-133
  }
}
double Huge(deconv_type type) { return type == DECONV_F64 ? 0x1p1023 : type == DECONV_F16 ? 0x1p15 : 0x1p127; }

struct Inputs {
  // Fills data and filter. Data of a floating type are fractions 1/n times `factor`; integer types take n.
  Inputs(const TestOperator& op, double factor)
      : data(static_cast<size_t>(op.DataCount()) * BytesOf(op.type)),
        filter(static_cast<size_t>(op.FilterCount()) * BytesOf(op.type)) {
    const bool is_integer = op.type >= DECONV_I8;
    std::vector<double> values(static_cast<size_t>(op.DataCount()));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto number = static_cast<double>(3 + i % 101);
      values[i] = is_integer ? number : factor / number;
    }
    EncodeData(op, values, data);
    values.resize(static_cast<size_t>(op.FilterCount()));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto number = static_cast<double>(5 + i % 7);
      values[i] = (i % 3 == 0 ? -1 : 1) * (is_integer ? number : 8 / number);
    }
    EncodeFilter(op, values, filter);
  }

  std::vector<std::byte> data, filter;
};

// Writes a signaling NaN into the middle of a filter. It raises an exception where it is compared or multiplied. All
// bits of its exponent are set, and of its mantissa only the second bit: the first one would make it quiet.
void PutSignalingNan(deconv_type type, std::vector<std::byte>& filter) {
  const size_t bytes = BytesOf(type);
  uint64_t bits = 0x7ff4000000000000;
  if (type == DECONV_F32) bits = 0x7fa00000;
  if (type == DECONV_F16) bits = 0x7d00;
  if (type == DECONV_BF16) bits = 0x7fa0;
  for (size_t i = 0; i < bytes; ++i) {
    const size_t place = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i;
    filter[filter.size() / bytes / 2 * bytes + place] = static_cast<std::byte>(bits >> (8 * i));
  }
}

struct NamedInputs {
  const char* name;
  Inputs inputs;
};
std::vector<NamedInputs> InputsOf(const TestOperator& op) {
  std::vector<NamedInputs> all = {{"fractions", {op, kOne}}};
  if (op.type >= DECONV_I8) return all;
  all.push_back({"subnormals", {op, Tiny(op.type)}});
  all.push_back({"sums that overflow", {op, Huge(op.type)}});
  all.push_back({"a signaling NaN", {op, kOne}});
  PutSignalingNan(op.type, all.back().inputs.filter);
  return all;
}

// What Compute() found.
struct Outcome {
  deconv_code code = DECONV_OK;
  bool environment_is_unchanged = true;
  std::string algorithm;
  std::vector<std::byte> output;

  bool operator==(const Outcome&) const = default;
};

// Creates a plan, packs the filter and runs the plan.
void Compute(const PlanRequest& request, const Inputs& inputs, const Plan::Threads& threads, Outcome& outcome) {
  auto status = Tagged<deconv_status>();
  const std::optional<Plan> plan = Plan::Create(request.Op(), &request.Options(), &status);
  outcome.code = status.code;
  if (!plan) return;
  std::vector<std::byte> packed(plan->PackedFilterBytes());
  std::vector<std::byte> workspace(plan->WorkspaceBytes(threads.workers));
  outcome.algorithm = plan->AlgorithmName();
  outcome.output.resize(plan->OutputBytes());
  outcome.code = plan->PackFilter(inputs.filter, packed);
  if (outcome.code == DECONV_OK) {
    outcome.code = plan->Run({inputs.data, packed, outcome.output, workspace}, threads);
  }
}

Outcome ComputeIn(const CallerEnvironment& environment, const PlanRequest& request, const Inputs& inputs) {
  Outcome outcome;
  const InEnvironment in_environment(environment);
  Compute(request, inputs, {}, outcome);
  outcome.environment_is_unchanged = in_environment.IsUnchanged();
  return outcome;
}

TEST(Environment, OfTheCallerChangesNoBitAndIsKept) {
  const std::vector<CallerEnvironment> environments = CallerEnvironments();
  for (const std::string& target : Targets()) {
    const ForcedTarget forced(target);
    for (const deconv_type type : kAllTypes) {
      for (const TestOperator& op : {Layer(type, false, 1), Layer(type, true, 1), Layer(type, true, 9)}) {
        for (const char* algorithm : kAlgorithmNames) {
          if (!Fits(op, algorithm)) continue;
          PlanRequest request(op);
          request.ForceAlgorithm(algorithm);
          for (const auto& [name, inputs] : InputsOf(op)) {
            Outcome expected;
            Compute(request, inputs, {}, expected);
            ASSERT_EQ(expected.code, DECONV_OK);
            for (const CallerEnvironment& environment : environments) {
              const Outcome outcome = ComputeIn(environment, request, inputs);
              ASSERT_TRUE(outcome == expected)
                  << op.ToString() << " by " << algorithm << " on " << target << ", " << name << ", "
                  << environment.name << ": code " << outcome.code << ", the output is "
                  << (outcome.output == expected.output ? "right" : "wrong") << ", the environment is "
                  << (outcome.environment_is_unchanged ? "kept" : "another one");
            }
          }
        }
      }
    }
  }
}

TEST(Environment, DoesNotChooseTheAlgorithm) {
  for (const deconv_type type : kAllTypes) {
    const TestOperator op = Layer(type, false, 1);
    const PlanRequest request(op);
    const Inputs inputs(op, kOne);
    Outcome expected;
    Compute(request, inputs, {}, expected);
    for (const CallerEnvironment& environment : CallerEnvironments()) {
      EXPECT_EQ(ComputeIn(environment, request, inputs).algorithm, expected.algorithm) << environment.name;
    }
  }
}

// Runs each task on a thread that has the environment.
struct ThreadsInEnvironment {
  const CallerEnvironment& environment;
  std::atomic<bool> is_unchanged = true;

  static void ParallelFor(void* context, size_t count, deconv_task task, void* argument) {
    auto& self = *static_cast<ThreadsInEnvironment*>(context);
    std::thread([&] {
      const InEnvironment in_environment(self.environment);
      for (size_t i = 0; i < count; ++i) {
        task(argument, i, 0);
        if (!in_environment.IsUnchanged()) self.is_unchanged = false;
      }
    }).join();
  }
};

TEST(Environment, OfTheThreadsChangesNoBitAndIsKept) {
  for (const char* algorithm : kAlgorithmNames) {
    const TestOperator op = Layer(DECONV_F32, false, 1);
    PlanRequest request(op);
    request.ForceAlgorithm(algorithm);
    const Inputs inputs(op, kOne);
    Outcome expected;
    Compute(request, inputs, {}, expected);
    for (const CallerEnvironment& environment : CallerEnvironments()) {
      ThreadsInEnvironment threads{environment};
      Outcome outcome;
      Compute(request, inputs, {&ThreadsInEnvironment::ParallelFor, &threads, 1}, outcome);
      outcome.environment_is_unchanged = threads.is_unchanged;
      EXPECT_TRUE(outcome == expected) << algorithm << ", " << environment.name;
    }
  }
}

// An algorithm whose packing computes numbers that depend on rounding and flushing. The kernel's own algorithms only
// copy weights, and convert them exactly.
class PacksArithmetic final : public Algorithm {
 public:
  const char* Target() const override { return "portable"; }
  double Cycles() const override { return 1; }
  size_t PackedBytes() const override { return sizeof(float) * 3; }
  size_t ScratchBytes() const override { return 0; }
  int64_t TaskCount(int64_t /*batch*/) const override { return 0; }
  bool Pack(const char* /*filter*/, char* packed) const override {
    volatile float three = 3;
    volatile float least_normal = std::numeric_limits<float>::min();
    const std::array<float, 3> values = {1 / three, -1 / three, least_normal / three};
    std::memcpy(packed, values.data(), sizeof(values));
    return true;
  }
  void Run(const RunBuffers& /*buffers*/, int64_t /*task*/, char* /*scratch*/) const override {}
};

TEST(Environment, DoesNotReachPacking) {
  deconv_plan plan;
  plan.algorithm_name = "packs arithmetic";
  plan.algorithm = std::make_unique<PacksArithmetic>();
  plan.packed_bytes = kPackedHeaderBytes + plan.algorithm->PackedBytes();
  const std::byte filter = {};
  std::vector<std::byte> expected(plan.packed_bytes);
  ASSERT_EQ(deconv_pack_filter(&plan, &filter, 1, expected.data(), expected.size(), nullptr), DECONV_OK);
  for (const CallerEnvironment& environment : CallerEnvironments()) {
    std::vector<std::byte> packed(plan.packed_bytes);
    bool is_unchanged = false;
    {
      const InEnvironment in_environment(environment);
      deconv_pack_filter(&plan, &filter, 1, packed.data(), packed.size(), nullptr);
      is_unchanged = in_environment.IsUnchanged();
    }
    EXPECT_TRUE(packed == expected) << environment.name;
    EXPECT_TRUE(is_unchanged) << environment.name;
  }
}

TEST(Environment, DoesNotDisturbTheSelftest) {
  for (const CallerEnvironment& environment : CallerEnvironments()) {
    auto status = Tagged<deconv_status>();
    bool is_unchanged = false;
    {
      const InEnvironment in_environment(environment);
      deconv_selftest(&status);
      is_unchanged = in_environment.IsUnchanged();
    }
    EXPECT_EQ(status.code, DECONV_OK) << environment.name << ": " << status.message;
    EXPECT_TRUE(is_unchanged) << environment.name;
  }
}

// Shows that the tests above can fail: tasks that run without the guard give other bits in the same environments.
TEST(Environment, ChangesTasksThatAreNotGuarded) {
  for (const char* algorithm : kAlgorithmNames) {
    const TestOperator op = Layer(DECONV_F32, false, 1);
    PlanRequest request(op);
    request.ForceAlgorithm(algorithm);
    const std::optional<Plan> plan = Plan::Create(request.Op(), &request.Options());
    ASSERT_TRUE(plan);
    const Algorithm& tasks = *plan->Get()->algorithm;
    std::vector<std::byte> packed(plan->PackedFilterBytes());
    std::vector<char> scratch(tasks.ScratchBytes() + kScratchAlignment);
    char* const aligned =
        scratch.data() + kScratchAlignment - reinterpret_cast<uintptr_t>(scratch.data()) % kScratchAlignment;
    for (const CallerEnvironment& environment : CallerEnvironments()) {
      if (environment.traps_exceptions) continue;  // such a task would end the program
      const Inputs inputs(op, environment.flushes_subnormals ? Tiny(op.type) : kOne);
      Outcome expected;
      Compute(request, inputs, {}, expected);
      ASSERT_EQ(plan->PackFilter(inputs.filter, packed), DECONV_OK);
      std::vector<std::byte> output(plan->OutputBytes());
      RunBuffers buffers;
      buffers.data = reinterpret_cast<const char*>(inputs.data.data());
      buffers.filter = reinterpret_cast<const char*>(packed.data()) + kPackedHeaderBytes;
      buffers.output = reinterpret_cast<char*>(output.data());
      buffers.tasks = tasks.TaskCount(1);
      {
        const InEnvironment in_environment(environment);
        for (int64_t task = 0; task < buffers.tasks; ++task) tasks.Run(buffers, task, aligned);
      }
      EXPECT_NE(output, expected.output) << algorithm << ", " << environment.name;
    }
  }
}

}  // namespace
}  // namespace deconv::testing
