// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests packed filters that were stored: the fields of their header, their bytes, which plans accept them, and that
// damage is found.
// A packed filter holds the weights in the order in which a plan reads them, behind a header. Plans with the same
// packing id, a hash, can share it. A Session is a plan with its buffers; TwoAxisOperator() is its usual operator.
#include "kernel/plan/packed_filter.h"

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
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

// Returns the 16 hexadecimal digits of a packing id, as messages print it.
std::string Hexadecimal(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016" PRIx64, value);
  return text;
}

// Returns an operator with few weights, so that every byte can be damaged.
TestOperator SmallOperator() {
  TestOperator op = TwoAxisOperator();
  op.in_channels = 2;
  op.out_channels = 16;  // whole vectors on every target: the last words are weights, none of them padding
  return op;
}

// Checks the session's packed filter without running it.
deconv_code Check(Session& session) { return session.plan->CheckPackedFilter(session.packed, &session.status); }

// Changes a field of the header in a packed filter.
template <class T>
void WriteField(Session& session, size_t offset, const T& value) {
  std::memcpy(session.packed.data() + offset, &value, sizeof(value));
}

// Expects that Run and Check both refuse the packed filter with this message.
void ExpectRefused(Session& session, const ::testing::Matcher<std::string>& message) {
  EXPECT_EQ(session.Run(), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(session.status.message), message);
  EXPECT_EQ(Check(session), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(session.status.message), message);
}

TEST(PackedFilter, HeaderNamesIdVersionAlgorithmAndTarget) {
  for (const std::string& target : Targets()) {
    Session session(TwoAxisOperator(), "phased", target.c_str());
    ASSERT_TRUE(session.plan) << session.status.message;
    auto info = Tagged<deconv_packed_filter_info>();
    ASSERT_EQ(deconv_packed_filter_read(session.packed.data(), session.packed.size(), &info, &session.status),
              DECONV_OK)
        << session.status.message;
    EXPECT_EQ(info.packing_id, session.plan->PackingId());
    EXPECT_EQ(info.bytes, session.packed.size());
    EXPECT_STREQ(info.version, deconv_version());
    EXPECT_STREQ(info.algorithm, "phased");
    EXPECT_EQ(info.target, target);
    // The first kPackedHeaderBytes bytes of the packed filter are enough.
    EXPECT_EQ(deconv_packed_filter_read(session.packed.data(), kPackedHeaderBytes, &info, nullptr), DECONV_OK);
    EXPECT_EQ(deconv_packed_filter_read(session.packed.data(), kPackedHeaderBytes - 1, &info, &session.status),
              DECONV_BUFFER_TOO_SMALL);
  }
}

// A lane multiplies a quad, that is four input channels of 8 bits, for one output channel. So two groups of eight
// output channels share a vector of 16 lanes. Each group by itself would leave half of its vectors empty.
TEST(PackedFilter, HoldsGroupsOfQuadsSideBySide) {
  TestOperator op = PlainOperator(DECONV_I8, {56, 56}, {3, 3}, {1, 1});
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.groups = 32;
  op.in_channels = op.out_channels = 8;
  op.pads_begin = op.pads_end = {1, 1};
  int compared = 0;
  for (const bool channels_last : {false, true}) {
    op.channels_last = channels_last;
    for (const char* target : {"AVX3_DL", "AVX3_ZEN4"}) {
      const std::vector<std::string> targets = Targets();
      if (std::find(targets.begin(), targets.end(), target) == targets.end()) continue;
      ++compared;
      const Session session(op, "channels", target);
      ASSERT_TRUE(session.plan) << session.status.message;
      constexpr size_t kVectors = size_t{16} * 2 * 9;  // pairs of groups, quads of a group, and taps
      EXPECT_EQ(session.packed.size(), kPackedHeaderBytes + kVectors * 16 * 4) << target << channels_last;
    }
  }
  if (compared == 0) GTEST_SKIP() << "no target of this machine multiplies quads in vectors of 16 lanes";
}

