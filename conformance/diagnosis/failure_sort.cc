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

namespace {

constexpr std::string_view kLawPrefix = "law ";

/// Takes the name of the law from the front of a message: "law shift: ...".
std::string TakeLaw(std::string& message) {
  if (!message.starts_with(kLawPrefix)) return "";
  const std::size_t colon = message.find(": ");
  const std::size_t end = colon == std::string::npos ? message.size() : colon;
  std::string law = message.substr(kLawPrefix.size(), end - kLawPrefix.size());
  if (colon != std::string::npos) message.erase(0, colon + 2);
  return law;
}

}  // namespace

std::string WordsOf(const CaseResult& result) {
  if (!IsDeclined(result.failure)) return "";
  constexpr std::string_view kRefused = "the backend refused a valid operator: ";
  std::string message = result.message;
  TakeLaw(message);
  if (message.starts_with(kRefused)) message.erase(0, kRefused.size());
  return message.substr(0, message.find("; "));
}

FailureSort SortOf(const CaseResult& result) {
  FailureSort sort;
  sort.failure = result.failure == FailureClass::kCannotDo ? FailureClass::kWrongRefusal : result.failure;
  if (result.output_dims.empty() && !result.clauses.empty()) sort.clause = result.clauses.front();
  std::string message = result.message;
  sort.law = TakeLaw(message);
  sort.message = PatternOf(WordsOf(result));
  return sort;
}

}  // namespace conformance
