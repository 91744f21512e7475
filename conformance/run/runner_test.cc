// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests whole runs: their results do not depend on the number of workers, a crash or hang changes only one verdict, and
// a backend needs judged cases to conform.

#include "conformance/run/runner.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "conformance/run/case_batch.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RunRecord RunOn(const std::vector<SuiteCase>& case_list, const std::string& backend, int jobs = 1) {
  auto run = RunCases(case_list, {.backend = backend, .jobs = jobs});
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<RunRecord>(std::move(run));
}

/// The failed cases with their messages.
std::vector<std::string> FailuresOf(const RunRecord& record) {
  std::vector<std::string> failed;
  for (const CaseResult& result : record.results) {
    if (result.verdict.status == Status::kFail) failed.push_back(result.origin.name + " " + result.verdict.message);
  }
  return failed;
}

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";

// The backend returns the output of the previous call. It fails at each case that follows one with the same operator.
// 410 cases are two full batches of 200, which run in processes of their own, and a part of a third.
TEST(Run, FindsTheSameStateWhateverTheNumberOfWorkers) {
  std::vector<SuiteCase> case_list;
  for (int i = 0; i < 410; ++i) {
    SuiteCase suite_case = TestCaseOf(kPlain, std::to_string(i));
    suite_case.test_case.seed = static_cast<std::uint64_t>(i / 7);
    suite_case.test_case.op.data.dims[2] += i % 7;
    case_list.push_back(std::move(suite_case));
  }
  for (std::size_t i = 300; i < 310; ++i) case_list[i].test_case.op = case_list[299].test_case.op;
  const std::vector<std::string> alone = FailuresOf(RunOn(case_list, "fault:keeps_output", 1));
  EXPECT_THAT(alone, Not(IsEmpty()));
  for (const int jobs : {2, 8}) EXPECT_EQ(FailuresOf(RunOn(case_list, "fault:keeps_output", jobs)), alone) << jobs;
}

// A failure that needs an earlier case names that case.
TEST(Run, SaysWhichCaseAFailureNeeds) {
  std::vector<SuiteCase> case_list;
  for (int i = 0; i < 60; ++i) {
    SuiteCase suite_case = TestCaseOf(kPlain, std::to_string(i));
    suite_case.test_case.op.data.dims[2] += i;  // all operators differ, so the backend keeps no output ...
    case_list.push_back(std::move(suite_case));
  }
  case_list[50] = case_list[17];  // ... except for this pair
  case_list[50].name = "50";
  case_list[50].test_case.seed = 1;
  case_list.erase(case_list.begin() + 18, case_list.begin() + 50);  // keeps_output remembers only the previous call
  const RunRecord record = RunOn(case_list, "fault:keeps_output");
  const std::vector<std::string> failed = FailuresOf(record);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_THAT(failed.front(), HasSubstr("alone it passes, after test/17 it fails: " + ToLine(case_list[17].test_case)));
}

TEST(Run, ShardsTogetherAreTheWhole) {
  std::vector<SuiteCase> case_list;
  for (int i = 0; i < 410; ++i)
    case_list.push_back(TestCaseOf(std::string(kPlain) + ":seed=" + std::to_string(i / 2), std::to_string(i)));
  const RunRecord whole = RunOn(case_list, "fault:keeps_output");
  std::map<std::size_t, std::string> together;
  for (std::uint64_t index = 0; index < 3; ++index) {
    const auto run = RunCases(case_list, {.backend = "fault:keeps_output", .jobs = 2, .shard = {index, 3}});
    ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
    EXPECT_EQ(std::get<RunRecord>(run).case_list_hash, whole.case_list_hash);
    for (const CaseResult& result : std::get<RunRecord>(run).results) {
      EXPECT_TRUE(together.emplace(result.origin.case_index, result.verdict.message).second)
          << result.origin.case_index;
    }
  }
  ASSERT_EQ(together.size(), whole.results.size());
  for (const CaseResult& result : whole.results) EXPECT_EQ(together[result.origin.case_index], result.verdict.message);
}

