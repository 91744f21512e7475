// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the texts of the tables that describe a run, and that the JSON report keeps the numbers behind them. Also tests
// the comparison of several backends.

#include "conformance/report/facts.h"

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/diff.h"
#include "conformance/report/json.h"
#include "conformance/report/table.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// All facts of a run as a console shows them.
std::string TextOf(const RunRecord& run) {
  std::string text;
  for (const Table& table : FactsOf(SummaryOf(run))) text += TableText(table, run.backend);
  return text;
}

TEST(Facts, HaveRowsThatFitTheirColumns) {
  for (const RunRecord& run : {PlainRecord(), EveryFailure(), EveryWarning()}) {
    for (const Table& table : FactsOf(SummaryOf(run))) {
      for (const auto& row : table.rows) {
        EXPECT_THAT(row, SizeIs(table.columns.empty() ? table.rows.front().size() : table.columns.size()));
      }
    }
  }
}

TEST(Facts, NameEachFailureClassWithItsMeaning) {
  const std::string text = TextOf(EveryFailure());
  for (const FailureClassName& entry : kFailureClasses) {
    EXPECT_THAT(text, HasSubstr("1 " + std::string(entry.name) + ": " + std::string(entry.sentence) + '\n'));
  }
}

TEST(Facts, CountFailuresByImplementation) {
  RunRecord record = PlainRecord();  // a pass, a failure, and a case that was not run
  record.results[0].answer.implementation = "gemm";
  EXPECT_THAT(TextOf(record), Not(HasSubstr("failures by implementation"))) << "one name says nothing";
  record.results[1].answer.implementation = "winograd";
  EXPECT_THAT(TextOf(record), HasSubstr("failures by implementation"));
  for (const Table& table : FactsOf(SummaryOf(record))) {
    if (table.title != "failures by implementation") continue;
    EXPECT_THAT(table.rows, ElementsAre(ElementsAre("winograd", "1", "1"), ElementsAre("gemm", "0", "1")));
  }
  record.results[1].verdict.status = Status::kPass;
  EXPECT_THAT(TextOf(record), Not(HasSubstr("failures by implementation"))) << "nothing failed";
}

TEST(Facts, CountExpectedFailuresOnlyWhereThereAreSome) {
  EXPECT_THAT(TextOf(EveryFailure()), Not(HasSubstr("expected  not run")));
  EXPECT_THAT(TextOf(EveryWarning()), HasSubstr("suite             passed  warned  failed  expected  not run"));
  EXPECT_THAT(TextOf(EveryWarning()), HasSubstr("attributes             1       2       1         1        1"));
}

TEST(Facts, ShowWarningsWithTheirCases) {
  const std::string text = TextOf(EveryWarning());
  EXPECT_THAT(text, HasSubstr("1 imprecise: Every output is right, but"));
  EXPECT_THAT(text,
              HasSubstr("     attributes/imprecise: probable up to 1e-6\n     replay: deconv-cts replay --backend "));
  EXPECT_THAT(text, HasSubstr("1 vacuous: "));
  EXPECT_THAT(text, HasSubstr("1 not run: rank 6 | (declared: 3 to 5)\n"));
}

TEST(Facts, CountTheOperatorsThatSweepsSkipped) {
  RunRecord record = PlainRecord();
  EXPECT_THAT(TextOf(record), Not(HasSubstr("sweeps: ")));
  record.results[0].sweep.judged = 7;
  record.results[0].outputs.count = 9;
  EXPECT_THAT(TextOf(record), HasSubstr("sweeps: 7 operators, 9 outputs\n"));
  record.results[1].sweep.skipped = 5;
  EXPECT_THAT(TextOf(record),
              HasSubstr("sweeps: 7 operators, 9 outputs; 5 operators skipped that the backend cannot do\n"));
}

TEST(Facts, WarnWhereMemoryLeavesMuchOut) {
  RunRecord record = PlainRecord();
  EXPECT_THAT(TextOf(record), Not(HasSubstr("--memory")));
  record.results[2].verdict.status = Status::kTooLarge;
  EXPECT_THAT(TextOf(record), HasSubstr("warning: 1 of 3 cases need more than --memory, --work or --budget allows"));
}

