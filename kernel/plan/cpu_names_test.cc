// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests classes of CPUs in the interface. CPUs of a class, such as "zen4", share the costs by which a plan chooses an
// algorithm. Tested are the list of names, plans for a named class, packed filters that plans of several classes share,
// and which classes flush subnormals of bf16.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns the names that deconv_cpu_class lists.
std::vector<std::string> CpuNames() {
  std::vector<std::string> names;
  for (size_t i = 0; deconv_cpu_class(i) != nullptr; ++i) names.emplace_back(deconv_cpu_class(i));
  return names;
}

TEST(CpuNames, ListBeginsWithTheClassOfThisMachine) {
  const std::vector<std::string> names = CpuNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THAT(names, ::testing::IsSupersetOf({"default", "zen3", "zen4", "zen5", "sapphire-rapids", "neoverse-v2"}));
  EXPECT_EQ(deconv_cpu_class(SIZE_MAX), nullptr);
  const Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  EXPECT_EQ(session.plan->CpuClassName(), names.front());
}

// An operator of f32 runs for every class. Classes with the same algorithm give the same bits.
TEST(CpuNames, PlansForEveryClassRunOnAnyMachine) {
  Session own(TwoAxisOperator());
  ASSERT_TRUE(own.plan) << own.status.message;
  ASSERT_EQ(own.Run(), DECONV_OK);
  for (const std::string& name : CpuNames()) {
    Session session(TwoAxisOperator(), nullptr, nullptr, name.c_str());
    ASSERT_TRUE(session.plan) << session.status.message;
    EXPECT_EQ(session.plan->CpuClassName(), name);
    ASSERT_EQ(session.Run(), DECONV_OK) << session.status.message;
    if (std::string(own.plan->AlgorithmName()) == session.plan->AlgorithmName()) {
      EXPECT_EQ(session.output, own.output) << name;
    }
  }
}

TEST(CpuNames, UnknownNamesAreRefusedWithTheList) {
  for (const char* unknown : {"", "Zen4", "zen", "AVX2"}) {
    const Session session(TwoAxisOperator(), nullptr, nullptr, unknown);
    EXPECT_FALSE(session.plan);
    EXPECT_EQ(session.status.code, DECONV_INVALID_ARGUMENT);
    EXPECT_THAT(session.status.message,
                AllOf(HasSubstr("cpu: is \"" + std::string(unknown) + "\", expected NULL or one of: default, "),
                      HasSubstr("zen5, "), HasSubstr(", apple")));
  }
}

// If two plans have the same packing id, each runs the packed filter of the other. If the bytes differ, so do the ids.
TEST(CpuNames, PackedFiltersOfEqualIdsAreInterchangeable) {
  for (const deconv_type type : {DECONV_F32, DECONV_BF16, DECONV_I8}) {
    for (const char* algorithm : {"channels", "phased", "rows", "col2im"}) {
      TestOperator op = TwoAxisOperator();
      op.type = type;
      if (!Fits(op, algorithm)) continue;
      Session first(op, algorithm, nullptr, "zen4");
      ASSERT_TRUE(first.plan) << first.status.message;
      ASSERT_EQ(first.Run(), DECONV_OK);
      for (const std::string& name : CpuNames()) {
        Session other(op, algorithm, nullptr, name.c_str());
        ASSERT_TRUE(other.plan) << other.status.message;
        const bool same = other.plan->PackingId() == first.plan->PackingId();
        EXPECT_EQ(same, other.packed == first.packed) << algorithm << " " << name << " type " << type;
        if (!same) continue;
        other.packed = first.packed;
        ASSERT_EQ(other.Run(), DECONV_OK) << other.status.message;
        EXPECT_EQ(other.output, first.output) << algorithm << " " << name << " type " << type;
      }
    }
  }
}

// Returns the bits of an output of the algorithm "channels" for a sum of subnormals: 2^-130 * 2, summed over two
// channels. As bits of a bf16, 0x0008 is 2^-130, 0x4000 is 2, and the exact sum 2^-128 is 0x0020.
uint16_t SumOfSubnormals(const std::string& target, const char* cpu, bool keep_subnormals) {
  TestOperator op = PlainOperator(DECONV_BF16, {1}, {1}, {1});
  op.in_channels = 2;
  Session session(op, "channels", target.c_str(), cpu, keep_subnormals);
  EXPECT_TRUE(session.plan) << session.status.message;
  if (!session.plan) return 0;
  const std::array<uint16_t, 2> data = {0x0008, 0x0008};
  const std::array<uint16_t, 2> filter = {0x4000, 0x4000};
  session.plan->PackFilter(std::as_bytes(std::span(filter)), session.packed);
  session.data.assign(std::as_bytes(std::span(data)).begin(), std::as_bytes(std::span(data)).end());
  EXPECT_EQ(session.Run(), DECONV_OK) << session.status.message;
  uint16_t output = 0;
  std::memcpy(&output, session.output.data(), sizeof(output));
  return output;
}

TEST(KeepSubnormals, SumsOfBf16FlushNothing) {
  for (const std::string& target : Targets()) {
    for (const std::string& cpu : CpuNames()) {
      EXPECT_EQ(SumOfSubnormals(target, cpu.c_str(), true), 0x0020) << target << " " << cpu;
    }
  }
}

// The dot product of AVX3_ZEN4 flushes subnormals to 0. It is taken only on CPUs where it is faster than f32.
TEST(KeepSubnormals, DotProductsAreForClassesWhereTheyAreFast) {
  const std::string target = "AVX3_ZEN4";
  const auto targets = Targets();
  if (std::ranges::find(targets, target) == targets.end()) GTEST_SKIP() << "this machine has no " << target;
  EXPECT_EQ(SumOfSubnormals(target, "zen4", false), 0);
  EXPECT_EQ(SumOfSubnormals(target, "zen5", false), 0);
  EXPECT_EQ(SumOfSubnormals(target, "sapphire-rapids", false), 0x0020);
}

TEST(KeepSubnormals, ValuesOtherThan0And1AreRefused) {
  auto options = Tagged<deconv_options>();
  options.keep_subnormals = 2;
  auto status = Tagged<deconv_status>();
  EXPECT_FALSE(Plan::Create(PlanRequest(TwoAxisOperator()).Op(), &options, &status));
  EXPECT_THAT(status.message, HasSubstr("keep_subnormals: is 2, expected 0 or 1"));
}

}  // namespace
}  // namespace deconv::testing
