// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: cases and case lists from case lines.

#ifndef DECONV_CONFORMANCE_TESTING_TEST_CASES_H_
#define DECONV_CONFORMANCE_TESTING_TEST_CASES_H_

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case/case.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// One case of suite "test"; a line that is none fails the test.
inline SuiteCase TestCaseOf(const std::string& line, const std::string& name = "case") {
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return {"test", name, std::get<Case>(parsed), "", {}};
}

/// Cases named by their position in `lines`.
inline std::vector<SuiteCase> TestCasesOf(const std::vector<std::string>& lines) {
  std::vector<SuiteCase> case_list;
  for (const std::string& line : lines) case_list.push_back(TestCaseOf(line, std::to_string(case_list.size())));
  return case_list;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_TEST_CASES_H_
