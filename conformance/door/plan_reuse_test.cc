// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a backend with plans is run through them, and that a plan that keeps too much is caught.

#include "conformance/door/plan_reuse.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/judge/judge.h"
#include "conformance/testing/test_cases.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::HasSubstr;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=2,2,4:filter=2,3,3:strides=2:pads_begin=1:pads_end=0:dilations=1";

CaseResult JudgeDeviating(const std::string& deviation, bool& plans) {
  Judge judge(std::string(DECONV_DEVIATING_BACKEND) + "?" + deviation, {});
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  plans = judge.capabilities().plans;
  return judge.JudgeCase(TestCaseOf(kPlain));
}

TEST(PlanReuseTest, RightPlansPass) {
  for (const char* deviation : {"plan-right", "plan-refused"}) {
    bool plans = false;
    const CaseResult result = JudgeDeviating(deviation, plans);
    EXPECT_TRUE(plans);
    EXPECT_EQ(result.status, Status::kPass) << deviation << ": " << result.message;
  }
}

TEST(PlanReuseTest, ADoorWithoutPlansIsRunWithout) {
  for (const char* deviation : {"plain", "old-door"}) {
    bool plans = true;
    EXPECT_EQ(JudgeDeviating(deviation, plans).status, Status::kPass);
    EXPECT_FALSE(plans) << deviation;
  }
}

TEST(PlanReuseTest, WhatAPlanKeepsIsCaught) {
  bool plans = false;
  CaseResult result = JudgeDeviating("plan-keeps-sizes", plans);
  EXPECT_EQ(FailureClassNameOf(result.failure), "wrong-shape") << result.message;

  result = JudgeDeviating("plan-keeps-filter", plans);
  EXPECT_EQ(FailureClassNameOf(result.failure), "wrong-value") << result.message;
  EXPECT_THAT(result.message,
              HasSubstr("the first run was right, the second run, through a plan made for other sizes"));

  result = JudgeDeviating("plan-missing", plans);
  EXPECT_EQ(FailureClassNameOf(result.failure), "protocol");
  EXPECT_THAT(result.message, HasSubstr("plan() returned computed, but wrote no plan"));
}

TEST(PlanReuseTest, AShapeOfASiblingFitsItsType) {
  const Case shaped = TestCaseOf(
                          "ConvolutionBackpropData:data=1,1,63:filter=1,1,3:output_shape=127:output_shape_type=i8:"
                          "strides=2:pads_begin=0:pads_end=0:dilations=1")
                          .test_case;
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  const oracle::Operator sibling = SiblingOf(shaped.op, shaped.EffectiveDialect(), oracle->capabilities());
  EXPECT_NE(sibling, shaped.op);
  EXPECT_TRUE(sibling.output_shape->HoldsItsValues());
}

TEST(PlanReuseTest, SiblingsAreValidAndHaveOtherSizes) {
  const std::unique_ptr<Backend> oracle = std::get<0>(OpenBackend("oracle"));
  for (const char* line :
       {kPlain, "GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=2",
        "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:strides=2:auto_pad=same_upper",
        "ConvolutionBackwardData:data=1,3,2:filter=3,1,2:strides=1:dilations=1:pads_begin=0:pads_end=0:dst_shape=1,5,1",
        ("ConvolutionBackwardData:data=1,2,3:filter=2,1,3:strides=1:dilations=1:pads_begin=0:pads_end=0:"
         "output_shape=1,1,5:data_format=NCX:weights_format=OIX:dialect=onednn-runtime"),
        "ConvTranspose:data=1,2,3:filter=2,1,3:strides=2:output_shape_attribute=7:dialect=onnxruntime"}) {
    const Case test_case = TestCaseOf(line).test_case;
    const oracle::Dialect dialect = test_case.EffectiveDialect();
    const oracle::Operator sibling = SiblingOf(test_case.op, dialect, oracle->capabilities());
    EXPECT_TRUE(oracle::Resolve(sibling, dialect).ok()) << line;
    // One more in the batch and along each spatial axis.
    const auto sum = [](const oracle::Dims& dims) {
      return std::accumulate(dims.begin(), dims.end(), std::int64_t{0});
    };
    EXPECT_EQ(sum(sibling.data.dims) - sum(test_case.op.data.dims),
              static_cast<std::int64_t>(sibling.data.dims.size()) - 1)
        << line;
    EXPECT_EQ(sibling.data.dims.front(), test_case.op.data.dims.front() + 1) << line;
    EXPECT_EQ(sibling.filter, test_case.op.filter) << line;
  }
}

}  // namespace
}  // namespace conformance
