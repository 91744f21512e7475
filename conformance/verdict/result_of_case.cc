// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies the suite, the name, the reason and the case; resolves the operator of a result.

#include "conformance/verdict/result_of_case.h"

namespace conformance {

CaseResult ResultOf(const SuiteCase& suite_case) {
  CaseResult result;
  result.suite = suite_case.suite;
  result.name = suite_case.name;
  result.reason = suite_case.reason;
  result.SetCase(suite_case.test_case);
  return result;
}

std::optional<oracle::Geometry> GeometryOf(const CaseResult& result) {
  const std::optional<oracle::Dialect> dialect = oracle::ParseDialect(result.dialect);
  if (result.test_case == nullptr || result.IsSweep() || !dialect) return std::nullopt;
  return oracle::Resolve(result.test_case->op, *dialect, oracle::StepTexts::kLeftOut).geometry;
}

}  // namespace conformance
