// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes names from files safe for messages and comments: one line, limited length.

#ifndef DECONV_CONFORMANCE_FORMATS_ONE_LINE_H_
#define DECONV_CONFORMANCE_FORMATS_ONE_LINE_H_

#include <string>
#include <string_view>

namespace conformance::formats {

/// Returns the first `most` bytes of a text, and "..." if it is longer. Control characters become '?', because they
/// could end a comment or control a terminal.
inline std::string OneLine(std::string_view text, std::size_t most = 96) {
  std::string shown(text.substr(0, most));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  return text.size() <= most ? shown : shown + "...";
}

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONE_LINE_H_
