// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the evidence behind a diagnosis: which class failures point at by themselves, and how alike two answers are.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/diagnosis/class_evidence.h"
#include "conformance/diagnosis/class_support.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/likeness.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/ranking.h"
#include "conformance/diagnosis/value_class.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

/// A case that failed like this; nothing was run.
Trial FailedCase(std::size_t result, const std::string& line, FailureClass failure, const std::string& message = "") {
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
    bool adds_to_old_contents = false;
    bool threads_differ = false;
  } cases[] = {{plain, FailureClass::kAcceptedInvalid, "", "V1"},
               {empty, FailureClass::kAcceptedInvalid, "", "V1"},
               {plain, FailureClass::kNondeterministic, "", "R2"},
               {plain, FailureClass::kNondeterministic, "", "R1", false, true},
               {plain, FailureClass::kModifiedInput, "", "M1"},
               {plain, FailureClass::kStructuralNan, "", "A39"},
               {plain, FailureClass::kWrongNan, "", "N2"},
               {plain, FailureClass::kAccumulator, "", "E1"},
               {plain, FailureClass::kHang, "", "R1"},
               {plain, FailureClass::kCrash, "killed by Floating point exception (8)", "Z1"},
               {plain, FailureClass::kCrash, "killed by Segmentation fault (11)", "M1"},
               {plain, FailureClass::kCrash, "exited with status 1", "R1"},
               {plain, FailureClass::kCrash, "killed by Aborted (6)", ""},
               {plain, FailureClass::kWrongValue, "", "R2", true},
               {plain, FailureClass::kWrongValue, "", ""},
               {empty, FailureClass::kWrongShape, "", "Z1"}};
  for (const auto& test : cases) {
    Trial one = FailedCase(0, test.line, test.failure, test.message);
    one.behaviour.verdict.facts.adds_to_old_contents = test.adds_to_old_contents;
    one.behaviour.verdict.facts.threads_differ = test.threads_differ;
    const Trial other = FailedCase(1, plain, FailureClass::kUnwritten);
    const auto evidence = ClassEvidenceOf(std::vector<const Trial*>{&one, &other, &one}, {});
    EXPECT_EQ(evidence ? evidence->mutant_class : "", test.expected) << FailureClassNameOf(test.failure);
    EXPECT_EQ(ClassEvidenceOf(std::vector<const Trial*>{&one, &other}, {}), std::nullopt) << "half of them is not most";
  }
}

TEST(ClassEvidenceTest, OverflowThatIsAcceptedIsOfIndices) {
  Trial trial = FailedCase(0, "ConvolutionBackpropData:data=1,1,4611686018427387904:filter=1,4,4:strides=1",
                           FailureClass::kAcceptedInvalid);
  trial.prepared->resolution = oracle::Resolve(trial.prepared->test_case.op, oracle::Dialect::kOpenvinoSpec);
  ASSERT_TRUE(trial.prepared->resolution.refusal.has_value());
  const auto evidence = ClassEvidenceOf(std::vector<const Trial*>{&trial}, {});
  EXPECT_EQ(evidence ? evidence->mutant_class : "", "I1");
}

TEST(ClassEvidenceTest, NothingRightFromSomeCaseOnIsAnEarlierCallsDoing) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < 16; ++i)
    trials.push_back(FailedCase(i, DiverseLines().front(), FailureClass::kWrongValue));
  std::vector<const Trial*> early;
  std::vector<const Trial*> late;
  for (std::size_t i = 0; i < 16; ++i) (i < 8 ? early : late).push_back(&trials[i]);
  ASSERT_TRUE(ClassEvidenceOf(late, early).has_value());
  EXPECT_EQ(ClassEvidenceOf(late, early)->mutant_class, "R2");
  EXPECT_FALSE(ClassEvidenceOf(early, late).has_value());
  // A case that passed late in the run speaks against it, wherever it is among the passes.
  Trial last = FailedCase(20, DiverseLines().front(), FailureClass::kNone);
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

/// A failure whose wrong outputs are those that `change` changed; it gets the exact sum and its bits.
template <class Change>
Trial WithOutputs(const std::string& line, const Change& change) {
  const auto backend = std::get<std::unique_ptr<Backend>>(OpenBackend("oracle"));
  Trial trial;
  trial.prepared = PrepareCase(TestCasesOf({line}).front().test_case, backend->capabilities());
  trial.failed = true;
  const oracle::Geometry& geometry = trial.prepared->geometry();
  const auto sums = trial.prepared->expected->Sums<oracle::FloatSum>({0, geometry.OutputCount()});
  Call& call = trial.behaviour.calls.emplace_back();
  for (const oracle::FloatSum& sum : sums) {
    const auto bits = static_cast<std::uint16_t>(change(sum));
    trial.wrong.push_back(bits != sum.bits);
    const auto* bytes = reinterpret_cast<const std::byte*>(&bits);
    call.output.insert(call.output.end(), bytes, bytes + sizeof bits);
  }
  return trial;
}

