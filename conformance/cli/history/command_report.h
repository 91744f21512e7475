// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `report`, which shows passes, failures and times of past runs from the file of `run --history`.

#ifndef DECONV_CONFORMANCE_CLI_HISTORY_COMMAND_REPORT_H_
#define DECONV_CONFORMANCE_CLI_HISTORY_COMMAND_REPORT_H_

#include <CLI/CLI.hpp>

namespace conformance {

void AddReportCommand(CLI::App& program, int& exit_code);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_HISTORY_COMMAND_REPORT_H_
