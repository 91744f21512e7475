// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the message of a finding and aborts the process.

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
  const auto again = conformance::ParseCaseLine(line);
  const auto* same = std::get_if<conformance::Case>(&again);
  Require(same != nullptr && *same == test_case, "the line of a case parses to another case: " + line);
}

}  // namespace fuzz
