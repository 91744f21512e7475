// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests sweeps on right backends, on planted faults (backends that are wrong on purpose), and on backends that crash or
// hang. A sweep is one test case that stands for many small operators, its tuples. The verdict names the first wrong
// tuple by a case line that fails again when it is replayed.

#include "conformance/verdict/exhaustive/judge_sweep.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/sweep_cases.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/judge.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

CaseResult JudgeOn(const std::string& backend, const std::string& line, const JudgeLimits& limits = {}) {
  Judge judge(backend, limits);
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return judge.JudgeCase(TestCaseOf(line));
}

constexpr const char* kGeometry = "sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:stride=2";
constexpr const char* kRuntime =
    "sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-runtime:stride=2";
constexpr const char* kOnednn = "sweep:of=geometry:bounds=small:operator=ConvolutionBackwardData:stride=3";
constexpr const char* kOnnx = "sweep:of=geometry:bounds=small:operator=ConvTranspose:stride=3";
constexpr const char* kAxes = "sweep:of=axes:bounds=small:operator=ConvolutionBackpropData:stride=2";
constexpr const char* kBytes = "sweep:of=axes:bounds=small:operator=ConvolutionBackpropData:type=u8:stride=2";
constexpr const char* kPlanes = "sweep:of=planes:bounds=small:operator=ConvolutionBackpropData:sample=2000:seed=3";
constexpr const char* kDense = "sweep:of=dense:axes=2:operator=ConvolutionBackwardData:type=bf16:stride=2:kernel=3";
constexpr const char* kDenseBytes =
    "sweep:of=dense:axes=3:operator=GroupConvolutionBackpropData:type=i8:stride=1:kernel=2";
constexpr const char* kPairs =
    "sweep:of=pairs:bounds=small:operator=ConvolutionBackpropData:type=i64:stride=2:kernel=2:to=1500";

TEST(JudgeSweep, RightBackendsPass) {
  for (const char* backend : {"kernel", "oracle", "fault:none"}) {
    for (const char* line :
         {kGeometry, kRuntime, kOnednn, kOnnx, kAxes, kBytes, kPairs, kPlanes, kDense, kDenseBytes}) {
      const CaseResult result = JudgeOn(backend, line);
      EXPECT_EQ(result.verdict.status, Status::kPass) << backend << " " << line << ": " << result.verdict.message;
      const SweepCases cases(*std::get<Case>(ParseCaseLine(line)).sweep);
      EXPECT_EQ(result.sweep.judged, static_cast<std::int64_t>(cases.end() - cases.begin())) << line;
      EXPECT_EQ(result.outputs.count != 0, !cases.sweep().resolves()) << line;
      EXPECT_EQ(result.judged.line, line);
    }
  }
}

// Each fault is in code for a special case: for one kernel size and stride, and for some types, channels or batches.
TEST(JudgeSweep, FaultsOfSpecialPathsAreFoundByDenseSweeps) {
  for (const auto& [fault, sweep] : {
           std::pair{"path_2d-k3s2_last", "axes=2:operator=ConvolutionBackwardData:stride=2:kernel=3"},
           {"path_2d-k4s2_f32_in8", "axes=2:operator=ConvolutionBackpropData:stride=2:kernel=4"},
           {"path_1d-k4s2_f32_odd", "axes=1:operator=ConvTranspose:stride=2:kernel=4"},
           {"path_2d-k5s2_depthwise", "axes=2:operator=GroupConvolutionBackpropData:type=f64:stride=2:kernel=5"},
           {"path_3d-k3s2_8bit", "axes=3:operator=ConvolutionBackpropData:type=u8:stride=2:kernel=3"},
       }) {
    const std::string line = std::string("sweep:of=dense:") + sweep;
    const CaseResult result = JudgeOn(std::string("fault:") + fault, line);
    EXPECT_EQ(result.verdict.status, Status::kFail) << fault;
    EXPECT_THAT(result.verdict.message, HasSubstr("tuple ")) << fault;
    EXPECT_EQ(JudgeOn(std::string("fault:") + fault, result.judged.line).verdict.status, Status::kFail)
        << result.judged.line;
  }
}

