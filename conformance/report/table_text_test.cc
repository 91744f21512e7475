// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the text of tables: columns are aligned, long enumerations are broken between their entries, and a line counts
// the rows that are left out.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/table.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TableText, AlignsColumns) {
  const Table table{.columns = {{"suite"}, {"passed", true}, {"note"}},
                    .rows = {{"layers", "8", "one"}, {"a-suite-of-a-long-name", "1000000", ""}},
                    .notes = {"sweeps: 3"}};
  EXPECT_EQ(TableText(table),
            "suite                    passed  note\n"
            "layers                        8  one\n"
            "a-suite-of-a-long-name  1000000  \n"
            "sweeps: 3\n");
}

TEST(TableText, IndentsTheRowsBelowATitle) {
  const Table table{.title = "support: 1 of 2", .columns = {{"operators"}, {"cases"}}, .rows = {{"groups", "1\n2"}}};
  EXPECT_EQ(TableText(table),
            "support: 1 of 2\n"
            "  operators       cases\n"
            "  groups          1, 2\n");
}

TEST(TableText, OfAListHasLabels) {
  EXPECT_EQ(TableText({.rows = {{"3", "not run", "no groups"}, {"judged", "all"}}}),
            "3 not run: no groups\njudged: all\n");
}

TEST(TableText, BreaksEnumerationsBetweenEntries) {
  std::string entries;
  for (int i = 0; i < 40; ++i) entries += (i == 0 ? "" : "\n") + std::string("entry, one");
  const std::string list = TableText({.rows = {{"points", entries}}});
  EXPECT_THAT(list, HasSubstr("points: entry, one, entry, one"));
  EXPECT_THAT(list, HasSubstr(",\n  entry, one"));
  const std::string columns = TableText({.columns = {{""}, {""}}, .rows = {{"points", entries}}});
  EXPECT_THAT(columns, HasSubstr(",\n                  entry, one"));
  for (const std::string& text : {list, columns}) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      EXPECT_LE(end - at, 118U);  // kWidth of table_text.cc
      at = end + 1;
    }
  }
}

TEST(TableText, CountsWhatItLeavesOut) {
  CaseResult result;
  result.origin.suite = "attributes";
  result.origin.name = "one";
  result.verdict.message = "imprecise";
  result.judged.line = "line";
  const Table table{
      .title = "warnings", .rows = {{"a", "1"}, {"b", "2"}}, .cases = {&result, &result, &result}, .shown = 1};
  EXPECT_EQ(TableText(table, "kernel"),
            "warnings\na: 1\n... and 1 more\n     attributes/one: imprecise\n"
            "     replay: deconv-cts replay --backend kernel line\n     ... and 2 more\n");
}

TEST(TableText, ShowsTheEndOfALongHeading) {
  const std::string text =
      TableText({.columns = {{"case"}, {"cmd:a-very-long-command of-one-backend"}}, .rows = {{"a", "b"}}});
  EXPECT_THAT(text, HasSubstr("command of-one-backend\n"));
  EXPECT_THAT(text, Not(HasSubstr("cmd:")));
}

}  // namespace
}  // namespace conformance
