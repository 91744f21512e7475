// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that no case list changes unnoticed, that reports name their case list, and that renamed cases are found.

#include <chrono>
#include <fstream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case_lists/frozen_lists.h"
#include "conformance/case_lists/list_hash.h"
#include "conformance/case_lists/renames.h"
#include "conformance/run/expectations.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<SuiteCase> Cases(std::string_view suite, Level level) {
  return std::get<std::vector<SuiteCase>>(SuiteCases(suite, level, 0));
}

Renames Table(const std::string& text) { return std::get<Renames>(Renames::Read(text)); }

TEST(FrozenLists, AreThoseOfThisVersion) {
  const FrozenLists& frozen = BuiltInFrozenLists();
  EXPECT_EQ(frozen.version, DECONV_VERSION);
  auto present = PresentLists();
  ASSERT_TRUE(std::holds_alternative<std::vector<CaseList>>(present)) << std::get<ReadError>(present).message;
  const std::vector<std::string> differences = Differences(frozen, std::get<std::vector<CaseList>>(present));
  const std::string unreleased = fmt::format(
      "{0} is not released. If the change is meant: deconv-cts list --hash >conformance/case_lists/{0}.txt, and a line "
      "in CHANGELOG.md that says what changed.",
      frozen.version);
  const std::string released = fmt::format(
      "{} is released, and its lists never change. Raise the version in CMakeLists.txt, and follow CONTRIBUTING.md, "
      "\"Case "
      "lists\".",
      frozen.version);
  EXPECT_THAT(differences, IsEmpty()) << fmt::format("{}\n", fmt::join(differences, "\n"))
                                      << (frozen.released ? released : unreleased);
}

// A table that is written anew says "unreleased", so that the lists of a released version cannot change by accident.
TEST(FrozenLists, AreReleasedWhenTheChangelogSaysSo) {
  std::ifstream file(DECONV_CHANGELOG);
  std::string line;
  std::string heading;
  while (heading.empty() && std::getline(file, line)) {
    if (line.starts_with("## ")) heading = line;
  }
  const FrozenLists& frozen = BuiltInFrozenLists();
  ASSERT_TRUE(heading.starts_with(fmt::format("## {} (", frozen.version))) << heading;
  EXPECT_EQ(frozen.released, !heading.ends_with("(unreleased)"))
      << "CHANGELOG.md: " << heading << "\nconformance/case_lists/" << frozen.version
      << ".txt: the line that starts with version\n"
      << "If the version is released, its lists never change: raise the version in CMakeLists.txt.";
}

TEST(FrozenLists, AreReadAsTheyAreWritten) {
  const FrozenLists& frozen = BuiltInFrozenLists();
  const auto again = ReadFrozenLists(ToText(frozen));
  ASSERT_TRUE(std::holds_alternative<FrozenLists>(again));
  EXPECT_EQ(std::get<FrozenLists>(again).lists, frozen.lists);
  EXPECT_EQ(std::get<FrozenLists>(again).released, frozen.released);
}

