// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of numbers on a command line: no NaN, no sign where none belongs, no text after the number.

#ifndef DECONV_CONFORMANCE_CLI_NUMBER_CHECKS_H_
#define DECONV_CONFORMANCE_CLI_NUMBER_CHECKS_H_

#include <CLI/CLI.hpp>

namespace conformance {

/// A number within the limits; NaN is none.
CLI::Validator NumberBetween(double least, double most);

CLI::Validator WholeNumber();

/// Seconds, or with a unit: 90, 90s, 15m, 2h, 1d.
CLI::AsNumberWithUnit Duration();

/// Replaces a number of at least 1, which may end in K, M, G or T, by the number without this unit: "1.5G" is 1.5e9.
CLI::Validator CountWithUnit();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_NUMBER_CHECKS_H_
