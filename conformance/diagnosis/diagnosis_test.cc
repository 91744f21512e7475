// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests diagnoses of backends with a planted fault: the diagnosis names this fault and no other, and every failure
// belongs to exactly one cause.

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/backends/worker/worker_process.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/find_causes.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/known_cases.h"
#include "conformance/diagnosis/measure.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/report/console.h"
#include "conformance/testing/diverse_cases.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Diagnosis Explained(const std::string& backend, const std::vector<CaseResult>& results,
                    const std::set<std::string_view>& without = {}) {
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {}, .budget = {}});
  if (const auto error = diagnoser.Observe()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return diagnoser.Explain(without);
}

std::vector<std::string> NamesOf(const Explanation& cause) {
  std::vector<std::string> names;
  for (const faults::Fault* fault : cause.hypotheses) names.emplace_back(fault->name);
  return names;
}

TEST(Diagnosis, NamesTheFaultOnAllFailures) {
  for (const std::string fault : {"filter_flipped", "same_upper_lower_exchanged", "pads_exchanged",
                                  "accepts_negative_pads", "output_padding_ignored", "strides_reversed"}) {
    const auto results = ResultsOf("fault:" + fault);
    const auto failures = static_cast<std::size_t>(std::ranges::count_if(
        results, [](const CaseResult& result) { return result.verdict.status == Status::kFail; }));
    ASSERT_NE(failures, 0U) << fault;
    const Diagnosis diagnosis = Explained("fault:" + fault, results);
    ASSERT_THAT(diagnosis.explanations, SizeIs(1)) << fault;
    const Explanation& cause = diagnosis.explanations.front();
    EXPECT_THAT(NamesOf(cause), Contains(fault));
    EXPECT_EQ(cause.failures.size(), failures) << fault;
    EXPECT_THAT(diagnosis.unexplained, IsEmpty()) << fault;
  }
}

// Cases of i8 are right, but another implementation ran them.
TEST(Diagnosis, NamesAFaultOfOneImplementation) {
  std::vector<std::string> lines;
  for (const char* kernel : {"2", "3", "4", "5", "2:type=i16", "3:type=i16", "3:type=i8", "4:type=i8"}) {
    lines.push_back(fmt::format("ConvTranspose:data=1,2,4:filter=2,3,{}:strides=2:dilations=1", kernel));
  }
  const Diagnosis diagnosis = Explained("fault:flips_but_dot_i8", ResultsOf("fault:flips_but_dot_i8", lines));
  ASSERT_THAT(diagnosis.explanations, SizeIs(1));
  EXPECT_THAT(NamesOf(diagnosis.explanations.front()), Contains("filter_flipped"));
}

TEST(Diagnosis, NamesFaultsThatNeedAWorker) {
  for (const std::string fault : {"writes_past_end", "keeps_filter", "restores_filter", "second_call_reordered"}) {
    const Diagnosis diagnosis = Explained("fault:" + fault, ResultsOf("fault:" + fault));
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), Contains(fault));
  }
}

// Each of these faults fails only cases that repeat runs.
TEST(Diagnosis, NamesFaultsThatOnlyRepeatedRunsShow) {
  const std::string line =
      "ConvTranspose:data=1,2,5,4:filter=2,3,3,3:strides=2,1:dilations=1,1:pads_begin=1,0:pads_end=0,0:repeat=";
  const std::pair<std::string, std::string> cases[] = {
      {"loses_open_file", "memory"}, {"wrong_with_three_threads", "threads"}, {"cache_lacks_strides", "turns"}};
  for (const auto& [fault, repetition] : cases) {
    const std::vector<CaseResult> results =
        ResultsOf("fault:" + fault, {line + repetition, line + repetition + ":type=f64"});
    ASSERT_EQ(results.front().verdict.status, Status::kFail) << fault;
    const Diagnosis diagnosis = Explained("fault:" + fault, results);
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), ElementsAre(fault));
  }
}

// Each of these faults leaves another part of the caller's state changed.
TEST(Diagnosis, ABrokenPartOfTheContractNamesOneFault) {
  for (const std::string fault : {"leaves_rounding_upward", "leaves_signals_blocked", "leaves_locale_changed"}) {
    const Diagnosis diagnosis = Explained("fault:" + fault, ResultsOf("fault:" + fault));
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), ElementsAre(fault));
  }
}

TEST(Diagnosis, PreparesNoCaseWithTooManyPositions) {
  const auto prepared_of = [](const char* line) {
    const auto parsed = ParseCaseLine(line);
    const auto backend = OpenBackend("oracle");
    return PrepareCase(std::get<Case>(parsed), std::get<std::unique_ptr<Backend>>(backend)->capabilities());
  };
  EXPECT_NE(prepared_of("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:dilations=100000:pads_begin=99999"), nullptr);
  EXPECT_EQ(
      prepared_of("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:dilations=1099511627776:pads_begin=1099511627775"),
      nullptr);
  EXPECT_EQ(prepared_of("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:strides=1099511627776:pads_end=1099511627775"),
            nullptr);
}

