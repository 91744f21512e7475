// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the hash over the ids and lines of the cases. Reads and prints the tables of frozen lists, which record
// the case lists of a released version. Computes the lists of this program to compare them.

#include "conformance/suite/case_lists/case_lists.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/suite/case_lists/tables.h"

namespace conformance {

void ListHash::Add(std::string_view id, std::string_view line) {
  hash_.Add(id);
  hash_.Add("\t");
  hash_.Add(line);
  hash_.Add("\n");
}

std::string ListHash::Text() const { return fmt::format("{:016x}", hash_.value()); }

std::string HashOf(const std::vector<SuiteCase>& case_list) {
  ListHash hash;
  for (const SuiteCase& listed : case_list) hash.Add(listed.suite + "/" + listed.name, ToLine(listed.test_case));
  return hash.Text();
}

namespace {

constexpr std::array kLevels = {Level::kSmoke, Level::kGate, Level::kFull};

const CaseList* Find(const std::vector<CaseList>& lists, Level level, std::string_view suite) {
  const auto is_wanted = [&](const CaseList& list) { return list.level == level && list.suite == suite; };
  const auto found = std::ranges::find_if(lists, is_wanted);
  return found == lists.end() ? nullptr : &*found;
}

CaseList ListOf(Level level, std::string_view suite, const std::vector<SuiteCase>& cases) {
  return {level, std::string(suite), cases.size(), HashOf(cases)};
}

}  // namespace

std::variant<FrozenLists, std::string> ReadFrozenLists(std::string_view text) {
  FrozenLists frozen;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "version") {
      std::string state;
      words >> frozen.version >> state;
      if (state != "released" && state != "unreleased") {
        return fmt::format("line {}: found '{}', expected version VERSION released or unreleased", number, line);
      }
      frozen.released = state == "released";
      continue;
    }
    const auto level = ParseLevel(first);
    CaseList list;
    words >> list.suite >> list.cases >> list.hash;
    if (!level || !words || list.hash.size() != 16) {
      return fmt::format("line {}: found '{}', expected LEVEL SUITE CASES HASH", number, line);
    }
    list.level = *level;
    frozen.lists.push_back(std::move(list));
  }
  if (frozen.version.empty()) return std::string("expected a line: version VERSION released or unreleased");
  return frozen;
}

std::string ToText(const FrozenLists& frozen) {
  std::string text = fmt::format(
      "# The case lists of deconv-cts {0}: level, suite (all: every suite), number of cases, hash of their ids and "
      "lines.\n"
      "# Written by: deconv-cts list --hash. When it may change: conformance/suite/case_lists/README.md.\n"
      "version {0} {1}\n",
      frozen.version, frozen.released ? "released" : "unreleased");
  for (const CaseList& list : frozen.lists) {
    text += fmt::format("{} {} {} {}\n", LevelName(list.level), list.suite, list.cases, list.hash);
  }
  return text;
}

const FrozenLists& BuiltInFrozenLists() {
  static const FrozenLists frozen = [] {
    auto read = ReadFrozenLists(kFrozenListsText);
    if (const auto* error = std::get_if<std::string>(&read)) throw std::runtime_error("frozen case lists: " + *error);
    return std::get<FrozenLists>(std::move(read));
  }();
  return frozen;
}

std::variant<std::vector<CaseList>, ReadError> CurrentLists() {
  std::vector<CaseList> lists;
  for (const Level level : kLevels) {
    std::vector<SuiteCase> all;
    for (const Suite& suite : Suites()) {
      auto cases = SuiteCases(suite.name, level, 0);
      if (auto* error = std::get_if<ReadError>(&cases)) return *error;
      auto& suite_cases = std::get<std::vector<SuiteCase>>(cases);
      lists.push_back(ListOf(level, suite.name, suite_cases));
      std::ranges::move(suite_cases, std::back_inserter(all));
    }
    lists.push_back(ListOf(level, kAllSuites, all));
  }
  return lists;
}

std::vector<std::string> Differences(const FrozenLists& frozen, const std::vector<CaseList>& present) {
  std::vector<std::string> differences;
  for (const CaseList& present_list : present) {
    const CaseList* frozen_list = Find(frozen.lists, present_list.level, present_list.suite);
    if (frozen_list == nullptr) {
      differences.push_back(fmt::format("level {}, {}: {} cases, not in the table", LevelName(present_list.level),
                                        present_list.suite, present_list.cases));
    } else if (*frozen_list != present_list) {
      differences.push_back(fmt::format("level {}, {}: {} cases with hash {}, the table has {} with {}",
                                        LevelName(present_list.level), present_list.suite, present_list.cases,
                                        present_list.hash, frozen_list->cases, frozen_list->hash));
    }
  }
  for (const CaseList& frozen_list : frozen.lists) {
    if (Find(present, frozen_list.level, frozen_list.suite) == nullptr) {
      differences.push_back(fmt::format("level {}, {}: in the table, but there is no such suite",
                                        LevelName(frozen_list.level), frozen_list.suite));
    }
  }
  return differences;
}

std::string CaseListOrigin(const std::vector<SuiteCase>& case_list, Level level, const FrozenLists& frozen) {
  std::string of_version = fmt::format("the {} list of {}{}, level {}", frozen.released ? "frozen" : "case",
                                       frozen.version, frozen.released ? "" : " (unreleased)", LevelName(level));
  const CaseList whole = ListOf(level, kAllSuites, case_list);
  if (const CaseList* all = Find(frozen.lists, level, kAllSuites); all != nullptr && *all == whole) return of_version;
  // Otherwise each part of the list that belongs to one suite may be the whole list of this suite.
  std::vector<std::string> suites;
  auto begin = case_list.begin();
  while (begin != case_list.end()) {
    const auto end =
        std::find_if(begin, case_list.end(), [&](const SuiteCase& one) { return one.suite != begin->suite; });
    const CaseList part = ListOf(level, begin->suite, std::vector(begin, end));
    const CaseList* list = Find(frozen.lists, level, begin->suite);
    if (list == nullptr || *list != part) {
      return fmt::format("a selection of its own, not {}", of_version);
    }
    suites.push_back(begin->suite);
    begin = end;
  }
  if (suites.empty()) return "no case";
  return fmt::format("{} {} of {}", suites.size() == 1 ? "suite" : "suites", fmt::join(suites, ", "), of_version);
}

}  // namespace conformance
