// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests whether two answers to a case count as alike: the backend's answer and that of a planted fault. Tests also
// which failures a declaration excuses.

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/explanation_steps.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/similarity.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

// A vendor rounds sums in his own way. An output within the bound of the fault's output is the same; any other output
// is not.
TEST(Similarity, AllowsForRounding) {
  const std::string line = "ConvolutionBackpropData:data=1,17,5:filter=17,5,3:strides=2:dilations=1:values=reals";
  const faults::Fault& fault = *faults::FindFault("filter_flipped");
  const auto setup = std::make_shared<TrialSetup>();
  ObservingJudge observer("fault:filter_flipped", {}, setup);
  ASSERT_FALSE(observer.Start().has_value());
  const SuiteCase suite_case = TestCasesOf({line}).front();
  auto prepared = PrepareCase(suite_case.test_case, observer.capabilities());
  ASSERT_NE(prepared, nullptr);
  const Trial trial = TrialOf(0, std::move(prepared), observer.Observe(suite_case), observer.capabilities());
  ASSERT_TRUE(trial.failed);
  Hypothesis hypothesis(fault);
  const Call same = hypothesis.Run(*trial.prepared, kFirstPoison);
  const Call& seen = trial.behaviour.calls.front();
  EXPECT_EQ(SimilarityOf(trial, seen, same, observer.capabilities()), Similarity::kSame);
  const auto first_moved = [&](float by) {
    Call moved = same;
    float value = 0;
    std::memcpy(&value, moved.output.data(), sizeof value);
    value += by;
    std::memcpy(moved.output.data(), &value, sizeof value);
    return moved;
  };
  const auto bound = static_cast<float>(trial.largest_bound);
  EXPECT_EQ(SimilarityOf(trial, seen, first_moved(bound), observer.capabilities()), Similarity::kClose);
  EXPECT_EQ(SimilarityOf(trial, seen, first_moved(8 * bound), observer.capabilities()), Similarity::kNone);
  Hypothesis other(*faults::FindFault("pads_exchanged"));
  EXPECT_EQ(SimilarityOf(trial, seen, other.Run(*trial.prepared, kFirstPoison), observer.capabilities()),
            Similarity::kNone);
}

/// The trial of a case that a planted fault fails.
Trial TrialOfFault(const std::string& fault, const std::string& line) {
  ObservingJudge observer("fault:" + fault, {}, std::make_shared<TrialSetup>());
  EXPECT_FALSE(observer.Start().has_value()) << fault;
  const SuiteCase suite_case = TestCasesOf({line}).front();
  auto prepared = PrepareCase(suite_case.test_case, observer.capabilities());
  Trial trial = TrialOf(0, std::move(prepared), observer.Observe(suite_case), observer.capabilities());
  EXPECT_TRUE(trial.failed) << fault << ' ' << line;
  return trial;
}

/// The trials of a backend that are not explained yet, and what its declarations may excuse of them.
class Excuses : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(observer_.Start().has_value());
    evidence_.emplace(observer_.capabilities());
  }
  void Add(Trial trial) { left_.push_back(evidence_->Add(std::move(trial))); }
  std::vector<Excuse> Take() { return RemoveExcused({}, *evidence_, left_); }

  ObservingJudge observer_{"fault:none", {}, std::make_shared<TrialSetup>()};
  std::optional<Evidence> evidence_;
  std::vector<std::size_t> left_;
};

// f64 in f32 makes most wrong values, and an infinity. Another defect makes all other NaN.
TEST_F(Excuses, ADeclarationOfMostWrongValuesExcusesTheInfinityThatFitsIt) {
  const std::string in_f32 = "f64_operands_in_f32+f64_sums_in_f32";
  const std::string line = "ConvolutionBackpropData:type=f64:data=1,1,1:filter=1,1,1:strides=1:";
  for (const char* value : {"0.1", "0.2", "0.3"}) {
    Add(TrialOfFault(in_f32, line + "filter_values=1:data_values=" + value));
  }
  Add(TrialOfFault(in_f32, line + "filter_values=1:data_values=1e200"));
  for (const char* value : {"1", "2", "3"}) {
    Add(TrialOfFault("nan", line + "filter_values=1:data_values=" + value));
  }
  const std::vector<Excuse> excuses = Take();
  ASSERT_EQ(excuses.size(), 1U);
  EXPECT_EQ(excuses.front().meaning, "sums in f32");
  EXPECT_EQ(excuses.front().failures.size(), 4U);
  EXPECT_THAT(left_, testing::ElementsAre(4, 5, 6));
}

