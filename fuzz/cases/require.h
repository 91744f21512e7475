// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells the engine of a finding: the target aborts.

#ifndef DECONV_FUZZ_CASES_REQUIRE_H_
#define DECONV_FUZZ_CASES_REQUIRE_H_

#include <string>

#include "conformance/case/case.h"

namespace fuzz {

/// Aborts with the text on stderr.
[[noreturn]] void AbortWith(const std::string& text);
/// Aborts with the sentence on stderr if it does not hold.
void Require(bool holds, const std::string& otherwise);
/// That the case's line says this case.
void RequireLine(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_REQUIRE_H_
