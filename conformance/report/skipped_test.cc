// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that every report shows the cases that were not run. Cases may be skipped after hangs; then the run does not
// conform. The backend may not support cases; then the support map counts them by class of operators.

#include <span>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/facts.h"
#include "conformance/report/json.h"
#include "conformance/report/report_formats.h"
#include "conformance/report/summary.h"
#include "conformance/report/table.h"
#include "conformance/testing/test_cases.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::HasSubstr;

/// A run with a pass and two skipped cases. It lacks the cases that hung, so that only the skipped ones decide.
RunRecord SkippedRun() {
  RunRecord run;
  run.backend = "fault:hangs_sometimes";
  run.results = {PassOfTest("good"), PassOfTest("skipped-1"), PassOfTest("skipped-2")};
  for (std::size_t i = 1; i < 3; ++i) {
    run.results[i].verdict.status = Status::kSkippedAfterHangs;
    run.results[i].outputs.count = 0;
    run.results[i].verdict.message = "the run had hung 10 times";
  }
  Number(run);
  return run;
}

TEST(SkippedAfterHangs, DoesNotConform) {
  const RunRecord run = SkippedRun();
  EXPECT_EQ(SummaryOf(run).verdict, RunVerdict::kFails);
  EXPECT_EQ(SummaryOf(run).counts_text, "1 passed, 0 failed, 2 not run (2 of them because of hangs)");
}

TEST(SkippedAfterHangs, IsInEveryReport) {
  const RunRecord run = SkippedRun();
  const RunDescription description = DescriptionOfTest();
  const std::string json = JsonReport(SummariesOf({&run, 1}), description);
  EXPECT_THAT(json, HasSubstr(R"("status":"skipped-after-hangs")"));
  EXPECT_THAT(json, HasSubstr(R"("skipped_after_hangs":2)"));
  const auto read = ReadJsonReport(json);
  ASSERT_TRUE(std::holds_alternative<ReportContent>(read)) << std::get<std::string>(read);
  EXPECT_EQ(std::get<ReportContent>(read).runs.front().results[2].verdict.status, Status::kSkippedAfterHangs);

  EXPECT_THAT(JunitReport(SummariesOf({&run, 1}), description),
              HasSubstr("skipped-after-hangs: the run had hung 10 times"));
  EXPECT_THAT(MarkdownReport(SummariesOf({&run, 1}), description), HasSubstr("2 not run (2 of them because of hangs)"));
  const std::string sarif = SarifReport(SummariesOf({&run, 1}), description);
  EXPECT_THAT(sarif, HasSubstr(R"("ruleId": "skipped-after-hangs")"));
  EXPECT_THAT(sarif, HasSubstr(R"("name": "SkippedAfterHangs")"));
  EXPECT_THAT(HtmlReport(SummariesOf({&run, 1}), description), HasSubstr(R"("status":"skipped-after-hangs")"));
}

/// A run in which the backend supports three of four cases. `takes_resolved`: it computes from the suite's geometry.
RunRecord LimitedRun(bool takes_resolved) {
  RunRecord run;
  run.backend = "fault:limited";
  run.declared.operators = 3;
  run.declared.answers_supports = true;
  run.declared.takes_resolved = takes_resolved;
  for (const char* name : {"one", "two", "three", "grouped"}) {
    CaseResult& result = run.results.emplace_back(PassOfTest(name));
    result.judged.Set(
        TestCaseOf("ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=1:dilations=1:pads_begin=0:pads_end=0")
            .test_case);
    result.judged.dialect = "openvino-spec";
    result.judged.output_dims = {1, 1, 5};
  }
  run.results.back().judged.Set(
      TestCaseOf("GroupConvolutionBackpropData:data=1,2,3:filter=2,1,1,3:strides=1").test_case);
  run.results.back().verdict.status = Status::kUnsupported;
  run.results.back().outputs.count = 0;
  run.results.back().verdict.message = "only one group | <b>";
  Number(run);
  return run;
}

