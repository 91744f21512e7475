// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: makes cases and lists of cases from case lines.

#ifndef DECONV_CONFORMANCE_TESTING_TEST_CASES_H_
#define DECONV_CONFORMANCE_TESTING_TEST_CASES_H_

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case/case.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// The case of a line, in the suite "test". If the line does not parse, the test fails.
inline SuiteCase TestCaseOf(const std::string& line, const std::string& name = "case") {
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return {"test", name, std::get<Case>(parsed), "", {}};
}

/// The cases of the lines. Each is named by its position in `lines`.
inline std::vector<SuiteCase> TestCasesOf(const std::vector<std::string>& lines) {
  std::vector<SuiteCase> case_list;
  for (const std::string& line : lines) case_list.push_back(TestCaseOf(line, std::to_string(case_list.size())));
  return case_list;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_TEST_CASES_H_
