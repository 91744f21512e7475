// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests backends that say which operators they support, backends that take resolved geometry (sizes and pads instead of
// attributes), and backends whose function supports() gives wrong answers. A backend `fault:NAME` computes right except
// for the named fault or limit: fault:limited, for example, supports only operators with one group, no dilation and
// equal pads.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/serve_process.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,2,5,4:filter=2,3,3,2:strides=2,3:dilations=1,1:pads_begin=0,0:pads_end=0,0";
constexpr const char* kGrouped =
    "GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=2:dilations=1:pads_begin=0:pads_end=0";
constexpr const char* kDilated =
    "ConvolutionBackpropData:data=1,2,5:filter=2,3,3:strides=1:dilations=2:pads_begin=0:pads_end=0";
constexpr const char* kCropped =
    "ConvolutionBackpropData:data=1,1,5:filter=1,1,3:strides=1:dilations=1:pads_begin=1:pads_end=1";
constexpr const char* kZeroStride = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:dilations=1";
constexpr const char* kZeroStrideGrouped =
    "GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=0:dilations=1";
// As a 32-bit int this stride is 0. So a faulty backend adds all data elements to one output.
constexpr const char* kFar =
    "ConvTranspose:data=1,1,3,1:filter=1,1,1,1:strides=4294967296,1:pads_begin=4294967295,0:pads_end=4294967295,0";

CaseResult JudgeOn(const std::string& backend, const SuiteCase& suite_case) {
  JudgeLimits limits;
  limits.base_seconds = 1;
  Judge judge(backend, limits);
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return judge.JudgeCase(suite_case);
}

CaseResult JudgeOn(const std::string& backend, const std::string& line) { return JudgeOn(backend, TestCaseOf(line)); }

/// An invalid grouped operator with its valid neighbour.
SuiteCase InvalidGrouped() {
  SuiteCase invalid = TestCaseOf(kZeroStrideGrouped);
  invalid.neighbour = TestCaseOf(kGrouped).test_case.op;
  return invalid;
}

TEST(Supports, WhatABackendDoesNotSupportIsNotRun) {
  // The backend aborts if it is asked to run a grouped operator.
  for (const std::string& backend : {std::string("fault:limited"), ServedBackendName("fault:limited")}) {
    EXPECT_EQ(JudgeOn(backend, kPlain).verdict.status, Status::kPass);
    const CaseResult grouped = JudgeOn(backend, kGrouped);
    EXPECT_EQ(grouped.verdict.status, Status::kUnsupported) << grouped.verdict.message;
    EXPECT_EQ(grouped.verdict.message, "only one group");
    EXPECT_EQ(JudgeOn(backend, kZeroStride).verdict.status, Status::kPass)
        << "an invalid operator is sent without a question";
  }
}

TEST(Supports, TheNeighbourOfAnInvalidOperatorIsAsked) {
  const CaseResult result = JudgeOn("fault:limited", InvalidGrouped());
  EXPECT_EQ(result.verdict.status, Status::kUnsupported) << result.verdict.message;
  EXPECT_EQ(result.verdict.message, "of the valid neighbour: only one group");
  EXPECT_EQ(JudgeOn("oracle", InvalidGrouped()).verdict.status, Status::kPass);
}

// The DECONV_LIMITED_FUNCTION_... are three libraries of one function, which has no dilations, groups or empty tensors
// (testing/libraries/limited_function.c). They declare these limits, give some of them as reasons, or declare none.
TEST(Supports, AFunctionMayDeclareItsLimits) {
  const std::string empty = "ConvTranspose:data=0,1,2,2:filter=1,1,1,1";
  const std::string dilated = "ConvTranspose:data=1,1,2,2:filter=1,1,2,2:dilations=2,2";
  const std::string declares = DECONV_LIMITED_FUNCTION_EVERYTHING;
  EXPECT_EQ(JudgeOn(declares, kPlain).verdict.status, Status::kPass);
  for (const std::string& line : {std::string(kFar), empty, dilated}) {
    EXPECT_EQ(JudgeOn(declares, line).verdict.status, Status::kUndeclared) << line;
  }
  const CaseResult reason = JudgeOn(DECONV_LIMITED_FUNCTION_REASON, dilated);
  EXPECT_EQ(reason.verdict.status, Status::kUnsupported);
  EXPECT_EQ(reason.verdict.message, "no dilations");
  EXPECT_EQ(JudgeOn(DECONV_LIMITED_FUNCTION_REASON, kPlain).verdict.status, Status::kPass);
}

