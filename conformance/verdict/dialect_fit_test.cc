// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which dialects agree on an operator, and which cases show the dialect that a backend follows. A dialect is a
// document's or library's reading of the attributes. A backend that follows another dialect than it declares must be
// found.

#include "conformance/verdict/dialect_fit.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/runner.h"

namespace conformance {
namespace {

using oracle::Dialect;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Case CaseOf(const std::string& line) {
  const auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<Case>(parsed);
}

// The groups of dialects that agree on the operator of a case line.
std::vector<std::vector<Dialect>> GroupsOf(const std::string& line) {
  std::vector<std::vector<Dialect>> groups;
  for (const DialectGroup& group : AgreeingDialects(CaseOf(line).op)) groups.push_back(group.dialects);
  return groups;
}

constexpr const char* kPlain = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1";
constexpr const char* kBeyond = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=9:strides=2";

TEST(AgreeingDialects, AreOneGroupWherePadsEndAloneDiffers) {
  EXPECT_THAT(GroupsOf(kPlain), ElementsAre(ElementsAre(Dialect::kOpenvinoSpec, Dialect::kOpenvinoRuntime)));
  EXPECT_FALSE(Decides(AgreeingDialects(CaseOf(kPlain).op)));
  // In the library's dialect, pads_end does not include output_padding.
  EXPECT_THAT(GroupsOf("ConvolutionBackwardData:data=1,1,3:filter=1,1,3:strides=2:dilations=1:pads_begin=0:pads_end=0:"
                       "data_format=NCX:weights_format=OIX:dst_shape=1,1,7:output_padding=1"),
              ElementsAre(ElementsAre(Dialect::kOnednnSpec, Dialect::kOnednnRuntime)));
}

TEST(AgreeingDialects, AreSeveralGroupsWherePadsSizeOrRefusalDiffers) {
  EXPECT_THAT(GroupsOf(kBeyond),
              ElementsAre(ElementsAre(Dialect::kOpenvinoSpec), ElementsAre(Dialect::kOpenvinoRuntime)));
  EXPECT_TRUE(Decides(AgreeingDialects(CaseOf(kBeyond).op)));
  // One element must be cropped: onnx-11 and onnxruntime put the odd element at the end for SAME_UPPER, onnx-1 at the
  // beginning.
  EXPECT_THAT(GroupsOf("ConvTranspose:data=1,1,3:filter=1,1,3:output_shape_attribute=6:strides=2:auto_pad=SAME_UPPER"),
              ElementsAre(ElementsAre(Dialect::kOnnx11, Dialect::kOnnxruntime, Dialect::kOnnx22, Dialect::kTensorflow),
                          ElementsAre(Dialect::kOnnx1)));
  // TensorFlow requires an output shape, so without one its dialect is in no group.
  EXPECT_THAT(GroupsOf("ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:output_padding=2"),
              ElementsAre(ElementsAre(Dialect::kOnnx11, Dialect::kOnnx1, Dialect::kOnnx22),
                          ElementsAre(Dialect::kOnnxruntime)));
}

// ConvTranspose-1 (dialect onnx-1) and TensorFlow do not define SAME_UPPER without an output shape.
TEST(AgreeingDialects, LeaveOutDialectsThatDoNotDefineTheOperator) {
  EXPECT_THAT(GroupsOf("ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:auto_pad=SAME_UPPER"),
              ElementsAre(ElementsAre(Dialect::kOnnx11, Dialect::kOnnxruntime, Dialect::kOnnx22)));
}

TEST(AgreeingDialects, AreOneGroupWhereAllRefuse) {
  EXPECT_THAT(GroupsOf("ConvTranspose:data=1,1,3:filter=1,1,3:strides=0"),
              ElementsAre(ElementsAre(Dialect::kOnnx11, Dialect::kOnnx1, Dialect::kOnnxruntime, Dialect::kOnnx22,
                                      Dialect::kTensorflow)));
}

// The dialects that an invented answer to the case kBeyond fits: data 1, 10, 100, filter 1, 2, 3, and nine outputs.
std::vector<std::string> FitsOfAnswer(const RunAnswer& answer, const std::vector<float>& output) {
  const std::vector<float> data = {1, 10, 100};
  const std::vector<float> filter = {1, 2, 3};
  const Observation observation{.answer = answer,
                                .asked_dims = {1, 1, 9},
                                .data = std::as_bytes(std::span(data)),
                                .filter = std::as_bytes(std::span(filter)),
                                .output = std::as_bytes(std::span(output))};
  return FittingDialects(AgreeingDialects(CaseOf(kBeyond).op), observation, {});
}

// The natural size is 7. openvino-spec splits the total of -2 and shifts the data by one; openvino-runtime does not.
TEST(FittingDialects, AreThoseWithTheSameValues) {
  const RunAnswer computed{
      .answer = DECONV_ANSWER_COMPUTED, .output_dims = {1, 1, 9}, .message = "", .implementation = ""};
  EXPECT_THAT(FitsOfAnswer(computed, {0, 1, 2, 13, 20, 130, 200, 300, 0}), ElementsAre("openvino-spec"));
  EXPECT_THAT(FitsOfAnswer(computed, {1, 2, 13, 20, 130, 200, 300, 0, 0}), ElementsAre("openvino-runtime"));
  EXPECT_THAT(FitsOfAnswer(computed, {1, 2, 13, 20, 130, 200, 301, 0, 0}), IsEmpty());
}

TEST(FittingDialects, AreJudgedBySizeOrRefusalIfThereAreNoValues) {
  const std::vector<float> output(9);
  EXPECT_THAT(FitsOfAnswer({DECONV_ANSWER_OTHER_SHAPE, {1, 1, 9}, "", ""}, output),
              UnorderedElementsAre("openvino-spec", "openvino-runtime"));
  EXPECT_THAT(FitsOfAnswer({DECONV_ANSWER_OTHER_SHAPE, {1, 1, 7}, "", ""}, output), IsEmpty());
  // The line has no pads, strides and dilations: the document leaves that open, and the library has defaults.
  EXPECT_THAT(FitsOfAnswer({DECONV_ANSWER_REFUSED, {}, "", ""}, output), ElementsAre("openvino-spec"));
  EXPECT_THAT(FitsOfAnswer({DECONV_ANSWER_ERROR, {}, "", ""}, output), IsEmpty());
  // A refusal fits the dialects that refuse and those that leave the operator open.
  const auto groups = AgreeingDialects(CaseOf("ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:output_padding=2").op);
  const RunAnswer refused{DECONV_ANSWER_REFUSED, {}, "", ""};
  EXPECT_THAT(
      FittingDialects(groups, {.answer = refused, .asked_dims = {}, .data = {}, .filter = {}, .output = {}}, {}),
      UnorderedElementsAre("onnx-1", "onnx-11", "onnx-22", "onnxruntime"));
}

TEST(FittingDialects, AreJudgedBySizeAloneWithoutData) {
  const auto groups = AgreeingDialects(CaseOf("ConvolutionBackpropData:data=1,1,0:filter=1,1,3:strides=2").op);
  const std::vector<float> filter(3);
  const std::vector<float> unwritten(3, 7);
  const RunAnswer computed{DECONV_ANSWER_COMPUTED, {1, 1, 3}, "", ""};
  EXPECT_THAT(FittingDialects(groups,
                              {.answer = computed,
                               .asked_dims = {1, 1, 3},
                               .data = {},
                               .filter = std::as_bytes(std::span(filter)),
                               .output = std::as_bytes(std::span(unwritten))},
                              {}),
              ElementsAre("openvino-runtime"));
}

CaseResult Deciding(const std::string& declared, std::vector<std::string> fits) {
  CaseResult result;
  result.judged.dialect = declared;
  result.answer.fits = std::move(fits);
  return result;
}

TEST(FitsOf, CountsByDeclaredDialect) {
  std::vector<CaseResult> results = {Deciding("a", {"a"}), Deciding("a", {"a", "b"}), Deciding("c", {"d"}),
                                     Deciding("c", {"c", "d"}), Deciding("c", {})};
  results.emplace_back().judged.dialect = "a";  // the case is not deciding
  const std::vector<DialectFit> fits = FitsOf(results);
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].declared, "a");
  EXPECT_EQ(fits[0].deciding, 2U);
  EXPECT_EQ(fits[0].fitting, 2U);
  EXPECT_EQ(fits[0].better, "");
  EXPECT_EQ(fits[1].declared, "c");
  EXPECT_EQ(fits[1].deciding, 3U);
  EXPECT_EQ(fits[1].fitting, 1U);
  EXPECT_EQ(fits[1].better, "d");
  EXPECT_EQ(fits[1].better_fitting, 2U);
}

