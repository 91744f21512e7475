// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of numbers on a command line: no NaN, no sign where none belongs, no text after the number.

#ifndef DECONV_CONFORMANCE_CLI_AMOUNT_H_
#define DECONV_CONFORMANCE_CLI_AMOUNT_H_

#include <CLI/CLI.hpp>

namespace conformance {

/// A number within the limits; NaN is none.
CLI::Validator AmountOf(double least, double most);

CLI::Validator WholeNumber();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_AMOUNT_H_
