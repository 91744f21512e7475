// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the reasons that the measurement of conditions gives for those that miss.

#include "conformance/diagnosis/condition_power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

MeasuredCondition Good() {
  MeasuredCondition measured;
  measured.failures = 10;
  Condition condition;
  condition.end = SearchEnd::kSettled;
  condition.alternatives.push_back({.conjunction = {.terms = {Term()}}});
  measured.conditions.push_back(condition);
  measured.prediction = {.inside = 100, .inside_right = 99, .outside = 100, .outside_right = 99, .errors = {}};
  measured.seconds = 2;
  return measured;
}

TEST(MeasuredCondition, SaysWhyItMisses) {
  EXPECT_THAT(Good().Reason(), IsEmpty());
  MeasuredCondition wrong = Good();
  wrong.prediction.inside_right = 97;
  EXPECT_THAT(wrong.Reason(), HasSubstr("3 of 100 passed inside, 1 of 100 failed outside"));
  MeasuredCondition late = Good();
  late.seconds = 31;
  EXPECT_THAT(late.Reason(), HasSubstr("the search took 31.0 s"));
  MeasuredCondition ended = wrong;
  ended.conditions.front().end = SearchEnd::kNoNewCases;
  EXPECT_THAT(ended.Reason(), HasSubstr("no further new case could be made"));
  ended.conditions.front().end = SearchEnd::kTimeUp;
  EXPECT_THAT(ended.Reason(), HasSubstr("the time limit ended the search"));
  MeasuredCondition few = Good();
  few.prediction.inside = few.prediction.inside_right = 12;
  EXPECT_THAT(few.Reason(), HasSubstr("only 12 new cases could be made inside"));
  MeasuredCondition none = Good();
  none.conditions.clear();
  none.prediction = {};
  EXPECT_THAT(none.Reason(), HasSubstr("no condition was found"));
  none.repeated = 20;
  none.repeated_pass = 4;
  EXPECT_THAT(none.Reason(), HasSubstr("4 of 20 failing cases passed when they ran again"));
}

}  // namespace
}  // namespace conformance
