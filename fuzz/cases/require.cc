// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the message of a violated condition and aborts the process, by which a fuzzing engine learns of a finding.

#include "fuzz/cases/require.h"

#include <cstdio>
#include <cstdlib>
#include <variant>

namespace fuzz {

void AbortWith(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::abort();
}

void Require(bool holds, const std::string& otherwise) {
  if (!holds) AbortWith(otherwise + "\n");
}

void RequireLineParsesBack(const conformance::Case& test_case) {
  const std::string line = ToLine(test_case);
  const auto parsed = conformance::ParseCaseLine(line);
  const auto* parsed_case = std::get_if<conformance::Case>(&parsed);
  Require(parsed_case != nullptr && *parsed_case == test_case, "the line of a case parses to another case: " + line);
}

}  // namespace fuzz
