// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the nearest name by the edit distance: the least number of inserted, deleted and replaced letters, and of
// exchanged neighbours, which are the most common slip. The table of distances between prefixes is computed row by row.
// A row needs only the two rows above it.

#include "conformance/case/text/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <vector>

namespace conformance {
namespace {

bool SameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

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