TEST(Facts, SayWhichDialectTheAnswersFit) {
  RunRecord record = PlainRecord();
  EXPECT_THAT(TextOf(record), Not(HasSubstr("deciding")));
  record.results[0].judged.dialect = "openvino-spec";
  record.results[0].answer.fits = std::vector<std::string>{"openvino-spec"};
  EXPECT_THAT(TextOf(record), HasSubstr("  openvino-spec        1               1\n(a deciding case "));
  record.results[0].answer.fits = std::vector<std::string>{"openvino-runtime"};
  EXPECT_THAT(TextOf(record), HasSubstr("  openvino-spec        0               1  openvino-runtime: 1\n"));
}

TEST(Facts, SayWhatTheBackendDoesAtOpenPoints) {
  RunRecord record = PlainRecord();
  record.results[0].answer.choices = {{"A6", "absent strides", false}, {"S8", "a batch of 0", true}};
  record.results[1].answer.choices = {{"S8", "a batch of 0", false}};
  EXPECT_THAT(TextOf(record),
              HasSubstr("at open points the backend refuses: absent strides (A6)\n"
                        "at open points the backend computes some cases and refuses others: a batch of 0 (S8)\n"));
  record.results[1].answer.choices = {{"S8", "0 input channels", true}};
  EXPECT_THAT(TextOf(record), HasSubstr("the backend computes: a batch of 0 (S8), 0 input channels (S8)\n"));
}

TEST(Causes, HaveTheSmallestCase) {
  RunRecord run = EveryFailure();
  run.causes->causes[0].smallest = 3;
  const std::vector<Table> causes = CauseTables(run);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, HasSubstr("1. " + kFailures + " failures: the answer is "));
  EXPECT_THAT(causes[0].notes, ElementsAre(HasSubstr("issues/2"), HasSubstr("1 of the failures were not run again"),
                                           "the smallest failing case:"));
  ASSERT_THAT(causes[0].cases, SizeIs(1));
  EXPECT_EQ(causes[0].cases.front()->origin.case_index, 3U);
  run.causes->not_looked_for = "no time";
  EXPECT_EQ(CausesHeadline(run), "not looked for: no time");
  run.causes.reset();
  EXPECT_EQ(CausesHeadline(run), "");
}

/// A run whose right case would have needed a tolerance of `ulps` ulp, and whose wrong case 1000 ulp.
RunRecord RunNeeding(double ulps) {
  RunRecord record = PlainRecord();
  record.results[0].outputs.needed = NeededTolerance{.type = oracle::ElementType::kF32,
                                                     .rtol = ulps * 0x1p-23,
                                                     .atol = 3,
                                                     .atol_beside = 0.5,
                                                     .ulps = ulps,
                                                     .outputs = 10,
                                                     .cancelling = 4};
  record.results[1].outputs.needed = record.results[0].outputs.needed;
  record.results[1].outputs.needed->ulps = 1000;
  return record;
}

TEST(Needed, IsTheLargestOfEachTypeAndOfFailuresApart) {
  RunRecord record = RunNeeding(2);
  record.results[2].outputs.needed = record.results[0].outputs.needed;
  record.results[2].outputs.needed->rtol = 0.25;
  const std::vector<ToleranceOfType> needed = NeededByType(record);
  ASSERT_THAT(needed, SizeIs(2));
  EXPECT_TRUE(needed[0].right);
  EXPECT_EQ(needed[0].needed.rtol, 0.25);
  EXPECT_EQ(needed[0].needed.ulps, 2);
  EXPECT_EQ(needed[0].needed.outputs, 20);
  EXPECT_FALSE(needed[1].right);
  EXPECT_EQ(needed[1].needed.ulps, 1000);
  const std::vector<Table> facts = FactsOf(SummaryOf(record));
  EXPECT_THAT(facts[facts.size() - 1].rows,
              ElementsAre(ElementsAre("f32", "0.25", "2", "0.5", "3", "20", "8", "right"),
                          ElementsAre("f32", "2.4e-07", "1000", "0.5", "3", "10", "4", "failed")));
}

