// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The case lists that a version of the suite promises: for each level and suite the number of cases and their hash. The
// lists of a released version never change (conformance/suite/case_lists/README.md).

#ifndef DECONV_CONFORMANCE_SUITE_CASE_LISTS_FROZEN_LISTS_H_
#define DECONV_CONFORMANCE_SUITE_CASE_LISTS_FROZEN_LISTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

struct CaseList {
  Level level = Level::kGate;
  std::string suite;  ///< kAllSuites: every suite, in their order
  std::size_t cases = 0;
  std::string hash;  ///< HashOf() the list

  bool operator==(const CaseList&) const = default;
};

inline constexpr std::string_view kAllSuites = "all";

struct FrozenLists {
  std::string version;
  bool released = false;
  std::vector<CaseList> lists;
};

/// The table in conformance/suite/case_lists/VERSION.txt, or the wrong line with what was found and what was expected.
std::variant<FrozenLists, std::string> ReadFrozenLists(std::string_view text);

/// The file's text, so that a human can write it anew.
std::string ToText(const FrozenLists& frozen);

/// The table that the program was built with: of its own version.
const FrozenLists& BuiltInFrozenLists();

/// The lists as this program makes them now. Some seconds: it makes every level.
std::variant<std::vector<CaseList>, ReadError> PresentLists();

/// How the lists differ from those that are frozen, a line each; empty if they do not.
std::vector<std::string> Differences(const FrozenLists& frozen, const std::vector<CaseList>& present);

/// Names a case list for reports: "the frozen list of 0.1.0, level gate", suites of that list, or neither.
std::string CaseListOrigin(const std::vector<SuiteCase>& case_list, Level level, const FrozenLists& frozen);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_CASE_LISTS_FROZEN_LISTS_H_
