// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of the tests, from case lines.

#ifndef DECONV_CONFORMANCE_TEST_PLAN_H_
#define DECONV_CONFORMANCE_TEST_PLAN_H_

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case.h"
#include "conformance/suite.h"

namespace conformance {

/// One case of suite "test"; a line that is none fails the test.
inline SuiteCase Planned(const std::string& line, const std::string& name = "case") {
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return {"test", name, std::get<Case>(parsed), "", {}};
}

/// Cases named by their place in `lines`.
inline std::vector<SuiteCase> PlanOf(const std::vector<std::string>& lines) {
  std::vector<SuiteCase> plan;
  for (const std::string& line : lines) plan.push_back(Planned(line, std::to_string(plan.size())));
  return plan;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TEST_PLAN_H_
