// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that no case list (the cases of a suite at a level) changes unnoticed, and that reports name their case list.

#include "conformance/suite/case_lists/case_lists.h"

#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<SuiteCase> Cases(std::string_view suite, Level level) {
  return std::get<std::vector<SuiteCase>>(SuiteCases(suite, level, 0));
}

TEST(FrozenLists, AreThoseOfThisVersion) {
  const FrozenLists& frozen = BuiltInFrozenLists();
  EXPECT_EQ(frozen.version, DECONV_VERSION);
  auto present = CurrentLists();
  ASSERT_TRUE(std::holds_alternative<std::vector<CaseList>>(present)) << std::get<ReadError>(present).message;
  const std::vector<std::string> differences = Differences(frozen, std::get<std::vector<CaseList>>(present));
  const std::string unreleased = fmt::format(
      "{0} is not released. If the change is meant: deconv-cts list --hash >conformance/suite/case_lists/{0}.txt, and "
      "a line "
      "in CHANGELOG.md that says what changed.",
      frozen.version);
  const std::string released = fmt::format(
      "{} is released, and its lists never change. Raise the version in CMakeLists.txt, and follow "
      "conformance/suite/case_lists/README.md.",
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
      << "CHANGELOG.md: " << heading << "\nconformance/suite/case_lists/" << frozen.version
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

// Neither a change of values (seed) nor of a name may stay unnoticed.
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

}  // namespace
}  // namespace conformance
