// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a JSON-lines report again, to resume, merge or compare runs.

#ifndef DECONV_CONFORMANCE_REPORT_JSON_READER_H_
#define DECONV_CONFORMANCE_REPORT_JSON_READER_H_

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/report/json.h"
#include "conformance/run/runner.h"

namespace conformance {

struct ReportContent {
  RunDescription description;
  std::vector<RunRecord> runs;
  bool complete = false;  ///< the report ends with a summary
};

/// Whether a run of the report was ended before it had a verdict on each of its cases.
bool LacksVerdicts(const ReportContent& content);

/// A report and its file.
struct NamedReport {
  std::string name;
  ReportContent content;
};

/// Reads a report that JsonReport or a journal wrote, and sorts the cases of each run by case index. A report that ends
/// early has no summary, and its last line may be incomplete. If a case has several records, the last one counts. An
/// error names the line or the case, the value that was found, and the expected one.
std::variant<ReportContent, std::string> ReadJsonReport(std::string_view text);

/// The reports in these files, or what is wrong with the first bad one. The complaint names the file.
std::variant<std::vector<NamedReport>, std::string> ReadReports(std::span<const std::string> paths);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_JSON_READER_H_
