// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that reports keep the tolerance that outputs needed, and take the largest of each type.

#include "conformance/report/needed_text.h"

#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/diff.h"
#include "conformance/report/diff_text.h"
#include "conformance/report/markdown.h"
#include "conformance/report/plain_record.h"
#include "conformance/report/record.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

RunRecord RunNeeding(double ulps) {
  RunRecord record = PlainRecord();
  record.results[0].needed = NeededTolerance{.type = oracle::ElementType::kF32,
                                             .rtol = ulps * 0x1p-23,
                                             .atol = 3,
                                             .atol_beside = 0.5,
                                             .ulps = ulps,
                                             .outputs = 10,
                                             .cancelling = 4};
  record.results[1].needed = record.results[0].needed;
  record.results[1].needed->ulps = 1000;
  return record;
}

TEST(Needed, IsTheLargestOfEachTypeAndOfFailuresApart) {
  RunRecord record = RunNeeding(2);
  record.results[2].needed = record.results[0].needed;
  record.results[2].needed->rtol = 0.25;
  const std::vector<NeededOfType> needed = NeededByType(record);
  ASSERT_THAT(needed, SizeIs(2));
  EXPECT_TRUE(needed[0].right);
  EXPECT_EQ(needed[0].needed.rtol, 0.25);
  EXPECT_EQ(needed[0].needed.ulps, 2);
  EXPECT_EQ(needed[0].needed.outputs, 20);
  EXPECT_FALSE(needed[1].right);
  EXPECT_EQ(needed[1].needed.ulps, 1000);
  EXPECT_EQ(
      ToText(needed[0]),
      "f32 needed rtol 0.25 (2 ulp) for the 60 % of outputs that neither cancel by half nor underflow; rtol 2.4e-07 "
      "with atol 0.5 of the case's largest output is enough for all");
  EXPECT_THAT(ToText(needed[1]), HasSubstr(", in cases that failed"));
}

TEST(Needed, IsKeptByTheJsonReport) {
  const CaseResult before = RunNeeding(2).results[0];
  const auto after = CaseFromJson(nlohmann::json::parse(CaseToJson(before).dump()));
  ASSERT_TRUE(std::holds_alternative<CaseResult>(after)) << std::get<std::string>(after);
  const auto& needed = std::get<CaseResult>(after).needed;
  ASSERT_TRUE(needed);
  EXPECT_EQ(needed->type, before.needed->type);
  EXPECT_EQ(needed->rtol, before.needed->rtol);
  EXPECT_EQ(needed->atol, before.needed->atol);
  EXPECT_EQ(needed->atol_beside, before.needed->atol_beside);
  EXPECT_EQ(needed->ulps, before.needed->ulps);
  EXPECT_EQ(needed->outputs, before.needed->outputs);
  EXPECT_EQ(needed->cancelling, before.needed->cancelling);
  nlohmann::json wrong = nlohmann::json::parse(CaseToJson(before).dump());
  wrong["needed"]["type"] = "i8";
  EXPECT_TRUE(std::holds_alternative<std::string>(CaseFromJson(wrong)));
}

TEST(Needed, IsATableOfTheMarkdownReport) {
  const std::vector<RunRecord> runs = {RunNeeding(2)};
  EXPECT_THAT(MarkdownReport(runs, {}), HasSubstr("| f32 | 2.4e-07 | 2 | 0.5 | 3 | right |\n"));
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
  EXPECT_THAT(text(2, 5), HasSubstr("tolerance: f32 needed rtol 6e-07 (5 ulp)"));
  EXPECT_THAT(text(2, 4), Not(HasSubstr("tolerance")));
  EXPECT_THAT(text(5, 2), Not(HasSubstr("tolerance")));
}

}  // namespace
}  // namespace conformance
