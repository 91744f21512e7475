// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which choices an answer to an open operator shows (the backend may refuse or compute it), and how a summary
// counts them.

#include "conformance/verdict/open_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<oracle::OpenPoint> kOne = {{.clause = "S8", .point = "a batch of 0", .message = "data: batch 0"}};
const std::vector<oracle::OpenPoint> kTwo = {{.clause = "S8", .point = "a batch of 0", .message = "data: batch 0"},
                                             {.clause = "A6", .point = "absent strides", .message = "strides: absent"}};

CaseResult ResultWith(std::vector<OpenChoice> choices) {
  CaseResult result;
  result.answer.choices = std::move(choices);
  return result;
}

TEST(OpenChoices, ARefusalTellsOnlyOfASinglePoint) {
  EXPECT_THAT(ChoicesShown(kOne, true), ElementsAre(OpenChoice{"S8", "a batch of 0", true}));
  EXPECT_THAT(ChoicesShown(kOne, false), ElementsAre(OpenChoice{"S8", "a batch of 0", false}));
  EXPECT_THAT(ChoicesShown(kTwo, true),
              ElementsAre(OpenChoice{"S8", "a batch of 0", true}, OpenChoice{"A6", "absent strides", true}));
  EXPECT_THAT(ChoicesShown(kTwo, false), IsEmpty());
}

TEST(OpenChoices, AreCountedInTheOrderOfTheClauses) {
  const std::vector<CaseResult> results = {ResultWith({{"A6", "absent strides", false}}),
                                           ResultWith({{"S8", "a batch of 0", true}}), ResultWith({}),
                                           ResultWith({{"S8", "a batch of 0", false}})};
  const std::vector<ChoiceCount> counts = ChoicesOf(results);
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts[0].clause, "S8");
  EXPECT_EQ(counts[0].Verb(), "in 1 of 2 cases computes");
  EXPECT_EQ(counts[1].clause, "A6");
  EXPECT_EQ(counts[1].Verb(), "refuses");
}

TEST(OpenChoices, PointsAreNamedWithTheirClauses) {
  EXPECT_EQ(OpenPointsText(kTwo), "S8 (a batch of 0), A6 (absent strides)");
}

}  // namespace
}  // namespace conformance
