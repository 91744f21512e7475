// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Matches names with globs such as "a*b", and finds the known name nearest to a misspelt one.

#include "conformance/case/text/names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <vector>

#include <fnmatch.h>

namespace conformance {
namespace {

// Matches a glob whose only wildcard is '*', in one pass: each piece between two stars takes the first place where it
// occurs. A later place would only leave less text for the rest of the glob.
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

namespace {

bool SameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// The least number of edits that turn `a` into `b`: replace, insert or delete a letter, or exchange two neighbours.
// row[j] is the distance between the letters of `a` up to here and the first j letters of `b`.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> above(row.size());
  std::vector<std::size_t> above_that(row.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    above_that.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replace = above[j] + (SameLetter(a[i], b[j]) ? 0 : 1);
      row[j + 1] = std::min({replace, row[j] + 1, above[j + 1] + 1});
      const bool exchanged = i > 0 && j > 0 && SameLetter(a[i], b[j - 1]) && SameLetter(a[i - 1], b[j]);
      if (exchanged) row[j + 1] = std::min(row[j + 1], above_that[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string Nearest(std::string_view word, std::span<const std::string> names) {
  // A longer word is no misspelling of a known name. The limit also bounds the time for hostile input.
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return {};
  std::string best;
  std::size_t best_distance = word.size() / 2 + 1;
  for (const std::string& name : names) {
    const std::size_t distance = EditDistance(word, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view word, std::span<const std::string> names) {
  const std::string nearest = Nearest(word, names);
  return nearest.empty() ? std::string{} : " (did you mean " + nearest + "?)";
}

}  // namespace conformance
