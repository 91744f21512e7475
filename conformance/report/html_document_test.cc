// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the HTML report: its page holds the JSON report and loads nothing from elsewhere, and no text of a backend
// becomes markup. html_test checks in a browser what the page's script draws.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/html/page_assets.h"
#include "conformance/report/report_formats.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// The text between two marks. The first mark occurs once.
std::string Between(const std::string& page, const std::string& begin, const std::string& end) {
  const std::size_t from = page.find(begin);
  EXPECT_NE(from, std::string::npos) << begin;
  EXPECT_EQ(page.find(begin, from + 1), std::string::npos) << begin << " stands there twice";
  const std::size_t to = page.find(end, from);
  EXPECT_NE(to, std::string::npos) << end;
  return page.substr(from + begin.size(), to - from - begin.size());
}

std::string DataOf(const std::string& page) {
  return Between(page, "<script id=\"data\" type=\"application/json\">", "</script>");
}

/// The cases among the records of a page.
std::vector<json> CasesOf(const json& records) {
  std::vector<json> cases;
  for (const json& record : records) {
    if (!record.contains("record")) cases.push_back(record);
  }
  return cases;
}

TEST(HtmlReport, HoldsTheReport) {
  std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  runs[0].results[0].outputs.worst_ratio = 5e-324;  // the smallest number
  const json records = json::parse(DataOf(HtmlReport(SummariesOf(runs), DescriptionOfTest())));
  const json& summary = records.back();
  EXPECT_EQ(summary["headline"], "0 of 2 backends conform, 1 meets its expectations");
  EXPECT_EQ(summary["exit_code"], 1);
  EXPECT_EQ(summary["comparison"].size(), 2U);
  EXPECT_EQ(summary["backends"][0]["words"]["tone"], "bad");
  EXPECT_EQ(summary["backends"][0]["words"]["causes"][0]["cases"], json({1}));
  const std::vector<json> cases = CasesOf(records);
  ASSERT_EQ(cases.size(), kFailureClasses.size() + 1 + 5);
  EXPECT_EQ(cases[0]["worst_error_over_bound"], 5e-324);
  EXPECT_FALSE(cases[0].contains("clauses")) << "a pass has no details";
  EXPECT_EQ(cases[1]["failure"], "wrong-value");
  EXPECT_EQ(cases[1]["wrong_grid"]["wrong"].size(), 30U);
  EXPECT_TRUE(cases[1]["first_wrong"]["error"].is_null());
  const json& known = cases[kFailureClasses.size() + 2];
  EXPECT_EQ(known["expected"], "known: https://github.com/some/where/issues/3");
  EXPECT_FALSE(known.contains("case")) << "the other backend had the case, too";
}

TEST(HtmlReport, NoTextBecomesMarkup) {
  RunRecord run = EveryFailure();
  for (CaseResult& result : run.results) {
    result.origin.name += kHostile;
    result.judged.line += kHostile;
  }
  run.backend += kHostile;
  run.declared.name = kHostile;
  RunDescription description = DescriptionOfTest();
  description.errors = {kHostile};
  const std::string page = HtmlReport(SummariesOf({&run, 1}), description);
  const std::string data = DataOf(page);
  EXPECT_THAT(data, Not(HasSubstr("<")));
  EXPECT_THAT(data, Not(HasSubstr("\u202E"))) << "it would turn the direction of a command";
  EXPECT_THAT(CasesOf(json::parse(data))[1]["message"].get<std::string>(), HasSubstr("</script><b>&amp;\"'|`````"));
  const std::string title = Between(page, "<title>", "</title>");
  EXPECT_THAT(title, HasSubstr("&lt;/script>&lt;b>&amp;amp;"));
  // The rest is the template, which holds no text of a backend.
  std::string rest = page;
  for (const std::string& text : {data, title}) rest.erase(rest.find(text), text.size());
  std::string expected(kPage);
  for (const std::string mark : {"@DATA@", "@TITLE@"}) expected.erase(expected.find(mark), mark.size());
  EXPECT_EQ(rest, expected);
}

TEST(HtmlReport, TheTemplateLoadsNothing) {
  EXPECT_GT(kPage.size(), 10'000U);
  EXPECT_THAT(std::string(kPage), HasSubstr("default-src 'none'"));
  EXPECT_THAT(std::string(kPage), HasSubstr(std::string(kPageStyle)));
  for (const char* bad : {"url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML", "outerHTML", "insertAdjacent",
                          "document.write", "eval(", " src=", "<link"}) {
    EXPECT_EQ(kPage.find(bad), std::string_view::npos) << bad;
  }
}

TEST(HtmlReport, NamesTheErrorIfNoBackendWasJudged) {
  RunDescription description = DescriptionOfTest();
  description.errors = {"missing.so: no such file"};
  const json records = json::parse(DataOf(HtmlReport({}, description)));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0]["headline"], "No backend was judged");
  EXPECT_EQ(records[0]["errors"], json({"missing.so: no such file"}));
  RunRecord empty;
  empty.backend = "kernel";
  EXPECT_EQ(json::parse(DataOf(HtmlReport(SummariesOf({&empty, 1}), description))).back()["headline"],
            "kernel was not judged");
}

/// A backend that fails every case has 12,000 failures. The page must not contain all their details.
TEST(HtmlReport, StaysSmall) {
  RunRecord run = EveryFailure();
  const CaseResult failure = run.results[1];
  run.results.clear();
  for (int i = 0; i < 12'000; ++i) {
    run.results.push_back(failure);
    run.results.back().origin.name += std::to_string(i);
    run.results.back().judged.line +=
        ":dilations=1,1:pads_begin=1,1:pads_end=1,1:strides=2,2:values=reals:seed=" + std::to_string(i);
  }
  Number(run);
  run.causes->causes[0].failures.resize(1);
  const std::string page = HtmlReport(SummariesOf({&run, 1}), DescriptionOfTest());
  EXPECT_LT(page.size(), 8u << 20);
  const std::vector<json> cases = CasesOf(json::parse(DataOf(page)));
  EXPECT_EQ(cases.size(), 12'000U);
  EXPECT_GT(std::ranges::count_if(cases, [](const json& one) { return one.contains("short"); }), 1000);
}

}  // namespace
}  // namespace conformance
