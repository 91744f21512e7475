// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Matches the literal pieces between the stars from left to right, each at its first occurrence. The first occurrence
// leaves the most text for the later pieces, so that no other occurrence must be tried. Example: "a*bc*d" on "aXbcYbcd"
// needs only the first "bc".

#include "conformance/case/text/glob.h"

#include <fnmatch.h>

namespace conformance {
namespace {

bool StarsMatch(std::string_view glob, std::string_view text) {
  std::size_t star = glob.find('*');
  if (star == std::string_view::npos) return glob == text;
  if (!text.starts_with(glob.substr(0, star))) return false;
  text.remove_prefix(star);
  while (true) {
    glob.remove_prefix(star + 1);
    star = glob.find('*');
    if (star == std::string_view::npos) return text.ends_with(glob);
    const std::string_view piece = glob.substr(0, star);
    const std::size_t at = text.find(piece);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + piece.size());
  }
}

}  // namespace

bool GlobMatches(const std::string& glob, const std::string& text) {
  if (glob.find_first_of("?[\\") != std::string::npos) return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
  return StarsMatch(glob, text);
}

bool IsGlob(std::string_view text) { return text.find_first_of("*?[\\") != std::string_view::npos; }

}  // namespace conformance
