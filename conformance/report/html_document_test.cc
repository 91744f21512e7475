// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the page is well formed, holds the run's findings, loads nothing from elsewhere, and treats all text of a
// backend as text. html_test checks it in a browser.

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/html/html.h"
#include "conformance/report/html/page_assets.h"
#include "conformance/report/picture_path.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// What stands between two marks, each of which stands there once.
std::string Between(const std::string& page, const std::string& begin, const std::string& end) {
  const std::size_t from = page.find(begin);
  EXPECT_NE(from, std::string::npos) << begin;
  EXPECT_EQ(page.find(begin, from + 1), std::string::npos) << begin << " stands there twice";
  const std::size_t to = page.find(end, from);
  EXPECT_NE(to, std::string::npos) << end;
  return page.substr(from + begin.size(), to - from - begin.size());
}

json DataOf(const std::string& page) {
  return json::parse(Between(page, "<script id=\"data\" type=\"application/json\">", "</script>"));
}

pugi::xml_document BodyOf(const std::string& page) {
  pugi::xml_document document;
  const std::string body = "<body>" + Between(page, "<body>", "</body>") + "</body>";
  EXPECT_TRUE(document.load_string(body.c_str()));
  return document;
}

std::string TextOf(const pugi::xml_node& node) {
  std::string text = node.value();
  for (const pugi::xml_node child : node.children()) text += TextOf(child);
  return text;
}

TEST(HtmlReport, HoldsWhatTheRunFound) {
  std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  runs[0].results[0].worst_ratio = 5e-324;  // as small as a number can be
  const std::string page = HtmlReport(runs, DescriptionOfTest());
  const pugi::xml_document body = BodyOf(page);
  const std::string text = TextOf(body);
  EXPECT_THAT(text, HasSubstr("0 of 2 backends conform, 1 meets its expectations"));
  EXPECT_THAT(text, HasSubstr("1 passed, " + kFailures + " failed, 0 not run"));
  EXPECT_THAT(text, HasSubstr("exit code 1"));
  EXPECT_THAT(text, HasSubstr("Backends compared"));
  EXPECT_THAT(text, HasSubstr("outputs [0,0,*,*]: 3 of 30 wrong"));
  EXPECT_THAT(text, HasSubstr("deconv-cts replay --backend fault:some ConvolutionBackpropData:"));
  for (const FailureClassName& entry : kFailureClasses) EXPECT_THAT(text, HasSubstr(std::string(entry.sentence)));
  const json data = DataOf(page);
  EXPECT_EQ(data["backends"][0]["results"][0][3], 4.94e-324);
  EXPECT_EQ(data["cases"].size(), kFailureClasses.size() + 4) << "of two backends, each case once";
  EXPECT_EQ(data["backends"][0]["results"].size(), kFailureClasses.size() + 1);
  const json& failure = data["backends"][0]["results"][1][4];
  EXPECT_EQ(failure["failure"], "wrong-value");
  EXPECT_EQ(failure["cause"], 1);
  EXPECT_EQ(failure["picture"]["all"], "M2 1.5h2M5 4.5h1");
  EXPECT_EQ(failure["picture"]["first"], json({2, 1}));
  EXPECT_TRUE(failure["first"]["error"].is_null());
  EXPECT_EQ(data["backends"][1]["results"][1][4]["known"], "known: https://github.com/some/where/issues/3");
}

/// An element or attribute of the body that fetches or runs something, or the text of a tag that a backend wrote.
std::string Active(const pugi::xml_node& node) {
  std::string name = node.name();
  for (const char* bad : {"script", "b", "img", "iframe", "object", "embed", "link", "style"}) {
    if (name == bad) return name;
  }
  for (const pugi::xml_attribute attribute : node.attributes()) {
    std::string key = attribute.name();
    if (key.starts_with("on") || key == "src" || key == "srcset") return key;
    if (key == "href" && !std::string(attribute.value()).starts_with("https://github.com/")) return attribute.value();
  }
  for (const pugi::xml_node child : node.children()) {
    if (std::string found = Active(child); !found.empty()) return found;
  }
  return "";
}

