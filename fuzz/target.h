// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What the targets share: a backend, opened once, and the way they report.

#ifndef DECONV_FUZZ_TARGET_H_
#define DECONV_FUZZ_TARGET_H_

#include <string>

#include "conformance/case.h"

namespace fuzz {

/// Judges the case on the backend of that name, which is opened at the first call. Aborts with the finding on stderr,
/// or if there is no such backend. If the environment has DECONV_FUZZ_CASES, each case line is printed before it runs.
void RunTarget(const std::string& backend_name, const conformance::Case& test_case);

/// The same of what the backend resolves the case to, without values.
void ResolveTarget(const std::string& backend_name, const conformance::Case& test_case);

/// Aborts with the sentence on stderr if it does not hold.
void Require(bool holds, const std::string& otherwise);
/// That the case's line says this case.
void RequireLine(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_TARGET_H_
