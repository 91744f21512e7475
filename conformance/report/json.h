// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the JSON report, and reads it again to resume, merge or compare runs. The report is JSON lines: a "run" record
// for each backend, a "case" record for each case, a "causes" record where causes were looked for, and a final
// "summary" record with the tables that people read.

#ifndef DECONV_CONFORMANCE_REPORT_JSON_H_
#define DECONV_CONFORMANCE_REPORT_JSON_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/runner.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// The "run" record of a run that will have `planned` cases, and the "case" record of a result. Each is one line.
std::string RunLine(const RunRecord& run, const RunDescription& description, std::size_t planned);
std::string CaseLine(const std::string& backend, const CaseResult& result);

/// Calls `use` with each record of the report, in the order of the lines.
void ForEachRecord(std::span<const RunSummary> runs, const RunDescription& description,
                   const std::function<void(nlohmann::ordered_json record)>& use);

/// The whole report as text.
std::string JsonReport(std::span<const RunSummary> runs, const RunDescription& description);

/// The record of a case. Members that are empty for a plain pass are left out. JSON has no infinity or NaN: such a
/// number is null.
nlohmann::ordered_json CaseToJson(const CaseResult& result);

/// The tolerance that outputs needed, as an object.
nlohmann::ordered_json NeededToJson(const NeededTolerance& needed);

/// Reads the record of a case, or returns which member is wrong and what was expected.
std::variant<CaseResult, std::string> CaseFromJson(const nlohmann::json& object);

/// A report that was read.
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

#endif  // DECONV_CONFORMANCE_REPORT_JSON_H_