TEST(Diagnosis, ARightBackendGetsNoExplanation) {
  const Diagnosis diagnosis = Explained("fault:none", ResultsOf("fault:none"));
  EXPECT_THAT(diagnosis.explanations, IsEmpty());
  EXPECT_EQ(diagnosis.failures, 0U);
}

// A hypothesis that would fail a passing case is not named: "filter_flipped" would have failed where the stride is 2.
TEST(Diagnosis, WithoutTheFaultNamesNoOther) {
  for (const std::string fault : {"filter_flipped", "filter_flipped_at_stride_one"}) {
    EXPECT_THAT(Explained("fault:" + fault, ResultsOf("fault:" + fault), {fault}).explanations, IsEmpty()) << fault;
  }
}

TEST(Diagnosis, SaysWhatDoesNotFailAgain) {
  std::vector<CaseResult> results = ResultsOf("fault:none");
  results[2].verdict.status = Status::kFail;
  results[2].verdict.failure = FailureClass::kWrongValue;
  const Diagnosis diagnosis = Explained("fault:none", results);
  EXPECT_THAT(diagnosis.vanished, ElementsAre(2));
  const std::vector<Cause> causes = CausesOf(results, GroupByCause(results, diagnosis));
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, HasSubstr("but not each time"));
}

TEST(Causes, HoldEveryFailureOnce) {
  const auto results = ResultsOf("fault:pads_exchanged");
  const Diagnosis diagnosis = Explained("fault:pads_exchanged", results);
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].verdict.status == Status::kFail) failed.push_back(results[i].origin.case_index);
  }
  // The second diagnosis has run no case again.
  for (const Diagnosis& one : {diagnosis, Diagnosis{}}) {
    std::vector<std::size_t> placed;
    for (const Cause& cause : CausesOf(results, GroupByCause(results, one))) {
      EXPECT_THAT(cause.failures, Contains(cause.smallest));
      placed.insert(placed.end(), cause.failures.begin(), cause.failures.end());
    }
    std::ranges::sort(placed);
    EXPECT_EQ(placed, failed);
  }
}

TEST(Causes, LeaveExpectedFailuresOut) {
  auto results = ResultsOf("fault:pads_exchanged");
  std::size_t left = 0;
  bool first = true;
  for (CaseResult& result : results) {
    if (result.verdict.status != Status::kFail) continue;
    if (first) {
      result.verdict.known_failure = "known";
    } else {
      ++left;
    }
    first = false;
  }
  ASSERT_NE(left, 0U);
  const Diagnosis diagnosis = Explained("fault:pads_exchanged", results);
  EXPECT_EQ(diagnosis.failures, left);
  std::size_t placed = 0;
  for (const Cause& cause : CausesOf(results, GroupByCause(results, diagnosis))) placed += cause.failures.size();
  EXPECT_EQ(placed, left);
}

std::vector<Cause> CausesFound(const std::string& backend, const std::vector<CaseResult>& results) {
  FailureCauses found = FindCauses(results, {.backend = backend, .limits = {}, .seconds = 3600});
  EXPECT_EQ(found.not_looked_for, "");
  return std::move(found.causes);
}

std::vector<std::string> LinesWithChannels() {
  std::vector<std::string> lines = DiverseLines();
  for (const int channels : {5, 6, 7, 9, 10, 11, 8, 12, 4}) {
    lines.push_back("ConvolutionBackpropData:data=1," + std::to_string(channels) +
                    ",4:filter=" + std::to_string(channels) + ",2,3:strides=1:dilations=1");
  }
  return lines;
}

TEST(FindCauses, TellsTheConditionBesideTheFault) {
  const std::string backend = "fault:channel_tail_dropped";
  const std::vector<Cause> causes = CausesFound(backend, ResultsOf(backend, LinesWithChannels()));
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].condition, HasSubstr("input channels of a group"));
  EXPECT_THAT(causes[0].title, testing::StartsWith("wrong value where input channels of a group"));
  EXPECT_THAT(causes[0].details, Contains(HasSubstr("channel_tail_dropped")));
  EXPECT_THAT(causes[0].details, Contains(testing::StartsWith("tested on ")));
}

