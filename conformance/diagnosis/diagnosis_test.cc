// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests diagnoses of planted faults: the right fault is named, contradictions are counted, and every failure belongs to
// exactly one cause.

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/measure.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/report/causes_text.h"
#include "conformance/testing/diverse_cases.h"
#include "conformance/testing/test_cases.h"
#include "conformance/worker/worker_process.h"

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
  // Not a matter of time: what is to be found is found however slow the machine is.
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {}, .seconds = 3600});
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
    const auto failures = static_cast<std::size_t>(
        std::ranges::count_if(results, [](const CaseResult& result) { return result.status == Status::kFail; }));
    ASSERT_NE(failures, 0U) << fault;
    const Diagnosis diagnosis = Explained("fault:" + fault, results);
    ASSERT_THAT(diagnosis.explanations, SizeIs(1)) << fault;
    const Explanation& cause = diagnosis.explanations.front();
    EXPECT_TRUE(cause.reproduces) << fault;
    EXPECT_THAT(NamesOf(cause), Contains(fault));
    EXPECT_EQ(cause.failures.size(), failures) << fault;
    EXPECT_EQ(cause.contradictions, 0U) << fault;
    EXPECT_THAT(diagnosis.unexplained, IsEmpty()) << fault;
  }
}

TEST(Diagnosis, NamesWhatOnlyAWorkerSurvives) {
  for (const std::string fault : {"writes_past_end", "keeps_filter"}) {
    const Diagnosis diagnosis = Explained("fault:" + fault, ResultsOf("fault:" + fault));
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), Contains(fault));
  }
}

TEST(Diagnosis, LeavesAloneWhatAFaultWouldWalkForEver) {
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

TEST(Diagnosis, OfABackendThatIsRightHasNothingToSay) {
  const Diagnosis diagnosis = Explained("fault:none", ResultsOf("fault:none"));
  EXPECT_THAT(diagnosis.explanations, IsEmpty());
  EXPECT_EQ(diagnosis.failures, 0U);
}

TEST(Diagnosis, WithoutTheFaultNamesItsClass) {
  for (const std::string fault : {"filter_flipped", "writes_past_end"}) {
    const Diagnosis diagnosis = Explained("fault:" + fault, ResultsOf("fault:" + fault), {fault});
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), Not(Contains(fault)));
    EXPECT_EQ(diagnosis.explanations.front().mutant_class, faults::FindFault(fault)->mutant_class);
  }
}

// A hypothesis that reproduces every failure is still refuted by what passed.
TEST(Diagnosis, CountsWhatSpeaksAgainstIt) {
  std::vector<CaseResult> results = ResultsOf("fault:filter_flipped_at_stride_one");
  const Diagnosis with = Explained("fault:filter_flipped_at_stride_one", results);
  ASSERT_THAT(with.explanations, Not(IsEmpty()));
  EXPECT_THAT(NamesOf(with.explanations.front()), ElementsAre("filter_flipped_at_stride_one"));
  const Diagnosis without = Explained("fault:filter_flipped_at_stride_one", results, {"filter_flipped_at_stride_one"});
  ASSERT_THAT(without.explanations, Not(IsEmpty()));
  EXPECT_TRUE(std::ranges::none_of(without.explanations, [](const Explanation& cause) {
    return cause.hypotheses.front()->name == "filter_flipped" && cause.contradictions == 0;
  }));
}

TEST(Diagnosis, SaysWhatDoesNotFailAgain) {
  std::vector<CaseResult> results = ResultsOf("fault:none");
  results[2].status = Status::kFail;
  results[2].failure = FailureClass::kWrongValue;
  const Diagnosis diagnosis = Explained("fault:none", results);
  EXPECT_THAT(diagnosis.vanished, ElementsAre(2));
  const std::vector<Cause> causes = CausesOf(results, diagnosis).causes;
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, HasSubstr("passed when run again"));
}

TEST(Causes, HoldEveryFailureOnce) {
  const auto results = ResultsOf("fault:pads_exchanged");
  const Diagnosis diagnosis = Explained("fault:pads_exchanged", results);
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].status == Status::kFail) failed.push_back(results[i].place);
  }
  // Also where nothing was tried.
  for (const Diagnosis& one : {diagnosis, Diagnosis{}}) {
    std::vector<std::size_t> placed;
    for (const Cause& cause : CausesOf(results, one).causes) {
      EXPECT_THAT(cause.failures, Contains(cause.smallest));
      placed.insert(placed.end(), cause.failures.begin(), cause.failures.end());
    }
    std::ranges::sort(placed);
    EXPECT_EQ(placed, failed);
  }
}

TEST(Causes, TellCausesInWords) {
  const auto results = ResultsOf("fault:same_upper_lower_exchanged");
  const std::string text = CausesText(CausesOf(results, Explained("fault:same_upper_lower_exchanged", results)),
                                      results, "fault:same_upper_lower_exchanged");
  EXPECT_THAT(text, HasSubstr("causes: 1 for"));
  EXPECT_THAT(text, HasSubstr(std::string(faults::FindFault("same_upper_lower_exchanged")->sentence)));
  EXPECT_THAT(text, HasSubstr(std::string(ClassTitle("P1"))));
  EXPECT_THAT(text, HasSubstr("deconv-cts replay --backend fault:same_upper_lower_exchanged Conv"));
}

TEST(Classes, AllHaveTitles) {
  for (const faults::Fault& fault : faults::Faults()) {
    EXPECT_FALSE(ClassTitle(fault.mutant_class).empty()) << fault.mutant_class;
  }
}

TEST(Measurement, CountsWhatBecomesSmall) {
  const std::vector<const faults::Fault*> bank = {faults::FindFault("filter_flipped"),
                                                  faults::FindFault("crashes_on_many_outputs")};
  const auto measured = MeasureMinimize(TestCasesOf(DiverseLines()), bank, 1, {}, [](std::size_t) {});
  ASSERT_TRUE(std::holds_alternative<std::vector<MinimizedFault>>(measured));
  const auto& minimized = std::get<std::vector<MinimizedFault>>(measured);
  ASSERT_THAT(minimized, SizeIs(1));
  EXPECT_LE(minimized[0].axes, 2U);
  EXPECT_LE(minimized[0].non_zero_data, 4);
  MinimizedFault large = minimized[0];
  large.non_zero_data = 5;
  EXPECT_FALSE(large.good());
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
  EXPECT_TRUE(power.faults[0].class_named);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  const int served = conformance::ServeIfWorker({argv, static_cast<std::size_t>(argc)});
  if (served >= 0) return served;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
