// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that every report shows the cases that were skipped after hangs, and that such a run does not conform.

#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/html.h"
#include "conformance/report/json.h"
#include "conformance/report/json_reader.h"
#include "conformance/report/junit.h"
#include "conformance/report/markdown.h"
#include "conformance/report/sarif.h"
#include "conformance/report/summary.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::HasSubstr;

/// A pass and two skipped cases. The hangs themselves are left out, so that nothing else decides.
RunRecord SkippedRun() {
  RunRecord run;
  run.backend = "fault:hangs_sometimes";
  run.results = {PassOfTest("good"), PassOfTest("skipped-1"), PassOfTest("skipped-2")};
  for (std::size_t i = 1; i < 3; ++i) {
    run.results[i].status = Status::kSkippedAfterHangs;
    run.results[i].outputs = 0;
    run.results[i].message = "the run had hung 10 times";
  }
  Number(run);
  return run;
}

TEST(SkippedAfterHangs, DoesNotConform) {
  const RunRecord run = SkippedRun();
  EXPECT_EQ(VerdictOf(run), Verdict::kFails);
  EXPECT_EQ(CountsText(run), "1 passed, 0 failed, 2 not run (2 of them because of hangs)");
}

TEST(SkippedAfterHangs, IsInEveryReport) {
  const RunRecord run = SkippedRun();
  const RunDescription description = DescriptionOfTest();
  const std::string json = JsonReport({&run, 1}, description);
  EXPECT_THAT(json, HasSubstr(R"("status":"skipped-after-hangs")"));
  EXPECT_THAT(json, HasSubstr(R"("skipped_after_hangs":2)"));
  const auto read = ReadJsonReport(json);
  ASSERT_TRUE(std::holds_alternative<ReportContent>(read)) << std::get<std::string>(read);
  EXPECT_EQ(std::get<ReportContent>(read).runs.front().results[2].status, Status::kSkippedAfterHangs);

  EXPECT_THAT(JunitReport({&run, 1}, description), HasSubstr("skipped-after-hangs: the run had hung 10 times"));
  EXPECT_THAT(MarkdownReport({&run, 1}, description), HasSubstr("2 not run (2 of them because of hangs)"));
  const std::string sarif = SarifReport({&run, 1}, description);
  EXPECT_THAT(sarif, HasSubstr(R"("ruleId": "skipped-after-hangs")"));
  EXPECT_THAT(sarif, HasSubstr(R"("name": "SkippedAfterHangs")"));
  EXPECT_THAT(HtmlReport({&run, 1}, description), HasSubstr(R"("name":"skipped-after-hangs")"));
}

}  // namespace
}  // namespace conformance