// Sums that overflow may have any value, so the backend fails with an infinite operand alone.
TEST(FindCauses, TellsAnInfiniteOperandFromAnOverflow) {
  std::vector<std::string> lines;
  for (int size = 3; size < 12; ++size) {
    for (const char* values : {"specials", "zeros", "overflow", "reals", "integers"}) {
      lines.push_back(
          fmt::format("ConvolutionBackpropData:data=2,3,{}:filter=3,2,4:strides=2:dilations=1:values={}:seed={}", size,
                      values, size));
    }
  }
  const std::string backend = "fault:f32_infinity_clamped";
  const std::vector<Cause> causes = CausesFound(backend, ResultsOf(backend, lines));
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].condition, HasSubstr("an infinite operand makes an output infinite"));
  EXPECT_THAT(causes[0].condition, Not(HasSubstr("bits of an operand")));
}

TEST(FindCauses, FindsTheConditionOfOneFailure) {
  const std::string backend = "fault:fails_in_several_words";
  std::vector<std::string> lines = DiverseLines();
  for (int size = 3; size < 20; ++size) {
    for (const int stride : {1, 2}) {
      lines.push_back(fmt::format("ConvolutionBackpropData:data=1,2,{}:filter=2,2,3:strides={}", size, stride));
    }
  }
  lines.push_back("ConvolutionBackpropData:data=1,2,5:filter=2,2,3:strides=3");
  std::vector<CaseResult> results = ResultsOf(backend, lines);
  const CaseResult failure = results.back();
  std::erase_if(results, [](const CaseResult& result) { return result.verdict.status == Status::kFail; });
  results.push_back(failure);
  const std::vector<Cause> causes = CausesFound(backend, results);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].failures, SizeIs(1));
  EXPECT_THAT(causes[0].title, testing::ContainsRegex("where .*stride.* >= 3"))
      << testing::PrintToString(causes[0].details);
}

TEST(FindCauses, TellsTwoDefectsApart) {
  std::vector<std::string> lines = LinesWithChannels();
  for (int size = 3; size < 12; ++size) {
    for (const char* word : {"same_upper", "same_lower"}) {
      lines.push_back("ConvolutionBackpropData:data=1,2," + std::to_string(size) +
                      ":filter=2,2,4:strides=2:dilations=1:pads_begin=0:pads_end=0:auto_pad=" + word +
                      ":output_shape=" + std::to_string(2 * size + 1));
    }
  }
  const std::string backend = "fault:channel_tail_dropped+same_upper_lower_exchanged";
  std::vector<std::string> names;
  for (const Cause& cause : CausesFound(backend, ResultsOf(backend, lines))) {
    names.insert(names.end(), cause.hypotheses.begin(), cause.hypotheses.end());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("channel_tail_dropped", "same_upper_lower_exchanged"));
}

TEST(FindCauses, NamesTheLimitThatIsNotDeclared) {
  std::vector<std::string> lines = DiverseLines();
  for (int size = 3; size < 20; ++size) {
    lines.push_back("ConvolutionBackpropData:data=1,2," + std::to_string(size) +
                    ":filter=2,2,3:strides=1:dilations=2:pads_begin=0:pads_end=0");
    lines.push_back("ConvolutionBackpropData:data=1,2," + std::to_string(size) +
                    ":filter=2,2,3:strides=1:dilations=1:pads_begin=0:pads_end=0");
  }
  const std::vector<Cause> causes = CausesFound("fault:refuses_dilation", ResultsOf("fault:refuses_dilation", lines));
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, testing::EndsWith("declare unsupported \"dilations\""));
}

// The backend has two defects, and each is told in two ways. The second words of each occur too rarely for a condition.
TEST(FindCauses, JoinsFailuresThatDifferInWordsAlone) {
  std::vector<std::string> lines = DiverseLines();
  const auto line = [](int batch, int size, int stride, int dilation) {
    return fmt::format("ConvolutionBackpropData:data={},2,{}:filter=2,2,3:strides={}:dilations={}", batch, size, stride,
                       dilation);
  };
  for (int size = 3; size < 20; ++size) {
    lines.push_back(line(1, size, 1, 1));
    lines.push_back(line(4, size, 2, 1));
    lines.push_back(line(1, size, 2, 2));
    lines.push_back(line(1, size, 3 + size % 2, 1));
  }
  lines.push_back(line(4, 5, 3, 1));
  lines.push_back(line(4, 6, 3, 1) + ":law=rank");
  lines.push_back("ConvolutionBackpropData:data=1,2,4,4:filter=2,2,3,3:strides=1,1:dilations=2,2");
  const std::string backend = "fault:fails_in_several_words";
  const std::vector<Cause> causes = CausesFound(backend, ResultsOf(backend, lines));
  std::string told;
  for (const Cause& cause : causes) told += cause.title + "\n";
  ASSERT_THAT(causes, SizeIs(2)) << told;
  EXPECT_THAT(told, HasSubstr("declare unsupported \"dilations\""));
  EXPECT_THAT(told, testing::ContainsRegex("stride.* >= 3"));
}

