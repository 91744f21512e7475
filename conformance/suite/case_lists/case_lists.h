// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of a case list (the cases of a suite at a level), and frozen case lists. The case lists of a released
// version never change, so that verdicts of different days can be compared. A file VERSION.txt records for each level
// and suite the number of cases and a hash (conformance/suite/case_lists/README.md).

#ifndef DECONV_CONFORMANCE_SUITE_CASE_LISTS_CASE_LISTS_H_
#define DECONV_CONFORMANCE_SUITE_CASE_LISTS_CASE_LISTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/text/fnv.h"
#include "conformance/suite/suite.h"

namespace conformance {

// Reports show the hash, and shards of a run can be merged only if their hashes are equal.

/// FNV-1a over the id and the line of each case, in the order of the list. It detects accidents, not forgery.
class ListHash {
 public:
  void Add(std::string_view id, std::string_view line);
  std::string Text() const;  ///< 16 hexadecimal digits

 private:
  Fnv1a hash_;
};

/// The text of the hash of a whole list.
std::string HashOf(const std::vector<SuiteCase>& case_list);

/// One line of such a file: what identifies a case list.
struct CaseList {
  Level level = Level::kGate;
  std::string suite;  ///< a suite's name, or kAllSuites
  std::size_t cases = 0;
  std::string hash;  ///< HashOf() of the cases

  bool operator==(const CaseList&) const = default;
};

inline constexpr std::string_view kAllSuites = "all";

/// The content of such a file.
struct FrozenLists {
  std::string version;
  bool released = false;
  std::vector<CaseList> lists;
};

/// Parses the text of conformance/suite/case_lists/VERSION.txt. An error names the line, what was found and expected.
std::variant<FrozenLists, std::string> ReadFrozenLists(std::string_view text);

/// The text of such a file.
std::string ToText(const FrozenLists& frozen);

/// The table of this program's version, which is compiled into it.
const FrozenLists& BuiltInFrozenLists();

/// The lists that this program generates. It takes some seconds, because it generates every level.
std::variant<std::vector<CaseList>, ReadError> CurrentLists();

/// One line for each list that differs from the frozen list; empty if none differs.
std::vector<std::string> Differences(const FrozenLists& frozen, const std::vector<CaseList>& present);

/// Names a case list for reports: "the frozen list of 0.1.0, level gate", or which suites of that list, or that the
/// list is another one.
std::string CaseListOrigin(const std::vector<SuiteCase>& case_list, Level level, const FrozenLists& frozen);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_CASE_LISTS_CASE_LISTS_H_
