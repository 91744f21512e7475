// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests in which order failures of different families are taken, and which of them count as causes of their family.

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

CaseResult Failed(FailureClass failure, const std::string& line = "ConvTranspose:data=1,1,2:filter=1,1,3") {
  CaseResult result;
  result.judged.line = line;
  result.judged.test_case =
      std::make_shared<conformance::Case>(std::get<conformance::Case>(conformance::ParseCaseLine(line)));
  result.verdict.status = conformance::Status::kFail;
  result.verdict.failure = failure;
  return result;
}

std::size_t NoneAlike(FailuresByFamily& failures, const FailuresByFamily::Next& next) {
  return failures.RemoveAlike(next.family, [](std::size_t) { return false; }).size();
}

// The products of the data set `taps` are exact too.
TEST(FailuresByFamily, PlainValuesComeFirst) {
  FailuresByFamily failures;
  const std::string line = "ConvTranspose:data=1,1,2:filter=1,1,3:values=";
  failures.Add(0, Failed(FailureClass::kWrongValue, line + "reals"), false);
  failures.Add(1, Failed(FailureClass::kWrongValue, line + "taps:seed=12"), false);
  EXPECT_EQ(failures.RemoveNext().case_index, 1U);
}

// A failure that a known cause explains after all is no part of its family.
TEST(FailuresByFamily, OnlyNewCausesCount) {
  FailuresByFamily failures;
  for (std::size_t i = 0; i < 4; ++i) failures.Add(i, Failed(FailureClass::kWrongValue), false);
  EXPECT_EQ(failures.RemoveNext().causes, 0U);  // explained: RemoveAlike() is not called
  const FailuresByFamily::Next second = failures.RemoveNext();
  EXPECT_EQ(second.causes, 0U);
  EXPECT_EQ(NoneAlike(failures, second), 0U);
  EXPECT_EQ(failures.RemoveNext().causes, 1U);
}

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

// A cause may have failures of several element types, but is a cause of the type of its smallest case alone.
TEST(FailuresByFamily, ACauseHasFailuresOfOtherTypes) {
  FailuresByFamily failures;
  failures.Add(0, Failed(FailureClass::kWrongValue), false);
  for (std::size_t i = 1; i < 3; ++i)
    failures.Add(i, Failed(FailureClass::kWrongValue, "ConvTranspose:data=1,1,2:filter=1,1,3:type=i32"), false);
  failures.Add(3, Failed(FailureClass::kAcceptedInvalid), false);
  const FailuresByFamily::Next next = failures.RemoveNext();
  ASSERT_EQ(next.case_index, 0U);
  EXPECT_EQ(failures.RemoveAlike(next.family, [](std::size_t at) { return at != 2; }), std::vector<std::size_t>{1});
  EXPECT_EQ(failures.RemoveNext().causes, 0U);
}

}  // namespace
}  // namespace fuzz
