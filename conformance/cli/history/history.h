// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The history of runs: the file of `run --history`, which collects one line for each run, and the command `report`,
// which shows it. With it a vendor sees in which revision of a library passes, failures or times changed.

#ifndef DECONV_CONFORMANCE_CLI_HISTORY_HISTORY_H_
#define DECONV_CONFORMANCE_CLI_HISTORY_HISTORY_H_

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "conformance/report/summary.h"

namespace conformance {

// The file is checked before the run, and the line is added at its end.

/// Creates the file if it does not exist. Returns an empty string, or why the file cannot be written. An empty path
/// means that no history is wanted.
std::string CheckHistory(const std::string& path);

/// Adds a line for each run. If `revision` is empty, the revision comes from the CI system's variables. If the file
/// cannot be written, prints a message and returns false.
bool WriteHistory(const std::string& path, std::span<const RunSummary> runs, const RunDescription& description,
                  const std::string& revision);

/// The command `report`, which shows passes, failures and times of past runs.
void AddReportCommand(CLI::App& program, int& exit_code);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_HISTORY_HISTORY_H_
