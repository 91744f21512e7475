// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which cases a run leaves out after many hangs. Such a run ends soon and does not conform.

#include "conformance/run/hang_limit.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/runner.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";
constexpr const char* kGroup =
    "GroupConvolutionBackpropData:data=1,2,3:filter=2,1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";

TEST(HangLimit, LeavesOutTheKindsThatHung) {
  const SuiteCase plain = TestCaseOf(kPlain);
  const SuiteCase group = TestCaseOf(kGroup);
  SuiteCase other_suite = plain;
  other_suite.suite = "other";
  HangLimit limit(2);
  limit.CountHang(plain);
  EXPECT_FALSE(limit.ShouldSkip(plain)) << "the limit is not reached";
  limit.CountHang(plain);
  EXPECT_TRUE(limit.ShouldSkip(plain));
  EXPECT_FALSE(limit.ShouldSkip(group));
  EXPECT_FALSE(limit.ShouldSkip(other_suite));
  limit.CountHang(group);
  EXPECT_TRUE(limit.ShouldSkip(group)) << "the first hang is enough then";
}

TEST(HangLimit, RunsASampleUntilThatHangsToo) {
  const SuiteCase plain = TestCaseOf(kPlain);
  HangLimit limit(1);
  limit.CountHang(plain);
  std::size_t run = 0;
  for (std::size_t i = 0; i < 10 * HangLimit::kSampleStep; ++i) {
    if (limit.ShouldSkip(plain)) continue;
    ++run;
    limit.CountHang(plain);
  }
  EXPECT_EQ(run, HangLimit::kMostSampleHangs);
}

TEST(HangLimit, BoundsTheHangsOfTheWholeRun) {
  HangLimit limit(10);
  std::size_t hangs = 0;
  for (int suite = 0; suite < 50; ++suite) {
    SuiteCase plain = TestCaseOf(kPlain);
    plain.suite = std::to_string(suite);
    for (std::size_t i = 0; i < 10 * HangLimit::kSampleStep; ++i) {
      if (limit.ShouldSkip(plain)) continue;
      ++hangs;
      limit.CountHang(plain);
    }
  }
  EXPECT_EQ(hangs, 30U);
}

TEST(HangLimit, OfZeroLeavesOutNothing) {
  HangLimit limit(0);
  for (int i = 0; i < 100; ++i) limit.CountHang(TestCaseOf(kPlain));
  EXPECT_FALSE(limit.ShouldSkip(TestCaseOf(kPlain)));
}

RunOptions HangingOptions(std::size_t max_hangs) {
  RunOptions options{.backend = "fault:hangs_sometimes?every=1", .jobs = 2, .max_hangs = max_hangs};
  options.limits.base_seconds = 0.02;
  return options;
}

std::size_t CountOf(const RunRecord& record, Status status) {
  return static_cast<std::size_t>(std::ranges::count(record.results, status, StatusOf));
}

TEST(HangLimit, EndsARunThatHangs) {
  const std::vector<SuiteCase> case_list(100, TestCaseOf(kPlain));
  const auto run = RunCases(case_list, HangingOptions(3));
  ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
  const auto& record = std::get<RunRecord>(run);
  ASSERT_EQ(record.results.size(), 100U);
  const std::size_t hung = CountOf(record, Status::kFail);
  EXPECT_GE(hung, 3 + HangLimit::kMostSampleHangs);
  EXPECT_LE(hung, 3 + HangLimit::kMostSampleHangs + 2) << "and one more for each job";
  EXPECT_EQ(CountOf(record, Status::kSkippedAfterHangs), 100 - hung);
  EXPECT_EQ(TallyOf(record).skipped_after_hangs, 100 - hung);
}

// A resumed run also counts the hangs that the interrupted run had.
TEST(HangLimit, CountsTheHangsOfTheRunThatIsResumed) {
  std::vector<SuiteCase> case_list(400, TestCaseOf(kPlain));
  const auto first = RunCases(case_list, HangingOptions(3));
  ASSERT_TRUE(std::holds_alternative<RunRecord>(first));
  RunOptions options = HangingOptions(3);
  options.known = std::get<RunRecord>(first).results;
  options.known.resize(200);
  const auto second = RunCases(case_list, options);
  ASSERT_TRUE(std::holds_alternative<RunRecord>(second));
  const auto& results = std::get<RunRecord>(second).results;
  EXPECT_LE(std::ranges::count(results.begin() + 200, results.end(), Status::kFail, StatusOf), 4);
}

// An expected hang costs time, but no case is left out because of it.
TEST(HangLimit, IgnoresExpectedHangs) {
  const std::vector<SuiteCase> case_list(20, TestCaseOf(kPlain));
  const auto run = RunCases(case_list, HangingOptions(3),
                            {.on_judged = [](CaseResult& result) { result.verdict.known_failure = "known"; }});
  ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
  EXPECT_EQ(CountOf(std::get<RunRecord>(run), Status::kFail), 20U);
}

}  // namespace
}  // namespace conformance
