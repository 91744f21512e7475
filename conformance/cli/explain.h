// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains how each dialect (one reading of the specification) resolves a case, which is an operator with its
// attributes: the clauses (numbered rules) that apply, and the geometry (sizes, strides and pads) that follows.

#ifndef DECONV_CONFORMANCE_CLI_EXPLAIN_H_
#define DECONV_CONFORMANCE_CLI_EXPLAIN_H_

#include <string>

#include "conformance/case/case.h"

namespace conformance {

/// Returns several lines of text. The last line says which dialects agree on the output.
std::string Explain(const Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_EXPLAIN_H_