TEST(HtmlReport, NoTextBecomesMarkup) {
  RunRecord run = EveryFailure();
  for (CaseResult& result : run.results) {
    result.name += kHostile;
    result.line += kHostile;
  }
  run.backend += kHostile;
  run.declared.name = kHostile;
  RunDescription description = DescriptionOfTest();
  description.errors = {kHostile};
  const std::string page = HtmlReport({&run, 1}, description);
  const pugi::xml_document body = BodyOf(page);
  EXPECT_EQ(Active(body), "");
  pugi::xml_document spoilt;
  spoilt.reset(body);
  spoilt.first_child().append_child("p").append_attribute("onclick") = "x";
  EXPECT_EQ(Active(spoilt), "onclick");
  const std::string data = Between(page, "<script id=\"data\" type=\"application/json\">", "</script>");
  EXPECT_THAT(data, Not(HasSubstr("<")));
  EXPECT_THAT(json::parse(data)["backends"][0]["results"][1][4]["message"].get<std::string>(),
              HasSubstr("</script><b>&amp;\"'|`````"));
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 2u);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(HtmlReport, StyleAndScriptLoadNothing) {
  for (const std::string_view asset : {kPageStyle, kPageScript}) {
    EXPECT_GT(asset.size(), 1000u);
    for (const char* bad :
         {"url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML", "eval(", "</style", "</script"}) {
      EXPECT_EQ(asset.find(bad), std::string_view::npos) << bad;
    }
  }
}

TEST(HtmlReport, OfNothing) {
  RunDescription description = DescriptionOfTest();
  description.errors = {"missing.so: no such file"};
  const std::string page = HtmlReport({}, description);
  EXPECT_THAT(TextOf(BodyOf(page)), HasSubstr("No backend was judged"));
  EXPECT_EQ(DataOf(page)["cases"].size(), 0u);
  RunRecord empty;
  empty.backend = "kernel";
  EXPECT_THAT(TextOf(BodyOf(HtmlReport({&empty, 1}, description))), HasSubstr("kernel was not judged"));
}

/// A backend that fails everything has 12,000 failures to tell of.
TEST(HtmlReport, StaysSmall) {
  RunRecord run = EveryFailure();
  const CaseResult failure = run.results[1];
  run.results.clear();
  for (int i = 0; i < 12'000; ++i) {
    run.results.push_back(failure);
    run.results.back().name += std::to_string(i);
    run.results.back().line +=
        ":dilations=1,1:pads_begin=1,1:pads_end=1,1:strides=2,2:values=reals:seed=" + std::to_string(i);
  }
  Number(run);
  run.causes->causes[0].failures.resize(1);
  const std::string page = HtmlReport({&run, 1}, DescriptionOfTest());
  EXPECT_LT(page.size(), 8u << 20);
  const json data = DataOf(page);
  EXPECT_GT(data["short"], 1000);
  EXPECT_EQ(data["backends"][0]["results"].size(), 12'000u);
}

TEST(HtmlReport, CountsTheOperatorsThatSweepsSkipped) {
  RunRecord run = EveryWarning();
  run.results[0].tuples_skipped = 5;
  EXPECT_THAT(TextOf(BodyOf(HtmlReport({&run, 1}, DescriptionOfTest()))),
              HasSubstr("5 operators skipped that the backend cannot do"));
}

TEST(Picture, DrawsRunsOfCells) {
  EXPECT_EQ(CellPath(3, 2, [](auto column, auto row) { return row == 1 && column != 1; }), "M0 1.5h1M2 1.5h1");
  EXPECT_EQ(CellPath(3, 2, [](auto, auto) { return false; }), "");
  // 5 x 7 outputs, 2 x 3 a cell: the last column of cells is one output wide.
  WrongGrid grid{{1, 0, 4}, 1, 2, 5, 7, 2, 3, std::vector<std::uint32_t>(9)};
  grid.wrong[1] = 6;
  grid.wrong[2] = 1;
  grid.wrong[8] = 1;
  const WrongPicture picture = PictureOf(grid, {2, 5, 7}, {1, 0, 4});
  EXPECT_EQ(picture.all, "M1 0.5h1M2 2.5h1");
  EXPECT_EQ(picture.some, "M2 0.5h1");
  EXPECT_EQ(picture.first_column, 1);
  EXPECT_EQ(picture.first_row, 0);
  EXPECT_EQ(picture.caption, "outputs [1,*,*]: 8 of 35 wrong, a cell for 2 x 3");
}

}  // namespace
}  // namespace conformance
