// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies the suite, the name, the reason and the case.

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

}  // namespace conformance