TEST(Needed, IsKeptByTheJsonReport) {
  const CaseResult before = RunNeeding(2).results[0];
  const auto after = CaseFromJson(nlohmann::json::parse(CaseToJson(before).dump()));
  ASSERT_TRUE(std::holds_alternative<CaseResult>(after)) << std::get<std::string>(after);
  const auto& needed = std::get<CaseResult>(after).outputs.needed;
  ASSERT_TRUE(needed);
  EXPECT_EQ(NeededToJson(*needed), NeededToJson(*before.outputs.needed));
  nlohmann::json wrong = nlohmann::json::parse(CaseToJson(before).dump());
  wrong["needed"]["type"] = "i8";
  EXPECT_TRUE(std::holds_alternative<std::string>(CaseFromJson(wrong)));
}

TEST(Needed, ThatHasGrownIsADifference) {
  const auto text = [](double before, double now) {
    ReportContent old_report;
    old_report.runs = {RunNeeding(before)};
    ReportContent new_report;
    new_report.runs = {RunNeeding(now)};
    const auto diff = DiffReports(old_report, new_report);
    return DiffText(std::get<ReportDiff>(diff));
  };
  EXPECT_THAT(text(2, 5), HasSubstr("tolerance: f32 needed rtol 6e-07 (5 ulp); before: rtol 2.4e-07 (2 ulp)"));
  EXPECT_THAT(text(2, 4), Not(HasSubstr("tolerance")));
  EXPECT_THAT(text(5, 2), Not(HasSubstr("tolerance")));
}

/// The table of the cases on which the backends of the runs differ. It compares only verdicts on the same case, and
/// ignores cases that a backend did not run.
Table DifferingCases(const std::vector<RunRecord>& runs) { return ComparisonTables(SummariesOf(runs)).back(); }

TEST(Comparison, CountsBySuite) {
  std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  EXPECT_THAT(ComparisonTables(SummariesOf({runs.data(), 1})), IsEmpty());
  EXPECT_THAT(ComparisonTables({}), IsEmpty());
  runs[1].results[4].origin.suite = "layers";
  EXPECT_THAT(ComparisonTables(SummariesOf(runs))[0].rows,
              ElementsAre(ElementsAre("attributes", "1/" + kFailures + "/0", "3/1/0"),
                          ElementsAre("layers", "0/0/0", "0/0/1")));
}

TEST(Comparison, FindsTheCasesOnWhichBackendsDiffer) {
  const std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  EXPECT_EQ(DifferingCases(runs).title, "the backends differ on 0 of the 2 cases on which at least two were judged")
      << "both fail in the same class, whether it was expected or not";
  std::vector<RunRecord> others = runs;
  CaseResult& other = others[1].results[1];
  other.verdict.failure = FailureClass::kCrash;
  EXPECT_THAT(DifferingCases(others).title, HasSubstr("differ on 1 of the 2 cases"));
  EXPECT_THAT(DifferingCases(others).rows,
              ElementsAre(ElementsAre("attributes/bad-wrong-value", "wrong-value", "crash")));
  other.verdict.status = Status::kImprecise;
  EXPECT_THAT(DifferingCases(others).rows,
              ElementsAre(ElementsAre("attributes/bad-wrong-value", "wrong-value", "imprecise")));
  other.verdict.status = Status::kUndeclared;
  EXPECT_EQ(DifferingCases(others).title, "the backends differ on 0 of the 1 cases on which at least two were judged")
      << "what was not judged is no difference";
  other = runs[0].results[0];
  other.judged.line = "another case of this name";
  EXPECT_THAT(DifferingCases(others).rows, IsEmpty());
  others[0].results.clear();
  EXPECT_EQ(DifferingCases(others).title, "no case was judged on more than one backend");
}

}  // namespace
}  // namespace conformance
