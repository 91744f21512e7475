// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how failing cases are sorted into families, which fail in the same way. Families take turns, cases of small
// integers come first, and a new cause takes its failures out of the families that may share it.

#include "fuzz/campaign/failure_family.h"

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "gtest/gtest.h"

namespace fuzz {
namespace {

using conformance::CaseResult;
using conformance::FailureClass;

/// The result of a case that failed in this class.
CaseResult Failed(FailureClass failure, const std::string& line = "ConvTranspose:data=1,1,2:filter=1,1,3") {
  CaseResult result;
  result.judged.line = line;
  result.judged.test_case =
      std::make_shared<conformance::Case>(std::get<conformance::Case>(conformance::ParseCaseLine(line)));
  result.verdict.status = conformance::Status::kFail;
  result.verdict.failure = failure;
  return result;
}

/// Counts a new cause of the family of `next`, which no other failure has. Returns how many others were removed.
std::size_t AddCauseOfOneFailure(FailuresByFamily& failures, const FailuresByFamily::Next& next) {
  return failures.AddCauseAndRemoveAlike(next.family, [](std::size_t) { return false; }).size();
}

// The first case has real numbers as values. The second one has a longer line, but the products of its data set `taps`
// are exact, like those of small integers, so it comes first.
TEST(FailuresByFamily, PlainValuesComeFirst) {
  FailuresByFamily failures;
  const std::string line = "ConvTranspose:data=1,1,2:filter=1,1,3:values=";
  failures.Add(0, Failed(FailureClass::kWrongValue, line + "reals"), false);
  failures.Add(1, Failed(FailureClass::kWrongValue, line + "taps:seed=12"), false);
  EXPECT_EQ(failures.RemoveNext().case_index, 1U);
}

// `causes` is the number of causes that the family has already. A failure that a known cause explains after all makes
// no new one.
TEST(FailuresByFamily, OnlyNewCausesCount) {
  FailuresByFamily failures;
  for (std::size_t i = 0; i < 4; ++i) failures.Add(i, Failed(FailureClass::kWrongValue), false);
  EXPECT_EQ(failures.RemoveNext().causes, 0U);  // explained: AddCauseAndRemoveAlike() is not called
  const FailuresByFamily::Next second = failures.RemoveNext();
  EXPECT_EQ(second.causes, 0U);
  EXPECT_EQ(AddCauseOfOneFailure(failures, second), 0U);
  EXPECT_EQ(failures.RemoveNext().causes, 1U);
}

// Cases 0 and 1 are of one family and case 2 of another one, so the order is 0, 2, 1.
TEST(FailuresByFamily, FamiliesTakeTurnsEvenIfTheirFailuresAreExplained) {
  FailuresByFamily failures;
  for (std::size_t i = 0; i < 2; ++i) failures.Add(i, Failed(FailureClass::kWrongValue), false);
  failures.Add(2, Failed(FailureClass::kAcceptedInvalid), false);
  EXPECT_EQ(failures.families(), 2U);
  EXPECT_EQ(failures.RemoveNext().case_index, 0U);
  EXPECT_EQ(failures.RemoveNext().case_index, 2U);
  EXPECT_EQ(failures.RemoveNext().case_index, 1U);
  EXPECT_EQ(failures.families(), 0U);
}

// A cause may have failures of several element types, but counts only for the family of its own type. Here the cause of
// case 0, of type f32, also takes case 1, of type i32. Case 2, which is left, is the first of a family without a cause.
TEST(FailuresByFamily, ACauseHasFailuresOfOtherTypes) {
  FailuresByFamily failures;
  failures.Add(0, Failed(FailureClass::kWrongValue), false);
  for (std::size_t i = 1; i < 3; ++i)
    failures.Add(i, Failed(FailureClass::kWrongValue, "ConvTranspose:data=1,1,2:filter=1,1,3:type=i32"), false);
  failures.Add(3, Failed(FailureClass::kAcceptedInvalid), false);
  const FailuresByFamily::Next next = failures.RemoveNext();
  ASSERT_EQ(next.case_index, 0U);
  EXPECT_EQ(failures.AddCauseAndRemoveAlike(next.family, [](std::size_t at) { return at != 2; }),
            std::vector<std::size_t>{1});
  EXPECT_EQ(failures.RemoveNext().causes, 0U);
}

}  // namespace
}  // namespace fuzz