// The fault exchanges same_upper and same_lower. It changes nothing where the total pad is even, so the first wrong
// tuple is the first tuple whose geometry differs between the two modes.
TEST(JudgeSweep, AFaultOfGeometryIsFoundAtItsFirstTuple) {
  const CaseResult result = JudgeOn("fault:same_upper_lower_exchanged", kGeometry);
  ASSERT_EQ(result.verdict.status, Status::kFail);
  const SweepCases cases(*std::get<Case>(ParseCaseLine(kGeometry)).sweep);
  Case tuple;
  std::uint64_t first = cases.begin();
  for (; first < cases.end(); ++first) {
    cases.Get(first, tuple);
    if (tuple.op.auto_pad != "same_upper" && tuple.op.auto_pad != "same_lower") continue;
    const auto own = oracle::Resolve(tuple.op, oracle::Dialect::kOpenvinoSpec);
    Case other = tuple;
    other.op.auto_pad = tuple.op.auto_pad == "same_upper" ? "same_lower" : "same_upper";
    if (own.geometry != oracle::Resolve(other.op, oracle::Dialect::kOpenvinoSpec).geometry) break;
  }
  EXPECT_EQ(result.judged.line, ToLine(tuple));
  EXPECT_THAT(result.verdict.message, HasSubstr("tuple " + std::to_string(first) + " of " + kGeometry));
  EXPECT_EQ(result.sweep.judged, static_cast<std::int64_t>(first) + 1);
  EXPECT_EQ(JudgeOn("fault:same_upper_lower_exchanged", result.judged.line).verdict.status, Status::kFail);
}

TEST(JudgeSweep, WrongPadsAreFoundThoughTheValuesAreRight) {
  const CaseResult result = JudgeOn("fault:interface_other_pads", kGeometry);
  EXPECT_EQ(result.verdict.status, Status::kFail);
  EXPECT_EQ(result.verdict.failure, FailureClass::kWrongPads) << result.verdict.message;
  EXPECT_THAT(result.verdict.message, HasSubstr("pads_begin: expected"));
  EXPECT_EQ(JudgeOn("fault:none", kGeometry).verdict.status, Status::kPass);
}

// These faults resolve axis 1 by an attribute of axis 0. So they need operators with two axes (planes).
TEST(JudgeSweep, MixedAxesAreFoundOnPlanes) {
  for (const char* fault :
       {"total_parity_of_first_axis", "same_lower_beyond_first_axis", "output_padding_of_first_axis",
        "pad_dropped_beside_dense_axis", "shape_ignored_if_first_axis_fits"}) {
    const std::string backend = std::string("fault:") + fault;
    EXPECT_EQ(JudgeOn(backend, kGeometry).verdict.status, Status::kPass) << fault;
    EXPECT_EQ(JudgeOn(backend, kPlanes).verdict.status, Status::kFail) << fault;
  }
  EXPECT_EQ(JudgeOn("fault:negative_total_clamped_together", kRuntime).verdict.status, Status::kPass);
  EXPECT_EQ(
      JudgeOn("fault:negative_total_clamped_together",
              "sweep:of=planes:bounds=small:operator=ConvolutionBackpropData:dialect=openvino-runtime:sample=2000")
          .verdict.status,
      Status::kFail);
}

TEST(JudgeSweep, ABackendOfTheFirstInterfaceIsNotAskedToResolve) {
  const CaseResult result = JudgeOn("fault:interface_old", kGeometry);
  EXPECT_EQ(result.verdict.status, Status::kUndeclared);
  EXPECT_EQ(result.verdict.message, "the backend does not offer the function resolve");
}

TEST(JudgeSweep, OperatorsThatABackendCannotDoAreSkippedAndCounted) {
  const CaseResult result = JudgeOn("fault:refuses_output_shape+unsupported", kAxes);
  EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
  EXPECT_GT(result.sweep.judged, 50);
  EXPECT_GT(result.sweep.skipped, 50);
  const SweepCases cases(*std::get<Case>(ParseCaseLine(kAxes)).sweep);
  EXPECT_EQ(result.sweep.judged + result.sweep.skipped, static_cast<std::int64_t>(cases.end()));
  EXPECT_EQ(result.verdict.message, "the backend answered unsupported to " + std::to_string(result.sweep.skipped) +
                                        " of the " + std::to_string(cases.end()) + " operators of the sweep");
}

TEST(JudgeSweep, ASweepWithoutAnOperatorThatTheBackendCanDoProvesNothing) {
  const CaseResult result = JudgeOn("fault:refuses_everything+unsupported", kAxes);
  EXPECT_EQ(result.verdict.status, Status::kUndeclared);
  EXPECT_EQ(result.sweep.judged, 0);
  EXPECT_GT(result.sweep.skipped, 100);
  EXPECT_THAT(result.verdict.message, HasSubstr("the backend answered unsupported to"));
}

TEST(JudgeSweep, ARefusedOperatorIsNotSkipped) {
  const CaseResult result = JudgeOn("fault:refuses_output_shape", kAxes);
  EXPECT_EQ(result.verdict.status, Status::kFail);
  EXPECT_EQ(result.verdict.failure, FailureClass::kWrongRefusal) << result.verdict.message;
}

