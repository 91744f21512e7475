// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: makes cases and lists of cases from case lines, and draws random cases.

#ifndef DECONV_CONFORMANCE_TESTING_TEST_CASES_H_
#define DECONV_CONFORMANCE_TESTING_TEST_CASES_H_

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case/case.h"
#include "conformance/case/draw_case.h"
#include "conformance/suite/suite.h"
#include "oracle/resolve.h"

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

// Random cases, for tests that compare the bits of a backend with a plain loop. They are so small that a test runs
// hundreds of them for each dialect.

/// Draws a small case of the dialect. One case of eight is corrupted, that is, made invalid.
inline Case RandomCase(Random& random, oracle::Dialect dialect, std::size_t most_axes) {
  // With so few products of small integers, the sums are exact even in f16 and bf16.
  constexpr CaseLimits kSmall = {.outputs = 400, .products = 1000};
  const Case drawn = DrawCase(random, {.dialect = dialect, .most_axes = most_axes, .limits = kSmall});
  if (!random.OneIn(8)) return drawn;
  Case corrupted = drawn;
  CorruptCase(corrupted, random);
  const oracle::Resolution resolution = oracle::Resolve(corrupted.op, dialect);
  return resolution.geometry && Exceeds(*resolution.geometry, kSmall) ? drawn : corrupted;
}

/// The case line of an operator in its default dialect, for messages.
inline std::string LineOf(const oracle::Operator& op) {
  Case test_case;
  test_case.op = op;
  return ToLine(test_case);
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_TEST_CASES_H_
