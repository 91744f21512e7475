// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a misspelt word gets the name that a person meant, and that other words get none.

#include "conformance/case/text/nearest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace conformance {
namespace {

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

TEST(DidYouMean, IsAClauseOrNothing) {
  EXPECT_EQ(DidYouMean("stride", kNames), " (did you mean strides?)");
  EXPECT_EQ(DidYouMean("zzzzzz", kNames), "");
}

}  // namespace
}  // namespace conformance
