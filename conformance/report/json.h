// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine-readable report as JSON lines: a "run" record for each backend, a "case" record for each case, a "causes"
// record where causes were looked for, and a final "summary" record with the tables that people read.

#ifndef DECONV_CONFORMANCE_REPORT_JSON_H_
#define DECONV_CONFORMANCE_REPORT_JSON_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "conformance/report/run_description.h"
#include "conformance/report/summary.h"

namespace conformance {

/// The "run" record of a run that will have `planned` cases, and the "case" record of a result. Each is one line.
std::string RunLine(const RunRecord& run, const RunDescription& description, std::size_t planned);
std::string CaseLine(const std::string& backend, const CaseResult& result);

/// Calls `use` with each record of the report.
void ForEachRecord(std::span<const RunSummary> runs, const RunDescription& description,
                   const std::function<void(nlohmann::ordered_json record)>& use);

/// The whole report as text.
std::string JsonReport(std::span<const RunSummary> runs, const RunDescription& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_JSON_H_