TEST(Run, RunsOnlyBatchesWithAMissingVerdict) {
  const std::vector<SuiteCase> case_list(410, TestCaseOf(kPlain));
  const RunRecord whole = RunOn(case_list, "kernel");
  // One verdict of the second of three case batches is missing, so the whole batch is run again.
  std::vector<CaseResult> known = whole.results;
  known.erase(known.begin() + 250);
  std::size_t judged = 0;
  std::size_t last = 0;
  const auto run = RunCases(case_list, {.backend = "kernel", .jobs = 2, .known = known},
                            {.on_result = [&](const CaseResult&, std::size_t done) {
                              ++judged;
                              last = done;
                            }});
  ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
  EXPECT_EQ(judged, 200U);
  EXPECT_EQ(last, 410U);
  EXPECT_EQ(std::get<RunRecord>(run).results.size(), 410U);
}

// A worker may write to foreign descriptors, take too much memory or die. This changes only the verdict of the case
// that was running.
TEST(Isolation, EachTroubleChangesOnlyTheVerdictOfItsCase) {
  struct Trouble {
    const char* name;
    FailureClass failure;
    const char* message;
  };
  for (const Trouble& trouble :
       {Trouble{"four_socket", FailureClass::kProtocol, "no answer"},
        Trouble{"four_eats_memory", FailureClass::kMemory, "held more than"},
        Trouble{"four_exits", FailureClass::kCrash, "exited with status 0: the backend called exit(0)"},
        Trouble{"four_null", FailureClass::kCrash, "(near NULL)"},
        Trouble{"four_overruns", FailureClass::kCrash, "past the data buffer"},
        Trouble{"four_aborts", FailureClass::kCrash, "killed by Aborted (6); stderr: assertion failed: strides"},
        Trouble{"four_throws", FailureClass::kCrash, "what():  no strides"}}) {
    std::vector<SuiteCase> case_list(5, TestCaseOf(kPlain));
    case_list[2].test_case.op.data.dims[2] = 4;  // the mutants look at this size
    JudgeLimits limits;
    limits.worker_bytes = std::uint64_t{256} << 20;
    const auto run = RunCases(case_list, {.backend = std::string("fault:") + trouble.name, .limits = limits});
    ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
    const std::vector<CaseResult>& results = std::get<RunRecord>(run).results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].verdict.status, i == 2 ? Status::kFail : Status::kPass)
          << trouble.name << ": " << results[i].verdict.message;
    }
    EXPECT_EQ(results[2].verdict.failure, trouble.failure) << trouble.name << ": " << results[2].verdict.message;
    if (trouble.failure == FailureClass::kMemory) {
      EXPECT_EQ(results[2].trace.replay_options, "--worker-memory 0.25");
      EXPECT_EQ(results[2].verdict.message.find("held more"), results[2].verdict.message.rfind("held more"))
          << "said once";
    }
    // In a build with a sanitizer, the sanitizer reports bad accesses.
    const bool by_sanitizer = results[2].verdict.message.find("Sanitizer") != std::string::npos;
    if (!by_sanitizer) {
      EXPECT_THAT(results[2].verdict.message, HasSubstr(trouble.message)) << trouble.name;
    }
  }
}

TEST(Isolation, ACrashShowsItsStackAndWhatTheLibraryWroteBefore) {
  SuiteCase suite_case = TestCaseOf(kPlain);
  suite_case.test_case.op.data.dims[2] = 4;
  const RunRecord record = RunOn({suite_case}, DECONV_MUTANTS "?four_aborts");  // sanitizers do not report an abort
  const CaseResult& result = record.results.front();
  EXPECT_THAT(result.trace.backtrace, HasSubstr("libdeconv_mutants"));
  EXPECT_EQ(result.trace.stderr_tail, "assertion failed: strides\n");
  EXPECT_THAT(result.verdict.message, Not(HasSubstr("inaccessible page"))) << "an abort is no access to memory";
}

/// The line of source to which the first frame that names this function or file points.
std::string SourceOf(const std::string& stack, const std::string& function) {
  std::istringstream frames(stack);
  for (std::string frame; std::getline(frames, frame);) {
    const std::size_t at = frame.find(" at ");
    if (frame.find(function) == std::string::npos || at == std::string::npos) continue;
    const std::string place = frame.substr(at + 4, frame.rfind(" in ") - at - 4);
    std::ifstream source(place.substr(0, place.rfind(':')));
    std::string line;
    for (int left = std::stoi(place.substr(place.rfind(':') + 1)); left > 0; --left) std::getline(source, line);
    return line;
  }
  return "no such frame in:\n" + stack;
}

