// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests in which order failures of different sorts are taken, and which of them count as causes of their sort.

#include "fuzz/campaign/failure_sort.h"

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

std::size_t NoneAlike(SortedFailures& failures, const SortedFailures::Next& next) {
  return failures.TakeAlike(next.sort, [](std::size_t) { return false; }).size();
}

// The products of the data set `taps` are exact too.
TEST(SortedFailures, PlainValuesComeFirst) {
  SortedFailures failures;
  const std::string line = "ConvTranspose:data=1,1,2:filter=1,1,3:values=";
  failures.Add(0, Failed(FailureClass::kWrongValue, line + "reals"), false);
  failures.Add(1, Failed(FailureClass::kWrongValue, line + "taps:seed=12"), false);
  EXPECT_EQ(failures.TakeNext().case_index, 1U);
}

// A failure that a known cause explains after all is no part of its sort.
TEST(SortedFailures, OnlyNewCausesCount) {
  SortedFailures failures;
  for (std::size_t i = 0; i < 4; ++i) failures.Add(i, Failed(FailureClass::kWrongValue), false);
  EXPECT_EQ(failures.TakeNext().causes, 0U);  // explained: TakeAlike() is not called
  const SortedFailures::Next second = failures.TakeNext();
  EXPECT_EQ(second.causes, 0U);
  EXPECT_EQ(NoneAlike(failures, second), 0U);
  EXPECT_EQ(failures.TakeNext().causes, 1U);
}

TEST(SortedFailures, SortsTakeTurnsEvenIfTheirFailuresAreExplained) {
  SortedFailures failures;
  for (std::size_t i = 0; i < 2; ++i) failures.Add(i, Failed(FailureClass::kWrongValue), false);
  failures.Add(2, Failed(FailureClass::kAcceptedInvalid), false);
  EXPECT_EQ(failures.sorts(), 2U);
  EXPECT_EQ(failures.TakeNext().case_index, 0U);
  EXPECT_EQ(failures.TakeNext().case_index, 2U);
  EXPECT_EQ(failures.TakeNext().case_index, 1U);
  EXPECT_EQ(failures.sorts(), 0U);
}

// A cause may have failures of several element types, but is a cause of the type of its smallest case alone.
TEST(SortedFailures, ACauseTakesFailuresOfOtherTypes) {
  SortedFailures failures;
  failures.Add(0, Failed(FailureClass::kWrongValue), false);
  for (std::size_t i = 1; i < 3; ++i)
    failures.Add(i, Failed(FailureClass::kWrongValue, "ConvTranspose:data=1,1,2:filter=1,1,3:type=i32"), false);
  failures.Add(3, Failed(FailureClass::kAcceptedInvalid), false);
  const SortedFailures::Next next = failures.TakeNext();
  ASSERT_EQ(next.case_index, 0U);
  EXPECT_EQ(failures.TakeAlike(next.sort, [](std::size_t at) { return at != 2; }), std::vector<std::size_t>{1});
  EXPECT_EQ(failures.TakeNext().causes, 0U);
}

}  // namespace
}  // namespace fuzz
