// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides a text into its lines.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_LINES_OF_H_
#define DECONV_CONFORMANCE_CASE_TEXT_LINES_OF_H_

#include <algorithm>
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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_LINES_OF_H_
