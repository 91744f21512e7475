// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that every law (a relation between the outputs of related operators) holds on right backends. A mutant, which
// is a backend with a planted fault, must break it. The generated cases of a law are valid operators to which the law
// applies, and the same seed gives the same case.

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/operator_draft.h"
#include "conformance/cli/explain.h"
#include "conformance/run/runner.h"
#include "conformance/suite/suite_properties.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/properties/check.h"

namespace conformance {
namespace {

using testing::HasSubstr;

std::vector<SuiteCase> CasesOf(Law law, Level level) {
  auto cases = std::get<std::vector<SuiteCase>>(SuiteCases("properties", level, 0));
  std::erase_if(cases, [law](const SuiteCase& suite_case) { return suite_case.test_case.law != law; });
  return cases;
}

std::vector<CaseResult> ResultsOf(const std::string& backend, const std::vector<SuiteCase>& suite_case) {
  auto run = RunCases(suite_case, {.backend = backend, .jobs = 2});
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::move(std::get<RunRecord>(run).results);
}

CaseResult ResultOf(const std::string& backend, const std::string& line, const JudgeLimits& limits = {}) {
  Judge judge(backend, limits);
  if (const auto error = judge.Start()) ADD_FAILURE() << error->message;
  return judge.JudgeCase(TestCaseOf(line));
}

/// A backend that can do everything.
Capabilities Everything() {
  Capabilities declared;
  declared.dialects.assign(oracle::kDialects.begin(), oracle::kDialects.end());
  declared.operators = declared.element_types = ~0U;
  declared.max_rank = DECONV_BACKEND_MAX_RANK;
  return declared;
}

/// A law, and a backend with a fault that breaks it.
struct LawAndFault {
  Law law;
  const char* fault;
};

class EachLaw : public testing::TestWithParam<LawAndFault> {};

TEST_P(EachLaw, HoldsOnBackendsThatAreRight) {
  for (const auto& [backend, level] :
       {std::pair{"kernel", Level::kGate}, {"oracle", Level::kSmoke}, {"fault:none", Level::kGate}}) {
    for (const CaseResult& result : ResultsOf(backend, CasesOf(GetParam().law, level))) {
      EXPECT_EQ(result.verdict.status, Status::kPass)
          << backend << " " << result.judged.line << ": " << result.verdict.message;
      EXPECT_EQ(result.outputs.wrong, 0);
    }
  }
}

TEST_P(EachLaw, IsBrokenByAPlantedFault) {
  std::size_t broken = 0;
  for (const CaseResult& result : ResultsOf(GetParam().fault, CasesOf(GetParam().law, Level::kGate))) {
    if (result.verdict.failure != FailureClass::kBrokenLaw) continue;
    ++broken;
    EXPECT_THAT(result.verdict.message, HasSubstr("law " + std::string(NameOf(GetParam().law)) + ": "));
  }
  EXPECT_GT(broken, 0U) << GetParam().fault;
}

TEST_P(EachLaw, HasCasesThatAreValidAndOfUse) {
  const Capabilities everything = Everything();
  std::size_t cases = 0;
  // Skip the largest cases: they follow the same rules and take longer.
  for (const SuiteCase& suite_case : CasesOf(GetParam().law, Level::kFull)) {
    if (MultiplyAdds(suite_case.test_case.op) > 1e7) continue;
    ++cases;
    EXPECT_EQ(
        properties::ReasonNotApplicable(suite_case.test_case, suite_case.test_case.EffectiveDialect(), everything), "")
        << ToLine(suite_case.test_case);
  }
  EXPECT_GT(cases, 10U);
}

INSTANTIATE_TEST_SUITE_P(All, EachLaw,
                         testing::Values(LawAndFault{Law::kAdjoint, "fault:filter_flipped"},
                                         LawAndFault{Law::kLinearData, "fault:adds_to_output"},
                                         LawAndFault{Law::kLinearFilter, "fault:keeps_filter"},
                                         LawAndFault{Law::kPowerOfTwo, "fault:keeps_filter"},
                                         LawAndFault{Law::kInputChannelSum, "fault:channel_tail_dropped"},
                                         LawAndFault{Law::kShift, "fault:last_tap_dropped"},
                                         LawAndFault{Law::kCrop, "fault:depth_pad_of_height"},
                                         LawAndFault{Law::kLongerOutput, "fault:output_padding_at_begin"},
                                         LawAndFault{Law::kReversal, "fault:last_tap_dropped"},
                                         LawAndFault{Law::kStrideZeros, "fault:stride_of_first_axis"},
                                         LawAndFault{Law::kDilationZeros, "fault:dilation_ignored_in_values"},
                                         LawAndFault{Law::kAxisOrder, "fault:depth_pad_of_height"},
                                         LawAndFault{Law::kRank, "fault:depth_pad_of_height"},
                                         LawAndFault{Law::kLayout, "fault:nxc_taken_for_ncx"},
                                         LawAndFault{Law::kBatchSplit, "fault:first_batch_only"},
                                         LawAndFault{Law::kBatchOrder, "fault:first_batch_only"},
                                         LawAndFault{Law::kChannelOrder, "fault:channel_tail_dropped"},
                                         LawAndFault{Law::kOutputChannelSplit, "fault:output_channels_interleaved"},
                                         LawAndFault{Law::kGroupSplit, "fault:filter_groups_reversed"},
                                         LawAndFault{Law::kGroupZeros, "fault:filter_of_first_group"},
                                         LawAndFault{Law::kEqualAttributes, "fault:output_padding_zero"}),
                         [](const auto& parameter) {
                           std::string name(NameOf(parameter.param.law));
                           std::erase(name, '-');
                           return name;
                         });

TEST(LawCases, AreTheSameForTheSameSeedAndOthersForOthers) {
  const auto generate = [](std::uint64_t seed) {
    return GenerateLawCase(Law::kCrop, oracle::OperatorKind::kConvTranspose, oracle::Dialect::kOnnx11, seed, {});
  };
  EXPECT_EQ(generate(5), generate(5));
  EXPECT_NE(generate(5).op, generate(6).op);
}

TEST(LawCases, GrowWithTheirSize) {
  const auto largest = [](int size) {
    std::int64_t most = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Case generated = GenerateLawCase(Law::kShift, oracle::OperatorKind::kConvolutionBackpropData,
                                             oracle::Dialect::kOpenvinoSpec, seed, {.size = size, .products = 1e6});
      most = std::max(most, std::ranges::max(generated.op.data.dims));
    }
    return most;
  };
  EXPECT_LT(largest(10), largest(100));
}

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,2,5,4:filter=2,3,3,2:strides=2,3:pads_begin=1,0:pads_end=0,1:dilations=1,2";

TEST(JudgeLaw, NamesLawCoordinateAndRelatedOperator) {
  const CaseResult result = ResultOf("fault:depth_pad_of_height",
                                     "ConvolutionBackpropData:data=1,1,3,3,3:filter=1,1,3,3,3"
                                     ":strides=1,1,1:pads_begin=1,0,0:pads_end=0,0,0:dilations=1,1,1:law=crop");
  EXPECT_EQ(result.verdict.failure, FailureClass::kBrokenLaw);
  EXPECT_THAT(result.verdict.message, HasSubstr("law crop: output [0,0,"));
  EXPECT_THAT(result.verdict.message, HasSubstr("related operator ConvolutionBackpropData:data=1,1,3,3,3:"));
  ASSERT_TRUE(result.outputs.first_wrong.has_value());
  EXPECT_EQ(result.outputs.first_wrong->coordinate.size(), 5U);
  EXPECT_GT(result.outputs.wrong, 0);
}

TEST(JudgeLaw, OtherFailuresKeepTheirClasses) {
  const std::string line = std::string(kPlain) + ":law=batch-split";
  const std::string two =
      "ConvolutionBackpropData:data=2,2,5:filter=2,3,3:strides=2:pads_begin=0:pads_end=0:dilations=1:law=batch-split";
  EXPECT_EQ(ResultOf("fault:refuses_everything", two).verdict.failure, FailureClass::kWrongRefusal);
  EXPECT_EQ(ResultOf("fault:writes_past_end", two).verdict.failure, FailureClass::kCrash);
  EXPECT_EQ(ResultOf("fault:modifies_data", two).verdict.failure, FailureClass::kModifiedInput);
  EXPECT_EQ(ResultOf("fault:output_size_off_by_one", two).verdict.failure, FailureClass::kWrongShape);
  // An open operator may be refused: then its law says nothing.
  const std::string open = "ConvolutionBackpropData:data=2,2,5:filter=2,3,3:law=batch-split";
  EXPECT_EQ(ResultOf("fault:refuses_everything", open).verdict.status, Status::kInapplicable);
  // One sample: the law says nothing of it, and so the run says nothing of the backend.
  const CaseResult result = ResultOf("kernel", line);
  EXPECT_EQ(result.verdict.status, Status::kInapplicable);
  EXPECT_THAT(result.verdict.message, HasSubstr("one sample has no parts"));
}

TEST(JudgeLaw, SumsThatMayRoundAreNotCompared) {
  const CaseResult result =
      ResultOf("kernel", "ConvolutionBackpropData:data=1,100,5:filter=100,1,3:type=bf16:strides=1:law=shift");
  EXPECT_EQ(result.verdict.status, Status::kInapplicable);
  EXPECT_THAT(result.verdict.message, HasSubstr("may be inexact in bf16"));
}

TEST(JudgeLaw, FindsTheSmallestCase) {
  JudgeLimits limits;
  limits.minimize_seconds = 60;
  const CaseResult result = ResultOf("fault:first_batch_only",
                                     "ConvolutionBackpropData:data=4,3,5,6:filter=3,2,3,2:strides=2,2"
                                     ":pads_begin=1,0:pads_end=0,1:dilations=1,2:seed=3:law=batch-order",
                                     limits);
  EXPECT_EQ(result.verdict.failure, FailureClass::kBrokenLaw);
  EXPECT_THAT(result.verdict.message,
              testing::EndsWith("; smallest case: ConvolutionBackpropData:data=2,1,1:filter=1,1,1:strides=1"
                                ":dilations=1:pads_begin=0:pads_end=0:seed=3:law=batch-order"));
}

TEST(JudgeLaw, ExplainSaysWhatTheLawIs) {
  const auto parsed = ParseCaseLine(std::string(kPlain) + ":law=crop");
  EXPECT_THAT(Explain(std::get<Case>(parsed)), HasSubstr("law crop: The output is a window"));
}

}  // namespace
}  // namespace conformance
