// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that repeated runs find faults of backends that two runs do not show: leaks, results that depend on the number
// of threads, and caches with an incomplete key. Also tests that the second run finds inputs that are changed and
// restored.

#include "conformance/verdict/judge/repeated_runs.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

using testing::HasSubstr;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=2,3,6,9:filter=3,2,3,3:strides=2,1:pads_begin=0,0:pads_end=0,0:dilations=1,1";

CaseResult JudgeOn(const std::string& backend, const std::string& line) {
  Judge judge(backend, {});
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return judge.JudgeCase(TestCaseOf(line));
}

TEST(LeakPerCall, IsFoundIfEveryWindowAddsToIt) {
  using Held = std::vector<std::uint64_t>;
  EXPECT_EQ(LeakPerCall(Held{1000, 1640, 2280, 2920}, 10, 10), 64.0);
  EXPECT_EQ(LeakPerCall(Held{1000, 1640, 2300, 2920}, 10, 10), 64.0) << "nearly the same";
  EXPECT_EQ(LeakPerCall(Held{1000, 1640, 9000, 9640}, 10, 10), 64.0) << "a table doubles besides";
  EXPECT_EQ(LeakPerCall(Held{1000, 1000, 1000, 1000}, 10, 10), std::nullopt);
  EXPECT_EQ(LeakPerCall(Held{1000, 5000, 5000, 5000}, 10, 10), std::nullopt) << "a cache that is filled once";
  EXPECT_EQ(LeakPerCall(Held{1000, 3000, 3100, 3110}, 10, 10), std::nullopt) << "growth that comes to an end";
  EXPECT_EQ(LeakPerCall(Held{1000, 2000, 1000, 2000}, 10, 10), std::nullopt) << "garbage that is collected";
  EXPECT_EQ(LeakPerCall(Held{1000, 1001, 1002, 1003}, 10, 10), std::nullopt) << "too little";
}

TEST(RepeatedRuns, CorrectBackendsPass) {
  for (const std::string backend : {"kernel", "oracle", "fault:none", "fault:none_plans", "fault:none_threads"}) {
    for (const std::string repeats : {":repeat=memory", ":repeat=threads", ":repeat=turns"}) {
      const CaseResult result = JudgeOn(backend, kPlain + repeats);
      EXPECT_EQ(result.verdict.status, Status::kPass) << backend << repeats << ": " << result.verdict.message;
      EXPECT_EQ(result.verdict.message, "") << backend << repeats;
    }
  }
}

TEST(RepeatedRuns, FindMemoryThatIsLostWithEachCall) {
  const std::string backend = "fault:loses_packed_filter";
  EXPECT_EQ(JudgeOn(backend, kPlain).verdict.status, Status::kPass) << "one call loses little";
  const CaseResult result = JudgeOn(backend, std::string(kPlain) + ":repeat=memory");
  EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "leak") << result.verdict.message;
  // The lost bytes are 54 elements and the allocator's overhead, so their number is not compared.
  EXPECT_THAT(result.verdict.message, HasSubstr("more bytes of its heap after each call of the same operator"));
}

TEST(RepeatedRuns, FindOpenFilesAndThreadsThatAreLostWithEachCall) {
  for (const auto& [backend, lost] : {std::pair{"fault:loses_open_file", "holds 1 more open files"},
                                      {"fault:loses_thread", "more threads after each call"}}) {
    EXPECT_EQ(JudgeOn(backend, kPlain).verdict.status, Status::kPass) << backend << ": one call loses little";
    const CaseResult result = JudgeOn(backend, std::string(kPlain) + ":repeat=memory");
    EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "leak") << backend << ": " << result.verdict.message;
    EXPECT_THAT(result.verdict.message, HasSubstr(lost)) << backend;
  }
}

TEST(RepeatedRuns, FindOutputsThatAreWrongWithSomeNumberOfThreads) {
  for (const std::string backend : {"fault:wrong_with_three_threads", "fault:wrong_with_uneven_rows"}) {
    const CaseResult result = JudgeOn(backend, std::string(kPlain) + ":repeat=threads");
    EXPECT_EQ(result.verdict.status, Status::kFail) << backend;
  }
}

// Values that the case states do not fit the relatives, which have other shapes.
TEST(RepeatedRuns, TakeTurnsWithoutTheValuesOfTheCase) {
  const CaseResult result =
      JudgeOn("kernel",
              "ConvolutionBackpropData:data=1,1,3:filter=1,1,2:data_values=1,2,3:strides=1:pads_begin=0:pads_end=0:"
              "dilations=1:repeat=turns");
  EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
}

TEST(RepeatedRuns, FindCachesWhoseKeyIsIncomplete) {
  for (const std::string backend : {"fault:keeps_filter_of_pointer", "fault:cache_lacks_strides",
                                    "fault:cache_lacks_dilations", "fault:cache_lacks_pads_begin"}) {
    const CaseResult result = JudgeOn(backend, std::string(kPlain) + ":repeat=turns");
    EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "wrong-value") << backend << ": " << result.verdict.message;
    EXPECT_THAT(result.verdict.message, HasSubstr("in turn ")) << backend;
  }
}

TEST(RepeatedRuns, FindOutputsThatAreWrongAfterManyCalls) {
  const CaseResult result = JudgeOn("fault:hundredth_call_zero", std::string(kPlain) + ":repeat=memory");
  EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "wrong-value") << result.verdict.message;
  EXPECT_THAT(result.verdict.message, HasSubstr("the output of call "));
}

// In a build with a sanitizer, the sanitizer reports the write first, and the verdict is a crash.
TEST(SecondRun, HasInputsThatCannotBeWritten) {
  for (const auto& [backend, input] : {std::pair{"fault:restores_data", "data"}, {"fault:restores_filter", "filter"}}) {
    const CaseResult result = JudgeOn(backend, kPlain);
    EXPECT_EQ(result.verdict.status, Status::kFail) << backend;
    if (result.verdict.message.find("Sanitizer") != std::string::npos) continue;
    EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "modified-input") << backend;
    EXPECT_THAT(result.verdict.message, HasSubstr(std::string("of the ") + input));
    EXPECT_THAT(result.verdict.message, HasSubstr("which it may only read"));
    EXPECT_NE(result.trace.backtrace, "");
  }
}

}  // namespace
}  // namespace conformance
