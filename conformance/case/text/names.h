// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Names that people write and read: tables of the names of enumerators, globs that match names, and the name that a
// misspelt one probably means.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_NAMES_H_
#define DECONV_CONFORMANCE_CASE_TEXT_NAMES_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace conformance {

// Tables of names. Each enumeration has one table. Printer and parser both use the table, so that they cannot disagree.

/// One row of a table of names.
template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

/// One row of a table that explains each name in a sentence.
template <class Enum>
struct Explained {
  Enum value;
  std::string_view name;
  std::string_view sentence;
};

/// The name of `value`; empty if the table has no row for it.
template <class Row, std::size_t N>
constexpr std::string_view NameOf(const std::array<Row, N>& table, decltype(Row::value) value) {
  for (const Row& row : table) {
    if (row.value == value) return row.name;
  }
  return {};
}

/// The enumerator with this name, if there is one.
template <class Row, std::size_t N>
constexpr std::optional<decltype(Row::value)> FindNamed(const std::array<Row, N>& table, std::string_view name) {
  for (const Row& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

/// Whether a character is an ASCII letter or digit. Unlike std::isalnum it does not depend on the locale.
constexpr bool IsAlphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Globs, such as "attributes/*f32*". A '*' stands for any characters, also for '/'.

/// Matches as fnmatch(3) does without flags. Globs whose only wildcard is '*' are matched faster: fnmatch may need
/// exponential time.
bool GlobMatches(const std::string& glob, const std::string& text);

/// Whether the text contains a special character of globs.
bool IsGlob(std::string_view text);

/// The name with the smallest edit distance to `word`, ignoring case. Empty if the distance exceeds half of the word's
/// length: such a name is no misspelling.
std::string Nearest(std::string_view word, std::span<const std::string> names);

/// " (did you mean NAME?)" with the nearest name, or an empty string. For the end of an error message.
std::string DidYouMean(std::string_view word, std::span<const std::string> names);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_NAMES_H_