TEST(Supports, AFunctionWithoutDeclaredLimitsIsToldWhatToDeclare) {
  const CaseResult rank = JudgeOn(DECONV_LIMITED_FUNCTION_NOTHING, "ConvTranspose:data=1,1,2:filter=1,1,2");
  EXPECT_EQ(rank.verdict.failure, FailureClass::kCannotDo);
  EXPECT_THAT(rank.verdict.message, AllOf(HasSubstr("returned DECONV_ANSWER_UNSUPPORTED (2) for an operator that the "
                                                    "description declares"),
                                          HasSubstr("`lacks`")));
  const CaseResult empty = JudgeOn(DECONV_LIMITED_FUNCTION_NOTHING, "ConvTranspose:data=0,1,2,2:filter=1,1,1,1");
  EXPECT_EQ(empty.verdict.failure, FailureClass::kError);
  EXPECT_THAT(empty.verdict.message, AllOf(HasSubstr("the function returned -1"), HasSubstr("an error is no refusal"),
                                           HasSubstr("DECONV_UNSUPPORTED_EMPTY_TENSORS")));
  EXPECT_EQ(JudgeOn(DECONV_LIMITED_FUNCTION_NOTHING, kFar).verdict.status, Status::kFail);
}

TEST(Supports, OpenPointsThatResolutionSettlesAreNoChoices) {
  const std::string absent = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:dilations=1:pads_begin=0:pads_end=0";
  EXPECT_THAT(JudgeOn("oracle", absent).answer.choices, testing::ElementsAre(OpenChoice{"A6", "absent strides", true}));
  const CaseResult resolved = JudgeOn("fault:resolved", absent);
  EXPECT_EQ(resolved.verdict.status, Status::kPass) << resolved.verdict.message;
  EXPECT_THAT(resolved.answer.choices, testing::IsEmpty()) << "the backend gets strides of 1";
  const std::string empty = "ConvTranspose:data=0,1,3:filter=1,1,3";
  EXPECT_THAT(JudgeOn("fault:resolved", empty).answer.choices,
              testing::ElementsAre(OpenChoice{"S8", "a batch of 0", true}));
}

TEST(Supports, AReasonMayBeAbsent) {
  const CaseResult result = JudgeOn("fault:supports_nothing", kPlain);
  EXPECT_EQ(result.verdict.status, Status::kUnsupported);
  EXPECT_EQ(result.verdict.message, "(the backend gave no reason)");
}

struct WrongAnswer {
  const char* fault;  ///< the backend is fault:FAULT
  FailureClass failure;
  const char* message;  ///< a part of the verdict's message
};

TEST(Supports, EachWrongAnswerIsTheVerdictOfItsCase) {
  for (const WrongAnswer& wrong :
       {WrongAnswer{"supports_crash", FailureClass::kCrash, "killed by Aborted"},
        WrongAnswer{"supports_hang", FailureClass::kHang, "no answer within"},
        WrongAnswer{"supports_5", FailureClass::kProtocol, "supports() returned 5, expected 0 or 1"},
        WrongAnswer{"supports_minus_1", FailureClass::kProtocol, "supports() returned -1, expected 0 or 1"},
        WrongAnswer{"supports_endless", FailureClass::kProtocol,
                    "a message without its terminating zero byte (in an answer of supports)"},
        WrongAnswer{"supports_lines", FailureClass::kProtocol, "a message of several lines"},
        WrongAnswer{"supports_socket", FailureClass::kProtocol, "that are no answer"},
        WrongAnswer{"unfaithful", FailureClass::kCannotDo,
                    "supports() said yes, and run() answered unsupported: no kernel for this shape"},
        WrongAnswer{
            "forgetful", FailureClass::kCannotDo,
            "supports() changed its mind: yes before run(), and no after run() had answered unsupported (no kernel for "
            "this shape); supports() now says: no memory is left"},
        WrongAnswer{"refuses_everything+supports_all", FailureClass::kWrongRefusal, "refused a valid operator"}}) {
    const CaseResult result = JudgeOn(std::string("fault:") + wrong.fault, kGrouped);
    EXPECT_EQ(result.verdict.status, Status::kFail) << wrong.fault;
    EXPECT_EQ(FailureClassNameOf(result.verdict.failure), FailureClassNameOf(wrong.failure))
        << wrong.fault << result.verdict.message;
    EXPECT_THAT(result.verdict.message, HasSubstr(wrong.message)) << wrong.fault;
  }
}

TEST(Supports, AWrongAnswerAboutANeighbourSaysSo) {
  for (const WrongAnswer& wrong : {WrongAnswer{"supports_crash", FailureClass::kCrash, "killed by Aborted"},
                                   WrongAnswer{"supports_5", FailureClass::kProtocol, "supports() returned 5"}}) {
    const CaseResult result = JudgeOn(std::string("fault:") + wrong.fault, InvalidGrouped());
    EXPECT_EQ(result.verdict.failure, wrong.failure) << result.verdict.message;
    EXPECT_THAT(
        result.verdict.message,
        AllOf(StartsWith("when asked whether it supports the valid neighbour GroupConv"), HasSubstr(wrong.message)));
  }
}

