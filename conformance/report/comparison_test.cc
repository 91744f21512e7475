// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that only verdicts on the same case are compared, and only judged ones.

#include "conformance/report/comparison.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST(Comparison, FindsTheCasesOnWhichBackendsDiffer) {
  const std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  BackendComparison comparison = CompareBackends(runs);
  EXPECT_EQ(comparison.common, 2u);
  EXPECT_TRUE(comparison.differing.empty()) << "both fail in the same class, whether it was expected or not";
  ASSERT_THAT(comparison.suites, SizeIs(1));
  EXPECT_EQ(comparison.suites[0].counts[0].failed, kFailureClasses.size());
  EXPECT_EQ(comparison.suites[0].counts[1].warned, 2u);

  std::vector<RunRecord> others = runs;
  others[1].results[1].failure = FailureClass::kCrash;
  comparison = CompareBackends(others);
  ASSERT_THAT(comparison.differing, SizeIs(1));
  EXPECT_EQ(comparison.differing[0].any().name, "bad-wrong-value");
  EXPECT_EQ(OutcomeWord(comparison.differing[0].results[1]), "crash");
  others[1].results[1].status = Status::kLoose;
  EXPECT_THAT(CompareBackends(others).differing, SizeIs(1));
  others[1].results[1].status = Status::kUndeclared;
  comparison = CompareBackends(others);
  EXPECT_TRUE(comparison.differing.empty()) << "what was not judged is no difference";
  EXPECT_EQ(comparison.common, 1u);
  others[1].results[1] = runs[0].results[0];
  others[1].results[1].line = "another case of this name";
  EXPECT_TRUE(CompareBackends(others).differing.empty());
}

TEST(Comparison, AsTextForMoreThanOne) {
  std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  EXPECT_EQ(ComparisonText({runs.data(), 1}), "");
  EXPECT_EQ(ComparisonText({}), "");
  runs[1].results[1] = PassOfTest("bad-wrong-value");
  const std::string text = ComparisonText(runs);
  EXPECT_THAT(text, HasSubstr("1/" + kFailures + "/0"));
  EXPECT_THAT(text, HasSubstr("4/0/1"));
  EXPECT_THAT(text, HasSubstr("the backends differ on 1 of the 2 cases"));
  EXPECT_THAT(text, HasSubstr("attributes/bad-wrong-value: fault:some wrong-value, kernel pass\n"));
}

}  // namespace
}  // namespace conformance
