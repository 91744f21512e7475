// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs as wholes: what does not depend on the number of workers, and what a run has to judge to conform.

#include "conformance/runner.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/unit.h"
#include "conformance/worker_process.h"

namespace conformance {
namespace {

using testing::IsEmpty;
using testing::Not;

SuiteCase Planned(const std::string& line, const std::string& name = "case") {
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return {"test", name, std::get<Case>(parsed), "", {}};
}

RunRecord RunOn(const std::vector<SuiteCase>& plan, const std::string& backend, int jobs = 1) {
  auto run = RunCases(plan, {backend, jobs, {}}, [](const CaseResult&, std::size_t) {});
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<RunRecord>(std::move(run));
}

std::vector<std::string> FailuresOf(const RunRecord& record) {
  std::vector<std::string> failed;
  for (const CaseResult& result : record.results) {
    if (result.status == Status::kFail) failed.push_back(result.name + " " + result.message);
  }
  return failed;
}

std::string Deviating(const std::string& name) { return std::string(DECONV_DEVIATING_BACKEND) + "?" + name; }

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";

// A backend that gives the call before again fails where a case follows one of its operator, with other values.
TEST(Run, FindsTheSameStateWhateverTheNumberOfWorkers) {
  std::vector<SuiteCase> plan;
  for (int i = 0; i < 1000; ++i) {
    SuiteCase planned = Planned(kPlain, std::to_string(i));
    planned.test_case.seed = static_cast<std::uint64_t>(i / 7);
    planned.test_case.op.data.dims[2] += i % 7;
    plan.push_back(std::move(planned));
  }
  for (std::size_t i = 500; i < 510; ++i) plan[i].test_case.op = plan[499].test_case.op;
  const std::vector<std::string> alone = FailuresOf(RunOn(plan, "fault:keeps_output", 1));
  EXPECT_THAT(alone, Not(IsEmpty()));
  for (const int jobs : {2, 3, 8}) EXPECT_EQ(FailuresOf(RunOn(plan, "fault:keeps_output", jobs)), alone) << jobs;
}

TEST(Units, EndWithTheirWorkAndKeepSweepsApart) {
  std::vector<SuiteCase> plan(1000, Planned(kPlain));
  std::vector<CaseDemand> demands(plan.size(), CaseDemand{0, 10});
  demands[300].products = 1e9;
  const auto covers = [&] {
    std::size_t next = 0;
    for (const Unit& unit : UnitsOf(plan, demands)) {
      EXPECT_EQ(unit.begin, next);
      EXPECT_GT(unit.end, unit.begin);
      next = unit.end;
    }
    EXPECT_EQ(next, plan.size());
    return UnitsOf(plan, demands).size();
  };
  EXPECT_EQ(covers(), 7U);  // 200, 100, the large one, 200, 200, 200, 99
  plan[950] = Planned("sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-spec:stride=1");
  EXPECT_EQ(covers(), 9U);
  plan.clear();
  demands.clear();
  EXPECT_EQ(covers(), 0U);
}

TEST(Run, ThatComputesNothingHasJudgedNothing) {
  for (const char* line :
       {"ConvolutionBackpropData:data=0,1,3:filter=1,1,3:strides=1:pads_begin=0:pads_end=0:dilations=1",
        "sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-spec:stride=1"}) {
    const Tally tally = TallyOf(RunOn({Planned(line)}, "kernel"));
    EXPECT_EQ(tally.passed, 1U) << line;
    EXPECT_EQ(tally.computed, 0U) << line;
  }
  EXPECT_EQ(TallyOf(RunOn({Planned(kPlain)}, "kernel")).computed, 1U);
}

TEST(Run, SaysOfItsOwnTroublesThatTheyAreItsOwn) {
  SuiteCase planned = Planned(kPlain);
  planned.test_case.filter_values = FileValues{"/nonexistent", 0, std::nullopt};
  const RunRecord record = RunOn({planned}, "kernel");
  EXPECT_EQ(record.results.front().failure, FailureClass::kSuiteError);
  EXPECT_EQ(TallyOf(record).suite_errors, 1U);
}

constexpr const char* kNoStride =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:pads_begin=0:pads_end=0:dilations=1";

TEST(InvalidOperators, ComeWithDataAndFilter) {
  // One that checks nothing, but refuses where there are no data, is not taken for one that checks.
  EXPECT_EQ(RunOn({Planned(kNoStride)}, Deviating("no-checks")).results.front().status, Status::kFail);
  // One that holds the buffer against the dims before it looks at the attributes finds nothing wrong with it.
  EXPECT_EQ(RunOn({Planned(kNoStride)}, Deviating("checks-sizes")).results.front().status, Status::kPass);
}

// A wrong branch for one thread is found where equal bits are promised for equal numbers of threads alone.
TEST(Threads, OneIsAskedForWhateverIsPromised) {
  std::vector<SuiteCase> plan;
  for (int seed = 0; seed < 20; ++seed) plan.push_back(Planned(std::string(kPlain) + ":seed=" + std::to_string(seed)));
  for (const char* name : {"one-thread", "one-thread-declared"}) {
    EXPECT_THAT(FailuresOf(RunOn(plan, Deviating(name))), Not(IsEmpty())) << name;
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  const int served = conformance::ServeIfWorker({argv, static_cast<std::size_t>(argc)});
  if (served >= 0) return served;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
