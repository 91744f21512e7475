// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case whose name contains an element type has a tensor of that type. An operator without the type must
// leave the case out: with another type, the name would claim what no case decides.

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/suite/suite.h"

namespace conformance {
namespace {

/// The parts of a name between dots, and of those the words between hyphens.
std::vector<std::string_view> WordsOf(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(".-"), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

bool HasTensorOf(const oracle::Operator& op, oracle::ElementType type) {
  return op.data.type == type || op.filter.type == type || (op.output_shape && op.output_shape->type == type);
}

TEST(SuiteTypes, ACaseHasTheTypesOfItsName) {
  int named = 0;
  for (const Suite& suite : Suites()) {
    const auto cases = SuiteCases(suite.name, Level::kGate, 0);
    ASSERT_TRUE(std::holds_alternative<std::vector<SuiteCase>>(cases)) << suite.name;
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      for (const std::string_view word : WordsOf(suite_case.name)) {
        const auto type = oracle::ParseElementType(word);
        if (!type || !oracle::IsNumeric(*type)) continue;
        ++named;
        EXPECT_TRUE(HasTensorOf(suite_case.test_case.op, *type)) << suite_case.suite << "/" << suite_case.name;
      }
    }
  }
  EXPECT_GE(named, 1000);
}

}  // namespace
}  // namespace conformance