// Tests each way to reach a backend: built in, a library, and a command. A signal makes a hung backend print its stack.
TEST(Isolation, AStackNamesTheFunctionAndTheLine) {
  if (!DECONV_HAS_FRAMES) GTEST_SKIP() << "deconv-frames was not built: libdw is missing";
  SuiteCase suite_case = TestCaseOf(kPlain);
  suite_case.test_case.op.data.dims[2] = 4;
  JudgeLimits limits;
  limits.base_seconds = 0.5;
  const std::string crash = "four_aborts";
  const std::string hang = "hangs_sometimes?every=1";
  for (const std::string& mutant : {crash, hang}) {
    for (const std::string& backend :
         {"fault:" + mutant, DECONV_MUTANTS "?" + mutant, "cmd:exec " DECONV_SERVER " 'fault:" + mutant + "'"}) {
      const auto run = RunCases({suite_case}, {.backend = backend, .limits = limits});
      ASSERT_TRUE(std::holds_alternative<RunRecord>(run)) << backend;
      const std::string& stack = std::get<RunRecord>(run).results.front().trace.backtrace;
      if (mutant == crash) {
        EXPECT_THAT(SourceOf(stack, "run_mutants.cc"), HasSubstr("std::abort();")) << backend;
      } else {
        EXPECT_THAT(SourceOf(stack, "HangIfChosen"), HasSubstr("pause();")) << backend << '\n' << stack;
      }
    }
  }
}

// The process is killed from outside once, and the second run is right, so the case passes.
TEST(Isolation, ACaseWhoseProcessWasKilledIsRunOnceMore) {
  SuiteCase suite_case = TestCaseOf(kPlain);
  suite_case.test_case.op.data.dims[2] = 4;
  const std::string mark = testing::TempDir() + "runner_test_killed" + std::to_string(getpid());
  std::filesystem::remove(mark);
  const RunRecord once = RunOn({suite_case}, "fault:four_killed_once?mark=" + mark);
  EXPECT_EQ(once.results.front().verdict.status, Status::kPass) << once.results.front().verdict.message;
  EXPECT_THAT(once.results.front().verdict.message, HasSubstr("in the process before this one: "));
  EXPECT_TRUE(std::filesystem::remove(mark));
  const RunRecord always = RunOn({suite_case}, "fault:four_killed");
  EXPECT_EQ(always.results.front().verdict.failure, FailureClass::kCrash);
}

TEST(LongCases, AreAnnouncedWithTheirWork) {
  const SuiteCase large = TestCaseOf("ConvTranspose:data=1,400,64,64:filter=400,400,4,4:strides=2,2");
  const ResourceEstimate estimate = EstimateResources(large.test_case);
  EXPECT_THAT(LongWorkText(large.test_case, estimate, 0.1), HasSubstr("1e+10 products take the oracle about "));
  EXPECT_EQ(LongWorkText(large.test_case, estimate, 1e6), "");
  const SuiteCase sweep =
      TestCaseOf("sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-spec:stride=1");
  EXPECT_EQ(LongWorkText(sweep.test_case, estimate, 0.1), "");
}

TEST(LongCases, OfIntegersAreAnnouncedToo) {
  const SuiteCase large = TestCaseOf(
      "ConvolutionBackpropData:data=1,400,64,64:filter=400,400,4,4:type=i8:strides=2,2:dilations=1,1:pads_begin=0,0:"
      "pads_end=0,0");
  EXPECT_THAT(LongWorkText(large.test_case, EstimateResources(large.test_case), 0.1),
              HasSubstr("1e+10 products take the oracle about "));
}

TEST(CaseBatches, EndWithTheirWorkAndKeepSweepsApart) {
  std::vector<SuiteCase> case_list(1000, TestCaseOf(kPlain));
  std::vector<ResourceEstimate> estimates(case_list.size(), ResourceEstimate{0, 10});
  estimates[300].products = 1e9;
  const auto covers = [&] {
    std::size_t next = 0;
    for (const CaseBatch& case_batch : CaseBatchesOf(case_list, estimates)) {
      EXPECT_EQ(case_batch.begin, next);
      EXPECT_GT(case_batch.end, case_batch.begin);
      next = case_batch.end;
    }
    EXPECT_EQ(next, case_list.size());
    return CaseBatchesOf(case_list, estimates).size();
  };
  EXPECT_EQ(covers(), 7U);  // 200, 100, the large one, 200, 200, 200, 99
  case_list[950] =
      TestCaseOf("sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-spec:stride=1");
  EXPECT_EQ(covers(), 9U);
  estimates[100].bytes = std::uint64_t{1} << 30;
  EXPECT_EQ(covers(), 10U);  // 100 cases, the one of 1 GiB and 199 cases instead of 200 and 100
  case_list.clear();
  estimates.clear();
  EXPECT_EQ(covers(), 0U);
}

