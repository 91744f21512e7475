// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the cases that a command line names: case lines, layer XML files, files of case lines, ids of cases, and
// selections of suites.

#ifndef DECONV_CONFORMANCE_CLI_INPUT_H_
#define DECONV_CONFORMANCE_CLI_INPUT_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"
#include "oracle/dialect.h"

namespace conformance {

/// Returns the cases of one positional argument, which is
///   - a case line,
///   - a file: layer XML if its name ends in .xml; a regression file if it begins with "defect: "; else a file with one
///     case line on each line, where # starts a comment,
///   - or the id of a suite's case at any level: suite/name, as reports and `list` print it.
std::variant<std::vector<SuiteCase>, ReadError> CasesOf(const std::string& argument);

/// The dialect that --dialect names, or what is wrong with the name.
std::variant<oracle::Dialect, std::string> DialectOf(const std::string& name);

/// The choice of cases by --suite, --level, --filter and --seed.
struct Selection {
  std::vector<std::string> suites;  ///< empty: all of them
  Level level = Level::kGate;
  std::vector<std::string> filters;  ///< globs on suite/name: one of them must match; empty: every case matches
  std::uint64_t seed = 0;
};

/// The cases of the suites at the level that pass the filters.
std::variant<std::vector<SuiteCase>, ReadError> SelectCases(const Selection& selection);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_INPUT_H_
