// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks numbers on a command line, and converts numbers with a unit. All checks but Duration(), which is CLI11's,
// refuse NaN and text after the number.

#ifndef DECONV_CONFORMANCE_CLI_NUMBER_CHECKS_H_
#define DECONV_CONFORMANCE_CLI_NUMBER_CHECKS_H_

#include <CLI/CLI.hpp>

namespace conformance {

/// Accepts a number from `least` to `most`, but not NaN.
CLI::Validator NumberBetween(double least, double most);

/// Accepts a whole number from 0 to 2^64 - 1.
CLI::Validator WholeNumber();

/// Converts a time to seconds: 90, 90s, 15m, 2h or 1d.
CLI::AsNumberWithUnit Duration();

/// Replaces a number of at least 1, which may end in K, M, G or T, by the number without this unit: "1.5G" is 1.5e9.
CLI::Validator CountWithUnit();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_NUMBER_CHECKS_H_
