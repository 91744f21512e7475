// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a JSON report that the command line names.

#ifndef DECONV_CONFORMANCE_CLI_REPORT_INPUT_H_
#define DECONV_CONFORMANCE_CLI_REPORT_INPUT_H_

#include <string>
#include <variant>

#include "conformance/report/json_reader.h"

namespace conformance {

/// What the file holds, or why it is no report; the complaint names the file.
std::variant<ReportContent, std::string> LoadReport(const std::string& path);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_REPORT_INPUT_H_
