// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the sort of a failure from its verdict.

#include "conformance/diagnosis/failure_sort.h"

#include <cctype>

namespace conformance {

bool IsDeclined(FailureClass failure) {
  return failure == FailureClass::kWrongRefusal || failure == FailureClass::kCannotDo ||
         failure == FailureClass::kError;
}

std::string PatternOf(const std::string& message) {
  std::string pattern;
  for (const char c : message) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    // A list of numbers is one number, however long it is.
    if (digit && !pattern.empty() && pattern.back() == '#') continue;
    const bool continues = (c == ',' || c == 'x') && !pattern.empty() && pattern.back() == '#';
    if (continues) continue;
    pattern += digit ? '#' : c;
  }
  return pattern;
}

FailureSort SortOf(const CaseResult& result) {
  FailureSort sort;
  sort.failure = result.failure == FailureClass::kCannotDo ? FailureClass::kWrongRefusal : result.failure;
  if (result.output_dims.empty() && !result.clauses.empty()) sort.clause = result.clauses.front();
  std::string message = result.message;
  if (message.starts_with("law ")) {
    const std::size_t colon = message.find(": ");
    sort.law = message.substr(4, colon == std::string::npos ? std::string::npos : colon - 4);
    if (colon != std::string::npos) message.erase(0, colon + 2);
  }
  if (IsDeclined(result.failure)) {
    constexpr std::string_view kRefused = "the backend refused a valid operator: ";
    if (message.starts_with(kRefused)) message.erase(0, kRefused.size());
    sort.message = PatternOf(message.substr(0, message.find("; ")));
  }
  return sort;
}

}  // namespace conformance
