// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces bytes that are no valid UTF-8, and characters that XML or HTML forbid or that could mislead a reader. UTF-8
// writes a character as 1 to 4 bytes. The first byte begins with as many 1 bits as the character has bytes, if these
// are more than one; each further byte is 10xxxxxx in bits. Example: the euro sign is E2 82 AC.

#include "conformance/report/printable.h"

#include <algorithm>
#include <cstdint>

namespace conformance {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The length in bytes of a UTF-8 character that begins with this byte; 0 if no character does. 0xC0 and 0xC1 would
/// begin a character that is longer than necessary, and 0xF5 one beyond U+10FFFF.
std::size_t LengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/// The length in bytes of the character at `at` if a document may hold it, else 0.
std::size_t AllowedAt(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = LengthOf(first);
  if (length == 0 || at + length > text.size()) return 0;
  // Take the bits that do not tell the length: 2 of E2 (1110 0010), then six of each further byte.
  std::uint32_t code = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[at + i])) return 0;
    code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
  // Surrogates, the last two codes of each plane, and codes beyond Unicode are no characters.
  const bool no_character = (code >= 0xD800 && code < 0xE000) || (code & 0xFFFEU) == 0xFFFE || code > 0x10FFFF;
  // Characters that change the writing direction are not allowed. With them, a replay command could look different from
  // the text that a reader copies.
  const bool changes_direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return overlong || control || no_character || changes_direction ? 0 : length;
}

}  // namespace

std::string PrintableText(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = AllowedAt(text, at);
    printable += length == 0 ? kReplacement : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return printable;
}

std::string PrintableLine(std::string_view text) {
  std::string line = PrintableText(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string Shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && IsContinuation(text[end])) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::vector<TextPiece> SplitAtAddresses(std::string_view text) {
  constexpr std::string_view kScheme = "https://";
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#@!$&'()*+,;=%";
  constexpr std::string_view kPunctuation = ".,;:!?'()";  // punctuation that ends a sentence rather than an address
  std::vector<TextPiece> pieces;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(kScheme), text.size());
    if (begin != 0) pieces.push_back({text.substr(0, begin), false});
    text.remove_prefix(begin);
    std::string_view link = text.substr(0, text.find_first_not_of(kAllowed));
    while (link.size() > kScheme.size() && kPunctuation.find(link.back()) != std::string_view::npos) {
      link.remove_suffix(1);
    }
    if (!link.empty()) pieces.push_back({link, link.size() > kScheme.size()});
    text.remove_prefix(link.size());
  }
  return pieces;
}

}  // namespace conformance
