// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains how each dialect resolves a case, clause by clause, with the numbers.

#ifndef DECONV_CONFORMANCE_CLI_EXPLAIN_H_
#define DECONV_CONFORMANCE_CLI_EXPLAIN_H_

#include <string>

#include "conformance/case/case.h"

namespace conformance {

/// Several lines of text. Dialects that agree on the geometry are said to.
std::string Explain(const Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXPLAIN_H_
