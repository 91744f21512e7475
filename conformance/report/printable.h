// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes text of unknown origin safe for a document, since a backend's message may hold any byte.

#ifndef DECONV_CONFORMANCE_REPORT_PRINTABLE_H_
#define DECONV_CONFORMANCE_REPORT_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

/// The text as UTF-8 that XML 1.0 and HTML allow. Each byte of an invalid sequence or of a forbidden character becomes
/// U+FFFD. Control characters are forbidden, except tabs and newlines.
std::string PrintableText(std::string_view text);

/// PrintableText on one line: line ends and tabs become spaces.
std::string PrintableLine(std::string_view text);

/// The text, or a prefix of at most `most` bytes and "...". The prefix ends after a whole character.
std::string Shortened(std::string_view text, std::size_t most);

/// A part of a text: a web address, or the text between two web addresses.
struct TextPiece {
  std::string_view text;
  bool link = false;
};

/// Splits a text at its web addresses. Only https addresses count, and they contain only characters that need no
/// escaping.
std::vector<TextPiece> SplitAtAddresses(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_PRINTABLE_H_
