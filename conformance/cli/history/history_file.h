// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of `run --history`: checked before the run, and given its lines at the end.

#ifndef DECONV_CONFORMANCE_CLI_HISTORY_HISTORY_FILE_H_
#define DECONV_CONFORMANCE_CLI_HISTORY_HISTORY_FILE_H_

#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"

namespace conformance {

/// Makes the file if it is not there. Empty, or why it cannot be written; an empty path is right.
std::string CheckHistory(const std::string& path);

/// Adds a line for each run. `revision`: empty for that of the CI system's variables. False, and a line on stderr, if
/// the file cannot be written.
bool WriteHistory(const std::string& path, std::span<const RunSummary> runs, const RunDescription& description,
                  const std::string& revision);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_HISTORY_HISTORY_FILE_H_
