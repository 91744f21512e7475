// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the tables of planted faults (backends that are wrong on purpose) as a whole: names, descriptions and classes.
// Also tests that the correct variants conform, that they refuse or compute each point that the documents leave open,
// and that faults can be joined into one backend.

#include "conformance/mutants/faults/fault.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"
#include "conformance/testing/test_cases.h"
#include "oracle/dialect.h"
#include "oracle/open_point.h"

namespace conformance {
namespace {

TEST(FaultTest, EachFaultHasItsOwnNameAndSentenceAndAClass) {
  constexpr std::size_t kAtLeast = 350;  // a lower bound, so that the loop cannot pass on empty tables
  EXPECT_GE(faults::Faults().size(), kAtLeast);
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  for (const faults::Fault& fault : faults::Faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name << " stands twice";
    EXPECT_TRUE(sentences.insert(fault.sentence).second) << fault.sentence << " stands twice";
    EXPECT_FALSE(fault.mutant_class.empty()) << fault.name;
    EXPECT_FALSE(fault.name.starts_with("none")) << fault.name << " is named like a correct variant";
    EXPECT_TRUE(fault.link.empty() || fault.link.starts_with("https://")) << fault.name;
    EXPECT_EQ(faults::FindFault(fault.name), &fault);
  }
}

TEST(FaultTest, CorrectVariantsHaveNoClass) {
  EXPECT_EQ(faults::CorrectVariants().front().name, "none");
  for (const faults::Fault& correct : faults::CorrectVariants()) {
    EXPECT_TRUE(correct.mutant_class.empty()) << correct.name;
    EXPECT_TRUE(correct.name.starts_with("none")) << correct.name;
    EXPECT_EQ(faults::FindFault(correct.name), &correct);
  }
}

TEST(FaultTest, MutantsAreDescribedAndAreNoFaults) {
  std::set<std::string_view> names;
  for (const faults::Fault& fault : faults::Faults()) names.insert(fault.name);
  for (const faults::Fault& correct : faults::CorrectVariants()) names.insert(correct.name);
  for (const faults::Fault& mutant : faults::Mutants()) {
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name << " stands twice";
    EXPECT_FALSE(mutant.sentence.empty()) << mutant.name;
    EXPECT_TRUE(mutant.mutant_class.empty()) << mutant.name << " would count as a planted fault";
    EXPECT_EQ(faults::FindFault(mutant.name), &mutant);
  }
}

// The data are small integers, so every order of summation gives the same bits.
TEST(FaultTest, CorrectVariantsAreRight) {
  constexpr int kOperators = 150;
  for (const faults::Fault& correct : faults::CorrectVariants()) {
    const std::unique_ptr<Backend> backend = OpenOrAbort("fault:" + std::string(correct.name));
    Random random(11);
    for (const oracle::Dialect dialect : oracle::kDialects) {
      for (int i = 0; i < kOperators; ++i) {
        const Case drawn = RandomCase(random, dialect, 3);
        ASSERT_EQ(Mistake(*backend, drawn.op, dialect), "") << correct.name << ' ' << ToLine(drawn);
      }
    }
  }
}

// An operator that the documents leave open, and the point for which they do: a backend may refuse or compute it.
struct OpenOperator {
  std::string_view point;
  Killer killer;
};

std::vector<OpenOperator> OpenOperators() {
  const auto of_three = [](const OperatorChange& change) { return Killer{.op = Plain({1, 1, 3}, {1, 1, 3}, change)}; };
  const auto onednn = [](Dims dst_shape, const OperatorChange& change) {
    return Killer{.op = Onednn({1, 3, 1}, {3, 1, 1}, std::move(dst_shape), change), .dialect = Dialect::kOnednnSpec};
  };
  const auto onnx = [](const OperatorChange& change) {
    return Killer{.op = Onnx({1, 1, 3}, {1, 1, 3}, change), .dialect = Dialect::kOnnx11};
  };
  const auto shaped = [](Dialect dialect, const OperatorChange& change) {
    return Killer{.op = Onnx({1, 1, 3}, {1, 1, 3}, change), .dialect = dialect};
  };
  const std::int64_t large = std::int64_t{1} << 35;
  return {
      {"bf16 data of ConvTranspose", onnx([](Operator& op) { op.data.type = op.filter.type = ElementType::kBf16; })},
      {"i32 data of TensorFlow", shaped(Dialect::kTensorflow,
                                        [](Operator& op) {
                                          op.data.type = op.filter.type = ElementType::kI32;
                                          op.output_shape_attribute = {5};
                                        })},
      {"an output_shape of ONNX Runtime with batch and channels",
       shaped(Dialect::kOnnxruntime, [](Operator& op) { op.output_shape_attribute = {1, 1, 5}; })},
      {"an output of TensorFlow that ends before a kernel on one data element does",
       shaped(Dialect::kTensorflow,
              [](Operator& op) {
                op.data.dims = {1, 1, 1};
                op.strides = {2};
                op.pads_begin = op.pads_end = std::nullopt;
                op.auto_pad = "VALID";
                op.output_shape_attribute = {2};
              })},
      {"a dst_shape input of another type than s32",
       onednn({1, 5, 1}, [](Operator& op) { op.output_shape = {ElementType::kU8, {3}, *op.dst_shape}; })},
      {"a batch of 0", {Plain({0, 1, 3}, {1, 1, 3})}},
      {"0 input channels", {Plain({1, 0, 3}, {0, 1, 3})}},
      {"0 output channels", {Plain({1, 1, 3}, {1, 0, 3})}},
      {"0 data elements along an axis", {Plain({1, 1, 0}, {1, 1, 3})}},
      {"a size of 0 in output_shape", of_three([](Operator& op) { op.output_shape = Shape({0}); })},
      {"a size of 0 in a dst_shape attribute that the input overrules",
       onednn({1, 0, 1}, [](Operator& op) { op.output_shape = {ElementType::kI32, {3}, {1, 5, 1}}; })},
      {"an output_padding of at least the stride", onnx([](Operator& op) { op.output_padding = {1}; })},
      {"absent strides", of_three([](Operator& op) { op.strides.reset(); })},
      {"absent dilations", of_three([](Operator& op) { op.dilations.reset(); })},
      {"absent pads that nothing calculates", of_three([](Operator& op) { op.pads_begin.reset(); })},
      {"auto_pad of OpenVINO in upper or mixed case", of_three([](Operator& op) { op.auto_pad = "Same_Upper"; })},
      {"auto_pad none of OpenVINO", of_three([](Operator& op) { op.auto_pad = "none"; })},
      {"auto_pad of oneDNN in upper or mixed case", onednn({1, 5, 1}, [](Operator& op) { op.auto_pad = "NONE"; })},
      {"absent strides of ConvolutionBackwardData", onednn({1, 5, 1}, [](Operator& op) { op.strides.reset(); })},
      {"absent dilations of ConvolutionBackwardData", onednn({1, 5, 1}, [](Operator& op) { op.dilations.reset(); })},
      {"absent pads of ConvolutionBackwardData", onednn({1, 5, 1}, [](Operator& op) { op.pads_end.reset(); })},
      {"a filter without elements in oneDNN's library",
       {Onednn({1, 3, 1}, {1, 0, 1}, {1, 3, 0}), Dialect::kOnednnRuntime}},
      {"negative pads that are ignored", of_three([](Operator& op) {
         op.auto_pad = "valid";
         op.pads_end = {-1};
       })},
      {"a dst_shape that contradicts the given pads", onednn({1, 4, 1}, nullptr)},
      {"a dst_shape that contradicts pads of 0", onednn({1, 4, 1}, [](Operator& op) { op.auto_pad = "valid"; })},
      {"a calculated output size of 0", {Plain({1, 1, 1}, {1, 1, 1}, [](Operator& op) { op.pads_begin = {1}; })}},
      {"an empty tensor with sizes whose product exceeds 63 bits", {Plain({0, 1, large, large}, {1, 1, 1, 1})}},
  };
}

deconv_answer AnswerOf(const std::string& backend, const Killer& killer) {
  const oracle::Geometry geometry = *Resolve(killer.op, killer.dialect).geometry;
  const Bytes data = SmallIntegers(geometry.type, geometry.DataCount(), 1);
  const Bytes filter = SmallIntegers(geometry.type, geometry.FilterCount(), 2);
  Bytes output(static_cast<std::size_t>(geometry.OutputCount()) * oracle::ElementBytes(geometry.type));
  Bytes data_sent = data;
  Bytes filter_sent = filter;
  return OpenOrAbort(backend)
      ->Run(killer.op, killer.dialect, {.data = data_sent, .filter = filter_sent, .output = output})
      .answer;
}

// Four open points have no operator here: the documents give such operators no meaning, so there is nothing to compute.
TEST(FaultTest, HonestBackendsAnswerEachOpenPointInTheirWay) {
  std::set<std::string_view> left;
  for (const oracle::OpenPointName& point : oracle::kOpenPoints) left.insert(point.phrase);
  for (const auto& [point, killer] : OpenOperators()) {
    const oracle::Resolution resolution = Resolve(killer.op, killer.dialect);
    ASSERT_TRUE(resolution.ok()) << point;
    EXPECT_NE(std::ranges::find(resolution.open, point, &oracle::OpenPoint::point), resolution.open.end()) << point;
    EXPECT_EQ(AnswerOf("fault:none_restricted", killer), DECONV_ANSWER_REFUSED) << point;
    EXPECT_EQ(AnswerOf("fault:none_generous", killer), DECONV_ANSWER_COMPUTED) << point;
    EXPECT_EQ(MistakeOn("fault:none_generous", killer), "") << point;
    left.erase(point);
  }
  EXPECT_EQ(left, (std::set<std::string_view>{"data without spatial axes", "a kernel of size 0 in TensorFlow",
                                              "pads_begin of OpenVINO's library beyond 63 bits",
                                              "same_upper and same_lower of ConvTranspose-1 without an output shape"}));
}

// A backend's name has at most 127 characters, so that the names of many faults are cut to 124 and "...".
TEST(FaultTest, ManyFaultsAreOneBackend) {
  const std::string names =
      "fault:one_axis_groups_misplaced+stride_three_tap_dropped+output_padding_unwritten+same_lower_odd_at_other_side+"
      "shape_grown_by_output_padding";
  const std::unique_ptr<Backend> backend = OpenOrAbort(names);
  EXPECT_EQ(backend->capabilities().name, names.substr(0, 124) + "...");
}

// The restricted backend must compute an operator that the dialect requires.
TEST(FaultTest, TheRestrictedBackendComputesWhatIsNotOpen) {
  const Killer runtime = {.op = Plain({1, 1, 3}, {1, 1, 3}, [](Operator& op) { op.strides.reset(); }),
                          .dialect = Dialect::kOpenvinoRuntime};
  EXPECT_EQ(MistakeOn("fault:none_restricted", runtime), "");
  EXPECT_EQ(AnswerOf("fault:none_restricted", runtime), DECONV_ANSWER_COMPUTED);
  EXPECT_EQ(AnswerOf("fault:none_restricted", {Plain({1, 1, 3}, {1, 1, 3})}), DECONV_ANSWER_COMPUTED);
}

}  // namespace
}  // namespace conformance
