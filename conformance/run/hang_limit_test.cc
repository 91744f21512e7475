// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which cases a run leaves out after many hangs, and that a run distinguishes slow backends from those that hang.
// A run with many hangs ends soon and does not conform.

#include "conformance/run/hang_limit.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/runner.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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
  EXPECT_EQ(hangs, 30U);  // three times the limit
}

TEST(HangLimit, OfZeroLeavesOutNothing) {
  HangLimit limit(0);
  for (int i = 0; i < 100; ++i) limit.CountHang(TestCaseOf(kPlain));
  EXPECT_FALSE(limit.ShouldSkip(TestCaseOf(kPlain)));
}

/// Options for a run on a mutant (a backend that is wrong on purpose) that hangs at every case.
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
  // Two hangs end the sample, and each of the two jobs may have one more.
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

// A second look is a second try with a longer time limit. A backend that sleeps hangs at once. A backend that computes
// forever hangs after a second look. A backend that is slow in its first run of an operator passes.

/// Puts the backend behind the process protocol: a descendant of the worker computes.
std::string Served(const std::string& backend) { return "cmd:exec '" DECONV_SERVER "' '" + backend + "'"; }

// The limit of a second look is 2.4 s. The slow backend needs 1 s, so even a busy machine has time left.
RunOptions OptionsOf(const std::string& backend) {
  RunOptions options{.backend = backend};
  options.limits.base_seconds = 0.4;
  return options;
}

/// A run of so many equal cases.
RunRecord RunOn(std::size_t cases, const RunOptions& options, const RunEvents& events = {}) {
  auto run = RunCases(std::vector<SuiteCase>(cases, TestCaseOf(kPlain)), options, events);
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<RunRecord>(std::move(run));
}

TEST(SecondLook, IsNotForABackendThatSleeps) {
  for (const std::string& backend : {std::string("fault:hangs_sometimes?every=1"), Served("fault:protocol_hangs")}) {
    const RunRecord record = RunOn(1, OptionsOf(backend));
    EXPECT_EQ(record.results.front().verdict.failure, FailureClass::kHang) << backend;
    EXPECT_THAT(record.results.front().verdict.message,
                AllOf(HasSubstr("no answer within 0.4 s"), HasSubstr("did not compute any more"),
                      HasSubstr("--timeout"), Not(HasSubstr("second look"))))
        << backend;
  }
}

TEST(SecondLook, FindsTheHangOfABackendThatComputesForEver) {
  for (const std::string& backend :
       {std::string("fault:computes_for_ever?every=1"), Served("fault:computes_for_ever?every=1")}) {
    const RunRecord record = RunOn(1, OptionsOf(backend));
    EXPECT_EQ(record.results.front().verdict.failure, FailureClass::kHang) << backend;
    EXPECT_THAT(record.results.front().verdict.message,
                AllOf(HasSubstr("no answer within 2.4 s"), HasSubstr("was still computing"), HasSubstr("--timeout"),
                      HasSubstr("the second look, with 6 times the time limit")))
        << backend;
    EXPECT_EQ(record.results.front().trace.replay_options, "--timeout 0.4") << "a replay looks twice, too";
  }
}

TEST(SecondLook, LetsABackendPassThatIsSlowAtFirst) {
  for (const std::string& backend :
       {std::string("fault:slow_at_first?ms=1000"), Served("fault:slow_at_first?ms=1000")}) {
    const RunRecord record = RunOn(1, OptionsOf(backend));
    EXPECT_EQ(record.results.front().verdict.status, Status::kPass) << backend;
    EXPECT_THAT(record.results.front().verdict.message,
                AllOf(HasSubstr("slow: judged again with 6 times the time limit"), HasSubstr("no answer within 0.4 s")))
        << backend;
  }
}

// After one slow case the others have the longer limit from the start, however many they are.
TEST(SecondLook, LeavesTheRunTheLongerLimitIfTheBackendIsSlow) {
  RunOptions options = OptionsOf("fault:slow_at_first?ms=600");
  options.max_hangs = 1;
  std::vector<SuiteCase> case_list(4, TestCaseOf(kPlain));
  for (std::size_t i = 0; i < case_list.size(); ++i) case_list[i].test_case.op.data.dims[2] += static_cast<int>(i);
  const auto run = RunCases(case_list, options);
  ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
  for (const CaseResult& result : std::get<RunRecord>(run).results) {
    EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
    EXPECT_EQ(result.verdict.message.empty(), result.origin.case_index != 0) << result.verdict.message;
  }
}

// The first case is judged again at once, one more case at the end. The others count as hangs without a second look:
// one until the limit is reached, and two of the sample.
TEST(SecondLook, IsBoundedByTheLimitOfHangs) {
  RunOptions options = OptionsOf("fault:computes_for_ever?every=1");
  options.limits.base_seconds = 0.1;
  options.max_hangs = 2;
  std::vector<std::string> messages;
  const RunRecord record = RunOn(60, options, {.on_result = [&](const CaseResult& result, std::size_t /*done*/) {
                                   messages.push_back(result.verdict.message);
                                 }});
  ASSERT_EQ(record.results.size(), 60U);
  ASSERT_EQ(messages.size(), 60U);
  const auto looked_again = [](const std::string& message) { return message.find("second look") != message.npos; };
  EXPECT_EQ(std::ranges::count_if(messages, looked_again), 2);
  EXPECT_TRUE(looked_again(messages.front()));
  EXPECT_TRUE(looked_again(messages.back()));
  EXPECT_EQ(std::ranges::count(record.results, Status::kFail, StatusOf), 5);
  EXPECT_EQ(std::ranges::count(record.results, Status::kSkippedAfterHangs, StatusOf), 55);
}

// Cases that wait for their second look have no verdict yet: a resumed run judges them.
TEST(SecondLook, LeavesCasesWithoutAVerdictWhenTheRunIsInterrupted) {
  std::atomic<int> interrupt = 0;
  RunOptions options = OptionsOf("fault:computes_for_ever?every=1");
  options.limits.base_seconds = 0.1;
  options.limits.interrupt = &interrupt;
  options.max_hangs = 2;
  const RunRecord record =
      RunOn(3, options,
            {.on_result = [&](const CaseResult& /*result*/, std::size_t done) { interrupt = done == 2 ? 1 : 0; }});
  ASSERT_EQ(record.results.size(), 2U);
  EXPECT_EQ(record.results.front().origin.case_index, 0U) << "judged again at once";
  EXPECT_EQ(record.results.back().origin.case_index, 2U) << "no second look was left";
  EXPECT_EQ(record.unjudged, 1U);
}

TEST(SecondLook, IsNotTakenAfterTheBudget) {
  RunOptions options = OptionsOf("fault:computes_for_ever?every=1");
  options.budget_seconds = 0.2;
  options.budget_order = [](const Capabilities&) { return std::vector<std::size_t>{0}; };
  const RunRecord record = RunOn(1, options);
  EXPECT_EQ(record.results.front().verdict.failure, FailureClass::kHang);
  EXPECT_THAT(record.results.front().verdict.message, HasSubstr("the budget was used up before a second look"));
}

}  // namespace
}  // namespace conformance
