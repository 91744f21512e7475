// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests targets (instruction sets such as AVX2): the list of names, and plans that are bound to one target. Plans that
// exist together, for different targets or operators, must not disturb each other. A Session is a plan with its
// buffers; TwoAxisOperator() is its usual operator.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/base/dispatch.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Targets, AreListedBestFirst) {
  const std::vector<std::string> targets = Targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), targets.size());
  EXPECT_EQ(deconv_target(targets.size()), nullptr);
  EXPECT_EQ(deconv_target(SIZE_MAX), nullptr);
  // A plan without a named target has the first target.
  const Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  EXPECT_EQ(session.plan->TargetName(), targets.front());
}

// A set of targets is a mask with a bit for each of Highway's targets. SVE2_128 in a set says that the vectors of the
// machine's SVE have 128 bits.
TEST(Targets, NeonIsPreferredToSveOf128Bits) {
  constexpr int64_t neon = HWY_NEON_BF16 | HWY_NEON | HWY_NEON_WITHOUT_AES;
  EXPECT_EQ(PreferredTargets(neon), neon);
  EXPECT_EQ(PreferredTargets(neon | HWY_SVE | HWY_SVE2 | HWY_SVE2_128), neon);
  EXPECT_EQ(PreferredTargets(neon | HWY_SVE | HWY_SVE_256), neon | HWY_SVE | HWY_SVE_256);
  // A build for CPUs with SVE alone.
  EXPECT_EQ(PreferredTargets(HWY_SVE2 | HWY_SVE2_128), HWY_SVE2 | HWY_SVE2_128);
  EXPECT_EQ(PreferredTargets(HWY_AVX2 | HWY_SSE2), HWY_AVX2 | HWY_SSE2);
}

TEST(Targets, APlanIsBoundToTheNamedOne) {
  for (const deconv_type type : kAllTypes) {
    TestOperator op = TwoAxisOperator();
    op.type = type;
    for (const std::string& target : Targets()) {
      Session session(op, "phased", target.c_str());
      ASSERT_TRUE(session.plan) << session.status.message;
      EXPECT_EQ(session.plan->TargetName(), target);
      EXPECT_EQ(session.Run(), DECONV_OK) << session.status.message;
    }
  }
}

TEST(Targets, IntegersAreTheSameToTheBitOnAll) {
  for (const deconv_type type : {DECONV_I8, DECONV_U16, DECONV_I32, DECONV_I64}) {
    TestOperator op = TwoAxisOperator();
    op.type = type;
    Session portable(op, "direct");
    ASSERT_TRUE(portable.plan) << portable.status.message;
    ASSERT_EQ(portable.Run(), DECONV_OK);
    for (const std::string& target : Targets()) {
      Session session(op, nullptr, target.c_str());
      ASSERT_TRUE(session.plan) << session.status.message;
      ASSERT_EQ(session.Run(), DECONV_OK) << session.status.message;
      EXPECT_EQ(session.output, portable.output) << target << " type " << type;
    }
  }
}

// An algorithm that is compiled once for all targets can be named with each target.
TEST(Targets, APortableAlgorithmTakesAny) {
  for (const std::string& target : Targets()) {
    Session session(TwoAxisOperator(), "direct", target.c_str());
    ASSERT_TRUE(session.plan) << session.status.message;
    EXPECT_STREQ(session.plan->TargetName(), "portable");
  }
}

TEST(Targets, UnknownOnesAreRefusedWithTheList) {
  for (const char* unknown : {"", "avx2", "AVX", "Z80"}) {
    const Session session(TwoAxisOperator(), nullptr, unknown);
    EXPECT_FALSE(session.plan);
    EXPECT_EQ(session.status.code, DECONV_INVALID_ARGUMENT);
    EXPECT_THAT(session.status.message, AllOf(HasSubstr("target: is \"" + std::string(unknown) + "\""),
                                              HasSubstr(Targets().front()), HasSubstr(Targets().back())));
  }
}

// Each thread creates plans for a target of its own. A setting of the whole process would give some another target.
TEST(Targets, ThreadsCreatePlansForDifferentOnes) {
  const std::vector<std::string> targets = Targets();
  std::vector<std::thread> threads;
  threads.reserve(targets.size());
  std::atomic<int> wrong = 0;
  for (const std::string& target : targets) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        PlanRequest request(TwoAxisOperator());
        request.ForceAlgorithm("phased");
        request.ForceTarget(target.c_str());
        const std::optional<Plan> plan = Plan::Create(request.Op(), &request.Options());
        if (!plan || plan->TargetName() != target) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Operators that differ from TwoAxisOperator() in one attribute, in the batch or in the type.
std::vector<TestOperator> Relatives() {
  std::vector<TestOperator> relatives(7, TwoAxisOperator());
  relatives[1].strides = {3, 2};
  relatives[2].dilations = {1, 2};
  relatives[3].pads_begin = {0, 1};
  relatives[4].pads_end = {1, 0};
  relatives[5].batch = 2;
  relatives[6].type = DECONV_BF16;
  return relatives;
}

TEST(Together, PlansThatAreAliveShareNothing) {
  std::vector<std::vector<std::byte>> alone;
  for (const TestOperator& op : Relatives()) {
    Session session(op);
    ASSERT_EQ(session.Run(), DECONV_OK) << session.status.message;
    alone.push_back(session.output);
  }
  std::vector<std::unique_ptr<Session>> together;
  for (const TestOperator& op : Relatives()) together.push_back(std::make_unique<Session>(op));
  for (std::size_t first = 0; first < together.size(); ++first) {
    for (std::size_t second = 0; second < together.size(); ++second) {
      ASSERT_EQ(together[first]->Run(), DECONV_OK) << together[first]->status.message;
      std::ranges::fill(together[second]->output, std::byte{0xCB});
      ASSERT_EQ(together[second]->Run(), DECONV_OK) << together[second]->status.message;
      EXPECT_EQ(together[second]->output, alone[second]) << Relatives()[second].ToString();
    }
  }
}

}  // namespace
}  // namespace deconv::testing
