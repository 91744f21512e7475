// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the table of clauses in clauses.cc equals the page clauses.md, and that every clause that the resolvers
// cite is in the table. A clause is one numbered rule of the specification, such as P5. A resolver computes sizes and
// pads from an operator's attributes, and cites a clause for each step.

#include "oracle/clause.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/cited_clause.h"
#include "oracle/open_point.h"

namespace oracle {
namespace {

/// A clause as the page or the table has it.
struct ClauseEntry {
  std::string id, title, source, kind;
  bool operator==(const ClauseEntry&) const = default;
};

/// The text of a file of the folder oracle/.
std::string ReadSource(const std::string& name) {
  std::ifstream file(std::string(DECONV_ORACLE_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

/// The clauses of the page. Each has a heading "### P5. Title", and lines that begin with "Kind: " and "Source: ".
std::vector<ClauseEntry> ParseClausesPage(const std::string& text) {
  std::vector<ClauseEntry> entries;
  std::istringstream lines(text);
  const std::regex heading("### ([A-Z][0-9]+)\\. (.+)");
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, heading)) {
      entries.push_back({.id = match[1], .title = match[2], .source = "", .kind = ""});
    } else if (line.starts_with("Kind: ") && !entries.empty()) {
      EXPECT_EQ(entries.back().kind, "") << entries.back().id << " has two kinds";
      entries.back().kind = line.substr(6);
    } else if (line.starts_with("Source: ") && !entries.empty()) {
      EXPECT_EQ(entries.back().source, "") << entries.back().id << " has two sources";
      entries.back().source = line.substr(8);
      // A source goes on until an empty line.
      while (std::getline(lines, line) && !line.empty()) entries.back().source += " " + line;
    }
  }
  return entries;
}

/// "required (CBD-17, CBW-3)", as the page writes it.
std::string KindText(const Clause& clause) {
  std::string text(RuleKindName(clause.kind));
  if (clause.sentences.empty()) return text;
  text += " (";
  for (const char c : clause.sentences) text += c == ' ' ? ", " : std::string(1, c);
  return text + ")";
}

/// The clauses of clauses.cc.
std::vector<ClauseEntry> TableEntries() {
  std::vector<ClauseEntry> table;
  for (const Clause& clause : Clauses()) {
    table.push_back({std::string(clause.id), std::string(clause.title), std::string(clause.source), KindText(clause)});
  }
  return table;
}

TEST(Clauses, TableEqualsDocument) {
  const std::vector<ClauseEntry> page = ParseClausesPage(ReadSource("clauses.md"));
  const std::vector<ClauseEntry> table = TableEntries();
  ASSERT_EQ(page.size(), table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(page[i].id, table[i].id);
    EXPECT_EQ(page[i].title, table[i].title) << table[i].id;
    EXPECT_EQ(page[i].source, table[i].source) << table[i].id;
    EXPECT_EQ(page[i].kind, table[i].kind) << table[i].id;
  }
}

TEST(Clauses, ParserSeesAChangedDocument) {
  std::string text = ReadSource("clauses.md");
  const std::size_t at = text.find("### P5. ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 8, "### P55. ");
  EXPECT_NE(ParseClausesPage(text), TableEntries());
}

TEST(Clauses, ParserSeesAChangedKind) {
  std::string text = ReadSource("clauses.md");
  const std::size_t at = text.find("Kind: chosen");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 12, "Kind: open");
  EXPECT_NE(ParseClausesPage(text), TableEntries());
}

// The numbers of a chapter, which is the letter of an id, count from 1 without gaps.
TEST(Clauses, HaveSourcesAndOrderedUniqueNumbers) {
  std::set<std::string> seen;
  char chapter = 0;
  int number = 0;
  for (const ClauseEntry& clause : TableEntries()) {
    EXPECT_TRUE(seen.insert(clause.id).second) << clause.id;
    EXPECT_FALSE(clause.source.empty()) << clause.id;
    EXPECT_NE(FindClause(clause.id)->kind, RuleKind::kInformative) << clause.id;
    number = clause.id[0] == chapter ? number + 1 : 1;
    chapter = clause.id[0];
    EXPECT_EQ(clause.id, chapter + std::to_string(number));
  }
}

TEST(Clauses, AreFoundByTheirId) {
  ASSERT_NE(FindClause("O1"), nullptr);
  EXPECT_EQ(FindClause("O1")->id, "O1");
  EXPECT_EQ(FindClause("O99"), nullptr);
  EXPECT_EQ(FindClause(""), nullptr);
}

TEST(Clauses, TheResolversCiteOnlyClausesOfTheTable) {
  for (const std::string_view id : kRefusingClauses) EXPECT_NE(FindClause(id), nullptr) << id;
  for (const std::string_view id : kStepClauses) {
    EXPECT_NE(FindClause(id), nullptr) << id;
    EXPECT_EQ(std::ranges::find(kRefusingClauses, id), kRefusingClauses.end()) << id << " is registered twice";
  }
}

// An open clause allows a library to refuse some operators or to compute them; kOpenPoints lists their properties. V3
// and V6 leave the signs of zeros open. They are about output values, not about operators, so they have no open point.
TEST(Clauses, AreOpenIfTheyHaveAnOpenPoint) {
  std::set<std::string_view> with_point = {"V3", "V6"};
  for (const OpenPointName& point : kOpenPoints) with_point.insert(point.clause);
  std::set<std::string_view> open;
  for (const Clause& clause : Clauses()) {
    if (clause.kind == RuleKind::kOpen) open.insert(clause.id);
  }
  EXPECT_EQ(open, with_point);
}

}  // namespace
}  // namespace oracle
