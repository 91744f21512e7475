// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases that had other names before. Filters and expectations that use an old name still find the case.

#ifndef DECONV_CONFORMANCE_CASE_LISTS_RENAMES_H_
#define DECONV_CONFORMANCE_CASE_LISTS_RENAMES_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace conformance {

struct Rename {
  std::string since;  ///< the first version with the new name
  std::string from;   ///< suite/name
  std::string to;     ///< suite/name; empty: the case was taken out

  bool operator==(const Rename&) const = default;
};

class Renames {
 public:
  /// The table of conformance/case_lists/renamed.txt, or the line that is wrong, what was found and what was expected.
  static std::variant<Renames, std::string> Read(std::string_view text);
  /// The table that the program was built with.
  static const Renames& BuiltIn();

  /// Whether the glob matches the case's name or one that it had.
  bool Matches(const std::string& glob, const std::string& id) const;
  /// The name that the case has now: itself, if it has no row; empty: it was taken out.
  std::string NameNow(std::string id) const;
  /// What to tell who wrote the glob: names that it matches and that their cases no longer have. A glob with wildcards
  /// gets at most one note, and none if it matches a name of today. `matches_today` says so; it is asked only where the
  /// answer counts, because it may have to make every case list.
  std::vector<std::string> NotesOn(const std::string& glob,
                                   const std::function<bool(const std::string& glob)>& matches_today) const;

 private:
  const Rename* Next(const std::string& id) const;

  std::vector<Rename> rows_;
  std::map<std::string, std::size_t> by_from_;
  std::multimap<std::string, std::size_t> by_to_;
};

/// A case as `deconv-cts list` prints it: its id, and the rest of the line.
using ListedCase = std::pair<std::string, std::string>;

/// The cases of a text that `deconv-cts list` printed.
std::vector<ListedCase> ReadList(std::string_view text);

/// The rows by which the cases of an older list are found in the new one: by their lines. In the order of the old list.
std::vector<Rename> FindRenames(const std::vector<ListedCase>& before, const std::vector<ListedCase>& now,
                                const std::string& since);

/// A row of the table, with a line break.
std::string ToText(const Rename& rename);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_LISTS_RENAMES_H_