// Expects that plans of the two operators with the same packing id pack a filter into the same bytes. Returns how many
// pairs of plans had the same id.
int ExpectSamePacking(const TestOperator& one, const TestOperator& other) {
  int compared = 0;
  for (const std::string& target : Targets()) {
    for (const char* algorithm : kAlgorithmNames) {
      const Session first(one, algorithm, target.c_str());
      Session second(other, algorithm, target.c_str());
      if (!first.plan || !second.plan || first.plan->PackingId() != second.plan->PackingId()) continue;
      ++compared;
      EXPECT_EQ(second.plan->PackFilter(first.filter, second.packed), DECONV_OK);
      EXPECT_TRUE(first.packed == second.packed)
          << one.ToString() << " and " << other.ToString() << " by " << algorithm << " on " << target;
    }
  }
  return compared;
}

// The packing id does not depend on the size and the layout of the data, so they must not decide the order of the
// weights.
TEST(PackedFilter, PlansWithTheSameIdPackTheSameBytes) {
  std::mt19937 random(3);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    const TestOperator one = RandomOperator(random, 1 + i % 3, DECONV_F32);
    TestOperator other = one;
    other.channels_last = !one.channels_last;
    for (size_t a = 0; a < one.data.size(); ++a) {
      const auto more = static_cast<int64_t>(random() % 30);
      other.data[a] += more;
      other.pads_end[a] += more * one.strides[a];
    }
    compared += ExpectSamePacking(one, other);
  }
  EXPECT_GT(compared, 500);  // a floor, so that the test means something
  // Operators whose estimates depend on the layout or the size of the data. Taps of `narrow` and `wide` lie so far
  // apart that the order of their addresses depends on the size of the data.
  TestOperator planar = PlainOperator(DECONV_F32, {64, 64}, {4, 4}, {2, 2});
  planar.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  planar.groups = 2;
  planar.in_channels = 64;
  planar.out_channels = 4;
  planar.pads_begin = planar.pads_end = {1, 1};
  TestOperator last = planar;
  last.channels_last = true;
  EXPECT_GT(ExpectSamePacking(planar, last), 0);
  TestOperator narrow = planar;
  narrow.data = {8, 8};
  narrow.kernel = {3, 3};
  narrow.strides = {1, 1};
  narrow.dilations = {1, 20};
  narrow.pads_begin = narrow.pads_end = {1, 20};
  TestOperator wide = narrow;
  wide.data = {8, 28};
  wide.pads_end = {1, 40};
  EXPECT_GT(ExpectSamePacking(narrow, wide), 0);
  // With 1100 input channels the algorithm "channels" reads the weights in several parts (kc blocks).
  TestOperator deep = narrow;
  deep.groups = 1;
  deep.in_channels = 1100;
  deep.kernel = {7, 7};
  deep.dilations = {1, 1};
  deep.pads_begin = deep.pads_end = {3, 3};
  TestOperator deep_last = deep;
  deep_last.channels_last = true;
  deep_last.data = {8, 28};
  deep_last.pads_end = {3, 23};
  EXPECT_GT(ExpectSamePacking(deep, deep_last), 0);
}

// Returns the bytes of the packed weights of a large filter in bf16, whose sums are f32. The data have `cells` x
// `cells` positions.
size_t WeightBytes(const std::string& target, int64_t cells) {
  TestOperator op = TwoAxisOperator();
  op.type = DECONV_BF16;
  op.in_channels = 256;
  op.out_channels = 64;
  op.kernel = {8, 8};
  op.data = {cells, cells};
  const Session session(op, "channels", target.c_str(), nullptr, true);
  EXPECT_TRUE(session.plan) << session.status.message;
  return session.plan ? session.plan->PackedFilterBytes() - kPackedHeaderBytes : 0;
}