// The infinity fits, but one failure may fit by chance. Of ten wrong values, one fits.
TEST_F(Excuses, ASingleFailureOfASortExcusesNoOtherSort) {
  const std::string in_f32 = "f64_operands_in_f32+f64_sums_in_f32";
  const std::string line = "ConvolutionBackpropData:type=f64:data=1,1,1:filter=1,1,1:strides=1:filter_values=1:";
  const std::string dropped = "ConvolutionBackpropData:type=f64:data=1,1,1:filter=1,1,3:strides=1:filter_values=1,2,3:";
  Add(TrialOfFault(in_f32, line + "data_values=1e200"));
  Add(TrialOfFault(in_f32, line + "data_values=0.1"));
  for (int value = 1; value < 10; ++value) {
    Add(TrialOfFault("last_tap_dropped", dropped + "data_values=" + std::to_string(value)));
  }
  const std::vector<Excuse> excuses = Take();
  ASSERT_EQ(excuses.size(), 1U);
  EXPECT_EQ(excuses.front().failures.size(), 1U);
  EXPECT_EQ(left_.size(), 10U);
}

/// A case with an infinity that a zero of the strides makes a NaN, and a data element.
std::string CaseOfStructuralNan(const std::string& type, const std::string& value) {
  const std::string infinity = type == "f32" ? "0x7f800000" : type == "f16" ? "0x7c00" : "0x7f80";
  return fmt::format(
      "ConvolutionBackpropData:data=1,1,2:filter=1,2,1:type={}:strides=2:dilations=1:pads_begin=1:pads_end=0:"
      "data_values=1,{}:filter_values={},7",
      type, value, infinity);
}

// Zeros multiply in all types. A second defect of bf16 gives one more NaN, so that only four of five fit.
TEST_F(Excuses, ADeclarationThatNamesNoTypeExcusesTheFailuresOfOtherTypes) {
  for (const char* value : {"1", "2", "3"}) {
    Add(TrialOfFault("structural_zeros_multiply", CaseOfStructuralNan("f32", value)));
  }
  for (const char* value : {"1", "2", "3", "4"}) {
    Add(TrialOfFault("structural_zeros_multiply", CaseOfStructuralNan("bf16", value)));
  }
  Trial other = TrialOfFault("nan", CaseOfStructuralNan("bf16", "5"));
  other.behaviour.verdict.verdict.failure = FailureClass::kStructuralNan;
  Add(std::move(other));
  const std::vector<Excuse> excuses = Take();
  ASSERT_EQ(excuses.size(), 1U);
  EXPECT_EQ(excuses.front().meaning, "zeros that multiply");
  EXPECT_EQ(excuses.front().failures.size(), 7U);
  EXPECT_THAT(left_, testing::ElementsAre(7));
}

// Zeros multiply in f32, and f16 flushes subnormals. One failure of f16 needs both words, and another defect has the
// same class.
TEST_F(Excuses, DeclarationsThatExcuseOtherFailuresExcuseOneTogether) {
  const std::string flushed = "ConvolutionBackpropData:type=f16:data=1,1,1:filter=1,1,1:strides=1:filter_values=1:";
  for (const char* value : {"1", "2", "3"}) {
    Add(TrialOfFault("structural_zeros_multiply", CaseOfStructuralNan("f32", value)));
    Add(TrialOfFault("subnormals_flushed", flushed + "data_values=0x000" + value));
  }
  Add(TrialOfFault("structural_zeros_multiply+subnormals_flushed", CaseOfStructuralNan("f16", "0x0001")));
  Trial other = TrialOfFault("nan", CaseOfStructuralNan("f16", "5"));
  other.behaviour.verdict.verdict.failure = FailureClass::kStructuralNan;
  Add(std::move(other));
  EXPECT_EQ(Take().size(), 3U);
  EXPECT_THAT(left_, testing::ElementsAre(7));
}

// The backend refused a plan after a right first run. Its outputs fit every declaration.
TEST_F(Excuses, NoDeclarationExcusesARefusal) {
  const std::string line = "ConvolutionBackpropData:type=f64:data=1,1,1:filter=1,1,1:strides=1:filter_values=1:";
  for (const char* value : {"0.1", "0.2", "0.3"}) {
    Trial trial = TrialOfFault("f64_operands_in_f32+f64_sums_in_f32", line + "data_values=" + value);
    trial.behaviour.verdict.verdict.failure = FailureClass::kCannotDo;
    Add(std::move(trial));
  }
  EXPECT_TRUE(Take().empty());
  EXPECT_EQ(left_.size(), 3U);
}

// All outputs are right, and their bits differ from run to run.
TEST_F(Excuses, NoDeclarationExcusesRightOutputs) {
  for (const char* values : {"reals:seed=1", "reals:seed=2", "reals:seed=3"}) {
    Add(TrialOfFault(
        "second_call_reordered",
        std::string("ConvolutionBackpropData:data=1,17,5:filter=17,5,3:strides=2:dilations=1:values=") + values));
  }
  EXPECT_TRUE(Take().empty());
  EXPECT_EQ(left_.size(), 3U);
}

}  // namespace
}  // namespace conformance
