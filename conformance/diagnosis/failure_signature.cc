// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Determines the signature of a failure: its kind, its class, the pattern of the backend's words, and its law. Only
// failures with one signature are presumed to have one cause.

#include "conformance/diagnosis/failure_signature.h"

#include <cctype>
#include <cstddef>
#include <string_view>

namespace conformance {
namespace {

/// Makes the pattern of a message: reads its tokens, and drops numbers and lists of numbers.
class Pattern {
 public:
  explicit Pattern(std::string_view message) : rest_(message) {}

  std::string Read() {
    while (!rest_.empty()) {
      if (SkipNumber()) {
        pattern_ += '#';
        while (SkipNextOfList()) continue;
        continue;
      }
      pattern_ += rest_.front();
      rest_.remove_prefix(1);
    }
    return std::move(pattern_);
  }

 private:
  static bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool IsHex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

  std::size_t Count(std::size_t from, bool (*is)(char)) const {
    std::size_t end = from;
    while (end < rest_.size() && is(rest_[end])) ++end;
    return end - from;
  }

  /// Removes a number, with its sign and its fraction, from the front.
  bool SkipNumber() {
    std::size_t at = 0;
    // A minus sign behind a letter is a hyphen.
    const bool after_word = !pattern_.empty() && std::isalnum(static_cast<unsigned char>(pattern_.back())) != 0;
    if (rest_.front() == '-' && !after_word) at = 1;
    if (rest_.substr(at).starts_with("0x") && Count(at + 2, IsHex) > 0) {
      rest_.remove_prefix(at + 2 + Count(at + 2, IsHex));
      return true;
    }
    const std::size_t digits = Count(at, IsDigit);
    if (digits == 0) return false;
    at += digits;
    if (at < rest_.size() && rest_[at] == '.' && Count(at + 1, IsDigit) > 0) at += 1 + Count(at + 1, IsDigit);
    rest_.remove_prefix(at);
    return true;
  }

  /// Removes a separator and the number behind it. Also removes a comma without a number behind it: "(2,)".
  bool SkipNextOfList() {
    std::size_t separator = 0;
    while (separator < rest_.size() && (rest_[separator] == ',' || rest_[separator] == ' ')) ++separator;
    if (separator == 0 && rest_.starts_with('x')) separator = 1;
    const std::string_view before = rest_;
    const bool comma = rest_.substr(0, separator).find(',') != std::string_view::npos;
    if (comma && separator < rest_.size() && (rest_[separator] == ')' || rest_[separator] == ']')) {
      rest_.remove_prefix(separator);
      return false;
    }
    if (!comma && !rest_.starts_with('x') && separator == 0) return false;
    rest_.remove_prefix(separator);
    if (!rest_.empty() && SkipNumber()) return true;
    rest_ = before;
    return false;
  }

  std::string_view rest_;
  std::string pattern_;
};

/// Leaves one of several equal items of a list that have a number: "[#] [#]" becomes "[#]", and "int(#), int(#)"
/// becomes "int(#)".
std::string WithoutRepeats(std::string pattern) {
  constexpr std::size_t kLongest = 64;
  constexpr std::string_view kSeparators = ", ";
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    // An item begins at the beginning of a word.
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(pattern[at - 1])) != 0 || pattern[at - 1] == '_')) continue;
    for (std::size_t length = 2; length <= kLongest && at + 2 * length < pattern.size();) {
      const std::size_t next = pattern.find_first_not_of(kSeparators, at + length);
      const std::string_view item = std::string_view(pattern).substr(at, length);
      const bool is_item = item.ends_with(']') || item.ends_with(')');
      const bool repeats = is_item && item.find('#') != std::string_view::npos && next != std::string::npos &&
                           next > at + length && std::string_view(pattern).substr(next).starts_with(item);
      if (repeats) {
        pattern.erase(at + length, next - at);
      } else {
        ++length;
      }
    }
  }
  return pattern;
}