TEST(JudgeSweep, AFaultOfValuesIsFoundAtItsFirstTuple) {
  const CaseResult result = JudgeOn("fault:dilation_ignored_in_values", kAxes);
  ASSERT_EQ(result.verdict.status, Status::kFail);
  const auto parsed = ParseCaseLine(result.judged.line);
  const Case& tuple = std::get<Case>(parsed);
  ASSERT_FALSE(tuple.sweep);
  EXPECT_EQ(tuple.op.dilations, (oracle::Dims{2}));
  EXPECT_GT(tuple.op.filter.dims.back(), 1);
  EXPECT_EQ(tuple.values, DataSet::kTaps);
  EXPECT_EQ(JudgeOn("fault:dilation_ignored_in_values", result.judged.line).verdict.status, Status::kFail);
  EXPECT_EQ(JudgeOn("fault:dilation_ignored_in_values", kPairs).verdict.status, Status::kFail);
}

TEST(JudgeSweep, OverrunsAndChangedInputsAreFound) {
  for (const auto& [backend, failure] : {std::pair{"fault:writes_past_end", FailureClass::kOutOfBounds},
                                         std::pair{"fault:writes_before_begin", FailureClass::kOutOfBounds},
                                         std::pair{"fault:modifies_data", FailureClass::kModifiedInput},
                                         std::pair{"fault:modifies_filter", FailureClass::kModifiedInput}}) {
    for (const char* line : {kAxes, kBytes}) {
      const CaseResult result = JudgeOn(backend, line);
      EXPECT_EQ(result.verdict.status, Status::kFail) << backend;
      // If the tuple is run alone, the fault hits an inaccessible page or changes the hash of an input.
      EXPECT_TRUE(result.verdict.failure == failure || result.verdict.failure == FailureClass::kCrash)
          << backend << ": " << FailureClassNameOf(result.verdict.failure);
    }
  }
}

TEST(JudgeSweep, ACrashInABatchIsPinnedToItsTuple) {
  const CaseResult result = JudgeOn("fault:crashes_sometimes?every=50", kAxes);
  ASSERT_EQ(result.verdict.status, Status::kFail);
  EXPECT_EQ(result.verdict.failure, FailureClass::kCrash) << result.verdict.message;
  EXPECT_THAT(result.verdict.message,
              AnyOf(HasSubstr("(11)"), HasSubstr("SEGV")));  // SIGSEGV is 11; a sanitizer writes SEGV
  EXPECT_GT(result.sweep.judged, 0);                         // not the batch's first
  // The tuple alone crashes. The sweep of all tuples before it does not.
  const CaseResult alone = JudgeOn("fault:crashes_sometimes?every=50", result.judged.line);
  EXPECT_EQ(alone.verdict.failure, FailureClass::kCrash);
  const std::string before = std::string(kAxes) + ":to=" + std::to_string(result.sweep.judged);
  EXPECT_EQ(JudgeOn("fault:crashes_sometimes?every=50", before).verdict.status, Status::kPass);
}

TEST(JudgeSweep, AHangInABatchIsPinnedToItsTuple) {
  JudgeLimits limits;
  limits.base_seconds = 0.5;
  const CaseResult result = JudgeOn("fault:hangs_sometimes?every=50", std::string(kAxes) + ":to=100", limits);
  ASSERT_EQ(result.verdict.status, Status::kFail);
  EXPECT_EQ(result.verdict.failure, FailureClass::kHang) << result.verdict.message;
  EXPECT_EQ(result.judged.line.find("sweep"), std::string::npos) << result.judged.line;
}

// The time limit holds for each operator, not for the batch.
TEST(JudgeSweep, SlowOperatorsAreNoHang) {
  JudgeLimits limits;
  limits.base_seconds = 0.5;
  const std::string line = std::string(kAxes) + ":to=60";
  const CaseResult result = JudgeOn("fault:slow", line, limits);
  EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
  EXPECT_EQ(result.sweep.judged, 60);
  EXPECT_GT(result.seconds.backend, 1.0);
}

TEST(JudgeSweep, ChangedStateIsNamedAtItsTuple) {
  const CaseResult result =
      JudgeOn("fault:leaves_rounding_upward", "sweep:of=axes:bounds=full:operator=ConvolutionBackpropData:stride=1");
  EXPECT_EQ(result.verdict.failure, FailureClass::kProtocol) << result.verdict.message;
  EXPECT_THAT(result.verdict.message, HasSubstr("the rounding mode"));
  EXPECT_EQ(result.judged.line.find("sweep"), std::string::npos) << result.judged.line;
}

// The tuple fails only after an earlier tuple, so its own case line would pass. The result names a sweep instead.
TEST(JudgeSweep, AFaultOfStateKeepsTheSweepThatShowsIt) {
  const CaseResult result = JudgeOn("fault:keeps_filter", kBytes);
  ASSERT_EQ(result.verdict.status, Status::kFail);
  EXPECT_THAT(result.judged.line, HasSubstr("sweep:"));
  EXPECT_THAT(result.judged.line, HasSubstr(":to="));
  EXPECT_THAT(result.verdict.message, HasSubstr("it passes as a single case"));
  EXPECT_EQ(JudgeOn("fault:keeps_filter", result.judged.line).verdict.status, Status::kFail) << result.judged.line;
}

}  // namespace
}  // namespace conformance
