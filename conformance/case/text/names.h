// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts enumerators to names and names to enumerators. Each enumeration has one table of names. Printer and parser
// both use the table, so that they cannot disagree.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_NAMES_H_
#define DECONV_CONFORMANCE_CASE_TEXT_NAMES_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace conformance {

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_NAMES_H_