TEST(ClassOfValues, FollowsFromTheBits) {
  const std::string line = "ConvolutionBackpropData:data=1,3,9:filter=3,2,3:type=f16:strides=2:dilations=1:values=";
  constexpr std::uint64_t kInfinity = 0x7c00;
  const auto up = [](const oracle::FloatSum& sum) { return sum.bits + 1; };
  const auto both = [](const oracle::FloatSum& sum) { return sum.bits % 4 < 2 ? sum.bits + 1 : sum.bits - 1; };
  const auto down = [](const oracle::FloatSum& sum) { return sum.bits % 0x8000 == 0 ? sum.bits : sum.bits - 1; };
  const auto far = [](const oracle::FloatSum& sum) { return sum.bits ^ 0x40; };
  const auto infinite = [](const oracle::FloatSum&) { return kInfinity; };
  const auto flushed = [](const oracle::FloatSum& sum) { return (sum.bits & kInfinity) == 0 ? 0 : sum.bits; };
  const auto right = [](const oracle::FloatSum& sum) { return sum.bits; };
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "reals", up)), "N1");
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "reals", both)), "N1");
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "reals", down)), "E1");
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "reals", far)), "");
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "reals", infinite)), "N2");
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "subnormals", flushed)), "N3");
  EXPECT_EQ(ClassOfValues(WithOutputs(line + "reals", right)), "");
  // Taps of the second phase never meet.
  const std::string gaps = "ConvolutionBackpropData:data=1,1,4:filter=1,1,1:type=f16:strides=2:values=reals";
  const auto of_gaps = [](const oracle::FloatSum& sum) { return sum.taps == 0 ? sum.bits + 1 : sum.bits; };
  EXPECT_EQ(ClassOfValues(WithOutputs(gaps, of_gaps)), "N2");
}

TEST(ClassSupport, IsWhatFailuresHaveAndPassesLack) {
  const auto row = [](const std::string& line) {
    return FeaturesOf(TestCasesOf({line}).front().test_case, oracle::Dialect::kOpenvinoSpec);
  };
  const std::string plain = "ConvolutionBackpropData:data=1,1,4:filter=1,1,3:strides=2";
  const FeatureRow padded = row(plain + ":output_padding=1");
  const FeatureRow other = row(plain);
  ClassSupport support = SupportOfClasses(std::vector{padded, padded}, std::vector{other, other});
  EXPECT_EQ(support.at("O1"), 1);
  EXPECT_EQ(support.at("D1"), kAgainst);
  EXPECT_EQ(support.at("S2"), 0) << "all cases have a stride";
  support = SupportOfClasses(std::vector{padded, padded}, std::vector{other, padded});
  EXPECT_EQ(support.at("O1"), 0.5);
  // Each failure has one of the features of P2, and none of them is in all.
  const FeatureRow begin = row(plain + ":pads_begin=1:pads_end=0");
  const FeatureRow end = row(plain + ":pads_begin=0:pads_end=1");
  EXPECT_GE(SupportOfClasses(std::vector{begin, end}, std::vector{other}).at("P2"), 0);
  EXPECT_EQ(SupportOfClasses(std::vector{other}, std::vector{begin}).at("P2"), kAgainst);
  EXPECT_EQ(SupportOfClasses(std::vector{other}, std::vector{begin}).at("X1"), 0) << "X1 has other defects, too";
  support = SupportOfClasses(std::vector{padded, other}, std::vector{other});
  EXPECT_EQ(support.at("O1"), kAgainst) << "half of the failures have no output_padding";
}

TEST(LikeliestClass, FollowsSimilarityAndSupport) {
  Evidence evidence((Capabilities()));
  const auto ranked = [](double likeness, std::string_view name) {
    const auto found = std::ranges::find(faults::Faults(), name, &faults::Fault::name);
    return Ranked{likeness, static_cast<std::size_t>(found - faults::Faults().begin())};
  };
  const std::vector<Ranked> ranking = {ranked(0.2, "filter_flipped"), ranked(0.15, "output_padding_ignored")};
  const auto likeliest = [&](const ClassSupport& support) {
    return LikeliestClass(evidence, ranking, {}, {}, support);
  };
  EXPECT_EQ(likeliest({}), "K1");
  EXPECT_EQ(likeliest({{"K1", 0}, {"O1", 0}}), "K1");
  EXPECT_EQ(likeliest({{"O1", 0.5}}), "O1") << "the failures support it";
  EXPECT_EQ(likeliest({{"K1", kAgainst}}), "O1") << "the failures lack a feature that K1 needs";
  EXPECT_EQ(likeliest({{"D1", 1}}), "K1") << "no hypothesis of D1 is similar";
}

TEST(ClassSupport, NeedsFeaturesThatExist) {
  std::size_t needed = 0;
  for (const faults::Fault& fault : faults::Faults()) {
    for (const std::string_view name : FeaturesNeededBy(fault.mutant_class)) {
      const auto found = std::ranges::find(Features().whole, name, &Feature::name);
      ASSERT_NE(found, Features().whole.end()) << name;
      EXPECT_TRUE(found->kind == FeatureKind::kFlag || found->kind == FeatureKind::kSize) << name;
      ++needed;
    }
  }
  EXPECT_GT(needed, 100U);
}

}  // namespace
}  // namespace conformance
