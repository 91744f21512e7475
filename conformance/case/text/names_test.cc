// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the fast matcher of globs agrees with fnmatch, and that a misspelt word gets the name that a person meant.

#include "conformance/case/text/names.h"

#include <array>
#include <random>
#include <string>
#include <vector>

#include <fnmatch.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(Globs, MatchNamesAndTheirParts) {
  EXPECT_TRUE(GlobMatches("*", "attributes/a.b"));
  EXPECT_TRUE(GlobMatches("attributes/*.f32", "attributes/size.f32"));
  EXPECT_FALSE(GlobMatches("attributes/*.f32", "attributes/.f16"));
  EXPECT_FALSE(GlobMatches("a.*.b", "a.b"));  // the two points are two characters
  EXPECT_TRUE(GlobMatches("a?c", "abc"));
  EXPECT_TRUE(GlobMatches("a[bc]", "ac"));
}

// Short texts of few letters, so that many pairs match and many do not.
TEST(Globs, AgreeWithFnmatch) {
  std::mt19937 random(1);
  const auto draw = [&](const std::string& letters, std::size_t most) {
    std::string text(random() % (most + 1), ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    return text;
  };
  std::array<int, 2> seen{};
  for (int i = 0; i < 200'000; ++i) {
    const std::string glob = draw("ab**", 6);
    const std::string text = draw("ab", 8);
    const bool matches = fnmatch(glob.c_str(), text.c_str(), 0) == 0;
    ASSERT_EQ(GlobMatches(glob, text), matches) << glob << " and " << text;
    ++seen[matches ? 1 : 0];
  }
  EXPECT_GT(seen[0], 10'000);
  EXPECT_GT(seen[1], 10'000);
}

TEST(Globs, AreRecognizedByTheirSpecialCharacters) {
  EXPECT_TRUE(IsGlob("attributes/*"));
  EXPECT_FALSE(IsGlob("attributes/size.k1s1"));
}

const std::vector<std::string> kNames = {"strides", "dilations", "pads_begin", "pads_end", "--level"};

TEST(Nearest, FindsTheMisspeltName) {
  EXPECT_EQ(Nearest("stride", kNames), "strides");
  EXPECT_EQ(Nearest("pads-end", kNames), "pads_end");
  EXPECT_EQ(Nearest("--lvel", kNames), "--level");
}

TEST(Nearest, CountsExchangedNeighboursAsOneSlip) {
  const std::vector<std::string> commands = {"run", "replay", "list"};
  EXPECT_EQ(Nearest("rnu", commands), "run");
  EXPECT_EQ(Nearest("urn", commands), "run");
  EXPECT_EQ(Nearest("nur", commands), "");
}

TEST(Nearest, IgnoresCase) { EXPECT_EQ(Nearest("STRIDES", kNames), "strides"); }

TEST(Nearest, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(Nearest("x", kNames), "");
  EXPECT_EQ(Nearest("", kNames), "");
  EXPECT_EQ(Nearest("completely_else", kNames), "");
  EXPECT_EQ(Nearest(std::string(1 << 20, 's'), kNames), "");
}

TEST(DidYouMean, SuggestsANameOrIsEmpty) {
  EXPECT_EQ(DidYouMean("stride", kNames), " (did you mean strides?)");
  EXPECT_EQ(DidYouMean("zzzzzz", kNames), "");
}

}  // namespace
}  // namespace conformance