TEST(Unsupported, TheVerdictStatesTheShare) {
  EXPECT_EQ(SummaryOf(LimitedRun(false)).verdict, RunVerdict::kConforms);
  EXPECT_EQ(SummaryOf(LimitedRun(false)).verdict_text, "conforms on the 75 % of cases that it supports");
  RunRecord whole = LimitedRun(false);
  whole.results.pop_back();
  EXPECT_EQ(SummaryOf(whole).verdict_text, "conforms");
  RunRecord wrong = LimitedRun(false);
  wrong.results[0].verdict.status = Status::kFail;
  wrong.results[0].verdict.failure = FailureClass::kWrongValue;
  EXPECT_EQ(SummaryOf(wrong).verdict_text, "does not conform");
  wrong.results[0].verdict.known_failure = "known";
  EXPECT_EQ(SummaryOf(wrong).verdict, RunVerdict::kMeetsExpectations);
  EXPECT_EQ(SummaryOf(wrong).verdict_text, "meets its expectations on the 75 % of cases that it supports");
  wrong.stale_expectations = 1;
  EXPECT_EQ(SummaryOf(wrong).verdict_text, "has no unexpected failure, but its expectations are stale or expired");
}

TEST(Unsupported, IsATableOfKindsAndReasons) {
  const RunRecord run = LimitedRun(false);
  const SupportMap map = SupportMapOf(run.results, run.declared);
  const std::string text = TableText(SupportTable(map));
  EXPECT_THAT(text, HasSubstr("support: 3 of 4 cases of the declared operators (75 %)\n"));
  EXPECT_THAT(text, HasSubstr("  groups          above 1: 0 of 1\n"));
  EXPECT_EQ(TableText(SupportReasonTable(map)), "1 not supported: only one group | <b> (said when asked)\n");
  EXPECT_TRUE(SupportTable(SupportMapOf(std::span(run.results).first(3), run.declared)).empty());
}

TEST(Unsupported, IsInEveryReport) {
  const RunRecord run = LimitedRun(true);
  const RunDescription description = DescriptionOfTest();
  const std::string json = JsonReport(SummariesOf({&run, 1}), description);
  EXPECT_THAT(json, HasSubstr(R"("status":"unsupported")"));
  EXPECT_THAT(json, HasSubstr(R"({"record":"support","backend":"fault:limited","supported":3,"total":4)"));
  EXPECT_THAT(json, HasSubstr(R"("groups":{"1":{"supported":3,"total":3},"above 1":{"supported":0,"total":1}})"));
  EXPECT_THAT(json, HasSubstr(R"("unsupported":1)"));
  const auto read = ReadJsonReport(json);
  ASSERT_TRUE(std::holds_alternative<ReportContent>(read)) << std::get<std::string>(read);
  EXPECT_EQ(std::get<ReportContent>(read).runs.front().results[3].verdict.status, Status::kUnsupported);
  EXPECT_TRUE(std::get<ReportContent>(read).runs.front().declared.takes_resolved);

  EXPECT_THAT(JunitReport(SummariesOf({&run, 1}), description), HasSubstr("unsupported: only one group"));
  const std::string markdown = MarkdownReport(SummariesOf({&run, 1}), description);
  EXPECT_THAT(markdown, HasSubstr("conforms on the 75 % of cases that it supports"));
  EXPECT_THAT(markdown, HasSubstr("support: 3 of 4 cases of the declared operators (75 %)"));
  EXPECT_THAT(markdown, HasSubstr("| groups | above 1: 0 of 1 |"));
  EXPECT_THAT(markdown, HasSubstr("| 1 | not run | only one group &#124; &#60;b&#62; |"));
  EXPECT_THAT(markdown, HasSubstr("the resolution was the suite's and was not judged"));
  EXPECT_THAT(SarifReport(SummariesOf({&run, 1}), description),
              HasSubstr("conforms on the 75 % of cases that it supports"));
  const std::string html = HtmlReport(SummariesOf({&run, 1}), description);
  EXPECT_THAT(html, HasSubstr("support: 3 of 4 cases of the declared operators (75 %)"));
  EXPECT_THAT(html, HasSubstr(R"("only one group | \u003cb>")"));
  EXPECT_THAT(html, HasSubstr("the resolution was the suite's and was not judged"));
}

}  // namespace
}  // namespace conformance