TEST(Supports, ANoInALaterRunIsAChangeOfMind) {
  for (const std::string& backend : {std::string("fault:fickle"), ServedBackendName("fault:fickle")}) {
    const CaseResult result = JudgeOn(backend, kPlain);
    EXPECT_EQ(result.verdict.failure, FailureClass::kNondeterministic) << result.verdict.message;
    EXPECT_EQ(result.verdict.message,
              "supports() changed its mind: yes before an earlier run of the case, and now no: not today");
  }
}

TEST(Supports, SweepsSkipWhatIsNotSupported) {
  const std::string line = "sweep:of=axes:bounds=small:operator=ConvolutionBackpropData:to=3000";
  for (const char* backend : {"fault:limited", "fault:declares_unsupported?bits=1"}) {
    const CaseResult result = JudgeOn(backend, line);
    EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
    EXPECT_GT(result.sweep.judged, 50) << backend;
    EXPECT_GT(result.sweep.skipped, 50) << backend;
    EXPECT_THAT(result.verdict.message, StartsWith("the backend does not support ")) << backend;
  }
  const std::string strided = line + ":stride=2";
  EXPECT_EQ(JudgeOn("fault:supports_nothing", strided).verdict.status, Status::kUnsupported);
  EXPECT_EQ(
      JudgeOn("fault:declares_unsupported?bits=" + std::to_string(DECONV_UNSUPPORTED_STRIDES), strided).verdict.status,
      Status::kUndeclared);
  EXPECT_EQ(JudgeOn("fault:unfaithful", line).verdict.failure, FailureClass::kCannotDo);
}

TEST(Supports, LawsSkipWhatIsNotSupported) {
  const CaseResult own = JudgeOn("fault:limited", std::string(kGrouped) + ":law=group-split");
  EXPECT_EQ(own.verdict.status, Status::kUnsupported) << own.verdict.message;
  EXPECT_EQ(own.verdict.message, "only one group");
  // The related operator has a longer output, so its pads differ.
  const CaseResult related = JudgeOn("fault:limited", std::string(kCropped) + ":law=longer-output");
  EXPECT_EQ(related.verdict.status, Status::kInapplicable) << related.verdict.message;
  EXPECT_THAT(related.verdict.message, HasSubstr("the backend does not support a related operator: only equal pads"));
}

TEST(Declarations, EachKindOfLackIsUndeclared) {
  const struct {
    unsigned bit;
    const char* line;
    const char* lack;
  } cases[] = {
      {DECONV_UNSUPPORTED_DILATIONS, kDilated, "a dilation above 1"},
      {DECONV_UNSUPPORTED_GROUPS, kGrouped, "more than one group"},
      {DECONV_UNSUPPORTED_ASYMMETRIC_PADS, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:pads_begin=1:pads_end=0",
       "pads that differ at the ends of an axis"},
      // The total of the specification is -1: same_upper leaves the odd element at the beginning.
      {DECONV_UNSUPPORTED_NEGATIVE_PADS,
       "ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=2:output_shape=6:auto_pad=same_lower",
       "a negative pad"},
      {DECONV_UNSUPPORTED_OUTPUT_PADDING, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:output_padding=1",
       "an output_padding that is not 0"},
      {DECONV_UNSUPPORTED_EMPTY_TENSORS, "ConvolutionBackpropData:data=0,1,3:filter=1,1,3", "an empty tensor"},
      {DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE, "ConvTranspose:data=1,1,3:filter=1,1,3:output_shape_attribute=4",
       "an output shape as an attribute"},
      {DECONV_UNSUPPORTED_SHAPE_INPUT, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=4",
       "an output shape as a tensor"},
      {DECONV_UNSUPPORTED_AUTO_PAD, "ConvTranspose:data=1,1,3:filter=1,1,3:auto_pad=SAME_UPPER",
       "an auto_pad that is not explicit"},
      {DECONV_UNSUPPORTED_STRIDES, kPlain, "a stride above 1"},
      {DECONV_UNSUPPORTED_NCX, kPlain, "channels before the spatial axes"},
      {DECONV_UNSUPPORTED_NXC,
       "ConvolutionBackwardData:data=1,3,2:filter=3,1,2:data_format=NXC:weights_format=XIO:strides=1:dilations=1:"
       "pads_begin=0:pads_end=0:dst_shape=1,5,1",
       "channels after the spatial axes"},
      {DECONV_UNSUPPORTED_OIX,
       "ConvolutionBackwardData:data=1,2,3:filter=2,1,3:data_format=NCX:weights_format=OIX:strides=1:dilations=1:"
       "pads_begin=0:pads_end=0:dst_shape=1,1,5",
       "a filter in OIX"},
      {DECONV_UNSUPPORTED_XIO,
       "ConvolutionBackwardData:data=1,3,2:filter=3,1,2:data_format=NXC:weights_format=XIO:strides=1:dilations=1:"
       "pads_begin=0:pads_end=0:dst_shape=1,5,1",
       "a filter in XIO"},
  };
  for (const auto& test : cases) {
    const CaseResult without = JudgeOn("fault:declares_unsupported?bits=" + std::to_string(test.bit), test.line);
    EXPECT_EQ(without.verdict.status, Status::kUndeclared) << test.line << ": " << without.verdict.message;
    EXPECT_EQ(without.verdict.message, std::string(test.lack) + " (declared unsupported)");
    EXPECT_NE(JudgeOn("oracle", test.line).verdict.status, Status::kFail) << test.line;
  }
}