TEST(CaseBatches, RunCasesOfOneOperatorOneAfterTheOther) {
  std::vector<SuiteCase> case_list;
  for (const int data : {9, 3, 4, 3, 5, 4, 3, 9}) {
    SuiteCase suite_case = TestCaseOf(kPlain, std::to_string(data));
    suite_case.test_case.op.data.dims[2] = data;
    suite_case.test_case.seed = case_list.size();
    case_list.push_back(std::move(suite_case));
  }
  const CaseBatch all_but_the_ends = {.begin = 1, .end = 7, .products = 0};
  EXPECT_THAT(RunningOrderOf(case_list, all_but_the_ends), testing::ElementsAre(1, 3, 6, 2, 5, 4));
}

// Reports have the order of the list; a failure names the case that really ran before it.
TEST(Run, KeepsTheOrderOfTheList) {
  std::vector<SuiteCase> case_list;
  for (int i = 0; i < 20; ++i) {
    SuiteCase suite_case = TestCaseOf(kPlain, std::to_string(i));
    suite_case.test_case.op.data.dims[2] += i;
    case_list.push_back(std::move(suite_case));
  }
  case_list[15] = case_list[4];
  case_list[15].name = "15";
  case_list[15].test_case.seed = 1;
  const RunRecord record = RunOn(case_list, "fault:keeps_output");
  for (std::size_t i = 0; i < case_list.size(); ++i) EXPECT_EQ(record.results[i].origin.name, case_list[i].name);
  const std::vector<std::string> failed = FailuresOf(record);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_THAT(failed.front(), HasSubstr("alone it passes, after test/4 it fails: " + ToLine(case_list[4].test_case)));
}

TEST(Run, CountsOnlyCasesWithOutputsAsAnswers) {
  for (const char* line :
       {"ConvolutionBackpropData:data=0,1,3:filter=1,1,3:strides=1:pads_begin=0:pads_end=0:dilations=1",
        "sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-spec:stride=1"}) {
    const Tally tally = TallyOf(RunOn({TestCaseOf(line)}, "kernel"));
    EXPECT_EQ(tally.passed, 1U) << line;
    EXPECT_EQ(tally.answers, 0U) << line;
  }
  EXPECT_EQ(TallyOf(RunOn({TestCaseOf(kPlain)}, "kernel")).answers, 1U);
}

TEST(Run, ReportsItsOwnErrorsAsErrorsOfTheSuite) {
  SuiteCase suite_case = TestCaseOf(kPlain);
  suite_case.test_case.filter_values = FileValues{"/nonexistent", 0, std::nullopt};
  const RunRecord record = RunOn({suite_case}, "kernel");
  EXPECT_EQ(record.results.front().verdict.failure, FailureClass::kSuiteError);
  EXPECT_EQ(TallyOf(record).suite_errors, 1U);
}

constexpr const char* kNoStride =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:pads_begin=0:pads_end=0:dilations=1";

TEST(InvalidOperators, ComeWithDataAndFilter) {
  // A backend that checks no attributes, but refuses operators without data, must not pass.
  EXPECT_EQ(
      RunOn({TestCaseOf(kNoStride)}, "fault:accepts_zero_stride+refuses_without_data").results.front().verdict.status,
      Status::kFail);
  // A backend that compares buffer sizes with dims before it checks the attributes must pass.
  EXPECT_EQ(RunOn({TestCaseOf(kNoStride)}, "fault:checks_sizes_first").results.front().verdict.status, Status::kPass);
}

// A wrong branch for one thread is found, even if the backend promises equal bits only for equal numbers of threads.
TEST(Threads, OneThreadIsTestedWhateverIsPromised) {
  std::vector<SuiteCase> case_list;
  for (int seed = 0; seed < 20; ++seed)
    case_list.push_back(TestCaseOf(std::string(kPlain) + ":seed=" + std::to_string(seed)));
  for (const char* backend : {"fault:wrong_with_one_thread", "fault:wrong_with_one_thread+declares_no_determinism"}) {
    EXPECT_THAT(FailuresOf(RunOn(case_list, backend)), Not(IsEmpty())) << backend;
  }
}

}  // namespace
}  // namespace conformance
