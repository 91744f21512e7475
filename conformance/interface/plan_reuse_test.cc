// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the suite uses the plans (prepared operators) of a backend that offers them. Mutants are backends that are
// wrong on purpose: a mutant whose plan keeps state from an earlier run must fail.

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/interface/related_operators.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/judge.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::HasSubstr;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=2,2,4:filter=2,3,3:strides=2:pads_begin=1:pads_end=0:dilations=1";

/// Judges one case line on a mutant, and sets `plans` to whether the mutant offers plans.
CaseResult JudgeMutant(const std::string& mutant, bool& plans, const std::string& line = kPlain) {
  Judge judge("fault:" + mutant, {});
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  plans = judge.capabilities().plans;
  return judge.JudgeCase(TestCaseOf(line));
}

// none_plans offers correct plans. plan_refused offers plans, but declines to make any.
TEST(PlanReuseTest, RightPlansPass) {
  for (const char* mutant : {"none_plans", "plan_refused"}) {
    bool plans = false;
    const CaseResult result = JudgeMutant(mutant, plans);
    EXPECT_TRUE(plans);
    EXPECT_EQ(result.verdict.status, Status::kPass) << mutant << ": " << result.verdict.message;
  }
}

// "none" offers no plans. interface_old was compiled against the first version of the header, which has no plans.
TEST(PlanReuseTest, ABackendWithoutPlansIsRunWithoutThem) {
  for (const char* mutant : {"none", "interface_old"}) {
    bool plans = true;
    EXPECT_EQ(JudgeMutant(mutant, plans).verdict.status, Status::kPass);
    EXPECT_FALSE(plans) << mutant;
  }
}

/// Judges operators of several sizes, whose plans go through different scenarios (PlanScenario). Returns the first
/// failure, or the last result if no operator fails.
CaseResult FirstFailure(const std::string& mutant) {
  CaseResult result;
  for (int width = 4; width < 12; ++width) {
    bool plans = false;
    std::string line = kPlain;
    line.replace(line.find("2,2,4"), 5, fmt::format("2,2,{}", width));
    result = JudgeMutant(mutant, plans, line);
    EXPECT_TRUE(plans);
    if (result.verdict.status == Status::kFail) break;
  }
  return result;
}

TEST(PlanReuseTest, PlansThatKeepStateOrAreMissingFail) {
  CaseResult result = FirstFailure("plan_keeps_dims");
  EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "wrong-shape") << result.verdict.message;

  result = FirstFailure("plan_keeps_filter");
  EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "wrong-value") << result.verdict.message;
  EXPECT_THAT(result.verdict.message,
              HasSubstr("the first run was right, the second run, through a plan that had run before"));
  EXPECT_THAT(result.verdict.facts.only_in, HasSubstr("the second run, through a plan that had run before"));

  result = FirstFailure("plan_missing");
  EXPECT_EQ(FailureClassNameOf(result.verdict.failure), "protocol");
  EXPECT_THAT(result.verdict.message, HasSubstr("plan() returned computed, but wrote no plan"));
}

TEST(PlanReuseTest, AShapeOfASiblingFitsItsType) {
  const Case shaped = TestCaseOf(
                          "ConvolutionBackpropData:data=1,1,63:filter=1,1,3:output_shape=127:output_shape_type=i8:"
                          "strides=2:pads_begin=0:pads_end=0:dilations=1")
                          .test_case;
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  for (const Sibling kind : {Sibling::kLarger, Sibling::kSmaller, Sibling::kOtherTotal}) {
    const auto sibling = SiblingOf(shaped.op, kind, shaped.EffectiveDialect(), oracle->capabilities());
    if (sibling) EXPECT_TRUE(sibling->output_shape->CanRepresentValues());
  }
  // With one more data element, the output size would be 129, beyond i8. The larger sibling has only one more sample.
  EXPECT_TRUE(SiblingOf(shaped.op, Sibling::kLarger, shaped.EffectiveDialect(), oracle->capabilities()));
}

constexpr const char* kBackwardData =
    "ConvolutionBackwardData:data=2,3,2:filter=3,1,2:strides=1:dilations=1:pads_begin=0:pads_end=0:dst_shape=2,5,1";
constexpr const char* kBackwardDataOfRuntime =
    "ConvolutionBackwardData:data=2,2,3:filter=2,1,3:strides=1:dilations=1:pads_begin=0:pads_end=0:"
    "output_shape=2,1,5:data_format=NCX:weights_format=OIX:dialect=onednn-runtime";

// One operator of each kind. kLines[2] and kLines[5] have an output shape that may change by one.
const std::vector<const char*> kLines = {
    kPlain,
    "GroupConvolutionBackpropData:data=2,6,4:filter=2,3,2,3:strides=2",
    "ConvolutionBackpropData:data=2,1,3:filter=1,1,3:output_shape=6:strides=2:auto_pad=same_upper",
    kBackwardData,
    kBackwardDataOfRuntime,
    "ConvTranspose:data=2,2,3:filter=2,1,3:strides=2:output_shape_attribute=6:dialect=onnxruntime"};

