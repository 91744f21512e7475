// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that each planted fault of state (inputs, memory, threads, caches, plans) has its effect: a write to an input,
// a leak of memory, files or threads, a wrong output with some numbers of threads, or a wrong output through some
// plans. A planted fault is a backend that is wrong on purpose in one way; a killer is a small case on which it is
// wrong.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

const Killer kPlain = {.op = Plain({1, 1, 3}, {1, 1, 3})};

/// A page of memory that cannot be written. Its first bytes hold 1, 2 and 3 in f32.
class ReadOnlyPage {
 public:
  ReadOnlyPage() : bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    page_ = static_cast<std::byte*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::ranges::copy(Fill(ElementType::kF32, 3, {}), page_);
    (void)mprotect(page_, bytes_, PROT_READ);
  }
  ~ReadOnlyPage() { munmap(page_, bytes_); }
  ReadOnlyPage(const ReadOnlyPage&) = delete;
  ReadOnlyPage& operator=(const ReadOnlyPage&) = delete;

  std::span<const std::byte> Elements() const { return {page_, 12}; }

 private:
  std::size_t bytes_;
  std::byte* page_;
};

void RunOnReadOnlyInputs(const std::string& name) {
  const ReadOnlyPage data;
  const ReadOnlyPage filter;
  Bytes output(20);
  (void)OpenOrAbort(name)->Run(kPlain.op, kPlain.dialect,
                               {.data = data.Elements(), .filter = filter.Elements(), .output = output});
}

TEST(StateFaultsDeathTest, WriteToInputsAndRestoreThem) {
  RunOnReadOnlyInputs("fault:none");
  for (const std::string name : {"fault:restores_data", "fault:restores_filter"}) {
    EXPECT_EQ(MistakeOn(name, kPlain), "") << name << " is not seen by comparing";
    EXPECT_DEATH(RunOnReadOnlyInputs(name), "") << name;
  }
}

/// The output of the operator, computed with this number of threads; 0 leaves the number to the backend.
Bytes OutputWith(const std::string& name, const Operator& op, int threads) {
  const oracle::Geometry geometry = *Resolve(op, Dialect::kOpenvinoSpec).geometry;
  const Bytes data = Fill(geometry.type, geometry.DataCount(), {});
  const Bytes filter = Fill(geometry.type, geometry.FilterCount(), {});
  Bytes output(static_cast<std::size_t>(geometry.OutputCount()) * 4);
  (void)OpenOrAbort(name)->Run(op, Dialect::kOpenvinoSpec, {.data = data, .filter = filter, .output = output}, threads);
  return output;
}

TEST(StateFaultsTest, AreWrongWithSomeNumbersOfThreads) {
  const Operator ten_rows = Plain({1, 1, 8, 2}, {1, 1, 3, 3});
  const Bytes right = OutputWith("fault:none", ten_rows, 0);
  const auto wrong_with = [&](const std::string& name) {
    std::vector<int> wrong;
    for (int threads = 1; threads <= 8; ++threads) {
      if (OutputWith(name, ten_rows, threads) != right) wrong.push_back(threads);
    }
    return wrong;
  };
  EXPECT_EQ(wrong_with("fault:none_threads"), std::vector<int>{});
  EXPECT_EQ(wrong_with("fault:wrong_with_three_threads"), std::vector<int>{3});
  EXPECT_EQ(wrong_with("fault:wrong_with_uneven_rows"), (std::vector<int>{4, 6, 8}));
}

/// Runs many operators through plans, and returns how many of the outputs are wrong.
int MistakesThroughPlans(const std::string& name) {
  int mistakes = 0;
  for (std::int64_t width = 3; width < 43; ++width) {
    for (const bool asks_for_shape : {false, true}) {
      const Operator op = Plain({2, 1, width}, {1, 1, 3}, [&](Operator& changed) {
        changed.strides = {2};
        changed.auto_pad = "same_upper";
        if (asks_for_shape) changed.output_shape = Shape({2 * width});
      });
      mistakes += MistakeOn(name, {.op = op}).empty() ? 0 : 1;
    }
  }
  return mistakes;
}

TEST(StateFaultsTest, PlansKeepValuesThatTheyMustNotKeep) {
  EXPECT_EQ(MistakesThroughPlans("fault:none_plans"), 0);
  for (const std::string name : {"fault:plan_keeps_batch", "fault:plan_keeps_pads", "fault:plan_forgets_its_operator",
                                 "fault:plan_keeps_output_size", "fault:plans_share_axes"}) {
    const int mistakes = MistakesThroughPlans(name);
    EXPECT_GT(mistakes, 2) << name;  // of 80 operators
    EXPECT_LT(mistakes, 40) << name << " fails in most plans";
  }
}

/// Runs the operators in order on one backend, and returns the output of the last one.
Bytes OutputAfter(const std::string& name, const std::vector<Operator>& operators) {
  const std::unique_ptr<Backend> backend = OpenOrAbort(name);
  Bytes output;
  for (const Operator& op : operators) {
    const oracle::Geometry geometry = *Resolve(op, Dialect::kOpenvinoSpec).geometry;
    const Bytes data = SmallIntegers(geometry.type, geometry.DataCount(), 1);
    const Bytes filter = SmallIntegers(geometry.type, geometry.FilterCount(), 2);
    output.assign(static_cast<std::size_t>(geometry.OutputCount()) * 4, std::byte{0});
    (void)backend->Run(op, Dialect::kOpenvinoSpec, {.data = data, .filter = filter, .output = output});
  }
  return output;
}

TEST(StateFaultsTest, CachesLackOneAttributeInTheirKeys) {
  const Operator plain = Plain({1, 1, 4}, {1, 1, 3}, [](Operator& op) { op.strides = {2}; });
  const auto changed = [&](auto change) {
    Operator op = plain;
    change(op);
    return op;
  };
  const std::map<std::string, Operator> others = {
      {"fault:cache_lacks_strides", changed([](Operator& op) { op.strides = {3}; })},
      {"fault:cache_lacks_dilations", changed([](Operator& op) { op.dilations = {2}; })},
      {"fault:cache_lacks_pads_begin", changed([](Operator& op) { op.pads_begin = {1}; })}};
  for (const auto& [name, other] : others) {
    EXPECT_EQ(OutputAfter(name, {plain}), OutputAfter("fault:none", {plain})) << name << " alone";
    for (const auto& [relative, before] : others) {
      const bool right = OutputAfter(name, {before, plain}) == OutputAfter("fault:none", {plain});
      EXPECT_EQ(right, relative != name) << name << " after the operator of " << relative;
    }
  }
}

// The other faults have separate tests in this file. repeated_runs_test.cc tests the memory leaks.
TEST(StateFaultsTest, AreKilled) {
  ExpectKilled(faults::StateFaults(), {},
               {"restores_data", "restores_filter", "loses_packed_filter", "loses_open_file", "loses_thread",
                "wrong_with_three_threads", "wrong_with_uneven_rows", "cache_lacks_strides", "cache_lacks_dilations",
                "cache_lacks_pads_begin", "plan_keeps_batch", "plan_keeps_pads", "plan_forgets_its_operator",
                "plan_keeps_output_size", "plans_share_axes"});
}

}  // namespace
}  // namespace conformance
