// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and prints the table of renames, applies it, and finds renames between two lists.

#include "conformance/case_lists/renames.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "conformance/case_lists/tables.h"
#include "conformance/text/glob.h"

namespace conformance {
namespace {

constexpr std::string_view kTakenOut = "-";

bool IsId(const std::string& word) {
  const std::size_t slash = word.find('/');
  return slash != std::string::npos && slash != 0 && slash + 1 != word.size();
}

}  // namespace

std::variant<Renames, std::string> Renames::Read(std::string_view text) {
  Renames table;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Rename row;
    std::string more;
    words >> row.since >> row.from >> row.to;
    if (!words || words >> more || !IsId(row.from) || (row.to != kTakenOut && !IsId(row.to)) || row.from == row.to) {
      return fmt::format("line {}: found '{}', expected SINCE OLD_ID NEW_ID (or - for NEW_ID)", number, line);
    }
    if (row.to == kTakenOut) row.to.clear();
    if (!table.by_from_.emplace(row.from, table.rows_.size()).second) {
      return fmt::format("line {}: {} has a row already; expected one for each old id", number, row.from);
    }
    if (!row.to.empty()) table.by_to_.emplace(row.to, table.rows_.size());
    table.rows_.push_back(std::move(row));
    // Each row ends in a name that no row leaves, or nobody could follow it.
    std::string at = table.rows_.back().from;
    for (std::size_t steps = 0; const Rename* next = table.Next(at); ++steps) {
      if (steps == table.rows_.size()) return fmt::format("line {}: the rows of {} go in a circle", number, at);
      at = next->to;
    }
  }
  return table;
}

const Renames& Renames::BuiltIn() {
  static const Renames table = [] {
    auto read = Read(kRenamesText);
    if (const auto* error = std::get_if<std::string>(&read)) throw std::runtime_error("renamed cases: " + *error);
    return std::get<Renames>(std::move(read));
  }();
  return table;
}

const Rename* Renames::Next(const std::string& id) const {
  const auto at = by_from_.find(id);
  return at == by_from_.end() ? nullptr : &rows_[at->second];
}

bool Renames::Matches(const std::string& glob, const std::string& id) const {
  if (GlobMatches(glob, id)) return true;
  const auto [begin, end] = by_to_.equal_range(id);
  return std::any_of(begin, end, [&](const auto& entry) { return Matches(glob, rows_[entry.second].from); });
}

std::string Renames::NameNow(std::string id) const {
  while (const Rename* next = Next(id)) id = next->to;
  return id;
}

std::vector<std::string> Renames::NotesOn(const std::string& glob,
                                          const std::function<bool(const std::string&)>& matches_today) const {
  std::vector<std::string> notes;
  std::string example;  // of a renamed case, if there is one
  for (const Rename& row : rows_) {
    if (!GlobMatches(glob, row.from)) continue;
    const Rename* last = &row;
    while (const Rename* next = Next(last->to)) last = next;
    if (last->to.empty()) {
      notes.push_back(fmt::format("{} was taken out in {}", row.from, last->since));
    } else if (!GlobMatches(glob, last->to)) {
      notes.push_back(fmt::format("{} was renamed in {} to {}", row.from, last->since, last->to));
      if (example.empty()) example = notes.back();
    } else if (IsGlob(glob)) {
      return {};  // it matches the new name, too
    }
  }
  if (notes.empty() || !IsGlob(glob)) return notes;
  if (matches_today(glob)) return {};
  return {fmt::format("'{}' matches only {} that {} in an earlier version; {}{}", glob,
                      notes.size() == 1 ? "a name" : fmt::format("{} names", notes.size()),
                      notes.size() == 1 ? "a case had" : "cases had", notes.size() == 1 ? "" : "for example, ",
                      example.empty() ? notes.front() : example)};
}

std::vector<ListedCase> ReadList(std::string_view text) {
  std::vector<ListedCase> cases;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || !IsId(line.substr(0, space))) continue;
    cases.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return cases;
}

std::vector<Rename> FindRenames(const std::vector<ListedCase>& before, const std::vector<ListedCase>& now,
                                const std::string& since) {
  std::set<std::string_view> old_ids;
  std::set<std::string_view> new_ids;
  std::multimap<std::string_view, std::string_view> new_names;  // by line; of the new ids alone
  for (const auto& [id, line] : before) old_ids.insert(id);
  for (const auto& [id, line] : now) {
    new_ids.insert(id);
    if (!old_ids.contains(id)) new_names.emplace(line, id);
  }
  std::vector<Rename> rows;
  for (const auto& [id, line] : before) {
    if (new_ids.contains(id)) continue;
    const auto [at, end] = new_names.equal_range(line);
    rows.push_back({since, id, at == end ? "" : std::string(at->second)});
    if (at != end) new_names.erase(at);
  }
  return rows;
}

std::string ToText(const Rename& rename) {
  return fmt::format("{} {} {}\n", rename.since, rename.from, rename.to.empty() ? kTakenOut : rename.to);
}

}  // namespace conformance
