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

/// The text as UTF-8 that XML 1.0 and HTML allow: what is no character, or a control character other than a tab or a
/// line's end, becomes U+FFFD, one for each byte.
std::string PrintableText(std::string_view text);

/// PrintableText on one line: line ends and tabs become spaces.
std::string PrintableLine(std::string_view text);

/// A prefix of at most `most` bytes that ends behind a whole character, and "..." if something is missing.
std::string Shortened(std::string_view text, std::size_t most);

/// A part of a text: a web address, or what stands between two.
struct TextPiece {
  std::string_view text;
  bool link = false;
};

/// Splits a text at its links. Only https is taken for a link, and of it only characters that need no escaping.
std::vector<TextPiece> PiecesOf(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_PRINTABLE_H_
