// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides a text into its lines, and puts the last lines of a program's output on one line, for a message about its
// failure.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_LINES_H_
#define DECONV_CONFORMANCE_CASE_TEXT_LINES_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

/// The lines of a text, each with its '\n'. The last line may have none.
inline std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// The last lines with text, at most five, joined by " | ". Stack frames of JavaScript ("    at main (x.js:1)") are
/// left out, because they would hide the error above them.
std::string LastLines(std::string_view text);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_LINES_H_
