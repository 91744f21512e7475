// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Begins the result of a case: what it is, without a verdict.

#ifndef DECONV_CONFORMANCE_VERDICT_RESULT_OF_CASE_H_
#define DECONV_CONFORMANCE_VERDICT_RESULT_OF_CASE_H_

#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Suite, name, reason and case. The runner adds the place in the case list and the file.
CaseResult ResultOf(const SuiteCase& suite_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_RESULT_OF_CASE_H_
