// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks conditions in fuzz targets. A fuzz target is a function that an engine, such as libFuzzer, calls with one
// input after another. It reports a finding (a violated condition) by aborting the process.

#ifndef DECONV_FUZZ_CASES_REQUIRE_H_
#define DECONV_FUZZ_CASES_REQUIRE_H_

#include <string>

#include "conformance/case/case.h"

namespace fuzz {

/// Aborts with the text on stderr.
[[noreturn]] void AbortWith(const std::string& text);
/// Aborts with `otherwise` on stderr unless `holds`.
void Require(bool holds, const std::string& otherwise);
/// Writes the case as a case line (its text on one line), and aborts if the line does not parse back to the same case.
void RequireLineParsesBack(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_REQUIRE_H_
