// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which failing cases of a fuzzing campaign are kept: a frequent failure hides no rare one, and the number of
// kept cases is limited. The backends have planted faults, known defects that a test backend has on purpose.
// "fault:A+B" is a backend with the faults A and B. Also tests which faults can be joined.

#include "fuzz/findings/kept_findings.h"

#include <algorithm>
#include <string>
#include <variant>

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/case_mutator.h"
#include "fuzz/findings/joined_faults.h"
#include "gtest/gtest.h"

namespace fuzz {
namespace {

using conformance::Case;

Settings SettingsFor(const std::string& backend) {
  Settings settings;
  settings.backend = backend;
  return settings;
}

Case CaseAt(const std::string& line) {
  const auto test_case = CaseOfText(line);
  EXPECT_TRUE(test_case) << line;
  return test_case.value_or(Case());
}

// The comparisons with known causes may take all of the time, so that no result depends on the machine.
constexpr double kAllOfTheTime = 1;

/// Judges cases one after the other on a backend, as a campaign does, and keeps findings.
class FindingsKeeper {
 public:
  explicit FindingsKeeper(const std::string& backend, std::vector<conformance::Expectation> expected = {})
      : settings_(SettingsFor(backend)), judge_(settings_), findings_(judge_, std::move(expected), kAllOfTheTime) {}

  /// Judges a case, and returns the findings that are kept because of it.
  std::vector<KeptFindings::Kept> JudgeAndKeep(const Case& test_case) {
    MarkFeatures(test_case);
    const JudgedInput judged = judge_.Judge(test_case);
    failed_ += judged.finding ? 1 : 0;
    auto kept = findings_.Add(test_case, judged);
    kept_ += kept.size();
    return kept;
  }
  /// Judges `count` drawn cases, and then the case `also`. Returns whether `also` is kept as an unexplained case.
  bool JudgeDrawn(int count, const std::string& also = "") {
    CaseMutator mutator(7);
    for (int i = 0; i < count; ++i) {
      if (const auto drawn = CaseOfText(mutator.Draw()); drawn && !IsTooLarge(*drawn)) JudgeAndKeep(*drawn);
    }
    if (also.empty()) return false;
    const auto kept = JudgeAndKeep(CaseAt(also));
    return std::ranges::any_of(kept, &KeptFindings::Kept::unexplained);
  }
  std::size_t failed() const { return failed_; }
  std::size_t kept() const { return kept_; }
  const NotKept& not_kept() const { return findings_.not_kept(); }