TEST(FrozenLists, WrongTablesAreRefused) {
  for (const auto& [text, complaint] :
       {std::pair{"", "expected a line: version"},
        {"version 1.0 new\n", "line 1: found 'version 1.0 new'"},
        {"version 1.0 released\nsmoke all 3\n", "line 2: found 'smoke all 3'"},
        {"version 1.0 released\nquick all 3 0123456789abcdef\n", "expected LEVEL SUITE CASES HASH"}}) {
    const auto read = ReadFrozenLists(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << text;
    EXPECT_THAT(std::get<std::string>(read), HasSubstr(complaint));
  }
}

TEST(FrozenLists, AChangedCaseIsADifference) {
  std::vector<SuiteCase> cases = Cases("spec-examples", Level::kSmoke);
  const CaseList before = {Level::kSmoke, "spec-examples", cases.size(), HashOf(cases)};
  const FrozenLists frozen = {"9.9.9", true, {before}};
  EXPECT_THAT(Differences(frozen, {before}), IsEmpty());
  cases.front().test_case.seed += 1;
  const CaseList reseeded = {Level::kSmoke, "spec-examples", cases.size(), HashOf(cases)};
  EXPECT_THAT(Differences(frozen, {reseeded}), ElementsAre(HasSubstr("level smoke, spec-examples")));
  cases.front().test_case.seed -= 1;
  cases.front().name += "x";
  const CaseList renamed = {Level::kSmoke, "spec-examples", cases.size(), HashOf(cases)};
  EXPECT_THAT(Differences(frozen, {renamed}), ElementsAre(HasSubstr("level smoke, spec-examples")));
  const CaseList another = {Level::kSmoke, "new", 1, before.hash};
  EXPECT_THAT(Differences(frozen, {another}),
              ElementsAre(HasSubstr("not in the table"), HasSubstr("there is no such suite")));
}

TEST(CaseListOrigin, SaysWhichListItIs) {
  const std::vector<SuiteCase> first = Cases("spec-examples", Level::kSmoke);
  const std::vector<SuiteCase> second = Cases("layers", Level::kSmoke);
  std::vector<SuiteCase> both = first;
  both.insert(both.end(), second.begin(), second.end());
  const FrozenLists frozen = {"9.9.9",
                              true,
                              {{Level::kSmoke, "spec-examples", first.size(), HashOf(first)},
                               {Level::kSmoke, "layers", second.size(), HashOf(second)},
                               {Level::kSmoke, "all", both.size(), HashOf(both)}}};
  const std::string list = "the frozen list of 9.9.9, level smoke";
  EXPECT_EQ(CaseListOrigin(both, Level::kSmoke, frozen), list);
  EXPECT_EQ(CaseListOrigin(second, Level::kSmoke, frozen), "suite layers of " + list);
  EXPECT_EQ(CaseListOrigin({}, Level::kSmoke, frozen), "no case");
  const std::string not_it = "a selection of its own, not ";
  EXPECT_EQ(CaseListOrigin(both, Level::kGate, frozen), not_it + "the frozen list of 9.9.9, level gate");
  std::vector<SuiteCase> less = both;
  less.pop_back();
  EXPECT_EQ(CaseListOrigin(less, Level::kSmoke, frozen), not_it + list);
  std::vector<SuiteCase> reseeded = both;
  reseeded.back().test_case.seed += 1;
  EXPECT_EQ(CaseListOrigin(reseeded, Level::kSmoke, frozen), not_it + list);
  FrozenLists open = frozen;
  open.released = false;
  EXPECT_EQ(CaseListOrigin(both, Level::kSmoke, open), "the case list of 9.9.9 (unreleased), level smoke");
}

TEST(Renames, OldNamesMeanTheNewCase) {
  const Renames renames = Table("# Of a test.\n0.2.0 a/old a/middle\n0.3.0 a/middle b/new\n0.3.0 a/gone -\n");
  EXPECT_TRUE(renames.Matches("b/new", "b/new"));
  EXPECT_TRUE(renames.Matches("a/middle", "b/new"));
  EXPECT_TRUE(renames.Matches("a/ol?", "b/new"));
  EXPECT_FALSE(renames.Matches("a/old", "b/other"));
  EXPECT_FALSE(renames.Matches("b/new", "a/old"));
  const auto never = [](const std::string&) -> bool { throw std::logic_error("nobody needs to know"); };
  EXPECT_THAT(renames.NotesOn("a/old", never), ElementsAre("a/old was renamed in 0.3.0 to b/new"));
  EXPECT_THAT(renames.NotesOn("a/gone", never), ElementsAre("a/gone was taken out in 0.3.0"));
  EXPECT_THAT(renames.NotesOn("*", never), IsEmpty());
  EXPECT_THAT(renames.NotesOn("b/new", never), IsEmpty());
  EXPECT_THAT(renames.NotesOn("c/*", never), IsEmpty());
  EXPECT_EQ(renames.NameNow("a/old"), "b/new");
  EXPECT_EQ(renames.NameNow("b/new"), "b/new");
  EXPECT_EQ(renames.NameNow("a/gone"), "");
}

TEST(Renames, AGlobGetsOneNoteAndOnlyIfItIsStale) {
  const Renames renames = Table("0.2.0 a/gone-1 -\n0.2.0 a/old-1 b/new-1\n0.3.0 a/old-2 b/new-2\n");
  const auto yes = [](const std::string&) { return true; };
  const auto no = [](const std::string&) { return false; };
  EXPECT_THAT(renames.NotesOn("a/*", yes), IsEmpty());
  EXPECT_THAT(renames.NotesOn("a/*", no),
              ElementsAre("'a/*' matches only 3 names that cases had in an earlier version; for example, a/old-1 was "
                          "renamed in 0.2.0 to b/new-1"));
  EXPECT_THAT(renames.NotesOn("a/*2", no),
              ElementsAre("'a/*2' matches only a name that a case had in an earlier version; a/old-2 was renamed in "
                          "0.3.0 to b/new-2"));
  EXPECT_THAT(renames.NotesOn("a/gone*", no), ElementsAre(HasSubstr("a/gone-1 was taken out in 0.2.0")));
  EXPECT_THAT(renames.NotesOn("c/*", no), IsEmpty());
}

TEST(Renames, WrongTablesAreRefused) {
  for (const auto& [text, complaint] : {std::pair{"0.2.0 a/old\n", "line 1: found '0.2.0 a/old'"},
                                        {"0.2.0 a/old b/new more\n", "expected SINCE OLD_ID NEW_ID"},
                                        {"0.2.0 old b/new\n", "expected SINCE OLD_ID NEW_ID"},
                                        {"0.2.0 a/old a/new\n0.3.0 a/old a/b\n", "line 2: a/old has a row already"},
                                        {"0.2.0 a/old a/new\n0.3.0 a/new a/old\n", "go in a circle"}}) {
    const auto read = Renames::Read(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << text;
    EXPECT_THAT(std::get<std::string>(read), HasSubstr(complaint));
  }
}

TEST(Renames, TheTableOfTheProgramCanBeRead) {
  std::set<std::string> ids;
  for (const Suite& suite : Suites()) {
    for (const SuiteCase& one : Cases(suite.name, Level::kSmoke)) ids.insert(one.suite + "/" + one.name);
  }
  ASSERT_FALSE(ids.empty());
  // An id that is in use is no old name.
  for (const std::string& id : ids) {
    EXPECT_THAT(Renames::BuiltIn().NotesOn(id, [](const std::string&) { return false; }), IsEmpty());
  }
}

TEST(Renames, AreFoundByTheCasesLines) {
  const std::vector<ListedCase> before =
      ReadList("a/stays one:x\na/old two:y # 3 cases\na/gone three:z\na/moved four\n\n");
  const std::vector<ListedCase> now = ReadList("a/stays one:x\na/new two:y # 3 cases\nb/moved four\na/added five\n");
  ASSERT_EQ(before.size(), 4u);
  EXPECT_THAT(FindRenames(before, now, "0.2.0"),
              ElementsAre(Rename{"0.2.0", "a/old", "a/new"}, Rename{"0.2.0", "a/gone", ""},
                          Rename{"0.2.0", "a/moved", "b/moved"}));
  std::string text;
  for (const Rename& rename : FindRenames(before, now, "0.2.0")) text += ToText(rename);
  EXPECT_TRUE(Table(text).Matches("a/old", "a/new"));
}

TEST(Renames, ExpectationsHonourThem) {
  const Renames renames = Table("0.2.0 attributes/old attributes/new\n");
  const auto entries = std::get<std::vector<Expectation>>(ReadExpectations(
      "[[expect]]\npattern = \"attributes/old\"\nfailure = \"crash\"\nreason = \"known by its old name\"\n"));
  RunRecord run;
  CaseResult result;
  result.suite = "attributes";
  result.name = "new";
  result.status = Status::kFail;
  result.failure = FailureClass::kCrash;
  MarkExpected(entries, result, renames);
  EXPECT_EQ(result.expected, "known by its old name");
  run.results = {result};
  const std::chrono::year_month_day today(std::chrono::year(2030), std::chrono::month(1), std::chrono::day(1));
  EXPECT_THAT(Reconcile(entries, today, std::span(&run, 1), renames).complaints, IsEmpty());
  MarkExpected(entries, result, Table(""));
  EXPECT_EQ(result.expected, "");
  run.results.front().status = Status::kPass;  // what was expected by the old name passes now
  EXPECT_THAT(Reconcile(entries, today, std::span(&run, 1), renames).complaints,
              ElementsAre(HasSubstr("do not fail as expected")));
}

}  // namespace
}  // namespace conformance
