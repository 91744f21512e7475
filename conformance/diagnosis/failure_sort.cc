// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the sort of a failure from its verdict.

#include "conformance/diagnosis/failure_sort.h"

#include <cctype>
#include <string_view>

namespace conformance {

bool IsDeclined(FailureClass failure) {
  return failure == FailureClass::kWrongRefusal || failure == FailureClass::kCannotDo ||
         failure == FailureClass::kError;
}

std::string PatternOf(const std::string& message) {
  std::string pattern;
  const auto is_digit = [&](std::size_t at) {
    return at < message.size() && std::isdigit(static_cast<unsigned char>(message[at])) != 0;
  };
  for (std::size_t at = 0; at < message.size(); ++at) {
    const char c = message[at];
    // A list of numbers is one number, however long it is.
    const bool separates = (c == ',' || c == 'x') && is_digit(at + 1);
    if ((is_digit(at) || separates) && !pattern.empty() && pattern.back() == '#') continue;
    pattern += is_digit(at) ? '#' : c;
  }
  return pattern;
}

std::string WordsOf(const CaseResult& result) {
  if (!IsDeclined(result.failure)) return "";
  // Some errors are the suite's words: a sweep that failed as a whole, or a wrong kind of answer.
  const std::string& words = result.facts.said.empty() ? result.message : result.facts.said;
  return words.substr(0, words.find("; "));
}

FailureSort SortOf(const CaseResult& result) {
  FailureSort sort;
  sort.failure = result.failure == FailureClass::kCannotDo ? FailureClass::kWrongRefusal : result.failure;
  if (result.output_dims.empty() && !result.clauses.empty()) sort.clause = result.clauses.front();
  if (result.BreaksLaw()) sort.law = NameOf(*result.test_case->law);
  sort.message = PatternOf(WordsOf(result));
  return sort;
}

}  // namespace conformance
