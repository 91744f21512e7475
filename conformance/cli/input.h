// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the arguments of a command line: cases (operators to test) and numbers. A case is given by its case line (the
// text of a case), a file, its id, or a selection of suites.

#ifndef DECONV_CONFORMANCE_CLI_INPUT_H_
#define DECONV_CONFORMANCE_CLI_INPUT_H_

#include <CLI/CLI.hpp>
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

// Checks numbers on a command line, and converts numbers with a unit. All checks but Duration(), which is CLI11's,
// refuse NaN and text after the number.

/// Accepts a number from `least` to `most`, but not NaN.
CLI::Validator NumberBetween(double least, double most);

/// Accepts a whole number from 0 to 2^64 - 1.
CLI::Validator WholeNumber();

/// Converts a time to seconds: 90, 90s, 15m, 2h or 1d.
CLI::AsNumberWithUnit Duration();

/// Replaces a number of at least 1, which may end in K, M, G or T, by the number without this unit: "1.5G" is 1.5e9.
CLI::Validator CountWithUnit();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_INPUT_H_