/// Leaves out a last word with a colon, behind which nothing stands. TensorFlow ends some messages with "[Op:Conv2D]",
/// and others with "[Op:Conv2D] name:".
std::string WithoutEmptyLabel(std::string pattern) {
  const std::size_t end = pattern.find_last_not_of(' ');
  const std::size_t space = end == std::string::npos || pattern[end] != ':' ? end : pattern.rfind(' ', end);
  if (space == std::string::npos || space == end) return pattern;
  pattern.erase(pattern.find_last_not_of(' ', space) + 1);
  return pattern;
}

}  // namespace

CauseKind CauseKindOf(FailureClass failure) {
  switch (failure) {
    case FailureClass::kWrongRefusal:
    case FailureClass::kCannotDo:
    case FailureClass::kError:
      return CauseKind::kRefusal;
    case FailureClass::kAcceptedInvalid:
      return CauseKind::kAcceptedInvalid;
    case FailureClass::kCrash:
    case FailureClass::kMemory:
    case FailureClass::kProtocol:
    case FailureClass::kHang:
      return CauseKind::kDeath;
    case FailureClass::kWrongDeclaredOutput:
    case FailureClass::kSuiteError:
      return CauseKind::kSuite;
    default:
      return CauseKind::kWrongOutput;
  }
}

bool LooksAlike(const FailureSignature& signature) {
  return signature.kind == CauseKind::kRefusal || signature.kind == CauseKind::kAcceptedInvalid ||
         signature.failure == FailureClass::kHang;
}

FailureSignature BroadSignatureOf(FailureSignature signature) {
  if (!signature.clause.empty()) {
    signature.clause = "any";
    signature.words.clear();
  }
  switch (signature.failure) {
    case FailureClass::kGapNotZero:
    case FailureClass::kUnwritten:
    case FailureClass::kWrongNan:
    case FailureClass::kAccumulator:
      signature.failure = FailureClass::kWrongValue;
      break;
    case FailureClass::kWrongPads:
      signature.failure = FailureClass::kWrongShape;
      break;
    default:
      break;
  }
  return signature;
}

std::string PatternOf(const std::string& message) { return WithoutEmptyLabel(WithoutRepeats(Pattern(message).Read())); }

bool MostFit(std::span<const CaseResult> results, const std::string& meaning, const FailureSignature& signature,
             oracle::ElementType type) {
  constexpr std::size_t kLeast = 5;
  std::size_t fitting = 0, all = 0;
  for (const CaseResult& result : results) {
    if (!result.verdict.IsNewFailure() || result.judged.test_case == nullptr || result.IsSweep()) continue;
    if (result.judged.test_case->op.data.type != type || SignatureOf(result) != signature) continue;
    const auto& word = result.verdict.facts.excusing_word;
    fitting += word && word->meaning == meaning ? 1 : 0;
    ++all;
  }
  return fitting >= kLeast && 2 * fitting > all;
}

std::string WordsOf(const CaseResult& result) {
  if (CauseKindOf(result.verdict.failure) != CauseKind::kRefusal) return "";
  // If the backend said nothing, the words are the suite's, for example about a wrong kind of answer.
  const std::string& words = result.verdict.facts.said.empty() ? result.verdict.message : result.verdict.facts.said;
  return words.substr(0, words.find("; "));
}

FailureSignature SignatureOf(const CaseResult& result) {
  FailureSignature signature;
  signature.kind = CauseKindOf(result.verdict.failure);
  signature.failure =
      result.verdict.failure == FailureClass::kCannotDo ? FailureClass::kWrongRefusal : result.verdict.failure;
  if (result.judged.output_dims.empty() && !result.judged.clauses.empty())
    signature.clause = result.judged.clauses.front();
  if (result.BreaksLaw() && signature.failure == FailureClass::kBrokenLaw)
    signature.law = NameOf(*result.judged.test_case->law);
  signature.words = PatternOf(WordsOf(result));
  return signature;
}

}  // namespace conformance