// Runs the cases of suite `attributes` with one spatial axis and an output shape, and counts the fitting dialects.
std::vector<DialectFit> FitsOfRun(const std::string& backend, oracle::OperatorKind kind) {
  auto cases = SuiteCases("attributes", Level::kGate, 0);
  std::vector<SuiteCase> planned;
  for (SuiteCase& candidate : std::get<std::vector<SuiteCase>>(cases)) {
    const bool wanted = candidate.test_case.op.kind == kind && candidate.test_case.op.data.dims.size() == 3 &&
                        candidate.name.starts_with("shape.");
    if (wanted) planned.push_back(std::move(candidate));
  }
  auto run = RunCases(planned, {.backend = backend, .jobs = 1});
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return FitsOf(std::get<RunRecord>(run).results);
}

TEST(DialectOfARun, ABackendThatIsDeclaredRightlyFitsItsDialects) {
  for (const char* backend : {"oracle", "kernel"}) {
    for (const auto kind : {oracle::OperatorKind::kConvolutionBackpropData,
                            oracle::OperatorKind::kConvolutionBackwardData, oracle::OperatorKind::kConvTranspose}) {
      const std::vector<DialectFit> fits = FitsOfRun(backend, kind);
      EXPECT_EQ(fits.size(), oracle::DialectsOf(kind).size());
      for (const DialectFit& fit : fits) {
        EXPECT_GT(fit.deciding, 0U) << fit.declared;
        EXPECT_EQ(fit.fitting, fit.deciding) << fit.declared;
        EXPECT_EQ(fit.better, "") << fit.declared;
      }
    }
  }
}

TEST(DialectOfARun, ABackendThatIsDeclaredWronglyIsFound) {
  const std::vector<DialectFit> fits =
      FitsOfRun("fault:runtime_declared_as_spec", oracle::OperatorKind::kConvolutionBackpropData);
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_EQ(fits[0].declared, "openvino-spec");
  EXPECT_EQ(fits[0].better, "openvino-runtime");
  EXPECT_EQ(fits[0].better_fitting, fits[0].deciding);
  EXPECT_LT(fits[0].fitting, fits[0].deciding);
}

}  // namespace
}  // namespace conformance