TEST(FindCauses, FindsTheSameTwice) {
  const std::string backend = "fault:channel_tail_dropped";
  const auto results = ResultsOf(backend, LinesWithChannels());
  EXPECT_EQ(CausesFound(backend, results).at(0).details, CausesFound(backend, results).at(0).details);
}

TEST(KnownCases, WaitForNoQuestionLong) {
  EXPECT_EQ(LimitsOfQuestions({.base_seconds = 10}, 0.001).base_seconds, 1);
  EXPECT_EQ(LimitsOfQuestions({.base_seconds = 10}, 0.2).base_seconds, 4);
  EXPECT_EQ(LimitsOfQuestions({.base_seconds = 0.5}, 0.2).base_seconds, 0.5);
}

TEST(Hypotheses, ValueFaultsAreTriedOnWrongValuesOnly) {
  EXPECT_TRUE(Hypothesis(*faults::FindFault("filter_flipped")).OnlyChangesValues());
  EXPECT_TRUE(Hypothesis(*faults::FindFault("bf16_truncated")).OnlyChangesValues());
  EXPECT_FALSE(Hypothesis(*faults::FindFault("output_padding_ignored")).OnlyChangesValues());
  EXPECT_FALSE(Hypothesis(*faults::FindFault("accepts_negative_pads")).OnlyChangesValues());
  EXPECT_FALSE(Hypothesis(*faults::FindFault("refuses_dilation")).OnlyChangesValues());
}

TEST(Causes, TellCausesInWords) {
  RunRecord run;
  run.backend = "fault:same_upper_lower_exchanged";
  run.results = ResultsOf(run.backend);
  run.causes = FindCauses(run.results, {.backend = run.backend, .limits = {}});
  const std::string text = CausesText(run);
  EXPECT_THAT(text, HasSubstr("1 cause of"));
  EXPECT_THAT(text, HasSubstr(std::string(faults::FindFault("same_upper_lower_exchanged")->sentence)));
  EXPECT_THAT(text, HasSubstr(std::string(ClassTitle("P1"))));
  EXPECT_THAT(text, HasSubstr("deconv-cts replay --backend fault:same_upper_lower_exchanged Conv"));
}

TEST(Classes, AllHaveTitles) {
  for (const faults::Fault& fault : faults::Faults()) {
    EXPECT_FALSE(ClassTitle(fault.mutant_class).empty()) << fault.mutant_class;
  }
}

TEST(Measurement, CountsWhatIsNamed) {
  const std::vector<const faults::Fault*> bank = {faults::FindFault("filter_flipped"),
                                                  faults::FindFault("accepts_negative_pads"),
                                                  faults::FindFault("crashes_on_many_outputs")};
  std::size_t calls = 0;
  const auto measured =
      MeasureDiagnosis(TestCasesOf(DiverseLines()), bank, 1, {}, [&](std::size_t done) { calls = done; });
  ASSERT_TRUE(std::holds_alternative<DiagnosisPower>(measured));
  const auto& power = std::get<DiagnosisPower>(measured);
  EXPECT_EQ(calls, 3U);
  EXPECT_EQ(power.Failing(), 2U);
  EXPECT_EQ(power.faults[2].failures, 0U);
  EXPECT_EQ(power.NamedPercent(), 100);
  EXPECT_FALSE(power.faults[0].misled);
}

TEST(Measurement, CountsPredictionsOfFaultsWithLearnableFailures) {
  DiagnosisPower power;
  power.faults.resize(4);
  power.faults[0].failures = power.faults[0].learned_from = 3;
  power.faults[0].predicted = true;
  power.faults[1].failures = power.faults[1].learned_from = 2;
  power.faults[2].failures = 1;
  power.faults[2].named = true;
  EXPECT_EQ(power.PredictedPercent(), 50);
  EXPECT_NEAR(power.NamedPercent(), 33.3, 0.1);
}

TEST(Measurement, AConditionPredictsIfItIsRightOnBothSides) {
  const Prediction good = {.inside = 100, .inside_right = 99, .outside = 100, .outside_right = 99};
  const Condition condition;
  EXPECT_TRUE(Predicts(condition, good));
  Prediction wrong = good;
  wrong.inside_right = 98;
  EXPECT_FALSE(Predicts(condition, wrong));
  Prediction few = good;
  few.outside = few.outside_right = 12;
  EXPECT_FALSE(Predicts(condition, few)) << "too few cases beyond the boundary say nothing";
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  const int served = conformance::ServeIfWorker({argv, static_cast<std::size_t>(argc)});
  if (served >= 0) return served;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