TEST(Declarations, TheLargestAttributeCountsSizesAndPads) {
  EXPECT_EQ(JudgeOn("fault:declares_attribute?most=11", kPlain).verdict.status, Status::kPass);
  const CaseResult result = JudgeOn("fault:declares_attribute?most=10", kPlain);
  EXPECT_EQ(result.verdict.status, Status::kUndeclared);
  EXPECT_EQ(result.verdict.message, "an attribute of 11 (declared: up to 10)");
}

TEST(Declarations, AnInvalidOperatorFollowsItsNeighbour) {
  const CaseResult result = JudgeOn("fault:declares_unsupported?bits=2", InvalidGrouped());
  EXPECT_EQ(result.verdict.status, Status::kUndeclared);
  EXPECT_EQ(result.verdict.message, "of the valid neighbour: more than one group (declared unsupported)");
}

TEST(ResolvedGeometry, BackendsComputeFromItAlone) {
  for (const std::string& backend : {std::string("fault:resolved"), ServedBackendName("fault:resolved")}) {
    for (const char* line :
         {kPlain, kGrouped, kDilated,
          "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:strides=2:auto_pad=same_upper",
          "ConvolutionBackpropData:data=2,1,3,2:filter=1,3,3,2:strides=2,1:output_padding=1,0:type=bf16",
          "ConvTranspose:data=1,2,3:filter=2,1,3:groups=2:kernel_shape=3:output_shape_attribute=4:dialect=onnx-11",
          "ConvolutionBackwardData:data=1,3,4:filter=3,2,4:groups=2:data_format=NXC:weights_format=XIO:strides=2:"
          "dilations=1:pads_begin=1:pads_end=0:type=f16:dst_shape=1,7,4",
          "ConvolutionBackwardData:data=1,4,3:filter=4,2,3:groups=2:data_format=NCX:weights_format=OIX:strides=2:"
          "dilations=1:pads_begin=1:pads_end=0:dst_shape=1,4,6",
          "ConvolutionBackpropData:data=0,1,3:filter=1,1,3"}) {
      const CaseResult result = JudgeOn(backend, line);
      EXPECT_EQ(result.verdict.status, Status::kPass) << backend << " " << line << ": " << result.verdict.message;
    }
    const CaseResult sweep = JudgeOn(backend, "sweep:of=axes:bounds=small:operator=ConvolutionBackpropData:to=300");
    EXPECT_EQ(sweep.verdict.status, Status::kPass) << sweep.verdict.message;
    const CaseResult geometry = JudgeOn(backend, "sweep:of=geometry:bounds=small:operator=ConvTranspose:to=300");
    EXPECT_EQ(geometry.verdict.status, Status::kUndeclared) << geometry.verdict.message;
    const CaseResult law = JudgeOn(backend, std::string(kPlain) + ":law=shift");
    EXPECT_EQ(law.verdict.status, Status::kPass) << law.verdict.message;
  }
}

TEST(ResolvedGeometry, InvalidOperatorsAreNotSent) {
  for (const std::string& backend : {std::string("fault:resolved"), ServedBackendName("fault:resolved")}) {
    const CaseResult result = JudgeOn(backend, kZeroStride);
    EXPECT_EQ(result.verdict.status, Status::kUnsupported) << result.verdict.message;
    EXPECT_EQ(result.verdict.message, "invalid operators are not sent to a backend that declares takes_resolved");
  }
}

TEST(ResolvedGeometry, WrongDimsAreFound) {
  const CaseResult dims = JudgeOn("fault:resolved_dims", kPlain);
  EXPECT_EQ(dims.verdict.failure, FailureClass::kWrongShape);
  EXPECT_THAT(dims.verdict.message, HasSubstr("got [7,7,7]"));
  EXPECT_EQ(JudgeOn("fault:resolved_rank", kPlain).verdict.failure, FailureClass::kProtocol);
  EXPECT_EQ(JudgeOn("fault:resolved_one_group", kGrouped).verdict.status, Status::kUnsupported);
}

}  // namespace
}  // namespace conformance
