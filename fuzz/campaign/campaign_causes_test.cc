// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the search for the causes of findings, the failing cases of a fuzzing campaign: which findings have one cause,
// which planted fault names a cause, their order, and what remains after an interruption. The backends have planted
// faults, defects that a test backend has on purpose. "fault:A+B" is a backend with the faults A and B.

#include "fuzz/campaign/campaign_causes.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "fuzz/campaign/fault_combinations.h"
#include "fuzz/campaign/judged_findings.h"
#include "gtest/gtest.h"

namespace fuzz {
namespace {

/// A finding with this case line and failure class.
FoundCase Found(const std::string& line, const std::string& failure) {
  return {.line = line, .failure = failure, .message = failure};
}

// Failing cases of two planted faults. filter_flipped gives wrong values; accepts_zero_stride, which has more cases,
// accepts invalid operators.
std::vector<FoundCase> TwoFaults() {
  std::vector<FoundCase> findings;
  for (int seed = 0; seed < 9; ++seed) {
    const std::string size = std::to_string(2 + seed);
    const std::string end = ":seed=" + std::to_string(seed);
    findings.push_back(Found("ConvTranspose:data=1,1," + size + ":filter=1,1,2:strides=0" + end, "accepted-invalid"));
    if (seed < 6) findings.push_back(Found("ConvTranspose:data=1,1," + size + ":filter=1,1,3" + end, "wrong-value"));
  }
  return findings;
}

constexpr const char* kTwoFaults = "fault:filter_flipped+accepts_zero_stride";

/// The causes of the findings. Fails the test if the backend cannot be started.
CampaignCauses CausesOf(const std::vector<FoundCase>& findings, const CauseOptions& options,
                        const CauseEvents& events = {}, const std::vector<std::string>& passing = {}) {
  auto found = FindCampaignCauses(findings, passing, options, events);
  if (const auto* error = std::get_if<conformance::BackendError>(&found)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<CampaignCauses>(std::move(found));
}

/// The names of the planted faults of all causes.
std::vector<std::string> NamedFaults(const CampaignCauses& causes) {
  std::vector<std::string> named;
  for (const CampaignCause& cause : causes.causes) {
    named.insert(named.end(), cause.hypotheses.begin(), cause.hypotheses.end());
  }
  return named;
}

/// 32 failures of filter_flipped and path_1d-k3s1_f32_batch3, a fault on 1-D f32 operators with kernel 3, stride 1 and
/// at least 3 samples. On the first 24 both faults act, so that no single planted fault gives these answers. On the
/// last 8 only filter_flipped acts.
std::vector<FoundCase> MostlyOfBothFaults() {
  std::vector<FoundCase> findings;
  for (int i = 0; i < 32; ++i) {
    const std::string of_both = fmt::format("ConvTranspose:data={},1,{}:filter=1,1,3:strides=1", 3 + i % 2, 2 + i / 2);
    const std::string of_one = fmt::format("ConvTranspose:data=1,1,{}:filter=1,1,{}:strides=2", 1 + i / 2, 2 + i % 2);
    findings.push_back(Found(i < 24 ? of_both : of_one, "wrong-value"));
  }
  return findings;
}

TEST(CampaignCauses, WrongValuesComeBeforeAcceptedInvalidOperators) {
  const CampaignCauses causes = CausesOf(TwoFaults(), {.backend = kTwoFaults});
  ASSERT_EQ(causes.causes.size(), 2U);
  EXPECT_EQ(causes.causes.front().failure, "wrong-value");
  EXPECT_EQ(causes.causes.back().failure, "accepted-invalid");
  EXPECT_GT(causes.causes.back().findings, causes.causes.front().findings);
}

TEST(CampaignCauses, TellsItsStepsAndEachCauseAtOnce) {
  std::vector<std::string> texts;
  const CauseEvents events = {
      .on_progress = [&](const std::string& step) { texts.push_back(step); },
      .on_cause = [&](const CampaignCause& cause) { texts.push_back("cause " + cause.failure); }};
  const CampaignCauses causes = CausesOf(TwoFaults(), {.backend = kTwoFaults}, events);
  const auto first_cause = std::ranges::find_if(texts, [](const auto& text) { return text.starts_with("cause "); });
  ASSERT_NE(first_cause, texts.end());
  EXPECT_NE(std::ranges::find(texts, "judging 15 of 15"), texts.end());
  // The other cause is minimized after the first one is reported.
  EXPECT_TRUE(std::any_of(first_cause, texts.end(), [](const auto& text) { return text.starts_with("minimizing"); }));
}

TEST(CampaignCauses, AnInterruptionLosesNoCause) {
  std::atomic<int> interrupt = 0;
  CauseOptions options{.backend = kTwoFaults};
  options.limits.interrupt = &interrupt;
  std::size_t reported = 0;
  const CauseEvents events = {.on_cause = [&](const CampaignCause&) {
    ++reported;
    interrupt = 2;  // the number of SIGINT; any number but 0 interrupts
  }};
  const CampaignCauses causes = CausesOf(TwoFaults(), options, events);
  EXPECT_FALSE(causes.complete);
  EXPECT_EQ(causes.causes.size(), 2U);
  EXPECT_EQ(reported, 2U);
}

// The first process of the backend loads for 5 s. If the time began before that, the 4 s in which findings are judged
// again would be over before the first case runs.
TEST(CampaignCauses, TheTimeBeginsWhenTheBackendHasLoaded) {
  const std::string mark = testing::TempDir() + "campaign_causes_loaded";
  std::filesystem::remove(mark);
  const std::string load = fmt::format("test -e '{0}' || {{ touch '{0}'; sleep 5; }}", mark);
  const std::string backend = fmt::format("cmd:{}; exec '{}' {}", load, DECONV_SERVER, kTwoFaults);
  const CampaignCauses causes = CausesOf(TwoFaults(), {.backend = backend, .diagnosis_seconds = 1});
  EXPECT_EQ(causes.causes.size(), 2U);
}

TEST(CampaignCauses, KnownFailuresAreNoCause) {
  auto read = conformance::ReadExpectations(
      "[[expect]]\npattern = \"*\"\ncause = \"filter_flipped\"\nfailure = \"wrong-value\"\nreason = \"known\"\n");
  auto* const entries = std::get_if<std::vector<conformance::Expectation>>(&read);
  ASSERT_NE(entries, nullptr) << std::get<std::string>(read);
  const CampaignCauses causes = CausesOf(TwoFaults(), {.backend = kTwoFaults, .expected = *entries});
  ASSERT_EQ(causes.causes.size(), 1U);
  EXPECT_EQ(causes.causes.front().failure, "accepted-invalid");
  EXPECT_EQ(causes.expected.size(), 6U);
}

// The backend keeps a plan for tensors of the same sizes. The second case has the sizes of an earlier case, but other
// dilations, so it gets a wrong plan.
TEST(CampaignCauses, AFailureThatNeedsAnEarlierCaseIsAPairOfCases) {
  const std::string failing = "ConvTranspose:data=2,1,3:filter=1,2,3:strides=1:dilations=2:seed=5";
  std::vector<std::string> earlier;
  for (int i = 1; i < 20; ++i) earlier.push_back("ConvTranspose:data=1,1," + std::to_string(i) + ":filter=1,1,1");
  earlier.insert(earlier.begin() + 7, "ConvTranspose:data=2,1,3:filter=1,2,3:strides=2:seed=9");
  const CampaignCauses causes =
      CausesOf({Found(failing, "wrong-value")},
               {.backend = "fault:keeps_plan_of_sizes", .earlier_cases = [&](const std::string&) { return earlier; }});
  ASSERT_EQ(causes.causes.size(), 1U);
  const CampaignCause& cause = causes.causes.front();
  EXPECT_EQ(cause.findings, 1U);
  ASSERT_EQ(cause.before.size(), 1U);
  EXPECT_EQ(cause.title, "fails only after another case in the same process; alone it passes");
  EXPECT_EQ(cause.before.front(), "ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:seed=9");
  EXPECT_EQ(cause.smallest, "ConvTranspose:data=1,1,3:filter=1,1,3:strides=1:dilations=2:seed=5");
  EXPECT_TRUE(causes.unconfirmed.empty());
}

// From its hundredth call on, the backend's process answers every case wrongly.
TEST(CampaignCauses, ACaseThatFailsOnlyInADamagedProcessIsNoCause) {
  std::vector<FoundCase> findings;
  for (int size = 1; size <= 80; ++size) {
    findings.push_back(Found("ConvTranspose:data=1,1," + std::to_string(size) + ":filter=1,1,3", "wrong-value"));
  }
  const CampaignCauses causes = CausesOf(findings, {.backend = "fault:hundredth_call_zero"});
  EXPECT_TRUE(causes.causes.empty());
  EXPECT_EQ(causes.unconfirmed.size(), findings.size());
}

// path_1d-k3s1_f32_batch3 is a fault on 1-D f32 operators with kernel 3, stride 1 and at least 3 samples. 15 cases are
// 2-D and 15 have a batch of 1: only filter_flipped acts on them. On the last 6 both faults act, so no single planted
// fault gives the backend's answer there.
TEST(CampaignCauses, AFaultThatActsOnlyBesideAnotherOneIsACause) {
  std::vector<FoundCase> findings;
  const auto add = [&](const std::string& line) { findings.push_back(Found(line, "wrong-value")); };
  for (int i = 0; i < 15; ++i) {
    add(fmt::format("ConvTranspose:data=1,2,{},3:filter=2,2,{},3:strides=1,{}", 2 + i, 2 + i % 3, 1 + i % 2));
  }
  for (int i = 15; i < 30; ++i) {
    add(fmt::format("ConvTranspose:data=1,1,{}:filter=1,1,{}:strides={}", 2 + i / 2, 2 + i % 3, 1 + i % 4));
  }
  for (int i = 30; i < 36; ++i) {
    add(fmt::format("ConvTranspose:data={},1,{}:filter=1,1,3:strides=1", 3 + i % 2, 2 + i / 2));
  }
  const CampaignCauses causes = CausesOf(findings, {.backend = "fault:filter_flipped+path_1d-k3s1_f32_batch3"});
  ASSERT_EQ(causes.causes.size(), 2U);
  for (const CampaignCause& cause : causes.causes) EXPECT_GE(cause.findings, 6U) << cause.title;
  const std::vector<std::string> named = NamedFaults(causes);
  EXPECT_NE(std::ranges::find(named, "filter_flipped"), named.end());
  EXPECT_NE(std::ranges::find(named, "path_1d-k3s1_f32_batch3"), named.end());
  // The smallest case of the second cause still needs the second fault.
  EXPECT_EQ(std::ranges::count_if(
                causes.causes,
                [](const CampaignCause& cause) { return cause.smallest.find("data=3,1,") != std::string::npos; }),
            1);
}

// Four faults act on the last case. Only all four together give the backend's answer to it, so it has no cause of its
// own, but counts for each of the four.
TEST(CampaignCauses, ACaseOnWhichFourFaultsActIsNoFifthCause) {
  std::vector<FoundCase> findings;
  for (int size = 2; size < 6; ++size) {
    for (const char* const rest :
         {"data=1,1,{}:filter=1,1,2:strides=2:output_padding=1", "data=1,1,{}:filter=1,1,5:strides=3",
          "data=1,1,{}:filter=1,1,2:auto_pad=SAME_LOWER", "data=1,4,{}:filter=4,1,2:groups=2"}) {
      findings.push_back(Found("ConvTranspose:" + fmt::format(fmt::runtime(rest), size), "wrong-value"));
    }
  }
  findings.push_back(
      Found("ConvTranspose:data=1,4,2:filter=4,1,3:strides=3:dilations=3:output_padding=1:auto_pad=SAME_LOWER:groups=2:"
            "dialect=onnx-22:values=zeros:seed=58874",
            "wrong-nan"));
  const CampaignCauses causes = CausesOf(
      findings, {.backend = "fault:one_axis_groups_misplaced+stride_three_tap_dropped+output_padding_unwritten+"
                            "same_lower_odd_at_other_side"});
  ASSERT_EQ(causes.causes.size(), 4U);
  std::size_t counted = 0;
  for (const CampaignCause& cause : causes.causes) {
    EXPECT_FALSE(cause.hypotheses.empty()) << cause.title;
    counted += cause.findings;
  }
  EXPECT_EQ(counted, findings.size() + 3);
}

// filter_flipped becomes the first cause, by the few failures of it alone. The other fault is then found beside it.
TEST(CampaignCauses, AFaultIsNamedAlthoughMostFailuresShowTwoFaults) {
  const CampaignCauses causes =
      CausesOf(MostlyOfBothFaults(), {.backend = "fault:filter_flipped+path_1d-k3s1_f32_batch3"});
  ASSERT_EQ(causes.causes.size(), 2U);
  const std::vector<std::string> named = NamedFaults(causes);
  EXPECT_NE(std::ranges::find(named, "filter_flipped"), named.end());
  EXPECT_NE(std::ranges::find(named, "path_1d-k3s1_f32_batch3"), named.end());
}

// Seventy refusals are smaller than all failures with wrong outputs. No single fault refuses these operators: one fault
// forgets pads_end, and the other one then refuses pads that differ.
TEST(CampaignCauses, AFaultIsNamedAlthoughManySmallerFailuresAreRefusals) {
  std::vector<FoundCase> findings;
  for (int i = 0; i < 70; ++i) {
    const std::string line = "ConvTranspose:data=1,1,3:filter=1,1,3:strides=1:dilations=1:pads_begin=1:pads_end=1";
    findings.push_back(Found(fmt::format("{}:seed={}", line, i), "wrong-refusal"));
  }
  for (const FoundCase& found : MostlyOfBothFaults()) findings.push_back(found);
  const std::string backend = "fault:filter_flipped+path_1d-k3s1_f32_batch3+refuses_asymmetric_pads+pads_end_ignored";
  const CampaignCauses causes = CausesOf(findings, {.backend = backend}, {}, {"ConvTranspose:data=1,1,4:filter=1,1,1"});
  ASSERT_EQ(causes.causes.size(), 3U);
  const std::vector<std::string> named = NamedFaults(causes);
  EXPECT_NE(std::ranges::find(named, "filter_flipped"), named.end());
  EXPECT_NE(std::ranges::find(named, "path_1d-k3s1_f32_batch3"), named.end());
  EXPECT_EQ(causes.causes.back().findings, 70U);
  EXPECT_TRUE(causes.causes.back().hypotheses.empty());
}

// With diagnosis_seconds = 0, no case is minimized. The failures still become different causes if they differ in kind,
// in type or in the words with which the backend refuses them (failure_family.h).
TEST(CampaignCauses, WithoutTimeFailuresOfDifferentSortsAreDifferentCauses) {
  std::vector<FoundCase> findings;
  for (int size = 2; size < 8; ++size) {
    const std::string line = fmt::format("ConvTranspose:data=1,1,{}:filter=1,1,3:strides=", size);
    findings.push_back(Found(line + "1:dilations=2", "wrong-refusal"));
    findings.push_back(Found(line + "2:type=f16", "wrong-value"));
  }
  findings.push_back(Found("ConvTranspose:data=1,1,4:filter=1,1,3", "wrong-value"));
  const CampaignCauses causes =
      CausesOf(findings, {.backend = "fault:filter_flipped+refuses_dilation", .diagnosis_seconds = 0});
  ASSERT_EQ(causes.causes.size(), 3U);
  EXPECT_EQ(causes.causes[0].title, "wrong value");
  EXPECT_EQ(causes.causes[0].findings, 6U);
  EXPECT_EQ(causes.causes[1].title, "wrong value");
  EXPECT_EQ(causes.causes[1].line, "ConvTranspose:data=1,1,4:filter=1,1,3");
  EXPECT_EQ(causes.causes[2].title, "refuses valid operators");
  EXPECT_EQ(causes.causes[2].findings, 6U);
}

// Wrong values of small integers hit every user, so their cause comes first. A backend may declare how it computes, and
// a declaration may excuse a failure. Failures that a declaration would excuse may be intended. So their cause comes
// last, although it has more failures.
TEST(CampaignCauses, FailuresThatNoDeclarationExcusesComeFirst) {
  std::vector<FoundCase> findings;
  for (int size = 2; size < 8; ++size) {
    const std::string line = fmt::format("ConvTranspose:data=1,1,{}:filter=1,1,3", size);
    findings.push_back(Found(line + ":type=bf16:values=reals", "wrong-value"));
  }
  findings.push_back(Found("ConvTranspose:data=1,1,4:filter=1,1,3:strides=3", "wrong-value"));
  const CampaignCauses causes = CausesOf(findings, {.backend = "fault:bf16_truncated+last_phase_dropped"});
  ASSERT_EQ(causes.causes.size(), 2U);
  EXPECT_EQ(causes.causes.front().findings, 1U);
  // "fits" begins the part of a message that names the excusing declaration.
  EXPECT_EQ(causes.causes.front().message.find("fits "), std::string::npos);
  EXPECT_NE(causes.causes.back().message.find("fits "), std::string::npos) << causes.causes.back().message;
}

// On this slow backend, a tenth of a second is not enough for all steps of the search.
TEST(CampaignCauses, TheEndOfTheTimeLosesNoCause) {
  const CampaignCauses causes =
      CausesOf(TwoFaults(), {.backend = "fault:filter_flipped+slow", .diagnosis_seconds = 0.1});
  EXPECT_TRUE(causes.out_of_time);
  EXPECT_FALSE(causes.causes.empty());
}

// The first run of an operator may be slow, because the backend may compile it. Such a case is no hang.
TEST(CampaignCauses, AHangIsJudgedAgainWithALongerLimit) {
  CauseOptions options{.backend = "fault:slow_at_first?ms=900"};
  options.limits.base_seconds = 0.4;
  const CampaignCauses causes = CausesOf({Found("ConvTranspose:data=1,1,2:filter=1,1,3", "hang")}, options);
  EXPECT_TRUE(causes.causes.empty());
  EXPECT_EQ(causes.unconfirmed.size(), 1U);
}

/// The causes that explain a simpler case in place of this one, which is too large for planted faults. Cause 0 is
/// `fault`, which the backend has.
std::vector<std::size_t> CausesInPlaceOf(const std::string& line, const std::string& fault = "filter_flipped") {
  const auto large = SuiteCaseOf("found", 0, line);
  if (!large) return {};
  FaultCombinations combinations("fault:" + fault, {});
  combinations.AddCause(fault);
  EXPECT_FALSE(combinations.IsSmall(large->test_case)) << line;
  const auto reduced = combinations.SmallFailingCaseLike(large->test_case, conformance::CauseKind::kWrongOutput);
  return reduced ? combinations.CausesExplaining(*reduced) : std::vector<std::size_t>();
}

// One change is not enough. With half of the data the case still has 40,950 outputs, and the small cases that one
// change gives pass.
TEST(Combinations, ALargeCaseIsReducedByTwoChanges) {
  EXPECT_EQ(CausesInPlaceOf("GroupConvolutionBackpropData:data=1,1,8191:filter=1,1,2,3:type=bf16:output_shape=40950:"
                            "strides=5:dilations=1:pads_begin=3:pads_end=0:dialect=openvino-runtime:values=specials:"
                            "seed=9581"),
            std::vector<std::size_t>({0}));
}

// The case fails with a wrong NaN, and the small cases that are tried in its place fail with a wrong value. Both are
// wrong outputs.
TEST(Combinations, AReducedCaseMayFailInAnotherClassOfItsKind) {
  EXPECT_EQ(CausesInPlaceOf("ConvolutionBackwardData:data=2,3,2:filter=5,3,2:strides=11000000:dilations=1:"
                            "pads_begin=11000000:pads_end=11000000:dst_shape=2,5,3:values=zeros"),
            std::vector<std::size_t>({0}));
}

// The fault acts only if the output width is 127 modulo 128. Of the simpler cases, only those with kernel 2 have such a
// width. Most small cases result from several pairs of changes, and only a limited number is run.
TEST(Combinations, ASmallCaseToWhichSeveralPathsLeadCountsOnce) {
  EXPECT_EQ(CausesInPlaceOf("ConvTranspose:data=1,1,8443:filter=1,1,3", "width_of_127_last_zero"),
            std::vector<std::size_t>({0}));
}

// Small findings go first, because planted faults are tried on small cases only. Findings that no known cause explained
// also go first, because they may have a new cause.
TEST(ChosenFindings, UnexplainedAndSmallOnesGoFirst) {
  std::vector<FoundCase> findings;
  for (const int size : {9, 2, 7, 3, 8}) {
    findings.push_back(Found("ConvTranspose:data=1,1," + std::to_string(size) + ":filter=1,1,3", "wrong-value"));
  }
  findings.push_back(Found("ConvTranspose:data=1,1,30:filter=1,1,3", "wrong-value"));
  findings.back().unexplained = true;
  findings.push_back(Found("nonsense", "wrong-value"));
  const ChosenFindings chosen = ChooseFindings(findings, 4);
  ASSERT_EQ(chosen.findings.size(), 4U);
  EXPECT_EQ(chosen.findings[0].line, "ConvTranspose:data=1,1,30:filter=1,1,3");
  EXPECT_EQ(chosen.findings[1].line, "ConvTranspose:data=1,1,2:filter=1,1,3");
  EXPECT_EQ(chosen.findings[2].line, "ConvTranspose:data=1,1,3:filter=1,1,3");
  EXPECT_EQ(chosen.unreadable, 1U);
}

// There are five findings of each of three kinds, the hangs oldest. Only two hangs (kMostHangs) are chosen, because
// each takes its whole time limit.
TEST(ChosenFindings, KindsTakeTurnsAndFewAreHangs) {
  std::vector<FoundCase> findings;
  for (const char* failure : {"hang", "wrong-value", "crash"}) {
    for (int size = 1; size <= 5; ++size) {
      findings.push_back(Found("ConvTranspose:data=1,1," + std::to_string(size) + ":filter=1,1,3", failure));
      findings.back().line += std::string(":seed=") + std::to_string(findings.size());
    }
  }
  const ChosenFindings chosen = ChooseFindings(findings, 100);
  std::vector<std::string> classes;
  for (const FoundCase& found : chosen.findings) classes.push_back(found.failure);
  ASSERT_EQ(classes.size(), 2 * 5 + kMostHangs);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(classes, "hang")), kMostHangs);
  const std::vector<std::string> turn = {"crash", "wrong-value", "hang"};  // the kind of the newest finding is first
  EXPECT_EQ(std::vector(classes.begin(), classes.begin() + 3), turn);
  EXPECT_EQ(std::vector(classes.begin() + 3, classes.begin() + 6), turn);
  EXPECT_EQ(chosen.different, findings.size());
}

}  // namespace
}  // namespace fuzz
