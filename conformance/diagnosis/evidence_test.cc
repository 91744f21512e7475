// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the evidence behind a diagnosis: which class failures point at by themselves, and how alike two answers are.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/class_evidence.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/likeness.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

/// A case that failed like this; nothing was run.
Trial FailureOf(std::size_t result, const std::string& line, FailureClass failure, const std::string& message = "") {
  Trial trial;
  trial.result = result;
  trial.prepared = std::make_unique<PreparedCase>();
  trial.prepared->test_case = TestCasesOf({line}).front().test_case;
  trial.behaviour.verdict.failure = failure;
  trial.behaviour.verdict.message = message;
  trial.failed = true;
  return trial;
}

TEST(ClassEvidenceTest, IsWhatMostFailuresPointAt) {
  const std::string plain = DiverseLines().front();
  const std::string empty = "ConvolutionBackpropData:data=0,1,3:filter=1,1,3:strides=1";
  const struct {
    std::string line;
    FailureClass failure;
    const char* message;
    const char* expected;
  } cases[] = {{plain, FailureClass::kAcceptedInvalid, "", "V1"},
               {plain, FailureClass::kModifiedInput, "", "M1"},
               {plain, FailureClass::kStructuralNan, "", "A39"},
               {plain, FailureClass::kWrongNan, "", "N2"},
               {plain, FailureClass::kAccumulator, "", "E1"},
               {plain, FailureClass::kHang, "", "R1"},
               {plain, FailureClass::kCrash, "killed by Floating point exception (8)", "Z1"},
               {plain, FailureClass::kCrash, "killed by Segmentation fault (11)", "M1"},
               {plain, FailureClass::kCrash, "exited with status 1", "R1"},
               {plain, FailureClass::kCrash, "killed by Aborted (6)", ""},
               {plain, FailureClass::kWrongValue, "likely cause: the output was not cleared, sums ...", "R2"},
               {plain, FailureClass::kWrongValue, "", ""},
               {empty, FailureClass::kWrongShape, "", "Z1"}};
  for (const auto& test : cases) {
    const Trial one = FailureOf(0, test.line, test.failure, test.message);
    const Trial other = FailureOf(1, plain, FailureClass::kUnwritten);
    const auto evidence = ClassEvidenceOf(std::vector<const Trial*>{&one, &other, &one}, {});
    EXPECT_EQ(evidence ? evidence->mutant_class : "", test.expected) << FailureClassNameOf(test.failure);
    EXPECT_EQ(ClassEvidenceOf(std::vector<const Trial*>{&one, &other}, {}), std::nullopt) << "half of them is not most";
  }
}

TEST(ClassEvidenceTest, NothingRightFromSomeCaseOnIsAnEarlierCallsDoing) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < 16; ++i)
    trials.push_back(FailureOf(i, DiverseLines().front(), FailureClass::kWrongValue));
  std::vector<const Trial*> early;
  std::vector<const Trial*> late;
  for (std::size_t i = 0; i < 16; ++i) (i < 8 ? early : late).push_back(&trials[i]);
  ASSERT_TRUE(ClassEvidenceOf(late, early).has_value());
  EXPECT_EQ(ClassEvidenceOf(late, early)->mutant_class, "R2");
  EXPECT_FALSE(ClassEvidenceOf(early, late).has_value());
  // A case that passed late in the run speaks against it, wherever it is among the passes.
  Trial last = FailureOf(20, DiverseLines().front(), FailureClass::kNone);
  early.insert(early.begin(), &last);
  EXPECT_FALSE(ClassEvidenceOf(late, early).has_value());
}

// A vendor's sums are rounded on their own way: what is within the bound of the fault's is the same, what is not, is
// not.
TEST(Likeness, AllowsForRounding) {
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
  EXPECT_EQ(LikenessOf(trial, seen, same, observer.capabilities()), Likeness::kSame);
  const auto first_moved = [&](float by) {
    Call moved = same;
    float value = 0;
    std::memcpy(&value, moved.output.data(), sizeof value);
    value += by;
    std::memcpy(moved.output.data(), &value, sizeof value);
    return moved;
  };
  const auto bound = static_cast<float>(trial.largest_bound);
  EXPECT_EQ(LikenessOf(trial, seen, first_moved(bound), observer.capabilities()), Likeness::kClose);
  EXPECT_EQ(LikenessOf(trial, seen, first_moved(8 * bound), observer.capabilities()), Likeness::kNone);
  Hypothesis other(*faults::FindFault("pads_exchanged"));
  EXPECT_EQ(LikenessOf(trial, seen, other.Run(*trial.prepared, kFirstPoison), observer.capabilities()),
            Likeness::kNone);
}

}  // namespace
}  // namespace conformance
