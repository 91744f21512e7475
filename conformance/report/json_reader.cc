// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the records of a JSON report line by line and checks each one. Errors name the line and the member.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "conformance/case/text/json_text.h"
#include "conformance/interface/capabilities_json.h"
#include "conformance/report/json.h"

namespace conformance {
namespace {

using nlohmann::json;

/// The run of a backend. Throws std::invalid_argument, as all functions here do for a wrong record, if there is none.
RunRecord& RunOf(std::vector<RunRecord>& runs, const std::string& backend) {
  for (RunRecord& run : runs) {
    if (run.backend == backend) return run;
  }
  throw std::invalid_argument(fmt::format("backend: '{}' has no record 'run' before it", backend));
}

/// Returns the value, or throws the complaint.
template <class Value>
Value ValueOr(std::variant<Value, std::string> read) {
  if (const auto* complaint = std::get_if<std::string>(&read)) throw std::invalid_argument(*complaint);
  return std::get<Value>(std::move(read));
}

// Each of these functions reads one kind of record into the content of the report.

void ReadRun(const json& object, ReportContent& content) {
  RunRecord run;
  run.backend = object.at("backend").get<std::string>();
  run.declared = ValueOr(CapabilitiesFromJson(object.at("declared")));
  run.sandbox = object.value("sandbox", std::string());
  run.unjudged = IntegerAt<std::size_t>(object, "planned");  // ReadJsonReport subtracts the cases that follow
  run.case_list_size = IntegerAt<std::size_t>(object.at("plan"), "cases");
  run.case_list_hash = object.at("plan").at("hash").get<std::string>();
  run.shard = {IntegerAt<std::uint64_t>(object.at("shard"), "index"),
               IntegerAt<std::uint64_t>(object.at("shard"), "count")};
  content.description.suite_version = object.at("suite_version").get<std::string>();
  content.description.level = object.at("level").get<std::string>();
  content.description.suites = object.at("suites").get<std::vector<std::string>>();
  content.description.seed = IntegerAt<std::uint64_t>(object, "seed");
  content.description.case_list = object.at("plan").value("origin", std::string());
  content.description.key = object.at("key").get<std::string>();
  content.runs.push_back(std::move(run));
}

void ReadCase(const json& object, ReportContent& content) {
  RunRecord& run = RunOf(content.runs, object.at("backend").get<std::string>());
  CaseResult result = ValueOr(CaseFromJson(object));
  if (result.origin.case_index >= run.case_list_size) {
    throw std::invalid_argument(
        fmt::format("place: found {}, the case list has {} cases", result.origin.case_index, run.case_list_size));
  }
  run.results.push_back(std::move(result));
}

void ReadCauses(const json& object, ReportContent& content) {
  RunRecord& run = RunOf(content.runs, object.at("backend").get<std::string>());
  FailureCauses& causes = run.causes.emplace();
  causes.failures = IntegerAt<std::size_t>(object, "failures");
  causes.tried = IntegerAt<std::size_t>(object, "tried");
  causes.seconds = object.at("seconds").get<double>();
  causes.out_of_time = object.at("out_of_time").get<bool>();
  causes.not_looked_for = object.value("not_looked_for", std::string());
  for (const json& entry : object.at("clusters")) {
    Cause& cause = causes.causes.emplace_back();
    const std::string kind = entry.at("kind").get<std::string>();
    const auto found = FindNamed(kCauseKinds, kind);
    if (!found) throw std::invalid_argument(fmt::format("kind: found '{}', expected a kind of cause", kind));
    cause.kind = *found;
    cause.title = entry.at("title").get<std::string>();
    cause.condition = entry.value("condition", std::string());
    cause.wrong_outputs = entry.value("place", std::string());
    cause.hypotheses = entry.at("hypotheses").get<std::vector<std::string>>();
    cause.details = entry.at("details").get<std::vector<std::string>>();
    cause.failures = IntegersAt<std::size_t>(entry, "failures");
    cause.presumed = IntegerAt<std::size_t>(entry, "presumed");
    cause.smallest = IntegerAt<std::size_t>(entry, "smallest");
  }
}

/// Returns an error if a cause names a failure that the report does not have, else an empty string.
std::string ErrorOfCauses(const RunRecord& run) {
  if (!run.causes) return {};
  for (const Cause& cause : run.causes->causes) {
    std::vector<std::size_t> case_indices = cause.failures;
    case_indices.push_back(cause.smallest);
    for (const std::size_t case_index : case_indices) {
      const CaseResult* result = ResultAt(run.results, case_index);
      if (result == nullptr || result->verdict.status != Status::kFail) {
        return fmt::format("{}: the record 'causes' has place {}, expected the place of a failure", run.backend,
                           case_index);
      }
    }
  }
  return {};
}

void ReadSummary(const json& object, ReportContent& content) {
  for (const json& backend : object.at("backends")) {
    RunOf(content.runs, backend.at("backend").get<std::string>()).seconds = backend.at("seconds").get<double>();
  }
  content.description.exit_code = IntegerAt<int>(object, "exit_code");
  content.description.errors = object.value("errors", content.description.errors);
  content.complete = true;
}

/// Reads a record of any kind.
void ReadRecord(const json& object, ReportContent& content) {
  const auto record = object.at("record").get<std::string>();
  if (content.complete) throw std::invalid_argument(fmt::format("record '{}' after the summary", record));
  if (record == "run") return ReadRun(object, content);
  if (record == "case") return ReadCase(object, content);
  if (record == "support") return;  // follows from the cases
  if (record == "causes") return ReadCauses(object, content);
  if (record == "summary") return ReadSummary(object, content);
  throw std::invalid_argument(
      fmt::format("record: found '{}', expected run, case, support, causes or summary", record));
}

}  // namespace

bool LacksVerdicts(const ReportContent& content) {
  return std::ranges::any_of(content.runs, [](const RunRecord& run) { return run.unjudged != 0; });
}

std::variant<ReportContent, std::string> ReadJsonReport(std::string_view text) {
  ReportContent content;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // the line is incomplete: the run was killed
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (number == 1 && !line.starts_with('{'))
      return std::string("line 1: not a record of a report; expected the output of deconv-cts run --json");
    const auto read = CatchJsonError([&] {
      ReadRecord(ParseJson(line), content);
      return std::monostate();
    });
    if (const auto* complaint = std::get_if<std::string>(&read)) return fmt::format("line {}: {}", number, *complaint);
  }
  // Sort the cases of each run, of several records of a case keep the last one, and count those without a verdict.
  for (RunRecord& run : content.runs) {
    const std::size_t planned = run.unjudged;
    std::map<std::size_t, CaseResult> by_case_index;
    for (CaseResult& result : run.results) {
      const auto [at, is_new] = by_case_index.try_emplace(result.origin.case_index);
      if (!is_new && content.complete) return fmt::format("{}: two records of the same case", at->second.id());
      at->second = std::move(result);
    }
    if (by_case_index.size() > planned) {
      return fmt::format("{}: has {} cases, but its record 'run' has planned {}", run.backend, by_case_index.size(),
                         planned);
    }
    run.results.clear();
    for (auto& [case_index, result] : by_case_index) run.results.push_back(std::move(result));
    run.unjudged = planned - run.results.size();
    if (std::string wrong = ErrorOfCauses(run); !wrong.empty()) return wrong;
  }
  if (content.runs.empty()) return std::string("no record 'run' found; expected a JSON-lines report");
  return content;
}

std::variant<std::vector<NamedReport>, std::string> ReadReports(std::span<const std::string> paths) {
  std::vector<NamedReport> reports;
  for (const std::string& path : paths) {
    const auto text = ReadWholeFile(path);
    if (!text) {
      return fmt::format("{}: cannot be read: {}; expected a report of run --json", path, std::strerror(errno));
    }
    auto content = ReadJsonReport(*text);
    if (const auto* complaint = std::get_if<std::string>(&content)) return fmt::format("{}: {}", path, *complaint);
    reports.push_back({path, std::get<ReportContent>(std::move(content))});
  }
  return reports;
}

}  // namespace conformance