// If many cells (groups of outputs) read a weight, packing widens it to f32 once. If few read it, it stays bf16, which
// takes half the memory, and is widened at each use.
TEST(PackedFilter, WeightsOfSixteenBitsStayNarrowWhereFewCellsReadThem) {
  constexpr size_t kWeights = 256 * 64 * 8 * 8;
  for (const std::string& target : Targets()) {
    if (target == "SCALAR") continue;  // SCALAR widens no vectors
    EXPECT_EQ(WeightBytes(target, 1), 2 * kWeights) << target;
    EXPECT_EQ(WeightBytes(target, 2), 2 * kWeights) << target;
    EXPECT_EQ(WeightBytes(target, 40), 4 * kWeights) << target;
  }
}

TEST(PackedFilter, ReadRefusesBytesThatAreNoPackedFilter) {
  const std::vector<std::byte> zeros(kPackedHeaderBytes);
  auto status = Tagged<deconv_status>();
  auto info = Tagged<deconv_packed_filter_info>();
  EXPECT_EQ(deconv_packed_filter_read(zeros.data(), zeros.size(), &info, &status), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(status.message, HasSubstr("is not a packed filter"));
  EXPECT_EQ(deconv_packed_filter_read(nullptr, zeros.size(), &info, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_packed_filter_read(zeros.data(), zeros.size(), nullptr, nullptr), DECONV_INVALID_ARGUMENT);
  info.struct_bytes = sizeof(info) - 1;
  EXPECT_EQ(deconv_packed_filter_read(zeros.data(), zeros.size(), &info, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_packed_filter_check(nullptr, zeros.data(), zeros.size(), nullptr), DECONV_INVALID_ARGUMENT);
}

// Equal weights give equal bytes, whatever the buffer held before. So stored packed filters can be compared.
TEST(PackedFilter, PackingTwiceGivesTheSameBytes) {
  for (const char* algorithm : kAlgorithmNames) {
    Session session(TwoAxisOperator(), algorithm);
    ASSERT_TRUE(session.plan) << session.status.message;
    std::vector<std::byte> again(session.packed.size(), std::byte{0xCB});
    ASSERT_EQ(session.plan->PackFilter(session.filter, again), DECONV_OK);
    EXPECT_EQ(again, session.packed) << algorithm;
  }
}

// A plan that differs only in its batch accepts the packed filter of the first plan.
TEST(PackedFilter, ServesEveryPlanWithItsId) {
  Session first(TwoAxisOperator());
  TestOperator op = TwoAxisOperator();
  op.batch = 7;
  Session second(op);
  ASSERT_TRUE(first.plan && second.plan);
  ASSERT_EQ(first.plan->PackingId(), second.plan->PackingId());
  second.packed = first.packed;
  EXPECT_EQ(Check(second), DECONV_OK) << second.status.message;
  EXPECT_EQ(second.Run(), DECONV_OK) << second.status.message;
}

// The plan chooses the algorithm, whose name is part of the id. So the choice may not depend on the batch, either.
TEST(PackedFilter, IdDoesNotDependOnTheBatch) {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    TestOperator op = RandomOperator(random, 1 + i % 3, DECONV_F32);
    op.in_channels = 1 + i * 7 % 90;
    op.out_channels = 1 + i * 11 % 90;
    std::vector<uint64_t> ids;
    for (const int64_t batch : {0, 1, 3, 64}) {
      op.batch = batch;
      PlanRequest request(op);
      const std::optional<Plan> plan = Plan::Create(request.Op(), &request.Options());
      ASSERT_TRUE(plan) << op.ToString();
      ids.push_back(plan->PackingId());
    }
    EXPECT_THAT(ids, ::testing::Each(ids.front())) << op.ToString();
  }
}

TEST(PackedFilter, EveryDamagedByteIsFound) {
  for (const char* algorithm : kAlgorithmNames) {
    Session session(SmallOperator(), algorithm);
    ASSERT_TRUE(session.plan) << session.status.message;
    ASSERT_EQ(Check(session), DECONV_OK) << session.status.message;
    for (size_t i = 0; i < session.packed.size(); ++i) {
      for (const int bit : {0, 7}) {
        session.packed[i] ^= static_cast<std::byte>(1 << bit);
        EXPECT_EQ(Check(session), DECONV_INVALID_ARGUMENT) << algorithm << " byte " << i;
        session.packed[i] ^= static_cast<std::byte>(1 << bit);
      }
    }
    ASSERT_EQ(Check(session), DECONV_OK);
    // Two words of 8 bytes swapped, and a file that was cut.
    std::swap_ranges(session.packed.end() - 16, session.packed.end() - 8, session.packed.end() - 8);
    EXPECT_EQ(Check(session), DECONV_INVALID_ARGUMENT) << algorithm;
    EXPECT_THAT(session.status.message, HasSubstr("is damaged"));
    session.packed.pop_back();
    EXPECT_EQ(Check(session), DECONV_BUFFER_TOO_SMALL) << algorithm;
  }
}

TEST(PackedFilter, AnotherTargetIsRefusedByName) {
  const std::vector<std::string> targets = Targets();
  if (targets.size() < 2) GTEST_SKIP() << "this machine runs one target";
  Session best(TwoAxisOperator(), "phased", targets.front().c_str());
  Session least(TwoAxisOperator(), "phased", targets.back().c_str());
  ASSERT_TRUE(best.plan && least.plan);
  ASSERT_EQ(best.packed.size(), least.packed.size());
  best.packed = least.packed;
  ExpectRefused(best, AllOf(HasSubstr(Hexadecimal(least.plan->PackingId()) + ", phased on " + targets.back() + ","),
                            HasSubstr("expected " + Hexadecimal(best.plan->PackingId()) + ", phased on " +
                                      targets.front() + ",")));
}

// The other packed filter is the smaller one. A message that asks for a larger buffer would mislead.
TEST(PackedFilter, AnotherPlanIsRefusedBeforeASmallBuffer) {
  Session larger(TwoAxisOperator());
  TestOperator op = TwoAxisOperator();
  op.in_channels = 1;
  Session smaller(op);
  ASSERT_TRUE(larger.plan && smaller.plan);
  ASSERT_LT(smaller.packed.size(), larger.packed.size());
  larger.packed = smaller.packed;
  EXPECT_EQ(Check(larger), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(larger.status.message,
              AllOf(HasSubstr("another plan"), HasSubstr(std::to_string(smaller.packed.size()) + " bytes; expected"),
                    HasSubstr("pack the filter again with this plan")));
  EXPECT_EQ(larger.Run(), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(larger.status.message, HasSubstr("another plan"));
}

TEST(PackedFilter, AnotherPlanOrVersionIsRefusedByName) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  const std::vector<std::byte> right = session.packed;

  TestOperator other = TwoAxisOperator();
  other.strides = {2, 1};
  other.pads_end = {1, 0};
  Session foreign(other);
  ASSERT_TRUE(foreign.plan) << foreign.status.message;
  session.packed = foreign.packed;
  ExpectRefused(session, AllOf(HasSubstr(Hexadecimal(foreign.plan->PackingId())),
                               HasSubstr("expected " + Hexadecimal(session.plan->PackingId()))));

  session.packed = right;
  WriteField(session, offsetof(PackedHeader, version), std::array<char, 16>{"0.0.9"});
  ExpectRefused(session, HasSubstr("was packed by version 0.0.9, expected " + std::string(deconv_version())));

  session.packed = right;
  WriteField(session, offsetof(PackedHeader, format), uint32_t{99});
  ExpectRefused(session, HasSubstr("format 99, expected 01020304 and 1"));

  session.packed = right;
  WriteField(session, offsetof(PackedHeader, byte_order), uint32_t{0x04030201});
  ExpectRefused(session, HasSubstr("byte order 04030201"));

  // A name without a zero byte at its end must not be printed.
  session.packed = right;
  std::array<char, 24> endless;
  endless.fill('x');
  WriteField(session, offsetof(PackedHeader, target), endless);
  ExpectRefused(session, HasSubstr("damaged header"));
}

}  // namespace
}  // namespace deconv::testing
