// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles files that may be hostile: reads a whole file into memory, up to a limit of its size, and makes names from
// files safe for messages and comments.

#ifndef DECONV_CONFORMANCE_FORMATS_LOAD_FILE_H_
#define DECONV_CONFORMANCE_FORMATS_LOAD_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/case/xml/layer.h"

namespace conformance::formats {

/// Returns the content of a file of at most `most_bytes`, or an error. Refuses pipes and devices, which could block the
/// reader.
std::variant<std::string, ReadError> LoadFile(const std::filesystem::path& file, std::uintmax_t most_bytes);

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

#endif  // DECONV_CONFORMANCE_FORMATS_LOAD_FILE_H_
