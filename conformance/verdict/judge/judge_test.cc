// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the judge, which runs a backend on a case and forms the verdict, on backends with one planted fault each. (A
// planted fault is wrong on purpose.) The judge reports the right failure class and coordinate, and the run continues
// after a crash or a hang.

#include "conformance/verdict/judge/judge.h"

#include <algorithm>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/runner.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {
namespace {

using testing::HasSubstr;

CaseResult JudgeOn(const std::string& backend, const SuiteCase& suite_case, const JudgeLimits& limits = {}) {
  Judge judge(backend, limits);
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return judge.JudgeCase(suite_case);
}

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,2,5,4:filter=2,3,3,2:strides=2,3:pads_begin=1,0:pads_end=0,1:dilations=1,2";
constexpr const char* kSameUpper =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:strides=2:dilations=1:auto_pad=same_upper";
constexpr const char* kOutputPadding =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=1:pads_end=1:dilations=1:output_padding=1";
constexpr const char* kGroups =
    "GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=2:pads_begin=1:pads_end=1:dilations=1";
constexpr const char* kGaps =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=3:pads_begin=0:pads_end=0:dilations=1";
// The sum overflows, so that every value is right.
constexpr const char* kAnyValue =
    "ConvTranspose:data=1,2,1:filter=2,1,1:strides=1:dilations=1:pads_begin=0:pads_end=3:output_padding=3:dialect=onnx-"
    "1:"
    "values=overflow:data_only=1";
constexpr const char* kSwampingF64 =
    "ConvolutionBackpropData:data=1,3,5:filter=3,12,1:strides=1:pads_begin=0:pads_end=0:dilations=1:type=f64:values="
    "swamping";
constexpr const char* kSwampingF32 =
    "ConvolutionBackpropData:data=1,3,5:filter=3,12,1:strides=1:pads_begin=0:pads_end=0:dilations=1:type=f32:values="
    "swamping";
constexpr const char* kSwampingF16 =
    "ConvolutionBackpropData:data=1,3,5:filter=3,12,1:strides=1:pads_begin=0:pads_end=0:dilations=1:type=f16:values="
    "swamping";
constexpr const char* kSwampingBf16 =
    "ConvolutionBackpropData:data=1,3,5:filter=3,12,1:strides=1:pads_begin=0:pads_end=0:dilations=1:type=bf16:values="
    "swamping";
constexpr const char* kSwampingKernel =
    "ConvolutionBackpropData:data=1,1,9:filter=1,24,4:strides=1:pads_begin=0:pads_end=0:dilations=1:values=swamping";
constexpr const char* kZeroStride = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:dilations=1";

TEST(Judge, CorrectBackendsPass) {
  for (const char* backend : {"kernel", "oracle", "fault:none"}) {
    for (const char* line : {kPlain, kSameUpper, kOutputPadding, kGroups, kGaps, kZeroStride}) {
      const CaseResult result = JudgeOn(backend, TestCaseOf(line));
      EXPECT_EQ(result.verdict.status, Status::kPass) << backend << " " << line << ": " << result.verdict.message;
    }
  }
}

struct Expectation {
  const char* backend;
  const char* line;
  FailureClass failure;
};

class PlantedFault : public testing::TestWithParam<Expectation> {};

TEST_P(PlantedFault, FailsWithItsClass) {
  JudgeLimits limits;
  limits.base_seconds = 2;
  const CaseResult result = JudgeOn(GetParam().backend, TestCaseOf(GetParam().line), limits);
  EXPECT_EQ(result.verdict.status, Status::kFail);
  EXPECT_EQ(FailureClassNameOf(result.verdict.failure), FailureClassNameOf(GetParam().failure))
      << result.verdict.message;
  EXPECT_FALSE(result.verdict.message.empty());
  EXPECT_FALSE(result.judged.clauses.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, PlantedFault,
    testing::Values(Expectation{"fault:same_upper_lower_exchanged", kSameUpper, FailureClass::kWrongValue},
                    Expectation{"fault:filter_flipped", kPlain, FailureClass::kWrongValue},
                    Expectation{"fault:output_padding_ignored", kOutputPadding, FailureClass::kWrongShape},
                    Expectation{"fault:filter_groups_reversed", kGroups, FailureClass::kWrongValue},
                    Expectation{"fault:gaps_unwritten", kGaps, FailureClass::kUnwritten},
                    Expectation{"fault:output_padding_unwritten", kAnyValue, FailureClass::kUnwritten},
                    Expectation{"fault:writes_past_end", kPlain, FailureClass::kCrash},
                    Expectation{"fault:writes_before_begin", kPlain, FailureClass::kOutOfBounds},
                    Expectation{"fault:modifies_data", kPlain, FailureClass::kModifiedInput},
                    Expectation{"fault:refuses_everything", kPlain, FailureClass::kWrongRefusal},
                    Expectation{"fault:accepts_zero_stride", kZeroStride, FailureClass::kAcceptedInvalid},
                    Expectation{"fault:f64_sums_in_f32", kSwampingF64, FailureClass::kAccumulator},
                    Expectation{"fault:f32_sums_in_f16", kSwampingF32, FailureClass::kAccumulator},
                    Expectation{"fault:f16_sums_in_f16", kSwampingF16, FailureClass::kAccumulator},
                    Expectation{"fault:bf16_sums_in_bf16", kSwampingBf16, FailureClass::kAccumulator},
                    Expectation{"fault:filter_flipped_on_last_axis", kSwampingKernel, FailureClass::kWrongValue},
                    Expectation{"fault:one_in_channel", kSwampingF64, FailureClass::kWrongValue}),
    [](const auto& parameter) {
      std::string name = parameter.param.backend;
      std::replace_if(name.begin(), name.end(), [](char c) { return c == ':'; }, '_');
      return name;
    });

TEST(Judge, AcceptsAnyAnswerToAnUndefinedOperator) {
  const std::string line = "ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:auto_pad=SAME_UPPER";
  const CaseResult result = JudgeOn("kernel", TestCaseOf(line + ":dialect=onnx-1"));
  EXPECT_EQ(result.verdict.status, Status::kUndefined);
  EXPECT_THAT(result.verdict.message, HasSubstr("refused, which is open by P23"));
  ASSERT_EQ(result.answer.choices.size(), 1U);
  EXPECT_FALSE(result.answer.choices.front().computed);
  EXPECT_THAT(result.judged.clauses, testing::ElementsAre("P23"));
  EXPECT_FALSE(result.answer.fits.has_value());
  EXPECT_EQ(JudgeOn("kernel", TestCaseOf(line)).verdict.status, Status::kPass);
}

constexpr const char* kEmptyBatch =
    "ConvolutionBackpropData:data=0,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";

TEST(Judge, AnOpenOperatorMayBeRefusedOrComputed) {
  const CaseResult computed = JudgeOn("kernel", TestCaseOf(kEmptyBatch));
  EXPECT_EQ(computed.verdict.status, Status::kPass);
  EXPECT_THAT(computed.answer.choices, testing::ElementsAre(OpenChoice{"S8", "a batch of 0", true}));
  const CaseResult refused = JudgeOn("fault:refuses_everything", TestCaseOf(kEmptyBatch));
  EXPECT_EQ(refused.verdict.status, Status::kPass) << refused.verdict.message;
  EXPECT_THAT(refused.answer.choices, testing::ElementsAre(OpenChoice{"S8", "a batch of 0", false}));
}

TEST(Judge, AnOpenOperatorMustNotBeAnsweredWrongly) {
  EXPECT_EQ(JudgeOn("fault:crashes_sometimes?every=1", TestCaseOf(kEmptyBatch)).verdict.failure, FailureClass::kCrash);
  EXPECT_EQ(JudgeOn("fault:output_size_off_by_one", TestCaseOf(kEmptyBatch)).verdict.failure,
            FailureClass::kWrongShape);
}

// A refusal proves nothing if the backend refuses the neighbour too, which is the same operator without its fault.
TEST(Judge, ARefusalCountsOnlyBesideAComputedNeighbour) {
  SuiteCase invalid = TestCaseOf(kZeroStride);
  EXPECT_EQ(JudgeOn("fault:refuses_everything", invalid).verdict.status, Status::kPass);
  invalid.neighbour = invalid.test_case.op;
  invalid.neighbour->strides = oracle::Dims(invalid.test_case.op.strides->size(), 1);
  const CaseResult judged = JudgeOn("kernel", invalid);
  EXPECT_EQ(judged.verdict.status, Status::kPass) << judged.verdict.message;
  EXPECT_TRUE(judged.answer.refused);
  const CaseResult proves_nothing = JudgeOn("fault:refuses_everything", invalid);
  EXPECT_EQ(proves_nothing.verdict.status, Status::kNotJudged);
  EXPECT_FALSE(proves_nothing.answer.refused);
  EXPECT_THAT(proves_nothing.verdict.message, HasSubstr("does not compute the valid neighbour either"));
}

TEST(Judge, NamesTheFirstWrongCoordinate) {
  const CaseResult result = JudgeOn("fault:same_upper_lower_exchanged", TestCaseOf(kSameUpper));
  ASSERT_TRUE(result.outputs.first_wrong.has_value());
  EXPECT_EQ(result.outputs.first_wrong->coordinate, (oracle::Dims{0, 0, 0}));
  EXPECT_THAT(result.verdict.message, HasSubstr("output [0,0,0]: expected "));
  EXPECT_GT(result.outputs.wrong, 1);
}

TEST(Judge, FailsACaseWhoseFileDeclaresAnotherOutput) {
  SuiteCase suite_case = TestCaseOf(kGaps);
  suite_case.declared_output = {1, 1, 8};
  const CaseResult result = JudgeOn("kernel", suite_case);
  EXPECT_EQ(result.verdict.failure, FailureClass::kWrongDeclaredOutput);
  EXPECT_THAT(result.verdict.message, HasSubstr("declares the output dimensions [1,1,8], the dialect gives [1,1,7]"));
}

TEST(Judge, DoesNotRunACaseThatNeedsTooMuchMemory) {
  const CaseResult result =
      JudgeOn("kernel", TestCaseOf("ConvolutionBackpropData:data=1,1,99999999999:filter=1,1,3:strides=2:"
                                   "pads_begin=0:pads_end=0:dilations=1"));
  EXPECT_EQ(result.verdict.status, Status::kTooLarge);
  EXPECT_THAT(result.verdict.message, HasSubstr("GiB"));
}

TEST(Judge, ABackendThatDiesOrHangsLosesOneCase) {
  JudgeLimits limits;
  limits.base_seconds = 2;
  const std::vector<SuiteCase> case_list = {TestCaseOf(kPlain),         TestCaseOf(kGroups),
                                            TestCaseOf(kGaps),          TestCaseOf(kZeroStride),
                                            TestCaseOf(kOutputPadding), TestCaseOf(kSameUpper)};
  for (const char* backend : {"fault:crashes_sometimes?every=2", "fault:hangs_sometimes?every=2"}) {
    const auto run = RunCases(case_list, {.backend = backend, .jobs = 2, .limits = limits});
    ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
    const auto& record = std::get<RunRecord>(run);
    ASSERT_EQ(record.results.size(), case_list.size());
    std::size_t failed = 0;
    for (const CaseResult& result : record.results) {
      EXPECT_EQ(result.id(), "test/case");
      const bool crashes = std::string(backend).starts_with("fault:crashes");
      const auto expected = crashes ? FailureClass::kCrash : FailureClass::kHang;
      if (result.verdict.status == Status::kFail) {
        EXPECT_EQ(result.verdict.failure, expected) << result.verdict.message;
        ++failed;
      }
    }
    EXPECT_GT(failed, 0u) << backend;
    EXPECT_LT(failed, case_list.size()) << backend;
  }
}

TEST(Runner, RefusalsAloneProveNothing) {
  const auto run = RunCases({TestCaseOf(kZeroStride)}, {.backend = "fault:refuses_everything"});
  ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
  EXPECT_EQ(TallyOf(std::get<RunRecord>(run)).passed, 1u);
  EXPECT_EQ(TallyOf(std::get<RunRecord>(run)).answers, 0u);
}

TEST(Judge, DemandBeyond64BitsIsTooLarge) {
  const CaseResult result = JudgeOn(
      "kernel",
      TestCaseOf("ConvolutionBackpropData:data=1,1,1024819115206086201:filter=1,1,1:type=i8:strides=1:dilations=1"));
  EXPECT_EQ(result.verdict.status, Status::kTooLarge) << result.verdict.message;
}

TEST(Judge, KernelAndOracleAgreeWherePadsLeaveTheRange) {
  const CaseResult result = JudgeOn(
      "kernel", TestCaseOf("ConvolutionBackwardData:data=1,1,8:filter=1,1,1:strides=1:dilations=1:pads_begin="
                           "9223372036854775803:pads_end=0:dst_shape=1,1,8:data_format=NCX:weights_format=OIX"));
  EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
}

TEST(Runner, KeepsTheOrderOfTheCaseListAndReportsEachCaseOnce) {
  std::vector<SuiteCase> case_list;
  for (const char* line : {kGaps, kPlain, kGroups, kZeroStride, kSameUpper}) {
    case_list.push_back(TestCaseOf(line));
    case_list.back().name = std::to_string(case_list.size());
  }
  std::size_t calls = 0;
  const auto run = RunCases(case_list, {.backend = "kernel", .jobs = 2},
                            {.on_result = [&](const CaseResult&, std::size_t done) { EXPECT_EQ(done, ++calls); }});
  ASSERT_TRUE(std::holds_alternative<RunRecord>(run));
  const auto& record = std::get<RunRecord>(run);
  EXPECT_EQ(calls, case_list.size());
  for (std::size_t i = 0; i < case_list.size(); ++i) EXPECT_EQ(record.results[i].origin.name, case_list[i].name);
  EXPECT_EQ(TallyOf(record).passed, case_list.size());
}

TEST(Runner, AnUnknownBackendIsAUsageError) {
  const auto run = RunCases({TestCaseOf(kPlain)}, {.backend = "kernal"});
  ASSERT_TRUE(std::holds_alternative<BackendError>(run));
  EXPECT_TRUE(std::get<BackendError>(run).usage);
  EXPECT_THAT(std::get<BackendError>(run).message, HasSubstr("kernel"));
}

TEST(Work, OfACaseAboveTheLimitIsTooMuch) {
  const SuiteCase suite_case =
      TestCaseOf("ConvolutionBackpropData:data=1,2,5:filter=2,3,4:strides=2:pads_begin=0:pads_end=0:dilations=1");
  // The work is 10 data elements times 3 * 4 taps, plus one step for each of 10 data elements, 24 filter elements and
  // 36 outputs.
  const double work = 120 + 10 + 24 + 36;
  for (const double limit : {work, work - 1}) {
    JudgeLimits limits;
    limits.most_work = limit;
    Judge judge("kernel", limits);
    ASSERT_FALSE(judge.Start());
    const CaseResult result = judge.JudgeCase(suite_case);
    EXPECT_EQ(result.verdict.status, limit < work ? Status::kTooLarge : Status::kPass);
    if (limit < work) {
      EXPECT_EQ(result.verdict.message,
                "the case needs 190 steps of work, the run may use 189; raise --work to run it");
    }
  }
}

TEST(Work, OfASweepIsLimitedToo) {
  const SuiteCase sweep = TestCaseOf("sweep:of=pairs:bounds=small:operator=ConvolutionBackpropData:type=i64:kernel=3");
  JudgeLimits limits;
  limits.most_work = 1000;
  Judge judge("kernel", limits);
  ASSERT_FALSE(judge.Start());
  EXPECT_EQ(judge.JudgeCase(sweep).verdict.status, Status::kTooLarge);
}

TEST(Work, OfEveryCaseOfTheSuitesIsFarBelowTheLimit) {
  double largest = 0;
  for (const Suite& suite : Suites()) {
    const auto cases = SuiteCases(suite.name, Level::kFull, 0);
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      largest = std::max(largest, EstimateResources(suite_case.test_case).products);
    }
  }
  EXPECT_GT(largest, 1e9);
  EXPECT_LT(largest, JudgeLimits{}.most_work / 20);
}

}  // namespace
}  // namespace conformance
