// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the mutator keeps validity unless it changes just that, stays within its room, does the same for the same
// seed, and reaches every decision of a case.

#include "fuzz/cases/case_mutator.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fuzz/codec/codec.h"
#include "fuzz/codec/slots.h"
#include "gtest/gtest.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;
using conformance::codec::kFirstOverride;
using conformance::codec::kFirstSpoil;
using conformance::codec::kOverrides;
using conformance::codec::kRecipeBytes;
using conformance::codec::kSpoil;

constexpr std::uint8_t kGuard = 0xA5;

Bytes Mutated(const Bytes& bytes, std::uint32_t seed, std::size_t room) {
  Bytes result = bytes;
  result.resize(room);
  result.resize(room + 16, kGuard);
  const std::size_t size = CaseMutator(seed).Mutate(std::span(result).first(room), bytes.size());
  EXPECT_LE(size, room);
  for (std::size_t i = room; i < result.size(); ++i) EXPECT_EQ(result[i], kGuard) << "wrote behind its room";
  result.resize(size);
  return result;
}

bool Resolves(const Bytes& bytes) {
  const conformance::Case decoded = conformance::DecodeCase(bytes);
  return oracle::Resolve(decoded.op, decoded.EffectiveDialect()).ok();
}

TEST(CaseMutator, DoesTheSameWithTheSameSeed) {
  const Bytes start = {3, 7, 9};
  EXPECT_EQ(Mutated(start, 5, 512), Mutated(start, 5, 512));
  EXPECT_NE(Mutated(start, 5, 512), Mutated(start, 6, 512));
}

TEST(CaseMutator, KeepsToTheLeastRoom) {
  Bytes bytes;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) bytes = Mutated(bytes, seed, CaseMutator::LeastRoom());
}

TEST(CaseMutator, MostCasesAreValidAndSomeAreNot) {
  Bytes bytes;
  int valid = 0;
  constexpr int kCases = 4000;
  for (std::uint32_t seed = 0; seed < kCases; ++seed) {
    bytes = Mutated(bytes, seed, 512);
    valid += Resolves(bytes) ? 1 : 0;
    if (bytes.size() > 300) bytes.clear();
  }
  EXPECT_GT(valid, kCases / 2);
  EXPECT_LT(valid, kCases * 19 / 20);
}

// Nothing of a case without defect and override makes it invalid but a defect or an override.
TEST(CaseMutator, AValidCaseStaysValid) {
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const Bytes bytes = Mutated({1, 2, 3}, seed, 512);
    Bytes whole = bytes;
    whole.resize(kRecipeBytes);
    if (whole[kSpoil] >= kFirstSpoil || whole[kOverrides] >= kFirstOverride) continue;
    EXPECT_TRUE(Resolves(bytes)) << ToLine(conformance::DecodeCase(bytes));
  }
}

TEST(CaseMutator, ReachesEverySlot) {
  Bytes zeros(kRecipeBytes);
  std::set<std::size_t> changed;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const Bytes bytes = Mutated(zeros, seed, kRecipeBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != 0) changed.insert(i);
    }
  }
  EXPECT_FALSE(changed.contains(kOverrides)) << "there is no room for one";
  EXPECT_EQ(changed.size(), kRecipeBytes - 1);
}

TEST(CaseMutator, CrossOverTakesEveryDecisionFromAParent) {
  const Bytes one(kRecipeBytes, 1);
  const Bytes other(kRecipeBytes, 2);
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Bytes child(kRecipeBytes + 8, kGuard);
    EXPECT_EQ(CaseMutator(seed).CrossOver(one, other, child), kRecipeBytes);
    std::set<std::uint8_t> values;
    for (std::size_t i = 0; i < kRecipeBytes; ++i) {
      if (i != kOverrides) values.insert(child[i]);
    }
    EXPECT_EQ(values, (std::set<std::uint8_t>{1, 2}));
    EXPECT_EQ(child[kRecipeBytes], kGuard);
  }
}

}  // namespace
}  // namespace fuzz
