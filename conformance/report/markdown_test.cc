// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the Markdown report: the page states the important results, and no text of a backend becomes Markdown
// structure.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/report_formats.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The first line that breaks the page, or an empty string: a row of a table with another number of cells than the one
/// before, a block that is not closed, or markup outside of blocks that the report does not write.
std::string FirstBrokenLine(const std::string& page) {
  std::string fence;
  std::ptrdiff_t cells = 0;
  for (const std::string& line : LinesOf(page)) {
    if (!fence.empty()) {
      if (line == fence) fence.clear();
      continue;
    }
    if (line.starts_with("```")) {
      fence = line.substr(0, line.find_first_not_of('`'));
      continue;
    }
    const bool row = line.starts_with('|');
    const std::ptrdiff_t bars = row ? std::ranges::count(line, '|') : 0;
    if (row && cells != 0 && bars != cells) return line;
    cells = bars;
    std::string rest = line;
    for (const std::string own : {"<details>", "</details>", "<summary>", "</summary>", "<https://"}) {
      for (std::size_t at = 0; (at = rest.find(own)) != std::string::npos;) rest.erase(at, own.size());
    }
    if (rest.find('<') != std::string::npos || rest.find('`') != std::string::npos) return line;
  }
  return fence;
}

TEST(MarkdownReport, StatesTheVerdictsCausesAndFailures) {
  const std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  const std::string page = MarkdownReport(SummariesOf(runs), DescriptionOfTest());
  EXPECT_EQ(FirstBrokenLine(page), "");
  EXPECT_THAT(page,
              HasSubstr("**fault:some** (some 1) **does not conform**: 1 passed, " + kFailures + " failed, 0 not run"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "**meets its expectations**: 1 passed, 1 imprecise, 1 vacuous, 1 failed (1 of them expected), 1 not run"));
  EXPECT_THAT(page, HasSubstr("## Backends compared"));
  EXPECT_THAT(page, HasSubstr("| attributes | 1/" + kFailures + "/0 | 3/1/1 |"));
  EXPECT_THAT(page, HasSubstr("| attributes | 1 | 2 | 1 | 1 | 1 | 0.25 |"));
  EXPECT_THAT(page, HasSubstr("1. " + kFailures + " failures: the answer is "));
  EXPECT_THAT(page, HasSubstr("```text\ndeconv-cts replay --backend fault:some ConvolutionBackpropData:"));
  EXPECT_THAT(page, HasSubstr("### Failures: the first 20 of " + kFailures));
  EXPECT_THAT(page, HasSubstr("wrong outputs of [0,0,*,*]: 3 of 30"));
  EXPECT_THAT(page, HasSubstr("Expected to fail: known: <https://github.com/some/where/issues/3>"));
  EXPECT_THAT(page, HasSubstr("exit code 1"));
}

TEST(MarkdownReport, ItsCheckFailsOnWhatIsNotEscaped) {
  const std::string page = MarkdownReport(SummariesOf(std::vector{EveryFailure()}), DescriptionOfTest());
  EXPECT_EQ(FirstBrokenLine(page), "");
  EXPECT_NE(FirstBrokenLine(page + "\n<b>"), "");
  EXPECT_NE(FirstBrokenLine(page + "\n| a | b |\n|---|---|\n| a | b | c |\n"), "");
  EXPECT_NE(FirstBrokenLine(page + "\n```text\nopen\n"), "");
}

TEST(MarkdownText, ShowsEveryCharacterAsItIs) {
  EXPECT_EQ(MarkdownText("a|b"), "a&#124;b");
  EXPECT_EQ(MarkdownText("<b>&amp;`"), "&#60;b&#62;&#38;amp;&#96;");
  EXPECT_EQ(MarkdownText("*a* _b_ [c] \\ ~~d~~"), "\\*a\\* \\_b\\_ \\[c\\] \\\\ \\~\\~d\\~\\~");
  EXPECT_EQ(MarkdownText("one\ntwo"), "one two");
  EXPECT_EQ(MarkdownText("see https://x.org/a_b|c"), "see <https://x.org/a_b>&#124;c");
}

TEST(MarkdownBlock, CannotBeEndedFromWithin) {
  EXPECT_EQ(MarkdownBlock("plain"), "```text\nplain\n```\n");
  EXPECT_EQ(MarkdownBlock("a\n````\nb\n"), "`````text\na\n````\nb\n`````\n");
}

TEST(MarkdownReport, HasALimitAndSaysSo) {
  const std::vector<RunRecord> runs = {EveryFailure()};
  const std::string whole = MarkdownReport(SummariesOf(runs), DescriptionOfTest());
  for (const std::size_t most : {std::size_t{0}, std::size_t{200}, std::size_t{3000}, whole.size() - 1}) {
    const std::string page = MarkdownReport(SummariesOf(runs), DescriptionOfTest(), most);
    EXPECT_LE(page.size(), std::max<std::size_t>(most, 100)) << most;
    EXPECT_THAT(page, HasSubstr("more parts are left out"));
    EXPECT_EQ(FirstBrokenLine(page), "") << most;
  }
  EXPECT_THAT(whole, Not(HasSubstr("left out")));
}

TEST(MarkdownReport, NamesTheErrorIfNoBackendWasJudged) {
  RunDescription description = DescriptionOfTest();
  description.errors = {"missing.so: no such file"};
  EXPECT_THAT(MarkdownReport({}, description), HasSubstr("missing.so: no such file"));
  RunRecord empty;
  empty.backend = "kernel";
  empty.shard = {1, 2};
  EXPECT_THAT(MarkdownReport(SummariesOf({&empty, 1}), description), HasSubstr("has no cases in this shard"));
}

}  // namespace
}  // namespace conformance
