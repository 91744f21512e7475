// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints a table for a console: aligns its columns, and breaks long enumerations into lines.

#include <algorithm>
#include <cstddef>
#include <span>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/report/table.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

// The most characters of a line (a guess: common terminals have at least 120 columns).
constexpr std::size_t kWidth = 118;
// The least width of the first column. It lets the second columns of all tables of a run begin at the same position.
constexpr std::size_t kLeastFirstColumn = 16;
// The most characters of a heading. Of a longer one only the end is shown, because paths and commands of backends
// differ at their ends.
constexpr std::size_t kMostHeading = 22;

/// The entries of a cell with commas between them. The line already has `column` characters; further lines are
/// indented.
std::string EnumerationText(std::string_view cell, std::size_t column, std::size_t indent) {
  std::string text;
  std::istringstream entries{std::string(cell)};
  for (std::string entry; std::getline(entries, entry);) {
    if (!text.empty()) {
      text += ',';
      // Three more characters: a comma, the blank before the entry, and the comma that may follow it.
      const bool fits = column + entry.size() + 3 <= kWidth;
      text += fits ? " " : "\n" + std::string(indent, ' ');
      column = fits ? column + 2 : indent;
    }
    text += entry;
    column += entry.size();
  }
  return text;
}

/// The rows of a table without columns: each has a label and an enumeration.
std::string ListText(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < std::min(table.shown, table.rows.size()); ++i) {
    const std::span<const std::string> cells = table.rows[i];
    const std::string label = fmt::format("{}: ", fmt::join(cells.first(cells.size() - 1), " "));
    text += label + EnumerationText(cells.back(), label.size(), 2) + '\n';
  }
  return text;
}

std::string ShortHeading(const std::string& name) {
  return name.size() <= kMostHeading ? name : name.substr(name.size() - kMostHeading);
}

/// The rows of a table with columns. Numbers are aligned at the right; the last column may be broken into lines.
std::string ColumnsText(const Table& table) {
  const std::size_t indent = table.title.empty() ? 0 : 2;
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(ShortHeading(column.name).size());
  widths.front() = std::max(widths.front(), kLeastFirstColumn - indent);
  const std::span rows = std::span(table.rows).first(std::min(table.shown, table.rows.size()));
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  const auto line_of = [&](const auto& cell_of) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i != 0) line += "  ";
      const std::string cell = cell_of(i);
      if (table.columns[i].number) {
        line += fmt::format("{:>{}}", cell, widths[i]);
      } else if (i + 1 != widths.size()) {
        line += fmt::format("{:<{}}", cell, widths[i]);
      } else {
        line += EnumerationText(cell, line.size(), line.size());
      }
    }
    return line + '\n';
  };
  std::string text = line_of([&](std::size_t i) { return ShortHeading(table.columns[i].name); });
  for (const std::vector<std::string>& row : rows) text += line_of([&](std::size_t i) { return row[i]; });
  return text;
}

}  // namespace

std::string TableText(const Table& table, std::string_view backend) {
  std::string text = table.title.empty() ? "" : table.title + '\n';
  if (!table.rows.empty()) text += table.columns.empty() ? ListText(table) : ColumnsText(table);
  if (table.rows.size() > table.shown) text += fmt::format("... and {} more\n", table.rows.size() - table.shown);
  const std::string_view indent = table.cases.empty() ? "" : "     ";
  for (const std::string& note : table.notes) text += fmt::format("{}{}\n", indent, note);
  const std::size_t cases = std::min(table.shown, table.cases.size());
  for (std::size_t i = 0; i < cases; ++i) {
    const CaseResult& result = *table.cases[i];
    text += fmt::format("     {}: {}\n     replay: {}\n", result.id(), result.verdict.message,
                        ReplayCommand(backend, result));
  }
  if (table.cases.size() > cases) text += fmt::format("     ... and {} more\n", table.cases.size() - cases);
  return text;
}

}  // namespace conformance
