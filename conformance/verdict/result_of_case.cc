// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes an unjudged result from a suite's case, and resolves the operator of a result.

#include "conformance/verdict/result_of_case.h"

namespace conformance {

CaseResult ResultOf(const SuiteCase& suite_case) {
  CaseResult result;
  result.origin.suite = suite_case.suite;
  result.origin.name = suite_case.name;
  result.origin.reason = suite_case.reason;
  result.judged.Set(suite_case.test_case);
  return result;
}

std::optional<oracle::Geometry> GeometryOf(const CaseResult& result) {
  const std::optional<oracle::Dialect> dialect = oracle::ParseDialect(result.judged.dialect);
  if (result.judged.test_case == nullptr || result.IsSweep() || !dialect) return std::nullopt;
  return oracle::Resolve(result.judged.test_case->op, *dialect, oracle::StepTexts::kLeftOut).geometry;
}

}  // namespace conformance