 private:
  Settings settings_;
  BackendJudge judge_;
  KeptFindings findings_;
  std::size_t failed_ = 0;
  std::size_t kept_ = 0;
};

// A rare case on which the planted fault "path_1d-k16s8_f32_batch2" acts: 1-D, kernel 16, stride 8, f32, at least two
// samples. The fault uses the data of the first sample for all samples.
constexpr const char* kRareCase = "ConvTranspose:data=2,1,3:filter=1,1,16:strides=8:pads_begin=1:pads_end=1:seed=3";

TEST(KeptFindings, ARareFailureIsNotHiddenByAFrequentOneThatAPlantedFaultExplains) {
  EXPECT_TRUE(FindingsKeeper("fault:filter_flipped+path_1d-k16s8_f32_batch2").JudgeDrawn(300, kRareCase));
  EXPECT_FALSE(FindingsKeeper("fault:filter_flipped").JudgeDrawn(300, kRareCase));
}

// The search does not try "two_defects" as a planted fault, so only smallest cases describe its causes. This backend
// fails with a stride of 3 or more, and also without pads. The rare case has a pad and a stride of 1.
TEST(KeptFindings, ARareFailureIsNotHiddenByAFrequentOneWithoutAPlantedFault) {
  const std::string rare = "ConvTranspose:data=3,1,4:filter=1,1,3:strides=1:pads_begin=1:pads_end=1:seed=3";
  EXPECT_TRUE(FindingsKeeper("fault:two_defects+path_1d-k3s1_f32_batch3").JudgeDrawn(300, rare));
  EXPECT_FALSE(FindingsKeeper("fault:two_defects").JudgeDrawn(300, rare));
}

// The filter is flipped on all cases, so the other planted faults alone never give the answer. "path_2d-k5s2_8bit" acts
// on 2-D operators of an 8-bit type with a kernel of 5 and a stride of 2. Twelve such cases come first. The rare case,
// on which "path_2d-k7s2_64bit" acts, has all features of the smallest of them but the element type.
TEST(KeptFindings, ARareFailureIsNotHiddenWhereTwoFaultsActAtOnce) {
  const std::string axes = "ConvolutionBackpropData:data=1,1,2,2:strides=2,2:filter=1,1,";
  const std::string rare = axes + "7,7:type=i64:seed=3";
  const auto is_kept = [&](const std::string& backend) {
    FindingsKeeper keeper(backend);
    keeper.JudgeDrawn(300);
    std::size_t examples = 0;
    for (int seed = 1; seed <= 12; ++seed) {
      const auto kept = keeper.JudgeAndKeep(CaseAt(axes + "5,5:type=i8:seed=" + std::to_string(seed)));
      examples += std::ranges::any_of(kept, &KeptFindings::Kept::unexplained) ? 1 : 0;
    }
    EXPECT_GE(examples, Explanations::kExamples);
    return keeper.JudgeDrawn(0, rare);
  };
  EXPECT_TRUE(is_kept("fault:filter_flipped+path_2d-k5s2_8bit+path_2d-k7s2_64bit"));
  EXPECT_FALSE(is_kept("fault:filter_flipped+path_2d-k5s2_8bit"));
}

// Of 800 drawn cases, 300 or more fail. That a fifth of them is explained by the cause and not kept is a loose bound.
TEST(KeptFindings, FewOfManyEqualFailuresAreKept) {
  FindingsKeeper keeper("fault:filter_flipped");
  keeper.JudgeDrawn(800);
  EXPECT_GT(keeper.failed(), 300U);
  EXPECT_GT(keeper.not_kept().explained, keeper.failed() / 5);
  EXPECT_GE(keeper.kept() + keeper.not_kept().all(), keeper.failed());  // a smaller case may be kept besides
}

TEST(KeptFindings, TheSameCaseIsCountedOnce) {
  FindingsKeeper keeper("fault:filter_flipped");
  const Case test_case = CaseAt("ConvTranspose:data=1,1,5:filter=1,1,3");
  EXPECT_FALSE(keeper.JudgeAndKeep(test_case).empty());
  EXPECT_TRUE(keeper.JudgeAndKeep(test_case).empty());
  EXPECT_EQ(keeper.not_kept().duplicates, 1U);
}

TEST(KeptFindings, KnownFailuresTakeNoPlace) {
  auto read = conformance::ReadExpectations(
      "[[expect]]\npattern = \"*:filter=1,1,3:*\"\nfailure = \"wrong-value\"\nreason = \"known\"\n");
  auto* const entries = std::get_if<std::vector<conformance::Expectation>>(&read);
  ASSERT_NE(entries, nullptr) << std::get<std::string>(read);
  FindingsKeeper keeper("fault:filter_flipped", *entries);
  EXPECT_TRUE(keeper.JudgeAndKeep(CaseAt("ConvTranspose:data=1,1,5:filter=1,1,3")).empty());
  EXPECT_EQ(keeper.not_kept().expected, 1U);
  EXPECT_FALSE(keeper.JudgeAndKeep(CaseAt("ConvTranspose:data=1,1,5:filter=1,1,4")).empty());
}

// Every 64th case (kGuardedEach) runs a second time in a worker process, whose buffers lie between guard pages.
TEST(KeptFindings, ReadsBehindABufferAreFoundWithoutIsolation) {
  FindingsKeeper keeper("fault:reads_past_end");
  keeper.JudgeDrawn(4 * BackendJudge::kGuardedEach);
  EXPECT_GT(keeper.kept(), 0U);
}

// The first two faults change the same step, the choice of filter elements for an output, so they cannot be joined. The
// third fault rounds the results, so it can be joined with either.
TEST(JoinedFaults, JoinsWhatCanBeJoinedAndNamesTheRest) {
  using conformance::faults::FindFault;
  const std::vector<const conformance::faults::Fault*> faults = {
      FindFault("last_phase_dropped"), FindFault("phase_starts_late"), FindFault("bf16_truncated")};
  JoinedFaults joined(faults);
  EXPECT_FALSE(joined.is_complete());
  ASSERT_EQ(joined.conflicts().size(), 1U);
  EXPECT_EQ(joined.conflicts().front().first, "phase_starts_late");
  EXPECT_EQ(joined.conflicts().front().second, "last_phase_dropped");
  EXPECT_TRUE(joined.Has(*faults[0]));
  EXPECT_FALSE(joined.Has(*faults[1]));
  EXPECT_TRUE(joined.Has(*faults[2]));
  EXPECT_EQ(joined.hypothesis().fault().name, "last_phase_dropped+bf16_truncated");
}

// The smallest case of a cause gets the type and the largest attributes of another case. This one passes with a stride
// of 2, so its cause does not explain cases with a stride of 2.
TEST(SmallestCase, HasNoEffectWhereItPasses) {
  SmallestCase smallest(CaseAt("ConvTranspose:data=1,1,1:filter=1,1,1:strides=1:pads_begin=0:pads_end=0"));
  std::size_t runs = 0;
  const auto fails_at_stride_one = [&runs](const Case& changed) {
    ++runs;
    return changed.op.strides == oracle::Dims{1};
  };
  EXPECT_FALSE(smallest.HasEffectOn(CaseAt("ConvTranspose:data=1,1,4:filter=1,1,3:strides=2"), fails_at_stride_one));
  EXPECT_TRUE(
      smallest.HasEffectOn(CaseAt("ConvTranspose:data=1,1,4:filter=1,1,3:type=f16:strides=1"), fails_at_stride_one));
  const std::size_t before = runs;
  EXPECT_FALSE(smallest.HasEffectOn(CaseAt("ConvTranspose:data=1,1,9:filter=1,1,3:strides=2"), fails_at_stride_one));
  EXPECT_EQ(runs, before);  // the answer is remembered
}

}  // namespace
}  // namespace fuzz