TEST(PlanReuseTest, SiblingsAreValidAndHaveOtherSizes) {
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  const auto sum = [](const oracle::Dims& dims) { return std::accumulate(dims.begin(), dims.end(), std::int64_t{0}); };
  for (const char* line : kLines) {
    const Case test_case = TestCaseOf(line).test_case;
    const oracle::Dialect dialect = test_case.EffectiveDialect();
    for (const auto& [kind, change] : {std::pair{Sibling::kLarger, 1}, {Sibling::kSmaller, -1}}) {
      const auto sibling = SiblingOf(test_case.op, kind, dialect, oracle->capabilities());
      ASSERT_TRUE(sibling.has_value()) << line;
      EXPECT_TRUE(oracle::Resolve(*sibling, dialect).ok()) << line;
      // One sample, and one element along each spatial axis.
      EXPECT_EQ(sum(sibling->data.dims) - sum(test_case.op.data.dims),
                change * (static_cast<std::int64_t>(sibling->data.dims.size()) - 1))
          << line;
      EXPECT_EQ(sibling->data.dims.front(), test_case.op.data.dims.front() + change) << line;
      EXPECT_EQ(sibling->filter, test_case.op.filter) << line;
    }
  }
}

TEST(PlanReuseTest, AnotherOutputShapeChangesTheTotalPadding) {
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  for (const char* line : {kLines[2], kLines[5]}) {
    const Case test_case = TestCaseOf(line).test_case;
    const oracle::Dialect dialect = test_case.EffectiveDialect();
    const auto sibling = SiblingOf(test_case.op, Sibling::kOtherTotal, dialect, oracle->capabilities());
    ASSERT_TRUE(sibling.has_value()) << line;
    EXPECT_EQ(sibling->data, test_case.op.data) << line;
    EXPECT_NE(oracle::Resolve(*sibling, dialect).geometry->OutputDims(),
              oracle::Resolve(test_case.op, dialect).geometry->OutputDims())
        << line;
  }
  const Case plain = TestCaseOf(kPlain).test_case;
  EXPECT_FALSE(SiblingOf(plain.op, Sibling::kOtherTotal, plain.EffectiveDialect(), oracle->capabilities()).has_value());
}

TEST(PlanReuseTest, AnOperatorOfOneElementHasNoSmallerSibling) {
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  const Case one = TestCaseOf("ConvolutionBackpropData:data=1,1,1:filter=1,1,3:strides=1").test_case;
  EXPECT_FALSE(SiblingOf(one.op, Sibling::kSmaller, one.EffectiveDialect(), oracle->capabilities()).has_value());
  EXPECT_TRUE(SiblingOf(one.op, Sibling::kLarger, one.EffectiveDialect(), oracle->capabilities()).has_value());
}

TEST(RelativesTest, DifferInOneAttributeAndAreValid) {
  const oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
  const auto relatives = [&](const char* attributes) {
    const std::string line =
        std::string("ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=1:pads_end=0") + attributes;
    return RelatedOperatorsOf(TestCaseOf(line).test_case.op, dialect);
  };
  // Strides, dilations, pads_begin, both pads exchanged, batch, type.
  EXPECT_EQ(relatives(":dilations=1:pads_begin=1").size(), 6u);
  EXPECT_EQ(relatives(":dilations=1:pads_begin=0").size(), 5u) << "equal pads cannot be exchanged";
  EXPECT_EQ(relatives(":dilations=9223372036854775807:pads_begin=1").size(), 5u) << "the dilation cannot grow";
}

TEST(PlanReuseTest, PlansGoThroughEachScenario) {
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  const oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
  int made_for_itself = 0, larger = 0, smaller = 0, other_total = 0, in_turn = 0, with_rival = 0;
  for (int width = 3; width < 103; ++width) {
    const std::string line =
        fmt::format("ConvolutionBackpropData:data=2,1,{}:filter=1,1,3:output_shape={}:strides=2:auto_pad=same_upper",
                    width, 2 * width);
    const oracle::Operator op = TestCaseOf(line).test_case.op;
    const PlanScenario scenario = PlanScenarioOf(op, dialect, oracle->capabilities());
    ASSERT_FALSE(scenario.runs.empty());
    const std::int64_t batch = scenario.made_for.data.dims.front();
    if (scenario.rival) {
      ++with_rival;
      EXPECT_EQ(scenario.made_for, op);
      EXPECT_NE(*scenario.rival, op);
      EXPECT_TRUE(oracle::Resolve(*scenario.rival, dialect).ok());
    } else if (scenario.made_for == op) {
      ++made_for_itself;
      EXPECT_EQ(scenario.runs.front(), op);
      EXPECT_NE(scenario.runs.back(), op)
          << "the plan must run a sibling between the first run of op and the judged one";
    } else if (scenario.runs.size() > 1) {
      ++in_turn;
    } else if (batch != 2) {
      ++(batch > 2 ? larger : smaller);
    } else {
      ++other_total;
    }
  }
  // A hash chooses one of six scenarios for each of the 100 operators: about 17 times each.
  for (const int count : {made_for_itself, larger, smaller, other_total, in_turn, with_rival}) EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace conformance
