// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes test names from case names: replaces the characters that GoogleTest's filters treat specially, and adds numbers
// to equal names.

#include "conformance/cli/gtest/gtest_name.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace conformance {

std::string TestWord(std::string_view name) {
  std::string word(name);
  std::ranges::replace_if(word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return word;
}

std::vector<std::string> TestNames(const std::vector<SuiteCase>& case_list) {
  std::vector<std::string> names;
  std::set<std::pair<std::string_view, std::string>> taken;
  for (const SuiteCase& suite_case : case_list) {
    const std::string word = TestWord(suite_case.name);
    std::string name = word;
    for (int number = 2; !taken.emplace(suite_case.suite, name).second; ++number)
      name = word + "_" + std::to_string(number);
    names.push_back(std::move(name));
  }
  return names;
}

bool MayMatch(std::string_view filter, std::string_view suite) {
  const std::string begin = TestWord(suite) + ".";
  std::string_view wanted = filter.substr(0, filter.find('-'));
  if (wanted.empty()) return true;  // all but those behind the '-'
  while (true) {
    const std::size_t end = wanted.find(':');
    const std::string_view pattern = wanted.substr(0, end);
    const std::string_view literal = pattern.substr(0, pattern.find_first_of("*?"));
    if (literal.starts_with(begin) || std::string_view(begin).starts_with(literal)) return true;
    if (end == std::string_view::npos) return false;
    wanted.remove_prefix(end + 1);
  }
}

}  // namespace conformance
